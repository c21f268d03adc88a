"""Scoring that breaks: rewards that raise, hang, end the process, or return what is no number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import CLASSIC
from lab.reward.brief import Brief
from lab.reward.interactive.messages import shown
from lab.reward.productions.base import DESIGN
from lab.reward.rules import outside
from lab.reward.scale import PART, TINY
from lab.reward.session import Failure, Session
from lab.reward.statements import range_of

USUAL_RANGE = (-5.0, 5.0)
SLOW_SECONDS = 1.0
LONG = 50_000
"""Characters of a reply that no model writes by itself."""

LONG_NUMBER = re.compile(r"\d{1000}")
"""A number that no model writes by itself."""

RAISES = Check(
    "reward.raises",
    title="scoring never raises",
    expected="0 errors",
    reason="A reward that raises loses the rollout: tasksets mark it as failed, classic scores 0.",
    source="verifiers: Task.score; falsepass: probe list",
)
TIMEOUT = Check(
    "reward.timeout",
    title="scoring one completion ends in time",
    expected="within --timeout seconds",
    reason="One completion that hangs the reward stops the whole training step.",
    source="own cases: rewards that hang",
)
EXITS = Check(
    "reward.exits",
    title="scoring leaves the process alive",
    expected="0 exits",
    reason="A completion that ends the scoring process can end it before it says wrong.",
    source="arXiv 2503.11926: exits",
)
FINITE = Check(
    "reward.finite",
    title="every reward is a finite number",
    expected="0 NaN, infinite or missing",
    reason="verifiers 0.4 accepts NaN and writes null: the group's advantage is lost in silence.",
    source="verifiers: NaN is accepted",
)
RANGE = Check(
    "reward.range",
    title="rewards stay in their range",
    expected=f"the declared range, else {USUAL_RANGE[0]:g} to {USUAL_RANGE[1]:g}",
    reason="prime-rl does not divide by the spread: a wide range is a larger learning rate.",
    source="prime-rl: advantage is reward minus group mean",
)
LATENCY = Check(
    "reward.latency",
    title="scoring is fast",
    expected=f"p95 < {SLOW_SECONDS:g} s",
    reason="Every training step waits for its scores.",
    source="own cases: slow rewards",
)
UNAWAITED = Check(
    "reward.unawaited",
    title="every reward can be awaited",
    expected="async def",
    reason="A plain function where a coroutine is required fails every rollout.",
    source="verifiers: rewards and metrics must be async def",
)
SHADOWING = Check(
    "reward.shadowing",
    title="no reward or metric is named like something of Task's own",
    expected="0 such names",
    reason="A reward named `score` or `validate` replaces what the library calls under that name.",
    source="verifiers: Task",
)
RECORDED = Check(
    "reward.recorded_by_env",
    title="the Task scores, not the Env",
    expected="no record_reward in the Env class",
    reason="What run() or finalize() of the Env records is seen in a rollout only.",
    source="verifiers: Task.score, Env.finalize",
)
CAUSES = (
    ("awaitable is required", "write the reward as async def, and await what it calls"),
    ("coroutine", "await the coroutine before its value is used: a reward is async def"),
    (
        "nothing is decorated with @vf.reward",
        "decorate a method of the Task with @vf.reward, and give it a name that Task itself does "
        "not have",
    ),
)
"""Words of an error that name its cause, and what to do then."""
SORTS = (
    (RAISES, "raised", "make the reward return 0 for what it cannot read", "raises"),
    (TIMEOUT, "timeout", "bound the work that a completion can cause", "hangs"),
    (EXITS, "exited", "run what the model wrote in a process of its own", "process-exit"),
    (FINITE, "not_finite", "return a finite float in every branch", "not-finite"),
)
IDS = frozenset(
    check.id
    for check in (RAISES, TIMEOUT, EXITS, FINITE, RANGE, LATENCY, UNAWAITED, SHADOWING, RECORDED)
)
"""What holds whatever was scored before."""


def repair(error: str, otherwise: str) -> str:
    """What to do about a reward that fails with `error`."""
    return next((fix for words, fix in CAUSES if words in error), otherwise)


def findings(b: Brief, session: Session) -> Iterator[Finding]:
    for check, kind, fix, section in SORTS:
        found = [failure for failure in session.failures if failure.score.kind == kind]
        yield _fault(b, session, check, found, fix, section) if found else check.ok(measured=0)
    yield _range(b, session)
    yield _latency(session)
    yield from _declared(b, session)


def _fault(
    b: Brief, session: Session, check: Check, found: list[Failure], fix: str, section: str
) -> Finding:
    on_gold = _on_golds(b, found)
    usual = on_gold or [f for f in found if not _odd(f)]
    first = (usual or found)[0]
    said, error = _shown(first.completion), first.score.error
    evidence = (
        f"{len(found)} of {session.cases} completions; task {b.tasks[first.task].index}, "
        f"'{excerpt(said, 80)}': {excerpt(error, 200)}"
    )
    extra: dict[str, Any] = {
        "measured": len(found),
        "evidence": evidence,
        "fix": f"{repair(error, fix)} ({DESIGN}#{section})",
        "direction": "invariant",
    }
    if check is RAISES and (asked := _asked_for(b, session, error)):
        return check.inconclusive(len(found), evidence, asked, direction="invariant")
    harmless = check is RAISES and (not usual or all(map(_scored_as_wrong, usual)))
    program = b.programs or "```" in said
    slow = check is TIMEOUT and not on_gold and program and _ends(session, first)
    if harmless or slow:
        return check.warn(**extra, severity="low")
    many = on_gold or len(found) * 2 > session.cases
    return check.fail(**extra, severity="critical" if many else "high")


def _asked_for(b: Brief, session: Session, error: str) -> str:
    """What to give where scoring raises for want of something outside, or because the scripted
    judge's words are not what is read; "" where the code raises by itself."""
    if _nothing_scored(session) and outside.lacks(error, b.description.recorded):
        return f"{outside.FIX} ({DESIGN}#raises)"
    # Where the scripted judge never gets a right answer paid, its words may be what is not read.
    if b.unread or (b.scripted and not b.scale.apart):
        return f"say how the judge answers: one example, or --judge-base-url ({DESIGN}#judges)"
    return ""


