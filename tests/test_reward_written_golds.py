"""Golds that no field holds as they are written: with units, to a number of figures, of several
fields."""

from __future__ import annotations

import json

import pytest

from lab.environment import Task
from lab.reward.formats.prompt import prompt_formats
from lab.reward.formats.source import read_source
from lab.reward.reading.candidates import candidates
from lab.reward.reading.joined_fields import filled_lines, joined_fields
from lab.reward.reading.objects import named_objects
from lab.reward.reading.rendered import columns_of
from lab.reward.reading.right import Right


def task(prompt: str, **fields: object) -> Task:
    return Task(index=0, key="0", prompt=prompt, system="", fields=fields)


def test_a_number_that_is_kept_as_a_text_has_the_unit_of_its_row():
    tasks = [
        task(f"How much is {i} in {unit}?", total=f"{1000 * i}.5", currency=unit)
        for i, unit in enumerate(("EUR", "JPY", "USD"), 1)
    ]
    golds = {one.reading: one.golds for one in candidates(tasks) if one.field == "total"}
    assert golds["with its currency"] == ["1000.5 EUR", "2000.5 JPY", "3000.5 USD"]


@pytest.mark.parametrize(
    ("prompt", "fields", "written"),
    [
        ("How far? Give number and unit.", {"value": 240, "unit": "km"}, "240 km"),
        ("How much? Answer in mg or g.", {"dose_mg": 12.5}, "12.5 mg"),
        (
            'Reply with {"name": ..., "arguments": {...}}.',
            {"function": "timer", "arguments": {"minutes": 3}},
            '{"name": "timer", "arguments": {"minutes": 3}}',
        ),
    ],
)
def test_a_gold_in_two_fields_is_put_together(prompt, fields, written):
    assert written in {one.golds[0] for one in candidates([task(prompt, **fields)])}


@pytest.mark.parametrize(
    ("line", "golds"),
    [
        ("Total: 1 234,56 {}", ["1625,20 EUR", "17,00 PLN"]),
        ("Total: 7.5 {}", ["1625.2 EUR", "17 PLN"]),
        ("Total = 9 {}.", ["1625.2 EUR", "17 PLN"]),
        ("The last line is «Total: 1.234,50 {}».", ["1625,20 EUR", "17,00 PLN"]),
    ],
)
def test_a_number_is_written_as_the_line_of_the_example_in_its_own_prompt(line, golds):
    rows = [("1625.2", "EUR", 3), ("17", "PLN", 4)]
    tasks = [
        task(f"Order: {n} pcs\nEnd with\n{line.format(unit)}\nFee: {n} pcs", due=due)
        for due, unit, n in rows
    ]
    tasks.append(task(tasks[0].prompt, due=None))
    read = [one.golds for one in candidates(tasks) if one.reading.startswith("with the unit")]
    assert read == [[*golds, None]]


def test_several_fields_are_one_answer_with_what_the_code_splits_at(tmp_path):
    tasks = [
        task("Sort it.", queues=["mail", "spam"], urgency="week"),
        task("Sort it.", queues=["sales"], urgency="now"),
    ]
    (tmp_path / "e.py").write_text("parts = reply.split('/')")
    by_field = {one.field: one for one in joined_fields(tasks, read_source(tmp_path))}
    assert by_field["queues+urgency"].accepted == [["mail / week", "spam / week"], ["sales / now"]]
    assert by_field["urgency+queues"].golds == ["week / mail", "now / sales"]
    (tmp_path / "e.py").write_text("found = re.search(r'(\\w+)\\s*->\\s*(\\w+)', reply)")
    assert joined_fields(tasks, read_source(tmp_path))[0].golds == ["mail -> week", "sales -> now"]
    three = [
        task("Book it.", seat="4A", day="Mon", fare="12"),
        task("Book it.", seat="9C", day="Tue", fare="7"),
    ]
    (tmp_path / "e.py").write_text("seat, day, fare = reply.split(';')")
    assert ["4A; Mon; 12", "9C; Tue; 7"] in [
        c.golds for c in joined_fields(three, read_source(tmp_path))
    ]
    (tmp_path / "e.py").write_text("words = reply.split()")
    assert not joined_fields(tasks, read_source(tmp_path))


def test_a_line_of_the_prompt_is_filled_with_the_fields_that_its_places_name():
    tasks = [
        task(
            f"Convert it.\nRESULT: <value> {unit} <flag>\nPlace: <other> [flag]",
            value=value,
            flag=flag,
        )
        for value, unit, flag in ((1259850.75, "mmol/L", "H"), (88.0, "g/L", "N"))
    ]
    (found,) = filled_lines(tasks)
    assert found.golds == ["RESULT: 1259850.75 mmol/L H", "RESULT: 88 g/L N"]
    assert not filled_lines([task("RESULT: <value> <unit>", value=1.5)])
    assert not filled_lines([task("RESULT: <value>", value=1.5)])


@pytest.mark.parametrize(
    ("asked", "golds"),
    [
        ("Give three significant figures.", ["0.00113", "9460"]),
        ("Give it to two decimal places.", ["0.00", "9457.32"]),
        ("Give the yield, rounded to a whole number.", ["0", "9457"]),
        ("Round to the nearest integer.", ["0", "9457"]),
        ("Give the number.", None),
    ],
)
def test_a_number_is_read_to_the_figures_that_are_asked_for(asked, golds):
    tasks = [task(asked, value=value) for value in (0.0011254, 9457.3168)]
    read = [one.golds for one in candidates(tasks) if one.reading.startswith("to ")]
    assert read == ([golds] if golds else [])


