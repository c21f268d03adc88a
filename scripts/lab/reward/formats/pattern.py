"""A text that a regular expression matches, cut at its groups.

sample(r"<final>\\s*(.*?)\\s*</final>")   -> ("<final>", "</final>", "")
sample(r"Answer:\\s*([A-D])\\b")          -> ("Answer: ", "", "")
sample(r"(\\w+)\\s*->\\s*(\\d+)")          -> ("", "", "->")
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

BEFORE_BLANK = ":：=#→"
"""Characters after which an optional blank is usually written."""


def sample(pattern: str) -> tuple[str, str, str] | None:
    """What a match has before the first capturing group, after the last one, and between its
    groups; None without a group, or where the pattern does not compile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError, ValueError):
        return None
    writer = _Writer()
    try:
        writer.sequence(parsed)
    except (RecursionError, KeyError, IndexError):
        return None
    if writer.first is None:
        return None
    text, first, last = writer.text, writer.first, writer.last
    return text[:first], text[last:], text[first:last]


def match_of(pattern: str, flags: int = 0, *, filled: bool = False) -> str:
    """The shortest ordinary text that the pattern matches; "" where none is found. `filled`: with
    something in groups that may be empty."""
    writer = _Whole(filled=filled)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            writer.sequence(_parser.parse(pattern, flags))
            texts = writer.text.rstrip("\n"), writer.text
            return next((text for text in texts if re.search(pattern, text, flags)), "")
    except (re.error, RecursionError, OverflowError, ValueError, KeyError, IndexError):
        return ""


class _Writer:
    """Writes the shortest ordinary match, with nothing in its capturing groups."""

    def __init__(self) -> None:
        self.text = ""
        self.first: int | None = None
        self.last = 0

    def sequence(self, items: Any) -> None:
        for kind, value in items:
            self.item(kind, value)

    def item(self, kind: Any, value: Any) -> None:
        if kind is op.LITERAL:
            self.text += chr(value)
        elif kind is op.NOT_LITERAL or kind is op.ANY:
            self.text += "x"
        elif kind is op.IN:
            self.text += _member(value)
        elif kind is op.AT:
            self.line_start(value)
        elif kind is op.BRANCH:
            self.sequence(value[1][0])
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, getattr(op, "POSSESSIVE_REPEAT", None)):
            self.repeat(*value)
        elif kind is op.SUBPATTERN and value[0] is not None:
            self.first = len(self.text) if self.first is None else self.first
            self.last = len(self.text)
        elif kind is op.SUBPATTERN or kind is getattr(op, "ATOMIC_GROUP", None):
            self.sequence(value[-1] if kind is op.SUBPATTERN else value)

    def line_start(self, place: Any) -> None:
        """`^` after something else: a new line."""
        if place is op.AT_BEGINNING and (self.first is not None or self.text):
            self.text += "" if self.text.endswith("\n") and self.first is None else "\n"

    def repeat(self, least: int, most: int, items: Any) -> None:
        if least == 0 and _is_blank(items):
            if self.first is None and self.text[-1:] and self.text[-1] in BEFORE_BLANK:
                self.text += " "
        elif least == 0 and _has_group(items):
            self.sequence(items)
        for _ in range(min(least, 40)):
            self.sequence(items)


class _Whole(_Writer):
    """Writes what is in the groups as well; `filled`: something in each."""

    def __init__(self, *, filled: bool = False) -> None:
        super().__init__()
        self.filled, self.inside = filled, 0

    def item(self, kind: Any, value: Any) -> None:
        if kind is op.SUBPATTERN:
            self.inside += value[0] is not None
            self.sequence(value[-1])
            self.inside -= value[0] is not None
        elif kind is op.AT and value is op.AT_END:
            self.text += "\n"  # what comes after it is on another line
        else:
            super().item(kind, value)

    def repeat(self, least: int, most: int, items: Any) -> None:
        empty = self.filled and self.inside and least == 0 and not _is_blank(items)
        super().repeat(1 if empty else least, most, items)


def _member(members: Any) -> str:
    """One character of a class."""
    kind, value = members[0]
    if kind is op.NEGATE:
        return "x"
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.RANGE:
        return "1" if value[0] <= ord("1") <= value[1] else chr(value[0])
    return {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " "}.get(str(value), "x")


def _is_blank(items: Any) -> bool:
    """Whether a repeated part is white space."""
    kind, value = items[0]
    if kind is op.LITERAL:
        return chr(value).isspace()
    return kind is op.IN and all(k is op.CATEGORY and "SPACE" in str(v) for k, v in value)


def _has_group(items: Any) -> bool:
    return any(kind is op.SUBPATTERN and value[0] is not None for kind, value in items)


MOST_MATCHES = 12
SAMPLES = ("yes", "no", "1", "0", "5", "10")
"""What is written into a group that takes anything."""


def matches(pattern: str, words: Sequence[str] = ()) -> list[str]:
    """Up to a dozen texts that a pattern with groups matches, with other contents of its groups:
    `words` first."""
    found = sample(pattern)
    if found is None:
        return []
    before, after, _ = found
    try:
        compiled = re.compile(pattern)
    except re.error:
        return []
    named = re.findall(r"[A-Za-z]{1,16}", pattern.replace("\\b", " "))
    texts = [f"{before}{word}{after}" for word in dict.fromkeys([*words, *named, *SAMPLES])]
    return [text for text in texts if compiled.search(text)][:MOST_MATCHES]
