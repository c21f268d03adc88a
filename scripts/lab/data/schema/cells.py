"""What the cells of a field hold: the questions that hints ask of a column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from lab.answers.extract import is_absent
from lab.answers.extract import option_index as index_of
from lab.answers.options import strip_option_mark
from lab.answers.shapes import (
    describes_format,
    has_calls,
    has_tests,
    has_tools,
    is_code,
    is_test_code,
    packed,
    parsed,
)
from lab.data.schema.choices import Choices
from lab.data.schema.fields import Field
from lab.data.schema.paths import columns

MANY = 40
"""Cells that are looked at."""
_ASKS_BACK = re.compile(
    r"\s*(?:is|are|do(?:es)?|did|ha[sd]|have|was|were|can|will|would|could|should)\b.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_OPEN = re.compile(
    r"(?:^|[.?!,:;\n]\s*|\b(?:in|at|on|by|for|from|of|to|with) )(?:what|which|who|whom|whose|when"
    r"|where|how (?:many|much|long|far|old|often))\b",
    re.IGNORECASE,
)


def every(cells: Iterable[Any], test: Callable[[Any], Any]) -> bool:
    """All cells pass, and there is one."""
    known = list(cells)
    return bool(known) and all(test(cell) for cell in known)


def read(f: Field) -> list[Any]:
    """What the texts hold as JSON or as Python wrote it; [] unless most of them do."""
    values = [parsed(text) for text in f.texts[:MANY]]
    known = [value for value in values if value is not None]
    return known if len(known) >= 0.6 * len(values) else []


def mostly_json(f: Field, test: Callable[[Any], Any]) -> bool:
    known = read(f) if f.kind == "string" else []
    return bool(known) and sum(map(bool, map(test, known))) > 0.5 * len(known)


def lists_of(f: Field, test: Callable[[Any], Any]) -> bool:
    """A list in each row, whose members all pass."""
    return (
        f.kind == "list"
        and every(f.present[:MANY], lambda c: isinstance(c, list))
        and every((item for cell in f.present[:MANY] for item in cell), test)
    )


def is_text(item: Any) -> bool:
    return isinstance(item, str)


def holds_tests(f: Field) -> bool:
    cells = f.present[:MANY]
    if f.kind == "list":
        return lists_of(f, is_text) or any(map(has_tests, cells))
    if f.kind == "dict":
        inner = [part for cell in cells for part in cell.values() if isinstance(part, str)]
        return any(map(has_tests, cells)) or any(map(is_test_code, inner))
    if f.kind != "string":
        return False
    written = f.share(
        lambda text: (
            is_test_code(text) or packed(text) or text.startswith("<") or parsed(text) is not None
        )
    )
    return written > 0.5 or (f.key in ("test", "tests") and f.share(is_code) > 0.5)


def calls(f: Field) -> bool:
    """Tool calls, as JSON or as lists."""
    if f.kind == "list" and not f.depth:
        return every(f.present[:MANY], lambda cell: has_calls(cell) and not has_tools(cell))
    return mostly_json(f, has_calls)


def asks_back(f: Field) -> bool:
    """Lists of questions to be answered with yes or no: what an answer is checked for."""
    return lists_of(f, lambda item: isinstance(item, str) and _ASKS_BACK.match(item)) and (
        sum(map(len, f.present[:MANY])) > len(f.present[:MANY])
    )


def open_question(f: Field) -> bool:
    """Texts that ask what, who or how many: no yes or no answers them."""
    return f.kind == "string" and f.share(_OPEN.search) > 0.8


def tokens(f: Field) -> bool:
    """A text as the list of its words."""
    return f.words[-1] in ("tokens", "words", "toks") and lists_of(
        f, lambda item: isinstance(item, str) and " " not in item.strip()
    )


def as_long(f: Field, other: Field) -> int:
    """The most members of a row, where the list beside it has as many in every row; else 0."""
    both = pairs(f, other)[:MANY]
    if not every(both, lambda p: isinstance(p[0], list) and isinstance(p[1], list)):
        return 0
    return max(len(a) for a, _ in both) if all(len(a) == len(b) for a, b in both) else 0


def sentences(f: Field) -> bool:
    """Lists whose members are sentences, as long texts are sometimes kept."""
    if not lists_of(f, is_text):
        return False
    flat = [item for cell in f.present[:MANY] for item in cell]
    return sum(len(item.split()) for item in flat) >= 4 * len(flat)


def spoken_turns(f: Field) -> bool:
    """Lists of what several people say in turn, each with a name for who says it."""
    said = ("text", "utterance", "message", "content", "value")
    return lists_of(
        f,
        lambda item: (
            isinstance(item, dict)
            and {"speaker", "author", "sender", "role"}.intersection(item)
            and any(isinstance(item.get(key), str) for key in said)
        ),
    )


def pairs(f: Field, other: Field) -> list[tuple[Any, Any]]:
    """The cells of the rows in which both hold something."""
    both = zip(f.cells, other.cells, strict=True)
    return [(a, b) for a, b in both if not is_absent(a) and not is_absent(b)]


def contains(long: Field, short: Field, least: int = 24) -> bool:
    """Texts that have the whole text of the other field in them."""
    if long.kind != "string" or short.kind != "string":
        return False
    both = [(a, b) for a, b in pairs(long, short) if len(b) >= least]
    return len(both) > 0 and sum(b.strip() in a for a, b in both) > 0.7 * len(both)


def ends_in(long: Field, short: Field) -> bool:
    """A worked text whose final answer is the other field, a few characters of it."""
    both = [(a, str(b).strip()) for a, b in pairs(long, short)] if long.kind == "string" else []
    inside = sum(b in a and len(b) <= 60 and len(a) >= 3 * max(len(b), 4) for a, b in both)
    return inside >= 0.8 * len(both) > 0


def formats(f: Field) -> bool:
    """What a program reads, or what it prints: `The first line contains t.`"""
    return f.key in ("input", "output") and f.share(describes_format) > 0.6


def letters(f: Field) -> bool:
    return f.share(lambda text: re.fullmatch(r"\(?[A-Za-z]\)?", text.strip())) > 0.9


def names_options(f: Field, top: Choices | None, rows: list[dict[str, Any]]) -> str:
    """How the cells name one of the options in nearly every row: "text", "mark" or ""."""
    if top is None or f.kind not in ("string", "int", "float", "mixed"):
        return ""
    if f.path in columns(top.path):
        return ""
    hits = total = 0
    worded = False
    for row, cell in list(zip(rows, f.cells, strict=True))[:60]:
        options, marks = top.options(row)
        if is_absent(cell) or isinstance(cell, bool) or not options:
            continue
        total += 1
        exact = str(cell).strip() in [*options, *map(strip_option_mark, options)]
        worded |= exact
        hits += exact or any(index_of(cell, options, marks, base) is not None for base in (0, 1))
    if not total or hits < 0.9 * total:
        return ""
    return "text" if worded and f.kind == "string" else "mark"


def yes_no(text: str) -> bool:
    return text.strip().lower() in ("yes", "no", "true", "false")
