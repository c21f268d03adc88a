"""Small changes of an answer, each at any of its places: a line left out, two values exchanged.

    lines_left_out, *_ = text_changes("a: 1\\nb: 2")
    lines_left_out.made(frozenset({0}))     # "b: 2"

What a change does is not said to be right or wrong: that depends on what is asked. Mutation
testing does the same with programs (DeMillo, Lipton and Sayward 1978,
https://doi.org/10.1109/C-M.1978.218136).
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from lab.answers.close_collections import other_value
from lab.answers.extract import loads

Chosen = frozenset[int]
WORDS_LEFT_OUT, VALUES_EXCHANGED = "words left out", "values exchanged"
COPIED = "put in the place of the next"
LINE, ITEM = re.compile(r"[^\n]+"), re.compile(r"[^\s,;|][^,;|\n]*")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
VALUE = re.compile(r"(?<=[:=|]) *[^\s:=|][^:=|\n]*$", re.MULTILINE)
"""What stands after the last mark of a labelled line."""


@dataclass(frozen=True)
class Change:
    """One sort of change."""

    name: str
    """Of several places, such as `lines left out`."""
    places: int
    made: Callable[[Chosen], Any]
    """What was changed at these places, 0 to `places` - 1."""
    at: Callable[[int], str] | None = None
    """The key of a place, where values have keys."""
    alone: bool = False
    """Whether one place says most: values exchanged in all of a record are another order of it."""


def text_changes(text: str) -> Iterator[Change]:
    """The changes of a text; of JSON those of its values."""
    before, value, after = _structure(text)
    if value:
        for one in value_changes(value):
            yield replace(one, made=partial(_dumped, before, one, after))
        return
    for name, pattern in (("lines", LINE), ("items", ITEM)):
        spans = [found.span() for found in pattern.finditer(text)]
        if len(spans) > 1 and (name == "lines" or re.search("[,;|]", text)):
            yield Change(f"{name} left out", len(spans), partial(_left_out, text, spans))
            yield Change(f"{name} said twice", len(spans), partial(_twice, text, spans))
            yield _of_neighbours(f"{name} exchanged", _swap, text, spans)
            yield _of_neighbours(f"{name} {COPIED}", _copy, text, spans)
    values = [found.span() for found in VALUE.finditer(text)]
    if len(values) > 1:
        yield replace(_of_neighbours(VALUES_EXCHANGED, _swap, text, values), alone=True)
        yield replace(_of_neighbours(f"values {COPIED}", _copy, text, values), alone=True)
    numbers = [found.span() for found in NUMBER.finditer(text)]
    yield Change("numbers changed", len(numbers), partial(_replaced, text, numbers, other_number))
    if len(numbers) > 1:
        name = f"numbers {COPIED}, with zeros in front"
        yield _of_neighbours(name, _copy_otherwise, text, numbers)
    words = [found.span() for found in WORD.finditer(text)]
    if len(words) + len(numbers) > 1:
        yield Change(WORDS_LEFT_OUT, len(words), partial(_left_out, text, words))
    yield Change("words in capitals", len(words), partial(_replaced, text, words, str.upper))
    yield Change("words in small letters", len(words), partial(_replaced, text, words, str.lower))


def _structure(text: str) -> tuple[str, Any, str]:
    """What a text has as JSON, with what stands before and after it; None where it has none."""
    start = min((at for at in map(text.find, "{[") if at >= 0), default=-1)
    if start >= 0:
        try:
            value, end = json.JSONDecoder().raw_decode(text[start:])
        except (ValueError, RecursionError):
            value, end = loads(text), len(text) - start
            start = 0 if isinstance(value, (dict, list)) else start
        if isinstance(value, (dict, list)) and value:
            return text[:start], value, text[start + end :]
    return text, None, ""


def _dumped(before: str, change: Change, after: str, chosen: Chosen) -> str:
    return before + json.dumps(change.made(chosen), ensure_ascii=False) + after


Spans = Sequence[tuple[int, int]]


def _left_out(text: str, spans: Spans, chosen: Chosen) -> str:
    """Without these, and without the mark that stood behind each, or before the last one."""
    for i in sorted(chosen, reverse=True):
        start, end = spans[i]
        if i + 1 < len(spans):
            end = spans[i + 1][0]
        elif len(chosen) < len(spans):
            before = max(k for k in range(len(spans)) if k not in chosen)
            start = min(start, spans[before][1])
        text = text[:start] + text[end:]
    return text


def _twice(text: str, spans: Spans, chosen: Chosen) -> str:
    for i in sorted(chosen, reverse=True):
        start, end = spans[i]
        mark = text[end : spans[i + 1][0]] if i + 1 < len(spans) else text[spans[i - 1][1] : start]
        text = text[:end] + mark + text[start:end] + text[end:]
    return text


def _put(text: str, spans: Spans, pieces: Sequence[str]) -> str:
    """The text with these pieces at the places of its own."""
    for (start, end), piece in zip(reversed(spans), reversed(pieces), strict=True):
        text = text[:start] + piece + text[end:]
    return text


def _at_places(
    do: Callable[[list[str], int], None], text: str, spans: Spans, chosen: Chosen
) -> str:
    """The text after `do` has changed the list of its pieces at each of these places, in order."""
    pieces = [text[start:end] for start, end in spans]
    for i in sorted(chosen):
        do(pieces, i)
    return _put(text, spans, pieces)


def _replaced(text: str, spans: Spans, by: Callable[[str], str], chosen: Chosen) -> str:
    pieces = [text[start:end] for start, end in spans]
    return _put(text, spans, [by(one) if i in chosen else one for i, one in enumerate(pieces)])


def _of_neighbours(
    name: str, do: Callable[[list[str], int], None], text: str, spans: Spans
) -> Change:
    """A change of each piece and the next one."""
    return Change(name, len(spans) - 1, partial(_at_places, do, text, spans))


def _swap(pieces: list[str], i: int) -> None:
    pieces[i], pieces[i + 1] = pieces[i + 1], pieces[i]


def _copy(pieces: list[str], i: int) -> None:
    pieces[i + 1] = pieces[i]


def _copy_otherwise(pieces: list[str], i: int) -> None:
    """The same number, written otherwise: 7, 07, 007."""
    pieces[i + 1] = f"0{pieces[i]}"


def other_number(number: str) -> str:
    """Another first digit: far off, and as long."""
    return str(int(number[0]) % 9 + 1) + number[1:]


# --- values ----------------------------------------------------------------------------------

Path = tuple[Any, ...]


def value_changes(value: Any) -> Iterator[Change]:
    """The changes of nested lists and dictionaries, each made in a copy."""
    members = [path for path, _ in _inside(value) if path]
    listed = [path for path in members if isinstance(path[-1], int)]
    leaves = [path for path, one in _inside(value) if path and not isinstance(one, (dict, list))]
    known = set(listed)
    following = [path for path in listed if (*path[:-1], path[-1] + 1) in known]
    yield _at("members left out", value, members, _without)
    yield _at("members said twice", value, listed, _doubled)
    yield _at("members exchanged", value, following, _swapped)
    yield _at("values changed", value, leaves, _other)
    pairs = list(_alike(leaves))
    yield _paired(VALUES_EXCHANGED, value, pairs, both=True)
    yield _paired(f"values {COPIED}", value, pairs, both=False)


def _inside(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _inside(one, (*path, key))


def _alike(leaves: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Neighbours among the leaves that have the same keys and differ in their places of a list."""
    by_keys: dict[tuple[str, ...], list[Path]] = {}
    for path in leaves:
        by_keys.setdefault(tuple(str(key) for key in path if isinstance(key, str)), []).append(path)
    for paths in by_keys.values():
        yield from pairwise(paths)


