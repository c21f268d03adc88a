"""Which completions of a reward test a reader could be shown, by the reason for showing them.

candidates(audit)["gold"]       # in the order of what they say, the most telling first
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from lab.answers.alike import same
from lab.answers.form import CHOICE, CORE, USUAL
from lab.answers.wrong import made_up
from lab.environment import Completion
from lab.review.items import EXPLOIT, FORM, GOLD, REFUSED, STRUCTURE, WRONG, Item, verdict
from lab.review.near_programs import near_programs
from lab.review.said import Said
from lab.reward.interactive.messages import shown
from lab.reward.observation import Observation
from lab.reward.outcome import Audit
from lab.reward.productions.base import PRODUCTIONS
from lab.reward.productions.units import OPEN, TURN, Units, name_of
from lab.reward.rules import forms, readings
from lab.reward.rules.paid import Payment

LONGEST = 900
"""Characters of a completion that a reader is asked to read."""
NEAR = ("close_number", "close_date", "close_time", "close_unit", "close_math")
ORDINARY = ("hedged", "another_gold", "denied", "several_in_slot", "part_of_gold", "empty")
"""Productions of which one is shown though it is refused: what most rewards get wrong."""
CLAUSE_OF = {
    "empty": "empty",
    "format_only": "empty",
    "echo": "silent",
    "filler": "silent",
    "structure_only": "silent",
    **dict.fromkeys(NEAR, "tolerance"),
}
"""Per production the clause of a contract that says what is meant."""

MOST_PROGRAMS = 5
MOST_REPLACED, FEW = 6, 3
"""Wrong answers that are given a lifelike text, where fewer than `FEW` have one."""
Candidates = dict[str, list[Item]]


def candidates(audit: Audit, seed: str) -> Candidates:
    """Every reason with its completions. `seed` mixes those that say the same."""
    rng = random.Random(seed)
    rules = Said.of(audit)
    found = {
        GOLD: _golds(audit, rng),
        WRONG: _wrongs(audit, rng),
        EXPLOIT: list(_paid_wrong(audit)),
        STRUCTURE: list(_structures(audit, rng)),
        FORM: list(_forms(audit, rules)),
        "refused": list(_refused(audit, rng, rules)),
        "near": list(_near(audit)),
    }
    return {reason: [one for one in items if _readable(one)] for reason, items in found.items()}


def _readable(item: Item) -> bool:
    return len(shown(item.completion)) <= LONGEST


def item(audit: Audit, o: Observation, role: str, name: str, clause: str = "") -> Item:
    return _item(audit, o.probe.task, o.probe.completion, o.reward, role, name, clause)


def _item(
    audit: Audit,
    task: int,
    completion: Completion,
    reward: float | None,
    role: str,
    name: str,
    clause: str = "",
    note: str = "",
) -> Item:
    scale = audit.brief.scale
    return Item(
        role,
        task,
        audit.brief.tasks[task].index,
        audit.session.env.said(task, completion),
        reward,
        verdict(scale, task, reward),
        name,
        clause,
        note,
        share=None if reward is None else scale.share(task, reward),
    )


def _golds(audit: Audit, rng: random.Random) -> list[Item]:
    """Right answers: refused ones first, then one per different gold, then the rest."""
    brief = audit.brief
    rows = {o.probe.task: o for o in audit.table.of("gold") if o.reward is not None}
    mixed = list(rows)
    rng.shuffle(mixed)
    first = {brief.gold(i): i for i in reversed(mixed)}
    order = [*first.values(), *(i for i in mixed if i not in set(first.values()))]
    order.sort(key=lambda i: brief.scale.paid(i, rows[i].reward))
    found = [item(audit, rows[i], GOLD, name="gold") for i in order]
    return found or list(_whole(audit))


def _whole(audit: Audit) -> Iterator[Item]:
    """Right rollouts that no text says: calls, moves, the contract's examples."""
    for i, completion in audit.brief.right.whole.items():
        reward = audit.session.score(i, completion, right=True).reward
        yield _item(audit, i, completion, reward, GOLD, "right rollout")


def _wrongs(audit: Audit, rng: random.Random) -> list[Item]:
    rows = [o for o in audit.table.of("wrong") if o.reward is not None]
    rng.shuffle(rows)
    rows.sort(key=lambda o: o.probe.variant != "0")
    made: list[Observation] = []
    plain: list[Observation] = []
    for o in rows:
        (made if made_up(shown(o.probe.completion)) else plain).append(o)
    told = made[: MOST_REPLACED if len(plain) < FEW else 0]
    what = (WRONG, "a wrong answer", "wrong")
    return [item(audit, o, *what) for o in plain] + [_lifelike(audit, o, *what) for o in told]


def _lifelike(audit: Audit, o: Observation, role: str, name: str, clause: str) -> Item:
    """The completion with another task's answer in place of one that is obviously made up, scored
    anew; as it is where the taskset has no other answer."""
    brief, i, text = audit.brief, o.probe.task, o.probe.completion
    gold = brief.gold(i)
    if not gold or not isinstance(text, str):
        return item(audit, o, role, name, clause)
    old = next((one for one in brief.target(i).wrongs if made_up(one) and one in text), "")
    others = [one for one in brief.right.distinct if not same(brief.answer_type, one, gold)]
    fitting = sorted(others, key=lambda one: _unlike(one, gold))[:FEW]
    if not old or not fitting:
        return item(audit, o, role, name, clause)
    other = text.replace(old, fitting[i % len(fitting)])
    reward = audit.session.score(i, other, right=o.probe.right).reward
    return _item(audit, i, other, reward, role, name, clause)


