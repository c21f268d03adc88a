"""What a script is asked to write: nothing of the user's is lost by it.

A target that is an input of the same command, a link, a device or a pipe is refused. A file that is
there already is replaced when this tool wrote it; somebody else's only with --overwrite.
"""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from lab.cli.report import usage

TARGETS = ("html", "out", "keep_tasks", "markdown")
"""Arguments that name a file to be written; `out` names a folder in some scripts."""
HEAD = 4096
OURS = (
    b"prime-lab-trainer",
    b'"tool": "',
    b"by check_reward_distribution.py",
    b"# written by submit_training.py",
)
"""What the head of a file shows that this tool wrote: a page, a report, a list of tasks, a training
file."""


def check_targets(args: argparse.Namespace) -> None:
    """Raise a usage error (exit 2) for the first target that may not be written."""
    given = vars(args)
    for name in TARGETS:
        target = given.get(name)
        if isinstance(target, Path) and os.path.lexists(target) and not _folder(target):
            inputs = [
                path for other, value in given.items() if other != name for path in _paths(value)
            ]
            _check(target, "--" + name.replace("_", "-"), inputs, bool(given.get("overwrite")))


def _folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _paths(value: object) -> Iterator[Path]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, (str, Path)) and item and "\0" not in str(item):
            yield Path(item)


def _check(target: Path, flag: str, inputs: list[Path], overwrite: bool) -> None:
    kind = target.lstat().st_mode
    if stat.S_ISLNK(kind):
        raise _refused(f"{flag} {target} is a link", "name the file itself")
    if not stat.S_ISREG(kind):
        raise _refused(
            f"{flag} {target} is no file but a device, a pipe or a socket", "name a file"
        )
    for path in inputs:
        if path.exists() and path.samefile(target):
            raise _refused(f"{flag} {target} is an input of this command", "name another file")
    with target.open("rb") as file:
        head = file.read(HEAD)
    if head and not overwrite and not any(mark in head for mark in OURS):
        raise _refused(
            f"{flag} {target} is there already, and was not written by this tool",
            "name another file, or replace it with --overwrite",
        )


def _refused(message: str, fix: str):
    return usage(f"{message}; nothing was written", fix, id="input.target")
