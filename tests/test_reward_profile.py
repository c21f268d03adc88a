"""Which rows of the dataset's profile an environment's golds are compared with."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from lab.environment import Description, Task
from lab.reward.brief import Brief
from lab.reward.reading.found import Found
from lab.reward.reading.right import Right
from lab.reward.rules.data import findings


def compared(folder, tasks: list[Task], facts: dict[str, Any]):
    """The finding about tasks whose gold is `answer`, beside a profile with these facts."""
    (folder / ".prime-lab").mkdir(parents=True)
    (folder / ".prime-lab" / "profile.json").write_text(json.dumps({"facts": facts}))
    golds = [task.fields["answer"] for task in tasks]
    right = Right(tasks, source="answer", reading="as it is", golds=golds, answer_type="boolean")
    brief = Brief(Description("taskset", tasks, len(tasks), {}, [], []), right)
    env: Any = SimpleNamespace(location=SimpleNamespace(path=folder))
    found = findings(brief, Found(right), env)
    return next(one for one in found if one.id == "data.gold_matches_profile")


def task(number: int, prompt: str, gold: str) -> Task:
    return Task(number, f"t{number}", prompt, fields={"answer": gold})


def shops(golds: list[str]) -> list[Task]:
    """One question about a passage each; after twenty the questions come again."""
    text = "Passage {} about shops.\n\nIs the shop number {} open at noon?"
    return [task(i, text.format(i, i % 20), gold) for i, gold in enumerate(golds)]


def profile(context: list[str]) -> dict[str, Any]:
    questions = [f"Is the shop number {i} open at noon?" for i in range(20)]
    return {"questions": questions, "golds": ["yes"] * 20, "context_fields": context}


@pytest.mark.parametrize(
    ("golds", "context", "status"),
    [
        (["yes"] * 24 + ["no"] * 6, ["passage"], "pass"),
        (["yes"] * 24 + ["no"] * 6, [], "fail"),
        (["no"] * 30, ["passage"], "fail"),
    ],
    ids=["another passage, another gold", "no passage, one gold each", "another column"],
)
def test_golds_of_other_passages_may_differ_and_those_of_another_column_all_do(
    tmp_path, golds, context, status
):
    assert compared(tmp_path, shops(golds), profile(context)).status == status


def test_the_same_question_with_two_golds_is_left_out(tmp_path):
    questions = ["is the shop open at noon", "is the shop open at noon", "is it far to the town"]
    facts = {"questions": questions, "golds": ["True", "False", "True"]}
    found = compared(tmp_path, [task(0, questions[0], "no"), task(1, questions[2], "True")], facts)
    assert (found.status, found.measured) == ("pass", "1 questions compared")


def test_a_question_is_not_found_inside_a_longer_number(tmp_path):
    questions = ["is the shop open at half past 1", "is the shop open at half past 15"]
    facts = {"questions": questions, "golds": ["True", "False"]}
    text = "It opens at 8.\n\nIs the shop open at half past {}?\n\nAnswer yes or no."
    tasks = [task(n, text.format(n), gold) for n, gold in ((1, "True"), (15, "False"), (12, "no"))]
    found = compared(tmp_path, tasks, facts)
    assert (found.status, found.measured) == ("pass", "2 questions compared")


@pytest.mark.parametrize("facts", [{}, {"questions": 3, "golds": []}, {"questions": ["a"]}, []])
def test_a_profile_that_cannot_be_used_is_a_skip(tmp_path, facts):
    assert compared(tmp_path, [task(0, "Is it?", "yes")], facts).status == "skip"
