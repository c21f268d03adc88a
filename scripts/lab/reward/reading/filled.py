"""The object of a prompt's example, filled with the values of a task's fields.

    prompt: {"shop": "...", "items": [{"name": "...", "price": 0.00}], "total": 0.00}
    fields: {"lines": {"items": [{"name": "Tea", "price": "2.50"}]}, "sums": {"total": "2.50"}, ...}

Values are found by their key, at whatever depth, and have the type that the example has; a tuple
has the keys of the object that stands in its place. Where the keys of the example are names of its
own (`{"story": {...}}`, `{"A": 0.2, "B": 0.8}`), a field whose keys or value are of that sort takes
their place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from lab.answers.numbers import parse_number
from lab.environment import Task
from lab.reward.reading.candidate import Candidate, dumped, single
from lab.reward.reading.fields import flat, rank_of

MOST_SHAPES, DEEPEST = 4, 6
OPEN = re.compile(
    r"(?<=[\s:,\[{])(?:<[^<>\n]*>|\{? ?(?:\.\.\.|…) ?\}?|number|string|int|float|text)(?=\s*[,\]}])"
)
"""What stands in an example for a value."""
MORE = re.compile(r",\s*(?:\.\.\.|…)(?=\s*[}\]])")
"""What says in an example that more of the sort follow."""
CALLED_RIGHT = re.compile(
    r"^(?:expected|gold|target|correct|right|reference|true|wanted|answer)_"
    r"|_(?:expected|gold|target)$",
    re.IGNORECASE,
)
"""What a field's name has more than the key that a prompt has for it: `expected_name`."""
NUMBER = re.compile(r"number|int|float|amount|price|decimal")
SURE = re.compile(r"confidence|probability|certainty|likelihood|score", re.IGNORECASE)
NONE: Any = object()


def filled_examples(tasks: Sequence[Task]) -> list[Candidate]:
    """The candidates of objects that the prompts show as an example."""
    found = []
    for shape in list(shapes(tasks[0].shown))[:MOST_SHAPES] if tasks else ():
        for name, fill in (("", _of_task), ("a list of ", _list_of_task)):
            made = [fill(shape, task) for task in tasks]
            if all(value is not None for value in made):
                names = name + "+".join(map(str, shape))
                texts = [dumped(value) for value in made]
                found.append(single(names, "the prompt's example, filled", texts, 1))
    return found


def shapes(shown: str) -> Iterator[dict[str, Any]]:
    """The objects with keys that a text shows; what stands for a value there is null, or 0."""
    text, reader, at = OPEN.sub(_stands_for, MORE.sub("", shown)), json.JSONDecoder(), 0
    seen: list[Any] = []
    while (at := text.find("{", at)) >= 0:
        try:
            value, end = reader.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        at = end
        if isinstance(value, dict) and value and "properties" not in value and value not in seen:
            seen.append(value)
            yield value


def _stands_for(place: re.Match[str]) -> str:
    return "0" if NUMBER.search(place[0]) else "null"


def _of_task(shape: dict[str, Any], task: Task) -> Any:
    by_key: dict[str, Any] = {}
    held = [(path.rsplit(".", 1)[-1], value) for path, value in flat(task.fields)]
    for name, value in held:
        by_key.setdefault(_plain(name), value)
    for name, value in held:
        by_key.setdefault(_plain(CALLED_RIGHT.sub("", name)), value)
    filled = _one_of(shape, task)
    if filled is NONE:
        filled = _fill(shape, by_key, 0)
    return _of_names(shape, task) if filled is NONE else filled


def _list_of_task(shape: dict[str, Any], task: Task) -> Any:
    """An object for each member of a field that is a list of such; None where none is. The text of
    a span is what stands between its ends in another field."""
    fields = dict(flat(task.fields))
    texts = [value for value in fields.values() if isinstance(value, str)]
    for value in fields.values():
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            made = _like([shape], [{**one, **_span(one, texts)} for one in value])
            if made is not NONE:
                return made
    return None


