"""What the examples of a contract earn, each read in the way nearest to what it should earn.

A text is an answer after the calls that one needs, or the only reply; messages go up to where the
environment ends the rollout.
"""

from __future__ import annotations

from typing import Any

from lab.environment.messages import replies
from lab.reward.contract import Contract, Example
from lab.reward.session import Session

Scored = list[tuple[int, Example, float | None]]
"""(position of the task, example, what it earned; None where it cannot be scored)."""


def score_examples(contract: Contract, session: Session) -> tuple[Scored, int]:
    """What the examples earned, and for how many there was no time."""
    positions = {task.index: i for i, task in enumerate(session.env.description.tasks)}
    right = contract.right_examples()
    found: Scored = []
    late = 0
    for example in contract.examples:
        if (i := positions.get(example.task)) is not None:
            score = session.score(i, example.completion, right=example in right)
            late += score.kind == "not_run"
            found.append((i, example, nearest(session, i, example, score.reward)))
    return found, late


def nearest(session: Session, task: int, example: Example, earned: float | None) -> float | None:
    """What an example earns, where it earned `earned` as it is written."""
    said, prelude = example.completion, session.env.prelude
    if not isinstance(said, str):
        # After a prelude, messages would be played behind it.
        return earned if task in prelude else _as_played(session, task, said, earned)
    if task not in prelude:
        return earned
    alone = session.score(task, [{"role": "assistant", "content": said}]).reward
    known = [reward for reward in (earned, alone) if reward is not None]
    if example.number is None:  # what is wrong earns the less, what is right the more
        return (min if example.wrong else max)(known, default=None)
    meant = example.number
    return min(known, key=lambda reward: abs(reward - meant), default=None)


def _as_played(
    session: Session, task: int, messages: list[dict[str, Any]], earned: float | None
) -> float | None:
    """What messages earn, of which the environment may take the first ones only."""
    said = replies(messages)
    for played in session.env.play(task, [said]):
        if len(replies(played.messages)) < len(said):
            return session.score(task, played.messages).reward
    return earned
