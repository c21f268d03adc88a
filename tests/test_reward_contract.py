"""What a contract declares is what the reward does, or a finding; and it is not asked again."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lab.reward.contract import CLAUSES, Contract, Example
from reward_briefs import World
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.prelude import last_tag, number
from benchmarks.reward_defects.rows import ROWS

TAG = "<answer>{answer}</answer>"
Row = dict[str, Any]


def right(text: str, row: Row) -> float:
    found = number(last_tag(text))
    return float(found is not None and found == number(row["answer"]))


def literal(text: str, row: Row) -> float:
    return float(last_tag(text) == row["answer"])


def floor(share: float) -> Callable[[str, Row], float]:
    """A reward that pays a share for the form alone."""

    def reward(text: str, row: Row) -> float:
        return share * float(last_tag(text) is not None) + (1 - share) * right(text, row)

    return reward


def within(share: float) -> Callable[[str, Row], float]:
    def reward(text: str, row: Row) -> float:
        found, gold = number(last_tag(text)), number(row["answer"])
        return float(found is not None and gold is not None and abs(found - gold) <= share * gold)

    return reward


def near(text: str, row: Row) -> float:
    found, gold = number(last_tag(text)), number(row["answer"])
    if found is None or gold is None:
        return 0.0
    return 1.0 if found == gold else max(0.0, 0.9 - abs(float(found - gold)) / (float(gold) + 1))


def talking(text: str, row: Row) -> float:
    return right(text, row) or 0.3 * float(len(text) > 200)


def world(reward: Callable[[str, Row], float], contract: Contract, **rest: Any) -> World:
    return World(ROWS["large"], TAG, reward, contract=contract, **rest)


KEPT: dict[str, tuple[Any, Callable, Callable]] = {
    "wrong": (0.2, floor(0.2), floor(0.4)),
    "empty": (0.2, floor(0.2), floor(0.4)),
    "silent": (0.0, right, talking),
    "refuses": (("all",), literal, right),
    "accepts": (("thousands separator",), right, literal),
}
"""Clause: its value, a reward that keeps it, one that does not."""


@pytest.mark.parametrize("clause", KEPT)
def test_a_clause_that_is_not_kept_is_a_finding_that_names_it(clause):
    value, kept, broken = KEPT[clause]
    contract = Contract(**{clause: value})
    assert world(kept, contract).about_contract.status == "pass"
    found = world(broken, contract).about_contract
    assert found.status == "fail", found.evidence
    assert found.evidence.startswith(clause) and "contract.toml" in found.fix


@pytest.mark.parametrize(
    ("contract", "said"),
    [
        (Contract(partial="graded"), "partial: no completion earned a part"),
        (Contract(refuses=("roman numerals",)), "is 'roman numerals' (there are: "),
        (Contract(gold="info.answr"), "gold: no task has a field 'info.answr'"),
    ],
)
def test_a_clause_that_nothing_bears_out_is_a_warning(contract, said):
    found = world(right, contract).about_contract
    assert found.status == "warn" and said in found.evidence


def test_nothing_declared_is_nothing_to_hold():
    assert world(right, Contract()).about_contract.status == "skip"


def test_near_answers_that_earn_a_part_are_declared_or_refused():
    assert world(near, Contract(partial="graded"), graded=True).about_contract.status == "pass"
    found = world(near, Contract(partial="none"), graded=True).about_contract
    assert found.status == "fail" and "partial" in found.evidence


@pytest.mark.parametrize(("base", "status"), [(0.0, "pass"), (0.2, "fail")])
def test_a_wrong_list_that_shares_a_member_earns_a_part_where_parts_are_declared(base, status):
    """What shares nothing is the wrong answer that the clause speaks of."""
    rows = [{"question": f"Owners of {n}?", "answer": f"Bob, {n}"} for n in NAMES]

    def members(text: str, row: Row) -> float:
        said = set(re.split(r", ", (re.findall(r"<answer>(.*)</answer>", text) or [""])[-1]))
        return max(base, len(said & set(row["answer"].split(", "))) / max(len(said), 2))

    contract = Contract(partial="graded", wrong=0.0, answer_type="list")
    found = World(rows, TAG, members, contract=contract, graded=True).about_contract
    assert ("wrong: a wrong answer" in (found.evidence or "")) is (status == "fail"), found


@pytest.mark.parametrize(("base", "status"), [(0.0, "pass"), (0.2, "fail")])
def test_a_near_number_earns_a_part_where_parts_are_declared(base, status):
    """The number that is far off is the wrong answer that the clause speaks of."""
    rows = [{"question": f"How high is tower {n}?", "answer": str(40 + 13 * n)} for n in range(8)]

    def estimated(text: str, row: Row) -> float:
        found = re.findall(r"<answer>(-?[\d.]+)</answer>", text)
        off = abs(float(found[-1]) / float(row["answer"]) - 1) if found else 1.0
        return max(base, 1 - 5 * off)

    contract = Contract(partial="graded", wrong=0.0, answer_type="number")
    found = World(rows, TAG, estimated, contract=contract, graded=True).about_contract
    assert ("wrong: a wrong answer" in (found.evidence or "")) is (status == "fail"), found


def test_answers_of_two_labelled_lines_are_wrong_as_far_as_the_other_line_says():
    """Every answer shares the labels: the wrong one that the clause speaks of is another task's."""
    clauses = ("1(a)", "1(b)", "2(a)", "2(b)", "3(a)", "3(b)", "4(a)", "4(b)")
    rows = [
        {"question": f"Claim {n}?", "answer": f"Decision: {word}\nClause: {clause}"}
        for n, (clause, word) in enumerate(
            zip(clauses, ("full", "half", "none", "new") * 2, strict=True)
        )
    ]

    def lines(text: str, row: Row) -> float:
        said, wanted = text.split("\n")[-2:], row["answer"].split("\n")
        return 0.0 if said[0] != wanted[0] else 1.0 if said == wanted else 0.3

    contract = Contract(partial="graded", wrong=0.0)
    found = World(rows, "{answer}", lines, contract=contract).about_contract
    assert found.status == "pass", found


