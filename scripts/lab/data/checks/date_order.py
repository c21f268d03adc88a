"""Whether the golds read the dates of their prompts in one order: day first, or month first.

Ordered 05/08/2025, paid 24/08/2025                      # the prompt
{"ordered": "2025-05-08", "paid": "2025-08-24"}          # the gold: month first, and day first

A date of numbers whose day and month are both at most 12 can be read in two ways, and the gold says
which one was taken. One with a number over 12 can be read in one way only. Golds that follow both
orders come from a reader that prefers one order and takes the other where the first does not fit.

The orders are compared by the mark between the numbers: dots may be day first where slashes are
not. A date says nothing where the prompt holds both of its readings, or one of them in plain words,
or where the gold holds both.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from lab.answers.examples import MONTHS
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt

DAY, MONTH, BOTH = "day first", "month first", "both"
LEAST = 2
"""Tasks that follow an order, from which on it is no chance."""
HELD = 0.5
"""Share of the tasks whose gold has to be a date of the prompt: others are worked out from it, and
some of these are the other reading by chance (5 June is 30 days after 6 May)."""

ORDER = Check(
    "data.date_order",
    title="the golds read the dates of their prompts in one order",
    expected=f"day first or month first; fails where {LEAST} tasks or more follow each",
    reason="Golds that read 05/08 as 8 May and 24/08 as 24 August refuse the right date.",
    source="pandas: to_datetime, dayfirst is not strict",
)
FIX = (
    "make the golds again with one exact format, such as strptime(text, '%d/%m/%Y'): dayfirst=True "
    "only prefers an order; where the documents differ, say in each prompt which order holds"
)

NUMBERS = re.compile(
    r"(?<![\w/.-])(?P<first>\d{1,2}) ?(?P<mark>[/.-]) ?(?P<second>\d{1,2}) ?(?P=mark) ?"
    r"(?P<year>(?:19|20)\d\d|\d\d)(?![/.-]?\w)"
)
"""A date of numbers; parts of ranges, of longer numbers and of paths are none."""
YEAR_FIRST = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?:(?P<mark>[/.-])(?P<month>\d{1,2})(?P=mark)|年(?P<cjk>\d{1,2})月)"
    r"(?P<day>\d{1,2})(?!\d)"
)
NAMED = (
    re.compile(
        r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?[ -]?(?:of |de |d')?"
        r"(?P<name>[^\W\d_]{3,})\.?,?[ -](?:de )?\Z"
    ),
    re.compile(r"(?<![^\W_])(?P<name>[^\W\d_]{3,})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? \Z"),
)
"""What stands before the year of a date with the name of its month."""
REACH = 36
"""Characters before a year that can belong to its date."""
A_YEAR = re.compile(r"[12][09]\d\d(?!\d)")

_FORMAT = r"[ -](?:style )?(?:date )?(?:format|style|notation|convention|dates?|date order)"
_FIRST = r"[ -](?:comes? |goes |is |stands? )?(?:first|(?:before|precedes) (?:the )?"
_NUMBER = r"first (?:number|part|figure|field) is (?:the |a )?"
SAID = {
    DAY: re.compile(
        r"\b(?:dd?|jj?|tt?|gg?)[/.-]mm?\b|%d[/.-]%m|\bdmy\b|\bday[/-]month\b"
        rf"|\bday{_FIRST}month)\b|\b{_NUMBER}day\b"
        rf"|\b(?:uk|u\.k\.|british|european|eu|international){_FORMAT}\b",
        re.IGNORECASE,
    ),
    MONTH: re.compile(
        r"(?<!\w[/.-])\bmm?[/.-](?:dd?|jj?|tt?|gg?)\b|%m[/.-]%d|\bmdy\b|\bmonth[/-]day\b"
        rf"|\bmonth{_FIRST}day)\b|\b{_NUMBER}month\b|\b(?:us|u\.s\.|american){_FORMAT}\b",
        re.IGNORECASE,
    ),
}
"""Words that say which order holds."""
PLACES = re.compile(
    r"\b(?:(?:USA?|UK|EU|[a-z]{2}[-_][A-Z]{2})\b|U\.S\.|U\.K\."
    r"|(?i:United States|United Kingdom|America|Brit(?=ain|ish)|Engl(?=and|ish)|Ireland|Irish"
    r"|Europe|Canad|Australia|German|Franc|French|Ital|Spain|Spanish|Netherlands|Dutch|Mexic|India"
    r"|Philippin))"
)
"""Words by which a reader may know it."""

Day = tuple[int, int, int]


def _names() -> dict[str, int]:
    """The names of months, and their beginnings that only one month has."""
    found: dict[str, set[int]] = defaultdict(set)
    for names in MONTHS:
        for month, name in enumerate(names, 1):
            for end in range(3, len(name) + 1):
                found[name[:end].casefold()].add(month)
    return {name: months.pop() for name, months in found.items() if len(months) == 1}


MONTH_OF = _names()


class Read(NamedTuple):
    """A date of the prompt with the reading that the gold has of it."""

    order: str
    sure: bool
    """Whether no other reading is possible."""
    written: str
    meant: str


class Dated(NamedTuple):
    """What a row shows of the order of its dates with one mark."""

    row: int
    mark: str
    own: str
    """The order that the prompt shows by numbers over 12; "" where it shows none."""
    held: bool
    """Whether the gold has a date of the prompt, in whatever order."""
    reads: tuple[Read, ...]
    said: tuple[str, ...]
    """The orders that the prompt speaks of."""
    places: tuple[str, ...]
    """Words of countries in the prompt."""

    def follows(self, order: str) -> bool:
        return any(read.order == order for read in self.reads)


def dated(row: int, prompt: str, gold: str) -> list[Dated]:
    """One entry for each mark between numbers; [] where no date of numbers is read."""
    if not (A_YEAR.search(gold) and (golds := _plain(gold))):
        return []
    known = set(_plain(prompt))
    meant = {day: text for day, text in golds.items() if day not in known}
    if not meant:
        return []
    dates = list({match[0]: match for match in NUMBERS.finditer(prompt)}.values())
    swapped = {day for match in dates if not _one_way(match) for day in _ways(match).get(DAY, ())}
    by_mark: dict[str, list[re.Match[str]]] = defaultdict(list)
    for match in dates:
        if not _restated(_ways(match), known, swapped):
            by_mark[match["mark"]].append(match)
    said = orders_said(prompt), tuple(sorted(set(PLACES.findall(prompt))))
    return [Dated(row, mark, *_reads(found, meant), *said) for mark, found in by_mark.items()]


def orders_said(text: str) -> tuple[str, ...]:
    """The orders that a text speaks of."""
    return tuple(order for order, words in SAID.items() if words.search(text))


def _reads(found: list[re.Match[str]], meant: dict[Day, str]) -> tuple[str, bool, tuple[Read, ...]]:
    """What the gold makes of dates of numbers: see the fields of `Dated`."""
    own: set[str] = set()
    reads: list[Read] = []
    held = False
    for match in found:
        ways = _ways(match)
        taken = {order: day for order, days in ways.items() for day in days if day in meant}
        held |= bool(taken)
        if _one_way(match):
            continue
        sure = len(ways) == 1
        if sure and (taken or len(match["year"]) == 4):
            own |= set(ways)
        if len(taken) == 1:
            order, day = taken.popitem()
            reads.append(Read(order, sure, match[0], meant[day]))
    return BOTH if len(own) > 1 else "".join(own), held, tuple(reads)


def _one_way(match: re.Match[str]) -> bool:
    """Whether day and month are the same number."""
    return int(match["first"]) == int(match["second"])


def _restated(ways: dict[str, list[Day]], known: set[Day], swapped: set[Day]) -> bool:
    """Whether the prompt holds a reading in plain words, or the date with its numbers swapped."""
    if any(day in known for days in ways.values() for day in days):
        return True
    return len(ways) > 1 and bool(swapped.intersection(ways[MONTH]))


def _ways(match: re.Match[str]) -> dict[str, list[Day]]:
    """By order the days that a date of numbers can be."""
    first, second, year = (int(match[name]) for name in ("first", "second", "year"))
    years = [year] if year > 99 else [1900 + year, 2000 + year]
    orders = {DAY: (second, first), MONTH: (first, second)}
    ways = {
        order: [(one, *rest) for one in years if _is_day(one, *rest)]
        for order, rest in orders.items()
    }
    return {order: days for order, days in ways.items() if days}


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _plain(text: str) -> dict[Day, str]:
    """The days that a text holds in one reading only, each as it is written there."""
    return {day: written for day, written in _found(text) if _is_day(*day)}


def _found(text: str) -> Iterator[tuple[Day, str]]:
    for year in A_YEAR.finditer(text):
        if match := YEAR_FIRST.match(text, year.start()):
            month = int(match["month"] or match["cjk"])
            yield (int(year[0]), month, int(match["day"])), match[0]
        before = text[max(0, year.start() - REACH) : year.start()]
        for named in filter(None, (pattern.search(before) for pattern in NAMED)):
            if month := MONTH_OF.get(named["name"].casefold(), 0):
                yield (int(year[0]), month, int(named["day"])), named[0] + year[0]


# --- the verdict ------------------------------------------------------------------------------

WORST = ("fail", "warn", "pass", "skip")


def finding(rows: Sequence[Dated], noun: str = "row") -> Finding:
    """What is to be said of all rows. `noun`: what a row is called."""
    by_mark: dict[str, list[Dated]] = defaultdict(list)
    for one in rows:
        by_mark[one.mark].append(one)
    found = [_of_mark(own, noun) for own in by_mark.values()]
    none = ORDER.skip("no gold writes out a date that its prompt has in numbers")
    return min(found, key=lambda one: WORST.index(one.status), default=none)


def _of_mark(rows: Sequence[Dated], noun: str) -> Finding:
    known = [one for one in rows if one.own != BOTH]
    if why := _not_told(known):
        return ORDER.skip(why)
    day, month = ([one for one in known if one.follows(order)] for order in (DAY, MONTH))
    few, many = sorted((len(day), len(month)))
    said = "; ".join(_shown(own, order, noun) for own, order in ((day, DAY), (month, MONTH)) if own)
    if not few:
        return ORDER.ok(0, said)
    if many < LEAST:
        return ORDER.skip("too few dates show an order")
    make = ORDER.warn if few < LEAST else ORDER.fail
    return make(f"{len(day)} {DAY}, {len(month)} {MONTH}", said, FIX)


def _not_told(rows: Sequence[Dated]) -> str:
    """Why these rows cannot tell whether their golds follow one order; "" where they can."""
    read = [one for one in rows if one.reads]
    if not read:
        return "no gold writes out a date that its prompt has in numbers"
    if sum(one.held for one in rows) < HELD * len(rows):
        return "most golds are other dates than those of their prompts"
    if {one.own for one in rows} >= {DAY, MONTH}:
        return "the prompts themselves have dates in both orders"
    if len({one.said for one in read}) > 1 or len(read[0].said) > 1:
        return "the prompts say which order holds, and not all of them the same"
    if _apart(read):
        return "the countries in the prompts may say which order holds"
    return ""


def _apart(rows: Sequence[Dated]) -> bool:
    """Whether words of places tell the rows of one order from those of the other."""
    day, month = ([one for one in rows if one.follows(order)] for order in (DAY, MONTH))
    return any(
        own and all(set(one.places) - {word for row in other for word in row.places} for one in own)
        for own, other in ((day, month), (month, day))
        if other
    )


def _shown(rows: Sequence[Dated], order: str, noun: str) -> str:
    """How many rows follow an order, with one of them: rather one that could be read otherwise."""
    both = ((one, read) for one in rows for read in one.reads if read.order == order)
    one, read = min(both, key=lambda pair: pair[1].sure)
    return (
        f"{len(rows)} {noun}{'s' * (len(rows) > 1)} {order}, such as {noun} {one.row}: "
        f"'{excerpt(read.written, 20)}' is '{excerpt(read.meant, 30)}'"
    )
