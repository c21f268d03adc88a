"""Schedules in the form of cron that are nearly the right one: `30 6 * * 1-5` without its weekdays.

An expression is right by the times at which it fires. Comparisons of the first times, of a short
period, or of as many times as the shorter side has, pay others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.reward.brief import Brief
from lab.reward.productions.base import Variant, Variants, production

FIELDS = ("minute", "hour", "day of the month", "month", "weekday")
FIELD = r"(?:\*|\?|[0-9A-Za-z]+)(?:[-,/#][0-9A-Za-z]+)*"
CRON = re.compile(rf"{FIELD}(?:[ \t]+{FIELD}){{4}}")
ALL = re.compile(r"\*|\?|\*/1|0-59|0-23|1-31|1-12|0-6|0-7|1-7|(?i:jan-dec|sun-sat|mon-sun)")
"""A field that leaves nothing out."""
NEVER = "0 0 31 2 *"
"""A day that no year has."""


@production(
    "close_schedule",
    title="a schedule that fires at other times than the right one is not paid",
    severity="critical",
    types=("text",),
    whole=True,
    section="part-of-gold",
    reason="Times that are compared over a short period, or up to the end of the shorter list, "
    "leave a limit of the schedule unread.",
    source="own cases: schedules",
    fix="compare all the times of a whole year or longer, and their number",
)
def close_schedule(b: Brief, task: int) -> Variants:
    for name, text in close_to(b.gold(task)):
        yield Variant(name, b.write(text))


def close_to(gold: str) -> Iterator[tuple[str, str]]:
    """What was changed, and the schedule; nothing where the gold is none, or fires at all times."""
    fields = gold.split()
    if not CRON.fullmatch(gold.strip()) or not any(one.isdigit() for one in "".join(fields)):
        return
    limited = [n for n, one in enumerate(fields) if not ALL.fullmatch(one)]
    if limited and gold.strip() != NEVER:
        yield "one that never fires", NEVER
    for n in reversed(limited):
        yield f"without its {FIELDS[n]}", " ".join([*fields[:n], "*", *fields[n + 1 :]])
