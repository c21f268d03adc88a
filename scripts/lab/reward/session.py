"""The session of one test: scores completions, once each, within a budget of time.

It is the only object of the reward test that changes. Where scoring is slow, the budget goes to
what says most: probes come in the order of their importance, and those without time are not run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from queue import SimpleQueue

from lab.environment import Completion, Description, Environment, Played, Score
from lab.reward.observation import Observation, Probe, Table, key_of

SLOW = 3.0
"""Seconds after which a variant is not tried on further tasks."""
SLOW_EACH, LANE_WORTH, LANES = 0.05, 10.0, 2
"""Seconds of one completion, and of all that wait, from which a second process is started."""
FEW = 100
"""Completions for which there has to be time; with less the reward is slow."""
FAST = 0.01
"""Seconds of one completion below which the budget is no matter: a loaded machine must not cost
probes."""
HANGS = Score(
    None,
    error="not run: texts as long as this one hung before",
    kind="not_run",
)


@dataclass
class Failure:
    """A completion that could not be scored."""

    task: int
    completion: Completion
    score: Score
    production: str = ""
    right: bool = False
    """Whether it was said to be right."""


@dataclass
class Session:
    env: Environment
    seconds: float = 60.0
    """The budget for all completions."""
    on_score: Callable[[int], None] = lambda _: None
    programs: bool = False
    """Whether completions are programs: one that never ends says nothing of the next one."""
    observations: list[Observation] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    cases: int = 0
    another: Callable[[], Environment | None] = lambda: None
    """A second running copy of the environment, for rewards that are slow."""

    def __post_init__(self) -> None:
        self.started = time.monotonic()
        self._scores: dict[tuple[int, str], Score] = {}
        self._times: list[float] = []
        self._hung: list[int] = []
        self._stuck: set[tuple[str, str]] = set()
        self._right: set[tuple[int, str]] = set()
        self._lanes: list[Environment] = [self.env]

    # --- scoring -------------------------------------------------------------------------

    def score(self, task: int, completion: Completion, *, right: bool | None = None) -> Score:
        """The score of a completion, kept; `right` is what a judge is to say of it: False takes
        back that it was said to be right."""
        key = (task, key_of(completion))
        if right is False and key in self._right:
            self._right.discard(key)
            self._scores.pop(key, None)
        if key not in self._scores:
            self._scores[key] = self.again(task, completion, right=bool(right))
        return self._scores[key]

    def again(
        self,
        task: int,
        completion: Completion,
        *,
        right: bool = False,
        env: Environment | None = None,
    ) -> Score:
        """A fresh score of a completion; one that was said to be right stays right."""
        if self._would_hang(completion):
            return HANGS
        key = (task, key_of(completion))
        if right:
            self._right.add(key)
        env = env or self.env
        env.expect(key in self._right, completion)
        score = env.score(task, completion)
        self.cases += 1
        self.on_score(self.cases)
        if score.reward is not None and len(self._times) < 400:
            self._times.append(score.seconds)
        if score.kind == "timeout" and isinstance(completion, str) and not self.programs:
            self._hung.append(len(completion))
        if score.kind not in ("", "not_run"):
            self.failures.append(Failure(task, completion, score, right=key in self._right))
        return score

    def know(self, task: int, completion: Completion, score: Score) -> None:
        """Take over the score of a right completion that is known already."""
        key = (task, key_of(completion))
        self._right.add(key)
        if key not in self._scores:
            self._scores[key] = score
            self.cases += 1
            if score.kind not in ("", "not_run"):
                self.failures.append(Failure(task, completion, score, right=True))

    def begin(self) -> None:
        """The budget is for what follows: reading what is right has a time of its own."""
        self.started = time.monotonic()

    def timed(self, scores: Iterable[Score]) -> None:
        """Learn from the scores of others how long a completion takes."""
        known = [score.seconds for score in scores if score.reward is not None]
        self._times += known[: 400 - len(self._times)]

    def observe(self, probes: Iterable[Probe], *, keep: float = 0.0) -> list[Observation]:
        """Score probes in their order; those for which there is no time have no score. `keep`: the
        share of the budget that is left for what follows."""
        listed = list(probes)
        if self._many(listed):
            found = self._in_lanes(listed, keep)
        else:
            found = [Observation(one, self._scored(one, keep, self.env)) for one in listed]
        self.observations += found
        return found

    def _many(self, probes: list[Probe]) -> bool:
        """Whether a second process is worth its start: slow scoring, and much of it."""
        waiting = sum(probe.key not in self._scores for probe in probes)
        if self.latency < SLOW_EACH or waiting * self.latency < LANE_WORTH:
            return False
        if len(self._lanes) < LANES and (other := self._alike()) is not None:
            other.prelude, other.fresh_each = self.env.prelude, self.env.fresh_each
            self._lanes.append(other)
        return len(self._lanes) > 1

    def _alike(self) -> Environment | None:
        """Another copy; None where it draws other tasks each time that it is loaded."""
        other = self._copy
        same = other is not None and other.description.tasks == self.env.description.tasks
        return other if same else None

    def loaded_again(self) -> Description | None:
        """The environment as another process loads it; None where none does."""
        return None if self._copy is None else self._copy.description

    @cached_property
    def _copy(self) -> Environment | None:
        """The environment in another process, started once."""
        before = time.monotonic()
        other = self.another()
        self.started += time.monotonic() - before  # the budget is for completions
        return other

    def _in_lanes(self, probes: list[Probe], keep: float) -> list[Observation]:
        """The probes in their order, taken by whichever process is free."""
        free: SimpleQueue[Environment] = SimpleQueue()
        for env in self._lanes:
            free.put(env)

        def observed(probe: Probe) -> Observation:
            env = free.get()
            try:
                return Observation(probe, self._scored(probe, keep, env))
            finally:
                free.put(env)

        with ThreadPoolExecutor(len(self._lanes)) as pool:
            return list(pool.map(observed, probes))

    def _scored(self, probe: Probe, keep: float, env: Environment) -> Score | None:
        known = self._scores.get(probe.key)
        if known is not None:
            return known
        stuck = (probe.production, probe.variant)
        if stuck in self._stuck or self.over(keep):
            return None
        before = len(self.failures)
        score = self.again(probe.task, probe.completion, right=probe.right, env=env)
        self._scores[probe.key] = score
        for failure in self.failures[before:]:
            failure.production = probe.production
        if score.kind in ("timeout", "exited") or score.seconds > SLOW:
            self._stuck.add(stuck)  # one task is enough
        return score

    def play(self, task: int, *attempts: list[str]) -> list[Played]:
        """Rollouts with these replies, in which the environment takes its own turns; [] where it
        takes none."""
        self.env.expect(False, "")
        return self.env.play(task, list(attempts))

    @property
    def earned(self) -> list[tuple[float, int, str]]:
        """What every completion earned that could be scored, probe or not; its task, and it."""
        scored = self._scores.items()
        return [(s.reward, task, said) for (task, said), s in scored if s.reward is not None]

    @property
    def table(self) -> Table:
        return Table(self.observations)

    # --- time ----------------------------------------------------------------------------

    @property
    def seconds_left(self) -> float:
        return self.seconds - (time.monotonic() - self.started)

    def over(self, keep: float = 0.0) -> bool:
        """Whether the budget, less a share that is kept, is used up. Never where scoring is
        fast."""
        return self.seconds_left < keep * self.seconds and self.latency > FAST

    @property
    def latency(self) -> float:
        """Median seconds of one completion among the first that were scored."""
        return statistics.median(self._times) if self._times else 0.0

    @property
    def slow(self) -> bool:
        """Whether the budget is enough for a few completions of each sort at most."""
        return self.latency * FEW > self.seconds

    def affordable(self, share: float = 1.0) -> float:
        """How many completions a share of the time that is left is enough for."""
        if self.latency <= FAST:
            return float("inf")
        return max(0.0, self.seconds_left * share / self.latency)

    def _would_hang(self, completion: Completion) -> bool:
        """Whether long texts like this one have hung before: a third time shows nothing new."""
        if len(self._hung) < 2 or not isinstance(completion, str):
            return False
        return len(completion) >= max(200, min(self._hung))
