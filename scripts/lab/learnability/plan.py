"""From statistics to a plan: group size, batch, cost, which tasks to keep, what to do first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lab.learnability.analysis import Analysis
from lab.learnability.bands import ENOUGH_ROLLOUTS, ENOUGH_TASKS, LIVE
from lab.learnability.checks_classic import format_share
from lab.learnability.checks_signal import remedy
from lab.learnability.formulas import tasks_for_half_width
from lab.learnability.resample import LEVEL
from lab.sizes import GROUP_SIZE

KEEP_ABOVE = LIVE.good
"""A task is kept when its expected chance of a live group is at least this (cost <= 3.3 times)."""
FORMAT_FIRST = 0.10
"""Share of rollouts in the right format below which the format is trained first."""
HALF_WIDTH = 0.10
"""Half of the interval of the live share, above which more tasks are asked for."""
HALF_LIVE = 0.50
"""Share of live groups from which on no larger group is suggested."""

WORTH = 0.75
"""Of a group twice as large at least 1.5 times as many should live."""


@dataclass
class Plan:
    group_size: int
    suggested_group_size: int
    live_share: float
    cost_multiplier: float | None
    """How many rollouts per useful one: 1 / live share."""
    useful_batch: str
    keep: np.ndarray = field(repr=False)
    """Per task, whether it is worth training on."""
    warm_up: bool = False
    more_tasks: int = 0
    more_rollouts: int = 0
    steps: list[str] = field(default_factory=list)

    def as_fact(self) -> dict[str, Any]:
        return {
            "group_size": self.group_size,
            "suggested_group_size": self.suggested_group_size,
            "expected_useful_share": self.live_share,
            "cost_multiplier": self.cost_multiplier,
            "keep_tasks": int(self.keep.sum()),
            "drop_tasks": int((~self.keep).sum()),
            "format_warm_up_first": self.warm_up,
            "evaluate_tasks": self.more_tasks,
            "evaluate_rollouts_per_task": self.more_rollouts,
            "steps": self.steps,
        }


def make_plan(a: Analysis, *, rehearsed: bool = False) -> Plan:
    """The plan for training on these tasks with this policy. Of a rehearsal nothing is said about
    usefulness: its policy was made up."""
    live = a.live[a.group_size]
    keep = worth_training(a)
    suggested = suggest_group_size(a)
    share = live.estimate
    cost = 1 / share if share and share > 0 and math.isfinite(share) else None
    format_rate = format_share(a)
    plan = Plan(
        a.group_size,
        suggested,
        share,
        cost,
        "",
        keep,
        warm_up=format_rate is not None and format_rate < FORMAT_FIRST,
    )
    if not a.identifiable:
        plan.more_rollouts = ENOUGH_ROLLOUTS
        plan.more_tasks = max(ENOUGH_TASKS, a.evidence.tasks)
        plan.steps.append(
            f"evaluate {plan.more_tasks} tasks with {plan.more_rollouts} rollouts each: nothing "
            "can be said from one rollout per task"
        )
        return plan
    plan.useful_batch = (
        f"about {share:.0%} of each batch is useful at group size {a.group_size}"
        + (f"; a useful rollout costs {cost:.1f} rollouts" if cost else "; nothing is useful")
    )
    if not rehearsed:
        plan.steps.append(plan.useful_batch)
    if plan.warm_up:
        plan.steps.append(
            "train the format first (SFT on a few hundred examples): it holds in under "
            f"{FORMAT_FIRST:.0%} of rollouts"
        )
    plan.steps += _about_group_size(a, suggested)
    dropped = int((~keep).sum())
    if dropped:
        how = " (--keep-tasks FILE writes their keys)" if a.evidence.grouping.names_tasks else ""
        few = f"; fewer than {ENOUGH_TASKS} are soon remembered: add tasks like them"
        plan.steps.append(
            f"keep {int(keep.sum())} of {len(keep)} tasks{how}; the others are nearly always or "
            f"never solved{few if keep.sum() < ENOUGH_TASKS else ''}"
        )
    _ask_for_more(a, plan)
    return plan


def _about_group_size(a: Analysis, suggested: int) -> list[str]:
    """Which size to take; where none brings the groups to life, what would."""
    share = a.live[a.group_size].estimate
    if suggested != a.group_size:
        return [
            f"take group size {suggested}: {a.live[suggested].estimate:.0%} of groups live instead "
            f"of {share:.0%}; fewer batches are empty, but as many rollouts do not teach more"
        ]
    largest = max(a.live)
    if a.live[largest].estimate > LIVE.bad:
        return []
    return [
        f"no group size helps: even of {largest} rollouts only {a.live[largest].estimate:.0%} of "
        f"groups live; {remedy(a)}"
    ]


def _ask_for_more(a: Analysis, plan: Plan) -> None:
    """More tasks or rollouts where the interval of the live share is wide."""
    live, tasks = a.live[a.group_size], a.evidence.tasks
    if (live.high - live.low) / 2 <= HALF_WIDTH and tasks >= ENOUGH_TASKS:
        return
    wanted = max(ENOUGH_TASKS, tasks_for_half_width(plan.live_share, LEVEL, HALF_WIDTH))
    rollouts = max(ENOUGH_ROLLOUTS, min(a.group_size, GROUP_SIZE))
    if wanted <= tasks and a.rollouts_per_task >= rollouts:
        return
    plan.more_tasks, plan.more_rollouts = wanted, rollouts
    plan.steps.append(
        f"for an interval of +-{HALF_WIDTH:.2f} evaluate {wanted} tasks with {rollouts} rollouts "
        "each"
    )


def suggest_group_size(a: Analysis) -> int:
    """A larger usual group size where it pays: half of the groups live there, or else the
    largest, provided that the live share grows at least `WORTH` times as fast as the price, and
    to more than what fails at any size."""
    here = a.live[a.group_size].estimate
    if not a.identifiable or here >= HALF_LIVE:
        return a.group_size
    worth = [
        g
        for g in sorted(a.live)
        if g > a.group_size
        and a.live[g].estimate > LIVE.bad
        and a.live[g].estimate >= WORTH * here * g / a.group_size
    ]
    return next(
        (g for g in worth if a.live[g].estimate >= HALF_LIVE), worth[-1] if worth else a.group_size
    )


def chance_of_live(a: Analysis) -> np.ndarray:
    """Per task the chance that its next group is live, given its own rollouts and the others'."""
    return a.fit.chance_of_live(a.group_size)


def worth_training(a: Analysis) -> np.ndarray:
    """Tasks whose next group is live with a chance of at least `KEEP_ABOVE`."""
    return chance_of_live(a) >= KEEP_ABOVE
