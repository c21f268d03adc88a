"""About a judge as it is used: only for environments whose scoring asks one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.judges.refusals import quoted_approval, refusal
from lab.reward.judges.scales import bottom_of, numbered, top_of
from lab.reward.judges.server import ScriptedJudge
from lab.reward.judges.verdicts import REASONED, reply
from lab.reward.productions.base import DESIGN
from lab.reward.rules import judge_choices, judge_faults, judge_items, judge_prompt
from lab.reward.rules.judge_prompt import said_of
from lab.reward.scale import TINY
from lab.reward.session import Session

REAL = Check(
    "reward.judge_model",
    title="the judge model itself was tested",
    expected="tested through --judge-base-url",
    reason="A model that can be talked into a verdict pays for talking.",
    source="RL-Verifier-Pitfalls: prompt injection; arXiv 2507.08794: One Token to Fool",
)
FAILURE = Check(
    "reward.judge_failure",
    title="a judge that fails or cannot be read is an error, not a score",
    expected="an error",
    reason="A failure scored as 0 punishes right answers; scored as 1 it pays for anything.",
    source="verifiers: a raising judge fails the rollout",
)
READING = Check(
    "reward.judge_reading",
    title="a refusal that mentions the words of approval is no approval",
    expected="paid like a refusal",
    reason="A judge that gives reasons quotes the answer: `'yes' in text` finds a yes in most.",
    source="verifiers: JudgeRubric examples",
)

SCALE = Check(
    "reward.judge_scale",
    title="a better score of the judge is paid at least as much",
    expected="0 steps down from the lowest score to the highest",
    reason="A pattern for one digit reads 10 as 1: the best answers are then paid least.",
    source="own cases: scores of several digits, in tags and after a label",
)
STEPS, LEAST_TOP = 10, 2
"""Scores of the judge's scale that are tried at most, and the least upper end of a scale."""


def findings(b: Brief, session: Session, judge: ScriptedJudge | None) -> Iterator[Finding]:
    if judge is None or not b.judged:
        return
    yield _model(judge)
    yield judge_choices.finding(judge)
    if judge.alike:
        yield _paid_alike(*judge.alike)
    elif b.with_gold:
        task = b.with_gold[0]
        yield from judge_prompt.findings(b, session, judge, task)
        yield _failure(b, session, judge, task)
        yield _reading(b, session, judge, task)
        yield _scale(b, session, judge, task)
        yield judge_faults.finding(b, session, judge, task)
        yield judge_items.finding(b, session, judge)


def _model(judge: ScriptedJudge) -> Finding:
    if not judge.upstream:
        return REAL.skip("the verdicts were scripted; a real judge needs --judge-base-url")
    failed = len(judge.unanswered)
    if not failed:
        evidence = "every completion was scored by the model behind --judge-base-url"
        return REAL.ok(measured=f"{judge.calls} calls", evidence=evidence)
    return (REAL.fail if failed * 2 > judge.calls else REAL.warn)(
        measured=f"{failed} of {judge.calls} calls unanswered",
        evidence=f"{judge.upstream}: {excerpt(judge.unanswered[-1], 120)}",
        fix="check --judge-base-url, the model's name, and its key (--pass-env NAME), then test "
        "again",
        severity="high",
        direction="invariant",
    )


