"""Golds that are reached by acting: in calls of tools, in the last of several turns, one piece a turn.

Where no text is paid as an only reply, the fields of the tasks are read as actions instead: objects
with the parameters of a tool are calls of it, a list is walked a turn at a time, and an answer may
be wanted only after what the environment says or a tool tells. Each way is tried beside the same
way with another task's values; the way that the reward tells apart is how the gold is acted out.
"""

from __future__ import annotations

import ast
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from lab.answers.extract import loads
from lab.answers.wrong import wrong
from lab.environment import Completion, Environment, Task
from lab.probes.exploits_talk import conversation
from lab.probes.golds import flat
from lab.probes.learn import Learned, learn
from lab.probes.style import Style, styles
from lab.probes.subject import TINY

MOST_TURNS = 12
"""Neutral replies after which an exchange is taken for one without an end."""
MOST_TOOLS, MOST_ARGUMENTS = 8, 3
NEUTRAL = "OK."
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Way:
    """One way to act: per task a right completion and the same with wrong values, None where it has none."""

    name: str
    right: Callable[[int], Completion | None]
    wrong: Callable[[int], Completion | None]


@dataclass(frozen=True)
class Found:
    """The way that is paid, and how much."""

    name: str
    reward: float
    right: dict[int, Completion]


def find(env: Environment, one: Learned, *, seconds: float = 40.0) -> Found | None:
    """The first way on which the reward tells right values from wrong ones, on every task tried."""
    until = time.monotonic() + seconds
    for way in ways(env, one):
        if found := _paid(env, way):
            return found
        if time.monotonic() > until:
            break
    return None


def _paid(env: Environment, way: Way) -> Found | None:
    earned, right = [], {}
    for i in _spread(env):
        said, other = way.right(i), way.wrong(i)
        if said is None or other is None or said == other:
            continue
        env.expect(True, said)
        paid = env.score(i, said).reward or 0.0
        env.expect(False, other)
        if paid <= (env.score(i, other).reward or 0.0) + TINY:
            return None
        earned.append(paid)
        right[i] = said
        if len(earned) == 4:
            break
    return Found(way.name, fmean(earned), right) if len(earned) > 1 or (earned and len(env.description.tasks) == 1) else None


