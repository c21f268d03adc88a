"""An answer written as an example in a text is written: numbers with its separators, days with its
order and its names of months.

like("`3. März 2024` or `R$ 1.581,00`", "2024-05-14")
# {"14. Mai 2024": "3. März 2024"}
like("`3. März 2024` or `R$ 1.581,00`", "12400")
# {"12.400,00": "R$ 1.581,00", "R$ 12.400,00": "R$ 1.581,00"}

What a README or a prompt writes as an example of an answer is promised: only what stands in quotes
or in code is read, and not where its sentence says what is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from lab.answers.dates import read_day
from lab.answers.extract import loads
from lab.answers.numbers import parse_number

QUOTED = re.compile(r"`([^`\n]{3,40})`|\"([^\"\n]{3,40})\"|“([^”\n]{3,40})”|„([^“”\n]{3,40})[“”]")
REFUSED = re.compile(
    r"\b(?:not?|never|neither|nor|without|instead|rather|refused|rejected|invalid|wrong|fails?"
    r"|cannot|can't|nicht|keine?|falsch|pas|non|sin|sem|niet|inte|нельзя)\b|n't|不|×|✗|≠|->|→",
    re.IGNORECASE,
)
"""Words of a sentence whose example may be one that does not count."""
MONTHS = tuple(
    tuple(line.split())
    for line in """
    Januar Februar März April Mai Juni Juli August September Oktober November Dezember
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    januari februari maart april mei juni juli augustus september oktober november december
    januari februari mars april maj juni juli augusti september oktober november december
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    January February March April May June July August September October November December
    """.strip().splitlines()  # noqa: E501 - a line per language
)
GROUPED = re.compile(r"\d{1,3}(?:([.,'’\u00a0\u202f ])\d{3})+(?:([.,])(\d{1,4}))?(?![\d.,]*\d)")
UNIT_BEFORE = re.compile(r"[A-Za-z]{0,3}[$€£¥₹₽]?\s?")
UNIT_AFTER = re.compile(r"\s?(?:[$€£¥₹₽]|[A-Za-z]{1,3})?")
"""A currency or a unit, and no mark of a form."""
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z])")
"""Where a sentence ends and another one begins with a capital."""
LEAST = 1000


def like(text: str, gold: str) -> dict[str, str]:
    """The gold as the examples of the text would write it, each with the example; empty where none
    is of its kind."""
    examples = list(_examples(text))
    groups = {_group(example, set()) for example in examples}
    found = {one: example for example in examples for one in _written(example, gold, groups)}
    found |= _record(text, gold)
    return {one: example for one, example in found.items() if one != gold.strip()}


def _record(text: str, gold: str) -> dict[str, str]:
    """A record as lines `key: value`, where the text shows one so and says nothing of JSON."""
    value = loads(gold) if gold[:1] == "{" and "{" not in text and "json" not in text.lower() else 0
    if not isinstance(value, dict) or not all(isinstance(v, (str, int)) for v in value.values()):
        return {}
    shown = [re.search(rf"^{re.escape(key)}: \S.*$", text, re.MULTILINE) for key in value]
    lines = "\n".join(f"{key}: {one}" for key, one in value.items())
    return {lines: shown[0][0]} if len(shown) > 1 and all(shown) and shown[0] else {}


def _examples(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for match in QUOTED.finditer(line):
            before = SENTENCE.split(QUOTED.sub("…", line[: match.start()]))[-1]
            after = SENTENCE.split(QUOTED.sub("…", line[match.end() :]))[0]
            if not REFUSED.search(f"{before} … {after}"):
                yield next(group for group in match.groups() if group).strip()


def _written(example: str, gold: str, groups: set[str]) -> Iterator[str]:
    day = read_day(gold.strip())
    if day is not None:
        yield from _day(example, day[0])
        return
    value = parse_number(gold)
    if isinstance(value, (int, Decimal)) and abs(value) >= LEAST and not re.search(r"[a-z/]", gold):
        yield from _number(example, Decimal(value), groups)


def _day(example: str, day: datetime) -> Iterator[str]:
    """Day, month and year of the example replaced, where each is sure."""
    year = re.search(r"(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)", example)
    if year is None:
        return
    rest = example.replace(year[0], "\0", 1)
    known = [each for each in MONTHS if _named(rest, each) is not None]
    # `3. August` is German, `3 August` English.
    german = known and known[0] is MONTHS[0] and re.search(r"\d\.", rest)
    english = MONTHS[-1] in known and not german
    names = MONTHS[-1] if english else known[0] if known else None
    if names is not None:
        name = _named(rest, names) or ""
        rest = rest.replace(name, "\1", 1)
        number = re.search(r"(?<!\d)\d{1,2}(?!\d)", rest)
        if number:
            rest = rest.replace(number[0], str(day.day), 1)
            month = names[day.month - 1]
            month = month.capitalize() if name[:1].isupper() else month
            yield rest.replace("\1", month).replace("\0", str(day.year))
        return
    dotted = re.fullmatch(r"(\d{1,2})\.( ?)(\d{1,2})\.( ?)\0", rest)
    if dotted:
        wide = len(dotted[1]) == 2 and len(dotted[3]) == 2
        numbers = (f"{n:02d}" if wide else str(n) for n in (day.day, day.month))
        yield f"{next(numbers)}.{dotted[2]}{next(numbers)}.{dotted[4]}{day.year}"


def _named(text: str, names: tuple[str, ...]) -> str | None:
    """The month of the text, as it is written there, where it is one of these names."""
    for word in re.findall(r"[^\W\d_]{3,}", text):
        if word.lower() in {name.lower() for name in names}:
            return str(word)
    return None


def _group(example: str, known: set[str]) -> str:
    """What stands between the thousands of a number; "" where it is a point that may stand before
    decimals, and no other example (`known`) has it between thousands."""
    match = GROUPED.search(example)
    if match is None:
        return ""
    group, point = match[1], match[2]
    sure = (point and point != group) or group in ",'’\u00a0\u202f " or match[0].count(group) > 1
    return group if sure or group in known else ""


def _number(example: str, value: Decimal, groups: set[str]) -> Iterator[str]:
    match, group = GROUPED.search(example), _group(example, groups)
    if match is None or not group:
        return
    point, places = match[2], len(match[3] or "")
    if value != int(value) and not point:
        return
    shown = f"{value:,.{places}f}"
    if Decimal(shown.replace(",", "")) != value:
        return
    text = shown.translate(str.maketrans({",": group, ".": point or "."}))
    yield text
    before, after = example[: match.start()], example[match.end() :]
    if (before or after) and UNIT_BEFORE.fullmatch(before) and UNIT_AFTER.fullmatch(after):
        yield before + text + after
