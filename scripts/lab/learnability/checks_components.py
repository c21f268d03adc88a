"""What the terms of the reward do to each other: weight, inversions, format, length."""

from __future__ import annotations

import re

import numpy as np

from lab.cli.report import Check, Finding
from lab.learnability.analysis import Analysis
from lab.learnability.checks_classic import format_component
from lab.learnability.evidence import RolloutEvidence
from lab.learnability.formulas import EPSILON
from lab.learnability.resample import Interval, interval, ratio
from lab.rollouts.model import EMPTY, NO_COMPLETION
from lab.rollouts.outcomes import weights_of

SHARE_WANTED, SHARE_LEAST = 0.50, 0.25
MOST_INVERTED = 0.01
FORMAT_WANTED, FORMAT_LEAST = 0.50, 0.10
MOST_LOST = 0.10
"""Share of all rollouts that have the answer and lose it to the format."""
LENGTH_WARN, LENGTH_FAIL = 0.3, 0.5
FEWEST_FOR_LENGTH = 40
"""Rollouts from which on a length correlation may fail."""

SHARE = Check(
    "reward.component_share",
    title="correctness makes most of the difference within a group",
    expected=f">= {SHARE_WANTED:.2f} of the variance within groups (fails below {SHARE_LEAST:.2f})",
    reason="The trainer follows what varies: a style term that varies more than correctness is "
    "what is learnt.",
    source="gdpo: reward terms of a sum; public logs: 48 constant components in 55 with several",
)
INVERSIONS = Check(
    "reward.inversions",
    title="a right rollout is never paid less than a wrong one of the same task",
    expected=f"0 (fails above {MOST_INVERTED:.2f})",
    reason="An inverted pair pushes the policy from the right answer to the wrong one.",
    source="trl: conditioned_reward",
)
FORMAT = Check(
    "reward.format",
    title="the format is no bottleneck",
    expected=f">= {FORMAT_WANTED:.2f} of rollouts in the right format "
    f"(fails below {FORMAT_LEAST:.2f}), <= {MOST_LOST:.2f} of answers lost to it",
    reason="Where the format fails, correctness is not even looked at.",
    source="public logs: the gold answer in the last line of a reply that was paid nothing",
)
LENGTH = Check(
    "reward.length",
    title="longer answers are not paid for being longer",
    expected=f"|rho| < {LENGTH_WARN:g} within tasks (fails above {LENGTH_FAIL:g})",
    reason="A reward that grows with length teaches length.",
    source="public logs: -.48 to +.69 in 35, where difficulty confounds a pooled correlation",
)
MOST_PAIRED_TASKS = 5000
MOST_READ = 300
"""Rollouts whose text is read again for the format check."""


def components(a: Analysis) -> list[Finding]:
    return [share(a), inversions(a), format_bottleneck(a), length(a)]


def share(a: Analysis) -> Finding:
    """Constant components, and the share of correctness in the variance within groups."""
    e = a.evidence
    columns = e.rollouts.components
    if not e.correct.component or len(columns) < 2:
        return SHARE.skip("the log has no components besides correctness")
    weights = weights_of(e.rollouts)
    constant = [
        n
        for n, c in columns.items()
        if np.nanmin(c, initial=np.inf) >= np.nanmax(c, initial=-np.inf) and weights.get(n, 1.0) > 0
    ]
    note = f"constant: {', '.join(constant)}" if constant else ""
    within = float(np.mean(e.centre**2)) if len(e.centre) else 0.0
    if within <= EPSILON**2:
        return SHARE.skip("; ".join(filter(None, ("no reward differs within a group", note))))
    weight = weights.get(e.correct.component, 1.0)
    part = float(np.mean(_centred(e, np.nan_to_num(e.correct.value) * weight) * e.centre) / within)
    evidence = "; ".join(
        filter(None, (f"{part:.0%} of the variance within groups is {e.correct.component}", note))
    )
    if part >= SHARE_WANTED:
        return SHARE.ok(part, evidence)
    fix = "raise the weight of correctness, or pay the other terms only where the answer is right"
    return (SHARE.fail if part < SHARE_LEAST else SHARE.warn)(part, evidence, fix)


def inversions(a: Analysis) -> Finding:
    """Pairs of one task where the wrong rollout is paid more, and the margin."""
    e = a.evidence
    if not e.correct.component:
        return INVERSIONS.skip("the total reward is all there is, so no pair can be inverted")
    if not e.right.any() or e.right.all():
        return INVERSIONS.skip("there are no right and wrong rollouts to compare")
    margin = float(e.reward[e.right].min() - e.reward[~e.right].max())
    mixed = np.flatnonzero((e.solved > 0) & (e.solved < e.sizes))
    if not len(mixed):
        return INVERSIONS.skip("no task has both right and wrong rollouts")
    mixed = np.random.default_rng(0).permutation(mixed)[:MOST_PAIRED_TASKS]
    pairs = inverted = 0
    for task in mixed:
        rows = e.order[e.starts[task] : e.starts[task] + e.sizes[task]][:256]
        right, pay = e.right[rows], e.reward[rows]
        better = pay[right][:, None] < pay[~right][None, :] - EPSILON
        pairs, inverted = pairs + better.size, inverted + int(better.sum())
    rate = inverted / max(pairs, 1)
    evidence = (
        f"{inverted} of {pairs} pairs of a right and a wrong rollout; margin {margin:.3g} over all "
        "tasks"
    )
    if not inverted and margin >= -EPSILON:
        return INVERSIONS.ok(rate, evidence)
    make = INVERSIONS.fail if rate > MOST_INVERTED else INVERSIONS.warn
    return make(rate, evidence, "make correctness outweigh the sum of all other terms")


