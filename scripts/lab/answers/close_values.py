"""Values beside the gold: another day, another hour, one more, cut, rounded, in another unit.

A wrong answer that is far off is refused by nearly every reward. What a loose comparison pays is
what almost looks like the gold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

from lab.answers.dates import read_day, write_day
from lab.answers.numbers import number_text, parse_number
from lab.answers.target import Target, quantity
from lab.answers.wrong import like

TIME = re.compile(r"([01]?\d|2[0-3])([:.])([0-5]\d)")
CURRENCY = re.compile(r"\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD)\b|[$€£¥₹]")
AFTER_M = ("in", "ile", "iles", "i", "ol", "ph", "mHg", "bar")
"""What follows an m that is no prefix (min, mi, mol, mph), or is never mega (mmHg, mbar)."""
NEXT = "the next whole number"
"""Where a reward pays this, a tolerance is at work and decimals behind the gold say nothing."""


@dataclass(frozen=True)
class Near:
    """A wrong answer close to the gold."""

    name: str
    text: str
    unless: str = ""
    """Says nothing where the near answer of this name is paid too."""


def close_dates(t: Target) -> Iterator[Near]:
    found = read_day(t.gold)
    if found is None:
        return
    day, layout = found
    month = day.replace(month=day.month % 12 + 1, day=min(day.day, 28))
    others = {
        "the day after": day + timedelta(days=1),
        "another day of the month": day.replace(day=day.day % 28 + 1),
        "another month": month,
        "another year": month.replace(month=day.month, year=day.year - 1),
    }
    if day.day <= 12 and day.day != day.month:
        others["day and month swapped"] = day.replace(day=day.month, month=day.day)
    for name, other in others.items():
        yield Near(name, write_day(other, layout))


def close_times(t: Target) -> Iterator[Near]:
    found = TIME.fullmatch(t.gold.strip())
    if found is None:
        return
    hour, minute = int(found[1]), int(found[3])

    def say(h: int, m: int) -> str:
        return f"{h % 24:0{len(found[1])}d}{found[2]}{m % 60:02d}"

    yield Near("an hour later", say(hour + 1, minute))
    yield Near("half an hour off", say(hour, minute + 30))
    if _of_24_hours(t.golds):
        yield Near("twelve hours off", say(hour + 12, minute))
    if minute < 24 and minute != hour:
        yield Near("hours and minutes swapped", say(minute, hour))


def _of_24_hours(golds: tuple[str, ...]) -> bool:
    """Whether the golds count the hours of the whole day: then half a day makes a difference."""
    found = [TIME.fullmatch(gold.strip()) for gold in golds]
    return all(found) and any(int(time[1]) > 12 or int(time[1]) == 0 for time in found if time)


def close_units(t: Target) -> Iterator[Near]:
    """Another currency or unit, where one is asked for or the golds differ in it."""
    yield from _other_currency(t)
    bare, after = quantity(t.gold)
    if not bare or not re.search(r"\bunits?\b", t.shown, re.IGNORECASE):
        return
    unit = after.strip()
    units = [quantity(gold)[1].strip() for gold in t.golds]
    other = next((one for one in [*units, "kg", "s"] if one and one.lower() != unit.lower()), "kg")
    yield Near("another quantity's unit", f"{bare} {other}")
    if unit.isalpha() and len(unit) <= 3:
        larger = unit[1:] if len(unit) > 1 and unit[0] == "k" else f"k{unit}"
        yield Near("a thousand times the unit", f"{bare} {larger}")
        if len(unit) > 1 and unit[0] in "mM" and unit[1:] not in AFTER_M:
            yield Near("milli for mega", f"{bare} {unit[0].swapcase()}{unit[1:]}")


def _other_currency(t: Target) -> Iterator[Near]:
    found = CURRENCY.search(t.gold)
    known = {match[0] for gold in t.golds if (match := CURRENCY.search(gold))}
    asked = len(known) > 1 or re.search(r"\bcurrency\b", t.shown, re.IGNORECASE)
    if found and asked:
        pair = ("EUR", "USD") if found[0].isalpha() else ("€", "$")
        other = pair[1] if found[0] == pair[0] else pair[0]
        yield Near("another currency", t.gold.replace(found[0], other))


def close_numbers(t: Target) -> Iterator[Near]:
    """Numbers beside a number; for texts such as `90 km/h` the number of the quantity."""
    bare, unit = quantity(t.gold) if t.answer_type == "text" else (t.gold, "")
    value = parse_number(bare)
    if value is None:
        return
    measured = bool(unit.strip()) and not CURRENCY.search(t.gold)
    near = (
        _beside_whole(int(value), t.tolerant)
        if value == int(value)
        else _beside_decimal(value, t.tolerant, measured)
    )
    for one in near:
        yield Near(one.name, f"{like(bare, one.text)}{unit}", one.unless)


def _beside_whole(number: int, tolerant: bool) -> Iterator[Near]:
    if abs(number) < 20 and not tolerant:
        yield Near("one more", str(number + 1))
        yield Near("one less", str(number - 1))
    elif abs(number) >= 20:
        part = 0.2 if tolerant else 0.05
        name = "a fifth off" if tolerant else "five percent off"
        yield Near(name, str(number + round(number * part)))
    yield Near("with .9", f"{number}.9", unless=NEXT)
    yield Near("with .4", f"{number}.4", unless=NEXT)
    if number:
        yield Near("sign changed", str(-number))
        if abs(number) >= 10 and number % 10:
            yield Near("digits reversed", _reversed(number))
        yield Near("ten times", f"{number}0")


def next_number(t: Target) -> str | None:
    """The whole number after a whole gold, written like it; None for other golds."""
    bare, unit = quantity(t.gold) if t.answer_type == "text" else (t.gold, "")
    value = parse_number(bare)
    if value is None or value != int(value):
        return None
    return f"{like(bare, str(int(value) + 1))}{unit}"


def _beside_decimal(value: Decimal | Fraction, tolerant: bool, measured: bool) -> Iterator[Near]:
    exact = Fraction(value)
    off = Fraction(6, 5) if tolerant else Fraction(21, 20)
    yield Near("a fifth off" if tolerant else "five percent off", _four_places(exact * off))
    yield Near("ten times", _four_places(exact * 10))
    yield Near("sign changed", _four_places(-exact))
    # Of a measured quantity a hundredth is no error.
    if not tolerant and 1 <= abs(exact) < (100 if measured else math.inf):
        yield Near("cut to a whole number", str(int(exact)))
        # Alike in the whole part, and far off in the rest.
        rest = Fraction(1, 8) if abs(exact - int(exact)) > Fraction(1, 2) else Fraction(7, 8)
        yield Near("other decimals", _four_places(int(exact) + (1 if exact > 0 else -1) * rest))


def _four_places(value: Fraction) -> str:
    return number_text(Decimal(round(value * 10**4)).scaleb(-4))


def _reversed(value: int) -> str:
    digits = str(abs(value))[::-1].lstrip("0") or "1"
    return str(abs(value) + 10) if digits == str(abs(value)) else digits
