"""Schedules in the form of cron that are nearly the right one: `30 6 * * 1-5` without its weekdays.

An expression is right by the times at which it fires. Comparisons of the first times, of a short
period, or of as many times as the shorter side has, pay others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.reward.brief import Brief
from lab.reward.productions.base import Variant, Variants, production

NAMES = ("minute", "hour", "day of the month", "month", "weekday")
RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAYS = "sun mon tue wed thu fri sat".split()
WORDS: dict[int, dict[str, int]] = {
    3: {name: n + 1 for n, name in enumerate(MONTHS)},
    4: {name: n for n, name in enumerate(DAYS)},
}
"""By field the names that may stand for its numbers."""
PART = re.compile(r"(?:\*|(\w{1,3})(?:-(\w{1,3}))?)(?:/(\d{1,3}))?")
ANY = ("*", "?")
OTHER_DAY = {2: 4, 4: 2}
"""The two fields for days: where both are limited, cron takes either of them."""
NEVER = "0 0 31 2 *"
"""A day that no year has."""


@production(
    "close_schedule",
    title="a schedule that fires at other times than the right one is not paid",
    severity="critical",
    types=("text",),
    whole=True,
    all_of_it=True,
    section="part-of-gold",
    reason="Times that are compared over a short period, or up to the end of the shorter list, "
    "leave a limit of the schedule unread.",
    source="own cases: schedules",
    fix="compare all the times of a whole year or longer, and their number",
)
def close_schedule(b: Brief, task: int) -> Variants:
    for name, text in close_to(b.gold(task)):
        if text not in b.target(task).accepted:
            yield Variant(name, b.write(text))


def close_to(gold: str) -> Iterator[tuple[str, str]]:
    """What was changed, and the schedule; nothing where the gold is none, or leaves nothing out."""
    fields = gold.split()
    read = (
        [_values(field, n) for n, field in enumerate(fields)] if len(fields) == len(NAMES) else []
    )
    if "*" not in gold or not read or not all(read):
        return
    limited = [n for n, (low, high) in enumerate(RANGES) if len(read[n]) <= high - low]
    if limited and fields != NEVER.split():
        yield "one that never fires", NEVER
    for n in reversed(limited):
        if n not in OTHER_DAY or fields[OTHER_DAY[n]] in ANY:
            yield f"without its {NAMES[n]}", " ".join([*fields[:n], "*", *fields[n + 1 :]])


def _values(field: str, n: int) -> set[int]:
    """The numbers that a field stands for; none where it is no field of a schedule."""
    low, high = RANGES[n]
    found: set[int] = set()
    for part in field.split(","):
        match = PART.fullmatch("*" if part == "?" else part)
        ends = [_number(text, n) for text in (match[1], match[2]) if text] if match else [None]
        if not match or None in ends or (match[3] and not int(match[3])):
            return set()
        numbers = [end for end in ends if end is not None] or [low, high]
        last = high if len(numbers) == 1 and match[3] else numbers[-1]
        found |= {
            one % 7 if n == 4 else one for one in range(numbers[0], last + 1, int(match[3] or 1))
        }
    return found if all(low <= one <= high for one in found) else set()


def _number(text: str, n: int) -> int | None:
    return int(text) if text.isdecimal() else WORDS.get(n, {}).get(text.lower())
