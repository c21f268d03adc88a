"""The most similar known prompt, by its words; rare words weigh more."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

NEAR = 0.8
"""Likeness (cosine of weighted words) from which on two prompts are nearly the same one."""
LOOKED_UP = 6
"""Rare words of a prompt by which its neighbours are looked for."""
POSTINGS = 40
"""Prompts that are compared for each of these words."""


class Nearest:
    """The words of many prompts, weighed once; `over` makes an index of some of them."""

    def __init__(self, texts: Sequence[str]):
        self.words = [frozenset(text.split()) for text in texts]
        seen = Counter(word for own in self.words for word in own)
        count = max(1, len(texts))
        self.weight = {word: math.log(1 + count / times) ** 2 for word, times in seen.items()}
        self.size = [math.sqrt(sum(self.weight[word] for word in own)) for own in self.words]

    def over(self, places: Iterable[int]) -> Index:
        postings: dict[str, list[int]] = defaultdict(list)
        for place in places:
            for word in self.words[place]:
                postings[word].append(place)
        return Index(self, postings)


@dataclass(frozen=True)
class Index:
    of: Nearest
    postings: dict[str, list[int]]

    def best(self, place: int, like: bool = False) -> int | None:
        """The place of the most similar known prompt; `like`: only a nearly identical one, with the
        same numbers."""
        words, weight, size = self.of.words[place], self.of.weight, self.of.size
        rare = sorted(
            (word for word in words if word in self.postings),
            key=lambda word: (len(self.postings[word]), word),
        )
        near = {other for word in rare[:LOOKED_UP] for other in self.postings[word][:POSTINGS]}
        best, most = None, 0.0
        for other in sorted(near - {place}):
            shared = sum(map(weight.__getitem__, words & self.of.words[other]))
            likeness = shared / max(1e-9, size[place] * size[other])
            if likeness > most:
                best, most = other, likeness
        if best is None or not like:
            return best
        same = _numbers(words) == _numbers(self.of.words[best])
        return best if most >= NEAR and same else None


def _numbers(words: frozenset[str]) -> set[str]:
    return {word for word in words if any(char.isdigit() for char in word)}
