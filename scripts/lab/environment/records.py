"""Records that an environment's modules hold: what its tools look things up in.

records(["/path/of/the/package/"])
# [("LEDGERS", "Arnau", [["2025-03-01", "IN", "40"], ["2025-03-02", "OUT", "12"], ...])]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lab.environment.source import modules_of

Rows = list[list[str]]
Records = tuple[str, str, Rows]
"""The variable that holds them, its key for them ("" where it holds no others), and each record as
the texts of its cells."""
LEAST, LEAST_CELLS, MOST_ROWS, MOST, LONGEST = 4, 2, 200, 40, 200
"""Records together, cells of one, records and groups of them that are told of, and characters of a
cell."""
DATED = ("Decimal", "Fraction", "date", "datetime", "time")


def records(roots: list[str]) -> list[Records]:
    """The records that the modules below `roots` hold."""
    found = (one for name, value in _variables(tuple(roots)) for one in _groups(name, value))
    return list(islice(found, MOST))


def _variables(roots: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Those of all modules, each value once: one is often imported by another."""
    seen: set[int] = set()
    for module in modules_of(roots):
        for name, value in list(vars(module).items()):
            if isinstance(value, (list, tuple, dict)) and id(value) not in seen:
                seen.add(id(value))
                yield name, value


def _groups(name: str, value: Any) -> Iterator[Records]:
    """The collection itself, or each that it holds under a key."""
    groups: list[tuple[str, Any]] = [("", value)]
    if isinstance(value, dict):
        groups = [("", [[key, *_cells(one)] for key, one in islice(value.items(), MOST_ROWS)])]
        groups += [(str(key), one) for key, one in islice(value.items(), MOST)]
    for key, one in groups:
        rows = [_cells(row) for row in one[:MOST_ROWS]] if isinstance(one, (list, tuple)) else []
        if len(rows) >= LEAST and all(len(row) >= LEAST_CELLS for row in rows):
            yield name, key, rows


def _cells(row: Any) -> list[str]:
    """The plain values of a dictionary, a sequence or an object, as texts."""
    if isinstance(row, dict):
        values = list(row.values())
    elif isinstance(row, (list, tuple)):
        values = list(row)
    else:
        values = list(getattr(row, "__dict__", {}).values())
    return [
        str(one)[:LONGEST]
        for one in values
        if isinstance(one, (str, int, float)) or type(one).__name__ in DATED
    ]
