"""Objects that fit the schema which a prompt shows: a JSON schema, or the code of a pydantic model.

Such tasks have no gold: whatever fits is right. The schema is read and never run, and one object is
made of it, with the least value that each key allows.

    instances(prompt)      # [{"title": "text", "pages": 1}]
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lab.environment import Environment
from lab.reward.formats.answer_format import PLAIN, AnswerFormat
from lab.reward.interactive.ways import spread
from lab.reward.reading.search import CLEAR, PAID_LEAST

TEXT, DEEPEST, MOST, TASKS = "text", 6, 4, 8
CLASS = re.compile(r"^class \w+\([\w., \[\]]*\):[^\n]*\n(?:(?:[ \t]+[^\n]*)?\n)*", re.MULTILINE)
BY_TYPE: dict[str, Any] = {
    "str": TEXT,
    "int": 1,
    "float": 1.5,
    "bool": True,
    "dict": {},
    "Dict": {},
    "Any": TEXT,
    "EmailStr": "a@example.org",
    "HttpUrl": "https://example.org/",
    "date": "2024-01-31",
    "datetime": "2024-01-31T12:00:00",
    "time": "12:00:00",
    "UUID": "12345678-1234-4234-8234-123456789012",
    "Decimal": 1.5,
}
IN_BLOCK = AnswerFormat("in a code block", "```json\n", "\n```", lead="")
LISTS = ("list", "List", "set", "Set", "Sequence", "tuple", "Tuple", "conlist")


def find(
    env: Environment, formats: Sequence[AnswerFormat], most: float
) -> tuple[dict[int, Any], float]:
    """By task an object for its schema, and what the first earns, where such objects earn `most` on
    every task that is tried and an empty one does not; nothing without one way to write them."""
    on = spread(len(env.description.tasks), TASKS)
    made = {i: instances(env.description.tasks[i].shown) for i in on}
    if not all(made.values()):
        return {}, 0.0
    for one in (IN_BLOCK, PLAIN, *formats[:MOST]):
        whole: dict[int, Any] = {}
        for i in on:
            texts = [one.write(json.dumps(each)) for each in made[i]]
            paid = (t for t in texts if _earned(env, i, t) >= CLEAR * most)
            if (text := next(paid, None)) is None:
                break
            whole[i] = text
        if len(whole) == len(on) and _earned(env, on[0], one.write("{}")) < PAID_LEAST:
            return whole, _earned(env, on[0], whole[on[0]])
    return {}, 0.0


def _earned(env: Environment, task: int, text: str) -> float:
    return env.score(task, text).reward or 0.0


def instances(shown: str) -> list[Any]:
    """Objects for the schemas in a text, the likeliest first."""
    found = [*_of_models(shown), *_of_json(shown)]
    kept = {json.dumps(one, sort_keys=True): one for one in found if one}
    return list(kept.values())[:MOST]


# --- pydantic models -------------------------------------------------------------------------


def _of_models(shown: str) -> Iterator[Any]:
    """The last class holds the others as a rule, unless the text names one as the model."""
    classes: dict[str, ast.ClassDef] = {}
    for match in CLASS.finditer(f"{shown}\n"):
        try:
            (made,) = ast.parse(match[0]).body
        except (SyntaxError, ValueError):
            continue
        if isinstance(made, ast.ClassDef):
            classes[made.name] = made
    named = re.findall(r"\b[Mm]odel(?: name)?\W{1,4}(\w+)", shown)
    order = [name for name in named if name in classes] + list(classes)[::-1]
    for name in dict.fromkeys(order):
        if not _is_enum(classes[name]):
            yield _record(classes[name], classes, 0)


def _is_enum(made: ast.ClassDef) -> bool:
    return any("Enum" in ast.unparse(base) for base in made.bases)


def _record(made: ast.ClassDef, classes: Mapping[str, ast.ClassDef], depth: int) -> Any:
    if _is_enum(made):
        values = [s.value for s in made.body if isinstance(s, ast.Assign)]
        return next((v.value for v in values if isinstance(v, ast.Constant)), TEXT)
    record: dict[str, Any] = {}
    for base in made.bases:
        parent = classes.get(ast.unparse(base))
        if parent is not None and parent is not made and depth < DEEPEST:
            record |= _record(parent, classes, depth + 1)
    for line in made.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            limits = _limits(line.value)
            value = _value(line.annotation, classes, depth + 1, limits)
            record[str(limits.get("alias", line.target.id))] = value
    return record


def _limits(value: ast.expr | None) -> dict[str, Any]:
    """The keyword arguments of `Field(...)` that are constants."""
    if not isinstance(value, ast.Call):
        return {}
    constants = {k.arg: k.value for k in value.keywords if k.arg}
    return {name: v.value for name, v in constants.items() if isinstance(v, ast.Constant)}


def _value(
    said: ast.expr, classes: Mapping[str, ast.ClassDef], depth: int, limits: dict[str, Any]
) -> Any:
    if depth > DEEPEST:
        return None
    if isinstance(said, ast.BinOp):  # int | None
        return _value(said.left, classes, depth, limits)
    if isinstance(said, ast.Subscript):
        name = ast.unparse(said.value).rsplit(".", 1)[-1]
        inner = said.slice.elts if isinstance(said.slice, ast.Tuple) else [said.slice]
        if name == "Literal":
            return getattr(inner[0], "value", TEXT)
        if name in LISTS:
            return [_value(inner[0], classes, depth + 1, {})] * _least(limits, "items", "length")
        return {} if name in ("dict", "Dict") else _value(inner[0], classes, depth, limits)
    name = ast.unparse(said).strip("'\"").rsplit(".", 1)[-1]
    if name in classes:
        return _record(classes[name], classes, depth)
    return [TEXT] if name in LISTS else _within(BY_TYPE.get(name, TEXT), limits)


def _least(limits: Mapping[str, Any], *kinds: str) -> int:
    named = (limits.get(f"min_{kind}") or limits.get(f"min{kind.capitalize()}") for kind in kinds)
    return min(20, max([1, *(n for n in named if isinstance(n, int))]))


def _within(value: Any, limits: Mapping[str, Any]) -> Any:
    """A plain value moved between its bounds, or made as long as it has to be."""
    if isinstance(value, str):
        return (value * 50)[: max(len(value), _least(limits, "length"))]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    low = limits.get("ge", limits.get("minimum"))
    above = limits.get("gt", limits.get("exclusiveMinimum"))
    high = limits.get("le", limits.get("maximum"))
    below = limits.get("lt", limits.get("exclusiveMaximum"))
    least = low if low is not None else above + 1 if isinstance(above, (int, float)) else None
    most = high if high is not None else below - 1 if isinstance(below, (int, float)) else None
    if isinstance(least, (int, float)) and value < least:
        return type(value)(least)
    return type(value)(most) if isinstance(most, (int, float)) and value > most else value


# --- JSON schemas ----------------------------------------------------------------------------


def _of_json(shown: str) -> Iterator[Any]:
    reader, at = json.JSONDecoder(), 0
    while (at := shown.find("{", at)) >= 0:
        try:
            schema, end = reader.raw_decode(shown, at)
        except ValueError:
            at += 1
            continue
        at = end
        if isinstance(schema, dict) and isinstance(schema.get("properties"), dict):
            yield _fitting(schema, schema, 0)


def _fitting(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    if not isinstance(schema, dict) or depth > DEEPEST:
        return TEXT
    if isinstance(name := schema.get("$ref"), str):
        place: Any = root
        for part in name.lstrip("#/").split("/"):
            place = place.get(part, {}) if isinstance(place, dict) else {}
        return _fitting(place, root, depth + 1)
    for choice in ("anyOf", "oneOf", "allOf"):
        if isinstance(schema.get(choice), list) and schema[choice]:
            return _fitting(schema[choice][0], root, depth + 1)
    if "const" in schema or schema.get("enum"):
        return schema.get("const", (schema.get("enum") or [None])[0])
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "object" or "properties" in schema:
        keys = schema.get("properties") or {}
        return {key: _fitting(keys[key], root, depth + 1) for key in keys}
    if kind == "array":
        return [_fitting(schema.get("items"), root, depth + 1)] * _least(schema, "items")
    plain = {"integer": 1, "number": 1.5, "boolean": True, "null": None}.get(str(kind), TEXT)
    form = {"date": BY_TYPE["date"], "date-time": BY_TYPE["datetime"], "email": BY_TYPE["EmailStr"]}
    return form.get(schema.get("format", ""), _within(plain, schema))
