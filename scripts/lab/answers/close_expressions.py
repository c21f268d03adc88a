"""Expressions of the gold's own symbols that have another value: upside down, without the root."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from lab.answers.alike import same
from lab.answers.close_values import Near
from lab.answers.countdown import value_of
from lab.answers.numbers import parse_number
from lab.answers.target import Target

FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]+)\}\s*\{([^{}]+)\}")
TERM = r"(?<=[\w}])\s*([+-])\s*(?=\w|\\)"


def close_expressions(t: Target) -> Iterator[Near]:
    if parse_number(t.gold) is None or "frac" in t.gold:
        near = (
            *_fractions(t.gold),
            *_powers(t.gold),
            *_symbols(t.gold),
            *_terms(t.gold),
            *_letters(t.gold),
        )
        yield from (one for one in near if not same("math", one.text, t.gold))


def _fractions(gold: str) -> Iterator[Near]:
    found = FRACTION.search(gold)
    if found is None or found[1].strip() == found[2].strip():
        return
    head = found[0][: found[0].index("{")]
    yield Near("upside down", gold.replace(found[0], f"{head}{{{found[2]}}}{{{found[1]}}}"))
    yield Near("the digits in a row", gold.replace(found[0], found[1] + found[2]))


def _powers(gold: str) -> Iterator[Near]:
    found = re.search(r"(\w)\^\{?(\w)\}?", gold)
    if found is None:
        return
    base, power = found[1], found[2]
    if base != power:
        yield Near("base and exponent swapped", gold.replace(found[0], f"{power}^{{{base}}}"))
    if power.isdigit():
        yield Near("another exponent", gold.replace(found[0], f"{base}^{{{int(power) + 1}}}"))
    yield Near("without the exponent's mark", gold.replace(found[0], power + base))


PRIMES, MOST_PAIRS = (3, 7, 11, 19, 23, 29, 31, 37), 6
LETTER = re.compile(r"(?<![A-Za-z\\])([A-Za-z])(?![A-Za-z])")


def _letters(gold: str) -> Iterator[Near]:
    """Two letters in each other's places, where that is another value."""
    parts = LETTER.split(gold)
    letters = list(dict.fromkeys(parts[1::2]))
    for one, other in list(combinations(letters, 2))[:MOST_PAIRS]:
        swap = str.maketrans({one: other, other: one})
        exchanged = "".join(part.translate(swap) if n % 2 else part for n, part in enumerate(parts))
        values = [_value(text, letters) for text in (gold, exchanged)]
        if None not in values and values[0] != values[1]:
            yield Near("two letters exchanged", exchanged)
            return


def _value(text: str, letters: list[str]) -> Fraction | None:
    """The value with another prime for each letter."""
    primes = dict(zip(letters, PRIMES, strict=False))
    text = re.sub(r"[·×]|(?<=[\w)])\s*(?=\()|(?<=\d)(?=[A-Za-z])", "*", text)
    text = LETTER.sub(lambda m: str(primes.get(m[0], m[0])), text)
    return value_of(text.replace("^", "**"), powers=True)


def _symbols(gold: str) -> Iterator[Near]:
    for symbol, name in (("\\sqrt", "without the root"), ("\\pi", "without pi")):
        if symbol in gold:
            yield Near(name, gold.replace(symbol, ""))


def _terms(gold: str) -> Iterator[Near]:
    yield Near("sign changed", gold[1:] if gold.startswith("-") else f"-{gold}")
    found = re.search(TERM, gold)
    if found:
        other = "-" if found[1] == "+" else "+"
        yield Near("the last term alone", re.split(TERM, gold)[-1])
        yield Near("plus and minus", gold[: found.start(1)] + other + gold[found.end(1) :])
