"""Tasks without an answer: what says so in words is right there, and saying nothing is not.

unanswerable: gold "", `Answer:` missing -> "" -> equal
"""

from __future__ import annotations

from lab.cli.report import Check, Finding
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN
from lab.reward.session import Session

SILENCE = Check(
    "reward.empty_gold",
    title="saying nothing is not paid where the gold is empty",
    expected="less than half of what a right answer earns",
    reason="A reply without an answer is parsed as an empty one, which equals an empty gold: on "
    "tasks without an answer silence is right.",
    source="squad: its evaluation makes the gold of unanswerable questions empty",
)
SAID = {"nothing": "", "no answer": "I have thought about it for a while."}
MOST, LEAST = 8, 2
"""Tasks that are tried, and on how many it has to be paid."""


def finding(b: Brief, session: Session) -> Finding:
    without = [i for i in range(len(b.tasks)) if not b.gold(i)][:MOST]
    declared = b.contract.empty is not None or b.contract.silent is not None
    if not b.scale.apart or not b.with_gold or len(without) < LEAST or declared or b.right.whole:
        return SILENCE.skip("every task has a gold, or none is known")
    half = (b.scale.ceiling or 0.0) / 2
    for name, text in SAID.items():
        paid = [i for i in without if (session.score(i, text).reward or 0.0) > half]
        if len(paid) >= max(LEAST, len(without) / 2):
            return SILENCE.fail(
                measured=f"{len(paid)} of {len(without)} tasks",
                evidence=f"{name}: task {b.tasks[paid[0]].index}, whose gold is empty, earns "
                f"{session.score(paid[0], text).reward:.3g} for '{text}'",
                fix="let a missing answer be None, and compare an empty gold with the words that "
                f"stand for no answer ({DESIGN}#empty)",
                severity="critical",
                direction="false_positive",
            )
    return SILENCE.ok(measured=f"0 of {len(without)} tasks")
