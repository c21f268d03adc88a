"""Numbers and formulas in other words.

[f.text for f in of_number("1234", Decimal(1234))]   # ['1,234', '1 234', '1234.', '+1234', ...]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from lab.answers.form import CHOICE, CORE, USUAL, Form
from lab.answers.latex import strip_delimiters
from lab.answers.number_words import in_words
from lab.answers.numbers import number_text


def of_number(gold: str, value: Decimal | Fraction) -> Iterator[Form]:
    """Forms of a gold that says this value."""
    plain = number_text(value)
    if plain != gold.strip():
        yield Form("plain", plain, CORE if not isinstance(value, Fraction) else USUAL)
    if isinstance(value, Fraction) and value.denominator != 1:
        yield from _of_a_fraction(value)
        return
    yield from _of_a_whole(value, plain) if value == int(value) else _of_a_decimal(value, plain)
    if value < 0:
        yield Form("unicode minus", "−" + plain[1:], CORE)
        yield Form("accounting", f"({plain[1:]})", CHOICE)
    elif value > 0:
        yield Form("plus sign", f"+{plain}", USUAL)
    yield from _around_a_number(gold, plain)


def _of_a_fraction(value: Fraction) -> Iterator[Form]:
    top, bottom = value.numerator, value.denominator
    sign = "-" if top < 0 else ""
    yield Form("latex fraction", f"{sign}\\frac{{{abs(top)}}}{{{bottom}}}", USUAL)
    decimal = Decimal(top) / Decimal(bottom)
    if Fraction(decimal) == value and len(str(decimal)) < 12:
        yield Form("decimal", str(decimal), USUAL)
    else:
        yield Form("decimal", f"{float(value):.4f}", CHOICE)


def _of_a_whole(value: Decimal | Fraction, plain: str) -> Iterator[Form]:
    if value >= 1000 or value <= -1000:
        yield Form("thousands separator", f"{int(value):,}", CORE)
        yield Form("thin thousands", f"{int(value):,}".replace(",", " "), CHOICE)
        yield Form("scientific", f"{float(value):e}".replace("e+0", "e"), CHOICE)
    yield Form("trailing period", f"{plain}.", USUAL)
    yield Form("float form", f"{plain}.0", USUAL)
    yield Form("leading zero", f"0{plain}" if value >= 0 else f"-0{plain[1:]}", CHOICE)
    yield Form("words", in_words(int(value)), CHOICE)


def _of_a_decimal(value: Decimal | Fraction, plain: str) -> Iterator[Form]:
    yield Form("trailing zero", f"{plain}0", CORE)
    if re.fullmatch(r"-?\d+\.\d{1,2}", plain):
        yield Form("decimal comma", plain.replace(".", ","), CHOICE)
    if -1 < value < 1:
        yield Form("no leading zero", plain.replace("0.", ".", 1), USUAL)
    fraction = Fraction(value)
    if fraction.denominator <= 100:
        yield Form("fraction", f"{fraction.numerator}/{fraction.denominator}", USUAL)


def _around_a_number(gold: str, plain: str) -> Iterator[Form]:
    """What a number may be wrapped in."""
    yield Form("bold", f"**{plain}**", USUAL)
    yield Form("dollars around", f"${plain}$", USUAL)
    yield Form("boxed", f"\\boxed{{{plain}}}", CHOICE)
    yield Form(
        "full-width digits",
        plain.translate({ord(digit): 0xFF10 + int(digit) for digit in "0123456789"}),
        CHOICE,
    )
    money = re.match(r"^(?:\\?\$|€|£)", gold.strip())
    yield Form("dollar", f"${plain}", USUAL if money else CHOICE)
    yield Form("unit", f"{plain} units", CHOICE)
    yield Form("equation", f"x = {plain}", CHOICE)
    if gold.strip().endswith("%"):
        yield Form("percent", f"{plain}%", USUAL)


SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
POWER = re.compile(r"(-?\d+(?:\.\d+)?)[eE]([+-]?\d+)")


def powers_of(text: str) -> Iterator[Form]:
    """A number in scientific notation, alone or with its unit, as people write it by hand."""
    if found := POWER.match(text):
        exponent, rest = str(int(found[2])), text[found.end() :]
        raised = exponent.translate(SUPERSCRIPTS)
        yield Form("power of ten", f"{found[1]} x 10^{exponent}{rest}", CHOICE)
        yield Form("superscript power", f"{found[1]} × 10{raised}{rest}", CHOICE)


def of_formula(gold: str) -> Iterator[Form]:
    """Forms of a formula in LaTeX."""
    bare = strip_delimiters(gold)
    yield Form("without dollars", bare, CORE)
    yield Form("dollars around", f"${bare}$", USUAL)
    yield Form("trailing period", f"{bare}.", USUAL)
    if "\\frac" in bare:
        yield Form("dfrac", bare.replace("\\frac", "\\dfrac"), USUAL)
    if "\\dfrac" in bare or "\\tfrac" in bare:
        yield Form("frac", re.sub(r"\\[dt]frac", r"\\frac", bare), USUAL)
    simple = re.fullmatch(r"(-?)\\[dt]?frac\{(\d+)\}\{(\d+)\}", bare)
    if simple:
        yield Form("plain fraction", f"{simple[1]}{simple[2]}/{simple[3]}", USUAL)
    if re.search(r"\\sqrt\{(\w)\}", bare):
        yield Form("sqrt without braces", re.sub(r"\\sqrt\{(\w)\}", r"\\sqrt \1", bare), USUAL)
    if "(" in bare and "\\left" not in bare:
        yield Form("left right", bare.replace("(", "\\left(").replace(")", "\\right)"), USUAL)
    if "\\left" in bare:
        yield Form("no left right", bare.replace("\\left", "").replace("\\right", ""), USUAL)
    if "," in bare:
        tight = re.sub(r",\s*", ",", bare)
        yield Form("tight commas", tight if tight != bare else bare.replace(",", ", "), USUAL)
    if re.search(r" ?[+\-=] ?", bare[1:]):
        yield Form("no spaces", re.sub(r"(?<![A-Za-z]) | (?![A-Za-z])", "", bare), USUAL)
    yield Form("equation", f"x = {bare}", CHOICE)
