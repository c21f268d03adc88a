"""Regular expressions as answers: lists of the shown strings, patterns that never end, flags."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lab.reward import plan
from lab.reward.productions.patterns import ENDLESS
from lab.reward.rules import forms
from reward_briefs import World

Row = dict[str, Any]
ASK = (
    "Write a pattern for {what}. It must match {yes}; it is tried on hidden strings too, for at "
    "most 2 seconds."
)
KINDS = [
    ("digits", r"^\d+$", ["12", "7", "4077"], ["88", "901"], ["a1"]),
    ("capitals", r"^[A-Z]+$", ["AB", "Q", "XYZ"], ["LM", "T"], ["aB"]),
    ("a year", r"^\d{4}$", ["1999", "2024"], ["1848", "1066"], ["199"]),
    ("a plate", r"^[A-Z]{2}-\d{2}$", ["AB-12", "QX-07"], ["LM-99", "ZZ-00"], ["A-12"]),
]
ROWS = [
    {
        "question": ASK.format(what=what, yes=", ".join(yes)),
        "answer": gold,
        "yes": yes,
        "hidden": hidden,
        "no": no,
    }
    for what, gold, yes, hidden, no in KINDS
]
FORM = "<pattern>{answer}</pattern>"


def asked(text: str) -> str:
    found = re.findall(r"<pattern>(.*?)</pattern>", text, re.DOTALL)
    return found[-1].strip() if found else ""


def judged(
    text: str, row: Row, *, hidden: bool = True, wrap: str = "{}", late: bool = False
) -> float:
    """What a pattern earns; one that never ends is stopped, or with `late` taken for right."""
    pattern = asked(text)
    if not pattern:
        return 0.0
    if pattern == ENDLESS:  # as if it were stopped after two seconds
        return float(late)
    try:
        compiled = re.compile(wrap.format(pattern))
    except re.error:
        return 0.0
    wanted = [*row["yes"], *(row["hidden"] if hidden else [])]
    right = all(compiled.fullmatch(one) for one in wanted)
    return float(right and not any(compiled.fullmatch(one) for one in row["no"]))


@pytest.mark.parametrize("hidden", [False, True])
def test_a_list_of_the_shown_strings_is_found_where_the_hidden_ones_are_the_same(hidden):
    one = World(ROWS, FORM, lambda text, row: judged(text, row, hidden=hidden))
    assert one.production("pattern_listed").status == ("pass" if hidden else "fail")


def test_where_all_strings_are_shown_a_list_of_them_is_an_answer():
    rows = [{**row, "question": f"It must match {', '.join(row['yes'])}."} for row in ROWS]
    one = World(rows, FORM, lambda text, row: judged(text, row, hidden=False))
    assert one.production("pattern_listed").status == "skip"


@pytest.mark.parametrize("late", [False, True])
def test_a_pattern_that_is_stopped_is_not_paid(late):
    found = World(ROWS, FORM, lambda t, r: judged(t, r, late=late)).production("pattern_endless")
    assert found.status == ("fail" if late else "pass")


def test_the_endless_pattern_takes_very_many_steps_and_is_one():
    ways = 1
    for n in range(1, 11):  # ten characters into 24 parts
        ways = ways * (23 + n) // n
    assert ways > 10**7 and re.compile(ENDLESS).fullmatch("") is None


@pytest.mark.parametrize(("wrap", "status"), [("{}", "pass"), ("\\A(?:{})\\Z", "fail")])
def test_an_inline_flag_that_is_allowed_is_taken(wrap, status):
    one = World(ROWS, FORM, lambda text, row: judged(text, row, wrap=wrap))
    table = one.table(plan.of_forms(one.brief, {"behind an inline flag": "accepted"}))
    found = forms.findings(one.brief, forms.measure(one.brief, table))
    assert next(each for each in found if each.id == "reward.forms_core").status == status
