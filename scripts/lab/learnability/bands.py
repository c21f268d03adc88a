"""Where a share is good, bad, or between: the interval decides, not the estimate.

    LIVE.decided(live)   # whether the whole interval lies at one side

A band is written once, here; checks show it as their threshold, and whoever stops an evaluation
early or chooses tasks reads it too.
"""

from __future__ import annotations

from dataclasses import dataclass

from lab.learnability.resample import Interval
from lab.sizes import ROLLOUTS, TASKS


@dataclass(frozen=True)
class Band:
    """Passes when the whole interval is at least `good`, fails when it is at most `bad`."""

    good: float
    bad: float

    def decided(self, measured: Interval) -> bool:
        return measured.low >= self.good or measured.high <= self.bad

    def __str__(self) -> str:
        return f">= {self.good:.2f} (fails below {self.bad:.2f})"


LIVE = Band(0.30, 0.10)
"""Share of live groups. The price of a useful rollout is 1/share: 3.3 at .30, 10 at .10."""
LEARNABILITY = Band(0.05, 0.02)
"""E[p(1-p)]: .05 is a fifth of the tasks at p = .5, and the rest solved always or never."""
WITHIN = Band(0.30, 0.10)
"""Share of the reward's variance that is within groups."""

FEWEST_TASKS = 20
"""Tasks below which nothing is said: 20 dead groups of 20 still allow a live share of .11."""
ENOUGH_TASKS, ENOUGH_ROLLOUTS = TASKS, ROLLOUTS
"""Tasks, and rollouts of each, for intervals that usually decide."""
