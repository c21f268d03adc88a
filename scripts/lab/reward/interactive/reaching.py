"""Calls that may turn one state of a store into another, or that a comparison names.

    calls_for({"B-101": {"day": "Monday"}}, {"B-101": {"day": "Tuesday"}}, task, schemas)
    # [("change_booking", {"booking_id": "B-101", "day": "Tuesday"})]

Which tool does what is not known: each whose parameters the differing records can fill is one way,
and scoring decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import Any

from lab.environment import Task
from lab.reward.interactive.calls import Schemas, required, sensible
from lab.reward.interactive.differences import (
    IDENTIFIES,
    KEY,
    VALUE,
    Difference,
    Record,
    differences,
    moved,
)
from lab.reward.interactive.messages import Call

Spelling = Callable[[Any], str]
MOST_CALLS, MOST_PLACES = 60, 3
"""Calls that are tried, and names that one of an amount has."""
DAY = 24 * 60


def calls_for(ours: Any, theirs: Any, task: Task, schemas: Schemas) -> list[Call]:
    """Calls that may turn `ours` into `theirs`, both as a comparison shows them."""
    found = list(differences(ours, theirs, task))
    made = [call for one in found for tool in schemas for call in _calls(one, tool, schemas[tool])]
    made += _of_amounts(ours, theirs, schemas)
    if not made:
        parts = [_filled(one, tool, schemas[tool], _plain) for one in found for tool in schemas]
        made = [
            (tool, {**sensible(tool, schemas[tool], task)[1], **arguments})
            for tool, arguments in parts
            if arguments
        ]
    told = [(tool, {k: _as_told(v, task) for k, v in given.items()}) for tool, given in made]
    return list({repr(call): call for call in told}.values())[:MOST_CALLS]


def _calls(one: Difference, tool: str, schema: Mapping[str, Any]) -> Iterator[Call]:
    """The calls of a tool whose parameters the record fills."""
    for spelled in SPELLINGS:
        call = _filled(one, tool, schema, spelled)
        if call[1] and all(name in call[1] for name in required(dict(schema))):
            yield call


def _filled(one: Difference, tool: str, schema: Mapping[str, Any], spelled: Spelling) -> Call:
    """The parameters that the record fills: those that are wanted, and of the others those that are
    other than they were."""
    wanted, changed = required(dict(schema)), {name.lower() for name in one.changed}
    arguments: Record = {}
    unnamed = iter(_unnamed(one.known))
    for name, kind in (schema.get("properties") or {}).items():
        if name not in wanted and name.lower() not in changed:
            continue
        value = _value(name, one.known)
        value = next(unnamed, None) if value is None and name in wanted else value
        if value is not None:
            arguments[name] = _fitted(value, kind, spelled)
    return tool, arguments


def _value(name: str, record: Record) -> Any:
    """The value of the record for a parameter: that of its name, or what it is known by."""
    by_name = {key.lower(): value for key, value in record.items()}
    if name.lower() in by_name:
        return by_name[name.lower()]
    ends = [key for key in by_name if key and (name.lower().endswith(f"_{key}"))]
    ends += [key for key in by_name if key.endswith(f"_{name.lower()}")]
    return by_name[ends[0]] if ends else None


def _unnamed(record: Record) -> list[Any]:
    """What parameters with names of their own take, in this order: what the record is known by, and
    what a plain table has under that."""
    known = [value for name, value in record.items() if name == KEY or IDENTIFIES.search(name)]
    return [*known[:1], *([record[VALUE]] if VALUE in record else [])]


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _clock(value: Any) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < DAY
    return f"{value // 60:02d}:{value % 60:02d}" if whole else _plain(value)


SPELLINGS = (_plain, _clock)
"""How a value is written where a text is wanted: minutes of the day may be a time."""


def _fitted(value: Any, kind: Mapping[str, Any], spelled: Spelling) -> Any:
    return spelled(value) if kind.get("type") == "string" else value


def _of_amounts(ours: Any, theirs: Any, schemas: Schemas) -> Iterator[Call]:
    """Calls that take an amount from a place, bring it there, or from one to another: with the
    names of the places, and of what lies there, in each order."""
    for names, amount in moved(ours, theirs):
        for tool, schema in schemas.items():
            texts, numbers = _of_type(schema, "string"), _of_type(schema, "integer", "number")
            if len(texts) == len(names) <= MOST_PLACES and len(numbers) == 1:
                for order in permutations(names):
                    yield tool, {**dict(zip(texts, order, strict=True)), numbers[0]: amount}


def _of_type(schema: Mapping[str, Any], *types: str) -> list[str]:
    """The parameters that a tool wants of these types."""
    kinds: Mapping[str, Mapping[str, Any]] = schema.get("properties") or {}
    return [name for name in required(dict(schema)) if kinds.get(name, {}).get("type") in types]


def named_calls(value: Any, schemas: Schemas, task: Task) -> Iterator[Call]:
    """The calls that a compared value names, such as ["cancel", ["code", "H2424"]]."""
    value = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(value, list) or not value:
        return
    word, *rest = value
    tool = _tool(word, schemas) if rest else ""
    if not tool:
        for inner in value:
            yield from named_calls(inner, schemas, task)
        return
    wanted, kinds = required(schemas[tool]), schemas[tool].get("properties") or {}
    given = _given(rest, wanted)
    if all(name in given for name in wanted):
        fitted = {k: _fitted(v, kinds.get(k) or {}, _plain) for k, v in given.items()}
        yield tool, {k: _as_told(v, task) for k, v in fitted.items()}


def edits(ours: Any, theirs: Any, task: Task, schemas: Schemas) -> Iterator[Call]:
    """The calls for rows that one of two collections lacks, such as ["T-17", "status", "closed"]: a
    member that is called like a parameter, and the value behind it."""
    rows = theirs if isinstance(theirs, list) and isinstance(ours, list) else []
    for row in rows:
        if not isinstance(row, list) or row in ours:
            continue
        for tool, schema in schemas.items():
            arguments = _edit(row, required(schema))
            if arguments:
                yield tool, {name: _as_told(value, task) for name, value in arguments.items()}


def _edit(row: list[Any], wanted: list[str]) -> Record:
    """The row as arguments; {} where it does not fill what is wanted."""
    for n, name in enumerate(row[:-1]):
        if name in wanted:
            others = [one for one in wanted if one != name]
            rest = [*row[:n], *row[n + 2 :]]
            if len(rest) >= len(others):
                return {**dict(zip(others, rest, strict=False)), name: row[n + 1]}
    return {}


def _tool(word: Any, schemas: Schemas) -> str:
    """The tool of this name, or the only one that begins with it: `cancel` of cancel_order."""
    if not isinstance(word, str) or not word:
        return ""
    begun = [name for name in schemas if name.startswith(f"{word}_")]
    return word if word in schemas else begun[0] if len(begun) == 1 else ""


def with_word(value: Any, schemas: Schemas) -> Iterator[Call]:
    """Calls of the tools that want one text, with the word that something is to have which has none
    yet."""
    if not isinstance(value, str):
        return
    for tool, schema in schemas.items():
        names = required(schema)
        if len(names) == 1 and names == _of_type(schema, "string"):
            yield tool, {names[0]: value}


def _given(rest: list[Any], wanted: list[str]) -> Record:
    """Arguments as an object, as pairs of name and value, or in their order."""
    inner = rest[0] if len(rest) == 1 else rest
    if isinstance(inner, dict):
        return {name: inner[name] for name in wanted if name in inner}
    ways = (rest, inner if isinstance(inner, list) else [])
    pairs = [{one[0]: one[1] for one in way if _is_pair(one) and one[0] in wanted} for way in ways]
    in_order = [dict(zip(wanted, way, strict=True)) for way in ways if len(way) == len(wanted)]
    return next(filter(None, [*pairs, *in_order]), {})


def _is_pair(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], str)


def _as_told(value: Any, task: Task) -> Any:
    """A text in the case in which the prompt has it."""
    if not isinstance(value, str) or not value or value in task.shown:
        return value
    at = task.shown.lower().find(value.lower())
    return task.shown[at : at + len(value)] if at >= 0 else value
