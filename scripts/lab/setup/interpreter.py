"""One Python, asked what it is and has; and which one is meant when none is named."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from lab.cli.interpreter import begun, made_by_uv, prepared, python_of, this_lacks
from lab.cli.report import missing
from lab.cli.requirements import CLASSIC, COMMANDS, Need, need, needs, release
from lab.cli.untrusted import excerpt

DEFAULT = Path(".venv")
"""The environment that `preflight.py --install` makes, in the working folder."""
MADE, FILLED = "made", "filled"
"""What can be begun with an environment (`lab.cli.interpreter.begun`)."""


@dataclass(frozen=True)
class Interpreter:
    """One Python: its version and the distributions that it can import."""

    path: str
    version: tuple[int, ...]
    packages: dict[str, str]
    managed: bool
    """The distribution manages it (PEP 668): nothing may be installed into it."""
    prefix: str

    @property
    def api(self) -> str | None:
        """`taskset`, `classic` or None, by the installed verifiers, never by commands on PATH."""
        version = self.packages.get("verifiers")
        if version is None:
            return None
        if need("verifiers").accepts(version):
            return "taskset"
        first, first_after = map(release, CLASSIC)
        return "classic" if first <= release(version) < first_after else None

    def lacks(self) -> list[Need]:
        """The needs that are not there, or not in their range; all of them where an installation
        was ended in the middle, which can leave a package without some of its files."""
        if begun(self.prefix):
            return list(needs())
        return [one for one in needs() if not one.accepts(self.packages.get(one.name, "0"))]


_ASK = """
import json, sys, sysconfig, pathlib, importlib.metadata as m
names = json.loads(sys.argv[1]); found = {}
for name in names:
    try: found[name] = m.version(name)
    except m.PackageNotFoundError: pass
managed = sys.prefix == sys.base_prefix and (
    pathlib.Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
).exists()
print(json.dumps([list(sys.version_info[:3]), found, managed, sys.prefix]))
"""


def ask(python: str = sys.executable) -> Interpreter:
    """What `python` has, asked of that interpreter itself (about 0.1 s)."""
    names = json.dumps([one.name for one in needs()])
    try:
        done = subprocess.run(
            [python, "-c", _ASK, names], capture_output=True, text=True, timeout=30, check=True
        )
        version, packages, managed, prefix = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise missing(
            f"{python} does not run as a Python interpreter: {excerpt(error)}",
            "name another one with --python",
            id="setup.python",
        ) from None
    return Interpreter(python, tuple(version), packages, managed, prefix)


def in_an_environment() -> bool:
    """Whether this interpreter is of a virtual environment that a user made."""
    return sys.prefix != sys.base_prefix and not made_by_uv()


def _complete() -> bool:
    """Whether this interpreter lacks nothing: a container's or conda's, which is no virtual
    environment."""
    if made_by_uv() or this_lacks() or ask().lacks():
        return False
    return all(command(sys.executable, name) for name in COMMANDS)


def command(python: str, name: str) -> str | None:
    """The command beside the interpreter, else the one on PATH."""
    beside = Path(python).parent / name
    return str(beside) if beside.is_file() else shutil.which(name)


def target(python: str | None, environment: Path | None) -> str | Path:
    """Which interpreter is meant: a path to it, or the folder of an environment that is not there
    yet. The named one comes first, then the one that runs this, if it is of a virtual environment
    or has everything, then one nearby that has everything, then the active one, then `.venv` in the
    working folder."""
    if python:
        return python
    if environment is None and (in_an_environment() or _complete()):
        return sys.executable
    if environment is None and (found := prepared()):
        return str(found)
    folder = environment or Path(os.environ.get("VIRTUAL_ENV") or DEFAULT)
    whole = python_of(folder).is_file() and begun(folder) != MADE
    return str(python_of(folder)) if whole else folder


def shebang(script: Path) -> str | None:
    """The interpreter that a console script runs on: its `#!` line, also in the `/bin/sh` form
    that installers write for a path that is long or has a space."""
    try:
        lines = script.read_bytes()[:2000].decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    if not lines or not lines[0].startswith("#!"):
        return None
    words = lines[0][2:].split()
    if words and words[0].endswith("/sh") and len(lines) > 1 and "exec" in lines[1]:
        try:
            return shlex.split(lines[1])[1]
        except (ValueError, IndexError):
            return None
    if words and words[0].endswith("/env") and len(words) > 1:
        return shutil.which(words[-1])
    return lines[0][2:].strip().split(" -")[0] or None