NAMES = ("Ann", "Cleo", "Dora", "Emil", "Finn", "Gus", "Hans", "Ida")


# --- tolerance -------------------------------------------------------------------------------


def test_a_declared_tolerance_is_neither_a_near_miss_nor_a_matter_of_taste():
    assert world(within(0.1), Contract()).production("close_number").status == "fail"
    declared = world(within(0.1), Contract(tolerance=0.1))
    assert declared.production("close_number").status == "pass"
    assert declared.production("another_gold").status == "pass"
    assert declared.about_forms["reward.forms_core"].status == "pass"


def test_less_than_the_declared_tolerance_refuses_right_answers():
    found = world(right, Contract(tolerance=0.1)).about_forms["reward.forms_core"]
    assert found.status == "fail" and "within the tolerance" in found.evidence


def test_more_than_the_declared_tolerance_pays_wrong_ones():
    found = world(within(0.4), Contract(tolerance=0.1)).production("close_number")
    assert found.status == "fail" and "three times the tolerance off" in found.evidence


# --- length ----------------------------------------------------------------------------------


def longer(text: str, row: Row) -> float:
    return right(text, row) * min(1.5, 1 + len(text) / 4000)


def shorter(text: str, row: Row) -> float:
    return right(text, row) * max(0.3, 1 - len(text) / 8000)


@pytest.mark.parametrize(
    ("reward", "declared", "status"),
    [
        (right, None, "pass"),
        (right, "neutral", "pass"),
        (longer, None, "fail"),
        (longer, "longer", "pass"),
        (longer, "shorter", "fail"),
        (longer, "neutral", "fail"),
        (shorter, None, "warn"),
        (shorter, "shorter", "pass"),
        (shorter, "longer", "fail"),
        (shorter, "neutral", "fail"),
    ],
)
def test_length_does_what_is_declared(reward, declared, status):
    found = world(reward, Contract(length=declared)).about_length
    assert found.status == status, found.evidence


# --- examples --------------------------------------------------------------------------------


def test_an_example_earns_what_a_careful_reader_expects():
    gold = ROWS["large"][0]["answer"]
    good, bad = Example(0, f"<answer>{gold}</answer>", 1.0), Example(0, "no idea", 0.0)
    one = world(right, Contract())
    assert one.about_examples(good, bad).status == "pass"
    assert one.about_examples().status == "skip"
    refused = one.about_examples(Example(0, f"It is {gold}.", 1.0), bad)
    assert (refused.status, refused.direction) == ("fail", "false_negative")
    paid = world(lambda text, row: 1.0 if text == "no idea" else right(text, row), Contract())
    found = paid.about_examples(good, bad)
    assert (found.status, found.direction) == ("fail", "false_positive")
    assert "'no idea' on task 0 earns 1, not 0" in found.evidence


@pytest.mark.parametrize(("declared", "status"), [(0.25, "fail"), (0.75, "fail"), (0.97, "pass")])
def test_an_example_for_a_part_earns_that_part(declared, status):
    gold = ROWS["large"][0]["answer"]
    good, part = Example(0, f"<answer>{gold}</answer>", 1.0), Example(0, "in words", declared)
    one = world(lambda text, row: 1.0 if text == "in words" else right(text, row), Contract())
    found = one.about_examples(good, part)
    assert found.status == status
    assert status == "pass" or found.direction == "false_positive"


@pytest.mark.parametrize(("earned", "status"), [(0.8, "pass"), (0.6, "fail"), (1.0, "fail")])
def test_one_example_for_a_part_among_many_says_what_is_wrong(earned, status):
    golds = [row["answer"] for row in ROWS["large"]]
    good = [Example(i % 4, f"{i}: <answer>{golds[i % 4]}</answer>", 1.0) for i in range(12)]
    one = world(lambda text, row: earned if text == "slowly" else right(text, row), Contract())
    assert one.about_examples(*good, Example(0, "slowly", 0.8)).status == status


