"""`read`: files of any known layout into one `Rollouts`.

The layout is decided by what a line holds, never by the file's name. Each line is read on its
own: one that is torn, not UTF-8, or not a rollout is counted with its place, and the rest is
still used.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from lab.report import usage
from lab.rollouts import classic, samples, table, traces
from lab.rollouts.find import files_of, settings_of
from lab.rollouts.model import Rollouts
from lab.rollouts.row import Builder
from lab.rollouts.streams import lines, open_bytes
from lab.untrusted import excerpt

WHOLE_JSON = 512 << 20
"""Bytes of a JSON document over several lines that is still read (it is held in memory)."""
FIX_LAYOUT = "give traces.jsonl or results.jsonl of an evaluation, or say which columns a plain table has: --columns reward=score,task=idx"


def read(paths: Iterable[Path], columns: dict[str, str] | None = None) -> Rollouts:
    """All rollouts of `paths` (files or run folders), in file order.

    Raises a usage error when a path holds nothing that can be read as rollouts.
    """
    files = [file for path in paths for file in files_of(path)]
    builder = Builder("", files)
    layouts: Counter[str] = Counter()
    for number, file in enumerate(files):
        _file(file, number, builder, layouts, columns)
    if not layouts:
        _nothing(files, builder)
    settings = settings_of(files[0])
    if len(files) > 1:
        settings["files"] = len(files)
    builder.layout = " and ".join(name for name, _ in layouts.most_common())
    if guessed := getattr(builder, "guessed", None):
        settings["columns_guessed"] = guessed
    return builder.done(settings)


def _file(file: Path, number: int, builder: Builder, layouts: Counter[str], columns: dict[str, str] | None) -> None:
    if file.suffix in (".csv", ".tsv", ".parquet", ".arrow"):
        rows: Iterator[tuple[int, dict[str, Any], bytes]] = _flat(file)
    else:
        rows = _json_lines(file, builder)
    for offset, row, line in rows:
        _dispatch(row, line, number, offset, builder, layouts, columns)


def _dispatch(row: Any, line: bytes, number: int, offset: int, builder: Builder, layouts: Counter[str], columns: dict[str, str] | None) -> None:
    where = f"{builder.files[number].name}@{offset}"
    if isinstance(row, list):
        for item in row:
            _dispatch(item, line, number, offset, builder, layouts, columns)
    elif not isinstance(row, dict):
        builder.problem("not_an_object", where)
    elif columns is not None:
        if not layouts:
            table.check_columns(columns, row)
        layouts["table"] += 1
        for item in table.read(row, columns, offset):
            builder.add(item, number, offset)
    elif traces.recognises(row):
        layouts["traces"] += 1
        for item in traces.read(row):
            if item.problem == "seat_not_trained":
                builder.problem(item.problem, where)
            else:
                builder.add(item, number, offset)
    elif samples.recognises(row):
        layouts["samples"] += 1
        for item in row.get("samples", [row]):
            if isinstance(item, dict):
                builder.add(samples.read(item), number, offset)
    elif classic.recognises(row):
        layouts["classic"] += 1
        builder.add(classic.read(row, line), number, offset)
    elif guessed := table.guess(row):
        layouts["table"] += 1
        builder.guessed = guessed  # type: ignore[attr-defined]
        for item in table.read(row, guessed, offset):
            builder.add(item, number, offset)
    else:
        builder.problem("not_a_rollout", where)


def _json_lines(file: Path, builder: Builder) -> Iterator[tuple[int, Any, bytes]]:
    """Decoded lines; a document over several lines is decoded whole."""
    first = True
    bad: Counter[str] = Counter()
    for offset, line in lines(file, bad):
        try:
            row = decode(line)
        except ValueError as error:
            if first and line.strip() in (b"{", b"[", b"[{") and (documents := _documents(file)):
                yield from ((0, document, b"") for document in documents)
                return
            kind = "line_torn" if not line.endswith(b"\n") else "line_not_json"
            if isinstance(error, UnicodeDecodeError):
                kind = "line_not_utf8"
            builder.problem(kind, f"{file.name}@{offset}")
            continue
        finally:
            first = False
        yield offset, row, line
    for kind, count in bad.items():
        builder.problems[kind] += count
        builder.examples.setdefault(kind, file.name)


def decode(line: bytes) -> Any:
    """One JSON value: msgspec where it accepts the line, else the standard library, which also
    takes NaN, infinities, lone surrogates and huge integers. ValueError if neither does."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            return json.loads(line)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def _documents(file: Path) -> list[Any]:
    """JSON documents one after another, each over any number of lines; empty if they are not."""
    with open_bytes(file) as stream:
        text = stream.read(WHOLE_JSON + 1)
    if len(text) > WHOLE_JSON:
        return []
    decoder, at, out = json.JSONDecoder(), 0, []
    try:
        string = text.decode("utf-8-sig")
        while at < len(string):
            if string[at].isspace():
                at += 1
                continue
            value, at = decoder.raw_decode(string, at)
            out.append(value)
    except ValueError:
        return []
    return out


def _flat(file: Path) -> Iterator[tuple[int, dict[str, Any], bytes]]:
    """The rows of a csv, tsv, parquet or arrow table, as dictionaries."""
    import csv

    if file.suffix in (".parquet", ".arrow"):
        import pyarrow as pa
        import pyarrow.dataset as ds

        try:
            batches = ds.dataset(str(file), format=file.suffix[1:]).to_batches()
            index = 0
            for batch in batches:
                for row in batch.to_pylist():
                    yield index, row, b""
                    index += 1
        except pa.ArrowInvalid as error:
            raise usage(f"{file} cannot be read as {file.suffix[1:]}: {excerpt(error)}", "check how the file was written", id="input.invalid_table") from None
        return
    csv.field_size_limit(1 << 30)
    with file.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
        for index, row in enumerate(csv.DictReader(stream, delimiter="\t" if file.suffix == ".tsv" else ",")):
            yield index, {k: v for k, v in row.items() if k is not None}, b""


def _nothing(files: list[Path], builder: Builder) -> None:
    names = ", ".join(str(f) for f in files[:3])
    if sum(f.stat().st_size for f in files) == 0:
        raise usage(f"{names} is empty", "run the evaluation again, it wrote no rollout", id="input.empty")
    seen = ", ".join(f"{kind} {count}" for kind, count in builder.problems.most_common())
    raise usage(f"no rollout could be read from {names} ({seen or 'no lines'})", FIX_LAYOUT, id="input.no_rollouts")