def format_bottleneck(a: Analysis) -> Finding:
    """How often the format holds, and how often the answer is right then."""
    found = format_component(a)
    if found is None:
        return FORMAT.skip("no reward component is named for format")
    name, column = found
    known = np.isfinite(column)
    if not known.any():
        return FORMAT.skip(f"component {name} has no values")
    holds = column >= 0.5 * max(1.0, float(np.nanmax(column)))
    rate = float(holds[known].mean())
    inside = float(a.evidence.right[known & holds].mean()) if (known & holds).any() else 0.0
    evidence = f"{name} holds in {rate:.0%} of rollouts, of which {inside:.0%} are right"
    lost = lost_to_format(a, known & ~holds & ~a.evidence.right)
    if lost is not None:
        evidence += f"; {lost:.0%} of all rollouts end with the gold answer in the wrong format"
        if lost > MOST_LOST:
            return FORMAT.warn(
                rate,
                evidence,
                "show the format in the prompt with an example, or accept what differs only in "
                "form",
            )
    if rate >= FORMAT_WANTED:
        return FORMAT.ok(rate, evidence)
    fix = (
        "start with an SFT warm-up on the format, or show the format in the prompt with an example"
    )
    return (FORMAT.fail if rate < FORMAT_LEAST else FORMAT.warn)(rate, evidence, fix)


def lost_to_format(a: Analysis, failing: np.ndarray) -> float | None:
    """Share of all rollouts that fail in format, are not paid, and still have the gold answer
    as a word of their last line; from at most `MOST_READ` of them. None where no gold is known."""
    from lab.rollouts.messages import conversations

    e = a.evidence
    rows = np.flatnonzero(failing)
    if not len(rows) or not e.all.golds:
        return None
    drawn = np.random.default_rng(0).permutation(rows)[:MOST_READ]
    found = read = 0
    for index, talk in conversations(e.rollouts, drawn):
        golds = [
            g for column in e.rollouts.keys.values() if (g := e.all.golds.get(int(column[index])))
        ]
        if golds and talk:
            read += 1
            last = (talk[-1].text.strip().splitlines() or [""])[-1]
            found += re.search(rf"(?<!\w){re.escape(golds[0])}(?!\w)", last) is not None
    return found / read * len(rows) / len(e.reward) if read else None


def length(a: Analysis) -> Finding:
    """Rank correlation of length and reward within tasks, empties left out."""
    e = a.evidence
    rho = length_correlation(a)
    if rho is None:
        return LENGTH.skip("no lengths are recorded, or no reward differs within a task")
    lengths = lengths_of(e)
    right, wrong = lengths[e.right & (lengths >= 0)], lengths[~e.right & (lengths >= 0)]
    medians = (
        f"median length {np.median(right):.0f} when right, {np.median(wrong):.0f} when wrong"
        if len(right) and len(wrong)
        else ""
    )
    shown = rho.as_fact()
    if abs(rho.estimate) < LENGTH_WARN:
        return LENGTH.ok(shown, medians)
    enough = a.identifiable and len(e.reward) >= FEWEST_FOR_LENGTH
    grows = rho.estimate > LENGTH_FAIL and rho.low > 0
    make = LENGTH.fail if enough and grows else LENGTH.warn
    return make(
        shown, medians, "check that length is not what is paid; a declared length term is fine"
    )


def length_correlation(a: Analysis) -> Interval | None:
    """Spearman's rho of length and reward within tasks (ranks within the task, both centred)."""
    e = a.evidence
    lengths = lengths_of(e)
    usable = (lengths >= 0) & ~e.rollouts.has(EMPTY) & ~e.rollouts.has(NO_COMPLETION)
    if usable.sum() < 4:
        return None
    codes = e.codes[usable]
    x = _ranks_within(codes, lengths[usable], e.tasks)
    y = _ranks_within(codes, np.round(e.reward[usable] / EPSILON), e.tasks)
    xy, xx, yy = a.resampler.sums(
        *(np.bincount(codes, v, minlength=e.tasks) for v in (x * y, x * x, y * y))
    )
    if xx[0] <= 0 or yy[0] <= 0:
        return None
    return interval(ratio(xy, np.sqrt(np.maximum(xx * yy, 0))), "within tasks")


def lengths_of(e: RolloutEvidence) -> np.ndarray:
    """Output tokens where most rollouts have them, else characters."""
    rollouts = e.rollouts
    tokens = rollouts.tokens
    return tokens if (tokens >= 0).mean() > 0.5 else rollouts.chars


def _centred(e: RolloutEvidence, values: np.ndarray) -> np.ndarray:
    means = np.bincount(e.codes, values) / np.maximum(e.sizes, 1)
    return values - means[e.codes]


def _ranks_within(codes: np.ndarray, values: np.ndarray, tasks: int) -> np.ndarray:
    """Average rank of each value within its task, minus the task's mean rank."""
    levels, level = np.unique(values, return_inverse=True)
    place = codes * len(levels) + level
    order = np.argsort(place)
    position = np.arange(len(order), dtype=float)
    new = np.concatenate(([True], np.diff(place[order]) != 0))
    tie = np.cumsum(new) - 1
    mean_position = np.bincount(tie, position) / np.bincount(tie)
    ranks = np.empty(len(order))
    ranks[order] = mean_position[tie]
    centre = np.bincount(codes, ranks, minlength=tasks) / np.maximum(
        np.bincount(codes, minlength=tasks), 1
    )
    return ranks - centre[codes]
