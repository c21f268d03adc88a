"""inspect_dataset.py on rows with one planted defect each, and on rows without any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspected import inspect, options, planted, question, sums, write
from run_script import run_script

DEFECTS = {
    "no gold": "data.gold_missing",
    "few questions": "data.distinct_questions",
    "conflict": "data.conflicting_golds",
    "given away": "data.gold_in_prompt",
    "options always first": "data.option_position",
    "mojibake": "data.encoding",
    "escapes": "data.control_characters",
    "unknowable": "data.unknowable",
    "empty gold": "data.gold_empty",
    "option order": "data.order",
}


@pytest.mark.parametrize(("defect", "id"), DEFECTS.items())
def test_a_planted_defect_is_found(tmp_path: Path, defect: str, id: str) -> None:
    ran = inspect(write(tmp_path / "rows.jsonl", planted(defect)))
    finding = ran.finding(id)
    assert finding["status"] in ("warn", "fail"), finding
    assert finding["measured"] is not None
    assert finding["evidence"]
    assert finding["fix"]


def test_the_rows_that_contradict_each_other_are_named_and_said_to_be_left_out(tmp_path) -> None:
    """Rows 3, 40 and 41 ask the same, and so do 7 and 90; the others ask once."""
    rows = sums()
    for row, other in ((40, 3), (41, 3), (90, 7)):
        rows[row]["question"] = rows[other]["question"]
    found = inspect(write(tmp_path / "rows.jsonl", rows)).finding("data.conflicting_golds")
    assert found["evidence"].endswith("all 120 rows (rows 3, 40 and 41; rows 7 and 90)")
    assert "new_environment.py leaves all rows of these questions out" in found["fix"]


def test_of_many_contradictions_the_first_are_named(tmp_path: Path) -> None:
    found = inspect(write(tmp_path / "rows.jsonl", planted("conflict")))
    evidence = found.finding("data.conflicting_golds")["evidence"]
    assert "(rows 0 and 1; rows 2 and 3; rows 4 and 5; rows 6 and 7; and 56 more" in evidence


@pytest.mark.parametrize("rows", [sums(), options()], ids=["numbers", "options"])
def test_good_rows_pass_every_check(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    ran = inspect(write(tmp_path / "rows.jsonl", rows))
    assert [
        finding["id"]
        for finding in ran.report["findings"]
        if finding["status"] not in ("pass", "skip")
    ] == []
    assert ran.code == 0


def test_overlap_with_the_held_out_split_is_found(tmp_path: Path) -> None:
    write(tmp_path / "train.jsonl", sums(100))
    near = [
        {
            "question": row["question"].replace("Task", "Exercise").upper() + " Now!",
            "answer": row["answer"],
        }
        for row in sums(100)[:5]
    ]
    fresh = [{"question": question(10_000 + i), "answer": "#### 1"} for i in range(45)]
    write(tmp_path / "test.jsonl", [*near, *fresh])
    finding = run_script("inspect_dataset", tmp_path, "--json", cwd=tmp_path).finding(
        "data.overlap"
    )
    assert (finding["status"], finding["measured"]) == ("fail", 0.1)
    write(tmp_path / "test.jsonl", fresh)
    assert (
        run_script("inspect_dataset", tmp_path, "--json", cwd=tmp_path).finding("data.overlap")[
            "status"
        ]
        == "pass"
    )


def test_a_held_out_split_with_hidden_labels_is_found(tmp_path: Path) -> None:
    write(tmp_path / "train.jsonl", options(100))
    write(
        tmp_path / "test.jsonl",
        [{**row, "question": "Other " + row["question"], "answer": ""} for row in options(40)],
    )
    assert (
        run_script("inspect_dataset", tmp_path, "--json", cwd=tmp_path).finding(
            "data.held_out_golds"
        )["status"]
        == "fail"
    )


def test_solve_rates_speak_about_learnability(tmp_path: Path) -> None:
    for rates, status in (([0.5, 0.3, 0.9], "pass"), ([0, 1, 1], "warn")):
        rows = [{**row, "llama_solve_rate": rates[i % 3]} for i, row in enumerate(sums())]
        ran = inspect(write(tmp_path / "rows.jsonl", rows))
        assert ran.finding("data.solve_rate")["status"] == status
    assert ran.report["facts"]["solve_rates"]["llama_solve_rate"]["neither_always_nor_never"] == 0


def test_prompts_longer_than_the_context_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", sums())
    assert inspect(path, "--context", 20).finding("data.lengths")["status"] == "warn"
    assert inspect(path, "--context", 4000).finding("data.lengths")["status"] == "pass"