def _on_golds(b: Brief, found: list[Failure]) -> list[Failure]:
    golds = {(i, b.write(b.gold(i))) for i in b.with_gold}
    written = [f for f in found if isinstance(f.completion, str)]
    return [f for f in written if (f.task, f.completion) in golds]


def _scored_as_wrong(failure: Failure) -> bool:
    """A wrong completion for which the library put 0 in the place of what was raised."""
    return not failure.right and failure.score.reward == 0


def _shown(completion: Any) -> str:
    """The completion as it is printed; a long one by its beginning."""
    said = shown(completion) if completion else "(no message)"
    return said if len(said) < 300 else f"{said[:60]} ..."


def _odd(failure: Failure) -> bool:
    """What no model writes by itself: content in parts, broken characters, 50 kB, a number longer
    than Python reads.

    No message at all and a message without text do occur (a refusal, a call of a tool); where the
    library scores a reward that raises with 0, they do no harm.
    """
    completion, error = failure.completion, failure.score.error
    if "integer string conversion" in error:
        return True
    if isinstance(completion, str):
        if LONG_NUMBER.search(completion):
            return True
        broken = any(char == "\0" or "\ud800" <= char <= "\udfff" for char in completion)
        return len(completion) > LONG or broken
    parts = any(isinstance(message.get("content"), list) for message in completion)
    return parts or failure.score.reward is not None or "IndexError" in error


def _nothing_scored(session: Session) -> bool:
    return all(o.reward is None for o in session.observations)


def _ends(session: Session, failure: Failure) -> bool:
    """Whether scoring a program ends in three times the limit: then the tests have limits of their
    own, whose sum is long, and nothing hangs."""
    env = session.env
    limits = env.limits
    env.limits = replace(limits, score=3 * limits.score)
    try:
        return env.score(failure.task, failure.completion).kind != "timeout"
    finally:
        env.limits = limits


