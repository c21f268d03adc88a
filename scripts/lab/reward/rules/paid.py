"""Whether a production is paid: the finding of each sort of completion that must not be.

It fails when completions are paid like a right answer on two different golds; an answer-free one
fails for a part already, because a policy reaches it from the first step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from lab.cli.report import Finding
from lab.cli.untrusted import excerpt
from lab.environment import Completion
from lab.rates import jeffreys
from lab.reward.brief import Brief
from lab.reward.interactive.messages import shown
from lab.reward.observation import Observation, Probe, Table
from lab.reward.productions.base import Production
from lab.reward.productions.nothing import EMPTY_FORM, SILENT
from lab.reward.scale import PAID, PART, TINY

WIDE = 0.15
"""Of all the tasks, that must pay what was paid on one of a sample."""
FALSE_POSITIVE = {"direction": "false_positive"}


@dataclass(frozen=True)
class Payment:
    """One completion that was paid."""

    production: Production
    variant: str
    task: int
    completion: Completion
    reward: float
    share: float


@dataclass
class Result:
    """What one production earned."""

    production: Production
    tried: int = 0
    not_run: int = 0
    full: list[Payment] = field(default_factory=list)
    part: list[Payment] = field(default_factory=list)
    best: Payment | None = None
    tasks: set[int] = field(default_factory=set)
    planned: set[int] = field(default_factory=set)
    """Tasks on which it was to be tried; `tasks` are those on which it was."""

    @property
    def cut(self) -> bool:
        """Whether time ended before it could have been found: on fewer tasks than make a
        finding."""
        least = min(self.production.least_golds, len(self.planned))
        return bool(self.not_run) and len(self.tasks) < least

    @property
    def failing(self) -> list[Payment]:
        """What counts as a failure by the production's own rule."""
        free = self.production.free and not self.production.whole
        return self.full + (self.part if free else [])

    def counted(self, graded: bool) -> list[Payment]:
        """What counts where near answers earn a part, and where they earn nothing."""
        one = self.production
        if one.half or (graded and one.nothing):
            return [each for each in (*self.full, *self.part) if each.share > PAID + TINY]
        return self.full if graded and one.free and not one.whole else self.failing


def result(b: Brief, table: Table, one: Production) -> Result:
    """The payments of a production among the observations."""
    found = Result(one)
    for o in table.of(one.id):
        found.planned.add(o.probe.task)
        if o.score is None:
            found.not_run += 1
        elif o.reward is not None and not o.probe.right:
            _add(b, table, found, o)
    return found


def _add(b: Brief, table: Table, found: Result, o: Observation) -> None:
    scale, probe, reward = b.scale, o.probe, o.reward or 0.0
    found.tried += 1
    found.tasks.add(probe.task)
    if b.affirmed(probe.production, probe.variant, scale.share(probe.task, reward)):
        return
    payment = Payment(
        found.production,
        probe.variant,
        probe.task,
        probe.completion,
        reward,
        scale.share(probe.task, reward),
    )
    if found.best is None or payment.share > found.best.share:
        found.best = payment
    if probe.unless:
        also = table.variant(probe.production, probe.unless, probe.task)
        if scale.paid(probe.task, also) or (also or 0.0) >= reward:
            return
    above = reward > scale.floor_of(probe.task) + TINY
    # Where near answers earn a part, only what earns all of it is paid too much.
    graded = b.graded and not found.production.free
    all_of_it = found.production.all_of_it or graded
    whole = not all_of_it or scale.earns_all(probe.task, reward)
    if scale.paid(probe.task, reward) and above and whole:
        found.full.append(payment)
    elif all_of_it:
        return
    elif (
        scale.paid_in_part(probe.task, reward)
        or _for_nothing(b, probe, reward)
        or (found.production.any_part and above)
    ):
        found.part.append(payment)


def _for_nothing(b: Brief, probe: Probe, reward: float) -> bool:
    """Whether a reply without any answer earns a part of what is right, as much as a wrong answer
    in the form may: a format bonus that needs no answer. What a contract declares is meant."""
    for names, declared in ((EMPTY_FORM, b.contract.empty), (SILENT, b.contract.silent)):
        if probe.variant in names:
            meant = declared is not None and reward <= declared + TINY
            most = b.scale.ceiling_of(probe.task) if b.scale.right else b.scale.unit
            least = max(0.0, PART * most)
            return not meant and reward > least + TINY
    return False


