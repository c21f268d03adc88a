"""What prompts show of an answer: the columns of a table, the place of a time; and what is no part
of a gold."""

from __future__ import annotations

import pytest

from lab.environment import Task
from lab.reward.formats.prompt import prompt_formats
from lab.reward.reading.candidates import candidates
from lab.reward.reading.rendered import columns_of
from lab.reward.reading.right import Right


def task(prompt: str, **fields: object) -> Task:
    return Task(index=0, key="0", prompt=prompt, system="", fields=fields)


@pytest.mark.parametrize(
    ("shown", "columns"),
    [
        ("a table with exactly the columns Name, Days, Hours and Overtime and one\nrow", 4),
        ("exactly these columns: lot | litres | sugar kg. litres: so many", 3),
        ("a table with the columns Item, Pieces, one row for each item, as above.", 2),
        ("Write what you want.", 0),
    ],
)
def test_the_columns_of_a_table_are_named_in_a_sentence(shown, columns):
    assert len(columns_of(shown)) == columns


def test_wrong_numbers_beyond_a_tolerance_are_whole_where_the_gold_is():
    tasks = [task("How much?", kwh=value) for value in (45415, 1200)]
    right = Right(tasks, golds=["45415", "1200"], answer_type="number", tolerance=0.005)
    assert all(text.isdigit() for i in (0, 1) for text in right.targets[i].wrongs)


def test_a_unit_that_the_prompt_does_not_name_is_no_part_of_the_gold():
    made = candidates([task("How many are left?", total_left=12)])
    assert {one.golds[0] for one in made} == {"12"}


def test_a_time_is_written_behind_what_stands_before_its_place():
    tasks = [task("Tide of today.\nWINDOW HH:MM-HH:MM"), task("Other tide.\nWINDOW HH:MM-HH:MM")]
    assert "WINDOW 02:04-10:30" in [one.write("02:04-10:30") for one in prompt_formats(tasks)]


def readings(tasks, part):
    return [one.golds for one in candidates(tasks) if part in one.reading]


def test_each_list_is_written_as_the_example_of_its_own_prompt():
    tasks = [
        task("Which squares? End so:\nAnswer: c4, d3", answer=["a1", "b2"]),
        task("How many of each? End so:\nAnswer: 9-4", answer=["11", "8"]),
        task("The rows? End so:\nAnswer: BW./.W.", answer=["B..", "..W"]),
    ]
    assert readings(tasks, "the example of its prompt") == [["a1, b2", "11-8", "B../..W"]]
    assert readings(tasks[:1] * 2, "the example of its prompt") == []


def test_a_field_with_numbers_and_objects_is_written_as_each_of_them():
    tasks = [task("The sum?", gold=37.25), task("By name?", gold={"Ada": 20.0, "Ben": 3.5})]
    made = next(one for one in candidates(tasks) if one.reading == "as it is")
    assert made.golds == ["37.25", '{"Ada": 20.0, "Ben": 3.5}']


@pytest.mark.parametrize(
    ("kept", "decimals"),
    [(["51/10", "4", "-3/8"], ["5.1", "4", "-0.375"]), (["1/3", "51/10"], []), (["4", "5"], [])],
)
def test_fractions_that_are_kept_as_texts_are_decimals_too(kept, decimals) -> None:
    rows = [task("How many millilitres?", volume=one) for one in kept]
    found = {one.reading: one.golds for one in candidates(rows)}
    assert found.get("as decimals", []) == decimals
