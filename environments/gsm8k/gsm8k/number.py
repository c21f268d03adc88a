"""Read a number as a careful reader would: separators, currency, markup, fractions, a unit.

A slot is a number only when nothing else stands in it: `23 = 18`, `18 or 20`, `not 18` and
`18 (this is wrong)` are not numbers, so a hedge is never paid.
"""

import ast
import json
import re
import unicodedata
from fractions import Fraction
from typing import Any

from .slots import last_line_slot

NUMBER = re.compile(
    r"[+-]?\s?(?:\d{1,3}([ ,'])\d{3}(?:\1\d{3})*|\d+)?(?:\.\d*)?(?:[eE][+-]?\d{1,3})?"
)
FRACTION = re.compile(r"([+-]?)\s?(?:(\d{1,30})\s+)?(\d{1,30})\s*/\s*(\d{1,30})")
LATEX_FRACTION = re.compile(r"([+-]?)\s?(\d{0,30})\s*\\[dt]?frac\{?(\d+)\}?\{?(\d+)\}?")
TIMES_TEN = re.compile(r"(.+?)\s*(?:×|\*|\\times|\\cdot)\s*10\s*\^\s*\{?\s*([+-]?\d{1,3})\s*\}?")
CURRENCY = r"(?:(?:US)?\$|€|£|¥|₹|USD|EUR|GBP)"
PART = r"[^\W\d_]+(?:\^?[23])?"
UNIT = rf"%|°\s?[CFK]?|{PART}(?:\s?/\s?{PART})?|{PART}(?:\s{PART}){{1,3}}"
ALWAYS = re.compile(r"(?:dollars?|cents?|euros?|percent|%)", re.IGNORECASE)
NOT_A_UNIT = {
    "is",
    "not",
    "or",
    "and",
    "no",
    "wrong",
    "than",
    "about",
    "maybe",
    "the",
    "but",
    "so",
    "because",
    "minus",
    "plus",
    "times",
}


def read_number(text: str | None, question: str = "") -> Fraction | None:
    """The exact value of `text` when it is one number and nothing else, otherwise None.

    A unit may follow when it is a currency, a percent sign, or a unit or word of `question`; one of
    several words (miles per hour) when these stand there together.
    """
    if text is None or len(text) > 200:
        return None
    text = _bare(text)
    value = _value(text)
    if value is not None:
        return value
    number, unit = _split_unit(text)
    return (
        _value(number) if unit and (ALWAYS.fullmatch(unit) or _is_unit_of(unit, question)) else None
    )


def gold_number(cell: Any, record: dict) -> str | None:
    """The gold of a dataset cell without its unit: the number, or the one after the last ####."""
    text = _gold_text(cell)
    if read_number(text) is not None:
        return text
    number, _ = _split_unit(_bare(text))
    return number if read_number(number) is not None else None


def gold_unit(cell: Any) -> str:
    """The unit beside a dataset cell's number, as in `12 km/h` and `9 (apples)`; "" for none."""
    return _split_unit(_bare(_gold_text(cell)))[1]


def _gold_text(cell: Any) -> str:
    if isinstance(cell, str) and cell.lstrip()[:1] in ("[", "{"):
        cell = structure(cell) or cell
    if isinstance(cell, dict):
        cell = next(
            (cell[name] for name in ("ground_truth", "answer", "value", "target") if name in cell),
            None,
        )
    if isinstance(cell, list) and len(cell) == 1:
        cell = cell[0]
    text = str(cell) if isinstance(cell, (int, float, str)) and not isinstance(cell, bool) else ""
    if boxed := re.findall(r"\\boxed\{([^{}]*)\}", text):
        return boxed[-1].strip()
    slot = last_line_slot(text)
    return (text if slot is None else slot).strip()


def structure(text: str) -> Any:
    """The list or dictionary in a text of JSON or Python notation; None for any other text."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None


def _bare(text: str) -> str:
    """`text` without markup, in plain characters.

    Full-width digits become plain ones, U+2212 and an en dash in front a minus sign. `2³` and `1½`
    become `2^3` and `1 1/2`, where NFKC alone would make 23 and 11/2 of them.
    """
    text = re.sub(r"[⁻⁰¹²³⁴-⁹]+", lambda raised: "^" + raised[0].replace("⁻", "-"), text)
    text = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", text)
    text = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("\u2044", "/").strip()
    text = re.sub(r"^\u2013\s?(?=[\d$€£.])", "-", text)
    text = re.sub(r"\\(?:boxed|text|mathbf|mathrm)\{([^{}]*)\}", r"\1", text)
    text = (
        re.sub(r"\\[,;:! ]|\\[()\[\]]|\*\*|[`_]", "", text).replace("\\$", "$").replace("\\%", "%")
    )
    return text.strip().strip("$").strip().removesuffix(".").strip()


def _split_unit(text: str) -> tuple[str, str]:
    match = re.fullmatch(rf"(.*?[\d.}}])\s*(?:\(\s*({UNIT})\s*\)|({UNIT}))", text)
    unit = (match[2] or match[3]) if match else ""
    phrase = " " in unit and not NOT_A_UNIT.isdisjoint(unit.lower().split())
    return (match[1], unit) if match and not phrase else (text, "")


def _is_unit_of(unit: str, question: str) -> bool:
    if not NOT_A_UNIT.isdisjoint(re.findall(r"[^\W\d_]+", unit.lower())):
        return False
    question = _bare(question).lower()
    if " " in unit:
        words = " ".join(re.findall(r"\w+", question))
        return f" {' '.join(unit.lower().split())} " in f" {words} "
    known = re.findall(UNIT, question, re.IGNORECASE) + re.findall(r"[^\W\d_]+", question)
    return _plain_unit(unit) in map(_plain_unit, known)


def _plain_unit(unit: str) -> str:
    return re.sub(r"[\s^]", "", unit).lower()


def _value(text: str) -> Fraction | None:
    text = text.strip().strip("$").strip()
    match = re.fullmatch(rf"([+-]?)\s?{CURRENCY}?\s?(.*?)\s?{CURRENCY}?", text, re.DOTALL)
    assert match  # every part may be empty
    text = match[1] + match[2]
    if match := TIMES_TEN.fullmatch(text):
        value = _value(match[1])
        return None if value is None else value * Fraction(10) ** int(match[2])
    if match := LATEX_FRACTION.fullmatch(text) or FRACTION.fullmatch(text):
        sign, whole, numerator, denominator = (
            match[1],
            int(match[2] or 0),
            int(match[3]),
            int(match[4]),
        )
        return (
            None
            if denominator == 0
            else (-1 if sign == "-" else 1) * (whole + Fraction(numerator, denominator))
        )
    if NUMBER.fullmatch(text) and re.search(r"\d", text):
        return Fraction(re.sub(r"[ ,']", "", text))
    return None
