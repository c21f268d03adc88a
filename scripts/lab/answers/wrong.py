"""A wrong answer of the same kind as the gold, checked not to be right by accident.

    wrong("number", "$1,200", rng)                          -> "$1,320"
    wrong("choice", "B", rng, options=["A", "B", "C"])      -> "C"
    wrong("boolean", "Yes", rng)                            -> "No"

Most false alarms about a reward come from a badly chosen wrong answer (reward_design: how wrong
answers are chosen): so a number also differs in sign, magnitude and percent reading, and a text
shares neither words nor a substring with the gold.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lab.answers.alike import LONG, nearly, plain_words, same
from lab.answers.dates import read_day, write_day
from lab.answers.numbers import number_text, parse_number
from lab.answers.shapes import is_pattern

MADE_UP = (
    "Quentin Harrow",
    "a brass kettle",
    "Lower Melford",
    "the violet lantern",
    "Osric Tamm",
    "a paper heron",
)
"""Texts that are hardly anybody's gold: a person, things, places."""
IDLE_WORDS = (
    "perhaps maybe somehow whichever elsewhere otherwise anyhow meanwhile nevertheless likewise "
    "hence thereby"
).split()
"""Words that answer nothing."""
MADE_UP_LABELS = ("unrelated", "none of these", "other")
OPPOSITE = {
    "yes": "no",
    "no": "yes",
    "true": "false",
    "false": "true",
    "maybe": "no",
    "valid": "invalid",
    "invalid": "valid",
    "correct": "incorrect",
    "incorrect": "correct",
    "entailment": "contradiction",
    "positive": "negative",
    "negative": "positive",
}
LETTERS = "ABCDEFGHIJ"
MOST_PARTS = 20
"""A denominator up to which one part more is plainly another number."""
CODE = re.compile(r"[^\sa-z]{1,24}")
"""A text that is hardly a word: what is read may be one of a few such only."""


def wrong(answer_type: str, gold: str, rng: random.Random, *, options: Sequence[str] = ()) -> str:
    """A wrong answer written like `gold`; `options` are other answers of the task or the
    taskset."""
    make = _MAKERS.get(answer_type, _text)
    for _ in range(12):
        answer = make(gold, rng, list(options))
        if not same(answer_type, answer, gold):
            return answer
    return f"{rng.choice(MADE_UP)} {rng.randint(100, 999)}"


def wrongs(
    answer_type: str, gold: str, rng: random.Random, count: int, *, options: Sequence[str] = ()
) -> list[str]:
    """Up to `count` different wrong answers; fewer where the kind has fewer (yes or no has one)."""
    found: list[str] = []
    for _ in range(count * 6):
        answer = wrong(answer_type, gold, rng, options=options)
        if answer not in found:
            found.append(answer)
        if len(found) == count:
            break
    return found


# --- one maker per answer type -------------------------------------------------------------


def _number(gold: str, rng: random.Random, options: list[str]) -> str:
    value = parse_number(gold)
    if value is None:
        return _quantity(gold, rng) or _math(gold, rng, options)
    if scale := _scale(options):
        return rng.choice([option for option in scale if option != gold] or [gold])
    if isinstance(value, Fraction) and value.denominator != 1:
        # One more of many parts is no error of rounding.
        part = Fraction(1, value.denominator if value.denominator <= MOST_PARTS else 1)
        changed: Decimal | Fraction = value + rng.choice((Fraction(2), Fraction(3), part))
    elif -10 < value < 10:
        changed = value + rng.choice((7, 3, 11, 4))
    else:
        exact = Fraction(value)
        places = max(0, -int(value.as_tuple().exponent)) if isinstance(value, Decimal) else 0
        moved = exact * rng.choice((Fraction(11, 10), Fraction(5, 4), Fraction(4, 5))) + rng.choice(
            (0, 1, 3)
        )
        changed = (
            Decimal(round(moved * 10**places)).scaleb(-places)
            if places < 20
            else Decimal(round(moved))
        )
    return like(gold, number_text(changed))


QUANTITY = re.compile(r"[-−]?\d+(?:[.,\u00a0\u202f ]\d+)*")


def _quantity(gold: str, rng: random.Random) -> str:
    """A text with one number (`14.56 kg/d`, `-1.479,89 €`), the number another one, as far off as
    no tolerance goes; "" for other texts."""
    found = QUANTITY.findall(gold)
    comma = len(found) == 1 and re.search(r",\d{1,2}$", found[0])
    text = re.sub(r"[^\d.,]", "", found[0]) if len(found) == 1 else ""
    text = text.replace(".", "").replace(",", ".") if comma else text.replace(",", "")
    if parse_number(text) is None:
        return ""
    other = _number(text, rng, []).replace(".", "," if comma else ".")
    sign = found[0][:1] if found[0][:1] in "-−" else ""
    return gold.replace(found[0], f"{sign}{other}")


