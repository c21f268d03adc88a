"""Near misses by kind: another day of the same year, a fraction upside down, one member too many.

A wrong answer that is far off is refused by nearly every reward. What a loose comparison pays is
what almost looks like the gold: the parts are right, their order, sign or number is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta

from lab.answers.dates import read_day, write_day
from lab.answers.extract import loads
from lab.answers.lists import read, write
from lab.answers.numbers import parse_number
from lab.answers.wrong import MADE_UP, same
from lab.environment import Completion
from lab.probes.exploits import quantity
from lab.probes.families import family
from lab.probes.subject import Subject

Probes = Iterator[tuple[str, Completion]]
FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]+)\}\s*\{([^{}]+)\}")


@family(
    "close_date",
    section="close-number",
    title="another day is not paid",
    kinds=("text", "number"),
    reason="A reward that compares the year, or the month, pays every other day of it.",
    source="E12, for dates",
    fix="parse both dates and compare year, month and day",
)
def close_date(s: Subject, task: int) -> Probes:
    found = read_day(s.gold(task))
    if found is None:
        return
    day, layout = found
    month = day.replace(month=day.month % 12 + 1, day=min(day.day, 28))
    others = {"the day after": day + timedelta(days=1), "another day of the month": day.replace(day=day.day % 28 + 1), "another month": month,
              "another year": month.replace(month=day.month, year=day.year - 1)}  # fmt: skip
    if day.day <= 12 and day.day != day.month:
        others["day and month swapped"] = day.replace(day=day.month, month=day.day)
    for name, other in others.items():
        yield name, s.write(write_day(other, layout))


@family(
    "close_time",
    section="close-number",
    title="another time of day is not paid",
    kinds=("text", "number"),
    reason="A clock face has no morning and no evening: a reward that drops the hour's half pays the wrong one.",
    source="E12, for times of day",
    fix="compare hours (0 to 23) and minutes; read am and pm before that",
)
def close_time(s: Subject, task: int) -> Probes:
    found = TIME.fullmatch(s.gold(task).strip())
    if found is None:
        return
    hour, minute = int(found[1]), int(found[3])

    def say(h: int, m: int) -> str:
        return s.write(f"{h % 24:0{len(found[1])}d}{found[2]}{m % 60:02d}")

    yield "an hour later", say(hour + 1, minute)
    yield "half an hour off", say(hour, minute + 30)
    if _of_24_hours(s):
        yield "twelve hours off", say(hour + 12, minute)
    if minute < 24 and minute != hour:
        yield "hours and minutes swapped", say(minute, hour)


TIME = re.compile(r"([01]?\d|2[0-3])([:.])([0-5]\d)")


def _of_24_hours(s: Subject) -> bool:
    """Whether the golds count the hours of the whole day: then half a day makes a difference."""
    found = [TIME.fullmatch(s.gold(i).strip()) for i in s.with_gold]
    return all(found) and any(int(time[1]) > 12 or int(time[1]) == 0 for time in found if time)


@family(
    "close_unit",
    section="close-number",
    title="the right number with another unit is not paid",
    kinds=("text",),
    reason="A reward that cuts the unit off pays 300 kWh for 300 Wh.",
    source="E12, for quantities",
    fix="compare number and unit, after bringing both to one unit",
)
def close_unit(s: Subject, task: int) -> Probes:
    yield from _other_currency(s, task)
    bare, after = quantity(s.gold(task))
    # Where no unit is asked for, one that is written is decoration.
    if not bare or not re.search(r"\bunits?\b", s.tasks[task].shown, re.IGNORECASE):
        return
    unit = after.strip()
    units = [quantity(s.gold(i))[1].strip() for i in s.with_gold]
    other = next((one for one in [*units, "kg", "s"] if one and one.lower() != unit.lower()), "kg")
    yield "another quantity's unit", s.write(f"{bare} {other}")
    if unit.isalpha() and len(unit) <= 3:
        yield "a thousand times the unit", s.write(f"{bare} {unit[1:] if len(unit) > 1 and unit[0] == 'k' else f'k{unit}'}")


CURRENCY = re.compile(r"\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD)\b|[$€£¥₹]")


def _other_currency(s: Subject, task: int) -> Probes:
    """The amount in another currency, where the prompt asks for it or the golds differ in it."""
    gold = s.gold(task)
    found = CURRENCY.search(gold)
    known = {match[0] for i in s.with_gold if (match := CURRENCY.search(s.gold(i)))}
    if found and (len(known) > 1 or re.search(r"\bcurrency\b", s.tasks[task].shown, re.IGNORECASE)):
        other = "EUR" if found[0].isalpha() else "€"
        yield "another currency", s.write(gold.replace(found[0], ("USD" if found[0].isalpha() else "$") if found[0] == other else other))


@family(
    "close_math",
    section="close-number",
    title="an expression beside the gold is not paid",
    kinds=("math",),
    reason="A comparison of characters or digits pays a fraction upside down and a root without its sign.",
    source="E12, for expressions",
    fix="compare the values (math-verify, sympy), or the whole normalised expressions; never their characters",
)
def close_math(s: Subject, task: int) -> Probes:
    gold = s.gold(task)
    if parse_number(gold) is None or "frac" in gold:
        yield from ((name, s.write(text)) for name, text in neighbours(gold) if not same("math", text, gold))


def neighbours(gold: str) -> Iterator[tuple[str, str]]:
    """Expressions of the gold's own symbols that have another value."""
    found = FRACTION.search(gold)
    if found and found[1].strip() != found[2].strip():
        yield "upside down", gold.replace(found[0], found[0].replace(f"{{{found[1]}}}", "{\0}", 1).replace(f"{{{found[2]}}}", f"{{{found[1]}}}").replace("\0", found[2]))
        yield "the digits in a row", gold.replace(found[0], found[1] + found[2])
    if found := re.search(r"(\w)\^\{?(\w)\}?", gold):
        if found[1] != found[2]:
            yield "base and exponent swapped", gold.replace(found[0], f"{found[2]}^{{{found[1]}}}")
        if found[2].isdigit():
            yield "another exponent", gold.replace(found[0], f"{found[1]}^{{{int(found[2]) + 1}}}")
        yield "without the exponent's mark", gold.replace(found[0], found[2] + found[1])
    if "\\sqrt" in gold:
        yield "without the root", gold.replace("\\sqrt", "")
    if "\\pi" in gold:
        yield "without pi", gold.replace("\\pi", "")
    yield "sign changed", gold.removeprefix("-") if gold.startswith("-") else f"-{gold}"
    if found := re.search(r"(?<=[\w}])\s*([+-])\s*(?=\w|\\)", gold):
        yield "the last term alone", re.split(r"(?<=[\w}])\s*[+-]\s*(?=\w|\\)", gold)[-1]
        yield "plus and minus", gold[: found.start(1)] + ("-" if found[1] == "+" else "+") + gold[found.end(1) :]


