"""Expressions of the gold's own symbols that have another value: upside down, without the root."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.answers.alike import same
from lab.answers.close_values import Near
from lab.answers.numbers import parse_number
from lab.answers.target import Target

FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]+)\}\s*\{([^{}]+)\}")
TERM = r"(?<=[\w}])\s*([+-])\s*(?=\w|\\)"


def close_expressions(t: Target) -> Iterator[Near]:
    if parse_number(t.gold) is None or "frac" in t.gold:
        near = (*_fractions(t.gold), *_powers(t.gold), *_symbols(t.gold), *_terms(t.gold))
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
