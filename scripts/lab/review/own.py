"""Completions of the reader's own, scored by the reward: what they earn, and where they differ.

Whoever writes one shows a rule that no completion of the sheet tests. It counts as a contradiction
when a sentence of README or prompt stands behind it, or when it is called wrong, is paid, and does
not even contain the right answer. A right one must contain the answer of the data: a reader who
worked the task out wrongly has found nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lab.environment import Environment
from lab.review.answers import Own
from lab.review.compared import in_words
from lab.review.items import PAID, PART, REFUSED
from lab.review.sealed import Review
from lab.reward.interactive.messages import shown
from lab.reward.scale import Scale

AGREES, CONTRADICTED, DIFFERS, NOT_SCORED = "agrees", "contradicted", "differs", "not scored"
NO_JUDGE = "a judge decides what they earn, and no real one was named: --judge-base-url URL"


@dataclass(frozen=True)
class Scored:
    own: Own
    reward: float | None
    says: str
    state: str
    error: str = ""


def scale_data(scale: Scale, golds: dict[int, str], index: dict[int, int]) -> dict[str, Any]:
    """What is kept of a scale: enough to say of a reward whether it is paid."""
    return {
        "right": {str(i): reward for i, reward in scale.right.items()},
        "wrong": {str(i): list(rewards) for i, rewards in scale.wrong.items()},
        "graded": scale.graded,
        "unit": scale.unit,
        "golds": {str(i): gold for i, gold in golds.items()},
        "places": {str(number): i for i, number in index.items()},
    }


def scale_of(data: dict[str, Any]) -> Scale:
    right = {int(i): reward for i, reward in data["right"].items()}
    wrong = {int(i): rewards for i, rewards in data["wrong"].items()}
    return Scale(right, wrong, data["graded"], data["unit"])


def score(env: Environment, review: Review, own: tuple[Own, ...]) -> Iterator[Scored]:
    """Each with what it earned, in an environment that is started as for the sheet."""
    scale = scale_of(review.scale)
    env.prelude = {int(i): said for i, said in review.settings.get("prelude", {}).items()}
    env.fresh_each = bool(review.settings.get("fresh_each"))
    places = {task.index: i for i, task in enumerate(env.description.tasks)}
    for one in own:
        i = places.get(one.task)
        if i is None:
            yield Scored(one, None, REFUSED, NOT_SCORED, f"the sheet has no task {one.task}")
            continue
        env.expect(one.earns == "right", one.completion)
        done = env.score(i, one.completion)
        if done.reward is None:
            yield Scored(one, None, REFUSED, NOT_SCORED, done.error)
            continue
        says = _says(scale, i, done.reward)
        gold = str(review.scale["golds"].get(str(i), ""))
        quoted = in_words(one.why, review.shown.words)
        yield Scored(one, done.reward, says, _state(one, says, gold, quoted))


def without_judge(own: tuple[Own, ...]) -> list[Scored]:
    """All of them unscored: a scripted judge says of a completion what it was told to say."""
    return [Scored(one, None, REFUSED, NOT_SCORED, NO_JUDGE) for one in own]


def _says(scale: Scale, task: int, reward: float) -> str:
    if scale.paid(task, reward):
        return PAID
    return PART if scale.paid_in_part(task, reward) else REFUSED


def _state(own: Own, says: str, gold: str, quoted: bool) -> str:
    if own.earns == says:
        return AGREES
    if PART in (own.earns, says):
        return DIFFERS
    has_gold = bool(gold) and gold.strip().lower() in shown(own.completion).lower()
    if own.earns == PAID:
        return CONTRADICTED if quoted and (has_gold or not gold) else DIFFERS
    return CONTRADICTED if quoted or (bool(gold) and not has_gold) else DIFFERS
