"""Tasks of several kinds, golds in a unit or by key, and golds that stand in a wrong order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lab.environment import Task
from lab.reward import plan
from lab.reward.contract import Contract, Example
from lab.reward.productions.base import PRODUCTIONS
from lab.reward.reading.candidates import candidates
from lab.reward.rules import keys, kinds, orders, paid, shots
from reward_briefs import World

TAG = "<answer>{answer}</answer>"


def nothing(text, row):
    return 0.0


def tasks_of(*fields: dict) -> list[Task]:
    return [Task(i, str(i), f"How much is lot {i}?", "", one) for i, one in enumerate(fields)]


def read(*fields: dict) -> dict[str, str]:
    """What each way to read the fields gives for the first task."""
    found = candidates(tasks_of(*fields))
    return {f"{one.field} {one.reading}": one.golds[0] or "" for one in found}


def test_amounts_in_cents_are_written_as_prices():
    assert (
        read({"total_cents": 12990}, {"total_cents": 500})["total_cents in hundredths"] == "129.90"
    )
    assert not [name for name in read({"count": 12990}, {"count": 500}) if "hundredths" in name]


def test_a_number_is_written_with_the_unit_beside_it():
    found = read({"target": 12.5, "unit": "kg"}, {"target": -30.0, "unit": "°C"})
    assert found["target+unit with its unit"] == "12.5 kg"
    assert not [name for name in read({"target": 12.5}, {"target": 2}) if "unit" in name]
    counted = read({"target": 12.5, "units": 3}, {"target": 2, "units": 4})
    assert not [name for name in counted if "its unit" in name], "a number is no unit"


def test_a_mapping_is_written_with_a_line_for_each_key():
    found = read({"roles": {"Abel": "knave", "Berta": "knight"}}, {"roles": {"Cyril": "knave"}})
    assert found["roles a line for each key"] == "Abel: knave\nBerta: knight"
    counts = read({"counts": {"r": 7, "b": 3}}, {"counts": {"s": 1}})
    assert counts["counts keys = values, with commas"] == "r=7, b=3"


KINDS = [
    {"question": f"Question {n}?", "answer": str(70 + n), "kind": kind, "era": era}
    for n, (kind, era) in enumerate([("year", "")] * 4 + [("era", "Meiji")] * 4)
]


@pytest.mark.parametrize(
    ("rows", "paid", "said"),
    [
        (KINDS, [0, 1, 2, 3], "kind is 'era'"),
        ([{**row, "kind": "one"} for row in KINDS], [0, 1, 2, 3], "era is 'Meiji'"),
        (KINDS, [0, 1, 4, 5], ""),
        (KINDS, [0, 1, 2, 3, 4, 5], ""),
        ([{**row, "kind": "one", "era": ""} for row in KINDS], [0, 1, 2, 3], ""),
    ],
)
def test_golds_that_are_refused_on_one_kind_of_task_alone(rows, paid, said):
    brief = World(rows, TAG, nothing).brief
    unpaid = [i for i in range(len(rows)) if i not in paid]
    found = kinds.difference(brief, paid, unpaid)
    assert found.startswith(said) if said else not found


def test_golds_of_several_members_are_another_kind():
    rows = [{"question": f"Q {n}?", "answer": ["1"] * (1 + n // 4)} for n in range(8)]
    brief = World(rows, TAG, nothing, reading="any of").brief
    assert kinds.difference(brief, [0, 1, 2, 3], [4, 5, 6, 7]).startswith("answer is a list of 2")
    declared = replace(brief, contract=Contract(examples=(Example(0, "<answer>1</answer>", 1.0),)))
    assert not kinds.difference(declared, [0, 1, 2, 3], [4, 5, 6, 7])


WORDS = ("zebra água leão", "uva época praia", "mesa índice lua", "rua órgão sino", "vaca ímã dedo")
NAMES = ("Zorn Ahl Öst", "Berg Åse Ek", "Dal Ås Falk", "Ärla Gran Hed")


def in_order(lists, key) -> World:
    rows = [
        {"question": f"Sort: {text}", "answer": sorted(text.split(), key=key)} for text in lists
    ]
    return World(rows, TAG, nothing, reading="with commas")


@pytest.mark.parametrize(
    ("lists", "key", "readme", "status"),
    [
        (WORDS, None, "In alphabetical order.", "fail"),
        (WORDS, str.casefold, "", "fail"),
        (WORDS, None, "In the order of their code points.", "skip"),
        (WORDS, len, "", "skip"),
        (NAMES, None, "", "pass"),  # these letters stand after z in the languages that have them
        (("cab abc bca", "x z y", "m n o", "k j i"), None, "", "pass"),
    ],
)
def test_alphabetical_golds_are_those_of_a_dictionary(lists, key, readme, status):
    found = orders.finding(replace(in_order(lists, key).brief, readme=readme))
    assert found.status == status, found
    assert ("in a dictionary" in found.evidence) == (status == "fail")


def asked_twice(moves: bool) -> World:
    rows = []
    for n in range(4):
        for turned in (False, True):
            options = [f"p{n}", f"q{n}", f"r{n}"]
            options = options[::-1] if turned else options
            right = [f"p{n}", f"q{n}"] if moves else options[:2]
            letters = sorted("ABC"[options.index(text)] for text in right)
            listed = "\n".join(f"{mark}) {text}" for mark, text in zip("ABC", options, strict=True))
            rows.append({"question": f"Which of set {n}?\n{listed}", "answer": letters})
    return World(rows, TAG, nothing, reading="with commas")


@pytest.mark.parametrize("moves", [True, False])
def test_options_in_another_order_have_the_same_right_ones(moves):
    found = keys._twice(asked_twice(moves).brief)
    assert found.status == ("pass" if moves else "fail"), found
    assert moves or "4 of 4 that come again" in found.evidence


MESSAGES = ("where is my card now", "pay back my money", "my pin is blocked", "close the account")


@pytest.mark.parametrize(
    ("own", "below", "status"), [(True, "", "fail"), (False, "", "pass"), (True, " or in", "pass")]
)
def test_the_examples_of_a_prompt_are_other_tasks(own, below, status):
    rows = []
    for n, said in enumerate(MESSAGES):
        others = [(one, f"label_{k}") for k, one in enumerate(MESSAGES) if own or k != n]
        shots_ = "\n".join(f"Message: {one}\nLabel: {label}" for one, label in others)
        listed = " or ".join(f"label_{k}" for k in range(4)) if below else ""
        rows.append({"question": f"{shots_}\nMessage: {said}\n{listed}", "answer": f"label_{n}"})
    found = shots.finding(World(rows, TAG, nothing).brief)
    assert found.status == status, found


def test_pairs_are_objects_with_an_examples_keys_in_either_order():
    shown = 'List them as JSON: [{"text": "Oslo", "type": "PLACE"}]'
    fields = {"entities": [["PLACE", "Rome"], ["DATE", "May"]]}
    tasks = [Task(i, str(i), f"{shown} {i}", "", fields) for i in range(2)]
    golds = {one.golds[0] for one in candidates(tasks)}
    assert '[{"type": "PLACE", "text": "Rome"}, {"type": "DATE", "text": "May"}]' in golds


@pytest.mark.parametrize(
    ("faulty", "tried", "status"),
    [({1, 2, 4, 5, 6}, 24, "fail"), ({6}, 24, "warn"), (set(), 8, "pass")],
)
def test_what_one_task_of_a_sample_shows_is_tried_on_all(faulty, tried, status):
    rows = [{"question": f"Repair lot {n}.", "answer": f"{7 * n + 100}"} for n in range(24)]

    def repaired(text: str, row: dict) -> float:
        as_it_was = (int(row["answer"]) - 100) // 7 in faulty
        return float(text.endswith(row["answer"]) or (as_it_was and row["question"] in text))

    one = World(rows, "Answer: {answer}", repaired)
    echo = next(p for p in PRODUCTIONS if p.id == "echo")
    first = [p for each in plan.of_production(one.brief, echo) for p in each]
    more = plan.elsewhere(one.brief, one.table(first))
    found = paid.result(one.brief, one.table([*first, *more]), echo)
    assert len(found.tasks) == tried
    assert paid.finding(one.brief, found).status == status
