"""Replies that are rows of cells (a plan, a timetable, routes), as prompts write an example of
them.

    of_example('{"routes": {"V1": ["...", "..."], "V2": ["..."]}}')
    # one form, `grouped`, in `routes`, with the rows ("V1", "..."), ("V1", "..."), ("V2", "...")

One form writes any rows: as the members of a list, as objects with the same keys, under the key of
their first cell, or as lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lab.answers.numbers import parse_number
from lab.reward.reading.skeletons import FENCED

Row = tuple[str, ...]
JOINTS = (" | ", "|", "; ", ";", "\t", " -> ", " → ", ": ", ", ", ",", " ")
"""What is between the cells of a line; the first that a line has."""
DOTS = re.compile(r"^\s*(?:\.\.\.|…)\s*$")
OPEN_END = re.compile(
    r",\s*(?:\.\.\.|…)\s*(?=[\]}])|,\s*\"[^\"\n]*\"\s*:\s*[{\[]\s*(?:\.\.\.|…)\s*[}\]](?=\s*[,}])"
)
"""What says in an example that more of the sort follow."""
BARE = re.compile(r"(?<=[:\[,])(\s*)(<[^<>\n]+>|\.\.\.|…|HH:MM|[A-Z])(?=\s*[,\]}])")
"""A place in JSON without quotes."""
TAGGED = re.compile(r"<(\w+)>[ \t]*\n(.+?)\n[ \t]*</\1>", re.DOTALL)
INLINE = re.compile(r"<(\w+)>([^<>\n]+)</\1>")
NUMBER_PLACE = re.compile(r"<.*(?:number|int).*>|N")
"""A place in an example for a number."""
MOST_LINES, MOST_CELLS, LONGEST = 12, 6, 90
OPENING = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class RowForm:
    """How rows are written."""

    kind: str
    """`list`, `arrays`, `objects`, `keyed`, `grouped`: JSON; `lines`: text."""
    keys: tuple[str, ...] = ()
    """The names of the cells, "" where they have none."""
    path: tuple[str, ...] = ()
    """The keys under which all of it stands."""
    beside: dict[str, Any] = field(default_factory=dict, compare=False)
    """What stands beside it."""
    joint: str = " "
    before: str = ""
    after: str = ""
    numbers: tuple[bool, ...] = ()
    """By cell whether it is written as a number."""

    def write(self, rows: Sequence[Row]) -> str:
        if self.kind == "lines":
            body = "\n".join(self.joint.join(row) for row in rows)
        elif self.kind == "line":
            body = self.joint.join(row[0] for row in rows)
        else:
            value: Any = self._value([self._typed(row) for row in rows])
            for n, key in enumerate(reversed(self.path)):
                value = {key: value, **({} if n else self.beside)}
            body = json.dumps(value, ensure_ascii=False)
        return f"{self.before}{body}{self.after}"

    def _typed(self, row: Row) -> list[Any]:
        made = []
        for cell, number in zip(row, self.numbers, strict=True):
            value = parse_number(cell) if number else None
            whole = value is not None and float(value).is_integer()
            made.append(cell if value is None else int(value) if whole else float(value))
        return made

    def _value(self, rows: list[list[Any]]) -> Any:
        if self.kind == "list":
            return [row[0] for row in rows]
        if self.kind == "arrays":
            return rows
        if self.kind == "objects":
            return [dict(zip(self.keys, row, strict=True)) for row in rows]
        if self.kind == "keyed":
            named = any(self.keys[1:])
            return {
                row[0]: dict(zip(self.keys[1:], row[1:], strict=True)) if named else row[1]
                for row in rows
            }
        return _grouped(rows)


def _grouped(rows: Sequence[Sequence[Any]]) -> Any:
    """Rows as objects in one another, with lists of the last cells at the end."""
    if len(rows[0]) == 1:
        return [row[0] for row in rows]
    under: dict[Any, list[Sequence[Any]]] = {}
    for row in rows:
        under.setdefault(row[0], []).append(row[1:])
    return {key: _grouped(inner) for key, inner in under.items()}


def of_example(text: str) -> Iterator[tuple[RowForm, list[Row]]]:
    """The forms of the rows in an example, each with these rows."""
    for before, part, after in _json_parts(text):
        yield from (
            (replace(form, before=before, after=after), rows)
            for form, rows in _of_value(_loaded(part), ())
        )
    for mark, body in TAGGED.findall(text):
        yield from _of_lines(body, f"<{mark}>\n", f"\n</{mark}>")
    for mark, body in INLINE.findall(text):
        yield from _of_line(body, f"<{mark}>", f"</{mark}>")
    for mark, body in FENCED.findall(text):
        yield from _of_lines(body, f"{mark}\n", "\n```")


def of_lines(text: str) -> Iterator[tuple[RowForm, list[Row]]]:
    """The same of a text that is an example as a whole."""
    if "{" not in text and "<" not in text and "```" not in text:
        yield from _of_lines(text, "", "")
        yield from _of_line(text, "", "")


def _json_parts(text: str) -> Iterator[tuple[str, str, str]]:
    """Objects and lists in a text, the last first, with the fence around each."""
    ends: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        if text[at] in OPENING and (end := _end(text, at)):
            ends.append((at, end))
            at = end
        else:
            at += 1
    for start, end in reversed(ends):
        fence = re.search(r"(```\w*\n)\s*$", text[:start])
        closed = fence and re.match(r"\s*\n```", text[end:])
        yield (
            (fence[1], text[start:end], "\n```") if fence and closed else ("", text[start:end], "")
        )


def _end(text: str, start: int) -> int:
    waiting = []
    for n in range(start, min(len(text), start + 2000)):
        if text[n] in OPENING:
            waiting.append(OPENING[text[n]])
        elif waiting and text[n] == waiting[-1]:
            waiting.pop()
            if not waiting:
                return n + 1
    return 0


def _loaded(part: str) -> Any:
    """JSON with a text in each of its places, and without dots for more of the same."""
    part = BARE.sub(lambda found: f'{found[1]}"{found[2]}"', OPEN_END.sub("", part))
    try:
        return json.loads(part)
    except (ValueError, RecursionError):
        return None


def _of_value(value: Any, path: tuple[str, ...]) -> Iterator[tuple[RowForm, list[Row]]]:
    if isinstance(value, dict) and len(path) < 2:
        for key, inner in value.items():
            beside = {name: one for name, one in value.items() if name != key}
            if isinstance(inner, (list, dict)) and not any(
                isinstance(one, (list, dict)) for one in beside.values()
            ):
                for form, rows in _of_value(inner, (*path, key)):
                    yield replace(form, beside=beside) if len(form.path) == 1 else form, rows
    if isinstance(value, (list, dict)) and value and (found := _rows(value)):
        kind, keys, cells_of = found
        columns = list(zip(*cells_of, strict=True))
        numbers = tuple(all(_numeric(cell) for cell in cells) for cells in columns)
        yield (
            RowForm(kind, keys, path, numbers=numbers),
            [tuple(map(str, row)) for row in cells_of],
        )


def rows_of(value: Any) -> list[list[Any]]:
    """The cells of a value that is rows, or has lists under its keys; [] for others."""
    lists = list(value.values()) if isinstance(value, dict) else []
    even = all(isinstance(one, list) and _flat(one) for one in lists)
    if even and len({len(one) for one in lists}) == 1:
        return [[key, *cells] for key, cells in value.items()]
    found = _rows(value) if isinstance(value, (list, dict)) and value else None
    return found[2] if found else []


def _rows(value: Any) -> tuple[str, tuple[str, ...], list[list[Any]]] | None:
    return _keyed(value) if isinstance(value, dict) else _members(value)


def _keyed(value: dict[Any, Any]) -> tuple[str, tuple[str, ...], list[list[Any]]] | None:
    """The rows of an object, each with its key first."""
    members = list(value.values())
    if keys := _same_keys(members):
        return "keyed", ("", *keys), [[name, *one.values()] for name, one in value.items()]
    if all(isinstance(one, list) and one and _flat(one) for one in members):
        return "grouped", ("", ""), [[name, one] for name in value for one in value[name]]
    if _flat(members) and len(value) > 1:
        return "keyed", ("", ""), [[name, one] for name, one in value.items()]
    return _nested(value)


def _nested(value: dict[Any, Any]) -> tuple[str, tuple[str, ...], list[list[Any]]] | None:
    """The rows of an object of objects of lists, each with both keys first."""
    rows: list[list[Any]] = []
    for name, one in value.items():
        inner = _keyed(one) if isinstance(one, dict) and one else None
        if inner is None or inner[0] != "grouped":
            return None
        rows += [[name, *row] for row in inner[2]]
    return ("grouped", ("",) * len(rows[0]), rows) if len({len(row) for row in rows}) == 1 else None


def _members(value: list[Any]) -> tuple[str, tuple[str, ...], list[list[Any]]] | None:
    """The rows of a list."""
    if _flat(value):
        return "list", ("",), [[one] for one in value]
    if keys := _same_keys(value):
        return "objects", keys, [list(one.values()) for one in value]
    lists = all(isinstance(one, list) and one and _flat(one) for one in value)
    if lists and len({len(one) for one in value}) == 1:
        return "arrays", ("",) * len(value[0]), value
    return None


def _same_keys(members: list[Any]) -> tuple[str, ...]:
    """The keys that all objects have; () where they differ, or where a value is no plain one."""
    if not all(isinstance(one, dict) and _flat(one.values()) for one in members):
        return ()
    keys = {tuple(one) for one in members}
    return keys.pop() if len(keys) == 1 else ()


def _flat(values: Any) -> bool:
    return all(isinstance(one, (str, int, float)) for one in values)


def _numeric(cell: Any) -> bool:
    return not isinstance(cell, str) or bool(NUMBER_PLACE.fullmatch(cell))


def _of_lines(body: str, before: str, after: str) -> Iterator[tuple[RowForm, list[Row]]]:
    """Lines of as many cells each."""
    lines = [line.strip() for line in body.splitlines() if line.strip() and not DOTS.match(line)]
    if not 0 < len(lines) <= MOST_LINES or max(map(len, lines)) > LONGEST:
        return
    for joint in JOINTS:
        rows = [tuple(one.strip() for one in line.split(_bare(joint))) for line in lines]
        if 1 < len(rows[0]) <= MOST_CELLS and len({len(row) for row in rows}) == 1:
            yield _lined("lines", rows, joint, before, after), rows
            return
    if all(re.fullmatch(r"\S+", line) for line in lines):
        rows = [(line,) for line in lines]
        yield _lined("lines", rows, " ", before, after), rows


def _of_line(body: str, before: str, after: str) -> Iterator[tuple[RowForm, list[Row]]]:
    """The members of one line."""
    for joint in JOINTS:
        members = [one.strip() for one in body.strip().split(_bare(joint))]
        if len(members) > 2 and all(members) and "\n" not in body:
            rows: list[Row] = [(one,) for one in members if not DOTS.match(one)]
            yield _lined("line", rows, joint, before, after), rows
            return


def _bare(joint: str) -> str:
    return joint if joint in ("\t", " ", ": ") else joint.strip()


def _lined(kind: str, rows: list[Row], joint: str, before: str, after: str) -> RowForm:
    width = len(rows[0])
    numbers = (False,) * width
    return RowForm(kind, ("",) * width, joint=joint, before=before, after=after, numbers=numbers)