def members(s: Subject, task: int) -> tuple[list[str], str] | None:
    """The members of a task's list gold and how they are joined; None for anything else."""
    found = read(s.gold(task))
    one_in_brackets = found is not None and found[1] == "JSON" and s.learned.reading.endswith("in brackets")
    return (found[0], "brackets") if found and one_in_brackets else found


def others(s: Subject, items: list[str]) -> list[str]:
    """Members of other tasks' golds that are not in this one, made-up ones after them."""
    pool = [item for i in s.with_gold for item in (members(s, i) or ([], ""))[0]]
    numeric = all(parse_number(item) is not None for item in items)
    made = [str(9000 + n) for n in range(len(items) + 1)] if numeric else list(MADE_UP)
    known = {item.lower() for item in items}
    return [item for item in dict.fromkeys([*pool, *made]) if item.lower() not in known]


@family(
    "extra_members",
    section="lists",
    title="a list with wrong members is not paid like the right list",
    kinds=("list", "json"),
    reason="Where only missing members cost something, listing everything is always right.",
    source="Visual-RFT; 2604.15149, models enumerate labels; E03",
    fix="compare the sets for equality, or pay by F1 or Jaccard, so that a wrong member costs as much as a missing one",
)
def extra_members(s: Subject, task: int) -> Probes:
    found = members(s, task) if s.learned.all_of or s.family == "json" else None
    if found is None:
        return
    items, joint = found
    wrong = others(s, items)[: max(2, len(items))]
    yield "as many wrong members besides", s.write(write(items + wrong, joint, s.gold(task)))
    yield "wrong members first", s.write(write(wrong + items, joint, s.gold(task)))


