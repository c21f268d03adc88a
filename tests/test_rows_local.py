"""Local data of every format opens lazily, with its splits, counts and problems."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from lab.cli.report import LabError
from lab.data.rows import open_table, records
from lab.data.rows.splits import choose, held_out_name, split_of

ROWS = [
    {"question": f"What is {i} plus {i}?", "answer": str(2 * i), "tags": ["a", "b"]}
    for i in range(50)
]


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """`rows` in the format that the name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.name
    table = pa.Table.from_pylist(rows)
    if name.endswith(".parquet"):
        pq.write_table(table, path, row_group_size=20)
    elif name.endswith(".arrow"):
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=20)
    elif name.endswith(".feather"):
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    elif name.endswith(".json"):
        path.write_text(json.dumps(rows))
    elif ".csv" in name or ".tsv" in name:
        mark = "\t" if ".tsv" in name else ","
        raw = (
            mark.join(["question", "answer"])
            + "\n"
            + "".join(f"{row['question']}{mark}{row['answer']}\n" for row in rows)
        ).encode()
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    else:
        raw = lines(rows)
        path.write_bytes(
            gzip.compress(raw)
            if name.endswith(".gz")
            else zstandard.ZstdCompressor().compress(raw)
            if name.endswith(".zst")
            else raw
        )
    return path


NAMES = [
    "rows.jsonl",
    "rows.ndjson",
    "rows.jsonl.gz",
    "rows.jsonl.zst",
    "rows.json",
    "rows.csv",
    "rows.csv.gz",
    "rows.tsv",
    "rows.parquet",
    "rows.arrow",
    "rows.feather",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, ROWS)
    table = open_table(str(path), head=10)
    assert [(row["question"], row["answer"]) for row in table.head] == [
        (row["question"], row["answer"]) for row in ROWS[:10]
    ]
    assert table.rows in (50, None)
    assert list(table.columns)[:2] == ["question", "answer"]
    assert [row["answer"] for row in records(str(path))] == [row["answer"] for row in ROWS]
    assert len(table.spread(20)) == 20
    assert [row["answer"] for row in table.spread(1000)] == [row["answer"] for row in ROWS]


@pytest.mark.parametrize("name", NAMES)
def test_reading_goes_on_where_it_stopped(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("jsonlines", "sequential", "columnar"):
        monkeypatch.setattr(f"lab.data.rows.{module}.BATCH", 7)
    reader = open_table(str(write(tmp_path / name, ROWS)), head=1).readers[0]
    read: list[str] = []
    batches = reader.batches(["answer"])
    for _ in range(3):
        read += [row["answer"] for row in next(batches)]
    again = open_table(str(tmp_path / name), head=1).readers[0]
    for batch in again.batches(["answer"], start=reader.position):
        read += [row["answer"] for row in batch]
    assert read == [row["answer"] for row in ROWS]


def test_the_name_does_not_decide_the_format(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "rows.data")
    assert open_table(str(tmp_path / "rows.data")).format == "parquet"
    (tmp_path / "rows.json").write_bytes(lines(ROWS))
    assert open_table(str(tmp_path / "rows.json")).format == "jsonl"


@pytest.mark.parametrize(
    ("document", "count"),
    [
        ({"version": 1, "data": ROWS}, 50),
        ({"question": ["a", "b"], "answer": ["x", "y"]}, 2),
        ({"q1": {"question": "a", "answer": "x"}, "q2": {"question": "b", "answer": "y"}}, 2),
        ([[{"from": "human", "value": "a"}, {"from": "assistant", "value": "b"}]], 1),
    ],
)
def test_json_documents_of_every_shape_give_rows(
    tmp_path: Path, document: object, count: int
) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(document))
    table = open_table(str(path))
    assert table.rows == count
    assert len(table.head) == count


def test_an_object_of_lists_holds_splits(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"train": ROWS[:30], "test": ROWS[30:]}))
    assert open_table(str(path)).splits == {"train": 30, "test": 20}
    assert open_table(str(path), split="test").rows == 20


def test_a_folder_gives_its_splits(tmp_path: Path) -> None:
    write(tmp_path / "data" / "train-00000-of-00002.parquet", ROWS[:20])
    write(tmp_path / "data" / "train-00001-of-00002.parquet", ROWS[20:40])
    write(tmp_path / "data" / "validation-00000-of-00001.parquet", ROWS[40:])
    (tmp_path / "README.md").write_text("about")
    table = open_table(str(tmp_path))
    assert (table.split, table.rows, table.splits) == ("train", 40, {"train": 40, "validation": 10})
    assert choose(table.splits) == ("train", "validation")
    with pytest.raises(LabError, match="no split 'dev'") as error:
        open_table(str(tmp_path), split="dev")
    assert "train, validation" in error.value.fix
    assert error.value.code == 2


