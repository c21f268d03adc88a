"""Read a number as a careful reader would: separators, currency, markup, fractions, a unit.

A slot is a number only when nothing else stands in it: `23 = 18`, `18 or 20`, `not 18` and
`18 (this is wrong)` are not numbers, so a hedge is never paid.
"""

import re
import unicodedata
from fractions import Fraction
from typing import Any

from .slots import last_line_slot

NUMBER = re.compile(r"[+-]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][+-]?\d{1,3})?")
LATEX_FRACTION = re.compile(r"([+-]?)\\[dt]?frac\{?(\d+)\}?\{?(\d+)\}?")
UNIT = re.compile(r"(?:dollars?|cents?|euros?|percent|%)", re.IGNORECASE)
NOT_A_UNIT = {"is", "not", "or", "and", "no", "wrong", "than", "about", "maybe", "minus", "plus", "times"}


def read_number(text: str | None, question: str = "") -> Fraction | None:
    """The exact value of `text` when it is one number and nothing else, otherwise None.

    A single unit word may follow when it is a currency, a percent sign, or a word of `question`.
    """
    if text is None or len(text) > 200:
        return None
    # Full-width and other compatibility digits become plain ones; U+2212 is the minus sign.
    text = unicodedata.normalize("NFKC", text).replace("\u2212", "-").strip()
    text = re.sub(r"\\(?:boxed|text|mathbf|mathrm)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\[,;:! ]|\\[()\[\]]|\*\*|[`_]", "", text).replace("\\$", "$").replace("\\%", "%")
    text = text.strip().strip("$").strip().removesuffix(".").strip()
    number, unit = _split_unit(text)
    if unit and not (UNIT.fullmatch(unit) or _word_of(unit, question)):
        return None
    return _value(number)


def gold_number(cell: Any, record: dict) -> str | None:
    """The gold of a dataset cell: a number, or the number after the last #### of a solution."""
    text = str(cell) if isinstance(cell, (int, float, str)) and not isinstance(cell, bool) else ""
    slot = last_line_slot(text)
    gold = (text if slot is None else slot).strip()
    return gold if read_number(gold) is not None else None


def _split_unit(text: str) -> tuple[str, str]:
    match = re.fullmatch(r"(.*?[\d.}])\s*(%|[^\W\d_]+)", text)
    return (match[1], match[2]) if match else (text, "")


def _word_of(unit: str, question: str) -> bool:
    return unit.lower() not in NOT_A_UNIT and unit.lower() in re.findall(r"[^\W\d_]+", question.lower())


def _value(text: str) -> Fraction | None:
    text = text.strip().strip("$").strip()
    sign = ""
    if text[:1] in "+-" and "$" in text[:3]:
        sign, text = text[:1], text[1:]
    text = sign + text.lstrip(" $€£")
    if match := LATEX_FRACTION.fullmatch(text):
        numerator, denominator = int(match[1] + match[2]), int(match[3])
    elif match := re.fullmatch(r"([+-]?\d{1,30})\s*/\s*(\d{1,30})", text):
        numerator, denominator = int(match[1]), int(match[2])
    elif NUMBER.fullmatch(text) and re.search(r"\d", text):
        return Fraction(text.replace(",", "").replace(" ", ""))
    else:
        return None
    return Fraction(numerator, denominator) if denominator else None
