"""Replies that are found with one line of several, and completed with the others that count."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.reward.contract import Contract
from lab.reward.formats.answer_format import PLAIN
from lab.reward.reading.completed import completed, left_out
from lab.reward.reading.found import Found
from lab.reward.reading.right import Right
from lab.reward.reading.solved import by_comparisons
from test_reward_solved import written

FIELDS = "Fields:\n- tenant: who rents\n- landlord: who lets\n- rent: per month"
LEASE = {
    "prompt": "Give a line for each.\\n- tenant: who rents\\n- floor: which\\n- rent: how much",
    "kind": "list[dict[str, str]]",
    "first": "[{'field': 'tenant', 'is': f'Mr {second}'}, {'field': 'floor', "
    "'is': rng.choice(['attic', 'cellar'])}, {'field': 'rent', 'is': str(second * 7)}]",
    "reward": """
        said = {key.strip(): value.strip().lower() for key, _, value in
                (line.partition(":") for line in text.splitlines())}
        earned = total = 0
        for one in data.first:
            value = said.get(one["field"])
            if value is None:
                MISSING
                continue
            total += 1
            earned += value == one["is"].lower()
        return earned / total if total else 0.0
""",
}


@pytest.mark.parametrize(
    ("prompt", "reply", "labels"),
    [
        (FIELDS, "tenant: Ann", ["landlord", "rent"]),
        (FIELDS, "Rent: 5\nTENANT: Ann", ["landlord"]),
        (FIELDS, "Ann", []),
        ("Fields:\n- tenant: who rents\n- rent: per month", "tenant: Ann", []),
        (FIELDS.replace("- ", ""), "tenant: Ann", []),
    ],
)
def test_the_list_of_a_prompt_says_what_a_reply_leaves_out(prompt, reply, labels) -> None:
    assert left_out(prompt, reply) == labels


@pytest.mark.parametrize(
    ("counts", "whole"),
    [
        ({"landlord": "Bo", "rent": "7"}, "tenant: Ann\nlandlord: Bo\nrent: 7"),
        ({"rent": "7"}, "tenant: Ann\nrent: 7"),
        ({"landlord": "none"}, ""),
        ({}, ""),
    ],
)
def test_what_counts_where_it_is_given_is_put_to_the_reply(counts, whole) -> None:
    def mended(text: str) -> str:
        head, last = text.rsplit("\n", 1)
        label = last.partition(":")[0]
        return f"{head}\n{label}: {counts[label]}" if label in counts else text

    assert completed(FIELDS, "tenant: Ann", mended) == whole


def test_what_may_be_left_out_is_not_missed() -> None:
    prompt = f"{FIELDS}\nLeave those out that the lease does not state."
    assert completed(prompt, "tenant: Ann", lambda text: f"{text[:-1]}Bo") == ""
    assert completed(FIELDS, "tenant: Ann", lambda text: f"{text[:-1]}Bo") != ""


def test_where_nothing_mends_a_reply_it_stays_as_it_was() -> None:
    assert completed(FIELDS, "tenant: Ann", lambda text: None) == ""


@pytest.mark.parametrize("sound", [True, False])
def test_what_is_left_out_must_cost_something(tmp_path: Path, bench, sound) -> None:
    reward = LEASE["reward"].replace("MISSING", "total += 1" if sound else "pass")
    with bench.open(written(tmp_path, f"lease_{int(sound)}", {**LEASE, "reward": reward})) as env:
        tasks = env.description.tasks
        options: list[list[str]] = [[] for _ in tasks]
        nothing = Found(Right(tasks))
        found = by_comparisons(env, Contract(), [PLAIN], options, 1.0, nothing)
        assert found is not None
        golds = [gold for gold in found.right.golds if gold]
        assert golds and all(len(gold.splitlines()) == 3 for gold in golds)
        assert bool(found.right.cut) != sound
        for i, text in found.right.cut.items():
            assert len(text.splitlines()) < 3 and env.score(i, text).reward == 1


def test_an_audit_says_that_a_part_earns_all_of_it(tmp_path: Path, bench) -> None:
    reward = LEASE["reward"].replace("MISSING", "pass")
    found = bench.audit(written(tmp_path, "lease", {**LEASE, "reward": reward}), examples=20)
    assert "earns 1 for 'rent: " in found.failed["reward.cut_short"], found.failed