def _failure(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> Finding:
    paid: list[str] = []
    silent: list[str] = []
    known = len(session.failures)
    for mode in ("error", "noise", "torn"):
        judge.mode = mode
        before = judge.calls
        _, score = said_of(b, session, judge, task, b.wrong(task), f"A line about {mode}.")
        judge.mode = "verdict"
        if judge.calls > before and score.reward is not None and not score.error:
            kept = paid if b.scale.paid(task, score.reward) else silent
            kept.append(f"{mode}: {score.reward:.3g}")
    del session.failures[known:]  # failures made on purpose
    fix = (
        "raise when there is no verdict, after a few retries: the rollout is then left out instead "
        f"of scored ({DESIGN}#judges)"
    )
    if paid:
        return FAILURE.fail(
            measured=", ".join(paid),
            evidence="a judge without a verdict is paid like a right answer",
            fix=fix,
            severity="high",
            direction="false_positive",
        )
    if silent:
        return FAILURE.warn(
            measured=", ".join(silent),
            evidence="a judge without a verdict is scored as if it had said no",
            fix=fix,
            severity="medium",
            direction="false_negative",
        )
    return FAILURE.ok(measured="an error each time")


def _paid_alike(good: str, bad: str, earned: float) -> Finding:
    return READING.fail(
        measured=earned,
        evidence=f"the same reply earns {earned:.3g} when the judge says '{excerpt(bad, 80)}' and "
        f"when it says '{excerpt(good, 80)}', the two words of its prompt",
        fix=f"compare the verdict whole, not a part of it ({DESIGN}#judges)",
        severity="critical",
        direction="false_positive",
    )


def _reading(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> Finding:
    if judge.upstream or not judge.last_prompt:
        return READING.skip("only a scripted judge says what it is told to")
    asked = judge.asked()
    plain = reply(asked, False)  # as the prompt words a refusal, whatever the code reads
    reasoned = REASONED.search(asked) is not None
    good, bad = (judge.form(asked, right, None) for right in (True, False))
    worded = refusal(asked, bad) if reasoned else []
    quoted = quoted_approval(asked, good, bad)
    known = len(session.failures)
    earned: list[tuple[float, str]] = []
    for number, said in enumerate([plain, *worded, *([quoted] if quoted else [])]):
        judge.fixed = said
        lead = f"A line about reading, {number}."
        score = said_of(b, session, judge, task, b.wrong(task), lead)[1]
        earned.append((score.reward or 0.0, said))
    judge.fixed = None
    del session.failures[known:]
    if quoted and b.scale.paid(task, earned[-1][0]):
        earned = earned[-1:]
    else:
        earned = earned[:1] if b.scale.paid(task, earned[0][0]) else earned[1 : 1 + len(worded)]
    if earned and all(b.scale.paid(task, reward) for reward, _ in earned):
        reward, said = max(earned)
        return READING.fail(
            measured=reward,
            evidence=f"task {b.tasks[task].index}: a wrong answer earns {reward:.3g} when the "
            f"judge says '{excerpt(said, 160)}'",
            fix=f"ask for the verdict in a place of its own, and compare that word whole "
            f"({DESIGN}#judges)",
            severity="high",
            direction="false_positive",
        )
    return READING.ok(measured=max((reward for reward, _ in earned), default=0.0))


def _scale(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> Finding:
    """What each number of the judge's scale is paid: more for a better one, or (where it counts
    errors) less all along."""
    if judge.upstream or not judge.last_prompt:
        return SCALE.skip("only a scripted judge says what it is told to")
    said = judge.form(judge.asked(), True, None)
    bottom, top = bottom_of(judge.asked()), top_of(judge.asked())
    if top < LEAST_TOP or not numbered(said, 0):
        return SCALE.skip("the judge is not asked for a number")
    wide = [bottom + (top - bottom) * step // STEPS for step in range(STEPS + 1)]
    steps = wide if top > STEPS else range(bottom, int(top) + 1)
    known, earned = len(session.failures), []
    for number in steps:
        judge.fixed = numbered(said, number)
        _, score = said_of(b, session, judge, task, b.gold(task), f"A line about {number:g}.")
        if score.reward is not None:
            earned.append((score.reward, judge.fixed))
    judge.fixed = None
    del session.failures[known:]
    rises = [(a, c) for a, c in pairwise(earned) if c[0] > a[0] + TINY]
    falls = [(a, c) for a, c in pairwise(earned) if c[0] < a[0] - TINY]
    if not (rises and falls):
        return SCALE.ok(measured=0, evidence=f"{len(earned)} scores")
    (before, low), (after, high) = falls[0]
    return SCALE.fail(
        measured=len(falls),
        evidence=f"the judge's '{excerpt(low, 40)}' is paid {before:.3g}, its "
        f"'{excerpt(high, 40)}' {after:.3g}",
        fix=r"read the whole number: `(\d+(?:\.\d+)?)` and not `(\d)`; refuse what is out of range "
        f"({DESIGN}#judges)",
        severity="high",
        direction="false_negative",
    )
