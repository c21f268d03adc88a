"""Paths into the data of a file: `a.b[0]`, `a/b`, ["a", "b", 0], `/a/b/0` (a JSON Pointer).

A text may be read as several paths: keys have dots too (`[server.tls]`). What is in the data is
meant: the first reading that leads to something; of a new key the one that leads furthest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TOKEN = re.compile(r"\[(-?\d+)\]|\[?(?:\"([^\"]*)\"|'([^']*)')\]?|([^.\[\]]+)")
"""A step of a dotted path: an index, a key in quotes, a key."""
SEPARATORS = ("/", "::", ":", ">")
DEEPEST = 16
Step = str | int
Place = tuple[Any, Any]
"""What holds a value, and its key or index there."""


def points(path: Any) -> bool:
    """Whether a path is a JSON Pointer."""
    return isinstance(path, str) and path.startswith("/")


def as_steps(path: str) -> list[Step]:
    """The steps of a dotted path."""
    return [int(i) if i else a or b or c for i, a, b, c in TOKEN.findall(path)]


def joined(path: Any, key: Any) -> list[Any]:
    """The path of a key in what another path leads to."""
    return [*(path if isinstance(path, (list, tuple)) else [path]), key]


def find(root: Any, path: Any) -> Place | None:
    """Where a path leads to something; None where nothing is there."""
    return next(filter(None, (_walk(root, steps) for steps in _readings(path))), None)


def make_room(root: Any, path: Any) -> Place | None:
    """The place of a new key, with the objects on the way to it; None where there is none."""
    readings = _readings(path)
    return _new(root, max(readings, key=lambda steps: _known(root, steps))) if readings else None


def _readings(path: Any) -> list[list[Step]]:
    """The steps that a path can mean."""
    return [steps for steps in _all_readings(path) if 0 < len(steps) <= DEEPEST]


def _known(root: Any, steps: list[Step]) -> int:
    """How many of the first steps lead to something."""
    return next((n for n in range(len(steps) - 1, 0, -1) if _walk(root, steps[:n])), 0)


def _all_readings(path: Any) -> Iterator[list[Step]]:
    if points(path):
        yield [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]
    elif isinstance(path, str):
        path = path.removeprefix("$").removeprefix(".")
        yield as_steps(path)
        for sign in SEPARATORS:
            if sign in path:
                yield [part.strip() for part in path.split(sign)]
        yield [path]
    elif isinstance(path, (list, tuple)) and all(map(_is_part, path)):
        yield list(path)
        # An object may stand apart from its key: ["server.tls", "port"].
        inner = [next(_all_readings(one)) if isinstance(one, str) else [one] for one in path]
        yield [step for steps in inner for step in steps]


def _is_part(part: Any) -> bool:
    return isinstance(part, (str, int)) and not isinstance(part, bool)


def _walk(node: Any, steps: list[Step]) -> Place | None:
    """The place that steps lead to; several of them may be one key with dots."""
    if isinstance(node, list):
        at = _index(node, steps[0])
        if at is None or len(steps) == 1:
            return None if at is None else (node, at)
        return _walk(node[at], steps[1:])
    for n in range(1, len(steps) + 1) if isinstance(node, dict) else ():
        key = steps[0] if n == 1 else ".".join(map(str, steps[:n]))
        if key in node:
            place = (node, key) if n == len(steps) else _walk(node[key], steps[n:])
            if place:
                return place
    return None


def _index(values: list[Any], step: Step) -> int | None:
    """The index that a step names: a number, `name=catalog`, or the name of a member."""
    if isinstance(step, int) or re.fullmatch(r"-?\d{1,6}", step):
        return int(step) % len(values) if -len(values) <= int(step) < len(values) else None
    key, sign, value = step.partition("=")
    members = [(i, one) for i, one in enumerate(values) if isinstance(one, dict)]
    if sign:
        named = [i for i, one in members if str(one.get(key)) == value.strip("\"'")]
    else:
        named = [i for i, one in members if step in (one.get("name"), one.get("id"))]
    return named[0] if len(named) == 1 else None


def _new(root: Any, steps: list[Step]) -> Place | None:
    """The place of a last step, below the longest beginning that is there."""
    known = _known(root, steps)
    place = _walk(root, steps[:known]) if known else None
    holder, left = (place[0][place[1]] if place else root), steps[known:]
    if isinstance(holder, list):
        end = len(left) == 1 and str(left[0]) in ("-", str(len(holder)))
        return (holder, len(holder)) if end else None
    if not isinstance(holder, dict) or not all(isinstance(step, str) for step in left):
        return None
    for step in left[:-1]:
        holder = holder.setdefault(step, {})
    return holder, left[-1]