def _scale(options: list[str]) -> list[str]:
    """The options, where they are whole numbers on a short scale (stars, grades, counts): beyond
    its ends no answer is wrong, it is no answer."""
    values = {parse_number(option) for option in options}
    if (
        None in values
        or len(values) < 3
        or any(value != int(value) for value in values if value is not None)
    ):
        return []
    whole = sorted(int(value) for value in values if value is not None)
    return options if whole[-1] - whole[0] <= 10 and whole[0] >= -1 else []


def like(gold: str, number: str) -> str:
    """`number` written as `gold` writes its own: currency, percent, thousands separators."""
    text = gold.strip()
    if re.search(r"\d,\d{3}", text) and re.fullmatch(r"-?\d+(\.\d+)?", number):
        whole, _, rest = number.partition(".")
        number = f"{int(whole):,}" + (f".{rest}" if rest else "")
    before = re.match(r"^(?:\\?\$|€|£|¥|US\$)", text)
    after = re.search(r"\s*\\?%$", text)
    if text.startswith("$") and text.endswith("$") and len(text) > 1:
        return f"${number}$"
    return (before[0] if before else "") + number + (after[0] if after else "")


def _math(gold: str, rng: random.Random, options: list[str]) -> str:
    if parse_number(gold) is not None:
        return _number(gold, rng, options)
    digits = list(re.finditer(r"\d+", gold))
    if digits:
        match = digits[-1]
        return (
            gold[: match.start()]
            + str(int(match[0]) + rng.choice((1, 2, 3, 5)))
            + gold[match.end() :]
        )
    if re.fullmatch(r"\\text\{[^{}]*\}", gold.strip()):
        return "\\text{" + rng.choice(MADE_UP) + "}"
    if ANY_CONSTANT.search(gold):
        return f"{rng.choice((2, 3, 7))}({gold})"
    return f"{gold} + {rng.choice((1, 2, 7))}"


ANY_CONSTANT = re.compile(r"[-+]\s*[Cc]\s*\$?$")
"""The constant of an antiderivative: whatever is added to it, it is one."""


def _choice(gold: str, rng: random.Random, options: list[str]) -> str:
    mark = gold.strip()
    single = re.fullmatch(r"\(?([A-Za-z]|\d{1,2})\)?", mark)
    others = [option for option in options if plain_words(option) != plain_words(gold)]
    if single and not all(len(option.strip("() .")) <= 2 for option in others):
        others = []  # options are texts, the gold is a mark
    if others:
        return rng.choice(others)
    if single and single[1].isalpha():
        letters = LETTERS[: max(4, len(options), LETTERS.find(single[1].upper()) + 1)]
        letter = rng.choice([letter for letter in letters if letter != single[1].upper()])
        return mark.replace(single[1], letter if single[1].isupper() else letter.lower())
    if single:
        number = int(single[1])
        return mark.replace(single[1], str(rng.choice([n for n in range(1, 5) if n != number])))
    return _text(gold, rng, options)


def _boolean(gold: str, rng: random.Random, options: list[str]) -> str:
    word = gold.strip()
    other = OPPOSITE.get(word.lower())
    if other is None:
        return {"1": "0", "0": "1"}.get(word) or _label(gold, rng, options)
    return other.upper() if word.isupper() else other.capitalize() if word[:1].isupper() else other


def _label(gold: str, rng: random.Random, options: list[str]) -> str:
    others = [option for option in options if not same("label", option, gold)]
    if others:
        return rng.choice(others)
    return OPPOSITE.get(gold.strip().lower()) or rng.choice(MADE_UP_LABELS)


def _text(gold: str, rng: random.Random, options: list[str]) -> str:
    others = [option for option in options if not same("text", option, gold)]
    if unlike := _unlike(gold, others):
        return rng.choice(unlike)
    if parse_number(gold) is not None:
        return _number(gold, rng, options)
    if len(gold) > LONG:
        return _sentence(gold, rng, others)
    if alike := [option for option in others if _shape(option) == _shape(gold)]:
        return rng.choice(alike)
    codes = [option for option in others if CODE.fullmatch(option)] if CODE.fullmatch(gold) else []
    return rng.choice(codes) if codes else _altered(gold, rng)


def _unlike(gold: str, others: list[str]) -> list[str]:
    """Of other answers those of about the same length without a word in common."""
    words = set(plain_words(gold).split())
    return [
        option
        for option in others
        if not words & set(plain_words(option).split())
        and _has_digit(option) == _has_digit(gold)
        and len(option) <= 3 * len(gold) + 20
    ]


