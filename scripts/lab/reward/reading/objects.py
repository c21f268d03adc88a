"""Several fields written as one object, with the keys that prompts show or the code pairs with
them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lab.environment import Task
from lab.reward.reading.candidate import Candidate, dumped, single
from lab.reward.reading.fields import rank_of, rows_by_path

OBJECT = re.compile(r"\bJSON\b|\bobject\b|\brecord\b", re.IGNORECASE)
QUOTED_KEY = re.compile(r"[\"“'`«「](\w{1,30})[\"”'`»」]")
CALLED = ("function", "tool", "function_name", "tool_name")
"""Fields that hold what a call writes under `name`."""
MOST_LISTS = 6
"""Lists of labels of the code that are looked at."""


def shown_objects(tasks: Sequence[Task]) -> Iterator[Candidate]:
    """Objects of the fields whose names are the keys of the object that the prompts show:
    `{"function": ..., "arguments": {...}}`; or the keys that a sentence about an object quotes."""
    rows = rows_by_path(tasks)
    shown = tasks[0].shown if tasks else ""
    keys = re.findall(r"\"(\w+)\"\s*:", shown)
    if not keys and OBJECT.search(shown):
        keys = [key for key in QUOTED_KEY.findall(shown) if all(key in row for row in rows)]
    fields = {key: field for key in dict.fromkeys(keys) if (field := _field_of(key, rows))}
    if len(fields) > 1:
        yield _object(fields, rows, "as one object")


def named_objects(labels: Sequence[dict[str, str]], tasks: Sequence[Task]) -> Iterator[Candidate]:
    """Objects with the keys that one of the code's `labels` pairs with fields and the prompts show:
    `{"氏名": "recipient"}`, either way round."""
    rows = rows_by_path(tasks)
    shown = tasks[0].shown if tasks else ""
    for names in labels[:MOST_LISTS]:
        for fields in (names, {word: key for key, word in names.items()}):
            known = all(row.get(field) is not None for row in rows for field in fields.values())
            if rows and len(fields) > 1 and known and all(key in shown for key in fields):
                yield _object(fields, rows, "as one object, with the code's keys")


def _object(fields: dict[str, str], rows: list[dict[str, Any]], reading: str) -> Candidate:
    golds = [dumped({key: row[field] for key, field in fields.items()}) for row in rows]
    rank = min(1, *(rank_of(field) for field in fields.values()))
    return single("+".join(fields.values()), reading, golds, rank)


def _field_of(key: str, rows: list[dict[str, Any]]) -> str:
    """The field that every row has for a key; "" without one."""
    names = (key, *CALLED) if key == "name" else (key,)
    return next((one for one in names if all(row.get(one) is not None for row in rows)), "")
