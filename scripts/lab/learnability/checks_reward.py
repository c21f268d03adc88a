"""Whether the reward, as the rollouts show it, can be trained on."""

from __future__ import annotations

from collections import Counter

import numpy as np

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.learnability.analysis import Analysis
from lab.learnability.bands import ENOUGH_ROLLOUTS, ENOUGH_TASKS
from lab.learnability.formulas import EPSILON, tolerable_fpr
from lab.rates import jeffreys
from lab.rollouts.model import EMPTY, NO_COMPLETION
from lab.rollouts.outcomes import completions_recorded

MOST_LOST = 0.01
"""Share of the rollouts whose reward is no finite number, above which the check fails."""
FEWEST_EQUAL = 20
"""Equal rewards below which they may be chance."""
PRECISION_WANTED, PRECISION_LEAST = 0.80, 0.50
"""Share of the paid rollouts that are right: wanted, and least."""
YOUDEN_WANTED, YOUDEN_LEAST = 0.90, 0.20
"""True-positive rate minus false-positive rate: wanted, and least."""
FEWEST_GOLDS, RARE, RARE_SHARE = 10, 2, 0.05
"""Golds below which no baseline is formed, and how rare an answer is no baseline."""
SCALE_LOW, SCALE_HIGH = 0.1, 1.0
SCALE_LEAST, SCALE_MOST = 0.01, 5.0
"""Root mean square of the advantage in live groups: usable, and out of all bounds."""
MOST_TIED = 0.80
MOST_DEAD_FRACTIONS = 0.10

LOST = ("reward_missing", "reward_not_finite", "reward_not_a_number")
"""Problems that leave a rollout without a reward, as the readers name them."""

VALUES = Check(
    "reward.values",
    title="every reward is a finite number and they are not all the same",
    expected="finite numbers, more than one value",
    reason="NaN poisons the batch mean; a constant reward has no gradient.",
    source="public logs: 38 of 130 are constant",
)
RANGE = Check(
    "reward.observed_range",
    title="rewards lie in [0, 1] or in the sum of the declared weights",
    expected="within [0, 1] or the declared maximum",
    reason="prime-rl does not divide by the standard deviation: a range of 8 is a learning rate "
    "of 8.",
    source="public logs: 22 of 130 lie outside [0, 1]; prime-rl: algo grpo",
)
EMPTY_PAID = Check(
    "reward.empty_paid",
    title="an empty answer is not paid",
    expected="0 rollouts",
    reason="The policy finds the cheapest paid answer, and nothing is cheaper than none.",
    source="public logs: taxcalc_bench pays empty completions .416 on average",
)
PRECISION = Check(
    "reward.precision",
    title="most of what is paid is right, given how often the reward errs",
    expected=f"so few false positives that {PRECISION_WANTED:.0%} of the paid rollouts are right "
    f"(fails below {PRECISION_LEAST:.0%}), TPR - FPR >= {YOUDEN_WANTED:.2f} "
    f"(fails below {YOUDEN_LEAST:.2f})",
    reason="The harder the tasks, the smaller the false-positive rate that drowns the signal.",
    source="rate or fate: learning follows Youden's J = TPR - FPR",
)
BASELINE = Check(
    "reward.baselines",
    title="the policy beats a constant answer",
    expected="the interval of the pass rate lies above the most frequent gold answer's share",
    reason="Below it, the fastest way up is to always give that answer.",
    source="boolq: 62 % of the answers are yes",
)
SCALE = Check(
    "reward.scale",
    title="rewards within a live group differ by a usable amount",
    expected=f"{SCALE_LOW:g} to {SCALE_HIGH:g} "
    f"(fails below {SCALE_LEAST:g} and above {SCALE_MOST:g})",
    reason="The spread within a group is the size of the advantage; without normalisation it "
    "scales the step.",
    source="prime-rl: advantage = reward - group mean",
)
TIES = Check(
    "reward.granularity",
    title="a graded reward tells rollouts of one task apart",
    expected=f"<= {MOST_TIED:.2f} of pairs tied",
    reason="A graded reward whose values nearly always tie has the cost of a judge and the signal "
    "of a coin.",
    source="gdpo: combinations of reward terms that tie",
)
FLOAT_TRAP = Check(
    "reward.float_trap",
    title="groups of equal rewards have an advantage of exactly zero in float32",
    expected=f"<= {MOST_DEAD_FRACTIONS:.2f} of groups dead at a fraction without a float32 mean",
    reason="float32 r - mean(r) of eight times 0.1 is not zero, so an exact filter keeps dead "
    "groups in the batch.",
    source="prime-rl: filter_zero_advantages; float32: measured for groups of 8, 16 and 32",
)


def reward(a: Analysis) -> list[Finding]:
    return [
        values(a),
        range_(a),
        empty_paid(a),
        precision(a),
        baselines(a),
        scale(a),
        ties(a),
        float_trap(a),
    ]


