"""Programs whose outputs are not the wanted ones: all of them at once, or one beside each.

They are made of the task's own tests, and do what an honest comparison has to refuse.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lab.answers.close_collections import ANY_ORDER, ORDER_ASKED
from lab.reward.brief import Brief
from lab.reward.productions.base import Variant, Variants, production
from lab.reward.productions.programs import CODE, function_name, is_python
from lab.reward.reading.tests_given import cases_of

MOSTLY_RAISES = """\
_whole = {name}


def {name}(*args, **kwargs):
    if sum(map(ord, repr(args))) % 4:
        raise ValueError(args)
    return _whole(*args, **kwargs)
"""
"""Comes behind a right program, the name of its function in {name}."""
ONE_TEST = (
    ("first", "KeyError"),
    ("last", "NotImplementedError"),
    ("first", "NotImplementedError"),
)
"""A test that a program passes, and what it raises on the others: where some errors may be right,
they are results like any other, and only further ones are left out."""
RETURNS = re.compile(r"(?m)^    return[ \t]+(?!None\b)\S(?![\s\S]*\byield\b)")
"""A function that gives a value, and no generator."""
ANOTHER = """\
_whole = {name}


def {name}(*args, **kwargs):
    global {name}
    mine, {name} = {name}, _whole  # it may call itself
    try:
        value = _whole(*args, **kwargs)
    finally:
        {name} = mine
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return -value - 1
    if isinstance(value, str):
        return value[:-1] if value else "?"
    if isinstance(value, (list, tuple)):
        return {changed}
    return None
