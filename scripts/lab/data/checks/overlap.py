"""`Overlap`: which held-out questions are met in training, whole or nearly.

    overlap = Overlap(held_out_items)
    overlap.meet(training_items)         # as often as there are more
    overlap.exact, overlap.near          # rows of the held-out part

Nearly: one training question has half of the runs of 8 words that set the held-out one apart, and
all of its numbers. With other numbers, or about another passage, it is another question.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from lab.data.checks.item import Item
from lab.data.checks.runs import parts, runs_of

STRIDE = 3
"""Every third run of a training question is looked up; the index has all of the held-out part."""
OWN_RUNS = 3
"""Runs of its own that a held-out question needs to be met by half of them."""
HALF = 0.5
SIEVE = 22
"""Bits of a run's number by which most runs of no held-out question are told at once."""


class Overlap:
    def __init__(self, held_out: Sequence[Item]):
        import numpy as np

        self._numbers = [_numbers(item.question) for item in held_out]
        self._asked = {item.question_key: row for row, item in enumerate(held_out)}
        found = _each(["" if item.context else item.question for item in held_out])
        common = Counter(chain.from_iterable(found))
        most = max(2, len(found) // 50)
        self._own = [{run for run in own if common[run] <= most} for own in found]
        self._rows: dict[int, list[int]] = defaultdict(list)
        """run of words -> held-out rows that have it, where these are few."""
        for row, own in enumerate(self._own):
            for run in own:
                self._rows[run].append(row)
        self._sieve = np.zeros(1 << SIEVE, bool)
        self._sieve[[run >> (64 - SIEVE) for run in self._rows]] = True
        self.exact: set[int] = set()
        self.near: set[int] = set()
        """The rows that are met word for word, or nearly."""

    def __len__(self) -> int:
        return len(self._own)

    def meet(self, items: Iterable[Item]) -> None:
        """Some training questions."""
        for part in parts(items, lambda item: len(item.question)):
            asked = (self._asked.get(item.question_key) for item in part)
            self.found(row for row in asked if row is not None)
            if met := self._sharing([item.question for item in part]):
                self._compare([(part[place].question, rows) for place, rows in met.items()])

    def _sharing(self, questions: list[str]) -> dict[int, set[int]]:
        """Place of a question -> the held-out rows that share a run with it."""
        if not self._rows:
            return {}
        runs, places = runs_of(questions, STRIDE)
        maybe = self._sieve[runs >> (64 - SIEVE)]
        met: dict[int, set[int]] = defaultdict(set)
        for run, place in zip(runs[maybe].tolist(), places[maybe].tolist(), strict=True):
            if run in self._rows:
                met[place].update(self._rows[run])
        return met

    def _compare(self, met: list[tuple[str, set[int]]]) -> None:
        left = [(question, wanted) for question, rows in met if (wanted := rows - self.near)]
        for (question, rows), runs in zip(left, _each([one for one, _ in left]), strict=True):
            numbers = _numbers(question)
            for row in rows:
                own = self._own[row]
                half = len(own) >= OWN_RUNS and len(own & runs) >= HALF * len(own)
                if half and self._numbers[row] <= numbers:
                    self.near.add(row)

    def found(self, rows: Iterable[int]) -> None:
        """Rows of the held-out part that are known to be in training word for word."""
        same = set(rows)
        self.exact |= same
        self.near |= same


def _each(texts: Sequence[str]) -> list[set[int]]:
    """The runs of each text."""
    out: list[set[int]] = [set() for _ in texts]
    for part in parts(enumerate(texts), lambda pair: len(pair[1])):
        runs, places = runs_of([text for _, text in part])
        for run, place in zip(runs.tolist(), places.tolist(), strict=True):
            out[part[place][0]].add(run)
    return out


def _numbers(question: str) -> Counter[str]:
    return Counter(word for word in question.split() if any(char.isdigit() for char in word))
