"""Whether training would see a signal: live groups, learnability, difficulty, variance.

Thresholds are on the interval (97%), not on the estimate: pass when all of it is good, fail when
all of it is bad, else warn with the number of tasks that would settle it.
"""

from __future__ import annotations

import math

from lab.learnability.analysis import BINS, Analysis
from lab.learnability.live import NOT_IDENTIFIABLE
from lab.learnability.resample import Interval
from lab.report import Check, Finding

ENOUGH = Check(
    "signal.enough_data",
    title="there are enough tasks and rollouts to say anything",
    expected=">= 50 tasks with >= 4 rollouts each",
    reason="One rollout per task cannot show a live group, and 20 tasks cannot tell a live share of 0 from .11.",
    source="sample sizes for a share: z^2 q(1-q)/w^2; Jeffreys interval",
)
LIVE = Check(
    "signal.informative_groups",
    title="enough groups have rewards that differ at the training group size",
    expected=">= 0.30 (fails below 0.10)",
    reason="A group of equal rewards has advantage zero in GRPO, RLOO and MaxRL: prime-rl drops it, and the batch shrinks to the live share.",
    source="DAPO 2503.14476; prime-rl filter_zero_advantages; oversampling 1/share is 3.3x at .30 and 10x at .10",
)
LIVE_CORRECT = Check(
    "signal.correct_groups",
    title="enough groups differ in correctness, not only in format or another term",
    expected=">= 0.30 (fails below 0.10)",
    reason="A group that is live through the format term alone teaches the format and not the task.",
    source="GDPO 2601.05242; component audit",
)
LEARNABILITY = Check(
    "signal.learnability",
    title="the expected p(1-p) is large enough",
    expected=">= 0.05 (fails below 0.02 when the live share is low too)",
    reason="The bound on policy improvement is proportional to p(1-p): .05 is 20% of the tasks at p = .5.",
    source="2504.03380 (online difficulty filtering), 2502.12272 (LILO)",
)
DIFFICULTY = Check(
    "signal.difficulty",
    title="enough tasks are solved between 20% and 80% of the time",
    expected=">= 0.30 of tasks",
    reason="These tasks carry most of the signal; prime-rl's difficulty pools and its sanity recipe keep them.",
    source="prime-rl hendrycks-sanity (2510.26788); smoothed, because k = 0 of 4 happens at p = .2 in 41% of cases",
)
SATURATION = Check(
    "signal.saturation",
    title="the tasks are neither all solved nor all out of reach",
    expected="<= 0.90 of tasks always solved, <= 0.90 never solved",
    reason="It names the remedy: harder tasks where all are solved, a warm-up or a stronger model where none is.",
    source="verifiers docs (0% after 10 attempts too hard, over 80% too easy)",
)
VARIANCE = Check(
    "signal.variance",
    title="a fair share of the reward's variance is within groups",
    expected=">= 0.30 (fails below 0.10 when the live share fails too)",
    reason="Pooled spread is mostly difficulty: where it explains everything there is nothing left to learn.",
    source="one-way analysis of variance; ICC .72 on a saturated MATH set",
)


def needed(measured: Interval, threshold: float, tasks: int) -> str:
    """How many tasks would separate `measured` from `threshold`, as words."""
    half = (measured.high - measured.low) / 2
    distance = abs(measured.estimate - threshold)
    if not math.isfinite(half) or half <= 0:
        return ""
    if distance < 0.02:
        return f"the estimate is at the threshold {threshold:g}; more tasks will hardly separate them"
    n = math.ceil(tasks * (half / distance) ** 2)
    return f"about {n} tasks would settle it" if n > tasks else ""


def banded(check: Check, measured: Interval, good: float, bad: float, evidence: str, fix: str, tasks: int, *, may_fail: bool = True) -> Finding:
    """Pass, warn or fail by where the whole interval lies."""
    # Rounding keeps 2e-16 out of a report.
    shown = {name: round(getattr(measured, name), 6) for name in ("estimate", "low", "high")}
    if measured.low >= good:
        return check.ok(shown, evidence)
    if measured.high <= bad and may_fail:
        return check.fail(shown, evidence, fix)
    threshold = good if abs(measured.estimate - good) < abs(measured.estimate - bad) else bad
    settle = needed(measured, threshold, tasks) if measured.low < threshold <= measured.high else ""
    return check.warn(shown, "; ".join(filter(None, (evidence, settle))), fix)


def signal(a: Analysis) -> list[Finding]:
    """All checks of this module; inconclusive as a whole where nothing is identifiable."""
    first = enough_data(a)
    others = (LIVE, LIVE_CORRECT, LEARNABILITY, DIFFICULTY, SATURATION, VARIANCE)
    if not a.identifiable:
        return [first, *(check.skip(NOT_IDENTIFIABLE) for check in others)]
    live, correct = informative(a), correct_groups(a)
    weak = "pass" not in (live.status, correct.status) or correct.status in ("warn", "fail")
    return [first, live, correct, learnability(a, weak), difficulty(a), saturation(a), variance(a, "fail" in (live.status, correct.status))]


