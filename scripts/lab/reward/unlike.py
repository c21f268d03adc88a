"""The tasks that differ most from each other: a few of them show what all tasks ask.

A gold that is wrong is mostly wrong on tasks of one sort: past midnight, a tie, an empty list, a
negative amount. So each next one is the task that shares least with those that are shown already
(farthest first, Gonzalez 1985; https://doi.org/10.1016/0304-3975(85)90224-5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

WORD = re.compile(r"[-+]?\d[\d.,:/]*|[^\W\d]+")


def unlike(texts: Sequence[str], most: int) -> list[int]:
    """The positions of at most `most` texts, the first one first. Words that all texts have say
    nothing; of a number its sign, marks and length count."""
    traits = [set(map(_trait, WORD.findall(text))) for text in texts]
    if not traits:
        return []
    shared = set.intersection(*traits)
    traits = [one - shared for one in traits]
    chosen, near = [0], [_distance(traits[0], one) for one in traits]
    while len(chosen) < min(most, len(texts)):
        far = max((i for i in range(len(texts)) if i not in chosen), key=lambda i: (near[i], -i))
        chosen.append(far)
        near = [min(a, _distance(traits[far], one)) for a, one in zip(near, traits, strict=True)]
    return chosen


def _trait(word: str) -> str:
    return re.sub(r"\d", "9", word) if word[-1].isdigit() or word[0].isdigit() else word.lower()


def _distance(one: set[str], other: set[str]) -> float:
    """Jaccard distance, 0 to 1."""
    return 1 - len(one & other) / len(one | other) if one or other else 0.0
