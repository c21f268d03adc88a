"""A clock of work, for searches that end after so much of it: on a crowded machine they take longer
and find as much."""

from __future__ import annotations

import time

CROWDED = 3.0
"""How much longer a search may take than it works: others have the processor meanwhile, or the
reward waits."""


class WorkClock:
    """Seconds of work of this process and of those that score, one after the other."""

    def __init__(self) -> None:
        self._ended = self._scoring = self._told = 0.0
        self._worked, self._wall = time.process_time(), time.monotonic()

    def scored(self, seconds: float) -> None:
        """What the process that scores has worked since its start."""
        if seconds < self._scoring:  # another process scores now
            self._ended += self._scoring
        self._scoring = seconds

    def seconds(self) -> float:
        """The work so far; where it is less than a third of the time that passed, that third."""
        worked, wall = time.process_time() + self._ended + self._scoring, time.monotonic()
        self._told += max(worked - self._worked, (wall - self._wall) / CROWDED)
        self._worked, self._wall = worked, wall
        return self._told
