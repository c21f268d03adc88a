"""Tables and lists of records that are nearly right: without a row, with one row several times,
with one column wrong.

    records('[{"id": 1}, {"id": 2}]')      # two rows, written as JSON
    records('{"to": "Bo", "lines": [7]}')  # one row, the member of a list inside
    records("id,name\\n1,Ann\\n2,Ben")     # two rows below a head
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lab.answers.changes import VALUES_EXCHANGED, value_changes
from lab.answers.close_collections import FREE_FIELDS, MOST_FIELDS, dumped, other_value, put_at
from lab.answers.close_values import Near
from lab.answers.extract import loads
from lab.answers.target import Target

MOST_PAIRS = 40
"""Pairs of values that are looked at."""
MOST = 6
"""Rows that are left out, one at a time."""
MOST_LISTS = 3
"""Lists inside a JSON value that are looked at."""
MARKS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Records:
    rows: Sequence[Any]
    write: Callable[[Sequence[Any]], str]
    where: tuple[Any, ...] | None = ()
    """The keys down to a list in a JSON value; None of a table in lines."""
    mark: str = ""
    """What stands between the cells of a line."""

    @property
    def of(self) -> str:
        """Of which list, for the name of a near miss."""
        return f" of {self.where[-1]}" if self.where else ""


def records(text: str) -> list[Records]:
    """The rows of a list of objects and of the lists in a JSON value, or of a table in lines."""
    value = loads(text) if text.lstrip()[:1] in ("[", "{") else None
    if isinstance(value, (list, dict)):
        found = [_inside(value, path, rows) for path, rows in _lists(value)][:MOST_LISTS]
        if isinstance(value, list) and len(value) > 1 and all(map(_is_record, value)):
            found.insert(0, Records(value, dumped))
        return found
    lines = text.strip().splitlines()
    for mark in MARKS:
        head = 2 if len(lines) > 1 and set(lines[1]) <= set("|-: ") else 1
        if len(lines) > head + 1 and _even(lines, mark):
            return [Records(lines[head:], partial(_below, lines[:head]), None, mark)]
    return []


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and bool(value)


def _inside(value: Any, path: tuple[Any, ...], rows: Sequence[Any]) -> Records:
    def write(others: Sequence[Any]) -> str:
        return dumped(put_at(value, path, list(others)))

    return Records(rows, write, path)


def _lists(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    """The lists with members that are the values of keys, at any depth, with their paths."""
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(key, str) and FREE_FIELDS.search(key):
                continue
            if isinstance(key, str) and isinstance(one, list) and one:
                yield (*path, key), one
            yield from _lists(one, (*path, key))


def _below(head: list[str], rows: Sequence[str]) -> str:
    return "\n".join([*head, *rows])


def _even(lines: list[str], mark: str) -> bool:
    """Whether all lines have as many cells, at least two."""
    try:
        cells = {len(row) for row in csv.reader(lines, delimiter=mark)}
    except csv.Error:
        return False
    return len(cells) == 1 and cells.pop() > 1


def missing_records(t: Target) -> Iterator[Near]:
    """Each row left out, and all of those of a list inside a value."""
    for found in _asked(t):
        count = len(found.rows)
        if found.where:
            yield Near(f"without the members{found.of}", found.write([]))
        for k in sorted({k * count // MOST for k in range(MOST)}) if count > 1 else ():
            less = [*found.rows[:k], *found.rows[k + 1 :]]
            yield Near(f"without one row{found.of}", found.write(less))


def repeated_records(t: Target) -> Iterator[Near]:
    """One row in the place of all."""
    for found in _asked(t):
        one = [found.rows[0]] * len(found.rows)
        if one != found.rows:
            yield Near(f"one row in the place of all{found.of}", found.write(one))


def further_records(t: Target) -> Iterator[Near]:
    """All rows, and as many of other golds besides."""
    for found in _asked(t):
        others = [
            row
            for gold in t.golds
            for other in records(gold)
            if (other.where, other.mark) == (found.where, found.mark)
            for row in other.rows
            if row not in found.rows and type(row) is type(found.rows[0])
        ]
        if more := others[: len(found.rows)]:
            more = [*found.rows, *more]
            yield Near(f"as many records of others besides{found.of}", found.write(more))


def _asked(t: Target) -> Iterator[Records]:
    """The lists of the gold; those inside a value where the prompt names their key."""
    for found in records(t.gold):
        if not found.where or str(found.where[-1]).lower() in t.shown.lower():
            yield found


def exchanged_values(t: Target) -> Iterator[Near]:
    """Values of two records in each other's places, by key, where that makes other records and not
    another order of them."""
    value = loads(t.gold) if t.gold.lstrip()[:1] in ("[", "{") else None
    if not isinstance(value, (list, dict)):
        return
    change = next(one for one in value_changes(value) if one.name == VALUES_EXCHANGED)
    seen: set[str] = set()
    for place in range(min(change.places, MOST_PAIRS)):
        made = change.made(frozenset({place}))
        key = change.at(place) if change.at else ""
        if key not in seen and _without_order(made) != _without_order(value):
            seen.add(key)
            yield Near(f"{key} of two records", dumped(made))


def _without_order(value: Any) -> Any:
    """The value with its lists sorted, so that another order is the same."""
    if isinstance(value, dict):
        return {key: _without_order(one) for key, one in value.items()}
    if isinstance(value, list):
        return sorted((_without_order(one) for one in value), key=dumped)
    return value


def wrong_columns(t: Target) -> Iterator[Near]:
    """One field wrong in all records of a list."""
    for found in _asked(t):
        if not all(isinstance(row, dict) for row in found.rows):
            continue
        keys = [key for key in found.rows[0] if not FREE_FIELDS.search(key)]
        for key in keys[:MOST_FIELDS] if len(keys) > 1 else ():
            changed = [row | {key: other_value(row.get(key))} for row in found.rows]
            yield Near(f"{key} is wrong in all rows{found.of}", found.write(changed))
