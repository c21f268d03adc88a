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
from lab.answers.numbers import parse_number
from lab.answers.wrong import MADE_UP, same
from lab.environment import Completion
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
        yield "without the exponent's mark", gold.replace(found[0], found[2] + found[1])
    if "\\sqrt" in gold:
        yield "without the root", gold.replace("\\sqrt", "")
    if "\\pi" in gold:
        yield "without pi", gold.replace("\\pi", "")
    yield "sign changed", gold.removeprefix("-") if gold.startswith("-") else f"-{gold}"
    if found := re.search(r"(?<=[\w}])\s*([+-])\s*(?=\w|\\)", gold):
        yield "plus and minus", gold[: found.start(1)] + ("-" if found[1] == "+" else "+") + gold[found.end(1) :]


def members(gold: str) -> tuple[list[str], str] | None:
    """The members of a list gold and how they are joined ("" for JSON); None for anything else."""
    value = loads(gold) if gold.lstrip()[:1] == "[" else None
    if isinstance(value, list):
        return ([str(item) for item in value], "") if value and all(isinstance(item, (str, int, float)) for item in value) else None
    joint = "\n" if "\n" in gold else ","
    items = [item.strip() for item in gold.split(joint) if item.strip()]
    return (items, "\n" if joint == "\n" else ", ") if items else None


def joined(items: list[str], joint: str, like: str) -> str:
    if joint:
        return joint.join(items)
    numbers = [parse_number(item) for item in items]
    plain = all(number is not None for number in numbers) and '"' not in like
    return "[" + ", ".join(items) + "]" if plain else json.dumps(items, ensure_ascii=False)


def others(s: Subject, items: list[str]) -> list[str]:
    """Members of other tasks' golds that are not in this one, made-up ones after them."""
    pool = [item for i in s.with_gold for item in (members(s.gold(i)) or ([], ""))[0]]
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
    found = members(s.gold(task)) if s.learned.all_of or s.family == "json" else None
    if found is None:
        return
    items, joint = found
    wrong = others(s, items)[: max(2, len(items))]
    yield "as many wrong members besides", s.write(joined(items + wrong, joint, s.gold(task)))
    yield "wrong members first", s.write(joined(wrong + items, joint, s.gold(task)))


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
    found = members(s.gold(task)) if s.learned.all_of or s.family == "json" else None
    if found is None:
        return
    everything = list(dict.fromkeys([*found[0], *others(s, found[0])]))
    yield "the members of all golds", s.write(joined(sorted(everything)[:60], found[1], s.gold(task)))


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
    found = members(gold) if (s.learned.all_of or s.family == "json") and value is None else None
    if found and len(found[0]) > 1:
        yield "the first member alone", s.write(joined(found[0][:1], found[1], gold))
        yield "the first member, as often as there are members", s.write(joined(found[0][:1] * len(found[0]), found[1], gold))
