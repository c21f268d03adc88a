"""What a script prints reaches its reader or does not, and either way the exit code is kept.

Standard streams may be closed, full, or read by somebody who went away. `opened` makes sure that
there is something under each of them, so that no other file takes its number.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import IO


def opened() -> None:
    """Put /dev/null under every standard stream that was closed."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number is this one
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def say(text: str, end: str = "\n") -> str:
    """Print `text` on stdout. Returns why it did not arrive; empty when it did, or when whoever
    read it went away (head, a closed pane): that is no failure."""
    try:
        print(text, end=end, flush=True)
    except BrokenPipeError:
        _nowhere(sys.stdout)
    except (OSError, ValueError) as error:
        _nowhere(sys.stdout)
        return str(getattr(error, "strerror", "") or error)
    return ""


def note(text: str, end: str = "\n") -> None:
    """Print `text` on stderr, if it can be; what is printed there is no result."""
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _nowhere(sys.stderr)


def _nowhere(stream: IO[str]) -> None:
    """What is still in the buffer must not fail again when the interpreter ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
