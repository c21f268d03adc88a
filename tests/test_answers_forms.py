"""Wrong answers are wrong, and equivalent forms are equivalent: no environment needed."""

from __future__ import annotations

import random
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.answers.alike import same
from lab.answers.form import CHOICE, CORE, USUAL
from lab.answers.forms import forms
from lab.answers.numbers import parse_number
from lab.answers.wrong import wrong, wrongs


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9
    ),
    st.integers(0, 99),
)
def test_a_wrong_number_is_another_number_under_every_reading(value: Decimal, seed: int):
    gold = f"{value:f}"
    answer = wrong("number", gold, random.Random(seed))
    assert parse_number(answer) is not None
    assert not same("number", answer, gold)
    assert abs(parse_number(answer)) != abs(value)


@pytest.mark.parametrize(
    ("answer_type", "gold", "options"),
    [
        ("choice", "B", ["A", "B", "C"]),
        ("boolean", "Yes", []),
        ("label", "World", ["World", "Sports"]),
        ("text", "Lima", ["Oslo", "Lima, Peru"]),
        ("json", '{"name": "f", "arguments": {"x": 1}}', []),
        ("code", "def add(a, b):\n    return a + b", []),
        ("math", "\\sqrt{2}", []),
    ],
)
def test_wrong_answers_keep_their_kind(answer_type, gold, options):
    for seed in range(20):
        answer = wrong(answer_type, gold, random.Random(seed), options=options)
        assert not same(answer_type, answer, gold)
        if options and answer_type != "text":
            assert answer in options


def test_wrong_numbers_are_written_like_the_gold():
    assert wrong("number", "$1,200", random.Random(1)).startswith("$")
    assert wrong("number", "25\\%", random.Random(1)).endswith("\\%")
    assert len(wrongs("boolean", "no", random.Random(0), 3)) == 1


@pytest.mark.parametrize("gold", ["14.56 kg/d", "-1.479,89 €", "7 320,10 zł", "about 99 m"])
def test_wrong_quantities_are_farther_off_than_a_tolerance(gold: str):
    def value(text: str) -> float:
        plain = re.sub(r"[^\d,.]", "", text)
        return float(plain.replace(".", "").replace(",", ".") if "," in plain else plain)

    for other in wrongs("number", gold, random.Random(3), 3):
        assert abs(value(other) / value(gold) - 1) > 0.08, other
        assert re.sub(r"[\d.,\s]", "", other) == re.sub(r"[\d.,\s]", "", gold)


@given(st.integers(-(10**7), 10**7))
def test_forms_of_a_number_have_its_value(value: int):
    for form in forms("number", str(value)):
        if form.level in (CORE, USUAL) and "boxed" not in form.name:
            bare = form.text.strip("*").strip("$")
            assert parse_number(bare) == value, form


@pytest.mark.parametrize(
    ("answer_type", "gold", "level", "text"),
    [
        ("number", "1234", CORE, "1,234"),
        ("number", "1,234", CORE, "1234"),
        ("number", "0.5", USUAL, ".5"),
        ("number", "0.5", CORE, "0.50"),
        ("number", "-5", CORE, "−5"),
        ("number", "7", CHOICE, "seven"),
        ("number", "1/2", USUAL, "\\frac{1}{2}"),
        ("math", "\\frac{1}{2}", USUAL, "1/2"),
        ("math", "$x$", CORE, "x"),
        ("choice", "B", USUAL, "(B)"),
        ("boolean", "True", CORE, "true"),
        ("text", "Paris", CORE, "paris"),
        ("text", "AbC", CHOICE, "abc"),
        ("text", "2024-03-01", CHOICE, "March 1, 2024"),
        ("text", "March 1, 2024", USUAL, "2024-03-01"),
        ("json", '{"a": 1, "b": 2}', CORE, '{"b": 2, "a": 1}'),
        ("code", "def f():\n    return 1", CORE, "def f():\n    return 1\n\n"),
    ],
)
def test_forms_by_kind_and_level(answer_type, gold, level, text):
    assert (text, level) in {(form.text, form.level) for form in forms(answer_type, gold)}


def test_the_case_of_several_lines_may_be_the_content():
    levels = {text: forms("text", text)[0].level for text in ("Paris", "Anna: red\nBob: green")}
    assert levels == {"Paris": "core", "Anna: red\nBob: green": "choice"}


def test_every_alias_is_a_core_form_and_the_gold_itself_is_none():
    made = forms("text", "New York", accepted=["New York City", "NYC"])
    assert {form.text for form in made if form.name == "alias"} == {"New York City", "NYC"}
    assert "New York" not in {form.text for form in made}


def test_a_table_in_another_order_keeps_its_head():
    table = "| lot | m3 |\n| --- | --- |\n| A | 1 |\n| B | 2 |"
    made = {form.name: form.text for form in forms("list", table)}
    assert made["another order"] == "| lot | m3 |\n| --- | --- |\n| B | 2 |\n| A | 1 |"
    assert made["tight"].splitlines()[2] == "|A|1|"


def test_a_number_in_scientific_notation_is_written_by_hand_too():
    made = {one.name: one for one in forms("text", "3.74e-19 J")}
    assert made["power of ten"].text == "3.74 x 10^-19 J"
    assert made["superscript power"].text == "3.74 × 10⁻¹⁹ J"
    assert made["superscript power"].level == CHOICE
    assert "power of ten" not in {one.name for one in forms("text", "3 e 4 e")}


def test_a_whole_float_in_json_is_written_without_its_zero():
    made = {one.name: one for one in forms("json", '{"a": 1200.0, "b": [2.0, 2.5], "c": "3.0"}')}
    assert made["whole numbers without .0"].text == '{"a": 1200, "b": [2, 2.5], "c": "3.0"}'
    assert made["whole numbers without .0"].level == CORE
    assert "whole numbers without .0" not in {one.name for one in forms("json", '{"a": "3.0"}')}
