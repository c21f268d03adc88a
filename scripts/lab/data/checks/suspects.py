"""`suspects`: which of many rows may hold an order to an agent, or a key.

Both are looked for by patterns that need certain words. Of many rows those with such a word are
found in one pass over all their texts, and not in one for each word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lab.cli.secret_forms import shortest_marks
from lab.data.checks.item import Item
from lab.data.checks.orders import HINTS


def suspects(items: Sequence[Item]) -> list[bool]:
    """True for each row in which an order or a key cannot be ruled out."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        texts = ["\n".join(texts_of(item)).encode() for item in items]
    except UnicodeEncodeError:
        return [True] * len(items)
    # Of buffers: pyarrow imports pandas before it looks at a list.
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    buffers = map(pa.py_buffer, (ends, b"".join(texts)))
    column = pa.LargeStringArray.from_buffers(len(texts), *buffers)
    words = "|".join(map(re.escape, {*HINTS, *shortest_marks()})).replace(r"\ ", r"\W+")
    return pc.match_substring_regex(column, words, ignore_case=True).to_pylist()


def texts_of(item: Item) -> tuple[str, ...]:
    """Every text of a row that a reader may see."""
    return (item.prompt, item.context, *(item.golds or ()), *item.options, *item.other)
