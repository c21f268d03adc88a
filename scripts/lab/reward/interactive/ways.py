"""Ways to act a gold out: calls with the values of fields, its pieces in turns.

Where no text is paid as an only reply, the fields of the tasks are read as actions: objects with
the parameters of a tool are calls of it, a list is walked a turn at a time. Each way is tried
beside the same way with another task's values; the one that the reward tells apart is it.
"""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from lab.answers.extract import loads
from lab.answers.wrong import wrong
from lab.environment import Completion, Environment, Task
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.formats.known import all_formats
from lab.reward.interactive.calls import Schemas, calls_of, required, sensible, typed
from lab.reward.interactive.messages import Call, at_once, conversation, said
from lab.reward.reading.fields import rows_by_path
from lab.reward.reading.right import Right
from lab.reward.reading.search import TINY

MOST_TOOLS, MOST_ARGUMENTS, MOST_PIECES, MOST_BARE = 8, 3, 40, 3
NEUTRAL = "OK."


@dataclass(frozen=True)
class Way:
    """One way to act: per task a right completion and the same with wrong values, None without."""

    name: str
    right: Callable[[int], Completion | None]
    wrong: Callable[[int], Completion | None]


@dataclass(frozen=True)
class Found:
    """The way that is paid, and how much."""

    name: str
    reward: float
    right: dict[int, Completion]


def find(env: Environment, right: Right, *, seconds: float = 40.0) -> Found | None:
    """The first way on which the reward tells right values from wrong ones, on every task tried."""
    until = time.monotonic() + seconds
    idle: dict[int, float] = {}
    for way in ways(env, right):
        if found := _paid(env, way, idle):
            return found
        if time.monotonic() > until:
            break
    return None


def _paid(env: Environment, way: Way, idle: dict[int, float]) -> Found | None:
    """`idle`: what a neutral reply earns, by task, as far as it is known."""
    earned: list[float] = []
    right: dict[int, Completion] = {}
    for i in spread(len(env.description.tasks), 8):
        good, other = way.right(i), way.wrong(i)
        if good is None or other is None or good == other:
            continue
        env.expect(True, good)
        paid = env.score(i, good).reward or 0.0
        env.expect(False, other)
        if i not in idle:
            idle[i] = env.score(i, NEUTRAL).reward or 0.0
        # Less may be taken away than for a wrong call: that is not paid.
        if paid <= max(env.score(i, other).reward or 0.0, idle[i]) + TINY:
            return None
        earned.append(paid)
        right[i] = good
        if len(earned) == 4:
            break
    enough = len(earned) > 1 or (earned and len(env.description.tasks) == 1)
    return Found(way.name, fmean(earned), right) if enough else None


