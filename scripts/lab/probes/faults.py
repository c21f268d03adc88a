"""Scoring that breaks: rewards that raise, hang, end the process, or return what is no number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lab.environment import Completion, Score
from lab.probes.families import DESIGN
from lab.probes.subject import PART, TINY, Subject
from lab.report import Check, Finding
from lab.untrusted import excerpt

RAISES = Check(
    "reward.raises",
    title="scoring never raises",
    expected="0 errors",
    reason="A reward that raises loses the rollout: taskset marks it as failed, classic silently scores 0.",
    source="verifiers 0.4 Task.score; E38",
)
TIMEOUT = Check(
    "reward.timeout",
    title="scoring one completion ends in time",
    expected="within --timeout seconds",
    reason="One completion that hangs the reward stops the whole training step.",
    source="reward science, invariant I9; E30",
)
EXITS = Check(
    "reward.exits",
    title="scoring leaves the process alive",
    expected="0 exits",
    reason="A completion that ends the scoring process can end it before it says wrong.",
    source="arXiv 2503.11926; E27",
)
FINITE = Check(
    "reward.finite",
    title="every reward is a finite number",
    expected="0 NaN, infinite or missing",
    reason="verifiers 0.4 accepts NaN and writes null: the group's advantage is lost without a word.",
    source="reward science, invariant I4; E41",
)
RANGE = Check(
    "reward.range",
    title="rewards stay in their range",
    expected="within the declared range, or within -5 to 5",
    reason="prime-rl does not divide by the spread: a wide range is a larger learning rate.",
    source="reward science, C11 and C17",
)
LATENCY = Check(
    "reward.latency",
    title="scoring is fast",
    expected="p95 < 1 s",
    reason="Scoring stands in the way of every training step.",
    source="reward science, invariant I9",
)
UNAWAITED = Check(
    "reward.unawaited",
    title="every reward can be awaited",
    expected="async def",
    reason="A plain function where a coroutine is required fails every rollout.",
    source="verifiers 0.4: rewards and metrics must be async def",
)

SHADOWING = Check(
    "reward.shadowing",
    title="no reward or metric is named like something of Task's own",
    expected="0 such names",
    reason="A reward named `score` or `validate` replaces what the library calls under that name.",
    source="verifiers 0.4 Task",
)

RECORDED = Check(
    "reward.recorded_by_env",
    title="the Task scores, not the Env",
    expected="no record_reward in the Env class",
    reason="What run() or finalize() of the Env records is seen in a rollout only: no test, no vf-replay, no validation.",
    source="verifiers 0.4: Task.score, Env.finalize",
)

_KINDS = {
    RAISES: (("raised",), "make the reward return 0 for what it cannot read", "raises"),
    TIMEOUT: (("timeout",), "bound the work that a completion can cause (length, nesting, evaluation, subprocess)", "hangs"),
    EXITS: (("exited",), "run what the model wrote in a process of its own with a time limit", "process-exit"),
    FINITE: (("not_finite",), "return a finite float in every branch", "not-finite"),
}


CAUSES = (
    ("awaitable is required", "write the reward as async def, and await what it calls"),
    ("coroutine", "await the coroutine before its value is used: a reward is async def, and awaits what it calls"),
    ("nothing is decorated with @vf.reward", "decorate a method of the Task with @vf.reward, and give it a name that Task itself does not have"),
)
"""Words of an error that name its cause, and what to do then."""


def mend(error: str, otherwise: str) -> str:
    """How to repair a reward that fails with `error`."""
    return next((fix for words, fix in CAUSES if words in error), otherwise)


def findings(s: Subject) -> Iterator[Finding]:
    for check, (kinds, fix, section) in _KINDS.items():
        if check is RAISES and s.misread:
            yield check.skip("a scripted judge's verdicts are not read: --judge-base-url sends the judge to a model")
            continue
        found = [failure for failure in s.failures if failure[2].kind in kinds]
        if not found:
            yield check.ok(measured=0)
            continue
        golds = {s.write(s.gold(i)) for i in s.with_gold}
        on_gold = [f for f in found if isinstance(f[1], str) and f[1] in golds]
        usual = on_gold or [f for f in found if not _odd(f[1])]
        task, completion, score = (usual or found)[0]
        evidence = (
            f"{len(found)} of {s.cases} completions; task {s.tasks[task].index}, '{excerpt(_said(completion), 80)}': {excerpt(score.error, 200)}"
        )
        extra = {"measured": len(found), "evidence": evidence, "fix": f"{mend(score.error, fix)} ({DESIGN}#{section})", "direction": "invariant"}
        harmless = not usual and check is RAISES
        slow = check is TIMEOUT and not on_gold and s.family in ("code", "tests") and _ends(s, task, completion)
        if harmless or slow:
            yield check.warn(**extra, severity="low")
        else:
            yield check.fail(**extra, severity="critical" if on_gold or len(found) * 2 > s.cases else "high")
    yield _range(s)
    yield _latency(s)
    if s.env.description.shadowing:
        yield SHADOWING.fail(
            measured=len(s.env.description.shadowing),
            evidence=f"named like a part of Task: {', '.join(s.env.description.shadowing)}",
            fix="give the reward or metric another name",
            severity="critical",
            direction="invariant",
        )
    if s.env.description.recorded:
        yield _shared(s) or RECORDED.warn(
            measured=s.env.description.recorded,
            evidence=f"{s.env.description.recorded} calls record_reward: {'counted in the played rollouts, not in a replay' if s.playable else 'these rewards were not tested'}",
            fix="move the scoring into @vf.reward methods of the Task, computed from the trace",
            severity="medium",
            direction="invariant",
        )
    if s.env.description.unawaited:
        yield UNAWAITED.fail(
            measured=len(s.env.description.unawaited),
            evidence=f"plain functions: {', '.join(s.env.description.unawaited)}",
            fix="write async def, and await what you call",
            severity="critical",
            direction="invariant",
        )
    elif s.env.description.api == "taskset":
        yield UNAWAITED.ok(measured=0)


def _shared(s: Subject) -> Finding | None:
    """A failure where a wrong attempt earns what a right one beside it earns; None where that is not seen."""
    for task in s.sample(2):
        wrong, right = s.write(s.wrong(task)), s.write(s.gold(task))
        alone, beside = s.play(task, [wrong]), s.play(task, [wrong], [right])
        if not alone or len(beside) < 2 or any(one.reward is None for one in (*alone[:1], *beside[:2])):
            continue
        least, got, full = alone[0].reward, beside[0].reward, beside[1].reward
        if full - least > TINY and got > least + PART * (full - least):
            return RECORDED.fail(
                measured=got,
                evidence=f"task {s.tasks[task].index}: a wrong attempt earns {least:.3g} among wrong ones and {got:.3g} beside a right one, which earns {full:.3g}",
                fix="record for each attempt what it earned itself; what the best of them earned is a metric of the episode",
                severity="high",
                direction="false_positive",
            )
    return None


def _ends(s: Subject, task: int, completion: Completion) -> bool:
    """Whether scoring a program ends in three times the limit: then the tests have limits of their
    own, whose sum is long, and nothing hangs."""
    limits = s.env.limits
    s.env.limits = replace(limits, score=3 * limits.score)
    try:
        return s.env.score(task, completion).kind != "timeout"
    finally:
        s.env.limits = limits


def _odd(completion: object) -> bool:
    """What no model writes by itself: no message, content that is no text, broken characters, 50 kB."""
    if not isinstance(completion, str):
        return not completion or any(not isinstance(message.get("content"), str) for message in completion)
    return len(completion) > 50_000 or any(char == "\0" or "\ud800" <= char <= "\udfff" for char in completion)


def _said(completion: object) -> object:
    text = str(completion) if completion else "(no message)"
    return text if len(text) < 300 else text[:60] + " ..."


def _scores(s: Subject) -> list[Score]:
    return [score for score in s._scores.values() if score.reward is not None]


def _range(s: Subject) -> Finding:
    rewards = [score.reward for score in _scores(s) if score.reward is not None]
    if not rewards:
        return RANGE.skip("nothing could be scored")
    low, high = min(rewards), max(rewards)
    measured = f"{low:.3g} to {high:.3g}"
    extra = {"severity": "medium", "direction": "invariant"}
    if s.policy.range:
        if s.policy.range[0] - 1e-9 <= low and high <= s.policy.range[1] + 1e-9:
            return RANGE.ok(measured=measured, evidence="as declared in policy.toml")
        return RANGE.fail(
            measured=measured, evidence=f"policy.toml declares {s.policy.range[0]:g} to {s.policy.range[1]:g}",
            fix=f"clamp the reward, or mend the declaration ({DESIGN}#range)", **extra,
        )  # fmt: skip
    if low >= -5 and high <= 5:
        return RANGE.ok(measured=measured)
    return RANGE.warn(measured=measured, evidence="far from 0 to 1", fix=f"scale the reward so that a right answer earns 1 ({DESIGN}#range)", **extra)


def _latency(s: Subject) -> Finding:
    seconds = sorted(score.seconds for score in _scores(s))
    if not seconds:
        return LATENCY.skip("nothing could be scored")
    p95 = seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))]
    if p95 < 1:
        return LATENCY.ok(measured=f"{p95 * 1000:.1f} ms")
    return LATENCY.warn(
        measured=f"{p95:.2f} s", evidence=f"p95 over {len(seconds)} completions", severity="low", direction="invariant",
        fix=f"make scoring cheaper, or plan for it: it stands in every training step ({DESIGN}#hangs)",
    )  # fmt: skip
