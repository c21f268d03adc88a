"""Whether a tool that is read page by page shows every record that the code holds.

    page_count = len(rows) // PAGE_SIZE      # the last page, partly filled, is never shown
    rows[first : first + PAGE_SIZE - 1]      # nor the last record of each page

The golds are worked out of all records, the model sees some of them. Only gaps between two pages
and behind the last one are looked at, of a page at most: what is left out on purpose is elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Environment
from lab.environment.records import LEAST, Records, Rows
from lab.reward.brief import Brief
from lab.reward.interactive.calls import Schemas, required, sensible
from lab.reward.interactive.messages import conversation
from lab.reward.productions.base import DESIGN

PAGES = Check(
    "reward.pages",
    title="pages of a tool show every record",
    expected="no record between two pages, or behind the last one, that none of them shows",
    reason="Golds are worked out of all records, the model is shown some: the right answer cannot "
    "be found, or the one that follows from the pages is refused.",
    source="own cases: tools that are read page by page, by two authors",
)
MOST_TOOLS, MOST_GROUPS, MOST_PAGES, LEAST_PAGES, FIRST, TELLING = 3, 6, 40, 2, 2, 3
"""Tools, groups of records and pages that are looked at; pages with records that there must be; the
number from which on one without any is the end; characters of a cell that tells of its record."""
MOSTLY = 0.5
"""Share of the records that pages show, from which on it is these that they show."""


def finding(b: Brief, env: Environment) -> Finding:
    paged = {tool: schema for tool, schema in b.description.schemas.items() if _page(schema)}
    if not paged or not b.tasks:
        return PAGES.skip("no tool that takes one whole number and at most one text")
    before, env.prelude = env.prelude, {}  # each call by itself, whatever an answer needs first
    try:
        return _finding(b, paged, env.records)
    finally:
        env.prelude = before


def _finding(b: Brief, paged: Schemas, records: Sequence[Records]) -> Finding:
    read, answer = 0, cache(partial(_answer, b))
    for name, common, rows in _groups(records):
        for tool, schema in list(paged.items())[:MOST_TOOLS]:
            text = common if set(required(schema)) - {_page(schema)} else ""
            shown = _shown(partial(answer, tool, text), rows)
            unshown = between(shown, len(rows))
            read += unshown is not None
            if unshown:
                of = f"{name} of {excerpt(common, 40)}" if common else name
                return PAGES.fail(
                    measured=f"{len(unshown)} of {len(rows)} records",
                    evidence=f"{tool} shows records of {of} on {len(shown)} pages, and "
                    f"'{excerpt(', '.join(rows[unshown[0]]), 120)}' on none",
                    fix="hold the first and the last record of each page, and the number of pages, "
                    f"against the records ({DESIGN}#tools-and-turns-tools)",
                    severity="high",
                    direction="data",
                )
    return PAGES.ok(measured=f"{read} lists") if read else PAGES.skip("no pages of known records")


def _page(schema: dict[str, Any]) -> str:
    """The parameter of a tool that may number its pages: a whole number, beside one text at most;
    "" where there is none."""
    kinds = schema.get("properties") or {}
    whole = [name for name, kind in kinds.items() if kind.get("type") == "integer"]
    others = [kinds.get(name, {}).get("type") for name in required(schema) if name not in whole]
    return whole[0] if whole and others in ([], ["string"]) else ""


def _groups(records: Sequence[Records]) -> Iterator[Records]:
    """The records that are held together, and those of them that share a value; most first."""
    made = list(records)
    for name, key, rows in records:
        for column in range(min(map(len, rows))):
            for value in dict.fromkeys(row[column] for row in rows):
                own = [row for row in rows if row[column] == value]
                if not key and LEAST <= len(own) < len(rows):
                    made.append((name, value, own))
    yield from sorted(made, key=lambda one: -len(one[2]))[:MOST_GROUPS]


def _answer(b: Brief, tool: str, text: str, number: int) -> str:
    """What the tool says to one call with this number, and with the text where there is one."""
    schema = b.description.schemas[tool]
    page, (_, arguments) = _page(schema), sensible(tool, schema, b.tasks[0])
    if text:
        arguments |= {name: text for name in arguments if name != page}
    played = b.play(0, conversation([(tool, {**arguments, page: number})])[:1])
    return played[0].unread if played else ""


def _shown(answer: Callable[[int], str], rows: Rows) -> list[list[int]]:
    """By page, of those that show any, the places of the rows that it shows."""
    told = _told(answer, rows)
    everything = "\n".join(told)
    columns = [
        n
        for n in range(min(map(len, rows)))
        if sum(row[n] in everything for row in rows) >= MOSTLY * len(rows)
    ]
    places = [_places(one, [[row[n] for n in columns] for row in rows]) for one in told]
    first = 1 if places and 0 in places[1] else 0  # before the first page is often the end of all
    return [one for one in places[first:] if one]


def _told(answer: Callable[[int], str], rows: Rows) -> list[str]:
    """What the tool answers page by page, from 0 up to one without any record; [] where there is
    no such one."""
    often = Counter(cell for row in rows for cell in row)
    own = [cell for cell, count in often.items() if count == 1 and len(cell) >= TELLING]
    told: list[str] = []
    for number in range(MOST_PAGES):
        told.append(answer(number))
        if number >= FIRST and not any(cell in told[-1] for cell in own):
            return told
    return []


def _places(told: str, rows: Rows) -> list[int]:
    """The places of the rows of which one line says every cell; where cells stand in lines of
    their own, of those of which the page does."""
    lines = told.splitlines()
    in_lines = [n for n, row in enumerate(rows) if row and any(_says(line, row) for line in lines)]
    return in_lines or [n for n, row in enumerate(rows) if row and _says(told, row)]


def _says(text: str, row: Sequence[str]) -> bool:
    return all(cell in text for cell in row)


def between(shown: Sequence[Sequence[int]], count: int) -> list[int] | None:
    """The places between two pages and behind the last one that no page shows, a page at most each
    time; None where a page has gaps itself, more is left out at once, or few of all are shown.

    between([[0, 1], [3, 4], [6]], 8)    # [2, 5, 7]
    """
    pages = sorted({tuple(own) for own in shown})
    seen = {n for own in pages for n in own}
    whole = all(list(own) == list(range(own[0], own[-1] + 1)) for own in pages)
    if len(pages) < LEAST_PAGES or not whole or len(seen) < MOSTLY * count:
        return None
    ends = [*(own[0] for own in pages[1:]), count]
    gaps = [range(own[-1] + 1, end) for own, end in zip(pages, ends, strict=True)]
    if max(map(len, gaps)) > max(map(len, pages)):
        return None
    return [n for gap in gaps for n in gap if n not in seen]
