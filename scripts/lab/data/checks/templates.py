"""Prompts that differ only in their fillings: numbers, names and other words in the same place.

    found = templates(["Ines buys 3 lamps.", "Omar buys 5 jars.", ...])
    found[0].text, found[0].members          # "@ buys # * ." and the places of its prompts

Numbers become `#`, names and quotes `@`; prompts of one length that then agree in most places are
one template, and the places where they differ become `*`. (Log parsers group lines the same way.)
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

ALIKE = 0.7
"""Share of the places in which two prompts of one template agree."""
SHARED = 0.5
"""Share of the prompts from which on a sentence is an instruction to all of them."""
FIRST, LAST = 80, 40
"""Words looked at from either end of a long prompt."""
FEWEST = 5
"""Prompts from which on a group is called a template."""

TOKEN = re.compile(r"\d[\d.,]*\d|\d|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]|_+")
_SENTENCE = re.compile(r"(?<=[.?!:])\s+|\n+")
_QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|`[^`\n]{1,80}`|(?<!\w)'[^'\n]{1,80}'(?!\w)")
_ENDS = frozenset(".?!:\n")


@dataclass(frozen=True)
class Template:
    text: str
    """Its words with `#` for numbers, `@` for names and quotes, `*` for other fillings."""
    members: list[int]
    """The places of its prompts in what was given, in order."""


def without_shared(prompts: Sequence[str]) -> list[str]:
    """The prompts without the sentences that most of them share, where something remains."""
    parts = [[part for part in _SENTENCE.split(prompt) if part.strip()] for prompt in prompts]
    seen = Counter(part for own in parts for part in set(own))
    most = max(2.0, SHARED * len(prompts))
    shared = {part for part, count in seen.items() if count > most}
    if not shared:
        return list(prompts)
    kept = [" ".join(part for part in own if part not in shared) for own in parts]
    return [
        own if len(TOKEN.findall(own)) >= 2 else prompt
        for own, prompt in zip(kept, prompts, strict=True)
    ]


def templates(prompts: Sequence[str]) -> list[Template]:
    """Every group of at least `FEWEST` prompts of one template, the largest first."""
    groups = [group for group in _groups(masked(prompts)) if len(group.members) >= FEWEST]
    return sorted(groups, key=lambda group: (-len(group.members), group.members[0]))


def masked(prompts: Sequence[str]) -> list[list[str]]:
    """The words of each prompt in lower case, with `#` for numbers and `@` for names and quotes."""
    cut = [_QUOTED.sub(" @ ", _ends(prompt)) for prompt in without_shared(prompts)]
    read = [TOKEN.findall(prompt) for prompt in cut]
    small = {word for words in read for word in words if word.islower()}
    named = {
        word
        for words in read
        for before, word in pairwise(words)
        if before not in _ENDS and word[:1].isupper()
    }
    return [_masked(words, small, named) for words in read]


def _ends(prompt: str) -> str:
    """A long prompt as its beginning and its end."""
    words = prompt.split(" ")
    if len(words) <= FIRST + LAST:
        return prompt
    return " ".join([*words[:FIRST], *words[-LAST:]])


def _masked(words: list[str], small: set[str], named: set[str]) -> list[str]:
    out: list[str] = []
    for place, word in enumerate(words):
        first = place == 0 or words[place - 1] in _ENDS
        if word[0].isdigit():
            mark = "#"
        elif word == "@" or (
            word[0].isupper()
            and word.lower() not in small
            and (not first or word in named or len(word) == 1)
        ):
            mark = "@"
        else:
            mark = word.lower()
        if not (mark in "#@" and out and out[-1] == mark):
            out.append(mark)
    return out


def _groups(rows: list[list[str]]) -> list[Template]:
    import numpy as np

    by_length: dict[int, list[int]] = defaultdict(list)
    for place, words in enumerate(rows):
        if words:
            by_length[len(words)].append(place)
    numbers: dict[str, int] = {}
    out = []
    for length, places in sorted(by_length.items()):
        # One row for each place in the prompts: so numpy adds up many prompts at a time.
        matrix = np.array(
            [[numbers.setdefault(word, len(numbers)) for word in rows[place]] for place in places],
            dtype=np.int32,
        ).T.copy()
        free = np.ones(len(places), dtype=bool)
        for start in range(len(places)):
            if not free[start]:
                continue
            # Those before it have their group.
            agree = matrix[:, start:] == matrix[:, start : start + 1]
            alike = free[start:] & (agree.sum(axis=0, dtype=np.int32) >= ALIKE * length)
            free[start:] &= ~alike
            members = start + np.flatnonzero(alike)
            same = agree[:, alike].all(axis=1)
            text = " ".join(
                word if kept or word in "#@" else "*"
                for word, kept in zip(rows[places[start]], same, strict=True)
            )
            out.append(Template(text, [places[member] for member in members]))
    return out
