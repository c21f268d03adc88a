"""The table of a prompt with its open cells filled, from a field that has a value for each.

prompt: | Item | Price | Sum |          field: {"Nails": {"sum": "90"}, "Rope": {"price": "4"}}
        | --- | --- | --- |
        | Nails | 30 | ? |
        | Rope | ? | 20 |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lab.environment import Task
from lab.reward.reading.candidate import Candidate, single
from lab.reward.reading.fields import rank_of, rows_by_path
from lab.reward.reading.rendered import table_of

TABLE = re.compile(r"(?m)(?:^[ \t]*\|.*\|[ \t]*$\n?){3,}")
READING = "the prompt's table, filled"
OPEN = re.compile(r"\?+|_+|…|\.{3}|")
"""What stands in a cell that is to be filled."""


def filled_tables(tasks: Sequence[Task]) -> Iterator[Candidate]:
    """The candidates of fields with a value for each open cell of a table in each prompt."""
    rows = rows_by_path(tasks)
    tables = [_table(task.shown) for task in tasks]
    if not tables or not all(tables):
        return
    for path, first in rows[0].items():
        if isinstance(first, (dict, list)):
            texts = [_filled(table, row.get(path)) for table, row in zip(tables, rows, strict=True)]
            if all(texts):
                yield single(path, READING, texts, min(rank_of(path), 1))


def _table(shown: str) -> list[list[str]]:
    """The cells of the only table of a text that has open ones; [] without one."""
    every = [[_cells(line) for line in found.split("\n") if line] for found in TABLE.findall(shown)]
    having = [table for table in every if _open(table)]
    whole = len(having) == 1 and _is_rule(having[0][1]) and len({*map(len, having[0])}) == 1
    return having[0] if whole else []


def _is_rule(row: list[str]) -> bool:
    """Whether it is the line below the head: `| --- | :-: |`."""
    return all(re.fullmatch(r":?-+:?", cell) for cell in row)


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in line.split("|")]


def _open(table: list[list[str]]) -> int:
    """How many cells are open."""
    return sum(_is_open(cell, n) for row in table[2:] for n, cell in enumerate(row))


def _is_open(cell: str, column: int) -> bool:
    """Whether a cell below the head is to be filled; the first one of a row may be empty."""
    return OPEN.fullmatch(cell) is not None and bool(cell or column)


def _filled(table: list[list[str]], value: Any) -> str:
    """The table with the values in its open cells; "" where they do not fit."""
    head, _, *rows = table
    plain = list(_leaves(value))
    if len(plain) != _open(table):
        return ""
    named = {str(name).casefold(): inner for name, inner in _items(value)}
    rest = iter(plain)
    lines = []
    for row in rows:
        own = {str(n).casefold(): one for n, one in _items(named.get(row[0].casefold()))}
        # The next value of all is taken where none is called like row and column.
        cells = zip(head, row, strict=True)
        lines.append(
            [
                own.get(name.casefold(), next(rest)) if _is_open(cell, n) else cell
                for n, (name, cell) in enumerate(cells)
            ]
        )
    return table_of(head, lines)


def _items(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _leaves(value: Any) -> Iterator[str]:
    """The plain values, in their order."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
