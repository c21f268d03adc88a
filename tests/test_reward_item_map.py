"""A judge's word for each of several items, in the object that its prompt shows."""

from __future__ import annotations

import json

import pytest

from lab.reward.judges.item_map import mapped
from lab.reward.judges.verdicts import reply as verdict

POINTS = """Decide for each point: "stated" or "contradicted", else "missing".

p1: the year
p2: the town
p3: the price

Reply with one object, for example {"p1": "stated", "p2": "missing"}."""
FACTS = """1. the year
2. the town
"kept": it is there. "lost": it is not. More than that ("additions": "yes" or "no")?
{"facts": {"1": "kept", "2": "lost", "3": "lost"}, "additions": "no"}"""


DATA = """You get an object with "notice" and "points". Reply as {"1": "sim", "2": "nao"}.
{"points": {"1": "the day on which it begins", "2": "the hall in which it is", "3": "the price of \
a ticket"}, "notice": "Doors open at eight."}"""


@pytest.mark.parametrize(
    ("prompt", "good", "bad"),
    [
        (DATA, dict.fromkeys("123", "sim"), dict.fromkeys("123", "nao")),
        (
            POINTS,
            {"p1": "stated", "p2": "stated", "p3": "stated"},
            {"p1": "contradicted", "p2": "contradicted", "p3": "contradicted"},
        ),
        (
            FACTS,
            {"facts": {"1": "kept", "2": "kept"}, "additions": "no"},
            {"facts": {"1": "lost", "2": "lost"}, "additions": "no"},
        ),
    ],
)
def test_each_item_gets_the_word(prompt, good, bad) -> None:
    form = mapped(1)
    assert [json.loads(form(prompt, right, None)) for right in (True, False)] == [good, bad]


@pytest.mark.parametrize("prompt", ["Say yes or no.", '{"score": 3}', '{"1": "x"', "{" * 2000])
def test_other_prompts_get_nothing(prompt) -> None:
    assert mapped(1)(prompt, True, None) == ""


def test_a_list_of_verdicts_has_one_for_each_item_and_the_keys_beside_it() -> None:
    prompt = (
        "Points:\n1. the year\n2. the town\n3. the price\n\n1. Say of each whether it is told.\n"
        '2. Say whether all of it is formal.\nReply {"points": [true, false, ...], "formal": true}.'
    )
    said = [json.loads(verdict(prompt, right)) for right in (True, False)]
    assert said == [{"points": [right] * 3, "formal": right} for right in (True, False)]
