"""Whether each question of a judge's checklist counts.

    1: yes, 2: yes, 3: no  earns 1        # the best answers: whatever earns more is right
    1: no,  2: yes, 3: no  earns 1        # the first question counts for nothing

From a yes to all, each answer that earns more is taken; from these best answers, each question is
answered the other way.
"""

from __future__ import annotations

import re

from lab.cli.report import Check, Finding
from lab.reward.brief import Brief
from lab.reward.judges.items import NO, YES, changed, names
from lab.reward.judges.server import ScriptedJudge
from lab.reward.productions.base import DESIGN
from lab.reward.rules.judge_prompt import approval_of, said_of
from lab.reward.scale import TINY
from lab.reward.sentences import sentences
from lab.reward.session import Session

ITEMS = Check(
    "reward.judge_items",
    title="each question of a judge's checklist counts",
    expected="the other answer to any one question earns less than the best answers",
    reason="Where points are capped, or divided by too little, a reply that misses what it should "
    "have, or has what it should not, earns as much as the best one.",
    source="verifiers: RubricJudge; own cases: rubrics with negative points",
)
TASKS, LEAST, MOST = 4, 2, 12
"""Tasks that are tried, and how many questions a checklist has."""
PASSES = 2
"""How often all questions are gone through: where little is earned, one fault alone may not show
before another one is taken away."""
COUNTED = re.compile(r"\b(?:yes|points?|criteri\w+|statements?|items?|questions?|checks?)\b", re.I)
ENOUGH = re.compile(
    r"\b(?:at least|at most|up to|capp?(?:ed)?|threshold|enough|majority|any of|optional|bonus\w*"
    r"|not (?:paid|counted|scored)|only (?:reported|logged)|ignored|metrics?|maximum)\b",
    re.IGNORECASE,
)
"""Words of a README by which not every question has to count."""


def finding(b: Brief, session: Session, judge: ScriptedJudge) -> Finding:
    if judge.upstream:
        return ITEMS.skip("only a scripted judge says what it is told to")
    idle: list[str] = []
    asked = cost = 0
    for task in b.sample(TASKS, gold=True):
        said = approval_of(b, session, judge, task)
        listed = names(said)
        if not LEAST <= len(listed) == len(set(listed)) <= MOST:
            continue
        best, most, each = _tried(b, session, judge, task, said, listed)
        asked, cost = asked + len(each), cost + sum(one < most - TINY for one in each.values())
        idle += [
            f"task {b.tasks[task].index}: '{name}' answered {_other(best, name)} earns {one:.3g}, "
            f"like the best answers"
            for name, one in each.items()
            if most > TINY and one >= most - TINY
        ]
    if not asked:
        return ITEMS.skip("the judge does not answer several questions with yes or no")
    if not idle or not cost:
        return ITEMS.ok(measured=f"{asked} questions")
    fix = f"let each question change what is earned ({DESIGN}#judges)"
    told = {"measured": f"{len(idle)} of {asked} questions", "evidence": "; ".join(idle[:2])}
    if not b.documented or b.foreign or _enough(b):
        return ITEMS.warn(**told, fix=fix, severity="medium", direction="false_positive")
    return ITEMS.fail(**told, fix=fix, severity="high", direction="false_positive")


def _tried(
    b: Brief, session: Session, judge: ScriptedJudge, task: int, said: str, listed: list[str]
) -> tuple[str, float, dict[str, float]]:
    """The best reply of the judge, what it earns, and what each other answer to one question
    earns."""
    known, tries = len(session.failures), 0

    def earned(reply: str) -> float:
        nonlocal tries
        tries, judge.fixed = tries + 1, reply
        lead = f"A line about number {tries}."  # a verdict may be kept by the reply
        return said_of(b, session, judge, task, b.gold(task), lead)[1].reward or 0.0

    best, most = said, earned(said)
    for name in listed * PASSES:
        other = changed(best, name, NO)
        reward = earned(other)
        if reward > most + TINY:
            best, most = other, reward
    each = {name: earned(changed(best, name, _other(best, name))) for name in listed}
    judge.fixed = None
    del session.failures[known:]
    return best, most, each


def _other(said: str, name: str) -> str:
    return YES if changed(said, name, NO) == said else NO


def _enough(b: Brief) -> bool:
    """Whether README says that less than all counts, or that points are capped."""
    said = sentences(b.readme)
    return any(COUNTED.search(one) and ENOUGH.search(one) for one in said)
