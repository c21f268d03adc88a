"""Texts that break one rule of their prompt, made from one that keeps all: with a word that may not
come, without one that has to, too many lines, too long.

Only what a line of the prompt says by itself is broken; a line with a condition, a number beside
its words, or a place for them is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lab.environment import Task
from lab.reward.reading.order import WORDS, Order, altered, without, write
from lab.reward.reading.ordered import (
    CONDITION,
    LONGEST_PHRASE,
    NOT,
    NUMBER,
    QUOTED,
    REQUIRED,
    UNITS,
    listed,
    quotes,
    wanted_items,
)

CASE = re.compile(r"\b(?:any|either|neither|small|capital|upper|lower)\b[^.;\n]*", re.IGNORECASE)
TOO_MANY = 2
PLACE = "\0" * 4
"""Where a word is put in that no filler may be like."""


def breaches(task: Task, order: Order) -> Iterator[tuple[str, str]]:
    """(what is broken, the text) for one task and the order that is kept in full."""
    right = write(order)
    for item in wanted_items(task.prompt):
        bare = without(order, [item])
        yield f"without {item!r}", write(replace(bare, avoid=(*bare.avoid, item)))
    for line in task.prompt.splitlines():
        for word, wanted in _said(line):
            if (word.lower() in right.lower()) != wanted:
                yield "as it was", right
            elif wanted:
                bare = without(order, [word])
                yield f"without {word!r}", write(replace(bare, avoid=(*bare.avoid, word)))
            else:
                yield from _with(order, word)
        if order.acrostic and order.acrostic in line:
            letters = order.acrostic[: len(order.acrostic) // 2]
            yield f"{letters!r} alone", write(replace(order, acrostic=letters))
        more = [one for name, unit in UNITS.items() for one in _too_many(order, name, unit, line)]
        yield from (one for one in more if one[1] != right)
        yield from _too_long(order, line)


def _said(line: str) -> Iterator[tuple[str, bool]]:
    """The words that a line lists, and whether they have to come or may not."""
    words, around = quotes(line), QUOTED.sub("", line)
    if not words and (behind := listed(line)):
        words = [one.strip(" .") for one in re.split(r"[,;]\s*", behind)]
        around = line.removesuffix(behind)
    around = CASE.sub("", around)
    if any(not re.search(r"\w", one) or len(one) > LONGEST_PHRASE for one in words):
        return
    if CONDITION.search(around) or re.search(rf"\b{NUMBER}\b(?!\.)", around):
        return
    refused = bool(NOT.search(around))
    if refused or REQUIRED.search(around):
        yield from ((word, not refused) for word in words)


def _with(order: Order, word: str) -> Iterator[tuple[str, str]]:
    """The text with what may not come: a word, or a letter, small and as a capital."""
    allowed = without(order, [word])
    if len(word) > 1:
        yield f"with {word!r}", write(replace(allowed, keywords=(*allowed.keywords, (word, 1))))
        return
    having = next((one for one in WORDS if word.lower() in one), word)
    avoid = (*allowed.avoid, word)
    text = write(replace(order, avoid=avoid, keywords=(*order.keywords, (PLACE, 1))))
    for said in (having, having.upper()):
        yield f"with {said!r}", text.replace(PLACE, said)


def _too_many(order: Order, name: str, unit: str, line: str) -> Iterator[tuple[str, str]]:
    """More of what a line says how many there are of, or how many at most."""
    exact = re.search(rf"exactly {NUMBER} (?:{unit})\b", line, re.IGNORECASE)
    if exact and getattr(order, name) and name != "words":
        yield f"more {name}", write(altered(order, **{name: getattr(order, name) + TOO_MANY}))
    span = rf"\b{NUMBER} ?(?:to|-|–|and) ?{NUMBER} (?:{unit})\b"
    found = re.search(span, line, re.IGNORECASE)
    each = re.search(r"\b(?:each|every|line|sentence|paragraph|bullet)", line, re.IGNORECASE)
    if found and name == "words" and order.words and not each and found[2].isdecimal():
        yield "twice as long", write(replace(order, words=2 * int(found[2])))


def _too_long(order: Order, line: str) -> Iterator[tuple[str, str]]:
    """A few characters more than a line says that there are at most, in one long word."""
    found = re.search(r"(?:at most|up to|no more than|maximum of) (\d+) characters", line, re.I)
    missing = int(found[1]) + 1 - len(write(order)) if found else 0
    if missing > 1 and not re.search(r"\b(?:each|every|line|subject|title|word)\b", line, re.I):
        yield "too long", write(replace(order, keywords=(*order.keywords, ("o" * missing, 1))))
