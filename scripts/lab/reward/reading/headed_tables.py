"""Tables whose columns are named by another field, or by the keys of their rows, as CSV, and in
Markdown or HTML where prompts ask for it.

{"head": ["Kind", "Kilos"], "body": [["Peas", 2]]}      # Kind,Kilos
{"rows": [{"Kind": "Peas", "Kilos": 2}]}                # Peas,2
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from lab.environment import Task
from lab.reward.formats.answer_format import same_name
from lab.reward.reading.candidate import Candidate, single
from lab.reward.reading.fields import flat, rank_of, rows_by_path
from lab.reward.reading.rendered import table_of

BLANK = re.compile(
    r"(?i:\b(?:missing|empty|blank|unknown|absent|not (?:given|known|there))\b[^.\n]{0,40}?"
    r"\b(?:written|write|as|is|are|gets?|use)\b[^.\n]{0,12}?[\"'`]?)"
    r"(NULL|null|None|none|N/A|n/a|NA|NaN|nil|-|–|—)(?![\w-])"
)
"""`Missing values are written NULL`."""
HTML = re.compile(r"<t(?:able|r|d)\b")
CAPTION = re.compile(r"(?:^|[._])(?:caption|title)$")
MARKDOWN = re.compile(r"\bmarkdown\b", re.IGNORECASE)
CELLS = re.compile(r"\s*[,;|\t]\s*")
LEAST_KEYS = 2
Row = list[Any]
Table = tuple[Row, list[Row]]
"""The names of the columns, and the rows below them."""


def with_head(tasks: Sequence[Task]) -> Iterator[Candidate]:
    """The candidates of fields that are a table in every task: one of objects, or a head and a
    body."""
    rows = rows_by_path(tasks)
    first = rows[0] if rows else {}
    for path, value in first.items():
        keys, objects = _keys(value), [row.get(path) for row in rows]
        if keys and all(_keys(one) == keys for one in objects):
            yield _of_objects(path, tasks, objects)
    for body in (path for path, value in first.items() if _is_body(value)):
        for head in (path for path, value in first.items() if _is_head(value, first[body])):
            every: list[tuple[Any, Any]] = [(row.get(head), row.get(body)) for row in rows]
            if all(_is_body(below) and _is_head(names, below) for names, below in every):
                yield from _written(f"{head}+{body}", tasks, every)


def _of_objects(path: str, tasks: Sequence[Task], every: Sequence[Any]) -> Candidate:
    """The objects as rows below the line of each prompt that names their keys, in its order and
    with its marks; with commas where there is none."""
    blank = _blank(tasks[0].shown)
    texts = []
    for task, value in zip(tasks, every, strict=True):
        head, order, mark = _head(task.shown, list(value[0]))
        rows = [_filled([row[key] for key in order], blank) for row in value]
        below = f"{mark.join(head)}\n{_csv(rows, mark)}"
        texts.append(table_of(head, rows) if mark == "|" else below)
    return single(path, "as a table below its keys", texts, rank_of(path))


def _head(shown: str, keys: list[str]) -> tuple[list[str], list[str], str]:
    """The line that names the keys, cell by cell, the key of each, and the mark between them."""
    for line in (one.strip(" \t`|") for one in shown.splitlines()):
        cells, marks = CELLS.split(line), {mark.strip() for mark in CELLS.findall(line)}
        named = [next((key for key in keys if same_name(key, cell)), "") for cell in cells]
        if len(marks) == 1 and sorted(named) == sorted(keys):
            return cells, named, marks.pop() or "\t"
    return keys, keys, ","


def _keys(value: Any) -> set[str]:
    """The keys that all objects of a list have, with plain values; none where they have not."""
    rows: list[Any] = value if isinstance(value, list) else []
    keys = {*rows[0]} if rows and isinstance(rows[0], dict) else set()
    for row in rows if all(isinstance(key, str) for key in keys) else [None]:
        if not isinstance(row, dict) or {*row} != keys:
            return set()
        if any(isinstance(cell, (list, dict)) for cell in row.values()):
            return set()
    return keys if len(keys) >= LEAST_KEYS else set()


def _written(
    name: str, tasks: Sequence[Task], every: Sequence[tuple[Any, Any]]
) -> Iterator[Candidate]:
    """The tables of the tasks in each way to write them."""
    blank = _blank(tasks[0].shown)
    tables: list[Table] = [(n, [_filled(row, blank) for row in below]) for n, below in every]
    texts = [_csv([names, *below]) for names, below in tables]
    yield single(name, "as a table with its head", texts, 1)
    marked = [MARKDOWN.search(task.shown) is not None for task in tasks]
    if any(marked):
        mixed = [
            table_of(names, below) if bars else text
            for bars, (names, below), text in zip(marked, tables, texts, strict=True)
        ]
        yield single(name, "as a table in Markdown", mixed, 1)
    if all(HTML.search(task.shown) for task in tasks):
        texts = [_in_html(task, table) for task, table in zip(tasks, tables, strict=True)]
        yield single(name, "inside of a table in HTML", texts, 1)


def _blank(shown: str) -> str:
    """What prompts say that stands for a value that is not there."""
    said = BLANK.search(shown)
    return said[1] if said else ""


def _filled(row: Row, blank: str) -> Row:
    return [blank if cell is None else cell for cell in row]


def _in_html(task: Task, table: Table) -> str:
    """What is inside of a table in HTML, with the parts that the prompt names; its own tags are the
    form in which it is said."""
    names, rows = table
    head = _tagged("tr", [_tagged("th", name) for name in names])
    body = [_tagged("tr", [_tagged("td", cell) for cell in row]) for row in rows]
    parts = [_tagged("thead", [head]), _tagged("tbody", body)]
    parts = parts if "<thead" in task.shown else [head, *body]
    caption = next((value for path, value in flat(task.fields) if CAPTION.search(path)), "")
    if isinstance(caption, str) and caption and "<caption" in task.shown:
        parts = [_tagged("caption", caption), *parts]
    return "\n".join(parts)


def _tagged(tag: str, inner: Any) -> str:
    """An element with a text in it, or with others, a line each."""
    lines = isinstance(inner, list)
    text = "\n" + "\n".join(inner) + "\n" if lines else html.escape(str(inner), quote=False)
    return f"<{tag}>{text}</{tag}>"


def _is_body(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(isinstance(row, list) and len(row) > 1 for row in value)
        and len({len(row) for row in value}) == 1
    )


def _is_head(value: Any, body: list[Row]) -> bool:
    names = isinstance(value, list) and all(isinstance(name, str) for name in value)
    return names and len(value) == len(body[0]) and value not in body


def _csv(rows: Sequence[Row], mark: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(rows)
    return out.getvalue().strip()
