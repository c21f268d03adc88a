"""How an environment wants its answer written, and which task field is the gold.

The prompt gives hints (`styles`); the reward decides. Each candidate gold is written in each
candidate style and scored beside a wrong answer written the same way: the pair that the reward
tells apart best is how this environment is spoken to.

    learned = learn(env)
    learned.gold_field, learned.style.name    # "answer", "after ####"
    learned.style.write("42")                 # "Let me think about this.\\n#### 42"
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lab.answers.wrong import wrong
from lab.environment import Environment, Score, Task
from lab.probes.fences import inside
from lab.probes.golds import (
    ANY,
    KNOWS_THE_TESTS,
    LIST_ASKED,
    Candidate,
    candidates,
    family_of,
    options_of,
)
from lab.probes.style import Style, styles


@dataclass
class Learned:
    """What `learn` found out. `golds` has one entry per task of the description."""

    gold_field: str | None
    reading: str
    golds: list[str | None]
    accepted: list[list[str]]
    family: str
    style: Style
    scores: list[Score | None]
    """Of the gold written in the style, per task."""
    paid: float
    """Mean reward of the gold probes (0 when none could be scored)."""
    evidence: str
    called_gold: str | None = None
    """A field that is named like the gold, when the reward pays another one instead."""
    all_of: bool = False
    options: list[list[str]] = field(default_factory=list)
    """Per task: the other answers that it offers."""
    rank: int = 0
    """Of the gold's field: 0 named like a gold, 1 perhaps, 2 and 3 like something else."""
    told_apart: float = 0.0
    """What the gold earns above a wrong answer written the same way, on the tasks of the search."""

    def without_gold(self, evidence: str) -> Learned:
        """The same with no gold: nothing in the tasks' fields is an answer that could be written."""
        count = len(self.golds)
        return replace(self, gold_field=None, reading="", golds=[None] * count, accepted=[[] for _ in range(count)],
                       family="unknown", scores=[None] * count, paid=0.0, evidence=evidence, called_gold=None)  # fmt: skip


def learn(env: Environment, *, budget: float = 12.0, tasks: Sequence[Task] | None = None) -> Learned:
    """Find the gold field and the style by scoring; spends about `budget` seconds at most.

    `tasks` are the environment's, with more of what a model reads. With no field that could be a
    gold, `gold_field` is None and the style is the first hint.
    """
    tasks = tasks or env.description.tasks
    options = [options_of(task) for task in tasks]
    found = candidates(tasks)
    ways = styles(tasks)
    if not found or not tasks:
        nothing: list[str | None] = [None] * len(tasks)
        return Learned(None, "", nothing, [[] for _ in tasks], "unknown", ways[0], [None] * len(tasks), 0.0,
                       "no field of the tasks could be a gold", options=options)  # fmt: skip
    search = _Search(env, tasks, options, budget)
    best = search.best(found, ways)
    named = [c for c in found if c.named]
    chosen, style = best.candidate, best.style
    called = None
    # A body without its head, or words about the program, fail the tests that a program passes.
    outdone = chosen.reading == KNOWS_THE_TESTS and not all("def " in (gold or "def ") for gold in named[0].golds) if named else False
    if named and not chosen.named and best.told_apart > 0 and not outdone:
        called = named[0].field
    elif best.told_apart <= 0:
        chosen = named[0] if named else chosen
    chosen, style = inside(chosen, style)
    scores = search.golds(chosen, style)
    if chosen.reading == KNOWS_THE_TESTS and best.told_apart > 0:
        # Worked out here and not written by the author: where it is not paid, it is no gold.
        scores = [score if score and (score.reward or 0.0) > best.wrong else None for score in scores]
        chosen = replace(chosen, golds=[gold if score else None for gold, score in zip(chosen.golds, scores, strict=True)])
    rewards = [score.reward for score in scores if score and score.reward is not None]
    paid = sum(rewards) / len(rewards) if rewards else 0.0
    family = "code" if style.language not in ("", "text", "json") else family_of(chosen, tasks)
    evidence = (
        f"field {chosen.field} ({chosen.reading}), written {style.name}, is paid {paid:.3g} on average "
        f"over {len(rewards)} tasks; the same with a wrong answer {best.wrong:.3g}"
    )
    return Learned(chosen.field, chosen.reading, chosen.golds, chosen.accepted, family, style, scores, paid, evidence,
                   called, chosen.all_of, options, chosen.rank, best.told_apart)  # fmt: skip


