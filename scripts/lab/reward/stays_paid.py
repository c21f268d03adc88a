"""Right replies, changed as far as they still earn all: what only a reader can call right or wrong.

    for one in stays_paid(audit):
        one.name          # "numbers changed"
        one.completion    # the right reply with all the numbers changed that do not count

Each sort of change is made at one more place as long as the reply is paid like the right one: what
is left is what that sort can do at most, so one question about it stands for many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from lab.answers.changes import WORD, WORDS_LEFT_OUT, Change, Chosen, text_changes, value_changes
from lab.environment import Completion
from lab.reward.brief import Brief
from lab.reward.contract import RIGHT, Example
from lab.reward.examples_scored import nearest
from lab.reward.interactive.messages import Turn, messages_of, shown, turns_of
from lab.reward.interactive.ways import spread
from lab.reward.outcome import Audit
from lab.reward.scale import TINY

PLACES, MOST, MOST_WORDS = 16, 12, 4
"""Places of one change, questions, and those about words that are left out."""
SECONDS = 30.0
VALUES = ("values", "members", "numbers")
"""Of the changes of what is said on the way those that are asked about."""


@dataclass(frozen=True)
class StaysPaid:
    """A changed reply that earns no less than the right one."""

    name: str
    task: int
    """The position of the task."""
    places: int
    """At how many places it was changed."""
    completion: Completion

    @property
    def words(self) -> str:
        return f"{self.name} ({self.places})" if self.places > 1 else self.name


def stays_paid(audit: Audit, tasks: Sequence[int]) -> list[StaysPaid]:
    """The furthest of each sort on these tasks, as far as there is time, where the right reply is
    known and paid; of words that are left out several. None where a scripted judge says what is
    right, or programs are run."""
    brief = audit.brief
    if brief.scripted or brief.programs or not (brief.scale.apart or brief.right.whole):
        return []
    until = time.monotonic() + SECONDS
    found: dict[str, list[StaysPaid]] = {}
    for i in tasks:
        if time.monotonic() < until:
            for one in _of_task(audit, i, until):
                found.setdefault(one.name, []).append(one)
    examples = (*brief.contract.examples, *brief.contract.undecided)
    given = [(example.task, example.completion) for example in examples]
    asked: dict[str, StaysPaid] = {}
    for one in [one for sort in found.values() for one in _unlike(brief, sort)]:
        if (brief.tasks[one.task].index, one.completion) not in given:
            asked.setdefault(repr((one.task, one.completion)), one)
    return list(asked.values())[:MOST]


def _of_task(audit: Audit, task: int, until: float) -> Iterator[StaysPaid]:
    earned = partial(_earned, audit, task)
    for right in _rights(audit.brief, task):
        least = earned(right, right=True) - TINY
        if least <= (audit.brief.scale.floor or 0.0):
            continue
        for change in _changes(audit.brief, task, right):
            one = _furthest(change, task, earned, least, until)
            if one and one.completion != right:
                yield one


def _rights(b: Brief, task: int) -> list[Completion]:
    """What is right: as it was found, and the shortest example that plays turns or calls."""
    index, known = b.tasks[task].index, b.right.completion(task)
    played = [e.completion for e in b.contract.right_examples() if e.task == index]
    played = sorted((c for c in played if not isinstance(c, str)), key=lambda c: len(repr(c)))
    found = [known] if known is not None else []
    return [*found, *(one for one in played[:1] if one != known)]


def _unlike(b: Brief, sort: list[StaysPaid]) -> Iterator[StaysPaid]:
    """The one with most places; where words are left out, one for each set of words."""
    sort = sorted(sort, key=lambda one: -one.places)
    if sort[0].name != WORDS_LEFT_OUT:
        yield sort[0]
        return
    seen: set[str] = set()
    count = 0
    for one in sort:
        right = _words(b.right.completion(one.task) or "")
        lost = right - _words(one.completion)
        if lost - seen and count < MOST_WORDS:
            count += 1
            yield one
        seen |= lost


def _words(completion: Completion) -> set[str]:
    return {word.lower() for word in WORD.findall(shown(completion))}


def _earned(audit: Audit, task: int, completion: Completion, right: bool = False) -> float:
    """What a reply earns; `right`: what a scripted judge is to say of it. It would approve of any
    change of a right reply, too."""
    score = audit.session.score(task, completion, right=right)
    as_right = Example(task, completion, RIGHT)
    return nearest(audit.session, task, as_right, score.reward) or 0.0


def _furthest(
    change: Change, task: int, earned: Callable[[Completion], float], least: float, until: float
) -> StaysPaid | None:
    """The change at as many places as still earn the least; None where it is at none."""
    chosen: Chosen = frozenset()
    made = before = change.made(chosen)
    for i in spread(change.places, PLACES):
        more = change.made(chosen | {i})
        new = bool(more) and more not in (made, before)
        if new and time.monotonic() < until and earned(more) >= least:
            chosen, made = chosen | {i}, more
            if change.alone:
                break
    return StaysPaid(change.name, task, len(chosen), made) if chosen else None


def _changes(b: Brief, task: int, right: Completion) -> Iterator[Change]:
    if right == b.right.completion(task) and b.gold(task):
        for one in text_changes(b.gold(task)):
            yield _as(one, b.write)
    elif isinstance(right, str):
        yield from text_changes(right)
    else:
        yield from _turn_changes(turns_of(right))


def _as(change: Change, write: Callable[[Any], Any]) -> Change:
    return replace(change, made=lambda chosen: write(change.made(chosen)))


# --- turns -----------------------------------------------------------------------------------


def _turn_changes(turns: list[Turn]) -> Iterator[Change]:
    """The changes of turns, of arguments, and of texts; of what is said before the last reply only
    those of its values."""
    called = any(not isinstance(turn, str) for turn in turns)
    name = "calls" if called else "replies"
    places = len(turns) - called  # the last reply ends the rollout
    for sort, first, made in (
        ("left out", 0, lambda t, i: t[:i] + t[i + 1 :]),
        ("made twice", 0, lambda t, i: t[: i + 1] + t[i:]),
        ("made one earlier", 1, lambda t, i: [*t[: i - 1], t[i], t[i - 1], *t[i + 1 :]]),
    ):
        change = partial(_each, turns, made, first)
        yield Change(f"{name} {sort}", places - first, change)
    for at, turn in enumerate(turns):
        inner = text_changes(turn) if isinstance(turn, str) else value_changes(turn[1])
        for one in inner:
            if at + 1 == len(turns) or any(word in one.name for word in VALUES):
                yield _as(one, partial(_with, turns, at))


def _with(turns: list[Turn], at: int, new: Any) -> Completion:
    before = turns[at]
    changed = new if isinstance(before, str) else (before[0], new)
    return messages_of([*turns[:at], changed, *turns[at + 1 :]])


def _each(
    turns: list[Turn], made: Callable[[list[Turn], int], list[Turn]], first: int, chosen: Chosen
) -> Completion:
    for i in sorted(chosen, reverse=True):
        turns = made(turns, i + first)
    return messages_of(turns)