@pytest.mark.parametrize(
    ("asked", "gold"),
    [
        ("Date: jour/mois/année", "09/03/2025"),
        ("Line: يوم/شهر/سنة", "09/03/2025"),
        ("Date: MM/DD/YYYY", "03/09/2025"),
        ("Date: month/day/year", None),
        ("Either and/or both.", None),
    ],
)
def test_a_day_is_written_in_the_order_of_the_prompts_words(asked, gold):
    found = [one.golds for one in candidates([task(asked, due="2025-03-09")])]
    days = [golds[0] for golds in found if golds[0] and "/" in golds[0]]
    assert days == ([gold] if gold else [])


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


def test_keys_that_a_sentence_quotes_make_an_object():
    asked = 'Reply with a JSON object with the keys "level" (string) and "page" (true or false).'
    rows = [{"level": "sev1", "page": True}, {"level": "sev2", "page": False}]
    found = [one for one in candidates([task(asked, **row) for row in rows]) if "+" in one.field]
    assert [one.golds for one in found] == [[json.dumps(row) for row in rows]]
    plain = task('Say the "level" and the "page".', **rows[0])
    assert not [one for one in candidates([plain]) if "+" in one.field]


@pytest.mark.parametrize(
    "names", [{"氏名": "name", "住所": "place"}, {"name": "氏名", "place": "住所"}]
)
def test_an_object_has_the_keys_that_the_code_pairs_with_fields(names):
    asked = "「氏名」と「住所」のJSONで答えてください。"
    tasks = [task(asked, name="佐藤", place="広島"), task(asked, name="林", place="京都")]
    (found,) = named_objects([{"a": "b", "c": "d"}, names], tasks)
    assert found.golds[0] == '{"氏名": "佐藤", "住所": "広島"}'
    assert not list(named_objects([names], [task("JSON, please.", name="佐藤", place="広島")]))


@pytest.mark.parametrize(
    ("asked", "lots", "first"),
    [
        (
            "One table with the columns Lot | m3 | m2 and a row for each.",
            {"A": [1.5, 2]},
            "| A | 1.5 | 2 |",
        ),
        ("A table:\n| Lot | m3 |\n|---|---|", {"A": 4.3469999999999995}, "| A | 4.347 |"),
        ("A table with the columns Lot | m3 | m2.", [["A", 1, 2]], "| A | 1 | 2 |"),
        ("A table with the columns lot, m3, m2 (whole numbers).", [["A", 1, 2]], "| A | 1 | 2 |"),
        (
            "A table, columns: lot | m3 | loss | kg. One row each.",
            {"A": [1, 2, 3]},
            "| A | 1 | 2 | 3 |",
        ),
        ("A table with the head | Lot | m3 | m2 |, a row each.", {"A": [1, 2]}, "| A | 1 | 2 |"),
        ("A table with the columns Lot | m3.", [["A", 1, 2]], None),
        ("List them: Lot | m3 | m2.", [["A", 1, 2]], None),
    ],
)
def test_a_collection_is_a_table_where_the_prompt_shows_as_many_columns(asked, lots, first):
    read = [one for one in candidates([task(asked, lots=lots)]) if "table" in one.reading]
    assert [one.golds[0].splitlines()[2] for one in read] == ([first] if first else [])


def test_a_quotient_is_a_decimal_with_the_unit_that_the_prompt_names():
    tasks = [task("Hoeveel? Een getal en de eenheid ml.", dose=dose) for dose in ("585/32", "3/4")]
    by_reading = {one.reading: one.golds for one in candidates(tasks)}
    assert by_reading["as a decimal"] == ["18.28125", "0.75"]
    assert by_reading["with the unit ml"] == ["18.28125 ml", "0.75 ml"]


@pytest.mark.parametrize(
    ("asked", "fields", "golds"),
    [
        ("Last line: Arrival: HH:MM", {"minutes": 125.4}, {"02:05"}),
        ("Sista raden: Ankomst: TT.MM (t.ex. '00.20 +1')", {"minuter": 1600}, {"02.40 +1"}),
        ("outage: HH-HH", {"first": 9, "last": 13}, {"09-13", "13-09"}),
        ("WINDOW HH:MM-HH:MM", {"begin": 124, "end": 630}, {"02:04-10:30", "10:30-02:04"}),
        ("outage: HH-HH", {"first": 9, "last": 31}, set()),
        ("How many minutes?", {"minutes": 125}, set()),
        ("Last line: Arrival: HH:MM", {"minutes": "125"}, set()),
    ],
)
def test_numbers_are_times_where_the_prompt_shows_the_place_of_one(asked, fields, golds):
    found = candidates([task(asked, **fields), task(asked, **fields)])
    assert {one.golds[0] for one in found if one.reading == "as a time of day"} == golds


def test_a_time_is_written_behind_what_stands_before_its_place():
    tasks = [task("Tide of today.\nWINDOW HH:MM-HH:MM"), task("Other tide.\nWINDOW HH:MM-HH:MM")]
    assert "WINDOW 02:04-10:30" in [one.write("02:04-10:30") for one in prompt_formats(tasks)]
