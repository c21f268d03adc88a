"""Texts to order, for tasks that only constrain how a text looks: so many words, no commas, an end.

Such tasks have no gold: whatever keeps the constraints is right. The orders that a prompt may mean
are tried first. Then the one that went furthest is changed in one respect at a time, as long as
more is kept: scoring says how much by its reward, by metrics, and by what the code's own functions
find true. Source: search-based test generation (McMinn, STVR 2004), the alternating variable
method.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lab.environment import Completion, Environment, Task
from lab.reward.formats.answer_format import PLAIN, AnswerFormat
from lab.reward.interactive.ways import spread
from lab.reward.reading.breaches import breaches
from lab.reward.reading.kept import kept
from lab.reward.reading.order import PLACES, Order, altered, without, write
from lab.reward.reading.ordered import EXACT, letters, numbers, orders, phrases, spelled
from lab.reward.reading.search import TINY

TASKS, MOST_FORMATS, LEAST = 6, 4, 2
FIRST_ORDERS, MOST_WAYS = 6, 2
"""Orders that are tried in all ways to write, and ways that are gone on with."""
SECONDS, SLOW = 48.0, 0.2
"""For all texts; of one completion, above which hundreds of them are not tried."""
COUNTED = "words lines paragraphs sentences bullets questions longest hashtags".split()
"""Places of an order that are counts."""
MOST_OF = {"words": 400, "longest": 60}
MOST_COUNTED, MOST_TIMES, NEAR = 20, 6, 2
"""Lines, paragraphs and so on; times that a word comes; words more or less than a number says."""
MORE = (4, 8)
"""Words more, where others come or go."""


@dataclass
class ToOrder:
    """What keeps the constraints of its prompt, by task."""

    right: dict[int, Completion] = field(default_factory=dict)
    cut: dict[int, Completion] = field(default_factory=dict)
    """The first half of it, where the prompt says exactly how long it is."""
    broken: dict[int, list[tuple[str, Completion]]] = field(default_factory=dict)
    """The same with one rule broken, and which."""
    graded: bool = False
    """Whether a text that keeps some of them earns a part."""


@dataclass(frozen=True)
class _Tried:
    order: Order
    way: AnswerFormat
    kept: tuple[float, float, int, int]
    """What it earns; how much of it the metrics and the code's functions find kept; how much the
    code has looked at; the plainest order first."""


def find(env: Environment, formats: Sequence[AnswerFormat], most: float) -> ToOrder | None:
    """Texts to order that are paid where an empty form is not; None where too few are."""
    if env.score(0, "x").seconds > SLOW:
        return None
    until = env.clock() + SECONDS
    hinted = [one for hint in ("prompt", "code") for one in formats if one.hint == hint]
    plain = replace(PLAIN, lead="")
    ways = [plain, *(replace(one, lead="") for one in hinted[:MOST_FORMATS])]
    found = ToOrder()
    tried = 0
    for i in spread(len(env.description.tasks), TASKS):
        tried += 1
        search = _Search(env, i, most, min(until, env.clock() + SECONDS / LEAST))
        if made := search.find(ways):
            text, way, order = write(made.order), made.way, made.order
            found.right[i], ways = way.write(text), [way]
            found.broken[i] = [
                (name, way.write(text)) for name, text in breaches(env.description.tasks[i], order)
            ]
            half = way.write(_half(text))
            found.graded |= TINY < (env.score(i, half).reward or 0.0) < most - TINY
            if order.acrostic or EXACT.search(env.description.tasks[i].prompt):
                found.cut[i] = half
        if env.clock() > until or (tried >= LEAST and not found.right):
            break
    return found if len(found.right) >= LEAST and len(found.right) * 2 >= tried else None


def _half(text: str) -> str:
    """The first half of a text: of its lines, or of the words of the only one."""
    lines = text.splitlines()
    if len(lines) > 1:
        return "\n".join(lines[: len(lines) // 2])
    words = text.split()
    return f"{' '.join(words[: len(words) // 2])}."


class _Search:
    """Looks for a text that one task pays."""

    def __init__(self, env: Environment, task: int, most: float, until: float) -> None:
        self.env, self.task, self.most, self.until = env, task, most, until

    def find(self, ways: Sequence[AnswerFormat]) -> _Tried | None:
        best: dict[AnswerFormat, _Tried] = {}
        for n, order in enumerate(orders(self.env.description.tasks[self.task])):
            if n == FIRST_ORDERS:
                ways = self._furthest(best)
            for way in ways:
                one = self._tried(order, way)
                if self._paid(one) or self.env.clock() > self.until:
                    return self._told_apart(one)
                if way not in best or one.kept > best[way].kept:
                    best[way] = one
        made = (self._told_apart(self._changed(best[way])) for way in self._furthest(best))
        return next(filter(None, made), None)

    def _furthest(self, best: dict[AnswerFormat, _Tried]) -> list[AnswerFormat]:
        """The ways to write that the code looks at most, one of those that go as far."""
        of_each: dict[tuple[float, ...], AnswerFormat] = {}
        for way, one in best.items():
            of_each.setdefault(one.kept[:3], way)
        by_looks = sorted(of_each.items(), key=lambda one: (one[0][2], one[0]), reverse=True)
        return [way for _, way in by_looks][:MOST_WAYS]

    def _tried(self, order: Order, way: AnswerFormat) -> _Tried:
        seen = self.env.watch(self.task, way.write(write(order)))
        return _Tried(order, way, (*kept(seen), -order.asks))

    def _paid(self, one: _Tried) -> bool:
        return one.kept[0] >= self.most - TINY

    def _told_apart(self, one: _Tried) -> _Tried | None:
        """The text, where it is paid and an empty form is paid less."""
        bare = self.env.score(self.task, one.way.write("x")).reward or 0.0
        return one if self._paid(one) and bare < one.kept[0] - TINY else None

    def _changed(self, start: _Tried) -> _Tried:
        """The order changed in one respect at a time, until nothing gains; then from those that
        are as good: what one rule gains by a change another one may lose."""
        best, as_good = self._climbed(start)
        for other in as_good:
            if self._paid(best) or self.env.clock() > self.until:
                break
            best = max(best, self._climbed(other)[0], key=lambda one: one.kept)
        return best

    def _climbed(self, best: _Tried) -> tuple[_Tried, list[_Tried]]:
        """The best of each respect in turn; with it, those of the last turn that keep as much."""
        task = self.env.description.tasks[self.task]
        before: _Tried | None = None
        as_good: list[_Tried] = []
        while best is not before and not self._paid(best):
            before, as_good = best, []
            for change in _CHANGES:
                alike: _Tried | None = None
                for order in dict.fromkeys(change(best.order, task)):
                    one = self._tried(order, best.way)
                    if one.kept[:2] == best.kept[:2] and order != best.order:
                        alike = one if alike is None or one.kept[2] > alike.kept[2] else alike
                    best = one if one.kept > best.kept else best
                    if self._paid(best) or self.env.clock() > self.until:
                        return best, []
                as_good += [alike] if alike else []
        return best, as_good


# --- changes of an order in one respect --------------------------------------------------------


def _counts(order: Order, task: Task) -> Iterator[Order]:
    """Other counts; of lines and the like also with as many words in each."""
    known = numbers(task)
    few = [n for n in known if n <= MOST_COUNTED]
    for name in COUNTED:
        near = [n + by for n in known for by in (0, -NEAR, NEAR)] if name == "words" else known
        for n in (None, *near):
            if n is None or 0 < n <= MOST_OF.get(name, MOST_COUNTED):
                made = altered(order, **{name: n})
                yield made
                if n and name in ("lines", "paragraphs"):
                    yield from (
                        replace(made, words=words) for words in (None, *(n * m for m in few))
                    )


def _words(order: Order, task: Task) -> Iterator[Order]:
    """Each phrase of the prompt, and all that are said together, in other places, or in none."""
    times = [n for n in numbers(task) if 1 < n <= MOST_TIMES]
    together = phrases(task)
    single = [[one] for one in dict.fromkeys(one for group in together for one in group)]
    for group in [*(group for group in together if len(group) > 1), *single]:
        bare = without(order, group)
        made = [
            replace(bare, keywords=(*bare.keywords, *((said, n) for said in group)))
            for n in (1, *times)
        ]
        if len(group) == 1:
            made += [altered(bare, **{at: group[0]}) for at in PLACES]
        made.append(replace(bare, avoid=(*bare.avoid, *group)))
        for one in made:
            yield one
            if one.words:  # they may count for nothing, or take a place
                yield from (replace(one, words=one.words + more) for more in MORE)
        yield bare


def _letters(order: Order, task: Task) -> Iterator[Order]:
    """Letters that words begin with, or that may not come."""
    for letter in letters(task):
        avoid = tuple(one for one in order.avoid if one != letter)
        yield replace(order, avoid=(*avoid, letter))
        yield replace(order, avoid=avoid, initial=letter)
        for n in [n for n in numbers(task) if n <= MOST_TIMES]:
            yield replace(order, avoid=avoid, starting=((letter, n),))


def _looks(order: Order, task: Task) -> Iterator[Order]:
    few = [n for n in numbers(task) if n <= MOST_COUNTED]
    for word in spelled(task):
        for each in (order.words, None, *(n * len(word) for n in few)):
            made = replace(order, acrostic=word, words=each)
            yield made
            yield replace(made, paragraphs=len(word), lines=None)
            yield replace(made, paragraphs=None, lines=None)
    yield replace(order, acrostic="")
    yield from (replace(order, case=case) for case in ("", "lower", "upper"))
    yield from (replace(order, marker=mark) for mark in ("- ", "* ", "• "))
    yield from (replace(order, mark=mark) for mark in (".", "!", "?", "…", ""))
    yield replace(order, title=not order.title)
    yield replace(order, quoted=(0, 0))
    for count in few if '"' in task.prompt or "quot" in task.prompt else ():
        yield from (replace(order, quoted=(count, words)) for words in few if words >= count)


_CHANGES: tuple[Any, ...] = (_looks, _words, _letters, _counts)
