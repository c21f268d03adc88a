"""Answers that come too late: after the last allowed one, or after the environment told them."""

from __future__ import annotations

import re
from typing import Any

from lab.answers.alike import plain_words
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.productions.base import VALUES, Variant, Variants, production
from lab.reward.reading.acting import MOST_TURNS
from lab.reward.reading.fields import flat

WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
COUNTS = {word: n for n, word in enumerate(WORDS)}
UNIT = r"(?:guess(?:es)?|attempts?|tr(?:y|ies)|turns?|moves?|chances?|rounds?)"
LIMIT = re.compile(
    rf"\b(?:at most|up to|within|in|have|only|maximum of|no more than)\s+"
    rf"(\d{{1,2}}|{'|'.join(COUNTS)})\s+(?:\w+\s+)?{UNIT}\b",
    re.IGNORECASE,
)
LIMIT_FIELD = re.compile(
    rf"(?:^|[._])(?:max|maximum|most|allowed|limit|n|num)_{UNIT}$", re.IGNORECASE
)


@production(
    "after_the_end",
    title="an answer that is given after the last allowed one is not paid",
    free=True,
    judgement=lambda b: not b.playable,
    types=(*VALUES, "list", "json", "expression", "code"),
    reason="A game that tells the solution when it is lost pays for repeating it.",
    source="falsepass: probe list",
    fix="end the rollout with the last allowed reply, and score only the replies up to it",
)
def after_the_end(b: Brief, task: int) -> Variants:
    last = {"role": "assistant", "content": b.write(b.gold(task))}
    if b.playable:
        if told := revealed(b, task):
            yield Variant("repeating what the environment told", [*told, last])
        return
    most = allowed(b.tasks[task])
    if most is None or b.description.turns == most:
        return  # no limit, or the library itself ends the rollout there
    messages: list[dict[str, Any]] = []
    for n in range(most):
        over = f"That is wrong, and the game is over. The answer was {b.gold(task)}."
        messages.append({"role": "assistant", "content": b.write(b.wrong(task, n))})
        told_now = over if n == most - 1 else "That is wrong."
        messages.append({"role": "user", "content": told_now})
    yield Variant("repeating what was told when the game was lost", [*messages, last])


def revealed(b: Brief, task: int) -> list[dict[str, Any]]:
    """A played rollout of wrong replies up to where the environment tells the gold and takes a
    reply after it; [] where it does not."""
    gold = f" {plain_words(b.gold(task))} "
    few = b.answer_type in ("boolean", "choice", "label")
    if not gold.strip() or few or gold in f" {plain_words(b.tasks[task].shown)} ":
        return []
    replies = [b.write(b.wrong(task, n)) for n in range(MOST_TURNS)]
    messages = b.exchange(task, replies)
    # A short gold such as 7 is in many a message: not in one that other tasks' rollouts get too.
    other = next((i for i in b.with_gold if b.gold(i) != b.gold(task)), task)
    elsewhere = b.exchange(other, replies) if len(gold) < 5 and other != task else []
    for n, message in enumerate(messages):
        named = gold in f" {plain_words(str(message.get('content') or ''))} "
        if named and message["role"] == "assistant":
            return []  # it was asked about, before an answer may be given
        if named and message["role"] == "user":
            also = n < len(elsewhere) and gold in f" {plain_words(elsewhere[n]['content'])} "
            return [] if also else messages[: n + 1]
    return []


def allowed(task: Task) -> int | None:
    """How many guesses the task allows, from its fields or its words; None where it says
    nothing."""
    for path, value in flat(task.fields):
        if LIMIT_FIELD.search(path) and isinstance(value, int) and 0 < value <= 60:
            return value
    found = LIMIT.search(task.shown)
    if found is None:
        return None
    word = found[1].lower()
    return COUNTS.get(word) or (int(word) if word.isdigit() else 0) or None
