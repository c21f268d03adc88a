"""Numbers that stand beside the gold: one more, cut, rounded, reversed, with another sign."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from lab.answers.numbers import number_text, parse_number
from lab.answers.wrong import like
from lab.environment import Completion
from lab.probes.exploits import quantity
from lab.probes.families import family
from lab.probes.near import CURRENCY
from lab.probes.subject import Subject

Probes = Iterator[tuple[str, Completion]]


@family(
    "close_number",
    title="a number beside the gold is not paid",
    kinds=("number", "text"),
    reason="A loose tolerance, rounding or integer truncation pays near misses; the model stops being exact.",
    source="E12: int() of 18.9 is 18",
    fix="compare exactly (fractions or decimals); a tolerance belongs to measured quantities and must be small",
)
def close_number(s: Subject, task: int) -> Probes:
    bare, unit = quantity(s.gold(task)) if s.family == "text" else (s.gold(task), "")
    value = parse_number(bare)
    if value is None:
        return
    tolerant = bool(TOLERANCE.search(s.tasks[task].shown))
    near = _beside_decimal(value, tolerant, measured=bool(unit.strip()) and not CURRENCY.search(s.gold(task))) if value != int(value) else _beside_whole(s, task, int(value), f"{bare}\0{unit}", tolerant)
    for name, number in near:
        if not s.between(task, number):
            yield name, s.write(f"{like(bare, number)}{unit}")


def _beside_whole(s: Subject, task: int, number: int, form: str, tolerant: bool) -> Iterator[tuple[str, str]]:
    """`form`: how the gold is written, its number and what follows it, with a NUL between them."""
    if abs(number) < 20 and not tolerant:
        yield "one more", str(number + 1)
        yield "one less", str(number - 1)
    elif abs(number) >= 20:
        yield "five percent off" if not tolerant else "a fifth off", str(number + round(number * (0.2 if tolerant else 0.05)))
    # Cut to 18, 18.9 is right; a small tolerance would take 19 as well.
    bare, unit = form.split("\0")
    next_one = s.reward(task, s.write(f"{like(bare, str(number + 1))}{unit}"))
    if next_one is not None and not s.paid_like_right(task, next_one):
        yield "with .9", f"{number}.9"
        yield "with .4", f"{number}.4"
    if number:
        yield "sign changed", str(-number)
        if abs(number) >= 10 and number % 10:
            yield "digits reversed", _reversed(number)
        yield "ten times", f"{number}0"


def _beside_decimal(value: Decimal | Fraction, tolerant: bool, *, measured: bool) -> Iterator[tuple[str, str]]:
    exact = Fraction(value)
    tenth = _four_places(exact * (Fraction(6, 5) if tolerant else Fraction(21, 20)))
    yield "five percent off" if not tolerant else "a fifth off", tenth
    yield "ten times", _four_places(exact * 10)
    yield "sign changed", _four_places(-exact)
    # Where a quantity is measured, a hundredth of it is no error: see references/reward_design.md.
    if not tolerant and 1 <= abs(exact) < (100 if measured else math.inf):
        yield "cut to a whole number", str(int(exact))
        # In the whole part alike, and far off in the rest.
        rest = exact - int(exact)
        yield "other decimals", _four_places(int(exact) + (1 if exact > 0 else -1) * (Fraction(1, 8) if abs(rest) > Fraction(1, 2) else Fraction(7, 8)))


def _four_places(value: Fraction) -> str:
    return number_text(Decimal(round(value * 10**4)).scaleb(-4))


TOLERANCE = re.compile(r"within|approximate|tolerance|nearest|round|significant|±|estimate|about how", re.IGNORECASE)


def _reversed(value: int) -> str:
    digits = str(abs(value))[::-1].lstrip("0") or "1"
    return str(abs(value) + 10) if digits == str(abs(value)) else digits