@pytest.mark.parametrize(("after", "status"), [("", "warn"), ("So it is.", "fail")])
def test_a_right_reply_that_ends_with_its_thinking_is_written_by_nobody(after, status):
    gold = ROWS["large"][0]["answer"]
    said = f"<answer>{gold}</answer>\n<think>\nsure\n</think>\n{after}"

    def after_thinking(text: str, row: Row) -> float:
        return right(text.rsplit("</think>", 1)[-1], row)

    one = world(after_thinking, Contract())
    for completion in (said, [{"role": "assistant", "content": said}]):
        found = one.about_examples(Example(0, completion, "right"))
        assert found.status == status, found.evidence


@pytest.mark.parametrize(
    ("others", "program", "status"),
    [
        (2, "def f(year):\n    return mod(year, 4)00 == 0", "warn"),
        (1, "def f(year):\n    return mod(year, 4)00 == 0", "fail"),
        (2, "def f(year):\n    return year % 400 == 0", "fail"),
    ],
)
def test_a_program_that_is_no_python_beside_others_is_mistyped(others, program, status):
    gold = ROWS["large"][0]["answer"]

    def said(body: str) -> str:
        return f"<answer>{gold}</answer>\n```python\n{body}\n```"

    def refuses(text: str, row: Row) -> float:
        return 0.0 if "400" in text or ")00" in text else right(text, row)

    paid = [Example(0, said(f"def f():\n    return {n}"), "right") for n in range(others)]
    found = world(refuses, Contract()).about_examples(*paid, Example(0, said(program), "right"))
    assert found.status == status, found.evidence
    assert f"1 of {others + 1} differ" in str(found.measured)


def test_a_prompt_that_shows_the_form_is_not_silent():
    form = "<answer>0</answer>"
    rows = [{**row, "question": f"{row['question']} Or {form}?"} for row in ROWS["large"]]
    contract = Contract(silent=0.0)

    def shown(text: str, row: Row) -> float:
        return right(text, row) or 0.3 * float(form in text)

    assert World(rows, TAG, shown, contract=contract).about_contract.status == "pass"
    assert World(rows, TAG, talking, contract=contract).about_contract.status == "fail"
    # Where the whole reply is compared, the answer's own tags say so.
    tagged = [{**row, "answer": f"<answer>{row['answer']}</answer>"} for row in rows]

    def whole(text: str, row: Row) -> float:
        return float(text.endswith(row["answer"])) or 0.3 * float(form in text)

    assert World(tagged, "{answer}", whole, contract=contract).about_contract.status == "pass"


def test_an_example_that_is_paid_is_paid_where_the_golds_are_not():
    """What right and wrong answers earn says nothing then."""
    says = "Total: "

    def labelled(text: str, row: Row) -> float:
        return float(text == f"{says}{row['answer']}")

    one = world(labelled, Contract())
    assert not one.brief.scale.apart
    good = Example(0, f"{says}{ROWS['large'][0]['answer']}", 1.0)
    assert one.about_examples(good).status == "pass"
    assert one.about_examples(Example(0, "Total: none", 1.0)).status == "fail"


def test_every_clause_has_a_place_where_it_is_held():
    """Those that are not here: `gold`, `answer_type`, `says` decide what is scored; `counts` and
    `thinking` are in test_reward_several, `range`, `noise` and `tools` in test_reward_whole."""
    here = {*KEPT, "partial", "tolerance", "length"}
    elsewhere = {"gold", "answer_type", "says", "counts", "thinking", "range", "noise", "tools"}
    assert here | elsewhere == set(CLAUSES)


@pytest.mark.parametrize(
    ("share", "declared", "status"),
    [(0.3, None, "fail"), (0.2, None, "pass"), (0.3, 0.3, "pass"), (0.4, 0.3, "fail")],
)
def test_a_bonus_for_the_form_that_needs_no_answer(share, declared, status):
    contract = Contract(empty=declared)
    world = World(ROWS["numbers"], TAG, floor(share), contract=contract)
    assert world.production("empty").status == status


def test_a_bonus_for_the_form_that_needs_an_answer_may_be_larger():
    def reward(text: str, row: Row) -> float:
        return 0.4 * float(bool((last_tag(text) or "").strip())) + 0.6 * right(text, row)

    assert World(ROWS["numbers"], TAG, reward).production("empty").status == "pass"


@pytest.mark.parametrize(("unread", "status"), [(True, "inconclusive"), (False, "fail")])
def test_examples_that_a_judge_cannot_answer_say_nothing_of_the_reward(unread, status):
    def asks(text: str, row: Row) -> float:
        raise ValueError("no verdict in the judge's reply")

    world = World(ROWS["numbers"], TAG, asks)
    world.brief = replace(world.brief, unread=unread)
    found = world.about_examples(Example(0, "<answer>1</answer>", 1.0))
    assert found.status == status and "judge" in (found.fix if unread else "judge")
