"""The completions that failing findings stand on: what a reader is asked of them, and has answered.

    for one in disputed(audit): ...            # questions for the contract
    brief = replace(brief, settled=settled(brief, table, scored))

The test calls a completion wrong, or another form of what is right, by rules of its own. A reader
of prompt and README knows better: where an example says of such a completion what the reward says
of it, its sort counts against the reward on no task.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lab.answers.form import CORE
from lab.environment import Completion
from lab.reward.brief import WHOLE, Brief
from lab.reward.examples_scored import Scored
from lab.reward.observation import Observation, Table, key_of
from lab.reward.outcome import Audit
from lab.reward.productions.base import PRODUCTIONS
from lab.reward.productions.units import name_of
from lab.reward.rules import declared, forms, paid, readings, sanity
from lab.reward.scale import TINY

EACH, MOST, LONGEST = 2, 10, 2000
"""Questions about one finding, and about all; characters of a completion that is asked about."""


@dataclass(frozen=True)
class Disputed:
    """A completion that counts against the reward."""

    name: str
    task: int
    """The position of the task."""
    completion: Completion
    reward: float

    @property
    def key(self) -> str:
        return key_of(self.completion)


def settled(b: Brief, table: Table, scored: Scored) -> dict[tuple[str, str], float]:
    """Production and variant of what an example affirms, and up to which share of what is right. A
    scripted judge affirms anything."""
    if b.scripted or not scored:
        return {}
    differs = {id(one.example) for one in declared.differing(b, scored)}
    right = b.contract.right_examples()
    kept = {
        (task, key_of(example.completion)): example
        for task, example, reward in scored
        if reward is not None and id(example) not in differs
    }
    problems = readings.problems(b, readings.seen(b, table)).values()
    unfair = {readings.label(units) for listed in problems for units in listed}
    held = {forms.ID, readings.ID, "wrong", "gold", *(one.id for one in PRODUCTIONS)}
    found: dict[tuple[str, str], float] = {}
    for o in (one for one in table.scored() if one.probe.production in held):
        example = kept.get(o.probe.key)
        if example is None or (o.probe.production == readings.ID and o.probe.variant not in unfair):
            continue
        share = _affirmed(b, o, worth=not example.wrong, right=example in right)
        key = o.probe.production, variant_of(o)
        if share > 0:
            found[key] = max(share, found.get(key, 0.0))
    if declared.golds_misread(b, scored):
        found["gold", "less than the right examples"] = WHOLE
    return found


def _affirmed(b: Brief, o: Observation, *, worth: bool, right: bool) -> float:
    """How much of what is right an example that earns what it should finds fair, where the test
    does not; 0 where it says nothing. What needs no answer is right or wrong, and no part."""
    if o.probe.production == readings.ID:
        return WHOLE
    if o.probe.right:
        refused = b.scale.refused(o.probe.task, o.reward or 0.0)
        return WHOLE if refused and not right else 0.0
    if right:
        return WHOLE
    free = {one.id for one in PRODUCTIONS if one.free}
    if not worth or o.probe.production in {*free, "wrong"}:
        return 0.0
    return b.scale.share(o.probe.task, o.reward or 0.0) + TINY


def variant_of(o: Observation) -> str:
    """The variant of a probe; of a form its name alone."""
    variant = o.probe.variant
    return forms.name_of(variant) if o.probe.production == forms.ID else variant


def sorts(b: Brief) -> list[str]:
    """What is settled in words; a production where all of it is."""
    return list(dict.fromkeys(_sort(b, *one) for one in sorted(b.settled)))


def _sort(b: Brief, production: str, variant: str) -> str:
    if production == readings.ID:
        return name_of(readings.parse(variant))
    if production == "wrong":
        return "another answer"
    whole = production != forms.ID and b.affirmed(production, "", WHOLE)
    return f"all of {production}" if whole else variant


def disputed(audit: Audit) -> list[Disputed]:
    """The smallest completions behind each failing finding, of different sorts: those of which no
    example of the contract speaks."""
    b = audit.brief
    failing = {one.id for one in audit.findings if one.status == "fail"}
    if b.scripted:
        return []
    each = (_answers, _paid, _refused, _several)
    found = [one for about in each for one in about(audit, failing)]
    examples = (*b.contract.examples, *b.contract.undecided)
    given = {(example.task, key_of(example.completion)) for example in examples}
    asked = [one for one in found if (b.tasks[one.task].index, one.key) not in given]
    return [one for one in asked if len(one.key) <= LONGEST][:MOST]


def _paid(audit: Audit, failing: set[str]) -> Iterator[Disputed]:
    for result in audit.results:
        if result.production.check.id in failing:
            counted = result.counted(audit.brief.graded)
            by_variant = {one.variant: one for one in sorted(counted, key=paid.size, reverse=True)}
            for one in sorted(by_variant.values(), key=paid.size)[:EACH]:
                yield Disputed(one.variant, one.task, one.completion, one.reward)


def _refused(audit: Audit, failing: set[str]) -> Iterator[Disputed]:
    for check, around in ((forms.CORE_FORMS, False), (forms.WRAPPER, True)):
        tallies = audit.forms.of(around=around, level=CORE) if check.id in failing else {}
        refused = {name: one.refused[0] for name, one in tallies.items() if one.unfair}
        for name, (task, text) in list(refused.items())[:EACH]:
            reward = audit.table.reward(task, text)
            yield Disputed(name, task, text, reward or 0.0)


def _several(audit: Audit, failing: set[str]) -> Iterator[Disputed]:
    for id, sequences in readings.problems(audit.brief, audit.seen).items():
        for units in sequences[:EACH] if id in failing else ():
            yield Disputed(name_of(units), *audit.seen.example[units])


def _answers(audit: Audit, failing: set[str]) -> Iterator[Disputed]:
    """Wrong answers that are paid, and golds that are not."""
    b = audit.brief
    if sanity.WRONG_UNPAID.id in failing and b.scale.apart:
        for task, answer, reward in sanity.paid_wrongs(b)[:EACH]:
            yield Disputed("another answer", task, b.write(answer), reward)
    if sanity.GOLD_PAID.id in failing and b.scale.apart:
        unpaid = [i for i, reward in b.scale.right.items() if b.scale.refused(i, reward)]
        for task in unpaid[:EACH]:
            text = b.write(b.gold(task))
            yield Disputed(f"its {b.right.source}", task, text, b.scale.right[task])
