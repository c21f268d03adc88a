"""Near misses by type: another day of the same year, a fraction upside down, one member too
many."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

from lab.answers import close_collections as collections
from lab.answers import close_records
from lab.answers import close_values as values
from lab.answers.changes import NUMBER, other_number
from lab.answers.close_expressions import close_expressions
from lab.answers.close_values import Near
from lab.answers.numbers import number_text, parse_number
from lab.answers.signs import other_signs
from lab.answers.target import Target
from lab.reward.brief import Brief
from lab.reward.productions.base import Variant, Variants, production
from lab.reward.reading import open_cells


def _written(
    make: Callable[[Target], Iterator[Near]], *, keyed: bool = True, whole: bool = True
) -> Callable[[Brief, int], Variants]:
    """The near misses of a task, each written in the asked format. `keyed`: also where each part
    answers a question by its key, so that a further key answers none. `whole`: also where an
    example says what is right, and which part of it is the answer is not known."""

    def variants(b: Brief, task: int) -> Variants:
        if (not keyed and b.right.keyed) or (not whole and b.format.whole):
            return
        target = b.target(task)
        for near in make(target):
            if not b.right.between(task, near.text):
                yield Variant(near.name, b.write(near.text), unless=near.unless)

    return variants


NUMBERS = "close-number"

close_dates = production(
    "close_date",
    section=NUMBERS,
    title="another day is not paid",
    types=("text", "number"),
    reason="A reward that compares the year, or the month, pays every other day of it.",
    source="own cases: dates",
    fix="parse both dates and compare year, month and day",
)(_written(values.close_dates))

close_times = production(
    "close_time",
    section=NUMBERS,
    title="another time of day is not paid",
    types=("text", "number"),
    reason="A reward that drops the hour's half of the day pays the wrong one.",
    source="own cases: times of day",
    fix="compare hours (0 to 23) and minutes; read am and pm before that",
)(_written(values.close_times))

close_units = production(
    "close_unit",
    section=NUMBERS,
    title="the right number with another unit is not paid",
    types=("text",),
    reason="A reward that cuts the unit off pays 300 kWh for 300 Wh.",
    source="own cases: quantities",
    fix="compare number and unit, after bringing both to one unit",
)(_written(values.close_units))

close_math = production(
    "close_math",
    section=NUMBERS,
    title="an expression beside the gold is not paid",
    types=("math",),
    reason="A comparison of characters pays a fraction upside down and a root without its sign.",
    source="own cases: expressions",
    fix="compare the values (math-verify, sympy), or the whole normalised expressions",
)(_written(close_expressions))


@production(
    "close_number",
    title="a number beside the gold is not paid",
    types=("number", "text"),
    judgement=lambda b: b.guessing,
    reason="A loose tolerance, rounding or integer truncation pays near misses.",
    source="falsepass: probe list",
    fix="compare exactly (fractions or decimals); a tolerance belongs to measured quantities and "
    "must be small",
)
def close_number(b: Brief, task: int) -> Variants:
    target = b.target(task)
    next_one = values.next_number(target)
    if next_one is not None:
        yield Variant(values.NEXT, b.write(next_one), right=True)
    yield from _written(values.close_numbers)(b, task)
    value = parse_number(target.gold)
    if b.right.tolerance and value is not None and b.answer_type == "number":
        far = Fraction(value) * (1 + 3 * Fraction(b.right.tolerance))
        text = number_text(Decimal(round(far * 100)).scaleb(-2))
        if not b.right.between(task, text):
            yield Variant("three times the tolerance off", b.write(text))


MARK = re.compile(r"^\s*\d+(?=[.):])", re.MULTILINE)
"""A number that only counts the lines."""
MOST_NUMBERS = 6


def _numbers_inside(t: Target) -> Iterator[Near]:
    """Each number of a longer text another one, as long and far off."""
    counts = {found.end() for found in MARK.finditer(t.gold)}
    inside = [found for found in NUMBER.finditer(t.gold) if found.end() not in counts]
    if collections.COMMAND.search(t.gold):
        return
    for number, found in enumerate(inside[:MOST_NUMBERS], 1):
        if found[0] != t.gold.strip():
            other = t.gold[: found.start()] + other_number(found[0]) + t.gold[found.end() :]
            yield Near(f"number {number} is another", other)


number_inside = production(
    "number_inside",
    section=NUMBERS,
    title="the right text with another number in it is not paid",
    types=("text", "list", "unknown"),
    all_of_it=True,
    reason="A normaliser that drops item marks, or a tolerance for typos, takes one number for "
    "another.",
    source="own cases: quantities",
    fix="compare the numbers of both sides exactly, before and apart from the words",
)(_written(_numbers_inside, whole=False))

RANGE = re.compile(r"(?<![\w.,-])(\d{1,6})(\s?(?:-|–|—|to|\.\.)\s?)(\d{1,6})(?![\w,-]|\.\d)")


@production(
    "wide_range",
    section=NUMBERS,
    title="a range far wider than the right one is not paid like it",
    types=("text", "list", "json", "unknown"),
    needs_gold=False,
    severity="critical",
    all_of_it=True,
    reason="An overlap that is divided by the gold's own length is whole for a range that holds "
    "everything.",
    source="arXiv 1902.09630: intersection over union; own cases: ranges of years",
    fix="divide by the union of both ranges (intersection over union), so that what is added costs "
    "as much as what is left out",
)
def wide_range(b: Brief, task: int) -> Variants:
    text = b.write(b.gold(task)) if b.gold(task) else b.whole(task)
    found = RANGE.findall(text) if isinstance(text, str) else []
    if isinstance(text, str) and len(found) == 1 and int(found[0][0]) <= int(found[0][2]):
        low, high = int(found[0][0]), int(found[0][2])
        more = 50 * (high - low + 1)
        wide = f"{max(1, low - more)}{found[0][1]}{high + more}"
        yield Variant("fifty times as wide to both sides", RANGE.sub(wide, text))


extra_members = production(
    "extra_members",
    section="lists",
    title="a list with wrong members is not paid like the right list",
    types=("list", "json"),
    reason="Where only missing members cost something, listing everything is always right.",
    source="arXiv 2604.15149: models enumerate labels",
    fix="compare the sets for equality, or pay by F1 or Jaccard, so that a wrong member costs as "
    "much as a missing one",
)(_written(collections.extra_members, keyed=False))

every_member = production(
    "every_member",
    section="lists",
    title="listing every possible member is not paid",
    severity="critical",
    free=True,
    types=("list", "json"),
    reason="The list of everything holds the right members on every task.",
    source="arXiv 2604.15149: models enumerate labels",
    fix="compare the sets for equality, or pay by F1 or Jaccard, so that a wrong member costs as "
    "much as a missing one",
)(_written(collections.every_member, keyed=False))

missing_members = production(
    "missing_members",
    section="lists",
    title="a part of the members or fields is not paid like all of them",
    types=("list", "json"),
    reason="A loop over what was given pays for leaving out.",
    source="own cases: records and lists",
    fix="go through the gold's own members, each once, and count what is absent as wrong",
)(_written(collections.missing_members))

TABLES = ("text", "list", "json", "unknown")

missing_records = production(
    "missing_records",
    section="lists",
    title="a table or list without one of its records is not paid like the whole",
    types=TABLES,
    all_of_it=True,
    reason="Records that are kept by a key that two of them share are one: the other one can be "
    "left out.",
    source="own cases: lists of records, tables",
    fix="count the gold's records, and compare each with one of the reply's",
)(_written(close_records.missing_records))

repeated_records = production(
    "repeated_records",
    section="lists",
    title="one right record in the place of all is not paid",
    severity="critical",
    types=TABLES,
    all_of_it=True,
    reason="Where each row of the reply is looked up, one right row as often as wanted is right.",
    source="own cases: tables, lists of records",
    fix="take each of the gold's records once: a further row for it is a wrong one",
)(_written(close_records.repeated_records))

further_records = production(
    "further_records",
    section="lists",
    title="a table or list with other tasks' records besides is not paid like the right one",
    types=TABLES,
    all_of_it=True,
    judgement=lambda b: b.right.reading == open_cells.READING,  # which has all rows already
    reason="Where what does not fit is dropped before it is counted, listing everything costs "
    "nothing.",
    source="arXiv 2604.15149: models enumerate labels",
    fix="count each record of the reply that is none of the gold's as a wrong one",
)(_written(close_records.further_records))

wrong_columns = production(
    "wrong_columns",
    section="lists",
    title="records with one wrong field are not paid like right ones",
    types=("json", "list"),
    all_of_it=True,
    reason="A field that is not compared is never learnt.",
    source="own cases: lists of records",
    fix="compare all fields; where one is free on purpose, leave it out of the gold",
)(_written(close_records.wrong_columns))


def _exchanged(t: Target) -> Iterator[Near]:
    yield from collections.exchanged(t)
    yield from close_records.exchanged_values(t)


exchanged = production(
    "exchanged",
    section="lists",
    title="the right values in each other's places are not paid",
    types=("text", "list", "json"),
    all_of_it=True,
    reason="A comparison of the values as one bag pays a table whose rows are mixed up.",
    source="own cases: tables and records",
    fix="compare row by row and field by field",
)(_written(_exchanged))


@production(
    "reversed_order",
    section="lists",
    title="the reverse of a ranking is not paid like the ranking",
    types=("list",),
    reason="The size of a correlation without its sign pays the order turned round.",
    source="own cases: rankings",
    fix="keep the sign of the correlation, and cut it at zero",
)
def reversed_order(b: Brief, task: int) -> Variants:
    turned = collections.turned(b.target(task))
    if turned is not None:
        yield Variant(collections.TURNED, b.write(turned), right=True)
    yield from _written(collections.reversed_order)(b, task)


order_ignored = production(
    "order_ignored",
    section="lists",
    title="the members in another order are not paid where an order is asked for",
    types=("list", "text", "json"),
    least_share=0.5,
    all_of_it=True,
    reason="Where the members are compared as a set, the list of the prompt is right as it is.",
    source="own cases: orderings",
    fix="compare position by position, or pay the share of pairs in the right order",
)(_written(collections.other_orders))

invented_steps = production(
    "invented_steps",
    section="lists",
    title="the right ends of a sequence with invented steps between are not paid",
    types=("list", "text", "json"),
    all_of_it=True,
    reason="A path is checked by its ends and its length, and any way between them is paid.",
    source="own cases: paths and derivations",
    fix="check every step: that each pair of neighbours is an edge, that each line follows",
)(_written(collections.invented_steps))

one_part_wrong = production(
    "one_part_wrong",
    section="lists",
    title="an answer with one wrong part is not paid like the right one",
    types=("text", "list", "math", "json"),
    all_of_it=True,
    reason="Where one part of a pair or a record is not compared, it is never learnt.",
    source="own cases: answers of several parts",
    fix="compare all parts; where one is free on purpose, leave it out of the gold",
)(_written(collections.one_part_wrong))

other_sign = production(
    "other_sign",
    section="homoglyph",
    title="an answer with another sign, or without its sign, is not paid",
    types=("text", "list", "label", "choice", "json"),
    reason="A normaliser that drops what is no letter makes C and C++, A+ and A−, Do and Do♯ one.",
    source="Search-R1: qa_em drops all punctuation; own cases: names of notes, blood groups",
    fix="keep the signs by which golds differ when texts are normalised",
)(_written(other_signs))
