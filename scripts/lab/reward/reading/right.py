"""`Right`: the right answer of each task, and how a completion says it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from lab.answers.numbers import number_text, parse_number
from lab.answers.target import Target
from lab.answers.wrong import wrongs
from lab.environment import Completion, Score, Task
from lab.reward.formats.answer_format import PLAIN, AnswerFormat
from lab.reward.reading.fields import flat
from lab.reward.reading.rendered import KEYED, other_parts

LOW = re.compile(r"(?:^|[._])(?:low|lower|lo|min|minimum)(?:$|[._])", re.IGNORECASE)
HIGH = re.compile(r"(?:^|[._])(?:high|upper|hi|max|maximum)(?:$|[._])", re.IGNORECASE)
APPROVED = "what the judge approves of"
"""The source of golds that only a judge knows."""
WRONGS = 3
"""Wrong answers per task, where its type has as many."""


@dataclass
class Right:
    """What is right, task by task of the description. Without golds only `whole` can be right."""

    tasks: Sequence[Task]
    source: str = ""
    """Where the golds come from, "" where no text of an answer is known."""
    reading: str = ""
    golds: list[str | None] = field(default_factory=list)
    accepted: list[list[str]] = field(default_factory=list)
    answer_type: str = "unknown"
    format: AnswerFormat = PLAIN
    options: list[list[str]] = field(default_factory=list)
    all_of: bool = False
    rank: int = 3
    margin: float = 0.0
    """What the gold earns above a wrong answer written the same way, on the tasks of the search."""
    evidence: str = ""
    whole: dict[int, Completion] = field(default_factory=dict)
    """Right rollouts that no text says: calls, moves, a contract's examples. By task."""
    whole_from: str = ""
    cut: dict[int, Completion] = field(default_factory=dict)
    """By task: its right rollout, ended too early to be right."""
    broken: dict[int, list[tuple[str, Completion]]] = field(default_factory=dict)
    """By task: its right rollout with one rule of the prompt broken, and which."""
    own: bool = False
    """Whether each task was made of its right rollout, so that it is hardly right for another."""
    scores: dict[int, Score] = field(default_factory=dict)
    """Of the gold, written in the format, by task: as far as the search has scored them."""
    partly: bool = False
    """Whether golds were left out that are not known to be paid."""
    named_otherwise: str = ""
    """A field that is named like the gold, where another one is paid."""
    tolerance: float | None = None
    """The share of a number's value by which it may be off: declared, or stated by a README."""
    inexact: bool = False
    """Whether the README says that a number may be off by a little."""
    seed: int = 0

    def __post_init__(self) -> None:
        count = len(self.tasks)
        self.golds = self.golds or [None] * count
        self.accepted = self.accepted or [[gold] if gold else [] for gold in self.golds]
        self.options = self.options or [[] for _ in range(count)]

    @property
    def best(self) -> float:
        """The most that a gold has earned; 0 where none was scored."""
        return max((s.reward for s in self.scores.values() if s.reward is not None), default=0.0)

    @property
    def paid(self) -> float:
        """The share of the scored golds that earn more than half of the most; 0 for none."""
        earned = [(score.reward or 0.0) > self.best / 2 for score in self.scores.values()]
        return sum(earned) / len(earned) if earned and self.best > 0 else 0.0

    @cached_property
    def with_gold(self) -> list[int]:
        return [i for i, gold in enumerate(self.golds) if gold]

    def gold(self, task: int) -> str:
        return self.golds[task] or ""

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        """The golds of all tasks, each once."""
        return tuple(dict.fromkeys(gold for gold in self.golds if gold))

    @cached_property
    def keyed(self) -> bool:
        """Whether the parts of each gold stand behind keys: by its reading, or as lines that have
        the same keys in all golds."""
        golds = [one.splitlines() for one in self.distinct]
        keys = {tuple(line.partition(": ")[0] for line in lines) for lines in golds}
        alike = len(golds) > 1 == len(keys) and all(len(lines) > 1 for lines in golds)
        lined = alike and all(": " in line for lines in golds for line in lines)
        return lined or self.reading in KEYED

    @cached_property
    def by_gold(self) -> list[int]:
        """Tasks with a gold, one per different gold first."""
        first = {self.gold(i): i for i in reversed(self.with_gold)}
        firsts = sorted(first.values())
        return [*firsts, *(i for i in self.with_gold if i not in set(firsts))]

    @cached_property
    def targets(self) -> dict[int, Target]:
        """Per task with a gold: the gold with its surroundings and its wrong answers."""
        return {i: self._target(i) for i in self.with_gold}

    def _target(self, task: int) -> Target:
        gold, options = self.gold(task), self.options[task]
        made = replace(
            Target(gold, self.answer_type),
            shown=self.tasks[task].shown,
            prompt=self.tasks[task].prompt,
            accepted=tuple(self.accepted[task]),
            options=tuple(options),
            golds=self.distinct,
            all_of=self.all_of,
            inexact=self.inexact,
            in_brackets=self.reading.endswith("in brackets"),
        )
        return replace(made, wrongs=tuple(self._wrongs(task)))

    def _wrongs(self, task: int) -> list[str]:
        gold, options = self.gold(task), self.options[task]
        rng = random.Random(self.seed * 7919 + task)
        others = options if gold in options else list(self.distinct)
        if self.answer_type == "choice" and re.fullmatch(r"\(?[A-J]\)?", gold) and len(options) > 1:
            # A letter beyond the last option is no wrong answer, it is none.
            letters = "ABCDEFGHIJ"[: len(options)]
            others = [gold.replace(gold.strip("()"), letter) for letter in letters]
        made = wrongs(self.answer_type, gold, rng, WRONGS, options=others)
        if self.reading in KEYED:
            made = other_parts(gold, self.distinct, WRONGS) or made
        if bounds := self.bounds(task):
            made = _beyond(*bounds, places=2 * (re.fullmatch(r"\d+", gold) is None))
        accepted = {text.lower() for text in self.accepted[task]}
        return [text for text in made if text.lower() not in accepted] or made

    def bounds(self, task: int) -> tuple[Fraction, Fraction] | None:
        """The bounds between which a number counts as the gold, where a tolerance is declared or
        fields of the task hold them."""
        value = parse_number(self.gold(task)) if self.answer_type == "number" else None
        if value is None:
            return None
        if self.tolerance:
            off = abs(Fraction(value)) * Fraction(self.tolerance)
            return (Fraction(value) - off, Fraction(value) + off) if off else None
        fields = [(p, v) for p, v in flat(self.tasks[task].fields) if not isinstance(v, bool)]
        found = []
        for name in (LOW, HIGH):
            numbers = (parse_number(str(v)) for path, v in fields if name.search(path))
            found.append(next((number for number in numbers if number is not None), None))
        low, high = found
        if low is None or high is None or not low < high or not low <= value <= high:
            return None
        return Fraction(low), Fraction(high)

    def between(self, task: int, text: str) -> bool:
        """Whether a number lies between the task's bounds."""
        bounds, value = self.bounds(task), parse_number(text)
        return bounds is not None and value is not None and bounds[0] <= value <= bounds[1]

    def write(self, answer: str, reasoning: str = "") -> str:
        return self.format.write(answer, reasoning)

    def slot(self, answer: str) -> str:
        return self.format.slot(answer)

    def completion(self, task: int) -> Completion | None:
        """The right completion of a task, where one is known."""
        if self.golds[task]:
            return self.write(self.gold(task))
        return self.whole.get(task)

    def where_paid(self) -> Right:
        """The same without the golds that were scored and earn half of the most at most."""
        least = self.best / 2
        unpaid = {i for i, score in self.scores.items() if (score.reward or 0.0) <= least}
        return replace(
            self,
            partly=True,
            golds=[None if i in unpaid else gold for i, gold in enumerate(self.golds)],
            scores={i: score for i, score in self.scores.items() if i not in unpaid},
        )

    def without_gold(self, evidence: str) -> Right:
        """The same with no gold: nothing in the tasks is an answer that could be written."""
        return Right(
            self.tasks, format=self.format, options=self.options, evidence=evidence, seed=self.seed
        )


def _beyond(low: Fraction, high: Fraction, places: int) -> list[str]:
    """Numbers with so many decimals beyond two bounds, by more than their distance."""
    values = (2 * high - low + 7, 3 * high + 1, 5 * high + 3)
    return [number_text(Decimal(round(value * 10**places)).scaleb(-places)) for value in values]
