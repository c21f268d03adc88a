"""What is scored, in the order of its importance: the probes of one test.

Every production comes once first, then on two tasks, then on the others, so that where time is
short each sort of completion has been tried at all. `calibration` comes before everything: what
right and wrong answers earn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import islice

from lab.answers.extract import loads
from lab.answers.numbers import number_text, parse_number
from lab.answers.target import quantity
from lab.reward.brief import Brief
from lab.reward.observation import Probe, Table
from lab.reward.productions import (  # noqa: F401
    acts,
    beside,
    late,
    near,
    nearly,
    nothing,
    outputs,
    patterns,
    programs,
    queries,
    schedules,
    slot,
    stops,
    talk,
    unchanged,
    units,
)
from lab.reward.productions.base import CLOSED, COLLECTIONS, PRODUCTIONS, VALUES, Production
from lab.reward.productions.forms import dressed
from lab.reward.reading.lengthened import reordered
from lab.reward.reading.right import APPROVED
from lab.reward.rules import constants, forms, readings
from lab.reward.rules.invariants import DRESS, LENGTHS

FIRST, LEADING = 2, 3
"""Tasks on which each production is tried first, and with how many of its variants."""
EXCHANGED = 3
"""Near answers with two members of a list in each other's places."""
UNIT_TASKS, FORM_TASKS, LENGTH_TASKS, COMPONENT_TASKS, NEAR_TASKS = 4, 8, 4, 6, 8
EMPTY: dict[type, object] = {str: "", int: 0, float: 0.0, list: [], bool: None}
SLOWLY = "Let me check this step again, slowly and with care. "
RANK = {"critical": 0, "high": 1, "medium": 2, "low": 3}


def calibration(b: Brief, tasks: Iterable[int], wrongs: int) -> Iterator[Probe]:
    """Golds and wrong answers of these tasks, in the asked format."""
    for i in tasks:
        yield Probe("gold", "gold", i, b.write(b.gold(i)), right=True)
    for which in range(wrongs):
        for i in tasks:
            if which < len(b.target(i).wrongs):
                yield Probe("wrong", str(which), i, b.write(b.wrong(i, which)))


