"""What two states of a store differ in, as a comparison shows them: records, and amounts.

{"B-101": {"day": "Monday"}, "B-102": {...}}, {"B-101": {"day": "Tuesday"}}
# B-101 has another day, B-102 is gone
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from lab.environment import Task

Record = dict[str, Any]
KEY, VALUE = "", "value"
"""The names of what a table has a record under, and of what a plain table has there."""
IDENTIFIES = re.compile(r"(?:^|_)(?:id|key|code|number|no|name|ref|reference)$", re.IGNORECASE)
MOST_RECORDS, DEPTH = 400, 4
MOST_MOVED = 12
"""Amounts that are other."""


@dataclass(frozen=True)
class Difference:
    """A record on one side only, or one on both that is not the same."""

    before: Record
    after: Record

    @property
    def changed(self) -> Record:
        """What is other, or new."""
        return {k: v for k, v in self.after.items() if self.before.get(k) != v}

    @property
    def known(self) -> Record:
        """All that is known of it, as it is to be."""
        return {**self.before, **self.after}


def differences(ours: Any, theirs: Any, task: Task) -> Iterator[Difference]:
    """Records that are other, then those that are to be there, then those that are not."""
    names = list(_objects(task.fields))
    yield from _apart(_records(ours, names), _records(theirs, names))


def _apart(ours: list[Record], theirs: list[Record]) -> Iterator[Difference]:
    gone = [one for one in ours if one not in theirs]
    new = [one for one in theirs if one not in ours]
    same = [(a, b) for a in gone for b in new if _same_thing(a, b)]
    for before, after in same:
        yield Difference(before, after)
    alone = [one for one in new if not any(one is after for _, after in same)]
    for after in alone:
        yield Difference({}, after)
    for before in gone:
        if not any(before is one for one, _ in same):
            yield Difference(before, {})
    # What is one thing with another name is other than it was, too.
    for before in gone:
        for after in alone:
            common = sum(before.get(name) == value for name, value in after.items())
            if common * 2 >= len(after) > 1:
                yield Difference(before, after)


def _same_thing(one: Record, other: Record) -> bool:
    name = next((name for name in one if name == KEY or IDENTIFIES.search(name)), None)
    return name is not None and name in other and one[name] == other[name]


def _records(value: Any, names: Sequence[Record]) -> list[Record]:
    """The records of a list or a table; of rows without names those of an object that has the same
    values among the fields of the task."""
    if isinstance(value, dict):
        if all(isinstance(inner, dict) for inner in value.values()):
            return [_under(key, inner, names) for key, inner in value.items()]
        lists = [inner for inner in value.values() if isinstance(inner, (list, dict))]
        if len(lists) * 2 > len(value):
            return [one for inner in lists for one in _records(inner, names)]
        return [{KEY: key, VALUE: inner} for key, inner in value.items()]
    if not isinstance(value, list):
        return []
    return _of_rows(value[:MOST_RECORDS], names)


def _under(key: str, inner: Record, names: Sequence[Record]) -> Record:
    """The record that a table has under a key; under several, the object of the task with these."""
    if key.startswith("("):
        with contextlib.suppress(ValueError, SyntaxError, TypeError):
            like = _like([*ast.literal_eval(key), *inner.values()], names)
            return like if like is not None else {KEY: key, **inner}
    return {KEY: key, **inner}


def _of_rows(rows: list[Any], names: Sequence[Record]) -> list[Record]:
    """The records of a list: what has no names has those of the first row that is an object of the
    task, and else its places."""
    like = [_like(row, names) if isinstance(row, list) else None for row in rows]
    known: dict[int, list[str]] = {}
    for row, one in zip(rows, like, strict=True):
        if one is not None:
            known.setdefault(len(row), [_name_of(one, value) for value in row])
    return [_record(row, one, known) for row, one in zip(rows, like, strict=True)]


def _record(row: Any, like: Record | None, known: Mapping[int, Sequence[str]]) -> Record:
    if isinstance(row, dict):
        return row
    if not isinstance(row, list):
        return {KEY: row}
    if like is not None:
        return like
    names = known.get(len(row)) or [str(n) for n in range(len(row))]
    return dict(zip(names, row, strict=True))


def _like(row: Sequence[Any], names: Sequence[Record]) -> Record | None:
    """The object that has all the values of a row."""
    if len(row) < 2:
        return None
    values = set(map(_spelled, row))
    return next((one for one in names if values <= set(map(_spelled, one.values()))), None)


def _name_of(record: Record, value: Any) -> str:
    return next(name for name, inner in record.items() if _spelled(inner) == _spelled(value))


def _spelled(value: Any) -> str:
    """A value without regard to case, and to whether a number is a text."""
    return str(value).lower()


def _objects(value: Any, depth: int = DEPTH) -> Iterator[Record]:
    """The objects among the fields of a task."""
    if not depth:
        return
    if isinstance(value, Mapping):
        if depth < DEPTH:
            yield dict(value)
        for inner in value.values():
            yield from _objects(inner, depth - 1)
    elif isinstance(value, (list, tuple)):
        for inner in value[:MOST_RECORDS]:
            yield from _objects(inner, depth - 1)


def moved(ours: Any, theirs: Any) -> Iterator[tuple[list[str], float]]:
    """The names of the places of each amount that is other, and by how much; of two that are other
    by the same those of both."""
    before, after = dict(_amounts(ours)), dict(_amounts(theirs))
    other = {at: after.get(at, 0) - before.get(at, 0) for at in {**before, **after}}
    other = {at: amount for at, amount in other.items() if amount}
    if len(other) > MOST_MOVED:
        return
    pairs = [(a, b) for a, b in combinations(other, 2) if other[a] == -other[b]]
    for places in [*pairs, *((at,) for at in other)]:
        yield list(dict.fromkeys(chain(*places))), abs(other[places[0]])


def _amounts(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """The numbers of a table of tables, each with the names that it is under."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _amounts(inner, (*at, str(key)))
    elif at and isinstance(value, (int, float)) and not isinstance(value, bool):
        yield at, value
