"""Whether golds that are a time that passed count the changes of the clock (daylight saving).

A shift in Denver: 20:00 on 2 November 2024 to 08:30 on 3 November 2024            # the prompt
12:30                               # the gold: what the clock shows; 13 hours 30 minutes passed

Python subtracts two aware datetimes with the same tzinfo as the clock shows them, and PEP 495
keeps it so. Such a gold is right, except where a change of the clock lies between.

A task counts where its prompt speaks of it (daylight saving, offsets, local or elapsed time), and
names two local moments and one place with a known zone. It says nothing where the prompt wants
another time, names another place, or other offsets than those of the zone; nor where the clock
shows one of the moments twice or never.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.data.checks.local_times import amounts, moments
from lab.data.checks.time_zones import place, zones

LEAST = 2
"""Wrong tasks from which on the check fails, even where others are right."""
NEAR = 0.5
"""Minutes by which a gold may be rounded."""
SHOWN = 4
"""Wrong tasks that the evidence names."""

CLOCK = Check(
    "data.clock_change",
    title="golds that are a time that passed count the changes of the clock",
    expected=f"0 wrong; fails from {LEAST} tasks on, or where all over such a change are wrong",
    reason="Over the end of daylight saving an hour more passes than the clock shows.",
    source="python: datetime, the difference of aware datetimes with the same tzinfo, and PEP 495",
)
FIX = (
    "work these golds out in UTC: end.astimezone(UTC) - start.astimezone(UTC); between two "
    "datetimes with the same tzinfo Python does not count a change of the clock"
)
NONE = "no gold is a time that passed over a change of the clock"
NO_ZONES = "zoneinfo finds no time zone data on this machine (the package tzdata has them)"

SPEAKS = re.compile(
    r"daylight|\bDST\b|\bsummer time\b|\bclocks? (?:change|go|went|move)|\bchanges? of the clock"
    r"|\b(?:UTC|GMT) ?[+−-] ?\d|\b(?:really|actually) (?:pass|last|elapse)|\belapsed?\b|\bstopwatch"
    r"|\blocal (?:civil |clock )?times?\b|\bcivil (?:local )?times?\b",
    re.IGNORECASE,
)
_CHANGE = r"(?:daylight|DST\b|summer time|clock changes?|changes? of the clock|time changes?)"
OTHERWISE = re.compile(
    rf"(?<!not )\b(?:ignor|disregard|neglect)\w*[^.\n]{{0,30}}{_CHANGE}"
    rf"|\b(?:no|without) (?:[\w-]+ )?{_CHANGE}|{_CHANGE}[\w -]{{0,24}} (?:not|never|no|ignored)\b"
    r"|(?<!not )(?<!not the )\bwall[- ]clock|\bbreaks?\b|\bpaused?\b|\bunpaid\b|\bdeduct"
    r"|\btime(?:stamp)?s?\b[^.,;:\n]{0,30} (?:in|are|is) (?:UTC|GMT|[CEW]ET|[ECMP]ST)\b"
    r"(?! ?[+−-]?\d)",
    re.IGNORECASE,
)
"""Another time is asked for than what passed between two local moments."""
OFFSET = re.compile(r"\b(?:UTC|GMT) ?(?P<sign>[+−-]) ?(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?")


class Passed(NamedTuple):
    """A task over a change of the clock; without a zone where the machine knows none."""

    row: int
    zone: str = ""
    shown: str = ""
    """The time that passed as the clock shows it."""
    real: str = ""
    gold: str = ""
    right: bool = False
    wrong: bool = False
    """Neither is true where the gold is another number."""


def passed(row: int, prompt: str, gold: str) -> list[Passed]:
    """One entry where the gold can be a time over a change of the clock; otherwise []."""
    # Most prompts do not have two years, and are seen by that at once.
    read = list(amounts(gold)) if prompt.count("20") + prompt.count("19") > 1 else []
    times = sorted(set(moments(prompt))) if read else []
    if len(times) != 2 or not SPEAKS.search(prompt) or OTHERWISE.search(prompt):
        return []
    if not zones():
        return [Passed(row)]
    name = place(prompt)
    both = _between(times, ZoneInfo(name), prompt) if name else None
    if not both:
        return []
    wrong, right = (any(abs(one - _minutes(time)) < NEAR for one in read) for time in both)
    shown, real = map(_text, both)
    return [Passed(row, name, shown, real, gold.strip()[:40], right, wrong and not right)]


def _between(
    times: Sequence[datetime], zone: ZoneInfo, prompt: str
) -> tuple[timedelta, timedelta] | None:
    """The time between two moments as the clock shows it, and as it passed; None where these are
    the same, or nobody can tell."""
    first, then = ([one.replace(tzinfo=zone, fold=fold) for one in times] for fold in (0, 1))
    start, end = (one.astimezone(UTC) for one in first)
    if [start, end] != [one.astimezone(UTC) for one in then]:
        return None
    stated = {timedelta(0), *map(_offset, OFFSET.finditer(prompt))}
    if len(stated) > 1 and not {one.utcoffset() for one in first} <= stated:
        return None
    shown, real = times[1] - times[0], end - start
    return (shown, real) if shown != real else None


def _offset(match: re.Match[str]) -> timedelta:
    size = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    return size if match["sign"] == "+" else -size


def _minutes(time: timedelta) -> float:
    return time / timedelta(minutes=1)


def _text(time: timedelta) -> str:
    return "{}:{:02}".format(*divmod(round(_minutes(time)), 60))


def finding(rows: Sequence[Passed], noun: str = "row") -> Finding:
    """What is to be said of all rows. `noun`: what a row is called."""
    if any(not one.zone for one in rows):
        return CLOCK.skip(NO_ZONES)
    wrong = [one for one in rows if one.wrong]
    if not wrong:
        right = sum(one.right for one in rows)
        said = f"{right} {noun}{'s' * (right > 1)} over a change of the clock: the golds count it"
        return CLOCK.ok(0, said) if right else CLOCK.skip(NONE)
    make = CLOCK.fail if len(wrong) >= LEAST or len(wrong) == len(rows) else CLOCK.warn
    said = "; ".join(
        f"{noun} {one.row} ({one.zone}): the gold is '{excerpt(one.gold, 20)}' as the clock shows "
        f"it ({one.shown}), and {one.real} passed"
        for one in wrong[:SHOWN]
    )
    more = f"; and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    return make(f"{len(wrong)} of {len(rows)} over a change of the clock", said + more, FIX)