def spread(count: int, most: int) -> list[int]:
    """Up to `most` positions of `count`, evenly apart."""
    return list(range(0, count, max(1, count // most)))[:most]


def ways(env: Environment, right: Right) -> Iterator[Way]:
    tasks, schemas = env.description.tasks, env.description.schemas
    if env.description.tools:
        yield from _written_calls(tasks, schemas)
        yield from _calls_with_gold(env, right)
    if any(one.exchange for one in env.play(0, [[NEUTRAL]])):
        yield from _in_turns(env, right)


def _written_calls(tasks: list[Task], schemas: Schemas) -> Iterator[Way]:
    found = list(written(tasks, schemas))
    for name, calls in found:
        yield _of_calls(name, calls)
        yield _of_calls(f"{name}, in one message", calls, at_once)
    for name, calls in found:
        for more, before, after in _around(tasks, schemas):
            made = [
                [*a, *own, *z] if own else []
                for a, own, z in zip(before, calls, after, strict=True)
            ]
            yield _of_calls(f"{name}, {more}", made)


def _around(
    tasks: list[Task], schemas: Schemas
) -> Iterator[tuple[str, list[list[Call]], list[list[Call]]]]:
    """What opens and what ends a piece of work: a tool that wants one thing which a field named
    like the tool holds (`open_form`, `form`), and a tool that wants nothing (`submit`)."""
    nothing: list[list[Call]] = [[] for _ in tasks]
    rows = rows_by_path(tasks)
    opening = [("", nothing)]
    for tool, schema in schemas.items():
        names = required(schema)
        path = next((p for p in rows[0] if len(names) == 1 and p.lower() in tool.lower()), "")
        if path and all(isinstance(row.get(path), str) for row in rows):
            opening.append((f"after {tool}", [[(tool, {names[0]: row[path]})] for row in rows]))
    bare = [tool for tool, schema in schemas.items() if not schema.get("properties")]
    ending: list[tuple[str, list[list[Call]]]] = [
        (f"then {tool}", [[(tool, {})] for _ in tasks]) for tool in bare[:MOST_BARE]
    ]
    for (first, before), (last, after) in itertools.product(opening, [*ending, ("", nothing)]):
        if first or last:
            yield " ".join(filter(None, [first, last])), before, after


def written(tasks: Sequence[Task], schemas: Schemas) -> Iterator[tuple[str, list[list[Call]]]]:
    """Fields whose objects are calls, by task: named, with arguments, or with the parameters of a
    tool; a list of what its only parameter wants; the tools that a field names."""
    rows = rows_by_path(tasks)
    listed: set[str] = set()
    paths = list(dict.fromkeys(path for row in rows for path in row))
    for path in paths:
        calls = [calls_of(row.get(path), schemas) for row in rows]
        if _of_most(calls):
            listed.add(path)
            yield f"the calls {path} lists", calls
    for path in (one for one in paths if one not in listed):
        for tool in schemas:
            yield from _with_field(path, tool, rows, schemas)
        named = [
            _named(row.get(path), schemas, task) for row, task in zip(rows, tasks, strict=True)
        ]
        if all(named):
            yield f"calls of the tools that {path} names", named
    for tool, schema in schemas.items():
        calls = [_by_name(tool, required(schema), row) for row in rows]
        if _of_most(calls):
            yield f"calls of {tool} with the fields of its parameters' names", calls


def _of_most(calls: list[list[Call]]) -> bool:
    """Whether there are calls for more than half of the tasks."""
    return sum(map(bool, calls)) * 2 > len(calls)


def _with_field(
    path: str, tool: str, rows: list[dict[str, Any]], schemas: Schemas
) -> Iterator[tuple[str, list[list[Call]]]]:
    """Calls of a tool with what a field holds, alone or with other fields of its parameters."""
    calls = [calls_of(row.get(path), schemas, tool) for row in rows]
    shared = [_shared(path, row, schemas[tool]) for row in rows]
    if _of_most(calls):
        yield f"calls of {tool} with {path}", calls
    elif any(shared):
        calls = [
            calls_of(row.get(path), schemas, tool, given)
            for row, given in zip(rows, shared, strict=True)
        ]
        if _of_most(calls):
            yield f"calls of {tool} with each of {path}", calls


def _shared(path: str, row: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a tool that are other fields of the row: the same in each of its calls."""
    names = set(required(schema)) - {path.rsplit(".", 1)[-1]}
    plain = (str, int, float)
    return {k: v for k, v in row.items() if k in names and isinstance(v, plain) and path != k}


def _named(value: Any, schemas: Schemas, task: Task) -> list[Call]:
    """A call of each tool that a field names, with arguments that the task suggests."""
    value = loads(value) if isinstance(value, str) and value.lstrip()[:1] == "[" else value
    names = value if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) and name in schemas for name in names):
        return []
    return [sensible(name, schemas[name], task) for name in names]


def _by_name(tool: str, names: list[str], row: dict[str, Any]) -> list[Call]:
    """The call whose parameters are fields of the row, wherever they are."""
    leaves = {path.rsplit(".", 1)[-1].lower(): value for path, value in row.items()}
    if not names or not all(name.lower() in leaves for name in names):
        return []
    return [(tool, {name: leaves[name.lower()] for name in names})]


def _of_calls(
    name: str, calls: list[list[Call]], write: Callable[[list[Call]], Completion] = conversation
) -> Way:
    def wrong_of(i: int) -> Completion | None:
        others = [one for one in calls[i + 1 :] + calls[:i] if one and one != calls[i]]
        return write(others[0]) if others else None

    return Way(name, lambda i: write(calls[i]) if calls[i] else None, wrong_of)


def _calls_with_gold(env: Environment, right: Right) -> Iterator[Way]:
    """One argument of a tool is the gold."""
    pool = list(right.distinct)

    def other(i: int) -> str:
        rng = random.Random(i)
        return wrong(right.answer_type, right.gold(i), rng, options=pool)

    def say(tool: str, name: str, schema: dict[str, Any], value: str) -> Completion:
        return conversation([(tool, {name: typed(value, schema)})])

    def known(call: Callable[[str], Completion], text: Callable[[int], str], i: int) -> Any:
        return call(text(i)) if right.gold(i) else None

    for tool, names in list(env.description.arguments.items())[:MOST_TOOLS]:
        types = (env.description.schemas.get(tool) or {}).get("properties") or {}
        for name in names[:MOST_ARGUMENTS]:
            call = partial(say, tool, name, types.get(name) or {})
            yield Way(
                f"calls of {tool} with it",
                partial(known, call, right.gold),
                partial(known, call, other),
            )


def _in_turns(env: Environment, right: Right) -> Iterator[Way]:
    """The gold's pieces, one in each reply: its letters, its words, the members of a list."""
    tasks = env.description.tasks
    rows = rows_by_path(tasks)
    paths = [
        path
        for path in dict.fromkeys(path for row in rows for path in row)
        if all(isinstance(row.get(path), (str, list)) for row in rows)
    ]
    for path in sorted(paths, key=lambda path: path != right.source):
        for name, split in PIECES.items():
            pieces = [split(row[path]) for row in rows]
            several = sum(len(piece) > 1 for piece in pieces) * 2 > len(pieces)
            if several and max(map(len, pieces)) <= MOST_PIECES:
                for one in likely(tasks, 6):
                    replies = [[one.write(text) for text in piece] for piece in pieces]
                    yield _turned(f"the {name} of {path}, one a turn, {one.name}", replies)


def likely(tasks: list[Task], most: int) -> list[AnswerFormat]:
    """The first ways to write a move: those that prompts hint at before those that are usual."""
    return sorted(all_formats(tasks), key=lambda one: not one.hint)[:most]


def _turned(name: str, replies: list[list[str]]) -> Way:
    def wrong_of(i: int) -> Completion | None:
        others = [one for one in replies[i + 1 :] + replies[:i] if one and one != replies[i]]
        return said(others[0]) if others else None

    return Way(name, lambda i: said(replies[i]) or None, wrong_of)


def _members(value: Any) -> list[str]:
    value = loads(value) if isinstance(value, str) and value.lstrip()[:1] == "[" else value
    return [str(item) for item in value] if isinstance(value, list) else []


def _letters(value: Any) -> list[str]:
    word = isinstance(value, str) and re.fullmatch(r"[A-Za-z]{3,16}", value)
    return list(dict.fromkeys(value.lower())) if word else []


def _words(value: Any) -> list[str]:
    return value.split() if isinstance(value, str) else []


PIECES: dict[str, Callable[[Any], list[str]]] = {
    "members": _members,
    "letters": _letters,
    "words": _words,
}