def values(a: Analysis) -> Finding:
    problems, rewards = a.evidence.all.problems, a.evidence.reward
    bad = {
        k.removeprefix("reward_").replace("_", " "): problems[k]
        for k in (*LOST, "reward_as_string")
        if problems[k]
    }
    said = ", ".join(f"{count} {kind}" for kind, count in bad.items())
    if np.ptp(rewards) <= EPSILON:
        return _constant(rewards, said)
    lost = sum(problems[k] for k in LOST)
    if lost:
        first = next(a.evidence.all.examples[k] for k in LOST if problems[k])
        check = VALUES.fail if lost > MOST_LOST * len(a.evidence.all) else VALUES.warn
        return check(
            lost,
            f"{said} (first at {first}); they are left out",
            "make the reward return a finite number for every completion",
        )
    if bad:
        return VALUES.warn(sum(bad.values()), said, "write rewards as numbers, not as text")
    return VALUES.ok(len(np.unique(np.round(rewards, 6))), "distinct values")


def _constant(rewards: np.ndarray, said: str) -> Finding:
    """All rewards are one value."""
    seen = f"all {len(rewards)} rewards are {rewards[0]:g}"
    if len(rewards) < FEWEST_EQUAL:
        return VALUES.inconclusive(
            1,
            f"{seen}, which may be chance",
            f"evaluate at least {ENOUGH_TASKS} tasks with {ENOUGH_ROLLOUTS} rollouts each",
        )
    return VALUES.fail(
        1,
        "; ".join(filter(None, (seen, said))),
        "find out why: test_reward.py tells a reward that never pays from a policy that never "
        "succeeds",
    )


def range_(a: Analysis) -> Finding:
    rewards = a.evidence.reward
    low, high = float(rewards.min()), float(rewards.max())
    weights = a.evidence.rollouts.weights
    top = max(1.0, sum(w for w in weights.values() if w > 0))
    shown = [low, high]
    if low >= -EPSILON and high <= top + EPSILON:
        return RANGE.ok(shown, f"declared maximum {top:g}" if top != 1.0 else "")
    return RANGE.warn(
        shown,
        f"rewards from {low:g} to {high:g}",
        "scale the reward into [0, 1], or lower the learning rate by the same factor; mixed "
        "environments need equal ranges",
    )


def empty_paid(a: Analysis) -> Finding:
    """Reward of answers without text, above what a wrong answer gets."""
    e = a.evidence
    if not completions_recorded(e.rollouts):
        return EMPTY_PAID.skip(
            "completions are not recorded, so paid rollouts cannot be told from empty ones"
        )
    if e.all.layout == "table" and not (~e.rollouts.has(NO_COMPLETION)).any():
        return EMPTY_PAID.skip("the table has no completion column")
    empty = e.rollouts.has(EMPTY) | e.rollouts.has(NO_COMPLETION)
    wrong = e.reward[~e.right & ~empty]
    floor = max(
        float(np.median(wrong)) if len(wrong) else 0.0, 0.0 if e.reward.min() >= 0 else -np.inf
    )
    paid = empty & (e.reward > floor + EPSILON)
    if not empty.any():
        return EMPTY_PAID.ok(0, "no empty rollout")
    if not paid.any():
        return EMPTY_PAID.ok(0, f"{int(empty.sum())} empty rollouts, none paid more than {floor:g}")
    return EMPTY_PAID.fail(
        int(paid.sum()),
        f"{int(paid.sum())} of {int(empty.sum())} empty rollouts are paid, "
        f"{e.reward[paid].mean():.3g} on average; a wrong answer gets {floor:g}",
        "return 0 for an answer without text before anything is compared",
    )


def precision(a: Analysis) -> Finding:
    """The false-positive rate of the reward test, at the pass rate seen here."""
    fpr, tpr = a.settings.fpr, a.settings.tpr
    if fpr is None:
        return PRECISION.skip(
            "no false-positive rate is known: run test_reward.py on the environment, or give "
            "--fpr X --tpr Y"
        )
    tpr = 1.0 if tpr is None else tpr
    seen = a.pass_rate.estimate
    j = tpr - fpr
    if j <= YOUDEN_LEAST:
        return PRECISION.fail(
            {"fpr": fpr, "tpr": tpr, "youden_j": j},
            f"the reward hardly tells right from wrong (J = {j:.2f})",
            "repair the reward; see test_reward.py",
        )
    p = min(max((seen - fpr) / j, 0.0), 1.0)
    paid_right = tpr * p / (tpr * p + fpr * (1 - p)) if p > 0 else 0.0
    bound = tolerable_fpr(p, tpr, PRECISION_WANTED)
    shown = {"precision": paid_right, "fpr": fpr, "tolerable_fpr": bound}
    evidence = (
        f"pass rate {seen:.3g}, of which {p:.3g} is real: {paid_right:.0%} of the paid rollouts "
        "are right"
    )
    if fpr <= bound + 1e-12 and j >= YOUDEN_WANTED:
        return PRECISION.ok(shown, evidence)
    fix = f"lower the reward's false-positive rate to {bound:.3g}, or train on easier tasks first"
    return (
        PRECISION.fail(shown, evidence, fix)
        if paid_right < PRECISION_LEAST
        else PRECISION.warn(shown, evidence, fix)
    )


