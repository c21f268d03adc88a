"""Damaged and hostile inputs: a report that blames the input, and nothing half-written."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from benchmarks.damaged_inputs.inputs import Input
from benchmarks.damaged_inputs.judge import Ended, faults
from benchmarks.damaged_inputs.run import results
from run_script import run_script

FIXED, ALL = 500, 10_000
"""The first of them at every run of the tests; the long walk makes all."""
MET_LATER = (527, 679, 704, 1100, 1161, 1804, 2088, 2622, 2699, 3080, 3683, 4989, 5441, 7024)
"""Inputs beyond the fixed ones that a script once ended wrongly on."""
PARTS = 10
"""The long walk is in parts, so that several workers share it."""


def faults_of(numbers: Iterable[int]) -> list[str]:
    return [
        f"{number} {given.script} {' '.join(given.words)}: {fault}"
        for number, given, _, found in results(numbers)
        for fault in found
    ]


@pytest.mark.long
def test_damaged_inputs_are_refused_or_read_and_nothing_else():
    assert faults_of([*range(FIXED), *MET_LATER]) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_damaged_inputs(part):
    assert faults_of(range(ALL)[part::PARTS]) == []


REPORT = '{"verdict": "pass", "findings": []}'


@pytest.mark.parametrize(
    ("ended", "left", "said"),
    [
        (Ended(0, REPORT, "", 1, 1), {}, []),
        (Ended(1, REPORT, "", 1, 1), {}, ["exit code: pass and 1"]),
        (Ended(0, REPORT, "", 61, 1), {}, ["too long: 61 s"]),
        (Ended(0, REPORT, "", 1, 3 << 30), {}, ["too much memory: 3072 MB"]),
        (Ended(None, "", "died: -11", 1, 0), {}, ["died: -11"]),
        (Ended(0, REPORT, "", 1, 1), {".out.json.x1": "{"}, ["left behind: .out.json.x1"]),
        (Ended(0, REPORT, "", 1, 1), {"rows": "changed"}, ["changed input: rows"]),
    ],
)
def test_each_kind_of_fault_is_seen(tmp_path, ended, left, said):
    for name, text in {"rows": "as given", **left}.items():
        (tmp_path / name).write_text(text)
    assert faults(ended, tmp_path, {"rows": b"as given"}, ("out.json",)) == said


def dictionary(values: pa.Array) -> pa.DictionaryArray:
    """A hundred times the first of `values`, which is written once."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), values)


def unpacking_without_end() -> dict[str, bytes]:
    """Small files that say much: blanks, line breaks, and one long value a hundred times."""
    long = dictionary(pa.array(["x" * (42 << 20)]))
    messages = pa.ListArray.from_arrays(
        pa.array(range(101), pa.int32()), pa.StructArray.from_arrays([long], names=["content"])
    )
    files = {
        "newlines.jsonl.gz": gzip.compress(b"\n" * (300 << 20), 1),
        "newlines.csv.gz": gzip.compress(b"\n" * (300 << 20), 1),
        "blanks.json.zst": zstandard.compress(b" " * (300 << 20)),
    }
    for name, column in (("long", long), ("nested", messages)):
        sink = io.BytesIO()
        table = pa.table({"question": column, "answer": list(map(str, range(100)))})
        pq.write_table(table, sink, compression="zstd")
        files[f"{name}.parquet"] = sink.getvalue()
    return files


@pytest.mark.long
def test_a_small_file_that_unpacks_without_end_is_refused(tmp_path):
    given = [
        Input("inspect_dataset", (name,), {name: data})
        for name, data in unpacking_without_end().items()
    ]
    assert all(len(data) < 2 << 20 for one in given for data in one.files.values())
    for _, one, ended, found in results(range(len(given)), make=given.__getitem__):
        assert not found and ended.code == 2, (one.words, found)
        assert "input.too_large" in ended.out and ended.bytes < 1 << 30


def test_a_dictionary_of_ordinary_texts_is_read(tmp_path):
    table = pa.table(
        {
            "question": dictionary(pa.array(["How many are 2 and 3?" * 40])),
            "answer": [str(n) for n in range(100)],
        }
    )
    pq.write_table(table, tmp_path / "rows.parquet")
    assert run_script("inspect_dataset", "rows.parquet", "--json", cwd=tmp_path).code != 2
