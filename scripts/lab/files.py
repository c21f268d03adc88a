"""Files whole or not at all: written beside their place and renamed, read with clear errors."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from lab.report import usage


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8: a temporary file in the same folder, then a rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def json_object(path: Path) -> dict[str, Any]:
    """The JSON object in `path`; empty where the file is missing, damaged or holds something else."""
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def read_json(path: Path, what: str, fix: str) -> Any:
    """The JSON in `path`; `what` names the file in errors (exit 2), `fix` says how to get one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise usage(f"{what} {path} does not exist", fix, id="input.missing_file") from None
    except IsADirectoryError:
        raise usage(f"{what} {path} is a directory, expected a file", fix, id="input.not_a_file") from None
    except PermissionError:
        raise usage(f"{what} {path} cannot be read: permission denied", fix, id="input.unreadable") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise usage(f"{what} {path} is not valid JSON: {error}", fix, id="input.invalid_json") from None
