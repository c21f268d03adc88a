"""Calls that turn one state of a store into another, read off what the two differ in.

    left  = {"B-101": {"day": "Monday", ...}, "B-102": {...}}
    right = {"B-101": {"day": "Tuesday", ...}}
    # change_booking(booking_id="B-101", day="Tuesday"), cancel_booking(booking_id="B-102")

Which tool does what is not known: each whose parameters the differing records can fill is one way,
and scoring decides.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations
from typing import Any

from lab.environment import Task
from lab.reward.interactive.calls import Schemas, required, sensible
from lab.reward.interactive.messages import Call

Record = dict[str, Any]
Spelling = Callable[[Any], str]
KEY, VALUE = "", "value"
"""The names of what a table has a record under, and of what a plain table has there."""
IDENTIFIES = re.compile(r"(?:^|_)(?:id|key|code|number|no|name|ref|reference)$", re.IGNORECASE)
MOST_RECORDS, MOST_CALLS, DEPTH = 400, 60, 4
MOST_MOVED, MOST_PLACES = 12, 3
"""Amounts that are other, and names that a call has."""
DAY = 24 * 60


@dataclass(frozen=True)
class Difference:
    """A record on one side only, or one on both that is not the same."""

    before: Record
    after: Record

    @property
    def changed(self) -> Record:
        """What is other, or new."""
        return {k: v for k, v in self.after.items() if self.before.get(k) != v}

    @property
    def known(self) -> Record:
        """All that is known of it, as it is to be."""
        return {**self.before, **self.after}


def calls_for(ours: Any, theirs: Any, task: Task, schemas: Schemas) -> list[Call]:
    """Calls that may turn `ours` into `theirs`, both as a comparison shows them."""
    names = list(_objects(task.fields))
    found = list(differences(_records(ours, names), _records(theirs, names)))
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


def differences(ours: list[Record], theirs: list[Record]) -> Iterator[Difference]:
    """Records that are other, then those that are to be there, then those that are not."""
    gone = [one for one in ours if one not in theirs]
    new = [one for one in theirs if one not in ours]
    same = [(a, b) for a in gone for b in new if _same_thing(a, b)]
    for before, after in same:
        yield Difference(before, after)
    alone = [one for one in new if not any(one is after for _, after in same)]
    for after in alone:
        yield Difference({}, after)
    for before in gone:
        if not any(before is one for one, _ in same):
            yield Difference(before, {})
    # What is one thing with another name is other than it was, too.
    for before in gone:
        for after in alone:
            common = sum(before.get(name) == value for name, value in after.items())
            if common * 2 >= len(after) > 1:
                yield Difference(before, after)


def _same_thing(one: Record, other: Record) -> bool:
    name = next((name for name in one if name == KEY or IDENTIFIES.search(name)), None)
    return name is not None and name in other and one[name] == other[name]


def _records(value: Any, names: Sequence[Record]) -> list[Record]:
    """The records of a list or a table; of rows without names those of an object that has the same
    values among the fields of the task."""
    if isinstance(value, dict):
        if all(isinstance(inner, dict) for inner in value.values()):
            return [_under(key, inner, names) for key, inner in value.items()]
        lists = [inner for inner in value.values() if isinstance(inner, (list, dict))]
        if len(lists) * 2 > len(value):
            return [one for inner in lists for one in _records(inner, names)]
        return [{KEY: key, VALUE: inner} for key, inner in value.items()]
    if not isinstance(value, list):
        return []
    return _of_rows(value[:MOST_RECORDS], names)


def _under(key: str, inner: Record, names: Sequence[Record]) -> Record:
    """The record that a table has under a key; under several, the object of the task with these."""
    if key.startswith("("):
        with contextlib.suppress(ValueError, SyntaxError, TypeError):
            like = _like([*ast.literal_eval(key), *inner.values()], names)
            return like if like is not None else {KEY: key, **inner}
    return {KEY: key, **inner}


def _of_rows(rows: list[Any], names: Sequence[Record]) -> list[Record]:
    """The records of a list: what has no names has those of the first row that is an object of the
    task, and else its places."""
    like = [_like(row, names) if isinstance(row, list) else None for row in rows]
    known: dict[int, list[str]] = {}
    for row, one in zip(rows, like, strict=True):
        if one is not None:
            known.setdefault(len(row), [_name_of(one, value) for value in row])
    return [_record(row, one, known) for row, one in zip(rows, like, strict=True)]


def _record(row: Any, like: Record | None, known: Mapping[int, Sequence[str]]) -> Record:
    if isinstance(row, dict):
        return row
    if not isinstance(row, list):
        return {KEY: row}
    if like is not None:
        return like
    names = known.get(len(row)) or [str(n) for n in range(len(row))]
    return dict(zip(names, row, strict=True))


def _like(row: Sequence[Any], names: Sequence[Record]) -> Record | None:
    """The object that has all the values of a row."""
    if len(row) < 2:
        return None
    values = set(map(_spelled, row))
    return next((one for one in names if values <= set(map(_spelled, one.values()))), None)


def _name_of(record: Record, value: Any) -> str:
    return next(name for name, inner in record.items() if _spelled(inner) == _spelled(value))


def _spelled(value: Any) -> str:
    """A value without regard to case, and to whether a number is a text."""
    return str(value).lower()


def _objects(value: Any, depth: int = DEPTH) -> Iterator[Record]:
    """The objects among the fields of a task."""
    if not depth:
        return
    if isinstance(value, Mapping):
        if depth < DEPTH:
            yield dict(value)
        for inner in value.values():
            yield from _objects(inner, depth - 1)
    elif isinstance(value, (list, tuple)):
        for inner in value[:MOST_RECORDS]:
            yield from _objects(inner, depth - 1)


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
    before, after = dict(_amounts(ours)), dict(_amounts(theirs))
    moved = {at: after.get(at, 0) - before.get(at, 0) for at in {**before, **after}}
    moved = {at: amount for at, amount in moved.items() if amount}
    if len(moved) > MOST_MOVED:
        return
    pairs = [(a, b) for a, b in combinations(moved, 2) if moved[a] == -moved[b]]
    for places in [*pairs, *((at,) for at in moved)]:
        names, amount = list(dict.fromkeys(chain(*places))), abs(moved[places[0]])
        for tool, schema in schemas.items():
            kinds = {
                name: kind.get("type") for name, kind in (schema.get("properties") or {}).items()
            }
            texts = [name for name in required(schema) if kinds.get(name) == "string"]
            numbers = [
                name for name in required(schema) if kinds.get(name) in ("integer", "number")
            ]
            if len(texts) == len(names) <= MOST_PLACES and len(numbers) == 1:
                for order in permutations(names):
                    yield tool, {**dict(zip(texts, order, strict=True)), numbers[0]: amount}


def _amounts(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """The numbers of a table of tables, each with the names that it is under."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _amounts(inner, (*at, str(key)))
    elif at and isinstance(value, (int, float)) and not isinstance(value, bool):
        yield at, value


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
        kinds = schema.get("properties") or {}
        if len(names) == 1 and (kinds.get(names[0]) or {}).get("type") == "string":
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
