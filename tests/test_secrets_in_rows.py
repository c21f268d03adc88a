"""Rows that hold a key: named when they are looked at and when they go into a package, never
shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.cli.secrets import kind_of_secret
from run_script import run_script

KEYS = {
    "a token": ("solution", "hf_RowCanary" + "c3" * 14),
    "a password in an address": ("notes", "postgres://app:Canary-of-the-row@db.example/d"),
    "an assignment": ("problem", 'config: api_key = "CanaryOfTheRow0123456789"'),
}


def rows(count: int = 40) -> list[dict[str, str]]:
    return [
        {"problem": f"What is {i} + 3?", "solution": f"#### {i + 3}", "notes": f"number {i}"}
        for i in range(count)
    ]


def inspected(folder: Path, given: list[dict[str, str]]):
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    return run_script(
        "inspect_dataset", "rows.jsonl", "--out", "profile.json", "--json", cwd=folder
    )


@pytest.mark.parametrize("where", KEYS)
def test_a_key_in_a_row_is_a_warning_that_names_the_row_and_not_the_key(tmp_path, where):
    column, key = KEYS[where]
    given = rows()
    given[17][column] += f" {key}"
    ran = inspected(tmp_path, given)
    found = ran.finding("data.secrets")
    assert (ran.code, found["status"], found["measured"]) == (0, "warn", 1), ran.out
    assert "row 17" in found["evidence"] and kind_of_secret(key) in found["evidence"]
    if where != "an assignment":  # what is printed keeps these: code is full of them
        assert "Canary" not in ran.out + ran.err


def test_rows_without_keys_raise_no_alarm(tmp_path):
    given = rows()
    given[3]["notes"] = 'token = os.environ["HF_TOKEN"], see https://user@example.com, sk-learn'
    assert inspected(tmp_path, given).finding("data.secrets")["status"] == "pass"


@pytest.mark.soak
def test_a_package_says_which_of_its_rows_hold_a_key(tmp_path):
    given = rows()
    given[5]["solution"] = f"{KEYS['a token'][1]} #### 8"
    inspected(tmp_path, given)
    ran = run_script("new_environment", "sums", "--profile", "profile.json", "--json", cwd=tmp_path)
    found = ran.finding("scaffold.secrets")
    assert ran.code == 0 and found["status"] == "warn" and "row 5" in found["evidence"], ran.out
    assert "Canary" not in ran.out + ran.err
