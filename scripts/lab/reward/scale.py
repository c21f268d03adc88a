"""The scale of a reward: what right and wrong answers earn, task by task, and what counts as
paid."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

TINY = 1e-6
MANY = 5
"""Different rewards between wrong and right that are a scale, also where few tasks show them."""
PAID, PAID_GRADED, PART = 0.5, 0.9, 0.25
"""Shares of the way from a wrong answer's reward to the right one's: above PAID a completion is
paid like a right one (above PAID_GRADED where near answers earn a part), above PART in part."""


@dataclass(frozen=True)
class Scale:
    """Rewards of right and wrong answers in the asked format."""

    right: Mapping[int, float] = field(default_factory=dict)
    """Per task: what its gold earns."""
    wrong: Mapping[int, list[float]] = field(default_factory=dict)
    """Per task: what its wrong answers earn."""
    graded: bool = False
    """Whether near answers earn a part."""
    unit: float = 1.0
    """What a right rollout earns, where no gold can be written."""

    @cached_property
    def paid_golds(self) -> list[int]:
        """Tasks whose gold earns more than their wrong answers."""
        return [
            i
            for i, reward in self.right.items()
            if reward > (statistics.median(self.wrong[i]) if self.wrong.get(i) else 0.0) + TINY
        ]

    @cached_property
    def ceiling(self) -> float | None:
        """What a right answer earns: the median of the golds that are paid, where some are."""
        paid = [self.right[i] for i in self.paid_golds]
        rewards = paid or list(self.right.values())
        return statistics.median(rewards) if rewards else None

    @cached_property
    def floor(self) -> float | None:
        """The format floor: what a wrong answer in the right format earns."""
        values = [reward for rewards in self.wrong.values() for reward in rewards]
        if not values:
            return None
        # Where wrong answers earn many different amounts, they are graded: the least is the floor.
        many = len({round(value, 2) for value in values}) > 2
        return min(values) if many else statistics.median(values)

    @property
    def most(self) -> float:
        """The most that an answer has earned, right or wrong."""
        wrong = [reward for rewards in self.wrong.values() for reward in rewards]
        return max([*self.right.values(), *wrong], default=0.0)

    @property
    def by_chance(self) -> bool:
        """Whether few golds are paid, and wrong answers as much: what is paid is something else."""
        both = [i for i in self.right if self.wrong.get(i)]
        if not both or len(self.paid_golds) * 2 >= len(self.right):
            return False
        right = statistics.fmean(self.right[i] for i in both)
        wrong = statistics.fmean(statistics.fmean(self.wrong[i]) for i in both)
        return right <= wrong + TINY

    @property
    def wrong_paid(self) -> list[int]:
        """The tasks on which some wrong answer earns more than half of the way."""
        above = (self.floor or 0.0) + self.gap * PAID + TINY
        return [i for i, rewards in self.wrong.items() if max(rewards, default=above) > above]

    @property
    def gap(self) -> float:
        return (self.ceiling or 0.0) - (self.floor or 0.0)

    @property
    def apart(self) -> bool:
        """Whether right answers earn more than wrong ones."""
        return self.gap > TINY

    def floor_of(self, task: int) -> float:
        known = self.wrong.get(task)
        if known and not self.graded:
            return statistics.median(known)
        return self.floor or 0.0

    def ceiling_of(self, task: int) -> float:
        return self.right.get(task, self.ceiling or 0.0)

    @property
    def paid_above(self) -> float:
        return PAID_GRADED if self.graded else PAID

    def share(self, task: int, reward: float) -> float:
        """How far `reward` is on the way from this task's floor (0) to its ceiling (1).

        Where right and wrong earn the same there is no way: the share of the ceiling is taken.
        Where no gold can be written, the share of what a right rollout earns.
        """
        if not self.right:
            return reward / self.unit
        floor, ceiling = self.floor_of(task), self.ceiling_of(task)
        if ceiling - floor > TINY:
            return (reward - floor) / (ceiling - floor)
        return reward / ceiling if ceiling > TINY else 0.0

    def paid(self, task: int, reward: float | None) -> bool:
        """Whether it is paid like a right answer."""
        return reward is not None and self.share(task, reward) > self.paid_above + TINY

    def refused(self, task: int, reward: float) -> bool:
        """Whether a right answer is paid no better than half of the way."""
        return self.share(task, reward) <= PAID + TINY

    def paid_in_part(self, task: int, reward: float) -> bool:
        """Positive, and clearly above what a wrong answer in the right format earns."""
        return reward > TINY and self.share(task, reward) > PART + TINY

    def earns_all(self, task: int, reward: float | None) -> bool:
        """Whether it earns no less than the gold, or than a right rollout."""
        least = self.ceiling_of(task) if self.right else self.unit
        return reward is not None and reward >= least - TINY


def graded_by(
    right: Mapping[int, float],
    near: Mapping[int, list[float]],
    floor: float,
    gap: float,
    *,
    stated: bool = False,
) -> bool:
    """Whether near answers earn a part. `near`: per task, rewards of shortened, mixed and close
    answers. One value in between is a bonus or a consolation; many are a scale, and some are where
    prompt or README state it."""
    if gap <= TINY:
        return False
    different: set[float] = set()
    seen = 0
    for rewards in near.values():
        shares = [(reward - floor) / gap for reward in rewards]
        between = {round(share, 2) for share in shares if 0.05 < share < 0.95}
        seen += bool(between)
        different |= between
    often = 2 if len(different) < MANY and not stated else 4
    return bool(near) and seen * often >= len(near) and len(different) >= (1 if stated else 3)
