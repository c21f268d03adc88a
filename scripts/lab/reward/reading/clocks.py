"""Minutes and hours of tasks, written as the time of day that the prompt shows: `HH:MM-HH:MM`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from lab.environment import Task
from lab.reward.formats.prompt import CLOCK, shared_text
from lab.reward.reading.candidate import Candidate, single
from lab.reward.reading.fields import rows_by_path

DAY, HOURS = 24 * 60, 24
MOST_FIELDS, MOST_DAYS = 6, 7
NEXT_DAY = re.compile(r"(?<=[\d\"'`] )\+1\b|[\"'`] ?\+1[\"'`]")
"""The mark of the day after, in words about the answer or an example: `00.20 +1`."""


def clocks(tasks: Sequence[Task]) -> Iterator[Candidate]:
    """The number of a field as a time, or those of two fields as a span: minutes since midnight,
    hours where the prompt shows none."""
    shown = shared_text(tasks)
    found = CLOCK.search(shown)
    if found is None or not tasks:
        return
    rows = rows_by_path(tasks)
    columns: dict[str, list[Any]] = {path: [row.get(path) for row in rows] for path in rows[0]}
    numbers = {path: c for path, c in columns.items() if all(map(_is_number, c))}
    mark, joint = found["minutes"][:1] if found["minutes"] else "", found["joint"]
    later = " +1" if NEXT_DAY.search(shown) else ""
    chosen = permutations(list(numbers)[:MOST_FIELDS], 2 if joint else 1)
    for paths in chosen:
        each = [[_time(value, mark, later) for value in numbers[path]] for path in paths]
        golds = [(joint or "").join(parts) for parts in zip(*each, strict=True)]
        if all(map(all, each)):
            yield single("+".join(paths), "as a time of day", golds, 1)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


def _time(value: float, mark: str, later: str) -> str:
    """`mark` stands between hours and minutes, "" where there are only hours; "" for a number that
    is no time."""
    number = round(value)
    if not 0 <= number < (MOST_DAYS * DAY if mark else HOURS):
        return ""
    if not mark:
        return f"{number:02d}"
    day = later if number >= DAY else ""
    return f"{number // 60 % HOURS:02d}{mark}{number % 60:02d}{day}"
