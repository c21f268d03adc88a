"""Golds that are acted out, not written: a patch that is applied, calls that change a workspace, moves.

verifiers 0.4 has no hook that solves a task. It has `Task.validate`, the task's own check of its
gold, which may apply the gold to the runtime; so each check is run, and the reward that follows it
is looked at. Besides, the fields of the tasks are acted out (see `acting`). Where no field is paid
as text, this is what can be known of the gold.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import fmean

from lab.environment import Environment, Validity
from lab.probes import acting, moves
from lab.probes.families import DESIGN
from lab.probes.learn import Learned
from lab.probes.subject import TINY
from lab.report import Check, Finding
from lab.untrusted import excerpt

VALIDATES = Check(
    "data.gold_validates",
    title="each task's own check of its gold passes",
    expected="Task.validate is True on every task tried",
    reason="A gold that does not solve its own task makes every right rollout wrong.",
    source="verifiers 0.4: Task.validate, vf-validate",
)

CLAIM = "I have done everything that was asked, and checked that it is right."


@dataclass
class Acted:
    """What the tasks' own checks said, by position of the task."""

    checked: dict[int, Validity] = field(default_factory=dict)
    idle: float = 0.0
    """What an empty reply earns without any gold."""
    claim: float = 0.0
    """What a reply earns that says the work was done, without any of it."""
    way: acting.Found | None = None
    """How the gold is acted out by calls or in turns, where that is told apart from other values."""

    @property
    def valid(self) -> bool:
        return bool(self.checked) and all(one.valid for one in self.checked.values())

    @property
    def reward(self) -> float | None:
        """Mean reward after the gold was applied; None where neither a check nor a call applies it."""
        if self.way:
            return self.way.reward
        paid = [one.reward for one in self.checked.values() if one.reward is not None]
        return fmean(paid) if paid and fmean(paid) > self.idle + TINY else None

    @property
    def shown(self) -> bool:
        """Whether the gold was shown to be paid: its own check holds on every task that was tried,
        it earns more than half of the reward on average after that, and neither idleness nor a claim
        earns anything. On average, because what an agent says at the end is no part of the check."""
        reward = self.reward
        return (self.valid or bool(self.way)) and reward is not None and reward > 0.5 and max(self.idle, self.claim) <= TINY

    @property
    def how(self) -> str:
        return self.way.name if self.way else "Task.validate"


def measure(env: Environment, *, most: int = 6, seconds: float = 10.0) -> Acted:
    """Run the check on up to `most` tasks; it ends with the first task that has none."""
    found, until = Acted(), time.monotonic() + seconds
    step = max(1, len(env.description.tasks) // most)
    env.expect(True)  # a check may ask the judge about the gold, and a scripted one is told the verdict
    for i in list(range(0, len(env.description.tasks), step))[:most]:
        one = env.validate(i)
        if one.valid is None:
            break
        found.checked[i] = one
        if one.ended or time.monotonic() > until:
            break
    env.expect(False)
    if any(one.reward for one in found.checked.values()):
        found.idle, found.claim = (max(env.score(i, said).reward or 0.0 for i in found.checked) for said in ("", CLAIM))
    return found


def learned(env: Environment, one: Learned, acted: Acted) -> Learned:
    """`one`, or what is learnt after some turns; without its gold where that is no text: nothing that
    was written of it is paid. `acted` is told how it is acted out instead."""
    if one.told_apart > TINY:
        return one
    unpaid = f"{one.gold_field}, written in every way tried, is paid no better than a wrong answer" if one.gold_field else one.evidence
    if acted.reward is not None or (acted.valid and one.rank and env.description.tools):
        return one.without_gold(f"the gold is acted out, not written ({unpaid})")
    if interactive(env):
        if one.gold_field and (late := acting.later(env)):
            return late
        acted.way = acting.find(env, one)
        if acted.way:
            tasks = list(acted.way.right)
            acted.idle, acted.claim = (max(env.score(i, said).reward or 0.0 for i in tasks) for said in ("", CLAIM))
            return one.without_gold(f"the gold is acted out, not written ({unpaid}; {acted.way.name} earn {acted.way.reward:.3g})")
        idle = max(env.score(i, said).reward or 0.0 for i in range(min(3, len(env.description.tasks))) for said in ("", CLAIM))
        if best := moves.search(env, idle):
            acted.way, acted.idle, acted.claim = acting.Found("moves found by trying", best.reward, best.right), idle, idle
            return one.without_gold(f"the gold is acted out, not written ({unpaid}; the best of some hundred playouts earn {best.reward:.3g}, most at most {best.usual:.3g})")
        return one.without_gold(f"the gold is acted out, not written, and no way to act was found ({unpaid})")
    if one.gold_field is None:
        return one
    asked = one.rank == 1 and all(gold.lower() in task.prompt.lower() for gold, task in zip(one.golds, env.description.tasks, strict=True) if gold)
    return one.without_gold(f"no field is named like a gold, or what is stands in the question ({unpaid})") if one.rank >= 2 or asked else one


def interactive(env: Environment) -> bool:
    """Whether a reply meets something: tools, or turns of the environment's own."""
    return bool(env.description.tools) or any(one.exchange for one in env.play(0, [[acting.NEUTRAL]]))


def findings(acted: Acted, api: str) -> Iterator[Finding]:
    if not acted.checked:
        yield VALIDATES.skip("the tasks have no check of their own (Task.validate)" if api == "taskset" else "the classic API has no such check")
        return
    bad = {i: one for i, one in acted.checked.items() if not one.valid}
    if not bad:
        yield VALIDATES.ok(measured=f"{len(acted.checked)} of {len(acted.checked)} tasks")
        return
    i, one = next(iter(bad.items()))
    yield VALIDATES.fail(
        measured=f"{len(bad)} of {len(acted.checked)} tasks",
        evidence=f"task {i}: {excerpt(one.error, 200) or 'Task.validate returned False'}",
        fix=f"mend the gold, or the check; vf-validate runs it on all tasks ({DESIGN}#golds)",
        severity="high",
        direction="data",
    )
