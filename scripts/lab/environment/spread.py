"""Which tasks of many are kept for a test: spread over all, with a few whose gold is written as no
other one's is.

One gold in a hundred with a comma, a sign or a fraction is what a comparison of texts gets wrong,
and a handful of tasks spread evenly seldom holds one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

LONGEST = 40
"""Characters of a gold that still has a shape."""
SHARE = 5
"""One task in so many gives way to one with another shape."""


def chosen(count: int, request: dict[str, Any], golds: Sequence[Any] = ()) -> list[int]:
    """The positions of the tasks that are kept: `limit` spread over all (or the first ones), and
    those that `also` names. `golds`: what the rows call the answer, where they do."""
    limit = request["limit"]
    spread = count > limit and not request.get("first")
    kept = [i * count // limit for i in range(limit)] if spread else list(range(count))[:limit]
    if spread and len(golds) == count:
        kept = _with_unusual(kept, [shape(gold) for gold in golds])
    return kept + [i for i in request.get("also", []) if i < count and i not in kept]


def shape(gold: Any) -> str:
    """How a short gold is written: runs of digits and of letters as one, marks as they are; "" for
    words and for what is long."""
    text = str(gold).strip() if isinstance(gold, (str, int, float)) else ""
    if not 0 < len(text) <= LONGEST or not re.search(r"\d", text):
        return ""
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", text))


def _with_unusual(kept: list[int], shapes: list[str]) -> list[int]:
    """The commonest shapes that no kept task has, each in the place of a task whose shape others
    have as well."""
    there = Counter(shapes[i] for i in kept)
    absent = Counter(one for one in shapes if one and one not in there)
    kept = list(kept)
    for one, _ in absent.most_common(len(kept) // SHARE):
        usual = max(there, key=lambda known: there[known])
        if there[usual] < 2:
            break
        place = max(i for i, task in enumerate(kept) if shapes[task] == usual)
        kept[place] = shapes.index(one)
        there[usual] -= 1
    return sorted(kept)