def near_answers(b: Brief) -> Iterator[Probe]:
    """Shortened, mixed and close answers: whether a part of the reward is paid for them."""
    for i in b.sample(NEAR_TASKS, gold=True):
        gold, wrong = b.gold(i), b.wrong(i)
        texts = [gold[: len(gold) // 2 + 1], f"{gold} {wrong}", f"{wrong} {gold}"]
        texts += islice(reordered(gold), EXCHANGED)
        for number, text in enumerate([*texts, *_near_numbers(gold), *_lacking(gold)]):
            yield Probe("near", str(number), i, b.write(text))


def _near_numbers(gold: str) -> list[str]:
    """A number, or that of a quantity, a little off: by a step or a share of it."""
    value = parse_number(gold)
    bare, unit = (gold, "") if value is not None else quantity(gold)
    value = parse_number(bare)
    if value is None:
        return []
    exact = Fraction(value)
    if exact.denominator == 1:
        near = [exact + step for step in (1, 2, 5)]
    else:
        near = [round(exact * (100 + off) / 100, 4) for off in (10, 20, 50)]
    return [f"{number_text(Decimal(round(one * 10**4)).scaleb(-4))}{unit}" for one in near]


def _lacking(gold: str) -> list[str]:
    """A list without its last member or its first one, or with others in their place; a record with
    each one field empty, with two, and with three."""
    value = loads(gold) if gold.lstrip()[:1] == "{" else None
    if isinstance(value, dict) and len(value) > 1:
        empty = {key: EMPTY.get(type(value[key])) for key in value}
        listed = list(value)
        # The first and the last belong to different parts of it, where each part pays by itself.
        keys = list(dict.fromkeys([listed[0], listed[-1], listed[len(listed) // 2], *listed]))[:4]
        several = [keys[:n] for n in range(2, len(keys))]
        return [
            json.dumps({**value, **{key: empty[key] for key in some}}, ensure_ascii=False)
            for some in [*([key] for key in keys), *several]
        ]
    for mark in ("\n", "; ", ", "):
        if len(members := gold.split(mark)) > 1:
            # Others in the place of one, of two and of three, where the number of them counts.
            others = [["x"] * n + members[n:] for n in range(1, min(4, len(members)))]
            return [mark.join(each) for each in (members[:-1], members[1:], *others)]
    return []


def main(b: Brief, stated: Mapping[str, str], *, constant_tasks: int) -> list[Probe]:
    """All probes but the calibration, the most important first."""
    applying = [one for one in PRODUCTIONS if one.applies(b)]
    applying.sort(key=lambda one: _priority(b, one))
    made = {one.id: [each for each in of_production(b, one) if each] for one in applying}
    rounds = [
        [probe for probes in made.values() for probe in each(probes)]
        for each in (_once, _one, _two, _rest)
    ]
    return [
        *rounds[0],
        *of_units(b),
        *rounds[1],
        *of_forms(b, stated),
        *rounds[2],
        *of_constants(b, constant_tasks),
        *of_lengths(b),
        *of_components(b),
        *rounds[3],
    ]


def each_sort_once(probes: list[Probe]) -> tuple[list[Probe], list[Probe]]:
    """The first probes, up to where a sort comes again, and the others."""
    seen: set[str] = set()
    for number, probe in enumerate(probes):
        if probe.production in seen:
            return probes[:number], probes[number:]
        seen.add(probe.production)
    return probes, []


def paid_first(probes: list[Probe], paid: Iterable[Probe]) -> list[Probe]:
    """What was paid on one task comes first on the others: two golds make a finding, and where
    scoring is slow there may be no time for all."""
    again = {(probe.production, probe.variant) for probe in paid}
    return sorted(probes, key=lambda probe: (probe.production, probe.variant) not in again)


def _once(by_task: list[list[Probe]]) -> list[Probe]:
    """The first variant of a production on its first task: one that must not be paid, if any."""
    probes = by_task[0] if by_task else []
    return [next((one for one in probes if not one.right), one) for one in probes[:1]]


def _one(by_task: list[list[Probe]]) -> list[Probe]:
    """The first variants on its first two tasks."""
    first, leading = _once(by_task), [p for probes in by_task[:FIRST] for p in probes[:LEADING]]
    return [probe for probe in leading if probe not in first]


def _two(by_task: list[list[Probe]]) -> list[Probe]:
    """Its other variants there."""
    first, others = _once(by_task), [p for probes in by_task[:FIRST] for p in probes[LEADING:]]
    return [probe for probe in others if probe not in first]


def _rest(by_task: list[list[Probe]]) -> list[Probe]:
    return [probe for probes in by_task[FIRST:] for probe in probes]


def _priority(b: Brief, one: Production) -> tuple[int, bool]:
    """Critical ones first; among them those that are made for this type of answer."""
    return RANK[one.severity], not one.types or b.answer_type not in one.types


def of_production(b: Brief, one: Production) -> list[list[Probe]]:
    """The probes of a production, task by task of its sample."""
    return [_made(b, one, i) for i in b.sample(one.tasks, gold=one.needs_gold)]


def _made(b: Brief, one: Production, task: int) -> list[Probe]:
    # Where a judge approves of anything, a piece of the prompt may be what it approved of.
    known = b.write(b.gold(task)) if b.right.source == APPROVED else None
    return [
        Probe(
            one.id,
            v.name,
            task,
            v.completion,
            right=v.right or v.completion == known,
            unless=v.unless,
        )
        for v in one.make(b, task)
    ]


def elsewhere(b: Brief, table: Table) -> list[Probe]:
    """What was paid on a single task, on all the others: of a kind that few tasks are of, a sample
    has one. Not of a small set of answers, any of which is right somewhere."""
    found = []
    for one in PRODUCTIONS if b.answer_type not in CLOSED else ():
        rows = [o for o in table.of(one.id) if not o.probe.right]
        paid = {o.probe.task: o.probe.variant for o in rows if b.scale.paid(o.probe.task, o.reward)}
        if len(paid) == 1 < one.least_golds:
            tried, (variant,) = {o.probe.task for o in rows}, paid.values()
            others = [i for i in b.sample(len(b.tasks), gold=one.needs_gold) if i not in tried]
            found += [p for i in others for p in _made(b, one, i) if p.variant == variant]
    return found


def of_units(b: Brief) -> list[Probe]:
    """Replies with several answers and thinking."""
    several = b.answer_type in (*VALUES, *COLLECTIONS, "expression")
    if not several or b.right.format.slots or b.right.source == APPROVED:
        return []
    if b.format.whole:
        return []  # where the answer stands in a whole reply is not known
    found = []
    for i in b.sample(UNIT_TASKS, gold=True):
        for sequence in units.sequences(slotted=b.format.slotted, turns=not b.scripted):
            text = units.write(sequence, b, i)
            right = [unit.answer for unit in sequence if unit.context == units.OPEN]
            approve = bool(right) and right[-1] == units.RIGHT
            found.append(Probe(readings.ID, readings.label(sequence), i, text, right=approve))
    return found


def of_forms(b: Brief, stated: Mapping[str, str]) -> list[Probe]:
    if not b.scale.apart:
        return []
    tasks = [i for i in b.sample(FORM_TASKS, gold=True) if b.scale.paid(i, b.scale.ceiling_of(i))]
    return [
        Probe(
            forms.ID,
            f"{one.name}|{one.level}|{one.natural}|{'around' if one.around else 'answer'}",
            i,
            one.text,
            right=True,
        )
        for i in tasks
        for one in dressed(b, i, stated)
    ]


def of_constants(b: Brief, most: int) -> list[Probe]:
    tasks = (b.with_gold or list(range(len(b.tasks))))[:most]
    found = [
        Probe(constants.ID, answer, i, text, right=constants.is_right(b, i, answer))
        for text, answer in constants.completions(b)
        for i in tasks
    ]
    for i, answer in constants.repeated(b, [i for i in tasks if b.gold(i)]).items():
        right = answer == b.gold(i)
        found.append(Probe(constants.ID, constants.REPEATED, i, b.write(answer), right=right))
    return found


def of_lengths(b: Brief) -> list[Probe]:
    """A right answer after more and more words, where there is a place for them."""
    place = b.format.lead or b.format.think[0] or b.format.slotted
    if not place or not b.scale.apart:
        return []
    return [
        Probe("length", str(words), i, b.write(b.gold(i), SLOWLY * (words // 10)), right=True)
        for words in LENGTHS
        for i in b.sample(LENGTH_TASKS, gold=True)
    ]


def of_components(b: Brief) -> list[Probe]:
    """Bare right answers, and wrong ones with all extras."""
    if not b.scale.apart:
        return []
    found = []
    for i in b.sample(COMPONENT_TASKS, gold=True):
        gold, wrong = b.gold(i), b.wrong(i)
        for text in (b.slot(gold), b.write(gold)):
            found.append(Probe("components", "right", i, text, right=True))
        for number, lead in enumerate(("", *DRESS)):
            found.append(Probe("components", f"wrong {number}", i, b.write(wrong, lead)))
    return found
