"""Whole numbers in English words."""

from __future__ import annotations

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(value: int) -> str:
    """Small whole numbers in English; digits for the rest."""
    if value < 0:
        return f"minus {in_words(-value)}"
    if value < 20:
        return _ONES[value]
    if value < 100:
        return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")
    if value < 1000:
        return f"{_ONES[value // 100]} hundred" + (
            f" and {in_words(value % 100)}" if value % 100 else ""
        )
    return (
        f"{in_words(value // 1000)} thousand"
        + (f" {in_words(value % 1000)}" if value % 1000 else "")
        if value < 1_000_000
        else str(value)
    )
