"""Whether training would see a signal: live groups, learnability, difficulty, variance.

Thresholds are on the interval (97%), not on the estimate: pass when all of it is good, fail when
all of it is bad, else warn with the number of tasks that would settle it.
"""

from __future__ import annotations

import math

from lab.cli.report import Check, Finding
from lab.learnability import bands
from lab.learnability.analysis import BINS, Analysis
from lab.learnability.bands import ENOUGH_ROLLOUTS, ENOUGH_TASKS, FEWEST_TASKS, Band
from lab.learnability.live import NOT_IDENTIFIABLE
from lab.learnability.resample import Interval

MIDDLE = Band(0.30, 0.10)
"""Share of tasks that are solved sometimes; it costs what the live share says, so it only warns."""
MOST_SATURATED = 0.90
"""Share of tasks always, or never, solved, above which the remedy is named."""
EASY, HARD = 0.80, 0.10
"""Pass rates above and below which the tasks as a whole are too easy or too hard."""
SPLIT = 0.60
"""Share of tasks nearly always or never solved, from which on the others are worth keeping."""
OTHER_TERMS = 0.10
"""How much more live the total is than correctness before that is said."""

ENOUGH = Check(
    "signal.enough_data",
    title="there are enough tasks and rollouts to say anything",
    expected=f">= {ENOUGH_TASKS} tasks with >= {ENOUGH_ROLLOUTS} rollouts each",
    reason="One rollout per task cannot show a live group, and 20 tasks cannot tell a live share "
    "of 0 from .11.",
    source="jeffreys: the interval of a share, z^2 q(1-q)/w^2",
)
LIVE = Check(
    "signal.informative_groups",
    title="enough groups have rewards that differ at the training group size",
    expected=f"{bands.LIVE}",
    reason="A group of equal rewards has advantage zero in GRPO, RLOO and MaxRL: prime-rl drops "
    "it, and the batch shrinks to the live share.",
    source="dapo: dynamic sampling, oversampling 1/share; prime-rl: filter_zero_advantages; "
    "learning runs: what follows a pass, a warning and a failure",
)
LIVE_CORRECT = Check(
    "signal.correct_groups",
    title="enough groups differ in correctness, not only in format or another term",
    expected=f"{bands.LIVE}",
    reason="A group that is live through the format term alone teaches the format, not the task.",
    source="gdpo: combinations of reward terms that tie",
)
LEARNABILITY = Check(
    "signal.learnability",
    title="the expected p(1-p) is large enough",
    expected=f"{bands.LEARNABILITY} when the live share is low too",
    reason="The bound on policy improvement is proportional to p(1-p): .05 is 20% of the tasks at "
    "p = .5.",
    source="difficulty filtering: the bound p(1-p); lilo: the same as a sampling rule; "
    "learning runs: no better a guide to the gain than the live share",
)
DIFFICULTY = Check(
    "signal.difficulty",
    title=f"enough tasks are solved {BINS[2]}",
    expected=f">= {MIDDLE.good:.2f} of tasks",
    reason="These tasks carry most of the signal; prime-rl's difficulty pools and its sanity "
    "recipe keep them.",
    source="prime-rl: examples hendrycks-sanity; simulation: k = 0 of 4 happens at p = .2 in 41%",
)
SATURATION = Check(
    "signal.saturation",
    title="the tasks are neither all solved nor all out of reach",
    expected=f"<= {MOST_SATURATED:.2f} of tasks always solved, and as many never solved",
    reason="It names the remedy: harder tasks where all are solved, a warm-up or a stronger model "
    "where none is.",
    source="verifiers: its documentation calls 0% after 10 attempts too hard, over 80% too easy",
)
VARIANCE = Check(
    "signal.variance",
    title="a fair share of the reward's variance is within groups",
    expected=f"{bands.WITHIN} when the live share fails too",
    reason="Pooled spread is mostly difficulty: where it explains everything there is nothing left "
    "to learn.",
    source="error bars: one-way analysis of variance; public logs: ICC .72 on a saturated MATH set",
)
HARDLY_APART = 0.02
"""An estimate this close to a threshold is not separated from it by more tasks."""


def needed(measured: Interval, threshold: float, tasks: int) -> str:
    """How many tasks would separate `measured` from `threshold`, as words."""
    half = (measured.high - measured.low) / 2
    distance = abs(measured.estimate - threshold)
    if not math.isfinite(half) or half <= 0:
        return ""
    if distance < HARDLY_APART:
        return (
            f"the estimate is at the threshold {threshold:g}; more tasks will hardly separate them"
        )
    n = math.ceil(tasks * (half / distance) ** 2)
    return f"about {n} tasks would settle it" if n > tasks else ""


def banded(
    check: Check,
    measured: Interval,
    band: Band,
    evidence: str,
    fix: str,
    tasks: int,
    *,
    may_fail: bool = True,
) -> Finding:
    """Pass, warn or fail by where the whole interval lies."""
    # Rounding keeps 2e-16 out of a report.
    shown = {name: round(getattr(measured, name), 6) for name in ("estimate", "low", "high")}
    if measured.low >= band.good:
        return check.ok(shown, evidence)
    if measured.high <= band.bad and may_fail:
        return check.fail(shown, evidence, fix)
    threshold = min((band.good, band.bad), key=lambda edge: abs(measured.estimate - edge))
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
    return [
        first,
        live,
        correct,
        learnability(a, weak),
        difficulty(a),
        saturation(a),
        variance(a, "fail" in (live.status, correct.status)),
    ]


