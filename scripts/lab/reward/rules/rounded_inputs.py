"""Numbers that prompts show rounded, where the golds were worked out of the exact ones.

    code: rate = 0.0425     prompt: 4.2 % a year     gold: 153.00, with the 4.2 % 151.20

What the code holds while it makes the tasks, and what it keeps in their fields, is held against the
numbers of the prompts. Where it holds the rounded number, too, that is what it works with. Whether
a gold suffers the reward says: an answer that is off by as much as the number is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from lab.answers.numbers import parse_number
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Environment
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN
from lab.reward.reading.fields import flat
from lab.reward.reading.places import NUMBER
from lab.reward.session import Session

ROUNDED = Check(
    "data.rounded_inputs",
    title="golds are worked out of the numbers that the prompts show",
    expected="no gold that needs a number more exact than the prompt has it",
    reason="Whoever works with the numbers of the prompt arrives at another answer than the gold, "
    "and nobody can arrive at the gold.",
    source="own cases: rates, readings and measures that are rounded for the prompt alone",
)
EXACT = re.compile(r"-?\d*\.\d+|-?\d+/[1-9]\d*")
"""A decimal or a fraction, which are told as texts."""
LEAST_DIGITS, LEAST_VALUES, MOSTLY, LEAST, LEAST_SHARE = 2, 2, 0.5, 3, 0.15
"""Digits of a number that says something; values of one name that prompts show rounded, and their
share of all its values; the tasks whose gold suffers, and their share."""
FRACTION = re.compile(r"(?<![\w./])\d+/[1-9]\d*(?![\w./])")
MOST_INSIDE, MOST_PLACES, HALF_UP, CLOSE, EXACTLY = 60, 4, 0.5000001, 0.006, 1e-9
NOT_ALL = 0.9
"""Of what the gold earns: what earns more is not refused."""
MOST_NAMES, MOST_SHOWN, LONGEST, LARGEST = 400, 400, 20, 1e300
"""Names and numbers of a prompt that are looked at; characters and size of a number; how
near to a number of the gold one is that is it, rounded or not."""
Held = dict[str, dict[int, float]]


@dataclass(frozen=True)
class Shown:
    """A number as a prompt has it."""

    text: str
    number: float
    places: int
    percent: bool


def finding(b: Brief, session: Session, env: Environment) -> Finding:
    golds = [i for i in b.with_gold if any(map(_says_something, NUMBER.findall(b.gold(i))))]
    if not b.scale.apart or b.programs or len(golds) < LEAST or b.right.own:
        return ROUNDED.skip("no numbers in golds that are paid")
    held = _held(b, env)
    known, prompts = _by_task(held), [_numbers_of(task.shown) for task in b.tasks]
    own = [[one.number for one in _numbers_of(b.gold(i))] for i in range(len(b.tasks))]
    rounded = {
        name: shown
        for name in list(held)[:MOST_NAMES]
        if (shown := _shown_rounded(prompts, own, held[name], known))
    }
    wrong = {
        i: (name, shown[i])
        for name, shown in rounded.items()
        for i in golds
        if i in shown and _suffers(b, session, i, shown[i][2])
    }
    if len(wrong) < max(LEAST, LEAST_SHARE * len(b.tasks)):
        return ROUNDED.ok(measured=f"{len(wrong)} of {len(golds)} tasks")
    i, (name, (exact, said, off)) = next(iter(wrong.items()))
    return ROUNDED.fail(
        measured=f"{len(wrong)} of {len(golds)} tasks",
        evidence=f"{excerpt(name, 60)}: task {b.tasks[i].index} says {said}, its code holds "
        f"{exact:.6g}; an answer that is {off:.1%} off, as that number is, is not paid",
        fix="round the numbers first, and work out the gold of what the prompt says "
        f"({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )


def _says_something(number: str) -> bool:
    return len(number.strip("-0.").replace(".", "")) >= LEAST_DIGITS


def _held(b: Brief, env: Environment) -> Held:
    """By name, and by task, the numbers that the code holds."""
    found: Held = {}
    for i, task in enumerate(b.tasks):
        values = [(f"{where}.{name}", value) for where, name, value in env.made.get(i, [])]
        fields = flat(task.fields)
        values += [(path, v) for path, v in fields if not path.startswith(b.right.source or path)]
        for name, value in values:
            for inner, number in _numbers(name, value):
                found.setdefault(inner, {})[i] = number
    return found


def _numbers(name: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in list(value.items())[:MOST_INSIDE]:
            yield from _numbers(f"{name}.{key}", inner)
    elif isinstance(value, list):
        for n, inner in enumerate(value[:MOST_INSIDE]):
            yield from _numbers(f"{name}.{n}", inner)
    elif isinstance(value, str) and len(value) < 20 and EXACT.fullmatch(value):
        yield name, float(Fraction(value))
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST:
        yield name, float(value)


def _by_task(held: Held) -> dict[int, set[float]]:
    found: dict[int, set[float]] = {}
    for values in held.values():
        for i, number in values.items():
            found.setdefault(i, set()).add(number)
    return found


def _numbers_of(shown: str) -> list[Shown]:
    """The numbers of a prompt that have several digits."""
    found: list[Shown] = []
    for match in islice(NUMBER.finditer(shown), MOST_SHOWN):
        number = parse_number(match[0]) if len(match[0]) <= LONGEST else None
        if number is not None and _says_something(match[0]):
            percent = shown[match.end() : match.end() + 2].lstrip().startswith("%")
            places = len(match[0].partition(".")[2])
            found.append(Shown(match[0] + "%" * percent, float(number), places, percent))
    return found


def _shown_rounded(
    prompts: Sequence[list[Shown]],
    golds: Sequence[list[float]],
    values: dict[int, float],
    known: dict[int, set[float]],
) -> dict[int, tuple[float, str, float]]:
    """By task the exact number, how its prompt shows it, and how far off that is; {} where that is
    no habit of the name."""
    found = {
        i: (value, *near)
        for i, value in values.items()
        if not value.is_integer()
        and not any(abs(value - gold) <= CLOSE * abs(gold) for gold in golds[i])
        and (near := _near(prompts[i], value, known[i]))
    }
    shown = {exact for exact, _, _ in found.values()}
    # What a prompt shows as it is says nothing of how it shows others.
    rest = {value for i, value in values.items() if not _as_it_is(prompts[i], value)}
    return found if len(shown) >= max(LEAST_VALUES, MOSTLY * len(rest)) else {}


def _as_it_is(prompt: list[Shown], value: float) -> bool:
    return any(abs(shown.number - value) <= EXACTLY * abs(value) for shown in prompt)


def _near(prompt: list[Shown], value: float, known: set[float]) -> tuple[str, float] | None:
    """How a prompt shows a number with fewer decimals than it has, also as a percentage; None where
    it does not, or shows all of it, or a number that is `known`."""
    nearest = None
    for shown in prompt:
        exact = value * 100 if shown.percent and abs(value) < 1 else value
        off = abs(shown.number - exact)
        if off <= EXACTLY * abs(exact):
            return None
        held = {shown.number, shown.number / 100} if shown.percent else {shown.number}
        rounded = shown.places or shown.percent  # a whole number may be any count
        if rounded and off <= HALF_UP * 10**-shown.places and not held & known:
            nearest = shown.text, off / abs(exact)
    return nearest


def _suffers(b: Brief, session: Session, task: int, off: float) -> bool:
    """Whether the reward refuses the gold with its last fraction, or else its last number, as far
    off, either way."""
    gold = b.gold(task)
    *_, last = FRACTION.finditer(gold) if FRACTION.search(gold) else NUMBER.finditer(gold)
    places = len(last[0].partition(".")[2]) if last[0].find("/") < 0 else MOST_PLACES
    number = parse_number(last[0]) if len(last[0]) <= LONGEST else None
    if number is None:
        return False
    most = NOT_ALL * (b.scale.ceiling or 0.0)  # of several numbers each may earn its share
    for factor in (1 + off, 1 - off):
        other = f"{float(number) * factor:.{places}f}"
        if other == last[0]:
            return False
        text = b.write(gold[: last.start()] + other + gold[last.end() :])
        if (session.score(task, text).reward or 0.0) > most:
            return False
    return True
