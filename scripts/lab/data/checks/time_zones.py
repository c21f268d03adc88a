"""The one place of a text whose time zone is known: by the name of the zone, or by a city.

place("A shift in Denver, from ...")                       # America/Denver
place("A shift in Boston (America/New_York), from ...")    # America/New_York
place("From Denver to Lyon"), place("A shift in New London")     # "": another place, another London
"""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from lab.data.checks.date_order import MONTH_OF

PLACED = re.compile(
    r"\b(?:in|from|to|leav(?:es?|ing)|left|reach(?:es|ed)?"
    r"|(?:depart|arriv|land|end|start)(?:s|es|ed|ing)? at) (?P<name>[A-Z][a-z]+)(?![\w/])"
)
"""A name that can be a place, where something is or a way begins or ends."""

IANA = re.compile(r"\b[A-Z]\w+(?:/[A-Z][\w+-]*)+")
REGIONS = frozenset("Africa America Asia Atlantic Australia Europe Indian Pacific".split())
NO_CITY = frozenset(
    "Canary Christmas Easter Jersey Johnston Midway Norfolk North Oral Reunion South Stanley "
    "Victoria Virgin Wake West".split()
)
"""Last parts of zone names that are ordinary words and names, or other places, too."""


@cache
def zones() -> dict[str, str]:
    """The zone of each zone name, and of each city that is the end of exactly one; {} where the
    machine has no data."""
    try:
        names = {name for name in available_timezones() if "/" in name and ZoneInfo(name)}
    except (OSError, ValueError, KeyError):
        return {}
    ends = [name.rpartition("/")[2] for name in names]
    cities = {
        end.replace("_", " "): name
        for name in names
        for region, _, end in [name.partition("/")]
        if region in REGIONS and end not in NO_CITY and ends.count(end) == 1
    }
    return {name: name for name in names} | cities


@cache
def _cities() -> re.Pattern[str]:
    names = "|".join(re.escape(one) for one in zones() if "/" not in one)
    prefix = r"(?:New|North|East|South|West|Port|Fort|Saint) "
    return re.compile(rf"(?<![\w/])(?P<before>{prefix})?(?P<city>{names})(?![\w/])")


def place(text: str) -> str:
    """The only zone that a text names, by itself or by a city in it; "" where it has others, too.
    `New London` is another place."""
    written = {match[0] for match in IANA.finditer(text)} & zones().keys()
    cities = {match["city"] for match in _cities().finditer(text) if not match["before"]}
    names = written | {zones()[city] for city in cities}
    known = {city.split()[0] for city in cities}
    others = {name for match in PLACED.finditer(text) if (name := match["name"]) not in known}
    strange = [one for one in others if one.casefold() not in MONTH_OF and not one.endswith("day")]
    return names.pop() if len(names) == 1 and (written or not strange) else ""