def baselines(a: Analysis) -> Finding:
    """Against always giving the most frequent gold answer."""
    golds = Counter(a.evidence.all.golds.values())
    total = sum(golds.values())
    if total < FEWEST_GOLDS:
        return BASELINE.skip(f"fewer than {FEWEST_GOLDS} tasks with a short gold answer in the log")
    answer, count = golds.most_common(1)[0]
    share = count / total
    low = jeffreys(count, total, 0.90)[1]
    if count <= RARE or share < RARE_SHARE:
        return BASELINE.ok(
            {"pass_rate": a.pass_rate.estimate, "constant_answer": share},
            "no answer is frequent enough to pay off",
        )
    shown = {"pass_rate": a.pass_rate.estimate, "constant_answer": share}
    evidence = (
        f"always answering {excerpt(answer, 40)} would be right in {share:.0%} of {total} tasks; "
        f"the policy is right in {a.pass_rate.estimate:.0%}"
    )
    if a.pass_rate.low > share:
        return BASELINE.ok(shown, evidence)
    fix = "balance the gold answers, or watch for a policy that always gives the same one"
    return BASELINE.warn(
        shown, evidence + ("; clearly below it" if a.pass_rate.high < min(share, low) else ""), fix
    )


def scale(a: Analysis) -> Finding:
    """Root mean square of the advantage in live groups."""
    e = a.evidence
    live = e.live_now[e.codes] if e.tasks else np.zeros(0, bool)
    if not live.any():
        return SCALE.skip("no group was seen to be live")
    rms = float(np.sqrt(np.mean(e.centre[live] ** 2)))
    if rms < SCALE_LEAST or rms > SCALE_MOST:
        return SCALE.fail(rms, f"advantages are {rms:.3g} in size", "scale the reward into [0, 1]")
    if rms < SCALE_LOW or rms > SCALE_HIGH:
        return SCALE.warn(
            rms,
            f"advantages are {rms:.3g} in size",
            "scale the reward into [0, 1], or adapt the learning rate",
        )
    return SCALE.ok(rms)


def ties(a: Analysis) -> Finding:
    """Share of equal pairs within groups, for rewards of more than two values."""
    e = a.evidence
    sizes = e.sizes.astype(float)
    pairs = float((sizes * (sizes - 1)).sum())
    levels = a.counts.table.shape[1] + int(a.counts.other.any())
    if levels <= 2:
        return TIES.skip("the reward has at most two values")
    if pairs == 0:
        return TIES.skip("no task has two rollouts")
    equal = float(
        (a.counts.table * (a.counts.table - 1)).sum()
        + (a.counts.dead_other * sizes * (sizes - 1)).sum()
    )
    share = equal / pairs
    if share <= MOST_TIED:
        return TIES.ok(share)
    return TIES.warn(
        share,
        f"{share:.0%} of the pairs within groups have equal rewards although there are {levels} "
        "values",
        "check that the graded term varies between answers to one task; where a judge grades, "
        "score some rollouts again to see its noise",
    )


def float_trap(a: Analysis) -> Finding:
    """Dead groups at fractions that float32 cannot average exactly."""
    e = a.evidence
    dead = ~e.live_now & (e.sizes >= 2)
    if not dead.any():
        return FLOAT_TRAP.ok(0, "no dead group was seen")
    rewards = np.round(e.reward[e.order][e.starts][dead], 6)
    unique, counts = np.unique(rewards, return_counts=True)
    exact = np.array([averages_exactly(value, a.group_size) for value in unique])
    if exact.all():
        return FLOAT_TRAP.ok(0, "the rewards of dead groups are exact in float32")
    expected = (
        (1 - a.live[a.group_size].estimate) * counts[~exact].sum() / counts.sum()
        if a.identifiable
        else 0.0
    )
    if expected <= MOST_DEAD_FRACTIONS:
        return FLOAT_TRAP.ok(
            float(expected), "share of groups at a reward that float32 cannot average"
        )
    n = int(counts[~exact].sum())
    return FLOAT_TRAP.warn(
        n,
        f"{n} dead groups at {', '.join(f'{v:g}' for v in unique[~exact][:5])}: their float32 "
        "advantage is not exactly zero",
        "filter with a tolerance: curriculum gate advantage_range reject_min=-1e-6 "
        "reject_max=1e-6, or min_abs_advantage=1e-6",
    )


def averages_exactly(value: float, group_size: int) -> bool:
    """Whether the float32 mean of `group_size` times `value`, summed in order, is `value`."""
    single = np.float32(value)
    total = np.cumsum(np.full(group_size, single), dtype=np.float32)[-1]
    return bool(total / np.float32(group_size) == single)
