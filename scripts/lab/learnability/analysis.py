"""`Analysis`: every number that the checks, the plan and the plots share, computed once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lab.learnability.evidence import RolloutEvidence
from lab.learnability.formulas import EPSILON, components_of_variance, pass_at
from lab.learnability.live import Counts, Fit, count_values, live_shares
from lab.learnability.resample import Interval, Resampler, interval, ratio, share_interval
from lab.sizes import GROUP_SIZE

GROUP_SIZES = (4, 8, 16, 32)
EDGES = (0.0, 0.02, 0.2, 0.8, 0.98, 1.0)
BINS = (
    "never (< .02)",
    "rarely (.02 to .2)",
    "sometimes (.2 to .8)",
    "mostly (.8 to .98)",
    "always (> .98)",
)


@dataclass(frozen=True)
class Settings:
    """How the policy will be trained, as far as it is known."""

    group_size: int = GROUP_SIZE
    batch_groups: int | None = None
    """Groups per training batch, where a training file says it."""
    fpr: float | None = None
    tpr: float | None = None
    """Rates of the reward, from test_reward.py."""
    training: dict[str, object] = field(default_factory=dict)
    """model, sampling, limits of the training file; empty without one."""


@dataclass
class Analysis:
    evidence: RolloutEvidence
    settings: Settings
    live: dict[int, Interval]
    """Share of live groups on the total reward, per group size."""
    live_correct: dict[int, Interval]
    """The same on the correctness component alone."""
    learnability: Interval
    """E[p(1-p)] of the correctness; the unbiased estimate k(r-k)/(r(r-1)) averaged over tasks."""
    difficulty: list[Interval]
    """Share of tasks per bin of `BINS`, smoothed."""
    variance: dict[str, float]
    signal: Interval
    """Share of the reward's variance that is within groups."""
    mean_reward: Interval
    pass_rate: Interval
    never: float
    always: float
    sometimes: float
    """Shares of tasks solved in none, all, some of the rollouts that were seen."""
    pass_at_r: float
    rollouts_per_task: float
    resampler: Resampler
    counts: Counts
    fit: Fit
    """Distribution of the success probability over tasks."""

    @property
    def group_size(self) -> int:
        return self.settings.group_size

    @property
    def identifiable(self) -> bool:
        """Whether any task has the two rollouts without which nothing can be said."""
        return bool((self.evidence.sizes >= 2).any())


def analyse(evidence: RolloutEvidence, settings: Settings) -> Analysis:
    """All statistics of `evidence` for training with `settings`."""
    resampler = Resampler(evidence.tasks)
    sizes, solved = evidence.sizes, evidence.solved
    counts = count_values(evidence.reward, evidence.codes)
    correct = count_values(evidence.right.astype(float), evidence.codes)
    wanted = sorted({*GROUP_SIZES, settings.group_size})
    rewards, right, rollouts = resampler.sums(
        np.bincount(evidence.codes, evidence.reward, minlength=evidence.tasks),
        solved.astype(float),
        sizes.astype(float),
    )
    fit = Fit(solved, sizes, resampler)
    r = round(float(np.median(sizes))) if len(sizes) else 0
    tasks = max(evidence.tasks, 1)
    return Analysis(
        evidence=evidence,
        settings=settings,
        live=live_shares(counts, wanted, resampler),
        live_correct=live_shares(correct, wanted, resampler),
        learnability=mean_product(solved, sizes),
        difficulty=[interval(column, "beta-binomial") for column in fit.shares(EDGES).T],
        variance=components_of_variance(evidence.reward, evidence.codes),
        signal=interval(_signal(evidence, resampler), "analysis of variance"),
        mean_reward=interval(ratio(rewards, rollouts), "resampled over tasks"),
        pass_rate=interval(ratio(right, rollouts), "resampled over tasks"),
        never=float((solved == 0).sum() / tasks),
        always=float((solved == sizes).sum() / tasks),
        sometimes=float(((solved > 0) & (solved < sizes)).sum() / tasks),
        pass_at_r=pass_at(solved, sizes, r) if r else float("nan"),
        rollouts_per_task=float(sizes.mean()) if len(sizes) else 0.0,
        resampler=resampler,
        counts=counts,
        fit=fit,
    )


def mean_product(solved: np.ndarray, sizes: np.ndarray) -> Interval:
    """E[p(1-p)] over the tasks with two rollouts or more; k(r-k)/(r(r-1)) is unbiased for each."""
    solved, sizes = solved[sizes >= 2], sizes[sizes >= 2]
    return share_interval(solved * (sizes - solved) / (sizes * (sizes - 1)), "unbiased", scale=0.5)


def _signal(evidence: RolloutEvidence, resampler: Resampler) -> np.ndarray:
    """Within-group variance over total variance, in every resample."""
    sizes = evidence.sizes.astype(float)
    reward = evidence.reward - (evidence.reward.mean() if len(evidence.reward) else 0.0)
    sums = np.bincount(evidence.codes, reward, minlength=evidence.tasks)
    squares = np.bincount(evidence.codes, reward**2, minlength=evidence.tasks)
    n, tasks, total, square, explained, size2 = resampler.sums(
        sizes, np.ones(evidence.tasks), sums, squares, sums**2 / np.maximum(sizes, 1), sizes**2
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        within = (square - explained) / (n - tasks)
        between = (explained - total**2 / n) / (tasks - 1)
        r = (n - size2 / n) / (tasks - 1)
        variance = np.maximum(0.0, (between - within) / r)
        share = within / (within + variance)
    return np.where(within + variance > EPSILON**2, share, np.nan)
