"""What the cells of a field hold: the questions that hints ask of a column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from lab.answers.extract import is_absent
from lab.answers.options import option_index
from lab.answers.shapes import (
    describes_format,
    has_calls,
    has_tests,
    has_tools,
    is_test_code,
    packed,
    parsed,
)
from lab.data.schema.choices import Choices
from lab.data.schema.fields import Field

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
    """What the texts hold as JSON or as Python wrote it."""
    return [value for text in f.texts[:MANY] if (value := parsed(text)) is not None]


def mostly_json(f: Field, test: Callable[[Any], Any]) -> bool:
    return sum(map(bool, map(test, read(f)))) > 0.5 * len(f.texts[:MANY])


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
    return (
        f.share(
            lambda text: (
                is_test_code(text)
                or packed(text)
                or text.startswith("<")
                or parsed(text) is not None
            )
        )
        > 0.5
    )


def calls(f: Field) -> bool:
    """Tool calls, as JSON or as lists."""
    if f.kind == "list":
        return every(f.present[:MANY], lambda cell: has_calls(cell) and not has_tools(cell))
    return mostly_json(f, has_calls)


def constraints(f: Field) -> bool:
    """Lists of ids of what an answer is checked for: `keywords:existence`."""
    return not f.meta and lists_of(f, lambda i: is_text(i) and re.fullmatch(r"[a-z_]+:\w+", i))


def asks_back(f: Field) -> bool:
    """Lists of questions to be answered with yes or no: what an answer is checked for."""
    return lists_of(f, lambda item: is_text(item) and _ASKS_BACK.match(item))


def open_question(f: Field) -> bool:
    """Texts that ask what, who or how many: no yes or no answers them."""
    return f.share(_OPEN.search) > 0.8


def as_long(f: Field, other: Field) -> bool:
    """Lists of which the one has as many members as the one beside it, in every row."""
    return every(
        pairs(f, other)[:MANY],
        lambda both: all(isinstance(a, list) for a in both) and len(both[0]) == len(both[1]),
    )


def sentences(f: Field) -> bool:
    """Lists whose members are sentences, as long texts are sometimes kept."""
    if not lists_of(f, is_text):
        return False
    flat = [item for cell in f.present[:MANY] for item in cell]
    return sum(len(item.split()) for item in flat) >= 4 * len(flat)


def spoken_turns(f: Field) -> bool:
    """Lists of what several people say in turn, each with a name for who says it."""
    names = {"speaker", "author", "sender", "role"}
    return lists_of(f, lambda item: isinstance(item, dict) and names & item.keys())


def pairs(f: Field, other: Field) -> list[tuple[Any, Any]]:
    """The cells of the rows in which both hold something."""
    both = zip(f.cells, other.cells, strict=True)
    return [(a, b) for a, b in both if not is_absent(a) and not is_absent(b)]


def contains(long: Field, short: Field, least: int = 24) -> bool:
    """Texts that have the whole text of the other field in them."""
    both = [(a, b) for a, b in pairs(long, short) if is_text(a) and is_text(b) and len(b) >= least]
    return sum(b.strip() in a for a, b in both) > 0.7 * len(both)


def ends_in(long: Field, short: Field) -> bool:
    """A worked text whose final answer is the other field, a few characters of it."""
    both = [(a, str(b).strip()) for a, b in pairs(long, short) if is_text(a)]
    return sum(b in a and len(a) >= 3 * len(b) for a, b in both) >= 0.8 * len(both) > 0


def formats(f: Field) -> bool:
    """What a program reads, or what it prints: `The first line contains t.`"""
    return f.key in ("input", "output") and f.share(describes_format) > 0.6


def letters(f: Field) -> bool:
    return f.share(lambda text: re.fullmatch(r"\(?[A-Za-z]\)?", text.strip())) > 0.9


def names_options(f: Field, top: Choices, rows: list[dict[str, Any]]) -> bool:
    """The cells name one of the options in nearly every row, by text, letter or index."""
    hits = total = 0
    for row, cell in list(zip(rows, f.cells, strict=True))[:60]:
        options, marks = top.options(row)
        if options and not is_absent(cell) and isinstance(cell, (str, int, float)):
            total += 1
            hits += any(option_index(cell, options, marks, base) is not None for base in (0, 1))
    return hits >= 0.9 * total > 0


def yes_no(text: str) -> bool:
    return text.strip().lower() in ("yes", "no", "true", "false")
