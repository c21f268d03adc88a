"""Which words of a verdict an environment reads: found by scoring one completion with several.

A form is read where an approval is paid more than a refusal. Where none of the usual forms is, each
reply that the environment's code or the judge's prompt suggests is tried alone: the one that is
paid most is the approval, the one that is paid least the refusal.
"""

from __future__ import annotations

from itertools import count

from lab.environment import Environment
from lab.reward.formats.known import all_formats
from lab.reward.formats.source import SourceTokens
from lab.reward.judges.opening import Opening, asks, find_opening
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
    tries = _Tries(env, judge, opening)
    errors, plain = 0, False
    for on_two in (False, True) if len(tasks) > 1 else (False,):
        for form in (reply, *FORMS):
            judge.form = form
            yes, no = tries.pair(on_two=on_two)
            errors += yes is None
            plain = plain or (form is reply and yes is not None)
            judge.instructions = judge.asked()
            if yes and yes == no and judge.alike is None:
                judge.alike = _alike(tries, yes)
            if yes is not None and no is not None and yes > no:
                return opening
    if not _by_single_replies(tries, tokens):
        judge.form, judge.understood = reply, plain and errors <= 2 * len(FORMS)
    return opening


class _Tries:
    """Scores replies that get through to the judge, each another one where its number does no harm:
    environments keep a verdict by the reply, and some by the task alone."""

    def __init__(self, env: Environment, judge: ScriptedJudge, opening: Opening) -> None:
        self.env, self.judge, self.opening = env, judge, opening
        self.tasks = env.description.tasks
        self._numbers = count()
        text = opening.write(self.tasks[0], next(self._numbers))
        self.numbered = asks(env, judge, text)

    def pair(self, *, on_two: bool) -> tuple[float | None, float | None]:
        """What an approval and a refusal earn: of the first task, or each of a task of its own."""
        return self.earned(True, on_two), self.earned(False, on_two)

    def earned(self, right: bool, elsewhere: bool = False) -> float | None:
        """None where scoring fails; `elsewhere`: on one task after the other."""
        number = next(self._numbers)
        task = number % len(self.tasks) if elsewhere else 0
        text = self.opening.write(self.tasks[task], number if self.numbered else None)
        self.env.expect(right, text)
        score = self.env.score(task, text)
        return None if score.error else score.reward


def _alike(tries: _Tries, earned: float) -> tuple[str, str, float] | None:
    """The prompt's own words of approval and refusal, where a reply without either earns less."""
    judge = tries.judge
    good, bad = (judge.form(judge.instructions, right, None) for right in (True, False))
    judge.fixed = NO_VERDICT
    nothing = tries.earned(False)
    judge.fixed = None
    verdicts = [said.rsplit("\n", 1)[-1].rsplit(": ")[-1] for said in (good, bad)]
    named = good and good != bad and all(said in judge.instructions for said in verdicts)
    return (good, bad, earned) if named and nothing is not None and nothing < earned else None


def _by_single_replies(tries: _Tries, tokens: SourceTokens) -> bool:
    judge, earned = tries.judge, dict[str, float]()
    for number, text in enumerate(dict.fromkeys(of_code(tokens, judge.last_prompt))):
        if number >= MOST_REPLIES:
            break
        judge.fixed = text
        reward = tries.earned(True)
        if reward is not None:
            earned[text] = reward
    judge.fixed = None
    if len(set(earned.values())) < 2:
        return False
    best, worst = (end(earned, key=lambda text: earned[text]) for end in (max, min))
    judge.form = constant(best, worst)
    return True
