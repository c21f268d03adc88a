"""What may stand in the cells of a plan: the names and numbers of a task, in groups.

A group is what a list of the task holds, the keys of an object, a column of records, or names that
the prompt lists: all the talks, all the rooms, the hours of the day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import gcd
from typing import Any

from lab.environment import Task

BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d+[.)])[ \t]+(?P<name>[^\n:(,|]{1,40}?)\s*(?:[:(,|]| - |$)")
MARK = re.compile(r"[A-Z]{1,3}\d+")
RANGE = re.compile(r"(?<![\w.:])(\d{1,2}) ?(?:to|-|–|and) ?(\d{1,2})(?![\w:]|\.\d)")
TOGETHER = re.compile(r"(\w[\w ]{0,30}?)\s*:\s*((?:\w[\w-]*, )+(?:and )?\w[\w-]*)")
COLUMN = re.compile(r"^[ \t]*(\S+)(?:[ \t]{2,}|\t|\s*\|)", re.MULTILINE)
TIME = re.compile(r"(?<![\d:])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
MINUTES = re.compile(r"\b(\d{1,3})[ -]?(?:min|minutes?)\b")
NUMBER = re.compile(r"(?<![\w.:])\d{1,3}(?![\w:]|\.\d)")
STEPS = (60, 30, 15, 10, 5, 1)
DEPTH, MOST_MEMBERS, LEAST, MOST_COUNT, FINEST = 4, 40, 2, 31, 5
TIMES, COUNTS, SAID = "times", "numbers", "numbers of the prompt"


@dataclass(frozen=True)
class Pool:
    name: str
    members: tuple[str, ...]

    @property
    def names(self) -> bool:
        """Whether its members are names, not numbers or times."""
        return self.name not in (TIMES, COUNTS, SAID)


def pools(task: Task) -> list[Pool]:
    """The groups of one task, each once, those of its fields first."""
    found = [*_of_value("", task.fields, DEPTH), *_of_prompt(task.prompt), *_numbers(task.prompt)]
    once: dict[frozenset[str], Pool] = {}
    for pool in found:
        if len(pool.members) >= LEAST and (len(pool.members) <= MOST_MEMBERS or not pool.names):
            known = once.setdefault(frozenset(pool.members), pool)
            if not known.name and pool.name:
                once[frozenset(pool.members)] = pool
    return list(once.values())


def _of_value(name: str, value: Any, depth: int) -> Iterator[Pool]:
    if not depth:
        return
    if isinstance(value, dict):
        if all(isinstance(inner, type(next(iter(value.values())))) for inner in value.values()):
            yield Pool(name, tuple(dict.fromkeys(map(str, value))))
        for key, inner in value.items():
            yield from _of_value(str(key), inner, depth - 1)
        rows = [inner for inner in value.values() if isinstance(inner, dict)]
        yield from _columns(rows if len(rows) == len(value) else [])
    elif isinstance(value, (list, tuple)) and value:
        if all(isinstance(one, (str, int)) for one in value):
            yield Pool(name, tuple(dict.fromkeys(map(str, value))))
        rows = [one for one in value if isinstance(one, dict)]
        if len(rows) == len(value):
            yield from _columns(rows, name)


def _columns(rows: list[dict[str, Any]], name: str = "") -> Iterator[Pool]:
    for key in rows[0] if rows else ():
        cells = [row.get(key) for row in rows]
        if all(isinstance(one, str) for one in cells):
            said = name if key in ("id", "name", "key") and name else key
            yield Pool(said, tuple(dict.fromkeys(map(str, cells))))
        inner = [row[key] for row in rows if isinstance(row.get(key), dict)]
        yield from _columns(inner)


def _of_prompt(prompt: str) -> Iterator[Pool]:
    lines = prompt.splitlines()
    for bulleted, block in groupby(enumerate(lines), lambda one: bool(BULLET.match(one[1]))):
        members = list(block) if bulleted else []
        names = [found["name"] for _, line in members if (found := BULLET.match(line))]
        head = lines[members[0][0] - 1].strip(" :#*").lower() if members else ""
        yield Pool(head, tuple(dict.fromkeys(names)))
        marks = [mark[0] for mark in map(MARK.match, names) if mark]
        if marks != names and len(marks) == len(names):
            yield Pool(head, tuple(dict.fromkeys(marks)))
    for name, said in TOGETHER.findall(prompt):
        listed = [one.removeprefix("and ") for one in said.split(", ")]
        yield Pool(name.strip().lower(), tuple(dict.fromkeys(listed)))
    for tabular, rows in groupby(lines, lambda line: bool(COLUMN.match(line))):
        cells = [cell[1] for cell in map(COLUMN.match, rows) if cell] if tabular else []
        if len(cells) > LEAST:
            yield Pool(cells[0].lower(), tuple(dict.fromkeys(cells[1:])))


def _numbers(prompt: str) -> Iterator[Pool]:
    times = [60 * int(hour) + int(minute) for hour, minute in TIME.findall(prompt)]
    if len(set(times)) >= LEAST:
        step = gcd(*times, *map(int, MINUTES.findall(prompt)))
        step = max(next(one for one in STEPS if step % one == 0), FINEST)
        first = min(times) // step * step
        yield Pool(
            TIMES, tuple(f"{n // 60:02d}:{n % 60:02d}" for n in range(first, max(times) + 1, step))
        )
    said = sorted({int(one) for one in NUMBER.findall(prompt)})
    most = [one for one in said if one <= MOST_COUNT]
    for first, last in RANGE.findall(prompt):
        if int(first) < int(last):
            yield Pool(COUNTS, tuple(map(str, range(int(first), int(last) + 1))))
    if most:
        yield Pool(COUNTS, tuple(map(str, range(max(most) + 1))))
    yield Pool(SAID, tuple(map(str, said)))