@dataclass(frozen=True)
class _Trial:
    candidate: Candidate
    style: Style
    gold: float
    wrong: float
    order: tuple[int, int]

    @property
    def told_apart(self) -> float:
        return self.gold - self.wrong

    @property
    def key(self) -> tuple[float, float, int, int]:
        """Told apart best, then paid most, then named and hinted first."""
        return (-round(self.told_apart, 3), -round(self.gold, 3), *self.order)


class _Search:
    def __init__(self, env: Environment, tasks: Sequence[Task], options: list[list[str]], budget: float):
        self.env, self.tasks, self.options = env, tasks, options
        self.until = time.monotonic() + budget
        self.seen: dict[tuple[int, str], Score] = {}

    def score(self, task: int, text: str, right: bool = False) -> Score:
        if (task, text) not in self.seen:
            self.env.expect(right, text)
            self.seen[task, text] = self.env.score(task, text)
        return self.seen[task, text]

    def best(self, found: Sequence[Candidate], ways: Sequence[Style]) -> _Trial:
        """Screen every pair on one task, then compare the best on up to four with different golds."""
        pairs = sorted(
            ((c, s, (i, j)) for i, c in enumerate(found[:10]) for j, s in enumerate(ways)),
            key=lambda pair: (pair[0].rank * 2 + (not pair[1].hinted) * 2 + pair[2][1] / 100, pair[2]),
        )
        trials = []
        for candidate, style, order in pairs:
            trials.append(self.trial(candidate, style, order, self.distinct(candidate)[:1]))
            if time.monotonic() > self.until and len(trials) > 3:
                break
        trials.sort(key=lambda trial: trial.key)
        # What one task does not tell apart wins only where no pair tells it apart.
        apart = [trial for trial in trials if trial.told_apart > 0]
        top = apart[:8] + [trial for trial in apart[8:] if trial.candidate.named][:2] or trials[:8]
        again = []
        for t in top:
            again.append(self.trial(t.candidate, t.style, t.order, self.distinct(t.candidate)[: 4 if self.quick else 2]))
            if not self.quick and time.monotonic() > self.until:
                break
        winner = min(again, key=lambda trial: trial.key)
        # One member is paid like all of them: where a list is asked for, all of them are the answer.
        whole = [t for t in again if t.candidate.all_of and t.candidate.field == winner.candidate.field and t.told_apart > 0 and t.gold >= winner.gold - 1e-3]
        if winner.candidate.reading == ANY and whole and all(LIST_ASKED.search(task.shown) for task in self.tasks[:6]):
            winner = min(whole, key=lambda trial: trial.key)
        # Of two fields that are paid alike the one that is named like a gold is it: a bound, a copy.
        named = [t for t in again if t.candidate.named and t.told_apart > 0 and t.gold >= winner.gold - 1e-3]
        return winner if winner.candidate.named or not named else min(named, key=lambda trial: trial.key)

    @property
    def quick(self) -> bool:
        """Whether scoring is so fast that its time need not be minded."""
        spent = [score.seconds for score in self.seen.values()]
        return sum(spent) < 0.05 * max(1, len(spent))

    def golds(self, chosen: Candidate, style: Style) -> list[Score | None]:
        """Each task's gold, scored; where that is slow, those that the time allows and at least four."""
        scores: list[Score | None] = [None] * len(self.tasks)
        until = max(self.until, time.monotonic() + 2)
        for done, i in enumerate(self.distinct(chosen)):
            if done >= 4 and time.monotonic() > until:
                break
            scores[i] = self.score(i, style.write(chosen.golds[i] or ""), right=True)
        return scores

    def trial(self, candidate: Candidate, style: Style, order: tuple[int, int], on: list[int]) -> _Trial:
        gold = [self.reward(i, style.write(candidate.golds[i] or ""), right=candidate.rank == 0) for i in on]
        wrongs = [self.reward(i, style.write(self.wrong(candidate, i))) for i in on]
        return _Trial(candidate, style, sum(gold) / len(gold), sum(wrongs) / len(wrongs), order)

    def reward(self, task: int, text: str, right: bool = False) -> float:
        reward = self.score(task, text, right).reward
        return 0.0 if reward is None else reward

    def wrong(self, candidate: Candidate, task: int) -> str:
        others = [gold for gold in candidate.golds if gold]
        family = family_of(candidate, self.tasks)
        return wrong(family, candidate.golds[task] or "", random.Random(task), options=self.options[task] or others)

    def distinct(self, candidate: Candidate) -> list[int]:
        """Tasks with a gold, one per different gold first."""
        have = [i for i, gold in enumerate(candidate.golds) if gold]
        first = {candidate.golds[i]: i for i in reversed(have)}
        firsts = sorted(first.values())
        return firsts + [i for i in have if i not in firsts]
