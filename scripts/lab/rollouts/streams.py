"""Files of lines as bytes, whatever they are packed in, in bounded memory.

Compression is recognised by the first bytes (gzip, zstd), never by the file's name.
`lines` yields `(offset, line)`; offsets count decompressed bytes, so that `line_at` finds the
text of one rollout again.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lab.report import missing, usage

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
LONGEST_LINE = 256 << 20
"""Bytes; a longer line is counted and skipped instead of being held in memory."""
BLOCK = 1 << 20


def packing(path: Path) -> str:
    """`plain`, `gzip` or `zstd`, by the file's first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(4)
    except OSError as error:
        raise usage(f"{path} cannot be read: {error.strerror}", "check the path and its permissions", id="input.unreadable") from None
    if head.startswith(GZIP):
        return "gzip"
    return "zstd" if head == ZSTD else "plain"


def open_bytes(path: Path) -> BinaryIO:
    """The decompressed bytes of `path`."""
    kind = packing(path)
    if kind == "gzip":
        return gzip.open(path, "rb")
    if kind == "zstd":
        try:
            import zstandard
        except ModuleNotFoundError:
            raise missing(f"{path} is zstd-compressed and the zstandard package is not installed", "pip install zstandard, or unpack it with: zstd -d FILE") from None
        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(path.open("rb"), read_across_frames=True, closefd=True), BLOCK)
    return path.open("rb", buffering=BLOCK)


def lines(path: Path, problems: dict[str, int] | None = None) -> Iterator[tuple[int, bytes]]:
    """`(offset, line)` for every non-blank line. A damaged archive ends the file where it
    breaks; that and over-long lines are counted in `problems`."""
    problems = {} if problems is None else problems
    offset = 0
    with open_bytes(path) as file:
        while True:
            try:
                line = file.readline(LONGEST_LINE)
            except (OSError, EOFError, ValueError, *_zstd_errors()):
                problems["archive_torn"] = problems.get("archive_torn", 0) + 1
                return
            if not line:
                return
            start, offset = offset, offset + len(line)
            if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
                while (rest := file.readline(BLOCK)) and not rest.endswith(b"\n"):
                    offset += len(rest)
                offset += len(rest)
                problems["line_too_long"] = problems.get("line_too_long", 0) + 1
                continue
            if start == 0 and line.startswith(b"\xef\xbb\xbf"):
                line = line[3:]
            if line.strip():
                yield start, line


def line_at(file: BinaryIO, offset: int) -> bytes:
    """The line that starts at `offset` of an open stream of decompressed bytes."""
    file.seek(offset)
    line = file.readline(LONGEST_LINE)
    return line[3:] if offset == 0 and line.startswith(b"\xef\xbb\xbf") else line


def _zstd_errors() -> tuple[type[BaseException], ...]:
    try:
        from zstandard import ZstdError
    except ModuleNotFoundError:
        return ()
    return (ZstdError,)
