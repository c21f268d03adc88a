"""Tables and lists of records that are nearly right: without a row, with one row several times,
with one column wrong.

    records('[{"id": 1}, {"id": 2}]')      # two rows, written as JSON
    records("id,name\\n1,Ann\\n2,Ben")     # two rows below a head
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lab.answers.changes import VALUES_EXCHANGED, value_changes
from lab.answers.close_collections import FREE_FIELDS, MOST_FIELDS, dumped, other_value
from lab.answers.close_values import Near
from lab.answers.extract import loads
from lab.answers.target import Target

MOST_PAIRS = 40
"""Pairs of values that are looked at."""
MOST = 6
"""Rows that are left out, one at a time."""
MARKS = (",", ";", "\t", "|")


@dataclass(frozen=True)
class Records:
    rows: Sequence[Any]
    write: Callable[[Sequence[Any]], str]


def records(text: str) -> Records | None:
    """The rows of a list of objects or of a table in lines; None for anything else."""
    value = loads(text) if text.lstrip()[:1] == "[" else None
    if isinstance(value, list):
        objects = len(value) > 1 and all(isinstance(one, dict) and one for one in value)
        return Records(value, dumped) if objects else None
    lines = text.strip().splitlines()
    for mark in MARKS:
        head = 2 if len(lines) > 1 and set(lines[1]) <= set("|-: ") else 1
        if len(lines) > head + 1 and _even(lines, mark):
            return Records(lines[head:], partial(_below, lines[:head]))
    return None


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
    """Each row left out."""
    found = records(t.gold)
    if found:
        count = len(found.rows)
        for k in sorted({k * count // MOST for k in range(MOST)}):
            yield Near("without one row", found.write([*found.rows[:k], *found.rows[k + 1 :]]))


def repeated_records(t: Target) -> Iterator[Near]:
    """One row in the place of all."""
    found = records(t.gold)
    if found:
        yield Near("one row in the place of all", found.write([found.rows[0]] * len(found.rows)))


def further_records(t: Target) -> Iterator[Near]:
    """All rows, and as many of other golds besides."""
    found = records(t.gold)
    if found:
        others = [row for gold in t.golds if (other := records(gold)) for row in other.rows]
        others = [
            row for row in others if row not in found.rows and type(row) is type(found.rows[0])
        ]
        if more := others[: len(found.rows)]:
            yield Near("as many records of others besides", found.write([*found.rows, *more]))


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
    found = records(t.gold)
    if found and isinstance(found.rows[0], dict):
        keys = [key for key in found.rows[0] if not FREE_FIELDS.search(key)]
        for key in keys[:MOST_FIELDS] if len(keys) > 1 else ():
            changed = [row | {key: other_value(row.get(key))} for row in found.rows]
            yield Near(f"{key} is wrong in all rows", found.write(changed))
