"""Local moments and amounts of time, as texts write them.

moments("20:00 on 2 May 2024 to 2024-05-03 at 8:30 am")    # 2 May 20:00, 3 May 8:30
amounts("13 h 30 min")                                     # 810
amounts("13.5")                                            # 13.5, 810 (hours), 0.225 (seconds)

A time of day counts where a date stands beside it, and where it has no offset of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time

from lab.data.checks.date_order import MONTH_OF

_YEAR, _NAME = r"(?P<year>(?:19[7-9]|20\d)\d)(?!\d)", r"(?P<name>[^\W\d_]{3,})\.?"
"""Years whose changes of the clock are known well."""
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
DATES = (
    re.compile(rf"(?<![\d-]){_YEAR}-(?P<name>\d\d)-(?P<day>\d\d)(?![\d-])"),
    re.compile(rf"(?<![\d:]){_DAY}(?: of)? {_NAME},? {_YEAR}"),
    re.compile(rf"\b{_NAME} {_DAY},? {_YEAR}"),
)
TIME = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d)(?::00)?)?+(?: ?(?P<half>[ap])\.?m\b\.?)?+"
    r"(?![\d:]| ?(?:Z\b|UTC|GMT|[+−]\d|-\d\d:))",
    re.IGNORECASE,
)
AFTER_DATE = re.compile(r"(?:,? (?:at )?|T)\Z")
ON, BEFORE_DATE = (re.compile(rf",? {on}(?:\w+day,? )?") for on in ("on ", ""))
REACH = 5
"""Characters of the longest text between a date and a time behind it."""

_NUMBER = r"\d+(?:\.\d+)?"
NUMBER = re.compile(_NUMBER)
IN_UNITS = re.compile(
    r"P?(?:(?P<days>\d+) ?d(?:ays?)?,? ?)?T?(?:and )?"
    rf"(?:(?P<hours>{_NUMBER}) ?h(?:(?:ou)?rs?)?\.?)?,?(?: ?and)? ?"
    rf"(?:(?P<minutes>{_NUMBER}) ?m(?:in(?:ute)?s?)?\.?)?(?:0S)?",
    re.IGNORECASE,
)
ON_A_CLOCK = re.compile(r"(?P<hours>\d{1,4}):(?P<minutes>[0-5]\d)(?::00)?(?: ?h(?:ours?)?)?")
MINUTES = {"days": 1440, "hours": 60, "minutes": 1}


def amounts(text: str) -> Iterator[float]:
    """All numbers of minutes that the lines of a text can be, each line by itself."""
    for line in filter(None, map(str.strip, text.splitlines())):
        bare = line.replace(",", "").rstrip(".")
        if NUMBER.fullmatch(bare):
            yield from (float(bare) * unit for unit in (1, 60, 1 / 60))
        elif match := IN_UNITS.fullmatch(bare) or ON_A_CLOCK.fullmatch(bare):
            yield sum(float(part or 0) * MINUTES[unit] for unit, part in match.groupdict().items())


def moments(text: str) -> Iterator[datetime]:
    """The times of day that stand beside a date, each on its day."""
    found = [
        (match, day) for form in DATES for match in form.finditer(text) if (day := _day(match))
    ]
    starts = {match.start(): day for match, day in found}
    ends = {match.end(): day for match, day in found}
    for match in TIME.finditer(text) if found else ():
        at, day = _time(match), _beside(match, text, starts, ends)
        if at and day:
            yield datetime.combine(day, at)


def _beside(
    match: re.Match[str], text: str, starts: dict[int, date], ends: dict[int, date]
) -> date | None:
    """The date of a time: the one that `on` joins to it, the one before it, the one behind it."""
    if (on := ON.match(text, match.end())) and on.end() in starts:
        return starts[on.end()]
    before = AFTER_DATE.search(text[max(0, match.start() - REACH) : match.start()])
    if before and (end := match.start() - len(before[0])) in ends:
        return ends[end]
    behind = BEFORE_DATE.match(text, match.end())
    return starts.get(behind.end()) if behind else None


def _day(match: re.Match[str]) -> date | None:
    name = match["name"]
    month = int(name) if name.isdigit() else MONTH_OF.get(name.casefold(), 0)
    with suppress(ValueError):
        return date(int(match["year"]), month, int(match["day"]))
    return None


def _time(match: re.Match[str]) -> time | None:
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if not (half or match["minute"]) or hour > 23 or (half and not 1 <= hour <= 12):
        return None
    return time(hour % 12 + 12 * (half == "p") if half else hour, int(match["minute"] or 0))
