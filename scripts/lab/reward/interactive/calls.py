"""Calls of tools that the fields of tasks write out, and plausible arguments for a tool."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lab.answers.extract import loads
from lab.environment import Played, Task
from lab.reward.interactive.messages import Call, conversation
from lab.reward.reading.fields import flat

Schemas = dict[str, dict[str, Any]]
Play = Callable[[int, Sequence[Any]], list[Played]]
"""Plays the scripted replies of one rollout on a task: `Brief.play`."""
NAME_LIKE = re.compile(r"\b(?=\w*\d)[A-Za-z][\w-]{2,20}\b|\b[A-Z]{2,}[-_]?\d+\b|#\d+")
"""Words of a prompt that look like an identifier."""


def required(schema: dict[str, Any]) -> list[str]:
    return list(schema.get("required") or schema.get("properties") or {})


def calls_of(
    value: Any, schemas: Schemas, tool: str = "", given: Mapping[str, Any] | None = None
) -> list[Call]:
    """The calls that a field's value writes out; [] where it writes none. `tool` is called where
    none is named; `given`: parameters of it that are the same in each call."""
    if tool and given:
        rest = {tool: _without(schemas[tool], given)}
        return [(name, {**given, **made}) for name, made in calls_of(value, rest, tool)]
    if isinstance(value, str) and value.strip() and value.lstrip()[:1] in "[{":
        value = loads(value)
    items = value if isinstance(value, list) else [value]
    table = tool and isinstance(value, dict) and value
    if table and not set(value) & set(schemas[tool].get("properties") or {}):
        items = [_entry(key, inner, required(schemas[tool])) for key, inner in value.items()]
    found = [_call(item, schemas, tool) for item in items]
    return [call for call in found if call] if items and all(found) else []


def _without(schema: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a tool without the parameters that are given."""
    names = [name for name in required(schema) if name not in given]
    properties = {k: v for k, v in (schema.get("properties") or {}).items() if k not in given}
    return {**schema, "required": names, "properties": properties}


def _entry(key: str, value: Any, names: list[str]) -> Any:
    """An entry of a table as arguments: the key first, then the value, or the values by name."""
    if isinstance(value, dict) and names:
        return {names[0]: key, **value}
    return dict(zip(names, [key, value], strict=True)) if len(names) == 2 else None


def _call(item: Any, schemas: Schemas, tool: str) -> Call | None:
    if isinstance(item, str) and (made := _python_call(item, schemas)):
        return made
    if isinstance(item, (str, int)) and not isinstance(item, bool):
        names = required(schemas[tool]) if tool else []
        return (tool, {names[0]: item}) if len(names) == 1 else None
    if isinstance(item, (list, tuple)):
        return _in_a_row(item, schemas, tool)
    if not isinstance(item, dict):
        return None
    return _of_object(item, schemas, tool)


def _of_object(item: dict[str, Any], schemas: Schemas, tool: str) -> Call | None:
    inner = item.get("function")
    item = inner if isinstance(inner, dict) else item
    named = [(k, v) for k, v in item.items() if isinstance(v, str) and v in schemas]
    key, name = named[0] if named else ("", tool)
    return _arguments(name, {k: v for k, v in item.items() if k != key}, schemas) if name else None


def _in_a_row(item: Sequence[Any], schemas: Schemas, tool: str) -> Call | None:
    """The call of a tool's name with its arguments behind it, `["renew", "C01-1"]`, or with one
    object that holds them; of `tool` with all it needs."""
    if not item or item[0] not in list(schemas):
        names = required(schemas[tool]) if tool else []
        made = dict(zip(names, item, strict=False))
        return _of_object(made, schemas, tool) if names and len(names) == len(item) else None
    name, values = str(item[0]), item[1:]
    if len(values) == 1 and isinstance(values[0], dict):
        return _arguments(name, values[0], schemas)
    known = list(schemas[name].get("properties") or {})
    fits = len(required(schemas[name])) <= len(values) <= len(known)
    return (name, dict(zip(known, values, strict=False))) if fits else None