def _unlike(text: str, gold: str) -> tuple[bool, bool, int]:
    """How little a text looks like the gold: figures, a capital, length."""
    figures = [any(map(str.isdigit, one)) for one in (text, gold)]
    return (
        figures[0] != figures[1],
        text[:1].isupper() != gold[:1].isupper(),
        abs(len(text) - len(gold)),
    )


def _paid_wrong(audit: Audit) -> Iterator[Item]:
    """The best paid completion of each production, those that are paid most first."""
    best = [_shortest(r.full or r.part) for r in audit.results if r.full or r.part]
    for one in sorted(best, key=lambda p: (-round(p.share, 1), len(shown(p.completion)))):
        yield _payment(audit, one)


def _shortest(payments: list[Payment]) -> Payment:
    most = max(round(p.share, 2) for p in payments)
    return min(
        (p for p in payments if round(p.share, 2) == most), key=lambda p: len(shown(p.completion))
    )


def _payment(audit: Audit, one: Payment) -> Item:
    production = one.production
    name, clause = f"{production.id}: {one.variant}", CLAUSE_OF.get(production.id, "")
    title = production.check.title
    return _item(audit, one.task, one.completion, one.reward, EXPLOIT, name, clause, title)


TELLING: dict[Units, str] = {
    readings.parse("open/wrong open/right"): "counts",
    readings.parse("open/right open/wrong"): "counts",
    readings.parse("thought/right"): "thinking",
    readings.parse("thought/right open/wrong"): "thinking",
    readings.parse("thought/wrong open/right"): "thinking",
    readings.parse("unfinished/right"): "thinking",
}
"""The replies that tell readings of a contract apart, with the clause that decides each."""


def _structures(audit: Audit, rng: random.Random) -> Iterator[Item]:
    rows: dict[Units, list[Observation]] = defaultdict(list)
    for o in audit.table.of(readings.ID):
        if o.reward is not None:
            rows[readings.parse(o.probe.variant)].append(o)
    broken = [u for u in audit.seen.contradictions if u in rows and u not in TELLING]
    for units in [*TELLING, *broken]:
        if units in rows:
            one = rng.choice(rows[units])
            clause = TELLING.get(units) or _clause_of(units)
            yield _lifelike(audit, one, STRUCTURE, name_of(units), clause)


def _clause_of(units: Units) -> str:
    inside = {unit.context for unit in units} - {OPEN, TURN}
    return "thinking" if inside else "counts"


def _forms(audit: Audit, rules: Said) -> Iterator[Item]:
    """Other forms of the right answer: what README or prompt speak of first, then refused ones,
    what any reader takes before choices."""
    rank = {CORE: 0, USUAL: 1, CHOICE: 2}
    tallies = audit.forms.tallies
    order = sorted(
        tallies,
        key=lambda n: (not rules.speaks_of(n), not tallies[n].systematic, rank[tallies[n].level]),
    )
    rows: dict[str, list[Observation]] = defaultdict(list)
    for o in audit.table.of(forms.ID):
        if o.reward is not None:
            rows[o.probe.variant.rsplit("|", 3)[0]].append(o)
    for name in order:
        refused = [o for o in rows[name] if audit.brief.scale.refused(o.probe.task, o.reward or 0)]
        listed = refused if tallies[name].systematic else rows[name]
        for o in listed[:3]:
            one = item(audit, o, FORM, name=name, clause="accepts")
            yield replace(one, level=tallies[name].level)


def _refused(audit: Audit, rng: random.Random, rules: Said) -> Iterator[Item]:
    """One refused completion of each sort that README or prompt speak of, then of those that most
    rewards get wrong."""
    spoken = [one.id for one in PRODUCTIONS if one.id not in NEAR and rules.speaks_of(one.id)]
    for name in dict.fromkeys([*spoken, *ORDINARY]):
        yield from _one_refused(audit, name, rng)


def _near(audit: Audit) -> Iterator[Item]:
    """Answers close to the right one that are refused: whether they should be."""
    for name in NEAR:
        yield from _one_refused(audit, name, random.Random(0))
    if audit.brief.programs:
        yield from _near_programs(audit)


def _near_programs(audit: Audit) -> Iterator[Item]:
    """Programs with one change that the tests refuse. One that is paid may be right still, and is
    not shown: its reader would have to be surer than the tests."""
    brief = audit.brief
    for i in brief.sample(MOST_PROGRAMS, gold=True):
        for near in islice(near_programs(brief.gold(i), random.Random(i)), FEW):
            text = brief.write(near)
            reward = audit.session.score(i, text).reward
            if reward is not None and verdict(brief.scale, i, reward) == REFUSED:
                yield _item(audit, i, text, reward, EXPLOIT, f"near program {i}")
                break


def _one_refused(audit: Audit, name: str, rng: random.Random) -> Iterator[Item]:
    rows = [o for o in audit.table.of(name) if o.reward is not None and not o.probe.right]
    scale = audit.brief.scale
    refused = [o for o in rows if verdict(scale, o.probe.task, o.reward) == REFUSED]
    if refused:
        o = rng.choice(refused)
        shown_as = f"{name}: {o.probe.variant}"
        yield item(audit, o, EXPLOIT, name=shown_as, clause=CLAUSE_OF.get(name, ""))
