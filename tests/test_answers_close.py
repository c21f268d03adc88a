"""Near misses are near and wrong: days, expressions, quantities, members and parts of answers."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lab.answers.alike import same
from lab.answers.close_collections import (
    ANY_ORDER,
    ORDER_ASKED,
    exchanged,
    extra_members,
    invented_steps,
    missing_members,
    one_part_wrong,
    other_orders,
)
from lab.answers.close_expressions import close_expressions
from lab.answers.close_values import close_dates, close_numbers, close_times, close_units
from lab.answers.countdown import solve, value_of
from lab.answers.dates import read_day, write_day
from lab.answers.lists import read, write
from lab.answers.look_alike import as_written_in, skeleton
from lab.answers.numbers import parse_number
from lab.answers.signs import other_signs
from lab.answers.target import Target, quantity
from lab.answers.wrong import wrong


def near(make, gold: str, answer_type: str, **rest) -> dict[str, str]:
    return {one.name: one.text for one in make(Target(gold, answer_type, **rest))}


@pytest.mark.parametrize(
    "text", ["2024-03-05", "March 5, 2024", "5 March 2024", "Mar 5, 2024", "2024/03/05"]
)
def test_a_day_is_written_as_it_was_read(text):
    day, layout = read_day(text)
    assert (day.year, day.month, day.day) == (2024, 3, 5)
    assert write_day(day, layout) == text
    found = near(close_dates, text, "text")
    assert {"the day after", "another month", "another year"} <= set(found)
    assert all(read_day(other)[0] != day for other in found.values())


@pytest.mark.parametrize("text", ["March", "2024", "05/03/24x", "a day in May"])
def test_other_texts_are_no_days(text):
    assert read_day(text) is None
    assert near(close_dates, text, "text") == {}


def test_times_of_day_are_half_a_day_off_only_where_hours_go_to_24():
    assert near(close_times, "07:45", "text", golds=("07:45", "19:10"))["twelve hours off"] == (
        "19:45"
    )
    assert "twelve hours off" not in near(close_times, "07:45", "text", golds=("07:45", "09:10"))


def test_expressions_beside_an_expression_are_other_expressions():
    assert near(close_expressions, "\\frac{3}{7}", "math")["upside down"] == "\\frac{7}{3}"
    assert near(close_expressions, "2\\sqrt{5}", "math")["without the root"] == "2{5}"
    assert near(close_expressions, "x+1", "math")["plus and minus"] == "x-1"
    for gold in ("\\frac{3}{7}", "3x^2", "9\\pi", "-\\sqrt{2}", "x + 1"):
        made = near(close_expressions, gold, "math")
        assert made and gold not in made.values()


@given(st.integers(-(10**9), 10**9) | st.decimals(-(10**6), 10**6, places=2))
def test_numbers_beside_a_number_have_another_value(value):
    gold = f"{value:f}" if not isinstance(value, int) else str(value)
    for name, text in near(close_numbers, gold, "number").items():
        assert parse_number(text) is not None, name
        assume(parse_number(gold) != 0)
        assert parse_number(text) != parse_number(gold), name


def test_a_tolerance_that_the_prompt_names_makes_numbers_that_are_farther_off():
    exact = near(close_numbers, "2000", "number", shown="How many?")
    loose = near(close_numbers, "2000", "number", shown="Round to the nearest ten. How many?")
    assert exact["five percent off"] == "2100" and loose["a fifth off"] == "2400"


def test_units_are_changed_only_where_they_are_asked_for():
    assert near(close_units, "300 Wh", "text", shown="How much energy is it?") == {}
    asked = near(close_units, "300 Wh", "text", shown="Give number and unit.", golds=("300 Wh",))
    assert asked["a thousand times the unit"] == "300 kWh"
    mega = near(close_units, "2.4 MW", "text", shown="Give number and unit.", golds=("2.4 MW",))
    assert mega["milli for mega"] == "2.4 mW"
    time = near(close_units, "5 min", "text", shown="Give number and unit.", golds=("5 min",))
    assert "milli for mega" not in time


@pytest.mark.parametrize(
    ("gold", "golds", "texts"),
    [
        ("A+", ("A+", "A−", "AB-"), ["A−"]),
        ("Do♯ – Mi", ("Do♯ – Mi", "Do – Mi"), ["Do – Mi"]),
        ('["C++", "Go"]', ('["C++", "Go"]', '["C", "C#"]'), ['["C", "Go"]', '["C#", "Go"]']),
        ("pre-war", ("pre-war", "prewar"), []),
        ("Oslo.", ("Oslo.", "Oslo"), []),
        ("5%", ("5%", "5"), []),
    ],
)
def test_signs_are_exchanged_where_golds_differ_by_them(gold, golds, texts):
    made = near(other_signs, gold, "text", golds=golds, accepted=(gold,))
    assert list(made.values()) == texts


def test_quantities_have_a_number_and_a_unit():
    assert quantity("90 km/h") == ("90", " km/h")
    assert quantity("10200 m^2") == ("10200", " m^2")
    assert quantity("Lima") == quantity("42") == ("", "")


def test_members_go_apart_and_together_again():
    for gold in ('["a", "b"]', "[1, 2]", "red, blue", "one\ntwo"):
        items, joint = read(gold)
        assert write(items, joint, gold) == gold
    assert read('{"a": 1}') is None


def test_lists_with_members_too_many_and_too_few():
    golds = ("red, blue", "green")
    more = near(extra_members, "red, blue", "list", all_of=True, golds=golds)
    assert all("red" in text and "blue" in text and "green" in text for text in more.values())
    less = near(missing_members, "red, blue", "list", all_of=True, golds=golds)
    assert less["the first member alone"] == "red"
    fields = near(missing_members, '{"a": "x", "b": "y"}', "json")
    assert json.loads(fields["without the last field"]) == {"a": "x"}


TABLE = "| town | day |\n| --- | --- |\n| Rome | 3 |\n| Oslo | 5 |"


def test_one_word_in_several_writings_is_one_member():
    said = "the first member in other writings"
    less = near(missing_members, "red, blue, green", "list", all_of=True)
    assert less[said] == "red, RED, Red"
    assert said not in near(missing_members, "12, 7, 30", "list", all_of=True)


def test_a_table_keeps_its_head_where_its_rows_are_wrong_or_missing():
    head = TABLE.splitlines()[:2]
    less = near(missing_members, TABLE, "list", all_of=True)["the first row alone"]
    assert less.splitlines() == [*head, "| Rome | 3 |"]
    other = wrong("list", TABLE, random.Random(1)).splitlines()
    assert other[:2] == head and len(other) == 4
    assert not any(cell in "\n".join(other[2:]) for cell in ("Rome", "Oslo", "3 |", "5 |"))
    assert near(extra_members, TABLE, "list", all_of=True) == {}


def test_the_marks_of_a_list_are_no_part_of_its_members():
    other = wrong("list", "1. Ebro\n2. Oder", random.Random(1)).splitlines()
    assert [line[:3] for line in other] == ["1. ", "2. "]
    assert not any(name in line for name in ("Ebro", "Oder") for line in other)
    assert near(one_part_wrong, "1. Ebro\n2. Oder", "list", all_of=True) == {}
    assert "the last number is wrong" in near(one_part_wrong, "1. 14 m\n2. 31 m", "list")


def test_values_in_each_others_places():
    assert json.loads(near(exchanged, '{"from": "Rome", "to": "Oslo"}', "json")["two fields"]) == {
        "from": "Oslo",
        "to": "Rome",
    }
    assert near(exchanged, "a|1\nb|2", "text")["the last cells of two rows"] == "a|2\nb|1"
    assert near(exchanged, '{"n": 1, "name": "x"}', "json") == {}, "of another kind each"


def test_another_order_is_wrong_only_where_an_order_is_asked_for():
    asked = Target("a, b, c", "list", shown="Sort by size, smallest first: c a b", all_of=True)
    free = Target("a, b, c", "list", shown="Name them: c a b", all_of=True)
    assert "c, b, a" in {one.text for one in other_orders(asked)}
    assert list(other_orders(free)) == []


def test_a_sequence_with_invented_members_keeps_its_ends():
    made = near(invented_steps, "A -> B -> D -> E", "list", all_of=True)
    ends = made["the ends alone are right"]
    assert ends.startswith("A") and ends.endswith("E") and "B" not in ends


def test_a_wrong_grade_is_another_grade():
    scale = ["1", "3", "5", "4", "2"]
    found = {wrong("number", "3", random.Random(seed), options=scale) for seed in range(30)}
    assert found == {"1", "2", "4", "5"}
    apart = wrong("number", "3", random.Random(1), options=["3", "120", "4000"])
    assert parse_number(apart) not in (None, 3)


def test_one_part_is_wrong_and_the_others_stay():
    pair = near(one_part_wrong, "48.86, 2.35", "text")
    assert pair["the last number is wrong"] == "48.86, 16.52"
    assert not any("ten times" in name for name in pair)  # 2.350 is 2.35
    assert near(one_part_wrong, "015, 7", "list")["the first number is ten times"] == "0150, 7"
    name = near(one_part_wrong, "Jane Austen", "text")
    assert name["the first word is made up"] == "Quorel Austen"
    assert near(one_part_wrong, "42", "text") == near(one_part_wrong, "Paris", "text") == {}
    record = {"name": "send", "arguments": {"to": "Ana", "days": 2}, "reason": "asked"}
    made = {k: json.loads(v) for k, v in near(one_part_wrong, json.dumps(record), "json").items()}
    assert made["days is wrong"]["arguments"] == {"to": "Ana", "days": 17}
    either = made["to or another"]
    assert "Ana" in either["arguments"]["to"] and either["name"] == "send"
    assert not any(name.startswith("reason") for name in made)


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("Sort by size, smallest first.", True),
        ("Put these in chronological order.", True),
        ("What sort of bird is it?", False),
        ("Do it in order to win.", False),
    ],
)
def test_an_order_is_asked_for(prompt, asked):
    assert bool(ORDER_ASKED.search(prompt)) is asked
    assert ANY_ORDER.search("Name them in any order.")
    assert not ANY_ORDER.search("Equal ones may stand in any order among themselves.")


def test_numbers_may_be_left_out_where_that_is_allowed():
    assert solve([25, 4, 2, 9], 91) is None
    assert value_of(solve([25, 4, 2, 9], 91, some=True)) == 91


def test_yes_is_true_and_no_is_not():
    assert same("boolean", "Yes", "true") and same("boolean", "0", "False")
    assert not same("boolean", "Yes", "False") and not same("boolean", "1", "0")


def test_letters_that_look_alike_are_as_the_prompt_has_them():
    assert skeleton("В2") == skeleton("B2") and skeleton("şi") == skeleton("și")
    assert skeleton("é") != skeleton("e") and skeleton("l") != skeleton("1")
    assert skeleton("（Ａ１）") == skeleton("(A1)") and skeleton("x²") != skeleton("x2")
    assert as_written_in("Clause: B2, A1", "Клауза В2 и A1. Clause") == "Clause: В2, A1"
    assert as_written_in("B2", "B2 and В2") == "B2", "the prompt has it as it is"


def test_a_decimal_comma_makes_one_number_and_not_two():
    assert near(one_part_wrong, "82,5 km", "text", shown="Answer: 82,5 km") == {}
    assert near(one_part_wrong, "(82, 5)", "text")
