"""Answers that are made of several fields with something between them: `billing / week`.

What stands between is what the code splits a reply at, what one of its patterns has between its
first group and its last, or what a prompt has between the names of two: `FIRST to LAST`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations, product
from typing import Any

from lab.environment import Task
from lab.reward.formats.answer_format import same_name
from lab.reward.formats.pattern import sample
from lab.reward.formats.prompt import shared_text
from lab.reward.formats.source import SourceTokens
from lab.reward.reading.candidate import Candidate
from lab.reward.reading.fields import flat, rank_of, rows_by_path
from lab.reward.reading.quantities import number_of

MOST_FIELDS, LONGEST, MOST_ALTERNATIVES = 6, 40, 6
NEVER = 3
"""The rank of names that say that a field is something else than a gold."""
PROSE = re.compile(r"and|or|", re.IGNORECASE)
"""What stands between two names in a sentence about them."""
JOINT = re.compile(r"[^\w\n]{1,4}")


def joined_fields(tasks: Sequence[Task], tokens: SourceTokens) -> list[Candidate]:
    """Each pair of short fields in either order, and three and four in their own order, with each
    joint."""
    rows = rows_by_path(tasks)
    joints = list(_joints(tokens))
    shown = shared_text(tasks)
    short = {path: texts for path in _paths(rows) if (texts := _short(path, rows))}
    paths = list(short)[:MOST_FIELDS]
    named = [(pair, joint) for pair in permutations(paths, 2) for joint in _between(*pair, shown)]
    several = [*permutations(paths, 2), *combinations(paths, 3), *combinations(paths, 4)]
    every = dict.fromkeys([*named, *((chosen, joint) for chosen in several for joint in joints)])
    return [
        Candidate(
            "+".join(chosen),
            f"joined by {joint.strip()}",
            [texts[0] for texts in made],
            made,
            1,
        )
        for chosen, joint in every
        for made in [_made([short[path] for path in chosen], joint)]
    ]


PLACES = re.compile(r"[<{\[]([^\W\d_][\w -]{0,24})[>}\]]")
"""The place of a value in an example: `<value>`, `[end date]`."""
LINE = 160
"""Characters of a line with places."""


def filled_lines(tasks: Sequence[Task]) -> list[Candidate]:
    """The line of each task's own prompt that has several places, each named like a field, with
    the values of the fields: `RESULT: <value> mmol/L <flag>`."""
    golds: list[str | None] = []
    names: set[str] = set()
    for task in tasks:
        fields = {path.rsplit(".", 1)[-1]: value for path, value in flat(task.fields)}
        made = [text for line in task.shown.splitlines() if (text := _filled(line, fields, names))]
        golds.append(made[-1] if made else None)
    texts = [[gold] if gold else [] for gold in golds]
    if not golds or None in golds:
        return []
    return [Candidate("+".join(sorted(names)), "in the line of the prompt", golds, texts, 1)]


def _filled(line: str, fields: dict[str, Any], names: set[str]) -> str:
    """The line with its places filled, `names` with the fields that fill them; "" where it has
    fewer than two, or one that no field is named like."""
    places = {place: _named(place, fields) for place in PLACES.findall(line[:LINE])}
    if len(places) < 2 or not all(places.values()):
        return ""
    names |= set(places.values())
    return PLACES.sub(lambda found: number_of(fields[places[found[1]]]), line).strip()


def _named(place: str, fields: dict[str, Any]) -> str:
    plain = (str, int, float)
    return next((f for f in fields if same_name(f, place) and isinstance(fields[f], plain)), "")


def _made(columns: list[list[list[str]]], joint: str) -> list[list[str]]:
    """By task the texts that are accepted, one for each choice among alternatives."""
    return [
        [joint.join(parts) for parts in islice(product(*cells), MOST_ALTERNATIVES)]
        for cells in zip(*columns, strict=True)
    ]


def _joints(tokens: SourceTokens) -> Iterator[str]:
    found = [text for text in tokens.counted if text.strip()]
    found += [made[2] for pattern in tokens.patterns if (made := sample(pattern))]
    marks = [text.strip() for text in found if JOINT.fullmatch(text) and text.strip()]
    for mark in dict.fromkeys(marks):
        yield f"{mark} " if mark in ",;:" else f" {mark} "


def _between(one: str, other: str, shown: str) -> list[str]:
    """What the prompts have between the names of two fields, where they stand for the values."""
    left, right = (re.escape(path.rsplit(".", 1)[-1]) for path in (one, other))
    found = re.findall(
        rf"\b{left}\b[>}}\]]?([^\w\n]{{1,4}}| \w{{1,5}} )[<{{\[]?{right}\b", shown, re.I
    )
    return [joint for joint in found if not PROSE.fullmatch(joint.strip())]


def _paths(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [path for path in (rows[0] if rows else ()) if rank_of(path) < NEVER]


def _short(path: str, rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    """The alternatives of a field by task; [] where some task has no short text or number."""
    found = []
    for row in rows:
        value = row.get(path)
        members = value if isinstance(value, (list, tuple)) else [value]
        plain = all(isinstance(one, (str, int, float)) for one in members)
        texts = [str(one) for one in members]
        if (
            not texts
            or not plain
            or not all(0 < len(t) <= LONGEST and "\n" not in t for t in texts)
        ):
            return []
        found.append(texts)
    return found
