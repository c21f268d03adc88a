"""Rows that are refused as they stand and paid in another order, where the order of rows is free.

What two rows do to each other is then looked at from one of them only: an overlap counts where the
later one of the list begins inside the earlier one. Source: metamorphic testing (Chen 1998).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from lab.reward.reading.fills import Fill, changed
from lab.reward.reading.row_forms import Row

CHANGES, ORDERS, WALK = 120, 4, 400
"""Changed plans that are tried, further orders of each, and changes up to a plan that is paid in
each of them."""
LEAST, ALL = 3, 1.0
"""Rows whose order can say something; the share of orders that is each of them."""
REFUSED = "rows that are refused in another order"


def orders(rows: Sequence[Row], seed: int) -> Iterator[list[Row]]:
    """The rows the other way round, by each cell, and shuffled."""
    yield list(rows[::-1])
    for n in range(len(rows[0])):
        yield sorted(rows, key=lambda row: row[n], reverse=True)
    drawn = random.Random(seed)
    for _ in range(ORDERS):
        yield drawn.sample(list(rows), len(rows))


def in_each(
    fill: Fill, rows: Sequence[Row], paid: Callable[[str], bool], over: Callable[[], bool]
) -> list[Row]:
    """Rows that are paid in each order, by changes of paid ones; [] where none are found before
    time is over."""
    drawn, best = random.Random(len(rows)), list(rows)
    most = _count(fill, best, paid)
    for _ in range(WALK):
        if most == ALL or over():
            break
        other = changed(fill, drawn, best)
        if other and (count := _count(fill, other, paid)) >= most:
            best, most = other, count
    return best if most == ALL else []


def _count(fill: Fill, rows: Sequence[Row], paid: Callable[[str], bool]) -> float:
    """The share of orders in which rows are paid; 0 where they are not as they stand."""
    if len(rows) < LEAST or not paid(fill.text(rows)):
        return 0.0
    return fmean(paid(fill.text(one)) for one in orders(rows, len(rows)))


def reordered(
    fill: Fill, rows: Sequence[Row], paid: Callable[[str], bool], over: Callable[[], bool]
) -> Iterator[tuple[str, str]]:
    """One plan that breaks a rule and is paid in another order of its rows."""
    drawn = random.Random(len(rows))
    for _ in range(CHANGES):
        other = changed(fill, drawn, list(rows))
        if over():
            return
        if not other or paid(fill.text(other)):
            continue
        for one in orders(other, len(rows)):
            if paid(text := fill.text(one)):
                yield REFUSED, text
                return
