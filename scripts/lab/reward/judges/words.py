"""Words by which judges approve and refuse, in the usual languages."""

from __future__ import annotations

POSITIVE = (
    "yes correct true pass passed equivalent right good accept accepted a match met valid"
    " ja oui si sí да 是 对 正确 はい 正解"
).split()
NEGATIVE = (
    "no incorrect false fail failed wrong bad reject rejected b mismatch unmet invalid"
    " nein non нет 否 错 错误 いいえ 不正解"
).split()


def positive(word: str) -> bool:
    return word.lower() in POSITIVE


def negative(word: str) -> bool:
    return word.strip("[]()*.").lower() in NEGATIVE


def better(first: str, second: str) -> tuple[str, str]:
    """Two words of a verdict, the approval first; as they stand where neither is known."""
    turned = negative(first) or (positive(second) and not positive(first))
    return (second, first) if turned else (first, second)
