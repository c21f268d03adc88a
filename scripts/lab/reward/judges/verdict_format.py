"""Which words of a verdict an environment reads: found by scoring one completion with several.

A form is read where an approval is paid more than a refusal. Where none of the usual forms is, each
reply that the environment's code or the judge's prompt suggests is tried alone: the one that is
paid most is the approval, the one that is paid least the refusal.
"""

from __future__ import annotations

from lab.environment import Environment
from lab.reward.formats.known import all_formats
from lab.reward.formats.source import SourceTokens
from lab.reward.judges.opening import Opening, find_opening
from lab.reward.judges.server import NO_VERDICT, ScriptedJudge
from lab.reward.judges.verdict_forms import FORMS, constant, of_code
from lab.reward.judges.verdicts import reply

MOST_REPLIES = 90


def detect_verdict_format(
    env: Environment, judge: ScriptedJudge | None, tokens: SourceTokens
) -> Opening | None:
    """Word the verdicts as this environment reads them; the reply that gets through to the judge.
    None where no judge is asked."""
    tasks = env.description.tasks
    if judge is None or not tasks:
        return None
    opening = find_opening(env, judge, all_formats(tasks, code=tokens.formats, judged=True))
    if opening is None or judge.upstream:
        return opening
    said = opening.write(tasks[0])
    errors = 0
    for number, form in enumerate((reply, *FORMS)):
        judge.form = form
        text = f"{said} ({number})" if number and not opening.format.slotted else said
        yes, no = (_earned(env, right, text) for right in (True, False))
        errors += yes is None
        judge.instructions = judge.asked()
        if yes and yes == no and judge.alike is None:
            judge.alike = _alike(env, judge, text, yes)
        if yes is not None and no is not None and yes > no:
            return opening
    if not _by_single_replies(env, judge, tokens, said):
        judge.form, judge.understood = reply, errors <= len(FORMS)
    return opening


def _alike(
    env: Environment, judge: ScriptedJudge, text: str, earned: float
) -> tuple[str, str, float] | None:
    """The prompt's own words of approval and refusal, where a reply without either earns less."""
    good, bad = (judge.form(judge.instructions, right, None) for right in (True, False))
    judge.fixed = NO_VERDICT
    nothing = _earned(env, False, text)
    judge.fixed = None
    verdicts = [said.splitlines()[-1].rsplit(": ")[-1] for said in (good, bad)]
    named = good != bad and all(said in judge.instructions for said in verdicts)
    return (good, bad, earned) if named and nothing is not None and nothing < earned else None


def _by_single_replies(
    env: Environment, judge: ScriptedJudge, tokens: SourceTokens, said: str
) -> bool:
    earned: dict[str, float] = {}
    for number, text in enumerate(dict.fromkeys(of_code(tokens, judge.last_prompt))):
        if number >= MOST_REPLIES:
            break
        judge.fixed = text
        reward = _earned(env, True, said)
        if reward is not None:
            earned[text] = reward
    judge.fixed = None
    if len(set(earned.values())) < 2:
        return False
    best, worst = (end(earned, key=lambda text: earned[text]) for end in (max, min))
    judge.form = constant(best, worst)
    return True


def _earned(env: Environment, right: bool, text: str) -> float | None:
    env.expect(right, text)
    score = env.score(0, text)
    return None if score.error else score.reward
