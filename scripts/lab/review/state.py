"""Whether a blind review stands behind an environment that is published or trained on.

Before publishing an open review is a warning, and before a paid run a gate like any other, which
--force opens with a reason.
"""

from __future__ import annotations

from pathlib import Path

from lab.cli.command import script
from lab.cli.interpreter import named
from lab.cli.report import Check, Finding
from lab.ledger.records import Ledger
from lab.review.folder import SHEET
from lab.review.sealed import waiting

STEP = "review_reward"
REVIEWED = Check(
    "gate.blind_review",
    title="somebody judged completions without knowing what is paid, and agreed with the reward",
    expected="a review that passed for this content",
    reason="What the data mean, and what only the README says, is seen by a reader alone.",
    source="own cases: blind reviews of 40 environments",
)
WHY = {
    "missing": "nobody has reviewed this environment",
    "stale": "the environment changed since its review",
    "failed": "reader and reward contradict each other",
    "inconclusive": "the review is not complete, or its reader missed a control",
    "unsigned": "its record was edited or written by something else, so it is not believed",
}


def next_review(ledger: Ledger, env: str) -> str:
    """What brings an open review on: the command that writes its sheet, anew over its answers
    where the environment has changed since; to read a sheet that is written; after answers what
    their comparison named."""
    state = ledger.step(STEP).state
    if state in ("failed", "inconclusive") and (named := ledger.report_of(STEP).get("next")):
        return str(named)
    if answers := waiting(ledger.environment, ledger.content, ledger.state):
        return to_read(env, answers)
    return script("review_reward.py", env, *(["--overwrite"] if state == "stale" else []))


def to_read(env: str, answers: Path) -> str:
    """What its reader does with a sheet: the answers file lies beside it."""
    answers = Path(named(answers))
    compare = script("review_reward.py", env, "--answers", answers)
    return f"read {answers.with_name(SHEET)}, fill in {answers}, then: {compare}"


def reviewed(
    ledger: Ledger, env: str, *, paying: bool = False, force: str | None = None
) -> Finding:
    """The finding about the review of an environment; `paying`: before a paid run."""
    step = ledger.step(STEP)
    if not step.open:
        return REVIEWED.ok("passed")
    why = WHY.get(step.state, step.state)
    command = next_review(ledger, env)
    if paying and not force:
        fix = f"first: {command}; or go on against it with --force REASON"
        return REVIEWED.fail(step.state, why, fix)
    said = f"{why}; forced: {force}" if force else why
    return REVIEWED.warn(step.state, said, f"before anything is spent: {command}")
