"""The options of one multiple-choice row, read out of a cell of any shape.

A list, a dict `{text, label}` or `{A: …}`, a list of dicts, or one text (`a ) 10 , b ) 15`,
lettered lines, JSON or a Python literal).
"""

from __future__ import annotations

import re
from typing import Any

from lab.answers.extract import loads
from lab.answers.options import LETTERS, strip_option_mark

Options = tuple[list[str], list[str]]
"""Texts, and their own marks or []."""
TEXTS = ("text", "texts", "choices", "options")
MARKS = ("label", "labels", "key")
TEXT = ("text", "value", "content", "option", "choice", "answer", "body")
MARK = ("label", "key", "id", "letter", "index", "identifier")
_KEY = re.compile(r"\(?[A-Za-z]\)?|\d{1,2}|(?:option|choice)[ _]?[A-Za-z0-9]")
_INLINE = re.compile(r"(?:^|[\s,;(\[])\(?\s*([a-jA-J])\s*[).:]\s*")


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
        apart = len(marks) == len(texts) and all(isinstance(mark, str) for mark in marks)
        return [str(text) for text in texts], list(marks) if apart else []
    keys = [key for key in value if value[key] is not None]
    if keys and all(_KEY.fullmatch(str(key)) for key in keys):
        return [str(value[key]) for key in keys], [str(key).strip("()") for key in keys]
    return [], []


def _of_dicts(value: list[dict[str, Any]]) -> Options:
    shared = [key for key in value[0] if all(key in item for item in value)]
    text = next((key for key in TEXT if key in shared), None)
    mark = next((key for key in MARK if key in shared), None) if text else None
    if text is None:
        text, mark = _by_content(value, shared)
    if text is None:
        return [], []
    return [str(item[text]) for item in value], [str(item[mark]) for item in value] if mark else []


def _by_content(value: list[dict[str, Any]], keys: list[str]) -> tuple[str | None, str | None]:
    """(the one member with texts, another with short marks), whatever they are called."""
    texts = [key for key in keys if all(isinstance(item[key], str) for item in value)]
    marks = [key for key in keys if all(_is_mark(item[key]) for item in value)]
    if len(texts) == 1:
        marks = [key for key in marks if key not in texts]  # short texts look like marks
    if len(keys) <= 3 and len(texts) == 1 and len(marks) == 1:
        return texts[0], marks[0]
    return None, None


def _is_mark(cell: Any) -> bool:
    return isinstance(cell, int) or len(str(cell)) <= 2


def in_a_row(text: str) -> Options:
    """`a ) 10 , b ) 15` and `(A) x (B) y` as options; marks must run A, B, C … in order."""
    keep: list[re.Match[str]] = []
    for match in _INLINE.finditer(text):
        if match[1].upper() == LETTERS[len(keep)]:
            keep.append(match)
    if len(keep) < 2:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        marked = len(lines) >= 2 and all(strip_option_mark(line) != line for line in lines)
        return (lines if marked else []), []
    ends = [match.start() for match in keep[1:]] + [len(text)]
    texts = [text[match.end() : end] for match, end in zip(keep, ends, strict=True)]
    return [one.strip(" ,;\n\t") for one in texts], [match[1].upper() for match in keep]


def inline_options(prompt: str) -> list[str]:
    """Options written inside a prompt, one per line or in a row; [] when there are none."""
    written = re.search(r"\{\s*[\"']A[\"']\s*:.{0,5000}\}", prompt, re.DOTALL)
    if written and by_letter(written.group()):
        return options_in(written.group())[0]
    texts, marks = in_a_row(prompt) if re.search(r"\(A\)|\bA[).:]\s", prompt) else ([], [])
    return texts if len(marks) >= 2 else []


def by_letter(cell: Any) -> bool:
    """`{"A": text, "B": text …}`, itself or as a string: options whatever the field is called."""
    value = loads(cell) if isinstance(cell, str) and cell.lstrip()[:1] == "{" else cell
    if not isinstance(value, dict):
        return False
    keys = [str(key).strip("()") for key in value]
    lettered = len(keys) >= 2 and keys == list(LETTERS[: len(keys)])
    plain = all(text is None or isinstance(text, (str, int, float)) for text in value.values())
    return lettered and plain