def _span(one: dict[str, Any], texts: list[str]) -> dict[str, str]:
    start, end = one.get("start"), one.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return {}
    long = max(texts, key=len, default="")
    return {"text": long[start:end]} if 0 <= start < end <= len(long) else {}


def _plain(key: str) -> str:
    return re.sub(r"[\W_]+", "", key).lower()


def _fill(shape: Any, by_key: dict[str, Any], depth: int) -> Any:
    """The object with a value for each of its keys; `NONE` where one is missing."""
    made: dict[str, Any] = {}
    for key, inner in shape.items():
        value = known = by_key.get(_plain(key), NONE)
        if known is not NONE:
            value = _like(inner, known, depth)
            # The keys inside of an example are its own: {"function": "f", "arguments": {"x": 1}}.
            value = known if value is NONE and isinstance(known, dict) else value
        elif isinstance(inner, dict) and inner and depth < DEEPEST:
            value = _fill(inner, by_key, depth + 1)
        if value is NONE:
            return NONE
        made[key] = value
    return made


def _like(shape: Any, value: Any, depth: int = 0) -> Any:
    """The value in the form that the example has at its place; `NONE` where it has none of it."""
    if depth > DEEPEST:
        return NONE
    if isinstance(shape, list):
        if not isinstance(value, (list, tuple)):
            return NONE
        inner = [_like(shape[0], one, depth + 1) if shape else one for one in value]
        return NONE if any(one is NONE for one in inner) else inner
    if isinstance(shape, dict) and shape:
        if isinstance(value, (list, tuple)):
            return _of_parts(shape, value, depth)
        if not isinstance(value, dict):
            return _with_sure(shape, value)
        own = {_plain(str(key)): one for key, one in value.items()}
        return _fill(shape, own, depth + 1)
    if isinstance(shape, (int, float)) and not isinstance(shape, bool) and isinstance(value, str):
        number = parse_number(value)
        return NONE if number is None else int(number) if number == int(number) else float(number)
    return str(value) if isinstance(shape, str) and isinstance(value, (int, float)) else value


def _of_parts(shape: dict[str, Any], value: Sequence[Any], depth: int) -> Any:
    """A tuple as the object that the example has in its place."""
    if len(value) != len(shape):
        return NONE
    parts = [_like(*one, depth + 1) for one in zip(shape.values(), value, strict=True)]
    whole = not any(one is NONE for one in parts)
    return dict(zip(shape, parts, strict=True)) if whole else NONE


def _with_sure(shape: dict[str, Any], value: Any) -> Any:
    """A plain value as an object with it and with how sure it is: wholly."""
    sure = [key for key in shape if SURE.search(key)]
    others = [key for key in shape if key not in sure]
    if len(others) != 1 or not sure:
        return NONE
    return {key: 1.0 if key in sure else value for key in shape}


def _one_of(shape: dict[str, Any], task: Task) -> Any:
    """A number for each of the example's keys: 1 for the one that a gold names, 0 for others."""
    numbers = all(
        v is None or (isinstance(v, (int, float)) and 0 <= v <= 1) for v in shape.values()
    )
    if len(shape) < 2 or not numbers:
        return NONE
    named = [path for path, value in flat(task.fields) if value in list(shape)]
    gold = dict(flat(task.fields))[min(named, key=rank_of)] if named else NONE
    return {key: float(key == gold) for key in shape} if named else NONE


def _of_names(shape: dict[str, Any], task: Task) -> Any:
    """The gold-like field whose keys are names, each with what the example has for one."""
    inner = next(iter(shape.values()))
    if not isinstance(inner, dict) or not inner:
        return None
    for path, value in flat(task.fields):
        if rank_of(path) == 0 and isinstance(value, dict) and value:
            made = {key: _like(inner, one) for key, one in value.items()}
            if all(one is not NONE for one in made.values()):
                return made
    return None