def _arguments(name: str, rest: dict[str, Any], schemas: Schemas) -> Call | None:
    """The call of `name` whose arguments are `rest`, or one of its values."""
    known = schemas[name].get("properties") or {}
    values = [
        loads(value) if isinstance(value, str) and value.lstrip()[:1] == "{" else value
        for value in rest.values()
    ]
    for inner in (rest, *values):
        if isinstance(inner, dict) and all(word in inner for word in required(schemas[name])):
            arguments = {k: _fit(v, known[k]) for k, v in inner.items() if k in known}
            if arguments or not known:
                return name, arguments
    return None


def _fit(value: Any, schema: dict[str, Any]) -> Any:
    """The value as the schema wants it: a number as a text, where only a text is taken."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return str(value) if number and schema.get("type") == "string" else value


def _python_call(text: str, schemas: Schemas) -> Call | None:
    """`book(time="20:00", guests=2)` as a call."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        if node.func.id not in schemas:
            return None
        names = list(schemas[node.func.id].get("properties") or {})
        values = [ast.literal_eval(argument) for argument in node.args]
        arguments = dict(zip(names, values, strict=False))
        named = {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg}
        return node.func.id, arguments | named
    except (SyntaxError, ValueError, RecursionError):
        return None


def typed(value: str, schema: dict[str, Any]) -> Any:
    """The text as the schema wants it, where it can be read so."""
    kind = schema.get("type")
    read = loads(value) if kind in ("integer", "number", "boolean", "array", "object") else None
    return value if read is None else read


def sensible(tool: str, schema: dict[str, Any], task: Task) -> Call:
    """A call whose arguments are taken from the task: a field of the parameter's name, a field
    or a word that the prompt names, or the prompt itself."""
    fields = {path.rsplit(".", 1)[-1].lower(): value for path, value in flat(task.fields)}
    plain = [str(v) for v in fields.values() if isinstance(v, (str, int))]
    named = [v for v in plain if 1 < len(v) < 60 and re.search(rf"\b{re.escape(v)}\b", task.prompt)]
    words = [*named, *NAME_LIKE.findall(task.prompt), task.prompt]
    properties = schema.get("properties") or {}
    arguments: dict[str, Any] = {}
    for number, name in enumerate(required(schema) or list(properties)[:1]):
        kind = properties.get(name) or {}
        if name.lower() in fields:
            arguments[name] = fields[name.lower()]
        elif kind.get("enum"):
            arguments[name] = kind["enum"][0]
        elif kind.get("type", "string") == "string":
            arguments[name] = words[min(number, len(words) - 1)]
        else:
            arguments[name] = blank(kind)
    return tool, arguments


def searching(schema: dict[str, Any]) -> str:
    """The parameter of a tool that takes nothing but free words; "" where it takes more."""
    names = required(schema)
    kind = (schema.get("properties") or {}).get(names[0]) or {} if names else {}
    free = kind.get("type", "string") == "string" and not kind.get("enum")
    return names[0] if len(names) == 1 and free else ""


def blank(schema: dict[str, Any]) -> Any:
    """A value of the kind that a parameter wants, which knows nothing."""
    kinds = [schema, *(one for one in schema.get("anyOf") or [] if one.get("type") != "null")]
    kind = next((one["type"] for one in kinds if one.get("type")), "string")
    values = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    return values.get(kind, "x")


def answered(play: Play, task: int, call: Call) -> str:
    """What a tool answers to one call, without the values that it was called with; "" where that
    cannot be played."""
    played = play(task, conversation([call])[:1])
    told = played[0].unread if played else ""
    for value in call[1].values():
        told = told.replace(str(value), "…") if str(value) else told
    return told


NOWHERE = 7919
"""In identifiers and numbers that no task has."""


def nowhere(call: Call) -> Call:
    """The same call with values that nothing has."""
    return call[0], {name: _nowhere(value) for name, value in call[1].items()}


def _nowhere(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _nowhere(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_nowhere(inner) for inner in value]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value + NOWHERE if number else f"zq{NOWHERE}" if isinstance(value, str) else value
