"""Which of several answers counts, and whether thinking is read: every reading is recognised, fair
ones pass, and one that nobody promised is one finding."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.reward.productions.units import (
    OPEN,
    READINGS,
    THOUGHT,
    TURN,
    UNFINISHED,
    Unit,
    expected,
    sequences,
    visible,
)
from lab.reward.rules.readings import label, parse
from reward_briefs import World
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.prelude import words
from benchmarks.reward_defects.rows import ROWS

TAG = "<answer>{answer}</answer>"
ASKED = "Think in <think></think>, then answer in <answer></answer>."
FAIR = ("pass", "skip")
"""What a check says of a reading that careful authors choose."""


def answers(text: str, thinking: str, unfinished: str) -> list[str]:
    """The answers in a reply that a reader of this sort sees."""
    cut = re.search(r"<think>(?!.*</think>)", text, re.DOTALL)
    if cut and unfinished == "refused":
        return []
    if unfinished == "ignored":
        text = re.sub(r"<think>(?!.*</think>).*", "", text, flags=re.DOTALL)
    if thinking == "ignored":
        text = re.sub(r"<think>.*?</think>", "", text, flags=re.DOTALL)
    found = re.findall(r"<answer>(.*?)</answer>", text, re.DOTALL)
    return [words(one) for one in found if one.strip()]


PAYS = {
    "last": lambda found, gold: found[-1] == gold,
    "first": lambda found, gold: found[0] == gold,
    "only": lambda found, gold: found == [gold],
    "all": lambda found, gold: set(found) == {gold},
    "any": lambda found, gold: gold in found,
}


def world(counts: str, thinking="ignored", unfinished="ignored", system="", **rest: Any) -> World:
    def reward(text: str, row: dict[str, Any]) -> float:
        found = answers(text, thinking, unfinished)
        return float(bool(found) and PAYS[counts](found, words(row["answer"])))

    return World(ROWS["facts"], TAG, reward, system=system, **rest)


def stood_out(one: World) -> dict[str, str]:
    return {id: f.status for id, f in one.about_readings.items() if f.status not in FAIR}


@pytest.mark.parametrize("reading", READINGS, ids=lambda one: "-".join(vars(one).values()))
def test_what_a_reward_reads_is_among_the_readings_that_explain_it(reading):
    seen = world(reading.counts, reading.thinking, reading.unfinished).seen
    assert reading in seen.fits and seen.contradictions == []


@pytest.mark.parametrize("counts", ["last", "first", "only", "all"])
def test_a_reading_that_careful_authors_choose_passes(counts):
    assert stood_out(world(counts)) == {}


def test_any_of_several_answers_is_a_finding():
    found = world("any").about_readings["reward.any_slot"]
    assert (found.status, found.severity, found.direction) == ("fail", "high", "false_positive")
    assert stood_out(world("any", stated={"counts": "any"})) == {}, "unless it is declared"


@pytest.mark.parametrize(("promised", "done"), [("last", "first"), ("first", "last")])
def test_another_answer_than_the_promised_one_is_a_finding(promised, done):
    assert stood_out(world(promised, stated={"counts": promised})) == {}
    found = world(done, stated={"counts": promised}).about_readings["reward.which_answer"]
    assert found.status == "fail" and f"declared: {promised}" in found.evidence


def test_thinking_that_is_read_is_a_finding_where_it_is_said_to_be_ignored():
    leaks = world("last", "read", "read", stated={"thinking": "ignored"})
    assert stood_out(leaks) == {"reward.think_leak": "fail"}
    assert stood_out(world("last", stated={"thinking": "ignored"})) == {}


def test_an_answer_in_thinking_that_is_cut_off_is_a_warning():
    assert stood_out(world("last", "ignored", "read", system=ASKED)) == {
        "reward.think_leak": "warn"
    }


def test_a_right_answer_is_not_refused_for_what_was_thought_before_it():
    def only_one_anywhere(text: str, row: dict[str, Any]) -> float:
        said, every = answers(text, "ignored", "ignored"), answers(text, "read", "read")
        return float(len(set(every)) == 1 and said[-1:] == [words(row["answer"])])

    strict = World(ROWS["facts"], TAG, only_one_anywhere, system=ASKED)
    assert "reward.several_answers_refused" in stood_out(strict)
    assert stood_out(world("only", system=ASKED)) == {}
    strict.brief = replace(strict.brief, declared={"counts": "only"})
    assert stood_out(strict)["reward.several_answers_refused"] == "warn", "no tag twice"


def test_an_answer_in_an_invented_turn_is_a_finding():
    def before_the_turn(text: str, row: dict[str, Any]) -> float:
        found = answers(text.split("User:")[0], "ignored", "ignored")
        return float(found[-1:] == [words(row["answer"])])

    def after_the_turn(text: str, row: dict[str, Any]) -> float:
        found = answers(text.split("Assistant:")[-1], "ignored", "ignored")
        return float(found == [words(row["answer"])])

    for reward in (before_the_turn, after_the_turn):
        assert "reward.another_turn" in stood_out(World(ROWS["facts"], TAG, reward))


# --- the grammar -----------------------------------------------------------------------------


UNITS = st.lists(
    st.builds(
        Unit,
        st.sampled_from([OPEN, THOUGHT, UNFINISHED, TURN]),
        st.sampled_from(["right", "wrong", "other", "empty"]),
    ),
    min_size=1,
    max_size=4,
).map(tuple)


@given(UNITS)
def test_a_sequence_is_read_back_from_its_label(units):
    assert parse(label(units)) == units


@given(UNITS, st.sampled_from(READINGS))
def test_no_reading_pays_where_it_sees_no_right_answer(units, reading):
    seen = visible(units, reading)
    if "right" not in seen:
        assert expected(units, reading) is not True
    if seen and set(seen) == {"right"} and reading.counts != "only":
        assert expected(units, reading) is True


@given(UNITS)
def test_any_pays_whatever_another_reading_of_the_same_text_pays(units):
    for reading in READINGS:
        if reading.counts != "any" and expected(units, reading):
            same = (reading.thinking, reading.unfinished)
            (broad,) = [
                one
                for one in READINGS
                if one.counts == "any" and (one.thinking, one.unfinished) == same
            ]
            assert expected(units, broad) is True


def test_each_sequence_is_tried_once():
    for slotted in (True, False):
        made = list(sequences(slotted=slotted, turns=slotted))
        assert len(made) == len(set(made))


def test_lines_beside_those_that_are_asked_for_by_their_keys_are_no_second_answer():
    """Each line has a key of its own: what else stands in the slot answers nothing."""
    sheets = [f"regular: 3{n}:15\novertime: 0:{n}5\npay: {71 * n + 604}.25" for n in range(6)]
    rows = [{"question": f"Work out sheet {n}.", "answer": one} for n, one in enumerate(sheets)]

    def by_key(text: str, row: dict[str, Any]) -> float:
        found = re.findall(r"(?s)<answer>(.*?)</answer>", text)
        lines = [line for line in found[-1].splitlines() if re.match(r"(regu|over|pay)", line)]
        return float("\n".join(lines) == row["answer"])

    world = World(rows, TAG, by_key)
    assert world.brief.right.keyed
    assert world.production("several_in_slot").status in (*FAIR, "warn")
    plain = [{"question": row["question"], "answer": f"sheet: {n}"} for n, row in enumerate(rows)]
    assert not World(plain, TAG, by_key).brief.right.keyed
