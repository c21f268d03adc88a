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

from lab.answers.forms import TWIN
from lab.environment import Environment
from lab.review.answers import Own
from lab.review.compared import in_words
from lab.review.items import PAID, PART, verdict
from lab.review.sealed import Review
from lab.reward.interactive.messages import shown
from lab.reward.scale import Scale

AGREES, CONTRADICTED, DIFFERS, NOT_SCORED = "agrees", "contradicted", "differs", "not scored"
NO_JUDGE = "a judge decides what they earn, and no real one was named: --judge-base-url URL"


@dataclass(frozen=True)
class Scored:
    own: Own
    reward: float | None
    state: str
    error: str = ""


def scale_data(scale: Scale, golds: dict[int, str]) -> dict[str, Any]:
    """What is kept of a scale: enough to say of a reward whether it is paid."""
    return {
        "right": {str(i): reward for i, reward in scale.right.items()},
        "wrong": {str(i): list(rewards) for i, rewards in scale.wrong.items()},
        "graded": scale.graded,
        "unit": scale.unit,
        "golds": {str(i): gold for i, gold in golds.items()},
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
            yield Scored(one, None, NOT_SCORED, f"the sheet has no task {one.task}")
            continue
        gold = str(review.scale["golds"].get(str(i), ""))
        quoted = in_words(one.why, review.shown.words)
        yield _scored(env, scale, i, one, gold, quoted)


def _scored(env: Environment, scale: Scale, i: int, one: Own, gold: str, quoted: bool) -> Scored:
    """What one earns. Where the sheet's completions come after calls of a tool, the reader's may
    stand for the whole rollout: it counts after the calls and without them, as the reader says."""
    called = env.prelude
    found: list[Scored] = []
    for prelude in (called, {}) if i in called else (called,):
        env.prelude = prelude
        env.expect(one.earns == "right", one.completion)
        done = env.score(i, one.completion)
        if done.reward is None:
            found.append(Scored(one, None, NOT_SCORED, done.error))
            continue
        state = state_of(one, verdict(scale, i, done.reward), gold, quoted, i in called)
        found.append(Scored(one, done.reward, state))
    env.prelude = called
    order = (AGREES, DIFFERS, CONTRADICTED, NOT_SCORED)
    return min(found, key=lambda scored: order.index(scored.state))


def without_judge(own: tuple[Own, ...]) -> list[Scored]:
    """All of them unscored: a scripted judge says of a completion what it was told to say."""
    return [Scored(one, None, NOT_SCORED, NO_JUDGE) for one in own]


def state_of(own: Own, says: str, gold: str, quoted: bool, called: bool) -> str:
    """Whether reader and reward contradict each other, or differ on what is a question: the right
    answer in another form. `called`: a rule on what is done before the answer is more than that."""
    if own.earns == says:
        return AGREES
    if PART in (own.earns, says):
        return DIFFERS
    text, gold = shown(own.completion).lower(), gold.strip().lower()
    has_gold = bool(gold) and (gold in text or TWIN.get(gold, gold) in text)
    if own.earns == PAID:
        return CONTRADICTED if quoted and (has_gold or not gold) else DIFFERS
    more = called or not has_gold or _several(text, gold)
    return CONTRADICTED if (quoted and more) or (bool(gold) and not has_gold) else DIFFERS


def _several(text: str, gold: str) -> bool:
    """Whether the text has more than one place like that of the right answer: the rule is then
    about which one counts, and not about a form."""
    at = text.rfind(gold)
    mark = text[text.rfind("\n", 0, at) + 1 : at].strip()[-20:]
    return bool(mark) and text.count(mark) > 1
