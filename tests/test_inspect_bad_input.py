"""inspect_dataset.py on wrong input: one clear message, or the rest is used."""

from __future__ import annotations

import csv
import io
import json
import signal
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspect_dataset import COMMAND

SOURCE = [
    {"question": f"What is {i} plus {i + 1}, and how do you know?", "answer": str(2 * i + 1)}
    for i in range(60)
]


def inspected(path: Path, *flags: str) -> tuple[int, dict]:
    out, handlers = (
        io.StringIO(),
        [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)],
    )
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = COMMAND.run([str(path), "--json", "--quiet", *flags])
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers, (
        "a script run in this process left its own behind"
    )
    return code, json.loads(out.getvalue())


def status(report: dict, id: str) -> str:
    return next(finding["status"] for finding in report["findings"] if finding["id"] == id)


def found(report: dict) -> tuple[str | None, str | None]:
    return report["facts"]["prompt_field"], report["facts"]["answer_field"]


def test_quoted_line_breaks_in_a_csv_are_part_of_the_cell(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "answer"])
        writer.writerows(
            [f'First line, "quoted"\nsecond line\r\n{row["question"]}', row["answer"]]
            for row in SOURCE
        )
    code, report = inspected(path)
    assert (code, report["facts"]["rows"], found(report)) == (0, 60, ("question", "answer"))
    assert "second line" in report["facts"]["questions"][0]


def test_files_of_one_split_with_other_columns_are_named(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(SOURCE), tmp_path / "train-0.parquet")
    pq.write_table(pa.table({"text": ["a", "b"], "score": [1, 2]}), tmp_path / "train-1.parquet")
    _, report = inspected(tmp_path)
    finding = next(
        finding for finding in report["findings"] if finding["id"] == "data.mixed_schema"
    )
    assert finding["status"] == "warn"
    assert "train-1.parquet" in finding["evidence"]
    assert found(report) == ("question", "answer")


def test_columns_of_nulls_at_any_depth_are_no_fields(tmp_path: Path) -> None:
    path = tmp_path / "nulls.parquet"
    nothing = pa.array([[None, {"a": None}], None] * 30, pa.list_(pa.struct([("a", pa.null())])))
    pq.write_table(
        pa.Table.from_pylist(SOURCE)
        .append_column("prompt", pa.nulls(60))
        .append_column("ground_truth", nothing),
        path,
    )
    code, report = inspected(path)
    assert (code, found(report)) == (0, ("question", "answer"))


@pytest.mark.long
def test_telling_columns_are_found_among_ten_thousand(tmp_path: Path) -> None:
    wide = pa.table({f"feature_{i}": [float(i)] * 60 for i in range(10_000)})
    for name in ("question", "answer"):
        wide = wide.append_column(name, pa.array([row[name] for row in SOURCE]))
    pq.write_table(wide, tmp_path / "wide.parquet")
    code, report = inspected(tmp_path / "wide.parquet")
    assert (code, found(report)) == (0, ("question", "answer"))


def test_pictures_and_bytes_are_neither_prompt_nor_gold(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(SOURCE)
    table = table.add_column(
        0, "image", pa.array([{"bytes": b"\x89PNG\r\n" + bytes(900), "path": "a.png"}] * 60)
    )
    pq.write_table(
        table.add_column(0, "payload", pa.array([bytes(range(256))] * 60)),
        tmp_path / "media.parquet",
    )
    code, report = inspected(tmp_path / "media.parquet")
    assert (code, found(report)) == (0, ("question", "answer"))
    assert "\\x89" not in json.dumps(report)


def test_no_rows_is_a_usage_error(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(SOURCE).slice(0, 0), tmp_path / "zero.parquet")
    (tmp_path / "zero.jsonl").touch()
    for name in ("zero.parquet", "zero.jsonl"):
        code, report = inspected(tmp_path / name)
        assert (code, report["verdict"]) == (2, "error")
        assert report["findings"][0]["id"] == "input.empty_file"


def test_a_split_that_does_not_exist_lists_the_legal_ones(tmp_path: Path) -> None:
    for name in ("train", "test"):
        pq.write_table(pa.Table.from_pylist(SOURCE), tmp_path / f"{name}.parquet")
    code, report = inspected(tmp_path, "--split", "validation")
    assert code == 2
    text = json.dumps(report["findings"][0])
    assert "'validation'" in text
    assert "train" in text
    assert "test" in text


def test_a_damaged_parquet_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.parquet"
    pq.write_table(pa.Table.from_pylist(SOURCE), path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    code, report = inspected(path)
    assert (code, report["findings"][0]["id"]) == (2, "input.damaged")


def test_a_row_of_seventy_megabytes_is_passed_over_and_said(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in SOURCE[:30])
        file.write('{"question": "')
        for _ in range(70):
            file.write("x" * (1 << 20))
        file.write('", "answer": "1"}\n')
        file.writelines(json.dumps(row) + "\n" for row in SOURCE[30:])
    code, report = inspected(path)
    assert (code, report["facts"]["rows"], found(report)) == (0, 60, ("question", "answer"))
    assert "rows over 64 MB" in json.dumps(report["findings"])
    assert status(report, "data.duplicate_prompts") == "pass"


def test_long_rows_are_never_counted_twice(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        "".join(
            json.dumps(
                {"question": f"{row['question']} {'word ' * 16_000}", "answer": row["answer"]}
            )
            + "\n"
            for row in SOURCE
        ),
        encoding="utf-8",
    )
    assert path.stat().st_size > 4 << 20, "large enough to be read from several places"
    _, report = inspected(path)
    assert status(report, "data.duplicate_prompts") == "pass"
    assert report["facts"]["distinct_questions"] == 60
