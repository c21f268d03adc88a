"""Where a value stands in a text, and the text with other values there."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from lab.answers.dates import read_day
from lab.answers.numbers import parse_number

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?(?!\d)")
CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?!\d)")
DAY = re.compile(r"(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d)")
NUMERIC_DAY = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{4}")
"""A day that is written with the day or the month first: here the day."""
DECIMAL = re.compile(r"[-+]?\d+\.(\d{1,4})")
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::\d\d)?")
Span = tuple[int, int]
Edit = tuple[Span, str]
"""A place, and what is to stand there."""


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_plain(value: Any) -> bool:
    return is_number(value) or (isinstance(value, str) and value != "")


def spans(text: str, value: Any) -> list[Span]:
    """The places of a value: a number also as a time of day, a day in any order of its parts."""
    if is_number(value):
        clocks = [m for m in CLOCK.finditer(text) if int(m[1]) * 60 + int(m[2]) == value]
        numbers = [m for m in NUMBER.finditer(text) if _same(m[0], value)]
        return [m.span() for m in clocks or numbers]
    if not str(value).strip():
        return []
    found = [m.span() for m in re.finditer(_whole(str(value).strip()), text, re.IGNORECASE)]
    return found or [m.span() for m in DAY.finditer(text) if _day(m[0]) & _day(str(value))]


def written(value: Any, like: str = "") -> str:
    """A value as it is written in the place of `like`: as a time of day, a day, a number with as
    many decimals."""
    if is_number(value) and CLOCK.fullmatch(like) and value >= 0:
        return f"{int(value) // 60:02d}:{int(value) % 60:02d}"
    numeric = NUMERIC_DAY.fullmatch(like)
    if isinstance(value, str) and numeric and not NUMERIC_DAY.fullmatch(value):
        day = read_day(value)
        return numeric[1].join((f"{day[0]:%d}", f"{day[0]:%m}", f"{day[0]:%Y}")) if day else value
    decimal = DECIMAL.fullmatch(like) if is_number(value) else None
    if decimal and round(value, len(decimal[1])) == round(value, 9):
        return f"{value:.{len(decimal[1])}f}"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def edits(text: str, ours: Any, theirs: Any) -> list[Edit]:
    """What is wanted in the places of a value, the last place first; [] where it is there
    already."""
    if isinstance(ours, str) and isinstance(theirs, str):
        moments = MOMENT.fullmatch(ours), MOMENT.fullmatch(theirs)
        if moments[0] and moments[1]:
            day = edits(text, moments[0][1], moments[1][1])
            return [*day, *edits(text, _minutes(moments[0]), _minutes(moments[1]))]
    if ours == theirs or (spans(text, theirs) and not is_number(theirs)):
        return []
    places = list(reversed(spans(text, ours)))
    made = [(span, written(theirs, text[slice(*span)])) for span in places]
    if isinstance(theirs, float) and not theirs.is_integer():
        made += [(span, f"{theirs:.0f}") for span in places if text[slice(*span)].isdigit()]
    return made


def in_order(text: str, found: list[Edit]) -> list[Edit]:
    """First the edits of a value that stands in several places, and has a wanted one for each:
    place by place, in the order of both."""
    first: list[Edit] = []
    for ours in dict.fromkeys(text[slice(*span)] for span, _ in found):
        places = sorted({span for span, _ in found if text[slice(*span)] == ours})
        wanted = list(dict.fromkeys(made for span, made in found if text[slice(*span)] == ours))
        if len(places) == len(wanted) > 1:
            first += zip(places, wanted, strict=True)
    return [*first, *found]


def apart(found: Sequence[Edit]) -> list[Edit]:
    """The first edit of each place, and none that overlaps with one before it."""
    kept: list[Edit] = []
    for span, made in found:
        if all(span[1] <= a or b <= span[0] for (a, b), _ in kept):
            kept.append((span, made))
    return kept


def replaced(text: str, found: Sequence[Edit]) -> str:
    for (start, end), made in sorted(found, reverse=True):
        text = text[:start] + made + text[end:]
    return text


def in_places(text: str, ours: Sequence[Any], theirs: Sequence[Any], nth: int = 0) -> list[Edit]:
    """Values in the places of others, each in one of its own, of several the `nth`; a number that
    is not there stands for one of which it was worked out."""
    made: list[Edit] = []
    for value, wanted in zip(ours, theirs, strict=True):
        taken = {span for span, _ in made}
        here = [span for span in spans(text, value) if span not in taken]
        free = [m for m in NUMBER.finditer(text) if m.span() not in taken]
        if here:
            made.append((here[nth], written(wanted, text[slice(*here[nth])])))
        elif free and is_number(value) and is_number(wanted) and value:
            shifted = [m for m in free if _digits(m[0]) == _digits(str(value))]
            token = shifted[nth] if shifted else free[-1]
            worked = float(parse_number(token[0]) or 0) * wanted / value
            made.append((token.span(), written(worked, token[0])))
    return apart(made)


def _digits(number: str) -> str:
    """Those that are left when the decimal point moves: 12.5, 1250 and 0.0125 have the same."""
    return re.sub(r"\D", "", number).strip("0")


def with_plus(text: str, made: str) -> str:
    """The second text with a plus before its numbers above zero, where the first one's have a
    sign."""
    signed = [m[0] for m in NUMBER.finditer(text) if m[0][0] in "+-"]
    bare = r"\d+\.\d+" if any("." in one for one in signed) else r"\d+"
    return re.sub(rf"(?<![\w.+:-])({bare})(?![\d:])", r"+\1", made) if signed else made


def _whole(value: str) -> str:
    """A pattern for a text that is no part of a longer word or number."""
    start, end = (r"\d" if one.isdigit() else r"[^\W\d]" for one in (value[0], value[-1]))
    before = f"(?<!{start})" if value[0].isalnum() else ""
    after = f"(?!{end})" if value[-1].isalnum() else ""
    return before + re.escape(value) + after


def _day(text: str) -> set[date]:
    """The days that a text may be."""
    found = {one[0].date() for one in (read_day(text),) if one}
    if m := re.fullmatch(r"(\d{1,2})\D(\d{1,2})\D(\d{4})", text):
        for month, day in ((1, 2), (2, 1)):
            with contextlib.suppress(ValueError):
                found.add(date(int(m[3]), int(m[month]), int(m[day])))
    return found


def _minutes(moment: re.Match[str]) -> int:
    return int(moment[2]) * 60 + int(moment[3])


def _same(token: str, value: float) -> bool:
    number = parse_number(token)
    return number is not None and abs(float(number) - value) < 1e-9