def enough_data(a: Analysis) -> Finding:
    """Fewer than 20 tasks or one rollout each is inconclusive, never a pass."""
    e = a.evidence
    r = float(sorted(e.sizes)[len(e.sizes) // 2]) if e.tasks else 0
    shown = {"tasks": e.tasks, "rollouts_per_task": round(a.rollouts_per_task, 2)}
    evidence = f"{e.tasks} tasks, {a.rollouts_per_task:.3g} rollouts per task, {len(e.reward)} rollouts that count"
    if r < 2 or not a.identifiable:
        return ENOUGH.inconclusive(shown, f"{evidence}: with one rollout per task no group can be seen to differ", "evaluate again with at least 4 rollouts per task (-r 4)")
    if e.tasks < 20:
        return ENOUGH.inconclusive(shown, evidence, f"evaluate at least 50 tasks; {e.tasks} cannot tell a live share of 0 from one of .11")
    if e.tasks < 50 or r < 4:
        return ENOUGH.warn(shown, evidence, "for narrower intervals evaluate at least 50 tasks with 4 rollouts each")
    return ENOUGH.ok(shown, evidence)


def informative(a: Analysis) -> Finding:
    """C2: live groups on the total reward, which is what the trainer sees."""
    g = a.group_size
    share = a.live[g]
    evidence = (
        f"at group size {g} {share.estimate:.0%} of groups are expected to be live ({share.method}); "
        f"seen now: {a.evidence.live_now.mean():.0%} of {a.evidence.tasks} tasks at {a.rollouts_per_task:.3g} rollouts"
    )
    return banded(LIVE, share, 0.30, 0.10, evidence, _remedy(a), a.evidence.tasks)


def correct_groups(a: Analysis) -> Finding:
    """C2 on the correctness component alone, where the total has other terms."""
    e, g = a.evidence, a.group_size
    share, total = a.live_correct[g], a.live[g]
    if not e.correct.component:
        return LIVE_CORRECT.skip("the log names no component for correctness; the total reward is all there is")
    evidence = f"{share.estimate:.0%} of groups differ in {e.correct.rule}, {total.estimate:.0%} in the total reward"
    if total.estimate - share.estimate > 0.1:
        evidence += ": the rest is live through other terms alone"
    return banded(LIVE_CORRECT, share, 0.30, 0.10, evidence, _remedy(a), e.tasks)


def learnability(a: Analysis, weak: bool) -> Finding:
    value = a.learnability
    evidence = f"mean p(1-p) {value.estimate:.3f} of at most .25; pass rate {a.pass_rate.estimate:.2f}"
    return banded(LEARNABILITY, value, 0.05, 0.02, evidence, _remedy(a), a.evidence.tasks, may_fail=weak)


def difficulty(a: Analysis) -> Finding:
    """A warning at most: what it costs is already in the live share."""
    middle = a.difficulty[2]
    evidence = ", ".join(f"{name} {share.estimate:.0%}" for name, share in zip(BINS, a.difficulty, strict=True))
    return banded(DIFFICULTY, middle, 0.30, 0.10, evidence, _remedy(a), a.evidence.tasks, may_fail=False)


def saturation(a: Analysis) -> Finding:
    """Names the remedy; the live share decides."""
    shown = {"never": a.never, "sometimes": a.sometimes, "always": a.always}
    evidence = f"of {a.evidence.tasks} tasks {a.never:.0%} were never solved, {a.sometimes:.0%} sometimes, {a.always:.0%} always; pass@1 {a.pass_rate.estimate:.2f}, pass@{round(a.rollouts_per_task)} {a.pass_at_r:.2f}"
    if a.always > 0.9:
        return SATURATION.warn(shown, evidence, "take harder tasks: nearly all are always solved")
    if a.never > 0.9:
        return SATURATION.warn(shown, evidence, "take easier tasks or a stronger model, or start with SFT: nearly none is ever solved")
    return SATURATION.ok(shown, evidence)


def variance(a: Analysis, weak: bool) -> Finding:
    v = a.variance
    evidence = f"ICC {v['icc']:.2f}: the share that difficulty explains; standard error of the mean {v['clustered_se']:.4f} clustered, {v['naive_se']:.4f} naive"
    if not math.isfinite(a.signal.estimate):
        return VARIANCE.skip("all rewards are equal, there is no variance to divide")
    return banded(VARIANCE, a.signal, 0.30, 0.10, evidence, _remedy(a), a.evidence.tasks, may_fail=weak)


def _remedy(a: Analysis) -> str:
    """One sentence by where the tasks lie."""
    if a.pass_rate.estimate > 0.8:
        return "take harder tasks, or keep only those that are not always solved (--keep-tasks FILE)"
    if a.pass_rate.estimate < 0.1:
        return "take easier tasks, a stronger model, or an SFT warm-up first, and a larger group size"
    if a.difficulty[0].estimate + a.difficulty[-1].estimate > 0.6:
        return "each task is nearly always or nearly never solved: keep the others (--keep-tasks FILE) and add tasks of middle difficulty"
    return "add tasks of middle difficulty or raise the group size; see the plan"
