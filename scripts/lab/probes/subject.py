"""The environment under test with everything that the probes need to know about it.

`Subject` holds what was learnt (gold, style, family), the wrong answers of each task, and the
scale: what a right and a wrong answer earn. Scores are kept, so no completion is scored twice.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from lab.answers.numbers import number_text, parse_number
from lab.answers.wrong import wrongs
from lab.environment import Completion, Environment, Played, Score, Task
from lab.probes.golds import interval_of
from lab.probes.learn import Learned
from lab.probes.policy import Policy
from lab.probes.style import Style

TINY = 1e-6
FULL = 0.5
"""Share of the way from floor to ceiling above which a completion is paid like a right one."""
FULL_GRADED = 0.9
"""The same for rewards that give partial credit, where a near answer earns a part by design."""
HANGS = Score(None, error="not run: texts of this length hang", kind="not_run")
PROBES = 150
PART = 0.25
"""Share of the way above which an answer-free completion is paid at all."""


def _near_numbers(gold: str) -> list[str]:
    value = parse_number(gold)
    return [] if value is None else [number_text(type(value)(value * 101) / 100), number_text(type(value)(value * 105) / 100)]


@dataclass
class Subject:
    env: Environment
    learned: Learned
    policy: Policy
    seed: int = 0
    seconds: float = 60.0
    """For all probes together; slow rewards are probed on fewer tasks."""
    on_score: Callable[[int], None] = lambda _: None
    cases: int = 0
    failures: list[tuple[int, Completion, Score]] = field(default_factory=list)
    """Everything that raised, hung, ended the process or was not finite."""
    _scores: dict[tuple[int, str], Score] = field(default_factory=dict)
    _right: dict[tuple[int, str], bool] = field(default_factory=dict)
    _intervals: dict[int, tuple[Fraction, Fraction] | None] = field(default_factory=dict)
    _messages: dict[str, Completion] = field(default_factory=dict)

    _latency: float | None = None
    hung: list[int] = field(default_factory=list)
    """Lengths of the texts that ran into the time limit."""
    judged: bool = False
    """Whether scoring calls a language model."""
    approval: str = ""
    """What a scripted judge said of a right answer."""
    misread: bool = False
    """The environment reads none of the forms in which a scripted judge words its verdicts."""
    acted: dict[int, Completion] = field(default_factory=dict)
    """Right rollouts of tasks whose gold is acted out, as far as one was found."""
    scale: float = 1.0
    """What a right rollout earns, where no gold can be written."""

    def __post_init__(self) -> None:
        self.started = time.monotonic()

    # --- what the generators of probes read ----------------------------------------

    @property
    def tasks(self) -> list[Task]:
        return self.env.description.tasks

    @property
    def style(self) -> Style:
        return self.learned.style

    @property
    def family(self) -> str:
        return self.learned.family

    def gold(self, task: int) -> str:
        return self.learned.golds[task] or ""

    def accepted(self, task: int) -> list[str]:
        return self.learned.accepted[task]

    def write(self, answer: str, reasoning: str = "") -> str:
        return self.style.write(answer, reasoning)

    def slot(self, answer: str) -> str:
        return self.style.slot(answer)

    def wrong(self, task: int, which: int = 0) -> str:
        found = self.wrongs[task]
        return found[which % len(found)]

    def rng(self, task: int) -> random.Random:
        return random.Random(self.seed * 7919 + task)

    @cached_property
    def with_gold(self) -> list[int]:
        return [i for i, gold in enumerate(self.learned.golds) if gold]

    @cached_property
    def tested(self) -> list[int]:
        """Tasks with a gold on which right and wrong answers are scored: all of them, or, where
        scoring is slow, as many (different golds first) as a quarter of the time allows."""
        most = len(self.with_gold) if self.latency < 0.05 else max(4, int(self.seconds / 4 / (4 * self.latency)))
        first = {self.gold(i): i for i in reversed(self.with_gold)}
        order = [*sorted(first.values()), *(i for i in self.with_gold if first[self.gold(i)] != i)]
        return sorted(order[:most])

    @cached_property
    def wrongs(self) -> list[list[str]]:
        """Three wrong answers per task (fewer where the kind has fewer), [] without a gold."""
        pool = list(dict.fromkeys(gold for gold in self.learned.golds if gold))
        found: list[list[str]] = []
        for i, gold in enumerate(self.learned.golds):
            if not gold:
                found.append([])
                continue
            accepted = {text.lower() for text in self.accepted(i)}
            options = self.learned.options[i] if self._options_are_answers(i) else pool
            if self.family == "choice" and re.fullmatch(r"\(?[A-J]\)?", gold) and len(self.learned.options[i]) > 1:
                # A letter beyond the last option is no wrong answer, it is none.
                options = [gold.replace(gold.strip("()"), letter) for letter in "ABCDEFGHIJ"[: len(self.learned.options[i])]]
            made = wrongs(self.family, gold, self.rng(i), 3, options=options)
            if bounds := self.interval(i):
                # Beyond the bounds, by more than their distance.
                low, high = bounds
                made = [number_text(Decimal(round(value * 100)).scaleb(-2)) for value in (2 * high - low + 7, 3 * high + 1, 5 * high + 3)]
            found.append([text for text in made if text.lower() not in accepted] or made)
        return found

    def between(self, task: int, text: str) -> bool:
        """Whether a number lies between the bounds that the task's own fields give to its gold."""
        bounds, value = self.interval(task), parse_number(text)
        return bounds is not None and value is not None and bounds[0] <= value <= bounds[1]

    def interval(self, task: int) -> tuple[Fraction, Fraction] | None:
        """These bounds, where the reward pays both of them what it pays the gold: other fields have such names too."""
        if task not in self._intervals:
            bounds = interval_of(self.tasks[task], self.gold(task)) if self.family == "number" else None
            ends = [self.gold(task), *(number_text(Decimal(round(end * 10**4)).scaleb(-4)) for end in bounds)] if bounds else []
            alike = len({self.reward(task, self.write(end), right=True) for end in ends}) == 1
            self._intervals[task] = bounds if alike else None
        return self._intervals[task]

    def _options_are_answers(self, task: int) -> bool:
        return self.gold(task) in self.learned.options[task]

    # --- scoring --------------------------------------------------------------------

    def score(self, task: int, completion: Completion, *, again: bool = False, right: bool | None = None) -> Score:
        """The score of a completion; kept, unless `again` asks for a fresh one."""
        key = (task, completion if isinstance(completion, str) else json.dumps(completion, sort_keys=True, default=str))
        if not isinstance(completion, str):
            self._messages[key[1]] = completion
        if again or key not in self._scores:
            if key in self._right or right is not None:
                self._right[key] = self._right.get(key, False) if right is None else right
            self.env.expect(self._right.get(key, False), completion)
            score = HANGS if self._hangs(completion) else self.env.score(task, completion)
            # A program that never ends is no long text: the next one may.
            if score.kind == "timeout" and isinstance(completion, str) and self.family not in ("code", "tests"):
                self.hung.append(len(completion))
            self.cases += 1
            self.on_score(self.cases)
            if score.kind not in ("", "not_run"):
                self.failures.append((task, completion, score))
            if again:
                return score
            self._scores[key] = score
        return self._scores[key]

    def reward(self, task: int, completion: Completion, *, right: bool | None = None) -> float | None:
        """What it earns, None when it cannot be scored. `right` tells a scripted judge the verdict."""
        return self.score(task, completion, right=right).reward

    def adopt(self) -> None:
        """Take over the gold scores that learning already has."""
        for i, score in enumerate(self.learned.scores):
            if score is not None:
                self._scores[i, self.write(self.gold(i))] = score
                self._right[i, self.write(self.gold(i))] = True
                self.cases += 1
                if score.kind not in ("", "not_run"):
                    self.failures.append((i, self.write(self.gold(i)), score))

    def texts(self) -> Iterator[tuple[tuple[int, Completion], Score]]:
        """Every completion scored so far with its score."""
        for (task, key), score in self._scores.items():
            yield (task, self._messages.get(key, key)), score

    @property
    def seconds_left(self) -> float:
        return self.seconds - (time.monotonic() - self.started)

    def over(self, keep: float = 0.0) -> bool:
        """Whether the time for all probes, less a share kept for what follows, is used up.

        Never where scoring is fast: there a loaded machine must not cost probes.
        """
        return self.seconds_left < keep * self.seconds and self.latency > 0.01

    @property
    def latency(self) -> float:
        """Median seconds of one completion among the first that were scored: golds, where there are some."""
        if self._latency is None:
            seconds = [score.seconds for score in self._scores.values() if score.reward is not None]
            if len(seconds) < 4:
                return statistics.median(seconds) if seconds else 0.0
            self._latency = statistics.median(seconds)
        return self._latency

    def sample(self, most: int) -> list[int]:
        """Up to `most` tested tasks, different golds first; fewer when the reward is slow."""
        # About 150 probes of all families share the time that is left.
        affordable = int(self.seconds_left / (self.latency * PROBES)) if self.latency > 0.01 else most
        wanted = max(2, min(most, affordable))
        first = {self.gold(i): i for i in reversed(self.tested)}
        order = sorted(first.values())
        order += [i for i in self.tested if i not in order]
        # A gold that the instructions themselves name (in an example) is the one that an echo may hit.
        order.sort(key=lambda i: self.gold(i).lower() not in self.tasks[i].system.lower())
        return order[:wanted]

    def play(self, task: int, *attempts: list[str]) -> list[Played]:
        """Rollouts with these replies, in which the environment takes its own turns; [] where it takes none."""
        self.env.expect(False, "")
        return self.env.play(task, list(attempts))

    @cached_property
    def playable(self) -> bool:
        """Whether the environment takes turns of its own that can be played without a model."""
        return bool(self.tasks) and bool(self.play(0, ["I am thinking about it."]))

    @cached_property
    def guessing(self) -> bool:
        """Whether a wrong answer is answered by another turn: a guess, in whatever words it stands."""
        return self.playable and bool(self.with_gold) and all(one.open for i in self.with_gold[:2] for one in self.play(i, [self.write(self.wrong(i))]))

    def _hangs(self, completion: Completion) -> bool:
        """Whether long texts like this one have hung before: a third time shows nothing new."""
        return len(self.hung) > 1 and isinstance(completion, str) and len(completion) >= max(200, min(self.hung))

    # --- the scale --------------------------------------------------------------------

    @cached_property
    def gold_rewards(self) -> dict[int, float]:
        """Per task with a gold: what the gold, written as asked, earns."""
        rewards = {i: self.reward(i, self.write(self.gold(i)), right=True) for i in self.tested}
        return {i: reward for i, reward in rewards.items() if reward is not None}

    @cached_property
    def wrong_rewards(self) -> dict[int, list[float]]:
        """Per task with a gold: what wrong answers, written as asked, earn."""
        out = {}
        each = 3 if self.latency < 1 else 1
        for i in self.tested:
            rewards = [self.reward(i, self.write(answer)) for answer in self.wrongs[i][:each]]
            known = [reward for reward in rewards if reward is not None]
            if known:
                out[i] = known
        return out

    @cached_property
    def ceiling(self) -> float | None:
        return statistics.median(self.gold_rewards.values()) if self.gold_rewards else None

    @cached_property
    def floor(self) -> float | None:
        """The format floor: what a wrong answer in the right format earns."""
        values = [reward for rewards in self.wrong_rewards.values() for reward in rewards]
        if not values:
            return None
        # Where wrong answers earn many different amounts, they are graded: the least is the floor.
        return min(values) if len({round(value, 2) for value in values}) > 2 else statistics.median(values)

    @property
    def gap(self) -> float:
        return (self.ceiling or 0.0) - (self.floor or 0.0)

    def floor_of(self, task: int) -> float:
        known = self.wrong_rewards.get(task)
        if known and self.graded:
            return self.floor or 0.0
        return statistics.median(known) if known else self.floor or 0.0

    def ceiling_of(self, task: int) -> float:
        return self.gold_rewards.get(task, self.ceiling or 0.0)

    @cached_property
    def graded(self) -> bool:
        """Whether near answers earn a part: declared, or seen on shortened and wrong answers."""
        if self.policy.partial_credit:
            return True
        if self.gap <= TINY:
            return False
        different: set[float] = set()
        tasks = self.sample(8)
        seen = 0
        for i in tasks:
            gold = self.gold(i)
            near = (gold[: len(gold) // 2 + 1], f"{gold} {self.wrong(i)}", f"{self.wrong(i)} {gold}", *_near_numbers(gold), *self.wrongs[i])
            shares = [(reward - (self.floor or 0)) / self.gap for text in near if (reward := self.reward(i, self.write(text))) is not None]
            between = {round(share, 2) for share in shares if 0.05 < share < 0.95}
            seen += bool(between)
            different |= between
        # One value in between is a bonus or a consolation; many are a scale.
        return (seen * 2 >= len(tasks) and len(different) >= 3) or self._by_distance

    @cached_property
    def _by_distance(self) -> bool:
        """Whether a number earns the less the further it is off: an ordinal scale."""
        steps: dict[Fraction, set[float]] = {Fraction(0): {round(self.ceiling or 0.0, 6)}}
        for i, rewards in self.wrong_rewards.items():
            for answer, reward in zip(self.wrongs[i], rewards, strict=False):
                gold, given = parse_number(self.gold(i)), parse_number(answer)
                if gold is None or given is None:
                    return False
                steps.setdefault(abs(Fraction(gold) - Fraction(given)), set()).add(round(reward, 6))
        if len(steps) < 3 or any(len(values) > 1 for values in steps.values()):
            return False
        falling = [min(steps[distance]) for distance in sorted(steps)]
        return len(set(falling)) >= 3 and falling == sorted(falling, reverse=True) and falling[1] < falling[0]

    @property
    def full(self) -> float:
        return FULL_GRADED if self.graded else FULL

    def share(self, task: int, reward: float) -> float:
        """How far `reward` stands on the way from this task's floor (0) to its ceiling (1).

        Where right and wrong earn the same there is no way: the share of the ceiling is taken.
        Where no gold can be written, a reward is taken for its share of what acting it out earns, or of 1.
        """
        if not self.with_gold:
            return reward / self.scale
        floor, ceiling = self.floor_of(task), self.ceiling_of(task)
        if ceiling - floor > TINY:
            return (reward - floor) / (ceiling - floor)
        return reward / ceiling if ceiling > TINY else 0.0

    def paid_like_right(self, task: int, reward: float) -> bool:
        return self.share(task, reward) > self.full + TINY

    def earns_all(self, task: int, completion: Completion) -> bool:
        """Whether a completion earns no less than the gold: a part for what is right of it is less."""
        reward = self.reward(task, completion)
        return reward is not None and reward >= self.ceiling_of(task) - TINY

    def paid_in_part(self, task: int, reward: float) -> bool:
        """Positive, and clearly above what a wrong answer in the right format earns."""
        return reward > TINY and self.share(task, reward) > PART + TINY
