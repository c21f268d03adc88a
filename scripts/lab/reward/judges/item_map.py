"""A word for each of several numbered items, in the JSON object that a judge's prompt shows.

    mapped(1)('1. a date\\n2. a place\\n... {"1": "stated", "2": "missing"}', True)
    # {"1": "stated", "2": "stated"}

How many items there are, the prompt lists; which words there are, it quotes. What else the object
has is said as shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from lab.reward.judges.shown_object import words_of

KEY = re.compile(r"([A-Za-z_-]*)(\d{1,2})")
YES_NO = ("yes", "no", "Yes", "No", "YES", "NO")
"""Words that other forms say."""
LONGEST = 24
"""Characters of a word; what is longer is an item."""
MOST = 40
"""Items that a prompt may list."""


def mapped(other: int) -> Callable[[str, bool, Any], str]:
    """The form with the first quoted word for an approval, and with the one at `other` for a
    refusal; "" for prompts that show no such object."""

    def form(prompt: str, right: bool, _format: Any = None) -> str:
        shown = _shown(prompt)
        if shown is None:
            return ""
        keys = {key for value in _levels(shown) for key in value}
        if {word.lower() for word in _values(shown)} <= {"yes", "no"}:
            return json.dumps(_said(shown, prompt, "yes" if right else "no"))
        words = words_of(prompt, {*keys, *YES_NO}, _values(shown))
        if len(words) <= other:
            return ""
        return json.dumps(_said(shown, prompt, words[0 if right else other]))

    return form


def _shown(prompt: str) -> dict[str, Any] | None:
    """The last object of the prompt that has a word for each of some items."""
    decoder, found, end = json.JSONDecoder(), None, 0
    for place in re.finditer(r"\{", prompt):
        if place.start() < end:
            continue  # inside the one before
        try:
            value, end = decoder.raw_decode(prompt, place.start())
        except (ValueError, RecursionError):
            continue
        found = value if any(map(_is_map, _levels(value))) else found
    return found


def _levels(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [value, *(inner for inner in value.values() if isinstance(inner, dict))]


def _values(shown: dict[str, Any]) -> set[str]:
    """The words that the items of the object have."""
    return {one for value in _levels(shown) if _is_map(value) for one in value.values()}


def _is_map(value: dict[str, Any]) -> bool:
    words = all(isinstance(one, str) and len(one) <= LONGEST for one in value.values())
    return bool(value) and words and all(KEY.fullmatch(key) for key in value)


def _said(shown: dict[str, Any], prompt: str, word: str) -> dict[str, Any]:
    if _is_map(shown):
        prefix = str(KEY.sub(r"\1", next(iter(shown))))
        lines, keys = rf"(?m)^\W*{prefix}%s\b", rf"[\"']{prefix}%s[\"']\s*:"
        count = _count(lines, prompt) or _count(keys, prompt)
        return {f"{prefix}{n}": word for n in range(1, max(count, 1) + 1)}
    return {k: _said(v, prompt, word) if isinstance(v, dict) else v for k, v in shown.items()}


def _count(numbered: str, prompt: str) -> int:
    """How many things a prompt numbers in this manner, from 1 on."""
    found = (re.search(numbered % n, prompt) for n in range(1, MOST))
    return next((n for n, one in enumerate(found) if not one), 0)