def _range(b: Brief, session: Session) -> Finding:
    earned = sorted(session.earned)
    if not earned:
        return RANGE.skip("nothing could be scored")
    low, high = earned[0][0], earned[-1][0]
    measured = f"{low:.3g} to {high:.3g}"
    extra = {"severity": "medium", "direction": "invariant"}
    declared = b.contract.range or range_of(b.readme)
    if declared:
        who = "the contract declares" if b.contract.range else "the README says"
        said = f"{who} {declared[0]:g} to {declared[1]:g}"
        if declared[0] - TINY <= low and high <= declared[1] + TINY:
            return RANGE.ok(measured=measured, evidence=said)
        reward, task, text = earned[-1 if high > declared[1] + TINY else 0]
        return RANGE.fail(
            measured=measured,
            evidence=f"{said}; task {b.tasks[task].index}: '{excerpt(text, 100)}' earns "
            f"{reward:.3g}",
            fix=f"clamp the reward, or correct what is said of it ({DESIGN}#range)",
            **extra,
        )
    if low >= USUAL_RANGE[0] and high <= USUAL_RANGE[1]:
        return RANGE.ok(measured=measured)
    return RANGE.warn(
        measured=measured,
        evidence="far from 0 to 1",
        fix=f"scale the reward so that a right answer earns 1 ({DESIGN}#range)",
        **extra,
    )


def _latency(session: Session) -> Finding:
    seconds = sorted(o.score.seconds for o in session.observations if o.score and not o.score.error)
    if not seconds:
        return LATENCY.skip("nothing could be scored")
    p95 = seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))]
    if p95 < SLOW_SECONDS:
        return LATENCY.ok(measured=f"{p95 * 1000:.1f} ms")
    return LATENCY.warn(
        measured=f"{p95:.2f} s",
        evidence=f"p95 over {len(seconds)} completions",
        fix=f"make scoring cheaper, or plan for it ({DESIGN}#hangs)",
        severity="low",
        direction="invariant",
    )


def _declared(b: Brief, session: Session) -> Iterator[Finding]:
    """What the code itself shows: names that shadow, plain functions, rewards of the Env."""
    d = b.description
    invariant = {"severity": "critical", "direction": "invariant"}
    if d.shadowing:
        yield SHADOWING.fail(
            measured=len(d.shadowing),
            evidence=f"named like a part of Task: {', '.join(d.shadowing)}",
            fix="give the reward or metric another name",
            **invariant,
        )
    if d.recorded:
        yield _shared(b) or RECORDED.warn(
            measured=d.recorded,
            evidence=f"{d.recorded} calls record_reward: "
            + ("counted in played rollouts only" if b.playable else "these were not tested"),
            fix="move the scoring into @vf.reward methods of the Task, computed from the trace",
            severity="medium",
            direction="invariant",
        )
    if d.unawaited:
        yield UNAWAITED.fail(
            measured=len(d.unawaited),
            evidence=f"plain functions: {', '.join(d.unawaited)}",
            fix="write async def, and await what you call",
            **invariant,
        )
    elif d.api != CLASSIC:
        yield UNAWAITED.ok(measured=0)


def _shared(b: Brief) -> Finding | None:
    """A failure where a wrong attempt earns what a right one beside it earns; None where that is
    not seen."""
    for task in b.sample(2, gold=True):
        wrong, right = b.write(b.wrong(task)), b.write(b.gold(task))
        alone, beside = b.play(task, [wrong]), b.play(task, [wrong], [right])
        rewards = [one.reward for one in (*alone[:1], *beside[:2])]
        if len(rewards) < 3 or any(reward is None for reward in rewards):
            continue
        least, got, full = (float(reward or 0.0) for reward in rewards)
        if full - least > TINY and got > least + PART * (full - least):
            return RECORDED.fail(
                measured=got,
                evidence=f"task {b.tasks[task].index}: a wrong attempt earns {least:.3g} among "
                f"wrong ones and {got:.3g} beside a right one, which earns {full:.3g}",
                fix="record for each attempt what it earned itself; the best of them is a metric",
                severity="high",
                direction="false_positive",
            )
    return None
