"""Whether two answers are the same, or nearly the same, to a lenient reader."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from fractions import Fraction

from lab.answers.countdown import value_of
from lab.answers.numbers import parse_number

TRUTH = {
    word: truth
    for truth, words in ((True, "yes true y t correct 1"), (False, "no false n f incorrect 0"))
    for word in words.split()
}
LONG = 40
"""Characters above which a text is a sentence: words in common with another one say little."""
NEARLY = 0.6
"""Likeness from which on two long texts are nearly the same."""
COMPARED = 160
"""Characters of each of two long texts that are compared."""


def same(answer_type: str, left: str, right: str) -> bool:
    """Whether a lenient reader could take one for the other; errs towards yes."""
    a, b = parse_number(left), parse_number(right)
    if a is not None and b is not None:
        x, y = abs(Fraction(a)), abs(Fraction(b))
        return x == y or x == y * 100 or y == x * 100
    if answer_type == "expression":
        return value_of(left) == value_of(right)
    one, two = plain_words(left), plain_words(right)
    if answer_type == "boolean" and one in TRUTH and two in TRUTH:
        return TRUTH[one] == TRUTH[two]
    if not one or not two:
        return one == two and left.strip() == right.strip()
    if answer_type in ("text", "list", "label"):
        return one == two or (min(len(one), len(two)) > 2 and (one in two or two in one))
    return one == two and re.sub(r"\s", "", left).lower() == re.sub(r"\s", "", right).lower()


def beside(left: str, right: str) -> bool:
    """Whether they are numbers within a tenth of each other: what a tolerance may take for one."""
    a, b = parse_number(left), parse_number(right)
    return (
        a is not None
        and b is not None
        and abs(Fraction(a) - Fraction(b)) * 10 <= max(abs(Fraction(a)), abs(Fraction(b)))
    )


def plain_words(text: str) -> str:
    """Lower case, no accents, only letters and digits with single spaces."""
    text = unicodedata.normalize("NFKD", text)
    text = "".join(char for char in text if not unicodedata.combining(char))
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def nearly(left: str, right: str) -> bool:
    """Whether two long texts are nearly the same, by their words or by their characters: what
    pays for likeness pays one for the other."""
    if min(len(left), len(right)) <= LONG:
        return False
    pairs = (left.split(), right.split()), (left[:COMPARED], right[:COMPARED])
    found = (SequenceMatcher(None, a, b) for a, b in pairs)
    return any(m.quick_ratio() >= NEARLY and m.ratio() >= NEARLY for m in found)