def _spread(env: Environment, most: int = 8) -> list[int]:
    count = len(env.description.tasks)
    return list(range(0, count, max(1, count // most)))[:most]


def ways(env: Environment, one: Learned) -> Iterator[Way]:
    """Calls that a field writes out, calls with the values of fields, calls with the gold, and pieces in turns."""
    tasks, schemas = env.description.tasks, env.description.schemas
    if env.description.tools:
        yield from _written_calls(tasks, schemas)
        yield from _calls_with_gold(env, one)
    if any(one.exchange for one in env.play(0, [[NEUTRAL]])):
        yield from _in_turns(env, one)


# --- calls ------------------------------------------------------------------------------


def _written_calls(tasks: list[Task], schemas: dict[str, dict[str, Any]]) -> Iterator[Way]:
    """Fields whose objects are calls: named, with arguments, or with just the parameters of one tool."""
    rows = [dict(flat(task.fields)) for task in tasks]
    for path in dict.fromkeys(path for row in rows for path in row):
        for tool in ("", *schemas):
            calls = [calls_of(row.get(path), schemas, tool) for row in rows]
            if sum(map(bool, calls)) * 2 > len(calls):
                yield _way(f"the calls that {path} writes out" if not tool else f"calls of {tool} with {path}", calls)
    for tool, schema in schemas.items():
        # The parameters as fields of their own, wherever they stand.
        names = _required(schema)
        leaves = [{path.rsplit(".", 1)[-1].lower(): value for path, value in row.items()} for row in rows]
        calls = [[(tool, {name: row[name.lower()] for name in names})] if names and all(name.lower() in row for name in names) else [] for row in leaves]
        if sum(map(bool, calls)) * 2 > len(calls):
            yield _way(f"calls of {tool} with the fields of its parameters' names", calls)


def _way(name: str, calls: list[list[Call]]) -> Way:
    def wrong_of(i: int) -> Completion | None:
        others = [other for other in calls[i + 1 :] + calls[:i] if other and other != calls[i]]
        return conversation(others[0]) if others else None

    return Way(name, lambda i: conversation(calls[i]) if calls[i] else None, wrong_of)


def calls_of(value: Any, schemas: dict[str, dict[str, Any]], tool: str = "") -> list[Call]:
    """The calls that a field's value writes out; [] where it does not. `tool` is called where none is named."""
    value = loads(value) if isinstance(value, str) and value.lstrip()[:1] in "[{" and value.strip() else value
    items = value if isinstance(value, list) else [value]
    if tool and isinstance(value, dict) and value and not set(value) & set(schemas[tool].get("properties") or {}):
        items = [_entry(key, inner, _required(schemas[tool])) for key, inner in value.items()]
    found = [_call(item, schemas, tool) for item in items]
    return [call for call in found if call] if items and all(found) else []


def _entry(key: str, value: Any, names: list[str]) -> Any:
    """An entry of a table as arguments: the key first, then the value, or the values under their own names."""
    if isinstance(value, dict) and names:
        return {names[0]: key, **value}
    return dict(zip(names, [key, value], strict=True)) if len(names) == 2 else None


def _call(item: Any, schemas: dict[str, dict[str, Any]], tool: str) -> Call | None:
    if isinstance(item, str):
        return _python_call(item, schemas)
    if isinstance(item, (list, tuple)) and tool and len(item) == len(_required(schemas[tool])):
        item = dict(zip(_required(schemas[tool]), item, strict=True))
    if not isinstance(item, dict):
        return None
    item = item.get("function") if isinstance(item.get("function"), dict) else item
    key, name = next(((k, v) for k, v in item.items() if isinstance(v, str) and v in schemas), ("", tool))
    if not name:
        return None
    known = schemas[name].get("properties") or {}
    rest = {k: v for k, v in item.items() if k != key}
    for inner in [rest, *(loads(v) if isinstance(v, str) and v.lstrip()[:1] == "{" else v for v in rest.values())]:
        if isinstance(inner, dict) and all(name in inner for name in _required(schemas[name])):
            arguments = {k: v for k, v in inner.items() if k in known}
            if arguments or not known:
                return name, arguments
    return None


def _python_call(text: str, schemas: dict[str, dict[str, Any]]) -> Call | None:
    """`book(time="20:00", guests=2)` as a call."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in schemas:
            return None
        names = list(schemas[node.func.id].get("properties") or {})
        arguments = dict(zip(names, (ast.literal_eval(arg) for arg in node.args), strict=False))
        return node.func.id, arguments | {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg}
    except (SyntaxError, ValueError, RecursionError):
        return None


def _required(schema: dict[str, Any]) -> list[str]:
    return list(schema.get("required") or schema.get("properties") or {})


def _calls_with_gold(env: Environment, one: Learned) -> Iterator[Way]:
    """One argument of a tool is the gold; then the same with the answer written after it."""
    pool = [gold for gold in one.golds if gold]

    def other(i: int) -> str:
        return wrong(one.family, one.golds[i] or "", random.Random(i), options=pool)

    for tool, names in list(env.description.arguments.items())[:MOST_TOOLS]:
        types = (env.description.schemas.get(tool) or {}).get("properties") or {}
        for name in names[:MOST_ARGUMENTS]:
            def said(value: str, tool: str = tool, name: str = name) -> Completion:
                return conversation([(tool, {name: _typed(value, types.get(name) or {})})])  # noqa: B023

            yield Way(f"calls of {tool} with it", lambda i, said=said: said(one.golds[i]) if one.golds[i] else None,
                      lambda i, said=said: said(other(i)) if one.golds[i] else None)  # fmt: skip


def _typed(value: str, schema: dict[str, Any]) -> Any:
    """The text as the schema wants it, where it can be read so."""
    kind = schema.get("type")
    read = loads(value) if kind in ("integer", "number", "boolean", "array", "object") else None
    return value if read is None else read


# --- turns ------------------------------------------------------------------------------


def _in_turns(env: Environment, one: Learned) -> Iterator[Way]:
    """The gold's pieces, one in each reply: its letters, its words, the members of a list."""
    tasks = env.description.tasks
    rows = [dict(flat(task.fields)) for task in tasks]
    paths = [path for path in dict.fromkeys(path for row in rows for path in row) if all(isinstance(row.get(path), (str, list)) for row in rows)]
    for path in sorted(paths, key=lambda path: path != one.gold_field):
        for name, split in (("members", _members), ("letters", _letters), ("words", lambda value: value.split() if isinstance(value, str) else [])):
            pieces = [split(row[path]) for row in rows]
            if sum(len(piece) > 1 for piece in pieces) * 2 <= len(pieces) or max(map(len, pieces)) > 40:
                continue
            for style in likely(tasks, 6):
                yield _turned(f"the {name} of {path}, one a turn, written {style.name}", [[style.write(text) for text in piece] for piece in pieces])


def likely(tasks: list[Task], most: int) -> list[Style]:
    """The first ways to write a move: those that the prompts hint at before those that people know."""
    return sorted(styles(tasks), key=lambda style: not style.hinted)[:most]


def _turned(name: str, replies: list[list[str]]) -> Way:
    def said(texts: list[str]) -> Completion | None:
        return [{"role": "assistant", "content": text} for text in texts] or None

    def wrong_of(i: int) -> Completion | None:
        others = [other for other in replies[i + 1 :] + replies[:i] if other and other != replies[i]]
        return said(others[0]) if others else None

    return Way(name, lambda i: said(replies[i]), wrong_of)


def _members(value: Any) -> list[str]:
    value = loads(value) if isinstance(value, str) and value.lstrip()[:1] == "[" else value
    return [str(item) for item in value] if isinstance(value, list) else []


def _letters(value: Any) -> list[str]:
    return list(dict.fromkeys(value.lower())) if isinstance(value, str) and re.fullmatch(r"[A-Za-z]{3,16}", value) else []


# --- an answer that is wanted later -------------------------------------------------------


def later(env: Environment, *, seconds: float = 24.0) -> Learned | None:
    """How an answer is written that is wanted after some turns, or after a tool was called; None where
    that is not told apart either. The environment then has these replies before every text.
    """
    until = time.monotonic() + seconds
    for before, told in _preludes(env):
        if time.monotonic() > until:
            break
        env.prelude = before
        tasks = [replace(task, system=f"{task.system}\n{told}") for task in env.description.tasks]
        found = learn(env, budget=seconds / 3, tasks=tasks)
        if found.gold_field is not None and found.told_apart > TINY:
            return found
    env.prelude = {}
    return None


def _preludes(env: Environment) -> Iterator[tuple[dict[int, list[dict[str, Any]]], str]]:
    """Replies per task after which an answer may be wanted, with what was said until then."""
    count, neutral = range(len(env.description.tasks)), {"role": "assistant", "content": NEUTRAL}
    for played in env.play(0, [[NEUTRAL] * MOST_TURNS])[:1]:
        said = [m["content"] for m in played.messages if m["role"] == "user"]
        turns = sum(m["role"] == "assistant" for m in played.messages)
        for before in [turns - 1] if not played.open else [1, 2]:
            if 0 < before < MOST_TURNS:
                yield {i: [neutral] * before for i in count}, "\n".join(map(str, said))
    for tool, names in list(env.description.arguments.items())[:3]:
        if names:
            yield {i: [conversation([(tool, {names[0]: env.description.tasks[i].prompt})])[0]] for i in count}, ""