def enough_data(a: Analysis) -> Finding:
    """Fewer than FEWEST_TASKS tasks or one rollout each is inconclusive, never a pass."""
    e = a.evidence
    r = float(sorted(e.sizes)[len(e.sizes) // 2]) if e.tasks else 0
    shown = {"tasks": e.tasks, "rollouts_per_task": round(a.rollouts_per_task, 2)}
    evidence = (
        f"{e.tasks} tasks, {a.rollouts_per_task:.3g} rollouts per task, {len(e.reward)} rollouts "
        "that count"
    )
    if not a.identifiable:
        return ENOUGH.inconclusive(
            shown,
            f"{evidence}: with one rollout per task no group can be seen to differ",
            f"evaluate again with at least {ENOUGH_ROLLOUTS} rollouts per task "
            f"(-r {ENOUGH_ROLLOUTS})",
        )
    if e.tasks < FEWEST_TASKS:
        return ENOUGH.inconclusive(
            shown,
            evidence,
            f"evaluate at least {ENOUGH_TASKS} tasks; {e.tasks} cannot tell a live share of 0 from "
            "one of .11",
        )
    if e.tasks < ENOUGH_TASKS or r < ENOUGH_ROLLOUTS:
        return ENOUGH.warn(
            shown,
            evidence,
            f"for narrower intervals evaluate at least {ENOUGH_TASKS} tasks with {ENOUGH_ROLLOUTS} "
            "rollouts each",
        )
    return ENOUGH.ok(shown, evidence)


def informative(a: Analysis) -> Finding:
    """Live groups on the total reward, which is what the trainer sees."""
    g = a.group_size
    share = a.live[g]
    evidence = (
        f"at group size {g} {share.estimate:.0%} of groups are expected to be live "
        f"({share.method}); seen now: {a.evidence.live_now.mean():.0%} of {a.evidence.tasks} tasks "
        f"at {a.rollouts_per_task:.3g} rollouts"
    )
    return banded(LIVE, share, bands.LIVE, evidence, remedy(a), a.evidence.tasks)


def correct_groups(a: Analysis) -> Finding:
    """Live groups on the correctness component alone, where the total has other terms."""
    e, g = a.evidence, a.group_size
    share, total = a.live_correct[g], a.live[g]
    if not e.correct.component:
        return LIVE_CORRECT.skip(
            "the log names no component for correctness; the total reward is all there is"
        )
    evidence = (
        f"{share.estimate:.0%} of groups differ in {e.correct.rule}, {total.estimate:.0%} in the "
        "total reward"
    )
    if total.estimate - share.estimate > OTHER_TERMS:
        evidence += ": the rest is live through other terms alone"
    return banded(LIVE_CORRECT, share, bands.LIVE, evidence, remedy(a), e.tasks)


def learnability(a: Analysis, weak: bool) -> Finding:
    value = a.learnability
    evidence = (
        f"mean p(1-p) {value.estimate:.3f} of at most .25; pass rate {a.pass_rate.estimate:.2f}"
    )
    tasks = a.evidence.tasks
    return banded(
        LEARNABILITY, value, bands.LEARNABILITY, evidence, remedy(a), tasks, may_fail=weak
    )


def difficulty(a: Analysis) -> Finding:
    """A warning at most: what it costs is already in the live share."""
    evidence = ", ".join(
        f"{name} {share.estimate:.0%}" for name, share in zip(BINS, a.difficulty, strict=True)
    )
    tasks = a.evidence.tasks
    return banded(DIFFICULTY, a.difficulty[2], MIDDLE, evidence, remedy(a), tasks, may_fail=False)


def saturation(a: Analysis) -> Finding:
    """Names the remedy; the live share decides."""
    shown = {"never": a.never, "sometimes": a.sometimes, "always": a.always}
    evidence = (
        f"of {a.evidence.tasks} tasks {a.never:.0%} were never solved, {a.sometimes:.0%} "
        f"sometimes, {a.always:.0%} always; pass@1 {a.pass_rate.estimate:.2f}, "
        f"pass@{round(a.rollouts_per_task)} {a.pass_at_r:.2f}"
    )
    if a.always > MOST_SATURATED:
        return SATURATION.warn(shown, evidence, "take harder tasks: nearly all are always solved")
    if a.never > MOST_SATURATED:
        return SATURATION.warn(
            shown,
            evidence,
            "take easier tasks or a stronger model, or start with SFT: nearly none is ever solved",
        )
    return SATURATION.ok(shown, evidence)


def variance(a: Analysis, weak: bool) -> Finding:
    v = a.variance
    evidence = (
        f"ICC {v['icc']:.2f}: the share that difficulty explains; standard error of the mean "
        f"{v['clustered_se']:.4f} clustered, {v['naive_se']:.4f} naive"
    )
    if not math.isfinite(a.signal.estimate):
        return VARIANCE.skip("all rewards are equal, there is no variance to divide")
    tasks = a.evidence.tasks
    return banded(VARIANCE, a.signal, bands.WITHIN, evidence, remedy(a), tasks, may_fail=weak)


def remedy(a: Analysis) -> str:
    """One sentence by how hard the tasks are."""
    if a.pass_rate.estimate > EASY:
        return (
            "take harder tasks, or keep only those that are not always solved (--keep-tasks FILE)"
        )
    if a.pass_rate.estimate < HARD:
        return "take easier tasks or a stronger model, or start with an SFT warm-up"
    if a.difficulty[0].estimate + a.difficulty[-1].estimate > SPLIT:
        return (
            "each task is nearly always or nearly never solved: keep the others "
            "(--keep-tasks FILE) and add tasks of middle difficulty"
        )
    return "add tasks of middle difficulty or raise the group size; see the plan"