def _at(name: str, value: Any, paths: Sequence[Path], do: Callable[[Any, Any], None]) -> Change:
    def made(chosen: Chosen) -> Any:
        changed = copy.deepcopy(value)
        for i in sorted(chosen, reverse=True):  # what comes later and what is inside, first
            *way, last = paths[i]
            holder = _get(changed, way)
            if holder is not None and (isinstance(holder, list) or last in holder):
                do(holder, last)
        return changed

    return Change(name, len(paths), made)


def _get(value: Any, way: Sequence[Any]) -> Any:
    for key in way:
        value = value[key]
    return value


def _without(holder: Any, key: Any) -> None:
    del holder[key]


def _doubled(holder: Any, key: Any) -> None:
    holder.insert(key, copy.deepcopy(holder[key]))


def _swapped(holder: Any, key: Any) -> None:
    holder[key], holder[key + 1] = holder[key + 1], holder[key]


def _other(holder: Any, key: Any) -> None:
    holder[key] = other_value(holder[key])


def _paired(name: str, value: Any, pairs: Sequence[tuple[Path, Path]], *, both: bool) -> Change:
    def made(chosen: Chosen) -> Any:
        changed = copy.deepcopy(value)
        for i in sorted(chosen):
            one, other = pairs[i]
            first, second = _get(changed, one), _get(changed, other)
            _get(changed, other[:-1])[other[-1]] = first
            if both:
                _get(changed, one[:-1])[one[-1]] = second
        return changed

    def at(place: int) -> str:
        return next((str(key) for key in reversed(pairs[place][0]) if isinstance(key, str)), "")

    return Change(name, len(pairs), made, at, alone=True)
