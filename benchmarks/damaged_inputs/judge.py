"""What went wrong with one input, if anything: pure judgement of what a run left behind."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 60.0
BYTES = 2 << 30
BROKEN = ("environment.", "ledger.key")
"""Errors that are rightly 3: the environment, or the key of the records, is needed and broken."""
CODES = {"pass": 0, "warn": 0, "rehearsed": 0, "fail": 1, "inconclusive": 4}


@dataclass(frozen=True)
class Ended:
    """What a script left behind. `code` is None where the process died or was ended."""

    code: int | None
    out: str
    err: str
    seconds: float
    bytes: int


def faults(
    ended: Ended, folder: Path, files: dict[str, bytes], allowed: tuple[str, ...]
) -> list[str]:
    """Everything that is wrong, in words; empty when nothing is."""
    if ended.code is None:
        return [ended.err]
    found = []
    if "Traceback (most recent" in ended.out + ended.err:
        found.append(f"traceback: {(ended.out + ended.err).strip().splitlines()[-1]}")
    if ended.seconds > SECONDS:
        found.append(f"too long: {ended.seconds:.0f} s")
    if ended.bytes > BYTES:
        found.append(f"too much memory: {ended.bytes >> 20} MB")
    return [*found, *_code(ended), *_files(folder, files, allowed)]


def _code(ended: Ended) -> list[str]:
    """The exit code is the report's, and the input's fault is not called the script's."""
    try:
        report = json.loads(ended.out)
    except ValueError as error:
        return [f"exit code: no report ({error})"]
    errors = report["findings"][-1:]
    if report["verdict"] != "error":
        expected = CODES.get(report["verdict"])
        return (
            [] if expected == ended.code else [f"exit code: {report['verdict']} and {ended.code}"]
        )
    if ended.code != 2 and not all(f["id"].startswith(BROKEN) for f in errors):
        return [f"exit code: {ended.code} for an input, {_words(errors)}"]
    return []


def _words(findings: list[dict[str, Any]]) -> str:
    return "; ".join(f"{f['id']}: {str(f.get('evidence'))[:160]}" for f in findings)


def _files(folder: Path, files: dict[str, bytes], allowed: tuple[str, ...]) -> list[str]:
    """Inputs as they were, nothing besides what was asked for, and that whole."""
    found = []
    for name, data in files.items():
        if name not in allowed and not name.startswith("state/"):
            path = folder / name
            if not path.is_file() or path.read_bytes() != data:
                found.append(f"changed input: {name}")
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or name in files:
            continue
        if not name.startswith(("state/", *allowed)) or path.name.startswith("."):
            found.append(f"left behind: {name}")
        elif why := _half_written(path):
            found.append(f"half-written: {name}: {why}")
    return found


def _half_written(path: Path) -> str:
    data = path.read_bytes()
    try:
        if path.suffix == ".json":
            json.loads(data)
        elif path.suffix == ".jsonl":
            [json.loads(line) for line in data.splitlines()]
        elif path.suffix == ".toml":
            tomllib.loads(data.decode())
        elif path.suffix == ".parquet":
            import pyarrow.parquet as pq

            pq.read_table(path)
        elif path.suffix == ".html" and not data.rstrip().endswith(b"</html>"):
            return "no end"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    return ""
