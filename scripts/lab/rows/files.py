"""Bytes of a data file: plain, gzip or zstandard, told by the first bytes and not by the name."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lab.report import missing, usage

GZIP, ZSTD, PARQUET, ARROW = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"ARROW1"
OTHER_PACKING = {b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"7z\xbc\xaf": "7z"}
COMPRESSED = (".gz", ".zst", ".zstd")
FORMATS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".jsonlines": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
READABLE = "jsonl, json, csv, tsv, parquet, arrow (plain, .gz or .zst)"


def magic(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(8)
    except PermissionError:
        raise usage(f"{path} cannot be read: permission denied", f"allow it: chmod u+r {path}", id="input.unreadable") from None


def open_bytes(path: Path) -> BinaryIO:
    """`path` as decompressed bytes. Seekable only when it is not compressed."""
    start = magic(path)
    if start.startswith(GZIP):
        return gzip.open(path, "rb")  # type: ignore[return-value]
    if start.startswith(ZSTD):
        try:
            import zstandard
        except ImportError:
            raise missing(
                f"{path.name} is compressed with zstandard and the package for it is not installed",
                "pip install zstandard",
                id="needs.zstandard",
            ) from None
        return zstandard.ZstdDecompressor().stream_reader(path.open("rb"), read_across_frames=True, closefd=True)
    return path.open("rb")


def compressed(path: Path) -> bool:
    return magic(path).startswith((GZIP, ZSTD))


def chunks(path: Path, size: int = 1 << 20) -> Iterator[bytes]:
    """The decompressed bytes in pieces; a damaged archive is a usage error."""
    file = open_bytes(path)
    try:
        while True:
            try:
                piece = file.read(size)
            except (EOFError, zlib.error, OSError) as error:
                raise damaged(path, error) from None
            except Exception as error:  # zstandard's own error type, without importing it here
                if type(error).__name__ != "ZstdError":
                    raise
                raise damaged(path, error) from None
            if not piece:
                return
            yield piece
    finally:
        file.close()


def damaged(path: Path, error: object) -> Exception:
    return usage(
        f"{path} is damaged or cut off: {error}",
        "fetch or write the file again; nothing was read past the damage",
        id="input.damaged",
    )


def format_of(path: Path) -> str | None:
    """jsonl, json, csv, tsv, parquet or arrow: by magic bytes, then by the name; None if neither says."""
    start = magic(path)
    if start.startswith(PARQUET):
        return "parquet"
    if start.startswith(ARROW):
        return "arrow"
    for mark, name in OTHER_PACKING.items():
        if start.startswith(mark):
            raise usage(f"{path} is a {name} archive", f"unpack it first; readable are {READABLE}", id="input.format")
    return named_format(path.name) or _sniffed(path)


def named_format(name: str) -> str | None:
    lower = name.lower()
    for ending in COMPRESSED:
        lower = lower.removesuffix(ending)
    return FORMATS.get(Path(lower).suffix)


def _sniffed(path: Path) -> str | None:
    first = next(chunks(path, 4096), b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    if first.startswith(b"{"):
        return "jsonl"
    if first.startswith(b"["):
        return "json"
    return None
