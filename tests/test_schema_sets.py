"""A set of schemas that is not in the form is refused by name, not measured."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.schema_sets import OWN, load

ENTRY = load(OWN)[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"examples": []}, "a list of rows"),
        ({"expected": {**ENTRY["expected"], "answer_format": "a guess"}}, "no kind of answer"),
        ({"expected": {"prompt_field": "question"}}, "answer_field"),
        (
            {"expected": {**ENTRY["expected"], "acceptable_alternatives": {"x": 1}}},
            "no alternative",
        ),
        ({"expected_gold": "12"}, "a gold for each"),
        ({}, "a second one"),
    ],
)
def test_an_entry_out_of_form_is_named(change: dict[str, Any], says: str, tmp_path) -> None:
    path = tmp_path / "set.jsonl"
    rows = [ENTRY, {**ENTRY, "id": "other", **change} if change else ENTRY]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(ValueError, match=rf"set\.jsonl, entry 2 .*{says}"):
        load(path)


def test_both_forms_of_a_set_are_read(tmp_path) -> None:
    older = tmp_path / "set.json"
    older.write_text(json.dumps({"datasets": load(OWN)}))
    assert load(older) == load(OWN)
