"""Numbers as a prompt wants them written: as a decimal, and with their unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from lab.environment import Task
from lab.reward.reading.rendered import Readings, like, quantity_examples

NUMBER = re.compile(r"[-+]?\d[\d.,]*")
UNIT = re.compile(r"(?:^|[._])(?:units?|currency)$")
NAMED_UNIT = re.compile(
    r"(?:\bunit|\beenheid|\bEinheit|\bunité|\bunidade?|\bunità|\bединиц\w|单位|単位)[ \"'`“「]{1,2}"
    r"([^\W\d_]{1,6}[²³]?)(?![\w-])"
)
"""A unit that the prompt names: `a number and the unit ml`."""
QUOTIENT = re.compile(r"-?\d+/[1-9]\d*")
MOST_UNIT = 12
"""Characters of a unit."""


def number_of(value: Any) -> str:
    """A number as people write it: whole ones without `.0`."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)


def quotients(
    path: str, texts: list[str], rows: list[dict[str, Any]], tasks: Sequence[Task]
) -> Readings:
    """Fractions of whole numbers as decimals, with the units that numbers have."""
    if any(texts) and all(QUOTIENT.fullmatch(text) for text in texts if text):
        known = [round(float(Fraction(text)), 6) if text else None for text in texts]
        yield "as a decimal", [[] if q is None else [number_of(q)] for q in known]
        yield from with_units(path, known, rows, tasks)


def numeric(texts: Sequence[str]) -> list[str | None]:
    """The texts where all of them are numbers, else nothing."""
    numbers = all(NUMBER.fullmatch(text.strip()) for text in texts if text)
    return [(text.strip() or None) if numbers else None for text in texts]


def with_units(
    path: str, values: list[Any], rows: list[dict[str, Any]], tasks: Sequence[Task]
) -> Readings:
    """Numbers with the unit that another field holds, or that ends the field's name where the
    prompt names it as one: `value` and `unit`, `dose_mg`."""
    fields = [name for row in rows[:1] for name in row if UNIT.search(name.lower())]
    for name in fields[:1]:
        units = [str(row.get(name) or "") for row in rows]
        yield f"with its {name}", _quantities(values, units)
    examples = quantity_examples(tasks)
    if examples:
        pairs = zip(examples, values, strict=True)
        written = [v if v is None else like(example, number_of(v)) for example, v in pairs]
        units = [unit for _, unit in examples]
        yield "with the unit of the prompt's example", _quantities(written, units)
    ending = path.rsplit("_", 1)[-1] if "_" in path else ""
    shown = tasks[0].shown if tasks else ""
    if unit := NAMED_UNIT.search(shown):
        yield f"with the unit {unit[1]}", _quantities(values, [unit[1]] * len(values))
    named = rf"(?:\d\s?|\bin |\bunits? ){re.escape(ending)}(?!\w)"
    if 0 < len(ending) <= 4 and re.search(named, shown):
        yield f"with {ending}", _quantities(values, [ending] * len(values))


def _quantities(values: list[Any], units: list[str]) -> list[list[Any]]:
    return [
        [f"{number_of(value)} {unit}"] if value is not None and 0 < len(unit) <= MOST_UNIT else []
        for value, unit in zip(values, units, strict=True)
    ]
