"""A text with other values in the places of those that it has.

put_in("Result: 12.4 kg/d", [(12.4, 14.56)])          -> "Result: 14.56 kg/d"
put_in("from 10:30", [(630, 615)])                     -> "from 10:15"
put_in("A\\nB", [(["a", "b"], ["x", "y", "z"])])        -> "x\\ny\\nz"
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from lab.answers.extract import loads
from lab.answers.numbers import parse_number
from lab.reward.reading.places import (
    NUMBER,
    Edit,
    Span,
    apart,
    edits,
    in_order,
    in_places,
    is_number,
    is_plain,
    replaced,
    spans,
    with_plus,
    written,
)
from lab.reward.reading.skeletons import is_marker

JSON = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)
SEPARATORS = ("\n", ", ", ";", "|")
"""What may stand between the members of a list, where the text has one member only."""
MOST, MOST_EACH = 60, 8
Pairs = Sequence[tuple[Any, Any]]


def put_in(text: str, pairs: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """The text with one side of each pair in the place of the other, where it has one side only:
    all at once, several values for several, then one at a time. What is compared last comes first:
    it is what stops the reply."""
    pairs = [inner for pair in pairs for inner in _inner(*pair)]
    single = in_order(
        text, [edit for pair in _both_ways(text, pairs) for edit in _single(text, *pair)]
    )
    alone = (replaced(text, [one]) for one in reversed(single))
    ways = (_of_collections(text, pairs), _of_members(text, pairs), alone, _worked(text, pairs))
    in_turn = [one for each in zip_longest(*ways) for one in each if one is not None]
    made = [replaced(text, apart(single)), *_keyed_rows(text, pairs), *in_turn]
    made += [with_plus(text, one) for one in made]
    yield from list(dict.fromkeys(one for one in made if one != text))[:MOST]


def _inner(ours: Any, theirs: Any, depth: int = 3) -> Iterator[tuple[Any, Any]]:
    """The pair, and those of the members of two lists of one length or two objects with the same
    keys, where these are not all plain."""
    yield ours, theirs
    if isinstance(ours, dict) and isinstance(theirs, dict) and set(ours) == set(theirs):
        both = [(ours[key], theirs[key]) for key in ours]
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        both = list(zip(ours, theirs, strict=True))
    else:
        return
    if depth and not all(is_plain(one) for pair in both for one in pair):
        for left, right in both:
            yield from _inner(left, right, depth - 1)


def _both_ways(text: str, pairs: Pairs) -> Iterator[tuple[Any, Any]]:
    """Each side in the place of the other; never in that of a value that an example's place got."""
    for left, right in pairs:
        if not (is_marker(right) and spans(text, right)):
            yield left, right
        if not (is_marker(left) and spans(text, left)):
            yield right, left


def _single(text: str, ours: Any, theirs: Any) -> list[Edit]:
    if is_plain(ours) and is_plain(theirs):
        return edits(text, ours, theirs)
    return []


def _flat(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_plain, value))


def _of_collections(text: str, pairs: Pairs) -> Iterator[str]:
    for ours, theirs in _both_ways(text, pairs[::-1]):
        if isinstance(ours, (list, dict)) and isinstance(theirs, (list, dict)):
            yield from _collection(text, ours, theirs)


def _of_members(text: str, pairs: Pairs) -> Iterator[str]:
    members: dict[str, tuple[list[Any], Any]] = {}
    for ours, theirs in _both_ways(text, pairs):
        if is_plain(ours) and isinstance(theirs, (list, dict)):
            values, _ = members.pop(repr(theirs), ([], theirs))
            members[repr(theirs)] = ([*values, ours], theirs)
    for values, among in reversed(members.values()):
        yield from _members(text, values, among)


def _worked(text: str, pairs: Pairs) -> Iterator[str]:
    for ours, theirs in _both_ways(text, pairs[::-1]):
        if is_number(ours) and is_number(theirs) and ours != theirs:
            yield from _in_proportion(text, ours, theirs)
            yield from _by_difference(text, ours, theirs)


def _in_proportion(text: str, ours: float, theirs: float) -> Iterator[str]:
    """A number of which `ours` was worked out, with another unit, so changed that `theirs` is."""
    if spans(text, ours) or spans(text, theirs) or not ours:
        return
    for m in list(NUMBER.finditer(text))[-3:]:
        if value := parse_number(m[0]):
            yield replaced(text, [(m.span(), written(float(value) * theirs / ours))])


def _by_difference(text: str, ours: float, theirs: float) -> Iterator[str]:
    """A number of a sum, or of a sum of doubles or trebles, so changed that `theirs` comes out."""
    if spans(text, ours) or not float(theirs - ours).is_integer():
        return
    for m in list(NUMBER.finditer(text))[-3:]:
        value = parse_number(m[0])
        for times in (1, 2, 3):
            changed = None if value is None else float(value) + (theirs - ours) / times
            if changed is not None and changed >= 0 and changed.is_integer():
                yield replaced(text, [(m.span(), written(changed))])