def _sentence(gold: str, rng: random.Random, others: list[str]) -> str:
    """Another long answer that is not nearly the same; without one, as many words of nothing."""
    long = [option for option in others if len(option) > LONG and _overlap(gold, option) < 0.5]
    drawn = rng.sample(long, min(DRAWN, len(long)))
    for option in drawn:
        if not nearly(gold, option):
            return option
    shaped = [option for option in others if _shape(option) == _shape(gold)]
    if far := [option for option in shaped[:DRAWN] if not nearly(gold, option)]:
        return rng.choice(far)
    return " ".join(rng.choices(IDLE_WORDS, k=max(4, len(gold.split()))))


def _altered(gold: str, rng: random.Random) -> str:
    """The same with another day, or other numbers; a made-up text where it has neither."""
    if found := read_day(gold):
        return write_day(found[0] + timedelta(days=rng.choice((411, 520, 777))), found[1])
    if not _has_digit(gold):
        return rng.choice(MADE_UP)
    add = rng.choice((2, 3, 5))
    return re.sub(r"\d+", lambda match: str(int(match[0]) + add).zfill(len(match[0])), gold)


def made_up(text: str) -> bool:
    """Whether a text has one of the answers that only stand for a wrong one."""
    idle = sum(word in IDLE_WORDS for word in text.split())
    return text in MADE_UP_LABELS or idle > 3 or any(one in text for one in MADE_UP)


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


DRAWN = 12
"""How many of the other long answers are looked at."""


def _shape(text: str) -> str:
    """What texts of one pattern have in common: `take # from #`, `@, @`. Plain words have none."""
    if re.fullmatch(r"[A-Z](?:,? ?[A-Z])*", text):
        return "@" if "," not in text else "@, @"
    return re.sub(r"\d+", "#", text.lower()) if re.search(r"\d", text) else f"\0{text}"


def _overlap(left: str, right: str) -> float:
    a, b = set(plain_words(left).split()), set(plain_words(right).split())
    return len(a & b) / max(1, min(len(a), len(b)))


MARK = re.compile(r"[ \t]*(?:\d+[.)]|[-*•])[ \t]+")
"""What stands before a member of a list on a line of its own."""


def _list(gold: str, rng: random.Random, options: list[str]) -> str:
    """Of a table or a list with its marks the same frame, with every cell or member changed."""
    lines = gold.splitlines()
    if len(lines) > 2 and all(line.startswith("|") for line in lines):
        return "\n".join([*lines[:2], *(_row(line, rng) for line in lines[2:])])
    marks = [MARK.match(line) for line in lines]
    if len(lines) < 2 or not all(marks):
        return _text(gold, rng, options)
    return "\n".join(m[0] + _altered(m.string[m.end() :], rng) for m in marks if m)


def _row(line: str, rng: random.Random) -> str:
    cells = [cell.strip() for cell in line.strip("| ").split("|")]
    return f"| {' | '.join(_altered(cell, rng) for cell in cells)} |"


def _json(gold: str, rng: random.Random, options: list[str]) -> str:
    try:
        value = json.loads(gold)
    except ValueError:
        return _text(gold, rng, options)
    return json.dumps(_changed(value, rng))


def _changed(value: Any, rng: random.Random) -> Any:
    """`value` with every leaf made wrong, so that no reading of it is right; keys stay."""
    if isinstance(value, dict):
        return {key: _changed(item, rng) for key, item in value.items()} if value else {"other": 1}
    if isinstance(value, list):
        return [_changed(item, rng) for item in value] if value else ["other"]
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, (int, float)):
        return value + rng.choice((3, 7))
    return rng.choice(MADE_UP)


def _code(gold: str, rng: random.Random, options: list[str]) -> str:
    if is_pattern(gold):
        others = [option for option in options if option != gold]
        return rng.choice(others) if others else "x{37}"
    if re.search(r"^\s*(select|with)\b", gold, re.IGNORECASE):
        return f"SELECT {rng.randint(100, 999)} AS nothing"
    names = re.findall(r"^\s*(?:async\s+)?def\s+(\w+)", gold, re.MULTILINE) or ["solution"]
    return "\n\n".join(
        f"def {name}(*args, **kwargs):\n    return None" for name in dict.fromkeys(names)
    )


def _expression(gold: str, rng: random.Random, options: list[str]) -> str:
    """The same numbers with another operator in one place: legal, and another value."""
    places = [match.start() for match in re.finditer(r"(?<= )[-+*/](?= )", gold)]
    if not places:
        return _number(gold, rng, options)
    place = rng.choice(places)
    return (
        gold[:place]
        + rng.choice([sign for sign in "+-*" if sign != gold[place]])
        + gold[place + 1 :]
    )


_MAKERS = {
    "expression": _expression,
    "number": _number,
    "math": _math,
    "choice": _choice,
    "boolean": _boolean,
    "label": _label,
    "text": _text,
    "list": _list,
    "json": _json,
    "code": _code,
    "tests": _code,
}
