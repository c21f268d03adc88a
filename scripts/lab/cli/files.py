"""Files whole or not at all: written beside their place and renamed, read with clear errors.

What is read here is bounded: a plain file of at most `LARGEST` bytes, and JSON and TOML that are
not nested deeper than Python can follow. A pipe is not waited for, and a device is not read.
"""

from __future__ import annotations

import errno
import fcntl
import glob
import json
import os
import stat
import tempfile
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

from lab.cli.report import usage

LARGEST = 256 << 20
"""Bytes of a file that is read as a whole."""
LARGEST_SETTINGS = 16 << 20
"""Bytes of a file that a person writes."""

UNFINISHED = ".unfinished-"
"""In the name of what is being written; with a lock, so that what a killed process left is known
and removed by the next one that writes the same file."""
NAME_LENGTH = 80


class NotPlain(OSError):
    """What was named is a pipe, a device or a socket, or it is larger than may be read."""


def write_whole(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Write `text` to `path` as UTF-8: a temporary file in the same folder, then a rename.

    A link stays a link: its target is written. Raises `NotPlain` for a device, a pipe or a socket;
    every OSError names `path`, and folders that were made for it are gone.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        kind = errno.EISDIR if path.is_dir() else errno.EINVAL
        raise NotPlain(kind, "it is a folder, a pipe or a device, and no file", str(path))
    new = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, text, mode)
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename = str(path)
        for folder in new:
            with suppress(OSError):  # it is not there, or somebody uses it already
                folder.rmdir()
        raise


def _write(path: Path, text: str, mode: int) -> None:
    handle, name = _beside(path)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            Path(name).chmod(mode & ~_umask())
            # Still locked: closed first, it would look left behind to another writer.
            Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _beside(path: Path) -> tuple[int, str]:
    """A new file beside `path`, locked: the open file and its name."""
    prefix = f".{path.name[:NAME_LENGTH]}{UNFINISHED}"
    for left in path.parent.glob(f"{glob.escape(prefix)}*"):
        with suppress(OSError):
            other = os.open(left, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
            finally:
                os.close(other)
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix)
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(handle).st_nlink:
                return handle, name
        os.close(handle)  # another process took it for one that was left behind


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_plain(path: Path, most: int = LARGEST) -> bytes:
    """The bytes of a plain file. Raises OSError: `NotPlain` for what is none or is too large."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        kind = os.fstat(handle).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise NotPlain(errno.EINVAL, "it is a pipe, a device or a socket", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        limit = f"{most >> 20} MB" if most >> 20 else f"{most} bytes"
        raise NotPlain(errno.EFBIG, f"it is larger than {limit}", str(path))
    return data


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError, also where it is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_toml(text: str | bytes) -> dict[str, Any]:
    """The table of a TOML text. Raises ValueError, also where it is nested too deeply."""
    try:
        return tomllib.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def json_object(path: Path) -> dict[str, Any]:
    """The JSON object in `path`; empty where the file is missing, damaged or something else."""
    with suppress(OSError, ValueError):
        found = parse_json(read_plain(path))
        return found if isinstance(found, dict) else {}
    return {}


def read_json(path: Path, what: str, fix: str) -> Any:
    """The JSON in `path`; `what` names the file in errors (exit 2), `fix` says how to get one."""
    try:
        return parse_json(read_plain(path))
    except FileNotFoundError:
        raise usage(f"{what} {path} does not exist", fix, id="input.missing_file") from None
    except IsADirectoryError:
        raise usage(
            f"{what} {path} is a directory, expected a file", fix, id="input.not_a_file"
        ) from None
    except PermissionError:
        raise usage(
            f"{what} {path} cannot be read: permission denied", fix, id="input.unreadable"
        ) from None
    except NotPlain as error:
        raise usage(
            f"{what} {path} cannot be read: {error.strerror}", fix, id="input.not_a_file"
        ) from None
    except OSError as error:
        raise usage(
            f"{what} {path} cannot be read: {error.strerror}", fix, id="input.unreadable"
        ) from None
    except ValueError as error:
        raise usage(
            f"{what} {path} is not valid JSON: {error}", fix, id="input.invalid_json"
        ) from None