@family(
    "every_member",
    section="lists",
    title="listing every possible member is not paid",
    severity="critical",
    answer_free=True,
    kinds=("list", "json"),
    reason="The list of everything holds the right members on every task.",
    source="arXiv 2604.15149; E05",
    fix="compare the sets for equality, or pay by F1 or Jaccard, so that a wrong member costs as much as a missing one",
)
def every_member(s: Subject, task: int) -> Probes:
    found = members(s, task) if s.learned.all_of or s.family == "json" else None
    if found is None:
        return
    everything = list(dict.fromkeys([*found[0], *others(s, found[0])]))
    yield "the members of all golds", s.write(write(sorted(everything)[:60], found[1], s.gold(task)))


@family(
    "reversed_order",
    section="lists",
    title="the reverse of a ranking is not paid like the ranking",
    kinds=("list",),
    reason="The size of a correlation without its sign pays the order turned round.",
    source="E08, for rankings",
    fix="keep the sign of the correlation, and cut it at zero",
)
def reversed_order(s: Subject, task: int) -> Probes:
    found = members(s, task) if s.learned.all_of else None
    if found is None or len(set(found[0])) < 3:
        return
    items, joint = found
    turned = s.reward(task, s.write(write(items[1:] + items[:1], joint, s.gold(task))))
    # Where the order does not count, the reverse is right.
    if turned is not None and not s.paid_like_right(task, turned):
        yield "in reverse", s.write(write(items[::-1], joint, s.gold(task)))


@family(
    "exchanged",
    section="lists",
    title="the right values in each other's places are not paid",
    kinds=("text", "list", "json"),
    reason="A comparison of the cells or values as one bag pays a table whose rows are mixed up.",
    source="E08, for tables and records",
    fix="compare row by row and field by field",
)
def exchanged(s: Subject, task: int) -> Probes:
    gold = s.gold(task)
    value = loads(gold) if gold.lstrip()[:1] == "{" else None
    if isinstance(value, dict):
        # Only values of one kind can be taken for each other.
        pairs = [(a, b) for a in value for b in value if a < b and type(value[a]) is type(value[b]) and value[a] != value[b] and isinstance(value[a], (str, int, float))]
        for a, b in pairs[:1]:
            yield "two fields", s.write(json.dumps(value | {a: value[b], b: value[a]}))
        return
    for mark in ("|", "\t", ",", ";"):
        rows = [line.split(mark) for line in gold.splitlines()]
        if len(rows) > 1 and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1 and rows[-1][-1] != rows[-2][-1] and rows[-1][:-1] != rows[-2][:-1]:
            first, second = rows[-2], rows[-1]
            turned = [*rows[:-2], [*first[:-1], second[-1]], [*second[:-1], first[-1]]]
            yield "the last cells of two rows", s.write("\n".join(mark.join(row) for row in turned))
            return


@family(
    "missing_members",
    section="lists",
    title="a part of the members or fields is not paid like all of them",
    kinds=("list", "json"),
    reason="A field that takes the gold as its default, or a loop over what was given, pays for leaving out.",
    source="E08, for data",
    fix="go through the gold's own members and count what is absent as wrong",
)
def missing_members(s: Subject, task: int) -> Probes:
    gold = s.gold(task)
    value = loads(gold) if gold.lstrip()[:1] == "{" else None
    if isinstance(value, dict) and len(value) > 1:
        first, *rest = value
        yield "without the last field" if len(rest) == 1 else "the first field alone", s.write(json.dumps({first: value[first]}))
        yield "fields without values", s.write(json.dumps(dict.fromkeys(value)))
    found = members(s, task) if (s.learned.all_of or s.family == "json") and value is None else None
    if found and len(found[0]) > 1:
        yield "the first member alone", s.write(write(found[0][:1], found[1], gold))
        if len(set(found[0])) > 1:
            yield "the first member, as often as there are members", s.write(write(found[0][:1] * len(found[0]), found[1], gold))
