"""The folder that all apps of a rollout work on. No path leads out of it.

The root is a context variable, so one process serves many rollouts at once.
"""

import json
from contextvars import ContextVar
from pathlib import Path
from typing import Any

ROOT: ContextVar[Path] = ContextVar("workspace")
MOST_READ = 20_000
MOST_WRITTEN = 1_000_000


class Refused(Exception):
    """A call that cannot be done; its text tells the model why."""


def locate(path: str) -> Path:
    """The real place of a workspace path. Refuses one that leads outside, also through a link."""
    root = ROOT.get().resolve()
    found = (root / path.strip().lstrip("/")).resolve()
    if found != root and root not in found.parents:
        raise Refused(f"{path!r} is outside the workspace")
    return found


def existing(path: str, *suffixes: str) -> Path:
    """An existing file, of one of `suffixes` where some are given."""
    found = locate(path)
    if not found.is_file():
        raise Refused(f"there is no file {path!r}")
    return _suffixed(found, path, suffixes)


def fresh(path: str, *suffixes: str) -> Path:
    """A place for a new file."""
    found = locate(path)
    if found.exists():
        raise Refused(f"{path!r} exists already")
    found.parent.mkdir(parents=True, exist_ok=True)
    return _suffixed(found, path, suffixes)


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{file.name} is not a text file") from None


def write_text(file: Path, text: str) -> None:
    if len(text) > MOST_WRITTEN:
        raise Refused("that is more than a file may hold")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")


def load(path: str, empty: Any) -> Any:
    """The JSON of an app's own file; `empty` when there is none yet."""
    file = locate(path)
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else empty


def save(path: str, value: Any) -> None:
    write_text(locate(path), json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def relative(file: Path) -> str:
    return file.relative_to(ROOT.get().resolve()).as_posix()


def _suffixed(file: Path, path: str, suffixes: tuple[str, ...]) -> Path:
    if suffixes and file.suffix not in suffixes:
        raise Refused(f"{path!r} is not a {' or '.join(suffixes)} file")
    return file
