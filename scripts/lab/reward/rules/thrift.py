"""Whether more moves than are needed earn more.

The same move is made once, and again and again, before the right answer. A bonus for few moves that
is turned round, or a count of moves, pays for the repetition.
"""

from __future__ import annotations

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.interactive.goes_on import goes_on
from lab.reward.productions.base import DESIGN

TIMES = (1, 3, 6)
"""How often the move is made before the answer."""
TASKS, RISE = 4, 0.1
"""Tasks that are played, and the share of a right answer by which the reward rises."""
THRIFT = Check(
    "reward.thrift",
    title="more moves than are needed earn no more",
    expected=f"the right answer after {TIMES[-1]} equal moves is paid at most {RISE:.0%} more than "
    "after one",
    reason="A bonus for few moves that is turned round teaches to waste them.",
    source="own cases: a number of moves that is subtracted the wrong way, in two helplines",
)


def finding(b: Brief) -> Finding:
    if b.judged or not b.with_gold or not b.scale.apart or not b.playable:
        return THRIFT.skip("no exchange in which a move could be made again")
    found = []
    tasks, final = b.sample(TASKS, gold=True), b.format.before.split()[:1]
    for task in tasks:
        move = goes_on(b.play, task, b.tasks[task].shown, final)
        if move and (earned := _earned(b, task, move)):
            found.append((task, move, earned))
    rising = [one for one in found if _rises(b, one[2])]
    if not found:
        return THRIFT.skip("no move was found after which the exchange goes on")
    if len(rising) * 2 < len(found) or len(rising) < min(2, len(tasks)):
        return THRIFT.ok(measured=f"{len(rising)} of {len(found)} tasks")
    task, move, earned = rising[0]
    shown = ", ".join(f"{reward:.3g} after {n}" for n, reward in earned.items())
    return THRIFT.fail(
        measured=f"{len(rising)} of {len(found)} tasks",
        evidence=f"task {b.tasks[task].index}: the right answer earns {shown} times "
        f"'{excerpt(move, 60)}'",
        fix=f"take what is beyond the need from the reward: max(0, used - par) ({DESIGN}#thrift)",
        severity="high",
        direction="false_positive",
    )


def _earned(b: Brief, task: int, move: str) -> dict[int, float]:
    """By number of moves what the right answer earns after them, as far as it is still taken."""
    found = {}
    right = b.write(b.gold(task))
    for n in TIMES:
        for one in b.play(task, [*[move] * n, right]):
            if one.reward is not None and one.messages[-1].get("content") == right:
                found[n] = one.reward
    return found if len(found) > 1 and found.get(1) is not None else {}


def _rises(b: Brief, earned: dict[int, float]) -> bool:
    rewards = list(earned.values())
    return rewards[0] > 0 and rewards[-1] - rewards[0] > RISE * b.scale.gap
