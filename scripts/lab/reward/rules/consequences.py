"""Findings that follow from another one: the cause is said once, the others are skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lab.cli.report import Finding
from lab.reward.brief import Brief
from lab.reward.productions.base import PRODUCTIONS
from lab.reward.rules import constants, faults, forms, invariants, readings, sanity
from lab.reward.rules.judge import READING
from lab.reward.rules.paid import Result

GUESSES = {
    *(p.check.id for p in PRODUCTIONS if not p.free and not p.sure),
    *(one.id for one in (readings.WHICH, readings.ANY, readings.AROUND, readings.THINK)),
    *(one.id for one in (forms.CORE_FORMS, forms.USUAL_FORMS, forms.WRAPPER)),
}
"""Checks of completions that are made of the gold and its form."""
ANSWERS = {
    *(one.id for one in (sanity.GOLD_PAID, sanity.WRONG_UNPAID, sanity.FORMAT_FLOOR)),
    *(one.id for one in (invariants.COMPONENTS, constants.CONSTANT)),
}
"""Checks of right and wrong answers themselves."""
LOOSE = 3
"""Sorts of completions without an answer that are paid, from which on everything is."""


def settled(b: Brief, findings: Sequence[Finding], results: Sequence[Result] = ()) -> list[Finding]:
    """The findings with each cause said once; `results` say which text is paid best."""
    kept = list(findings)
    by_id = {one.id: one for one in kept}
    state = by_id.get(invariants.STATE.id)
    if state is not None and state.status == "fail":
        causes = {state.id, *faults.IDS}
        return [
            _skipped(one, state.id, "no score can be relied on")
            if one.id not in causes and one.direction != "data"
            else one
            for one in kept
        ]
    if b.doubt:
        # A part that is not paid where others are is no guess.
        doubted = GUESSES if b.guessed or b.in_part else GUESSES | ANSWERS
        kept = [_doubted(b, one) if one.id in doubted and _failed(one) else one for one in kept]
    free = {p.check.id for p in PRODUCTIONS if p.free and _failed(by_id.get(p.check.id))}
    if b.scale.apart or len(free) < LOOSE:
        return kept
    return _alike(b, kept, by_id) if b.with_gold else _one_of(kept, free, results)


def _alike(b: Brief, findings: list[Finding], by_id: dict[str, Finding]) -> list[Finding]:
    """Right, wrong and no answers are paid alike: one finding about all of them."""
    kept = [_cause(b, one, by_id) for one in findings if one.id != sanity.GOLD_PAID.id]
    return [
        _skipped(one, sanity.TELLS_APART.id, "whatever is written is paid")
        if one.direction == "false_positive" and one.id not in (sanity.TELLS_APART.id, READING.id)
        else one
        for one in kept
    ]


def _one_of(findings: Sequence[Finding], ids: set[str], results: Sequence[Result]) -> list[Finding]:
    """Texts of many sorts are paid where no gold is known: what is paid is no answer but something
    that any text may have. It is said once, by the finding with the best-paid text."""
    best = {r.production.check.id: r.best.share for r in results if r.best is not None}
    failed = [one for one in findings if one.id in ids and _failed(one)]
    first = max(failed, key=lambda one: round(best.get(one.id, 0.0), 2))
    said = (
        f"{first.evidence}; {len(ids)} sorts of text without an answer are paid: the reward looks "
        "at what any text may have"
    )
    return [
        replace(one, evidence=said)
        if one is first
        else _skipped(one, first.id, "texts of many sorts are paid")
        if one.direction == "false_positive" and one.id in ids
        else one
        for one in findings
    ]


def _cause(b: Brief, finding: Finding, by_id: dict[str, Finding]) -> Finding:
    """`TELLS_APART` with what is paid, in place of what was said about the gold alone."""
    if finding.id != sanity.TELLS_APART.id:
        return finding
    first = next(
        by_id[p.check.id] for p in PRODUCTIONS if p.free and _failed(by_id.get(p.check.id))
    )
    many = sum(one.status == "fail" for one in by_id.values())
    return sanity.TELLS_APART.fail(
        measured={"gold": b.scale.ceiling, "wrong": b.scale.floor},
        evidence=f"right, wrong and no answers earn the same, in {many} checks; such as: "
        f"{first.evidence}",
        fix=f"compare the model's answer with the task's gold ({sanity.DESIGN}#constant-reward)",
        severity="critical",
        direction="false_positive",
    )


def _doubted(b: Brief, finding: Finding) -> Finding:
    """What is made of a guess is a warning where examples say what is wrong."""
    said = f"{finding.evidence}; {b.doubt}"
    return replace(finding, status="warn", severity="medium", evidence=said)


def _failed(finding: Finding | None) -> bool:
    return finding is not None and finding.status == "fail"


def _skipped(finding: Finding, cause: str, why: str) -> Finding:
    if finding.status not in ("fail", "warn"):
        return finding
    return replace(finding, status="skip", evidence=f"see {cause}: {why}")