def _members(text: str, values: list[Any], among: Any) -> Iterator[str]:
    """The members of a collection in the places of values that are looked for in it."""
    values = list(dict.fromkeys(values))
    here = [value for value in values if spans(text, value)]
    wanted = list(among)
    if not here:  # the collection is ours, and the values are looked for in it
        here = [one for one in wanted if is_plain(one) and spans(text, one)]
        among = wanted = values
    if not here:
        return
    if isinstance(among, dict) and all(map(is_plain, among.values())):
        # Several spellings of one thing: the first of each.
        wanted = list({among[key]: key for key in reversed(wanted)}.values())[::-1]
    wanted = [one for one in wanted if is_plain(one)]
    lacking = [one for one in here if one not in among] or here
    span = spans(text, lacking[-1])[-1]
    for one in wanted[:MOST_EACH]:
        yield replaced(text, [(span, written(one))])
    yield from _listed(text, here, wanted)
    yield from _lines(text, here, wanted)


def _collection(text: str, ours: Any, theirs: Any) -> Iterator[str]:
    if found := JSON.search(text):
        for changed in _exchanged(loads(found[0]), ours, theirs):
            made = json.dumps(changed, ensure_ascii=False)
            yield text[: found.start()] + made + text[found.end() :]
    if isinstance(ours, dict) and isinstance(theirs, dict):
        common = [key for key in ours if is_plain(ours[key]) and is_plain(theirs.get(key))]
        sides = [[one[key] for key in common] for one in (ours, theirs)]
        for nth in (0, -1):
            yield replaced(text, in_places(text, sides[0], sides[1], nth))
        yield replaced(
            text,
            apart([e for key in common for e in edits(text, ours[key], theirs[key])[:1]]),
        )
    elif isinstance(ours, list) and isinstance(theirs, list) and ours:
        if _flat(ours) and _flat(theirs):
            if len(ours) == len(theirs):
                yield replaced(text, in_places(text, ours, theirs))
            yield from _listed(text, ours, theirs)
        else:
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
    places = sorted(found[-1] for value in ours if (found := spans(text, value)))
    if not places or len(places) < len(ours) or not theirs:
        return
    between = {text[a[1] : b[0]] for a, b in pairwise(places)}
    for separator in (between or SEPARATORS) if len(between) < 2 else ():
        made = separator.join(map(written, theirs))
        yield text[: places[0][0]] + made + text[places[-1][1] :]


# --- lines ---------------------------------------------------------------------------------


def _lines(text: str, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[str]:
    """The line of the first value once for each of the others, in place of all lines of values."""
    lines = text.splitlines()
    own = [n for n, line in enumerate(lines) if any(spans(line, value) for value in ours)]
    at = next((n for n in own if spans(lines[n], ours[0])), None)
    if at is not None and len(theirs) > 1:
        place = spans(lines[at], ours[0])[0]
        made = [replaced(lines[at], [(place, written(one))]) for one in theirs]
        kept = [
            made if n == at else [line] for n, line in enumerate(lines) if n not in {*own} - {at}
        ]
        yield "\n".join(line for group in kept for line in group)


def _rows(text: str, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[str]:
    """Rows in the places of others: the line of the first one, once for each."""
    if not theirs or not all(_flat(row) and len(row) == len(ours[0]) for row in [*ours, *theirs]):
        return
    lines, first = text.splitlines(), ours[0]
    at = [n for n, line in enumerate(lines) if all(spans(line, value) for value in first)]
    if at and first:
        made = [_row(lines[at[-1]], first, row) for row in theirs]
        yield "\n".join([*lines[: at[-1]], *made, *lines[at[-1] + len(ours) :]])
    yield from _in_one_line(text, ours, theirs)


def _in_one_line(text: str, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[str]:
    """Members of several values in the places of others, with the signs that are between them."""
    places: list[list[Span]] = []
    for row in ours:
        taken = {span for one in places for span in one}
        own = [next((s for s in spans(text, one) if s not in taken), None) for one in row]
        places.append([span for span in own if span])
    regions = sorted((min(one)[0], max(one)[1]) for one in places if one)
    if len(regions) < len(ours) or any(a[1] > b[0] for a, b in pairwise(regions)):
        return
    at = (min(places[0])[0], max(places[0])[1])
    made = [_row(text[slice(*at)], ours[0], row) for row in theirs]
    between = {text[a[1] : b[0]] for a, b in pairwise(regions)}
    for separator in (between or SEPARATORS) if len(between) < 2 else ():
        yield text[: regions[0][0]] + separator.join(made) + text[regions[-1][1] :]


def _keyed_rows(text: str, pairs: Pairs) -> Iterator[str]:
    """The values of a key that was looked up just before, in the line of the key; all such lines
    at once."""
    lines = text.splitlines()
    for (key, held), (left, right) in pairwise(pairs):
        row: Any = held.get(str(key)) if isinstance(held, dict) and is_plain(key) else None
        wanted: Any = right if row == left else left
        at = [n for n, line in enumerate(lines) if is_plain(key) and spans(line, key)]
        if at and _flat(row) and _flat(wanted) and row != wanted and len(row) == len(wanted):
            lines[at[-1]] = _row(lines[at[-1]], [key, *row], [key, *wanted])
    yield "\n".join(lines)


def _row(line: str, ours: Sequence[Any], theirs: Sequence[Any]) -> str:
    return replaced(line, in_places(line, ours, theirs))
