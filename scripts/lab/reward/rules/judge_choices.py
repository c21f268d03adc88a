"""Whether a rubric's choices stand from the worst to the best, as the RubricJudge reads them.

- faithful: ... (answer one of, worst to best: faithful, invented)   # "invented" is worth 1
"""

from __future__ import annotations

from lab.answers.alike import plain_words
from lab.cli.report import Check, Finding
from lab.reward.judges.server import ScriptedJudge
from lab.reward.judges.verdicts import choices_of
from lab.reward.judges.words import negative, positive
from lab.reward.productions.base import DESIGN

CHOICES = Check(
    "reward.judge_choices",
    title="the choices of a rubric stand from the worst to the best",
    expected="a negative one first, a positive one last",
    reason="The first choice is worth 0 and the last one 1: turned round, the rubric pays for what "
    "it was written against.",
    source="verifiers: RubricJudge, Criterion.choices",
)
TRUTHS = {"yes", "no", "true", "false"}
ORDERED = "worst to best"
"""What RubricJudge writes before the choices."""


def finding(judge: ScriptedJudge) -> Finding:
    prompt = judge.asked()
    found = choices_of(prompt) if ORDERED in prompt else []
    if not found:
        return CHOICES.skip("the judge's prompt has no choices from worst to best")
    turned = [(name, choices) for name, choices in found if _turned(name, choices)]
    if not turned:
        return CHOICES.ok(measured=f"{len(found)} criteria")
    name, choices = turned[0]
    first, last, shown = choices[0], choices[-1], ", ".join(choices)
    return CHOICES.fail(
        measured=f"{len(turned)} of {len(found)} criteria",
        evidence=f"'{name}' has the choices {shown}: '{first}' is worth 0 and '{last}' 1",
        fix=f"write them from the worst, '{last}', to the best, '{first}' ({DESIGN}#judges)",
        severity="critical",
        direction="false_positive",
    )


def _turned(name: str, choices: list[str]) -> bool:
    """Whether the first choice is the good one: a word of approval, or the criterion's own."""
    first, last = choices[0], choices[-1]
    if min(len(first), len(last)) < len("no") or {plain_words(first), plain_words(last)} <= TRUTHS:
        return False  # letters are marks; whether yes is good hangs on what is asked
    good = [positive(one) or plain_words(one) == plain_words(name) for one in (first, last)]
    return good == [True, False] or (negative(last) and not negative(first))
