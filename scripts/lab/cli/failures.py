"""An exception that nobody expected, as one message, one fix and one exit code.

What the machine or the input did is not called a defect of the script: a full disk, a folder
without permission, input that is nested without end, a path that leads through a file.
"""

from __future__ import annotations

import errno
import os
import re
import shutil

from lab.cli.report import LabError, missing, usage

FIXES = {
    errno.ENOSPC: "make room on that disk, then run it again",
    errno.EDQUOT: "make room within your quota, then run it again",
    errno.EROFS: "name a folder that can be written to, or work in another one",
    errno.EACCES: "give yourself permission for it, or name another place",
    errno.EPERM: "give yourself permission for it, or name another place",
    errno.EMFILE: "raise the limit of open files (ulimit -n), then run it again",
    errno.ENOMEM: "give it more memory, or a smaller input",
}
NO_PLACE = {
    errno.ENAMETOOLONG: "use a shorter name",
    errno.ENOTDIR: "name a place whose folders are folders",
    errno.EEXIST: "name a place whose folders are folders",
    errno.EISDIR: "name a file",
    errno.EINVAL: "name a file",
}
"""What was named cannot be a file that is read or written: the input's fault."""


def explained(error: Exception) -> LabError:
    """The error of a step that `error` amounts to."""
    if isinstance(error, shutil.Error):
        error = _first_of(error)
    if isinstance(error, OSError) and error.errno is not None:
        return _of_files(error)
    if isinstance(error, MemoryError):
        return missing(
            "there was not enough memory",
            "give it more memory, or a smaller input",
            id="run.memory",
        )
    if isinstance(error, RecursionError):
        return usage(
            "something in the input is nested too deeply to be read",
            "look for a value with hundreds of brackets in one another, and take it out",
            id="input.too_deep",
        )
    if isinstance(error, UnicodeEncodeError):
        return usage(
            f"the input has a character that is no text: {error.object[error.start]!r} (a lone "
            "surrogate)",
            "take it out, or read and write the file with errors='replace'",
            id="input.surrogate",
        )
    if isinstance(error, OverflowError):
        return usage(
            f"a number in the input is too large: {error}",
            "keep numbers within what a float holds, about 1e308",
            id="input.number",
        )
    return missing(
        f"{type(error).__name__}: {error}",
        "this is a defect of the script: PRIME_LAB_DEBUG=1 gives the traceback; report it",
        id="run.crashed",
    )


def _first_of(error: shutil.Error) -> OSError:
    """The first of the errors of a folder that was copied; they come as text."""
    number = re.search(r"\[Errno (\d+)\]", str(error))
    if not number:
        return error
    return OSError(int(number[1]), os.strerror(int(number[1])), _place(error))


def _place(error: shutil.Error) -> str | None:
    """Where the copy was to lie."""
    listed = error.args[0] if error.args else None
    first = listed[0] if isinstance(listed, list) and listed else None
    return str(first[1]) if isinstance(first, tuple) and len(first) > 1 else None


def _of_files(error: OSError) -> LabError:
    named = f": {error.filename}" if error.filename else ""
    if fix := NO_PLACE.get(error.errno or 0):
        return usage(f"{error.strerror}{named}", fix, id="input.files")
    return missing(
        f"{error.strerror}{named}",
        FIXES.get(error.errno or 0, "see that it is there and can be used, then run it again"),
        id="run.files",
    )