def finding(b: Brief, r: Result) -> Finding:
    """Fail, warn or pass by what the production earned; no verdict where time ended before."""
    one = r.production
    if not r.tried:
        return _cut(b, r) if r.cut else one.check.skip("does not apply to these tasks or format")
    counted = r.counted(b.graded)
    different = len({b.gold(i) for i in b.with_gold})
    tasks = len({p.task for p in counted})
    enough = _several(b, r, counted, different) and tasks >= one.least_share * len(r.tasks)
    if counted and enough and not _meant(b, one, counted):
        return one.check.fail(
            measured=_measured(r, counted),
            evidence=_evidence(b, r, counted),
            fix=one.fix,
            severity=one.severity,
            **FALSE_POSITIVE,
        )
    if r.cut:
        return _cut(b, r)
    if not enough and one.least_share:
        return one.check.ok(measured=f"paid on {tasks} of {len(r.tasks)} tasks", **FALSE_POSITIVE)
    partly = _doubtful(b, r, counted, different)
    if partly:
        return one.check.warn(
            measured=_measured(r, partly),
            evidence=_evidence(b, r, partly),
            fix=one.fix,
            severity="medium",
            **FALSE_POSITIVE,
        )
    return one.check.ok(measured=f"0 of {r.tried} paid", **FALSE_POSITIVE)


def _meant(b: Brief, one: Production, counted: list[Payment]) -> bool:
    """Whether what is paid may be: by a rule that is stated, or as a matter of judgement."""
    stated = one.id in BY_RULE and _by_the_rule(b, counted)
    return stated or one.judgement(b) or (b.open_ended and not one.free)


def _cut(b: Brief, r: Result) -> Finding:
    """No verdict for want of time, with what was paid until then."""
    paid = r.full or r.part
    known = f"; so far {_evidence(b, r, paid)}" if paid else ""
    return r.production.check.inconclusive(
        measured=f"{r.tried} of {r.tried + r.not_run} tried",
        evidence=f"there was no time for the others{known}",
        fix="give more time: --budget SECONDS",
        **FALSE_POSITIVE,
    )


BY_RULE = ("hedged", "several_in_slot", "symbolic_junk", "denied")
"""Productions in which the gold is the first or the last of what is said."""


WORDS_AROUND = {"this is wrong", "not", "denied in LaTeX", "definitely not"}
"""Variants of a hedge that are words around the one answer."""


def _by_the_rule(b: Brief, counted: list[Payment]) -> bool:
    """Whether a reply is read as prompt or README promise: what stands around an answer is ignored,
    or it may say so in a language that is not read here; or the first or last answer of a reply
    counts, and nothing marks an answer."""
    if {p.variant for p in counted} <= WORDS_AROUND and ("around" in b.stated or b.foreign):
        return True
    return b.declared.get("counts") in ("first", "last") and not b.format.slotted


def _several(b: Brief, r: Result, counted: list[Payment], different: int) -> bool:
    """Whether it is paid on enough different golds; without golds on half of the tasks, because
    the example of a prompt may be right on some of them."""
    one = r.production
    least = one.least_golds
    if r.tasks - {*b.sample(one.tasks, gold=one.needs_gold)}:
        # Tried on all, for what one of a sample has shown.
        least = max(least + 1, math.ceil(WIDE * len(r.tasks)))
    if b.with_gold:
        return golds(b, counted) >= min(least, max(1, different))
    tasks = len({p.task for p in counted})
    return tasks >= min(least, len(r.tasks)) and tasks * 2 >= len(r.tasks)


def _doubtful(b: Brief, r: Result, counted: list[Payment], different: int) -> list[Payment]:
    """Payments that are worth a warning: on too few golds, a matter of judgement, or in part."""
    if r.production.free and r.full:
        return r.full
    partly = counted + r.part
    if partly and golds(b, partly) >= min(2, different) and not (b.graded and not counted):
        return partly
    return []


def golds(b: Brief, payments: list[Payment]) -> int:
    return len({b.gold(p.task) for p in payments})


def _measured(r: Result, paid: list[Payment]) -> str:
    tasks, of = len({p.task for p in paid}), len(r.tasks)
    low, high = jeffreys(tasks, of)
    return f"paid on {tasks} of {of} tasks (95% {low:.2f} to {high:.2f})"


def _evidence(b: Brief, r: Result, paid: list[Payment]) -> str:
    smallest = min(paid, key=size)
    ordered = sorted(paid, key=lambda p: -p.share)
    variants = list(dict.fromkeys(p.variant for p in ordered))
    more = f" and {len(variants) - 4} more" if len(variants) > 4 else ""
    task = smallest.task
    gold = f", gold {excerpt(b.gold(task), 40)!r}" if b.gold(task) else ""
    return (
        f"{'; '.join(variants[:4])}{more}: task {b.tasks[task].index}{gold} earns "
        f"{smallest.reward:.3g} for '{excerpt(middle(shown(smallest.completion)), 160)}' "
        f"(right {b.scale.ceiling_of(task):.3g}, wrong {b.scale.floor_of(task):.3g})"
    )


def size(payment: Payment) -> tuple[float, int]:
    """Sorts what is paid best first; of the same, the shortest."""
    return -round(payment.share, 2), len(shown(payment.completion))


def middle(text: str) -> str:
    return text if len(text) < 400 else f"{text[:80]} ... {text[-80:]}"
