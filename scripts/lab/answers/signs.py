"""Answers that differ from the gold by a sign alone, as other golds do: `C` for `C++`, `A−` for
`A+`, `Do` for `Do♯`.

Only words that the golds themselves tell apart by their signs are exchanged: elsewhere a sign may
be decoration.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from lab.answers.close_values import Near
from lab.answers.target import Target

WORD = re.compile(r"[^\W\d_][^\s,;|/()\[\]{}<>\"'“”«»–—]*")
"""A word with what is attached to it; numbers and their signs are compared as numbers."""
KEYBOARD = "#+-′"
"""Signs that are no symbols by their Unicode category."""


def other_signs(t: Target) -> Iterator[Near]:
    """The gold with one word as another gold writes it, if that differs by its signs only."""
    told_apart = _told_apart(t.golds)
    for match in WORD.finditer(t.gold):
        word = _word(match[0])
        for other in sorted(told_apart.get(_bare(word), set()) - {word}):
            end = match.start() + len(word)
            changed = t.gold[: match.start()] + other + t.gold[end:]
            if changed not in t.accepted:
                yield Near(f"{other} for {word}", changed)


@lru_cache(maxsize=8)
def _told_apart(golds: tuple[str, ...]) -> dict[str, set[str]]:
    """Words without their signs -> the words of all golds that differ by them."""
    found: dict[str, set[str]] = defaultdict(set)
    for gold in golds:
        for match in WORD.finditer(gold):
            word = _word(match[0])
            if _bare(word):
                found[_bare(word)].add(word)
    return {bare: words for bare, words in found.items() if len(words) > 1}


def _word(text: str) -> str:
    return text.rstrip(".:!?*`")


def _bare(word: str) -> str:
    """The letters and digits of a word whose other characters are all signs; "" for other words.
    A hyphen is a sign at the end only: inside it joins words."""
    rest = [char for char in word if not char.isalnum() and not unicodedata.combining(char)]
    if "-" in word[:-1] or not all(_is_sign(char) for char in rest):
        return ""
    return "".join(char for char in word if char not in rest)


def _is_sign(char: str) -> bool:
    return char in KEYBOARD or unicodedata.category(char)[0] == "S"
