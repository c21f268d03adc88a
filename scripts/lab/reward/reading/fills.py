"""What a plan may be: a form of rows, and for each cell the group of names, numbers or times that
may stand there; rows to begin with, and rows with one change."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from typing import Any

from lab.environment import Task
from lab.reward.formats.answer_format import PLAIN, AnswerFormat
from lab.reward.reading.pools import COUNTS, SAID, TIMES, Pool
from lab.reward.reading.row_forms import NUMBER_PLACE, Row, RowForm, of_example, of_lines, rows_of
from lab.reward.reading.skeletons import skeletons

MOST_FORMS, MOST_WAYS, MOST_FILLS, MOST_ROWS, MOST_GROUPS, MOST_SHOWN = 10, 2, 60, 60, 6, 2
ONCE = re.compile(
    r"\b(?:each|every|all)\b[^.\n]{0,60}\bonce\b|\bonce\b[^.\n]{0,30}\b(?:each|every|all)\b",
    re.IGNORECASE,
)
PLACE = re.compile(r"^(?:<.+>|\[.+\]|\{.+\}|\.\.\.|…|_+|[XYZN]|HH:MM)$")


@dataclass(frozen=True)
class Fill:
    """A form, and for each cell what may stand there; the cells that together say each of
    their names once."""

    form: RowForm
    way: AnswerFormat
    pools: tuple[Pool, ...]
    each: tuple[int, ...]

    @property
    def last_once(self) -> bool:
        """Whether a name of the last cell, or a whole row, comes once: in no list twice."""
        return self.form.kind != "grouped" or len(self.pools) - 1 in self.each

    def text(self, rows: Sequence[Row]) -> str:
        return self.way.write(self.form.write(rows))

    def rows(self, value: Any) -> list[Row]:
        """A value as such rows; [] where it is none."""
        rows = rows_of(value)
        if not rows or len(rows[0]) != len(self.pools):
            return []
        made = [tuple(map(_cell, row, self.pools)) for row in rows]
        known = [set(pool.members) for pool in self.pools]
        fits = all(
            cell in members for row in made for cell, members in zip(row, known, strict=True)
        )
        return made if fits else []


def fills_of(
    task: Task, pools: Sequence[Pool], formats: Sequence[AnswerFormat], readme: str
) -> list[list[Fill]]:
    """By form and way to write it, what may stand in its cells."""
    plain = replace(PLAIN, lead="")
    hinted = [one for one in formats if one.hint in ("prompt", "code") and one.closed]
    # Where prompts say that each comes once, rows without that are no plan.
    free = not ONCE.search(task.prompt)
    made = []
    for form, rows in islice(_forms(task, readme), MOST_FORMS):
        for way in [plain, *hinted[:MOST_WAYS]] if not form.before else [plain]:
            fitting = [
                _fitting(pools, form.keys[n], [row[n] for row in rows]) for n in range(len(rows[0]))
            ]
            fills = []
            for chosen in islice(product(*fitting), MOST_FILLS):
                named = [n for n, pool in enumerate(chosen) if pool.names]
                once = [(n,) for n in named], combinations(named, 2), [()] if free else []
                made_of = [Fill(form, way, chosen, each) for some in once for each in some]
                fills += [one for one in made_of if free or one.last_once]
            if fills:
                made.append(fills)
    return made


def _fitting(pools: Sequence[Pool], key: str, cells: Sequence[str]) -> list[Pool]:
    """What may stand in a cell, by its example and by its name."""
    if any(re.search(r"\d:\d\d|HH:MM", cell) for cell in cells):
        return [one for one in pools if one.name == TIMES]
    if all(re.fullmatch(r"-?\d+", cell) or NUMBER_PLACE.fullmatch(cell) for cell in cells):
        return [one for one in pools if one.name in (COUNTS, SAID)]
    shown = {cell for cell in cells if not PLACE.match(cell)}
    words = re.findall(r"[^\W\d_]{3,}", " ".join([key, *cells]).lower())
    groups = [one for one in pools if one.names]
    having = [one for one in groups if shown & {*one.members}]
    if having:
        return sorted(having, key=lambda one: -len(shown & {*one.members}))[:MOST_SHOWN]
    return sorted(groups, key=lambda one: not any(word[:4] in one.name.lower() for word in words))[
        :MOST_GROUPS
    ]


def start(fill: Fill, luck: random.Random) -> list[Row]:
    """A row for each name, or for each pair of names, with anything in its other cells."""
    once = [fill.pools[n].members for n in fill.each] or [("", "")]
    return [
        tuple(
            said[fill.each.index(n)] if n in fill.each else luck.choice(pool.members)
            for n, pool in enumerate(fill.pools)
        )
        for said in islice(product(*once), MOST_ROWS)
    ]


def changed(fill: Fill, luck: random.Random, rows: list[Row]) -> list[Row]:
    """Rows with another value in a cell, two values exchanged, or a row elsewhere, more or gone."""
    rows = [*rows]
    change = luck.random()
    free = [n for n in range(len(fill.pools)) if n not in fill.each]
    at = luck.randrange(len(rows))
    if change < 0.55 and free:
        column = luck.choice(free)
        rows[at] = _with(rows[at], column, luck.choice(fill.pools[column].members))
    elif change < 0.8 and len(rows) > 1:
        other = luck.randrange(len(rows))
        column = luck.randrange(len(fill.pools))
        one, two = rows[at][column], rows[other][column]
        rows[at], rows[other] = (
            _with(rows[at], column, two),
            _with(rows[other], column, one),
        )
    elif change < 0.9 or (fill.each and fill.last_once):
        rows.insert(luck.randrange(len(rows)), rows.pop(at))
    elif change < 0.95:
        new = tuple(luck.choice(pool.members) for pool in fill.pools)
        rows.insert(luck.randrange(len(rows) + 1), new)
    elif len(rows) > 1 and (not fill.each or _again(fill, rows, at)):
        rows.pop(at)
    return rows


def _with(row: Row, column: int, cell: str) -> Row:
    return (*row[:column], cell, *row[column + 1 :])


def _again(fill: Fill, rows: Sequence[Row], at: int) -> bool:
    """Whether another row has the names of this one that each have to come."""
    said = [tuple(row[n] for n in fill.each) for row in rows]
    return said.count(said[at]) > 1


def known_fills(fills: Sequence[Fill], own: Sequence[Pool]) -> list[Fill]:
    """The fills of a task that is solved, with the groups of another task."""
    made = []
    for fill in fills:
        by_name = [next((one for one in own if one.name == pool.name), None) for pool in fill.pools]
        if all(by_name):
            made.append(Fill(fill.form, fill.way, tuple(filter(None, by_name)), fill.each))
    return made


def _cell(value: Any, pool: Pool) -> str:
    """A value as a group writes it: minutes as the time of the day."""
    minutes = isinstance(value, int) and pool.name == TIMES
    return f"{value // 60:02d}:{value % 60:02d}" if minutes else str(value)


def _forms(task: Task, readme: str) -> Iterator[tuple[RowForm, list[Row]]]:
    """The forms of the examples in prompt and README, each once, with the rows of all that are like
    it."""
    found = [*of_example(task.shown), *of_example(readme)]
    found += [one for text in skeletons([task], readme) for one in of_lines(text)]
    alike: dict[Any, list[Row]] = {}
    for form, rows in found:
        alike.setdefault(_shape(form), []).extend(rows)
    for form in dict.fromkeys(form for form, _ in found):
        yield form, alike[_shape(form)]


def _shape(form: RowForm) -> Any:
    """What examples of one form share; of texts, which are hardly ever examples, all of it."""
    return form if form.kind in ("line", "lines") else (form.kind, form.keys, form.path)
