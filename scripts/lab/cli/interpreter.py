"""Which Python has what the scripts need, read from the folders of packages without a process.

    lacking(sys.path)   the needs that this interpreter does not have
    prepared()          another interpreter near the working folder that has them all, or None
    start()             the words that start a script: `python`, `.venv/bin/python` or `uv run`

Standard library only, and quick: a few folders are listed, nothing is imported.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from lab.cli.requirements import COMMANDS, Need, needs

PARENTS = 3
"""How many folders above the working folder are searched for an environment."""
UNFINISHED = "prime-lab-unfinished"
"""A file in an environment while it is made or installed into: the word for which of them."""


def installed(folders: Iterable[str | Path]) -> dict[str, str]:
    """Name -> version of the distributions in `folders`; names in lower case, with dashes."""
    found: dict[str, str] = {}
    for folder in folders:
        try:
            names = [entry.name for entry in Path(folder or ".").iterdir()]
        except OSError:
            continue
        for name in names:
            if told := re.fullmatch(r"(.+?)-([^-]+)(?:-.*)?\.(?:dist-info|egg-info)", name):
                found.setdefault(re.sub(r"[-_.]+", "-", told[1]).lower(), told[2])
    return found


def lacking(folders: Iterable[str | Path]) -> list[Need]:
    """The needs without a distribution in `folders`, whatever its version; commands may be
    installed elsewhere, so they are not among them."""
    there = installed(folders)
    return [
        need
        for need in needs()
        if need.name not in COMMANDS and need.name.replace("_", "-") not in there
    ]


@cache
def this_lacks() -> tuple[Need, ...]:
    """What the interpreter that runs this does not have."""
    return tuple(lacking(sys.path))


def environments() -> Iterator[Path]:
    """Virtual environments that a user may mean: the active one, `.venv` in the working folder and
    in those above it, then others of the working folder."""
    if active := os.environ.get("VIRTUAL_ENV"):
        yield Path(active)
    here = Path.cwd()
    yield from (folder / ".venv" for folder in (here, *here.parents[:PARENTS]))
    for pattern in ("*/pyvenv.cfg", ".*/pyvenv.cfg"):
        yield from (mark.parent for mark in sorted(here.glob(pattern)))


def python_of(environment: Path) -> Path:
    return environment / "bin" / "python"


def begun(environment: str | Path) -> str:
    """What was begun with `environment` and is not finished; a kill leaves it so."""
    try:
        return (Path(environment) / UNFINISHED).read_text(encoding="utf-8")
    except OSError:
        return ""


@cache
def prepared() -> Path | None:
    """The interpreter of the first of `environments()` that has all the scripts need."""
    for environment in environments():
        python = python_of(environment)
        packages = environment.glob("lib/python3*/site-packages")
        if python.is_file() and not begun(environment) and not lacking(packages):
            return python
    return None


def made_by_uv() -> bool:
    """Whether `uv run SCRIPT` made this interpreter: then only `uv run` can make it again."""
    return "environments-v" in sys.prefix


def start() -> list[str]:
    """The words before a script's path on a command line that works from here."""
    if made_by_uv():
        return ["uv", "run"]
    other = prepared() if this_lacks() else None
    return [named(other) if other else python()]


def python() -> str:
    """How to name this interpreter on a command line: `python` if that is the one on PATH."""
    for name in ("python", "python3"):
        found = shutil.which(name)
        if found and Path(found).parent == Path(sys.executable).parent:
            return name
    return named(Path(sys.executable))


def named(path: Path) -> str:
    """`path` as it is shortest from the working folder, never through a link to another place."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
