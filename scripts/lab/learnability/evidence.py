"""`RolloutEvidence`: the rollouts that count, in groups, without what cannot count.

Excluded and counted: rollouts that ended in an error (the trainer drops them from the group
as well), rewards that are no number, the same rollout written twice, and other models than
the one with most rollouts (a group is drawn from one policy).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lab.learnability.formulas import EPSILON
from lab.rollouts.grouping import Grouping, group, number
from lab.rollouts.model import ERROR, Rollouts
from lab.rollouts.outcomes import Correctness, correctness, outcomes_of


@dataclass
class RolloutEvidence:
    """Columns of the rollouts that count; `codes` numbers their tasks 0 .. tasks-1."""

    all: Rollouts
    """Every rollout that was read (after `--last-n`), of every model."""
    grouping: Grouping
    outcomes: np.ndarray
    """Per rollout of `all`, without duplicates and other models, see `outcomes.OUTCOMES`."""
    rollouts: Rollouts
    codes: np.ndarray
    correct: Correctness
    excluded: dict[str, int] = field(default_factory=dict)
    model: str = ""
    attempted: int = 0
    """Rollouts of this model without duplicates, errors included."""
    attempted_codes: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def reward(self) -> np.ndarray:
        return self.rollouts.reward

    @cached_property
    def sizes(self) -> np.ndarray:
        """Rollouts per task."""
        return np.bincount(self.codes)

    @property
    def tasks(self) -> int:
        return len(self.sizes)

    @cached_property
    def right(self) -> np.ndarray:
        return self.correct.right

    @cached_property
    def solved(self) -> np.ndarray:
        """k_i: right rollouts per task."""
        return np.bincount(self.codes, self.right, minlength=self.tasks).astype(np.int64)

    @cached_property
    def starts(self) -> np.ndarray:
        return np.concatenate(([0], np.cumsum(self.sizes)[:-1]))

    @cached_property
    def order(self) -> np.ndarray:
        """Rollouts sorted by task; `starts` are the borders."""
        return np.argsort(self.codes, kind="stable")

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Range of `values` within each task."""
        if not len(values):
            return np.zeros(0)
        ordered = values[self.order]
        return np.maximum.reduceat(ordered, self.starts) - np.minimum.reduceat(ordered, self.starts)

    @cached_property
    def live_now(self) -> np.ndarray:
        """Per task, whether the rewards that were observed differ."""
        return self.spread(self.reward) > EPSILON

    @cached_property
    def centre(self) -> np.ndarray:
        """Reward minus the mean of its group: the advantage as GRPO forms it."""
        means = np.bincount(self.codes, self.reward) / np.maximum(self.sizes, 1)
        return self.reward - means[self.codes]


def collect(rollouts: Rollouts, last_n: int | None = None) -> RolloutEvidence:
    """The evidence in `rollouts`; with `last_n` only in the last n that were written."""
    grouping = group(rollouts)
    codes = grouping.codes
    if last_n is not None and last_n < len(rollouts):
        rollouts, codes = (
            rollouts.take(np.arange(len(rollouts) - last_n, len(rollouts))),
            codes[-last_n:],
        )
    excluded: dict[str, int] = {}
    whole = rollouts
    keep = np.ones(len(rollouts), bool)
    model = ""
    if len(rollouts):
        counts = np.bincount(rollouts.model)
        main = int(counts.argmax())
        model = rollouts.models[main] if main < len(rollouts.models) else ""
        keep &= rollouts.model == main
        if not keep.all():
            excluded["other_model"] = int((~keep).sum())
    twice = _written_twice(rollouts)
    if (keep & twice).any():
        excluded["written_twice"] = int((keep & twice).sum())
    keep &= ~twice
    ours, our_codes = rollouts.take(keep), codes[keep]
    correct = correctness(ours)
    outcomes = outcomes_of(ours, correct)
    failed = ours.has(ERROR)
    unusable = ~np.isfinite(ours.reward) & ~failed
    for name, mask in (("error", failed), ("no_reward", unusable)):
        if mask.any():
            excluded[name] = int(mask.sum())
    good = ~failed & ~unusable
    correct = Correctness(correct.value[good], correct.threshold, correct.component, correct.rule)
    compact = number(our_codes[good])
    return RolloutEvidence(
        whole,
        grouping,
        outcomes,
        ours.take(good),
        compact,
        correct,
        excluded,
        model,
        len(ours),
        our_codes,
    )


def _written_twice(rollouts: Rollouts) -> np.ndarray:
    """All but the first entry of each rollout that occurs more than once."""
    twice = np.zeros(len(rollouts), bool)
    known = np.flatnonzero(rollouts.identity)
    if len(np.unique(rollouts.identity[known])) < len(known):
        _, first = np.unique(rollouts.identity[known], return_index=True)
        twice[known] = True
        twice[known[first]] = False
    return twice
