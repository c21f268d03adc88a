"""Whether a judge's yes to a question for a fault costs the reply something.

    - beyond: Does the reply state anything that the excerpt does not support?   # yes is paid 0.3

Each such question is answered with yes and with no, the others as in an approval.
"""

from __future__ import annotations

import re

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.judges.items import NO, YES, changed, names
from lab.reward.judges.server import ScriptedJudge
from lab.reward.productions.base import DESIGN
from lab.reward.rules.judge_prompt import approval_of, said_of
from lab.reward.scale import TINY
from lab.reward.session import Session

FAULTS = Check(
    "reward.judge_faults",
    title="a judge's yes to a question for a fault is not paid",
    expected="no more than for a no",
    reason="Where one question of a checklist asks for a fault, and yes counts as good for all of "
    "them, made-up statements are paid and keeping to the source costs.",
    source="verifiers: RubricJudge, whose choices are no and yes where none are named; own cases: "
    "checklists for letters, leaflets, summaries",
)
FAULT = re.compile(
    r"^(?P<before>[^.?!\n]*?)(?:"
    r"\b(?:states?|claims?|contains?|includes?|adds?|asserts?|makes?|mentions?|introduces?|says?"
    r"|uses?)\b[^.?!\n]*?"
    r"(?:\bnot (?:be )?(?:supp|in\b|found|given|stat|back|cover|contain|mention|hold|have|say|name)"
    r"|n't (?:supp|in\b|found|given|stat|back|cover|contain|mention|hold|have|say|name)"
    r"|\bunsupported|\bmade[- ]up|\binvented|\bfabricated|\bcontradicts?\b)"
    r"|\b(?:invent|fabricate|hallucinate|contradict)s?\b)[^.?!\n]*",
    re.IGNORECASE,
)
"""A question or statement that the reply says what its source does not."""
WANTED = re.compile(r"\b(?:avoids?|free of|without|nothing|none|no|never|every|all)\b", re.I)
"""Words by which it asks for the absence of the fault."""
DENIED = re.compile(r"\bnot\b|n't\b", re.IGNORECASE)


def finding(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> Finding:
    if judge.upstream:
        return FAULTS.skip("only a scripted judge says what it is told to")
    said = approval_of(b, session, judge, task)
    asked = judge.asked()
    questions = {name: text for name in names(said) if (text := _fault(asked, name))}
    if not questions:
        return FAULTS.skip("the judge is not asked yes or no whether a reply has a fault")
    known = len(session.failures)
    turned: list[tuple[str, str, float, float]] = []
    for name, question in questions.items():
        earned = []
        for value in (YES, NO):
            judge.fixed = changed(said, name, value)
            lead = f"A line about {name}, {value}."
            score = said_of(b, session, judge, task, b.gold(task), lead)[1]
            earned.append(score.reward or 0.0)
        if earned[0] > earned[1] + TINY:
            turned.append((name, question, earned[0], earned[1]))
    judge.fixed = None
    del session.failures[known:]
    if not turned:
        return FAULTS.ok(measured=f"{len(questions)} questions")
    name, question, yes, no = turned[0]
    return FAULTS.fail(
        measured=f"{len(turned)} of {len(questions)} questions",
        evidence=f"'{name}' asks '{excerpt(question, 160)}': yes earns {yes:.3g}, no {no:.3g}",
        fix=f"pay this question for no, or ask for the contrary ({DESIGN}#judges)",
        severity="high",
        direction="false_positive",
    )


def _fault(asked: str, name: str) -> str:
    """What the prompt asks beside a name, where that is for a fault."""
    for line in asked.splitlines():
        named = re.search(rf"\b{re.escape(name)}\b\W*", line)
        found = FAULT.search(line[named.end() :]) if named else None
        if found and not WANTED.search(found[0]) and not DENIED.search(found["before"]):
            return found[0].strip()
    return ""
