"""Golds that are a list with one item per turn, each reply in the form that its own turn asks for.

A few replies, written in one form, show which list is paid; then the form of each turn is varied
alone, because turns may ask for different ones (`<sorted>` first, `<combined_sorted>` later). It is
the gold where it earns most of the reward, and more than another task's list written alike.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from lab.answers.extract import loads
from lab.environment import Completion, Environment, Task
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.formats.known import all_formats
from lab.reward.formats.prompt import prompt_formats
from lab.reward.interactive.messages import said
from lab.reward.interactive.ways import NEUTRAL, spread
from lab.reward.reading.fields import rank_of, rows_by_path
from lab.reward.reading.search import TINY

MOST_TURNS, MOST_LISTS, MOST_FORMS, TASKS = 12, 4, 12, 4
SECONDS = 25.0
LEAST = 0.5
"""Of the most that can be earned: a list that earns less is not the gold."""
Write = Callable[[Any], str]
WRITERS: tuple[tuple[str, Write], ...] = (
    ("a line each", "\n".join),
    ("with commas", ", ".join),
    ("as JSON", json.dumps),
)


@dataclass(frozen=True)
class ByTurn:
    """The list that is paid, how, and what it earns."""

    name: str
    reward: float
    right: dict[int, Completion]
    graded: bool
    """Whether replies that are right in some turns only earn a part."""
    cut: dict[int, Completion]
    """The first reply alone."""


@dataclass
class _Way:
    """One list with the form of each turn; turns beyond the last form take that one."""

    path: str
    how: str
    """How an item that is a list is written, "" where each is a text."""
    write: Write
    forms: list[AnswerFormat]

    @property
    def name(self) -> str:
        return f"{self.path}, {self.how}" if self.how else self.path

    def replies(self, items: list[Any]) -> list[str]:
        texts = [one if isinstance(one, str) else self.write(one) for one in items]
        last = len(self.forms) - 1
        return [self.forms[min(t, last)].write(text) for t, text in enumerate(texts)]


class Searcher:
    def __init__(self, env: Environment, code: Sequence[AnswerFormat], most: float) -> None:
        self.env, self.code, self.most = env, list(code), most
        self.tasks = env.description.tasks
        self.until = time.monotonic() + SECONDS
        self.rows = rows_by_path(self.tasks)

    def find(self) -> ByTurn | None:
        best: tuple[float, int, _Way] | None = None
        for path in self._paths():
            i = max(range(len(self.tasks)), key=lambda n: len(self._items(path, n)))
            for how, write in self._writers(path):
                way, reward = self._way(path, how, write, i)
                if best is None or reward > best[0] + TINY:
                    best = (reward, i, way)
            if (best and best[0] >= 0.95 * self.most) or time.monotonic() > self.until:
                break
        return self._held(best[2]) if best and best[0] >= LEAST * self.most else None

    def _items(self, path: str, task: int) -> list[Any]:
        value = self.rows[task].get(path)
        value = loads(value) if isinstance(value, str) and value.lstrip()[:1] == "[" else value
        items = value if isinstance(value, list) else []
        return [str(one) if isinstance(one, (int, float)) else one for one in items]

    def _paths(self) -> list[str]:
        """Fields that hold a list for each task, of at most as many items as there are turns."""
        paths = dict.fromkeys(path for row in self.rows for path in row)
        found = []
        for path in paths:
            sizes = [len(self._items(path, i)) for i in range(len(self.tasks))]
            if all(sizes) and 1 < max(sizes) <= MOST_TURNS:
                found.append(path)
        return sorted(found, key=rank_of)[:MOST_LISTS]

    def _writers(self, path: str) -> Iterator[tuple[str, Write]]:
        items = [item for i in range(len(self.tasks)) for item in self._items(path, i)]
        if all(isinstance(item, str) for item in items):
            yield "", str
        elif all(
            isinstance(item, list) and all(isinstance(x, str) for x in item) for item in items
        ):
            yield from WRITERS
        else:
            yield WRITERS[-1]

    def _way(self, path: str, how: str, write: Write, task: int) -> tuple[_Way, float]:
        """The forms that earn most on a task: one for all turns, then turn by turn."""
        items = self._items(path, task)
        asked = [self._forms(text) for text in self._told(task, len(items))]
        known = _unique([one for forms in asked for one in forms])
        tried = [_Way(path, how, write, [one]) for one in known]
        earned = [(self._earned(task, way.replies(items)), -n) for n, way in enumerate(tried)]
        reward, place = max(earned)
        best = replace(tried[-place], forms=tried[-place].forms * len(items))
        for t in range(len(items)):
            for one in asked[min(t, len(asked) - 1)]:
                if reward >= 0.99 * self.most or time.monotonic() > self.until:
                    return best, reward
                forms = [*best.forms[:t], *[one] * (len(items) - t)]
                alone = [*best.forms[:t], one, *best.forms[t + 1 :]]
                for made in (replace(best, forms=forms), replace(best, forms=alone)):
                    paid = self._earned(task, made.replies(items))
                    if paid > reward + TINY:
                        best, reward = made, paid
        return best, reward

    def _told(self, task: int, turns: int) -> list[str]:
        """What the model is shown before each of its replies."""
        texts, told = [], self.tasks[task].shown
        for played in self.env.play(task, [[NEUTRAL] * turns])[:1]:
            for message in played.messages:
                if message["role"] == "assistant":
                    texts.append(told)
                else:
                    told = str(message["content"])
        return texts or [told]

    def _forms(self, text: str) -> list[AnswerFormat]:
        shown = Task(0, "", text)
        hinted = prompt_formats([shown])
        known = all_formats([shown], hinted, self.code)
        return [replace(one, lead="") for one in known[:MOST_FORMS]]

    def _earned(self, task: int, replies: list[str]) -> float:
        completion = said(replies)
        self.env.expect(True, completion)
        return self.env.score(task, completion).reward or 0.0

    def _held(self, way: _Way) -> ByTurn | None:
        """The way, where it is paid on several tasks and another task's list is not."""
        right: dict[int, Completion] = {}
        cut: dict[int, Completion] = {}
        earned, parts = [], 0
        for i in spread(len(self.tasks), 2 * TASKS):
            items = self._items(way.path, i)
            other = self._items(way.path, (i + 1) % len(self.tasks))
            replies = way.replies(items)
            wrong = way.replies([other[t % len(other)] for t in range(len(items))])
            if replies == wrong:
                continue
            paid, unpaid = self._earned(i, replies), self._earned(i, wrong)
            if paid < LEAST * self.most or paid <= unpaid + TINY:
                return None
            if len(items) > 1:
                part = self._earned(i, [*replies[:-1], wrong[-1]])
                cut[i] = said(replies[:1])
                parts += unpaid + TINY < part < paid - TINY or TINY < unpaid < paid - TINY
            right[i] = said(replies)
            earned.append(paid)
            if len(earned) == TASKS:
                break
        if len(earned) < min(2, len(self.tasks)):
            return None
        return ByTurn(f"the items of {way.name}, one a turn", fmean(earned), right, parts > 0, cut)


def _unique(forms: list[AnswerFormat]) -> list[AnswerFormat]:
    kept: dict[str, AnswerFormat] = {}
    for one in forms:
        kept.setdefault(one.write("\0"), one)
    return list(kept.values())
