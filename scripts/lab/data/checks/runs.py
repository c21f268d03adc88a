"""Runs of eight words in many texts at once, as numbers.

    runs, places = runs_of(["one two … nine", "…"], stride=3)     # two arrays of the same length

A run has the same number in every text. A text of four to seven words is one run; a shorter one
has none. Whole arrays are worked on: text by text the same takes three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

NGRAM = 8
"""Words of one run: GPT-3's and most later contamination studies use 8 to 13."""
FEWEST = 4
LONGEST = 1 << 20
"""Characters of a text that are looked at: whatever comes after is no question any more."""
AT_ONCE = 1 << 18
"""Characters of many texts that are read at a time."""
SPACE = ord(" ")
BASE = 0x9E3779B97F4A7C15
"""Of the powers by which the bytes of a run count; odd, so that it has an inverse."""


def parts(values: Iterable[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    """The values in lists of about `AT_ONCE` characters, so that many long ones do not fill the
    memory."""
    part: list[T] = []
    held = 0
    for value in values:
        part.append(value)
        held += size(value)
        if held >= AT_ONCE:
            yield part
            part, held = [], 0
    if part:
        yield part


def runs_of(texts: Sequence[str], stride: int = 1) -> tuple[Any, Any]:
    """(the number of every `stride`-th run, the place of its text), in the order of the texts,
    which are words with one space between them."""
    import numpy as np

    encoded = [text[:LONGEST].encode("utf-8", "surrogatepass") for text in texts]
    raw = np.frombuffer(b" ".join([b"", *encoded, b""]), np.uint8)
    power, back = _powers(1 << max(16, (len(raw) - 1).bit_length()))
    sums = np.cumsum(raw * power[: len(raw)], dtype=np.uint64)
    gaps = np.flatnonzero(raw == SPACE)
    words = np.array([text.count(b" ") + 1 for text in encoded], np.int64)
    short = (words >= FEWEST) & (words < NGRAM)
    runs = np.where(short, 1, np.maximum(0, (words - NGRAM) // stride + 1))
    # The gap before the first word of each run, and the one after its last.
    begin = np.repeat(np.cumsum(words) - words - stride * (np.cumsum(runs) - runs), runs)
    begin += stride * np.arange(len(begin))
    end = begin + np.repeat(np.minimum(words, NGRAM), runs)
    begin, end = gaps[begin], gaps[end]
    return (sums[end - 1] - sums[begin]) * back[begin], np.repeat(np.arange(len(texts)), runs)


@cache
def _powers(places: int) -> tuple[Any, Any]:
    """By what the byte at each place counts, and what makes up for the place: the same run has the
    same number everywhere."""
    import numpy as np

    power, back = (
        np.cumprod(np.full(places, base, np.uint64), dtype=np.uint64)
        for base in (BASE, pow(BASE, -1, 1 << 64))
    )
    return power, back