def test_a_glob_takes_the_files_that_match(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", ROWS[:20])
    write(tmp_path / "b.jsonl", ROWS[20:])
    assert open_table(f"{tmp_path}/*.jsonl").rows == 50


def test_save_to_disk_folders_open_with_their_class_names(tmp_path: Path) -> None:
    from datasets import ClassLabel, Dataset, DatasetDict, Features, Value, disable_progress_bars

    disable_progress_bars()
    features = Features({"text": Value("string"), "label": ClassLabel(names=["neg", "pos"])})
    whole = Dataset.from_dict(
        {"text": ["good film", "bad film"], "label": [1, 0]}, features=features
    )
    DatasetDict({"train": whole, "test": whole}).save_to_disk(tmp_path / "saved")
    table = open_table(str(tmp_path / "saved"))
    assert table.names == {"label": ["neg", "pos"]}
    assert table.splits == {"train": 2, "test": 2}
    whole.save_to_disk(tmp_path / "one")
    assert open_table(str(tmp_path / "one")).rows == 2
    whole.to_parquet(tmp_path / "rows.parquet")
    assert open_table(str(tmp_path / "rows.parquet")).names == {"label": ["neg", "pos"]}


def test_bad_lines_are_counted_and_a_torn_one_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines(ROWS[:3]) + b"not json\n" + lines(ROWS[3:5]) + b'{"question": "to')
    table = open_table(str(path))
    assert len(table.head) == table.rows == 5
    assert {problem.kind: problem.count for problem in table.problems} == {
        "bad_line": 1,
        "torn_line": 1,
    }
    assert next(p.detail for p in table.problems if p.kind == "bad_line").startswith(
        "first at line 4:"
    )


def test_a_torn_last_line_is_seen_without_reading_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines(ROWS) + b'{"question": "to')
    table = open_table(str(path), head=2)
    assert table.rows == 50
    assert [problem.kind for problem in table.problems] == ["torn_line"]


def test_files_with_other_columns_are_named(tmp_path: Path) -> None:
    write(tmp_path / "train-1.parquet", ROWS[:5])
    write(tmp_path / "train-2.parquet", [{"other": 1}])
    assert [problem.kind for problem in open_table(str(tmp_path)).problems] == ["mixed_schema"]


BAD: list[tuple[str, bytes, str]] = [
    ("empty.jsonl", b"", "is empty"),
    ("blank.jsonl", b"\n\n", "no rows"),
    ("latin.jsonl", '{"question": "caf\u00e9", "answer": "1"}\n'.encode("latin-1"), "not UTF-8"),
    ("utf16.jsonl", '{"question": "a", "answer": "1"}\n'.encode("utf-16"), "not UTF-8"),
    ("latin.csv", "question,answer\ncaf\u00e9,1\n".encode("latin-1"), "not UTF-8"),
    ("prose.jsonl", b"this is no json\n", "no line that is JSON"),
    ("rows.parquet", b"PAR1 not really", "damaged"),
    ("rows.zip", b"PK\x03\x04....", "zip archive"),
    ("rows.xyz", b"something", "no known format"),
    ("rows.jsonl.gz", gzip.compress(lines(ROWS))[:60], "damaged or cut off"),
    ("rows.json", b'[{"a": 1}, {"a"', ""),
    ("header.csv", b"question,answer\n", "no rows"),
]


@pytest.mark.parametrize(("name", "raw", "message"), BAD, ids=[name for name, _, _ in BAD])
def test_files_that_cannot_be_used_say_why(
    tmp_path: Path, name: str, raw: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    if not message:
        assert open_table(str(path)).problems[0].kind == "torn_line"
        return
    with pytest.raises(LabError, match=message) as error:
        open_table(str(path))
    assert error.value.code == 2
    assert error.value.fix


def test_missing_paths_and_empty_folders_say_so(tmp_path: Path) -> None:
    for name, message in (
        (tmp_path / "none.jsonl", "does not exist"),
        (tmp_path, "no data files"),
        (f"{tmp_path}/*.csv", "no file matches"),
    ):
        with pytest.raises(LabError, match=message) as error:
            open_table(str(name))
        assert error.value.code == 2


def test_a_huge_row_is_passed_over_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.data.rows.jsonlines.LONGEST_LINE", 1 << 20)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(
        lines(ROWS[:2]) + b'{"question": "' + b"x" * (3 << 20) + b'"}\n' + lines(ROWS[2:4])
    )
    table = open_table(str(path))
    assert [row["answer"] for row in table.head] == ["0", "2", "4", "6"]
    assert [(problem.kind, problem.count) for problem in table.problems] == [("oversized_row", 1)]


def test_ten_thousand_columns_open(tmp_path: Path) -> None:
    pq.write_table(pa.table({f"c{i}": [1, 2] for i in range(10_000)}), tmp_path / "wide.parquet")
    assert len(open_table(str(tmp_path / "wide.parquet")).columns) == 2000


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train-00000-of-00003.parquet", "train"),
        ("data/gsm_test.jsonl", "test"),
        ("dev/part.csv", "validation"),
        ("train_r1-00000-of-00001.parquet", "train_r1"),
        ("contest.jsonl", None),
        ("training_data.json", "train"),
        ("validate.jsonl", None),
    ],
)
def test_files_belong_to_the_split_that_their_name_says(name: str, split: str | None) -> None:
    assert split_of(name) == split


def test_the_split_to_train_on_and_the_one_to_hold_out() -> None:
    assert choose({"test": 10, "train": 100, "validation": 5}) == ("train", "validation")
    assert choose({"test": 12032, "validation": 70}) == ("test", "validation")
    assert choose({"train_prefs": 100, "test_prefs": 10, "train_sft": 100, "test_sft": 10}) == (
        "train_prefs",
        "test_prefs",
    )
    assert choose(
        {"train_r1": 1, "dev_r1": 1, "test_r1": 1, "train_r2": 2, "dev_r2": 1, "test_r2": 1}
    ) == ("train_r2", "dev_r2")
    assert choose({"train": 30}) == ("train", None)
    assert held_out_name("gsm8k_test.jsonl")
    assert not held_out_name("latest.jsonl")
