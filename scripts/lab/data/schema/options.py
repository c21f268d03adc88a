"""The options of one multiple-choice row, read out of a cell of any shape.

A list, a dict `{text, label}` or `{A: …}`, a list of dicts, or one text (`a ) 10 , b ) 15`,
lettered lines, JSON or a Python literal).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lab.answers.extract import loads
from lab.answers.options import LETTERS

Options = tuple[list[str], list[str]]
"""Texts, and their own marks or []."""
TEXTS = ("text", "texts", "choices", "options")
MARKS = ("label", "labels", "key")
TEXT = ("text", "value", "content", "option", "choice", "answer", "body")
MARK = ("label", "key", "id", "letter", "index", "identifier")
_KEY = re.compile(r"\(?[A-Za-z]\)?|\d{1,2}|(?:option|choice)[ _]?[A-Za-z0-9]")
_INLINE = re.compile(r"(?:^|[\s,;(\[])\(?\s*([a-jA-J])\s*[).:]\s*")

_LETTERED = re.compile(r"(?:^|\n)[ \t]*\(?([A-J])[).:]\s*(.+?)(?=\n|$)")


def options_in(value: Any) -> Options:
    """The option texts in a cell of any shape, and their marks where it carries them."""
    if isinstance(value, str):
        read = loads(value)
        return options_in(read) if isinstance(read, (list, dict)) and read else in_a_row(value)
    if isinstance(value, dict):
        return _of_dict(value)
    if not isinstance(value, (list, tuple)):
        return [], []
    if value and all(isinstance(item, dict) for item in value):
        return _of_dicts(list(value))
    return [str(item) for item in value if item is not None], []


def _of_dict(value: dict[str, Any]) -> Options:
    texts = next((value[key] for key in TEXTS if value.get(key)), None)
    if isinstance(texts, (list, tuple)):
        marks: Any = next((value[key] for key in MARKS if value.get(key)), [])
        listed = isinstance(marks, (list, tuple)) and len(marks) == len(texts)
        apart = listed and all(isinstance(mark, str) for mark in marks)
        return [str(text) for text in texts], list(marks) if apart else []
    keys = [key for key in value if value[key] is not None]
    if keys and all(_KEY.fullmatch(str(key)) for key in keys):
        return [str(value[key]) for key in keys], [str(key).strip("()") for key in keys]
    return [], []


def _of_dicts(value: list[dict[str, Any]]) -> Options:
    """By the names of their members; else the one with texts, and another with short marks."""
    shared = [key for key in value[0] if all(key in item for item in value)]
    text = next((key for key in TEXT if key in shared), None)
    mark = next((key for key in MARK if key in shared), None)
    if text is None:
        texts = _keys_of(value, shared, lambda cell: isinstance(cell, str))
        others = [key for key in _keys_of(value, shared, _is_mark) if key not in texts[:1]]
        if len(texts) != 1 or len(others) != 1:
            return [], []
        text, mark = texts[0], others[0]
    return [str(item[text]) for item in value], [str(item[mark]) for item in value] if mark else []


def _keys_of(
    value: list[dict[str, Any]], keys: list[str], test: Callable[[Any], bool]
) -> list[str]:
    """The members that pass in every one of the dicts."""
    return [key for key in keys if all(test(item[key]) for item in value)]


def _is_mark(cell: Any) -> bool:
    return isinstance(cell, int) or len(str(cell)) <= 2


def in_a_row(text: str) -> Options:
    """`a ) 10 , b ) 15` and `(A) x (B) y` as options; marks must run A, B, C … in order."""
    keep: list[re.Match[str]] = []
    for match in _INLINE.finditer(text):
        if match[1].upper() == LETTERS[len(keep)]:
            keep.append(match)
    if len(keep) < 2:
        return [], []
    ends = [match.start() for match in keep[1:]] + [len(text)]
    texts = [text[match.end() : end] for match, end in zip(keep, ends, strict=True)]
    return [one.strip(" ,;\n\t") for one in texts], [match[1].upper() for match in keep]


def inline_options(prompt: str) -> list[str]:
    """Options written inside a prompt, one per line or in a row; [] when there are none."""
    written = re.search(r"\{\s*[\"']A[\"']\s*:.{0,5000}\}", prompt, re.DOTALL)
    if written and by_letter(written.group()):
        return options_in(written.group())[0]
    run: list[str] = []
    for line in _LETTERED.finditer(prompt):
        # The last run of lines A, B, C …: those before it are of an example.
        run = [*run, line[2].strip()] if line[1] == LETTERS[len(run)] else run
        run = [line[2].strip()] if line[1] == "A" else run
    if len(run) < 2 and re.search(r"\(A\)|\bA[).:]\s", prompt):
        return in_a_row(prompt)[0]
    return run if len(run) > 1 else []


def by_letter(cell: Any) -> bool:
    """`{"A": text, "B": text …}`, itself or as a string: options whatever the field is called."""
    value = loads(cell) if isinstance(cell, str) and cell.lstrip()[:1] == "{" else cell
    if not isinstance(value, dict):
        return False
    keys = [str(key).strip("()") for key in value]
    lettered = len(keys) >= 2 and keys == list(LETTERS[: len(keys)])
    plain = all(text is None or isinstance(text, (str, int, float)) for text in value.values())
    return lettered and plain