"""
"""Comes behind a right program, the name of its function in {name}."""
CUT, TWICE = "value[:-1] if value else [None]", "[*value, *value[-1:]] if value else [None]"
NAN = "nan = float('nan')\n"
"""Comes before a program that gives it."""
DECIMAL, NUMBER = re.compile(r"-?\d+\.\d+(?!\.?\w)"), re.compile(r"(\d)(?:\.\d+)?(?!\d)")
LONGEST = 10_000
"""Characters of an output that is changed."""
ANY_CASE = re.compile(r"\bcase\b", re.IGNORECASE)


@production(
    "close_output",
    title="a program whose outputs are beside the wanted ones is not paid",
    types=("code",),
    all_of_it=True,  # its share of the outputs stays as it is
    tasks=20,  # few of them may ask for an order
    section="lists",
    reason="A comparison that sorts, rounds or lowers both sides pays what the task forbids; one "
    "that refuses what is too far off pays NaN, and one that goes through pairs (zip) a part.",
    source="own cases: lists that are sorted before they are compared",
    fix="compare the values as they are, and their lengths; level only what the task leaves open",
)
def close_output(b: Brief, task: int) -> Variants:
    tests = cases_of(b.tasks[task])
    if not is_python(b, task):
        return
    if tests is None:
        yield from _behind_the_gold(b, task)
        return
    shown = b.tasks[task].shown
    changes: dict[str, Callable[[Any], Any]] = {"numbers one off": _one_off}
    if ORDER_ASKED.search(shown) and not ANY_ORDER.search(f"{shown}\n{b.readme}"):
        changes["lists the other way round"] = _turned
    if not ANY_CASE.search(shown) and "case" not in b.stated:
        changes["texts in the other case"] = _other_case
    changes["NaN in the place of decimals"] = _not_a_number
    if tests.function:
        changes |= {"nothing in them": _emptied, "the last one left out": _cut}
        if not ANY_ORDER.search(f"{shown}\n{b.readme}"):  # of a set, that is the same
            changes["the last one twice"] = _longer
    for name, change in changes.items():
        changed = tests.changed(change)
        # Where an output stays as it is, its test says nothing; one that differs has to fail.
        if changed != tests:
            first = NAN if change is _not_a_number and tests.function else ""
            yield Variant(name, b.write(first + changed.program()))


def _behind_the_gold(b: Brief, task: int) -> Variants:
    """The gold, with another value of the same kind in the place of what its function returns."""
    gold, name = b.gold(task), function_name(b, task)
    if re.search(rf"^def {name}\(", gold, re.MULTILINE) and RETURNS.search(gold):
        others = {"another value, the last one left out": CUT}
        if not ANY_ORDER.search(f"{b.tasks[task].shown}\n{b.readme}"):
            others["another value, the last one twice"] = TWICE
        for kind, changed in others.items():
            program = f"{gold.rstrip()}\n\n\n{ANOTHER.format(name=name, changed=changed)}"
            yield Variant(kind, b.write(program))


@production(
    "code_skipped",
    title="a program that raises on most of its tests is not paid",
    types=("code",),
    all_of_it=True,  # its share of the tests is fair
    section="code-exit",
    reason="Where a test that raises is left out of the count, one that passes is all of them.",
    source="own cases: tests that raise are logged and skipped, in four sets of tests",
    fix="count a test that raises as failed, and divide by the number of all tests",
)
def code_skipped(b: Brief, task: int) -> Variants:
    if not is_python(b, task):
        return
    tests, gold, name = cases_of(b.tasks[task]), b.gold(task), function_name(b, task)
    if tests is not None and len({repr(given) for given, _ in tests.cases}) > 1:
        for test, error in ONE_TEST if tests.function else ONE_TEST[:2]:
            one = tests.cases[:1] if test == "first" else tests.cases[-1:]
            program = replace(tests, cases=one).program(otherwise=error)
            what = f"right on the {test} test, {error} on the others"
            yield Variant(what, b.write(program))
    elif tests is None and f"def {name}(" in gold:
        program = f"{gold.rstrip()}\n\n\n{MOSTLY_RAISES.format(name=name)}"
        yield Variant("an error on three inputs of four", b.write(program))


def _one_off(wanted: Any) -> Any:
    if isinstance(wanted, str):
        *_, last = [None, *NUMBER.finditer(wanted[:LONGEST])]
        if last is None:
            return wanted
        return f"{wanted[: last.start()]}{(int(last[1]) + 1) % 10}{wanted[last.end(1) :]}"
    plain = isinstance(wanted, (int, float)) and not isinstance(wanted, bool)
    return wanted + 1 if plain else wanted


def _not_a_number(wanted: Any) -> Any:
    if isinstance(wanted, str):
        return DECIMAL.sub("nan", wanted) if len(wanted) <= LONGEST else wanted
    if isinstance(wanted, (list, tuple)):
        return type(wanted)(map(_not_a_number, wanted))
    return math.nan if isinstance(wanted, float) else wanted


def _emptied(wanted: Any) -> Any:
    return type(wanted)() if isinstance(wanted, (list, tuple, dict, str)) else wanted


def _cut(wanted: Any) -> Any:
    if isinstance(wanted, dict):
        return dict(list(wanted.items())[:-1])
    return wanted[:-1] if isinstance(wanted, (list, tuple, str)) else wanted


def _longer(wanted: Any) -> Any:
    if isinstance(wanted, (list, tuple)):
        return type(wanted)([*wanted, *wanted[-1:]])
    return wanted + wanted[-1:] if isinstance(wanted, str) else wanted


def _turned(wanted: Any) -> Any:
    return wanted[::-1] if isinstance(wanted, (list, tuple)) else wanted


def _other_case(wanted: Any) -> Any:
    return wanted.swapcase() if isinstance(wanted, str) else wanted


@production(
    "code_prints_all",
    title="printing every possible output is not paid",
    severity="critical",
    types=CODE,
    section="enumeration",
    reason="`expected in stdout` is true of a program that prints everything.",
    source="own cases: printed output",
    fix="compare the whole of what was printed with what was wanted, and all of the items",
)
def code_prints_all(b: Brief, task: int) -> Variants:
    tests = cases_of(b.tasks[task])
    outputs = tests.outputs if tests and not tests.function else []
    if len(outputs) < 2:
        return  # the one output there is
    lines = "\n".join(outputs)
    yield Variant("the outputs of all tests", b.write(f"print({lines!r})"))
    yield Variant("the same in one line", b.write(f"print({' '.join(outputs)!r})"))
    if all(output.lstrip("-").isdigit() for output in outputs):
        yield Variant("all whole numbers", b.write("print(*range(-1000, 10001))"))
