"""A text with other values in the places of those that it has.

put_in("Result: 12.4 kg/d", [(12.4, 14.56)])          -> "Result: 14.56 kg/d"
put_in("from 10:30", [(630, 615)])                     -> "from 10:15"
put_in("A\\nB", [(["a", "b"], ["x", "y", "z"])])        -> "x\\ny\\nz"
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from lab.answers.dates import read_day
from lab.answers.extract import loads
from lab.answers.numbers import parse_number

NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\d])")
CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?!\d)")
DAY = re.compile(r"(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d)")
NUMERIC_DAY = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{4}")
"""A day that is written with the day or the month first: here the day."""
JSON = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)
SEPARATORS = ("\n", ", ", ";", "|", " ")
MOST, MOST_EACH = 32, 8
Span = tuple[int, int]


def put_in(text: str, pairs: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """The text with one side of each pair in the place of the other, where it has one side only:
    all at once, several values for several, then one at a time."""
    pairs = list(pairs)
    single = _in_order(text, [edit for pair in _both_ways(pairs) for edit in _edits(text, *pair)])
    several = [*_keyed_rows(text, pairs), *_of_collections(text, pairs)]
    made = [_replaced(text, _apart(single)), *several, *(_replaced(text, [one]) for one in single)]
    yield from list(dict.fromkeys(one for one in made if one != text))[:MOST]


def _both_ways(pairs: Sequence[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    for left, right in pairs:
        yield left, right
        yield right, left


def _edits(text: str, ours: Any, theirs: Any) -> list[tuple[Span, str]]:
    if _plain(ours) and _plain(theirs):
        return _places(text, ours, theirs)
    if _flat(ours) and _flat(theirs) and len(ours) == len(theirs):
        parts = zip(ours, theirs, strict=True)
        return [edit for a, b in parts for edit in _places(text, a, b)]
    return []


def _of_collections(text: str, pairs: Sequence[tuple[Any, Any]]) -> Iterator[str]:
    members: dict[str, tuple[list[Any], Any]] = {}
    for ours, theirs in _both_ways(pairs):
        if _plain(ours) and isinstance(theirs, (list, dict)):
            members.setdefault(repr(theirs), ([], theirs))[0].append(ours)
        elif isinstance(ours, (list, dict)) and isinstance(theirs, (list, dict)):
            yield from _collection(text, ours, theirs)
    for values, among in members.values():
        yield from _members(text, values, among)
    for ours, theirs in _both_ways(pairs):
        if _number(ours) and _number(theirs) and ours != theirs:
            yield from _in_proportion(text, ours, theirs)


def _keyed_rows(text: str, pairs: Sequence[tuple[Any, Any]]) -> Iterator[str]:
    """The values of a key that was looked up just before, in the line of the key; all such lines
    at once."""
    lines = text.splitlines()
    for (key, held), (left, right) in pairwise(pairs):
        row: Any = held.get(str(key)) if isinstance(held, dict) and _plain(key) else None
        wanted: Any = right if row == left else left
        at = [n for n, line in enumerate(lines) if _plain(key) and _spans(line, key)]
        if at and _flat(row) and _flat(wanted) and row != wanted and len(row) == len(wanted):
            lines[at[-1]] = _row(lines[at[-1]], key, row, wanted)
    yield "\n".join(lines)


def _row(line: str, key: Any, ours: Sequence[Any], theirs: Sequence[Any]) -> str:
    """A line with other values behind its key; a number that is not there stands for one of which
    it was worked out."""
    free = [span for span in _tokens(line) if span not in _spans(line, key)]
    edits: list[tuple[Span, str]] = []
    for value, wanted in zip(ours, theirs, strict=True):
        here = [span for span in _spans(line, value) if span in free]
        if here:
            free.remove(here[0])
            edits.append((here[0], _written(wanted, line[slice(*here[0])])))
        elif free and _number(value) and _number(wanted) and value:
            token = parse_number(line[slice(*free[-1])])
            edits.append((free.pop(), _written(float(token or 0) * wanted / value)))
    return _replaced(line, edits)


def _tokens(line: str) -> list[Span]:
    return [m.span() for m in NUMBER.finditer(line)]


def _flat(value: Any) -> bool:
    return isinstance(value, list) and all(map(_plain, value))


def _plain(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool) and value != ""


def _places(text: str, ours: Any, theirs: Any) -> list[tuple[Span, str]]:
    """Where a value is written, the last place first, with what is wanted there; nothing where
    that is there already."""
    if ours == theirs or (_spans(text, theirs) and not _number(theirs)):
        return []
    spans = list(reversed(_spans(text, ours)))
    made = [(span, _written(theirs, text[slice(*span)])) for span in spans]
    if isinstance(theirs, float) and not theirs.is_integer():
        made += [(span, f"{theirs:.0f}") for span in spans if text[slice(*span)].isdigit()]
    return made


def _in_order(text: str, edits: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """First the edits of a value that stands in several places, and has a wanted one for each:
    place by place, in the order of both."""
    first: list[tuple[Span, str]] = []
    written = dict.fromkeys(text[slice(*span)] for span, _ in edits)
    for ours in written:
        spans = sorted({span for span, _ in edits if text[slice(*span)] == ours})
        wanted = list(dict.fromkeys(made for span, made in edits if text[slice(*span)] == ours))
        if len(spans) == len(wanted) > 1:
            first += zip(spans, wanted, strict=True)
    return [*first, *edits]


def _number(value: Any) -> bool:
    return isinstance(value, (int, float))


def _spans(text: str, value: Any) -> list[Span]:
    if _number(value):
        clocks = [m for m in CLOCK.finditer(text) if int(m[1]) * 60 + int(m[2]) == value]
        numbers = [m for m in NUMBER.finditer(text) if _same(m[0], value)]
        return [m.span() for m in clocks or numbers]
    if not str(value).strip():
        return []
    found = [m.span() for m in re.finditer(_whole(str(value).strip()), text, re.IGNORECASE)]
    return found or [m.span() for m in DAY.finditer(text) if _day(m[0]) & _day(str(value))]


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


def _same(token: str, value: float) -> bool:
    number = parse_number(token)
    return number is not None and abs(float(number) - value) < 1e-9


def _written(value: Any, like: str = "") -> str:
    if _number(value) and CLOCK.fullmatch(like) and value >= 0:
        return f"{int(value) // 60:02d}:{int(value) % 60:02d}"
    if isinstance(value, str) and (numeric := NUMERIC_DAY.fullmatch(like)):
        day = read_day(value)
        return numeric[1].join((f"{day[0]:%d}", f"{day[0]:%m}", f"{day[0]:%Y}")) if day else value
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _apart(edits: Sequence[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """The first edit of each place, and none that overlaps with one before it."""
    kept: list[tuple[Span, str]] = []
    for span, made in edits:
        if all(span[1] <= a or b <= span[0] for (a, b), _ in kept):
            kept.append((span, made))
    return kept


def _replaced(text: str, edits: Sequence[tuple[Span, str]]) -> str:
    for (start, end), made in sorted(edits, reverse=True):
        text = text[:start] + made + text[end:]
    return text


def _members(text: str, values: list[Any], among: Any) -> Iterator[str]:
    """The members of a collection in the places of values that are looked for in it."""
    values = list(dict.fromkeys(values))
    here = [value for value in values if _spans(text, value)]
    wanted = list(among)
    if not here:  # the collection is ours, and the values are looked for in it
        here = [one for one in wanted if _plain(one) and _spans(text, one)]
        among = wanted = values
    if not here:
        return
    if isinstance(among, dict) and all(_plain(v) for v in among.values()):
        wanted = list({among[key]: key for key in reversed(wanted)}.values())[::-1]
    wanted = [one for one in wanted if _plain(one)]
    span = _spans(text, here[-1])[-1]
    for one in wanted[:MOST_EACH]:
        yield _replaced(text, [(span, _written(one))])
    yield from _listed(text, here, wanted)
    yield from _lines(text, here, wanted)


def _in_proportion(text: str, ours: float, theirs: float) -> Iterator[str]:
    """A number of which `ours` was worked out, with another unit, so changed that `theirs` is."""
    if _spans(text, ours) or _spans(text, theirs) or not ours:
        return
    for m in list(NUMBER.finditer(text))[-3:]:
        value = parse_number(m[0])
        if value:
            made = _written(float(value) * theirs / ours)
            yield _replaced(text, [(m.span(), made)])


def _collection(text: str, ours: Any, theirs: Any) -> Iterator[str]:
    if found := JSON.search(text):
        value = loads(found[0])
        for changed in _exchanged(value, ours, theirs):
            made = json.dumps(changed, ensure_ascii=False)
            yield text[: found.start()] + made + text[found.end() :]
    if isinstance(ours, dict) and isinstance(theirs, dict):
        edits = [
            edit
            for key in ours
            if key in theirs and _plain(ours[key]) and _plain(theirs[key])
            for edit in _places(text, ours[key], theirs[key])[:1]
        ]
        yield _replaced(text, _apart(edits))
    elif isinstance(ours, list) and isinstance(theirs, list) and ours:
        if _flat(ours) and _flat(theirs):
            yield from _listed(text, ours, theirs)
        elif theirs and all(map(_flat, theirs)):
            yield from _rows(text, [ours] if _flat(ours) else ours, theirs)


def _exchanged(value: Any, ours: Any, theirs: Any) -> Iterator[Any]:
    """A JSON value with another one in the place of a part of it."""
    if value == ours:
        yield theirs
    elif isinstance(value, dict):
        for key, inner in value.items():
            for made in _exchanged(inner, ours, theirs):
                yield {**value, key: made}
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            for made in _exchanged(inner, ours, theirs):
                yield [*value[:n], made, *value[n + 1 :]]


def _listed(text: str, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[str]:
    """A list in the place of another one, with the signs that are between its members."""
    spans = [found[-1] for value in ours if (found := _spans(text, value))]
    if len(spans) < len(ours) or not theirs or not spans:
        return
    spans.sort()
    between = {text[a[1] : b[0]] for a, b in pairwise(spans)}
    for separator in between if len(between) == 1 else SEPARATORS[: 4 if not between else 0]:
        made = separator.join(_written(value) for value in theirs)
        yield text[: spans[0][0]] + made + text[spans[-1][1] :]


def _lines(text: str, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[str]:
    """The line of the first value, once for each of the others."""
    lines = text.splitlines()
    at = [n for n, line in enumerate(lines) if _spans(line, ours[0])]
    if at and len(theirs) > 1:
        line, rest = (
            lines[at[0]],
            [n for n in range(len(lines)) if not any(_spans(lines[n], value) for value in ours)],
        )
        made = [_replaced(line, [(_spans(line, ours[0])[0], _written(one))]) for one in theirs]
        before, after = (
            [lines[n] for n in rest if n < at[0]],
            [lines[n] for n in rest if n > at[0]],
        )
        yield "\n".join([*before, *made, *after])


def _rows(text: str, ours: Sequence[list[Any]], theirs: Sequence[list[Any]]) -> Iterator[str]:
    """Rows in the places of others: the line of the first one, once for each."""
    lines = text.splitlines()
    at = [n for n, line in enumerate(lines) if all(_spans(line, value) for value in ours[0])]
    if not at or any(len(row) != len(ours[0]) for row in theirs) or not all(map(_plain, ours[0])):
        return
    line = lines[at[-1]]
    made = []
    for row in theirs:
        edits = [
            (found[0], _written(wanted, line[slice(*found[0])]))
            for value, wanted in zip(ours[0], row, strict=True)
            if _plain(wanted) and (found := _spans(line, value))
        ]
        made.append(_replaced(line, _apart(edits)))
    yield "\n".join([*lines[: at[-1]], *made, *lines[at[-1] + len(ours) :]])
