"""Whether each gold is paid, written as the prompt asks: not at all, or in part where others earn
all."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lab.cli.report import Finding
from lab.cli.untrusted import excerpt
from lab.rates import jeffreys
from lab.reward.brief import Brief
from lab.reward.interactive.messages import shown
from lab.reward.productions.base import DESIGN
from lab.reward.reading.compared import unequal
from lab.reward.reading.found import Found
from lab.reward.reading.search import GUESSED, TINY
from lab.reward.rules import kinds
from lab.reward.rules.unread import ALMOST_ALL, EXAMPLE, GOLD_PAID, HALF
from lab.reward.session import Session

LEAST_WHOLE, LEAST_PARTS = 3, 3
"""Golds that earn the most, and amounts that others earn, from which on these are parts."""


def gold_paid(b: Brief, found: Found, session: Session) -> Finding:
    right, scale = b.scale.right, b.scale
    critical = {"severity": "critical", "direction": "false_negative"}
    if b.right.named_otherwise:
        name = b.right.named_otherwise
        return GOLD_PAID.fail(
            measured=0.0,
            evidence=f"the task's {name} is not what is paid: {b.right.evidence}",
            fix=f"compare with the field {name} ({DESIGN}#gold-is-not-paid)",
            **critical,
        )
    half = max(HALF * max(right.values()), TINY)
    wanted = (scale.floor or 0.0) + scale.gap * HALF if scale.apart else half
    tested = sorted(set(right) | {f.task for f in session.failures if f.production == "gold"})
    least = {i: max(wanted, scale.floor_of(i)) if scale.apart else half for i in tested}
    unpaid = [i for i in tested if right.get(i, -math.inf) < least[i]]
    share = 1 - len(unpaid) / len(tested)
    if share >= ALMOST_ALL:
        if b.in_part:
            return GOLD_PAID.inconclusive(share, f"{b.doubt}: {b.right.evidence}", EXAMPLE)
        return _in_full(b, session) or GOLD_PAID.ok(measured=share)
    alike = unequal(session.env, b.right)
    if not alike and (asked := _misread(b, session, tested, unpaid)):
        return asked
    i = unpaid[0]
    score = session.score(i, b.write(b.gold(i)), right=True)
    got = f"earns {score.reward:.3g}" if score.reward is not None else excerpt(score.error, 120)
    low, high = jeffreys(len(tested) - len(unpaid), len(tested))
    swallowed = f"; the code handles {excerpt(found.swallowed[0], 160)}" if found.swallowed else ""
    swallowed += f"; the code compares {alike}, which are written alike" if alike else ""
    return GOLD_PAID.fail(
        measured=share,
        evidence=f"{len(unpaid)} of {len(tested)} golds are not paid (95% {low:.2f} to {high:.2f} "
        f"are); task {b.tasks[i].index}: gold {excerpt(b.gold(i), 60)!r} {got}; "
        f"{b.right.evidence}{swallowed}",
        fix=f"make the reward read each gold back from the slot that the prompt asks for "
        f"({DESIGN}#gold-is-not-paid)",
        severity="critical" if share < HALF else "high",
        direction="false_negative",
    )


def _misread(
    b: Brief, session: Session, tested: Sequence[int], unpaid: Sequence[int]
) -> Finding | None:
    """Asks where the reading may be wrong and not the reward: golds of one kind alone are unpaid,
    or a guessed field is paid to so many shares that it holds more than the answer, or less."""
    if kind := kinds.difference(b, sorted({*tested} - {*unpaid}), unpaid):
        said = f"{len(unpaid)} of {len(tested)} golds are not paid, and {kind}: {b.right.evidence}"
        share = 1 - len(unpaid) / len(tested)
        return GOLD_PAID.inconclusive(share, said, EXAMPLE, direction="data")
    return _in_full(b, session) if b.right.rank >= GUESSED else None


def _in_full(b: Brief, session: Session) -> Finding | None:
    """Asks where some golds earn the most, and others parts of it: these are no whole answers, or
    right ones are refused, as an example of such a task can say. A scale of few amounts may be
    that of the tasks."""
    right, floor = b.scale.right, b.scale.floor or 0.0
    most = max(right.values())
    part = floor + HALF * (most - floor)
    whole = [i for i, reward in right.items() if reward >= most - TINY]
    parts = [i for i, reward in right.items() if reward <= part]
    enough = len(whole) >= LEAST_WHOLE and len(parts) > (1 - ALMOST_ALL) * len(right)
    if not enough or len({round(right[i], 3) for i in parts}) < LEAST_PARTS:
        return None
    measured = 1 - len(parts) / len(right)
    evidence = f"{len(parts)} of {len(right)} golds earn a part, others {most:.3g}"
    places = {b.tasks[i].index: i for i in parts}
    told = [one for one in b.contract.examples if one.task in places and not one.wrong]
    if not told:
        i, task = parts[0], b.tasks[parts[0]].index
        said = f"task {task}: '{excerpt(b.write(b.gold(i)), 100)}' earns {right[i]:.3g}"
        fix = EXAMPLE.replace("one right completion", f"the right completion of task {task}")
        evidence = f"{evidence}: {said}; {b.right.evidence}"
        return GOLD_PAID.inconclusive(measured, evidence, fix, direction="data")
    for one in (one for one in b.contract.right_examples() if one in told):
        reward = session.score(places[one.task], one.completion, right=True).reward or 0.0
        if reward <= part:
            said = f"task {one.task}: '{excerpt(shown(one.completion), 100)}' earns {reward:.3g}"
            return GOLD_PAID.fail(
                measured=measured,
                evidence=f"{evidence}: {said}, and an example says that it is right",
                fix=f"pay each right reply in full ({DESIGN}#gold-is-not-paid)",
                severity="high",
                direction="false_negative",
            )
    return None
