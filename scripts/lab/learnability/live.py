"""The share of live groups at any group size, with an interval, from r rollouts per task.

For G <= r every subset of G rollouts that were seen is a group that could have been: the share
is exact in expectation (hypergeometric). For G > r the distribution of success probabilities
must be known: a Beta distribution is fitted to the counts (beta-binomial likelihood on a grid
of mean and concentration, averaged over it), and p^G is integrated over it. A reward with
several values is one such fit per value: a group is dead when all of it has the same value.

One rollout per task identifies nothing, and `live_share` then says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lab.learnability.formulas import EPSILON, dead_probability
from lab.learnability.resample import Interval, Resampler, interval

MOST_LEVELS = 12
NOT_IDENTIFIABLE = "not identifiable from one rollout per task"
UNKNOWN = Interval(float("nan"), 0.0, 1.0, NOT_IDENTIFIABLE)


@dataclass(frozen=True)
class Counts:
    """How often each reward value occurred in each task."""

    table: np.ndarray
    """(tasks, values) int64, for the `MOST_LEVELS` most frequent values."""
    other: np.ndarray
    """(tasks,) rollouts at any other value."""
    dead_other: np.ndarray
    """(tasks,) 1.0 where all rollouts share one of the other values."""

    @property
    def sizes(self) -> np.ndarray:
        return self.table.sum(axis=1) + self.other

    @property
    def binary(self) -> bool:
        return self.table.shape[1] <= 2 and not self.other.any()


def count_values(values: np.ndarray, codes: np.ndarray) -> Counts:
    """`values` (float64 per rollout) counted per task; values within 1e-6 are one value."""
    levels, index, totals = np.unique(np.round(values / EPSILON), return_inverse=True, return_counts=True)
    sizes = np.bincount(codes)
    kept = np.argsort(-totals, kind="stable")[:MOST_LEVELS]
    place = np.full(len(levels), -1)
    place[kept] = np.arange(len(kept))
    where = place[index]
    inside = where >= 0
    width = len(kept)
    table = np.bincount(codes[inside] * width + where[inside], minlength=len(sizes) * width).reshape(len(sizes), width)
    dead_other = np.zeros(len(sizes))
    if not inside.all():
        pairs, repeats = np.unique(codes[~inside] * np.int64(len(levels)) + index[~inside], return_counts=True)
        owner = pairs // len(levels)
        dead_other[owner[repeats == sizes[owner]]] = 1.0
    return Counts(table, sizes - table.sum(axis=1), dead_other)


def live_share(counts: Counts, group_size: int, resampler: Resampler) -> Interval:
    """The expected share of live groups of `group_size` rollouts."""
    sizes = counts.sizes
    if not (sizes >= 2).any():
        return UNKNOWN
    enough = sizes >= group_size
    if enough.mean() >= 0.9:
        dead = np.zeros(len(sizes))
        dead[enough] = dead_probability(counts.table[enough], sizes[enough, None], group_size).sum(axis=1) + counts.dead_other[enough]
        live, tasks = resampler.sums((1.0 - dead) * enough, enough.astype(float))
        return interval(live / np.maximum(tasks, 1), f"hypergeometric over {int(enough.sum())} tasks")
    (dead,) = resampler.sums(counts.dead_other)
    dead /= resampler.draws.sum(axis=1)
    if counts.binary:
        dead = dead + sum(_dead_shares(counts.table[:, 0], sizes, resampler, group_size))
    else:
        for column in counts.table.T:
            dead = dead + _dead_shares(column, sizes, resampler, group_size)[0]
    return interval(np.clip(1.0 - dead, 0.0, 1.0), "beta-binomial")


def histogram(solved: np.ndarray, sizes: np.ndarray, resampler: Resampler, edges: tuple[float, ...]) -> np.ndarray:
    """Share of tasks with success probability in each bin, smoothed by the beta-binomial fit:
    (1 + RESAMPLES, bins). Raw k/r is misleading: k = 0 of 4 happens at p = .2 in 41% of cases."""
    from scipy.special import betainc

    a, b = _grid()[:2]
    posterior = _posterior(solved, sizes, resampler)
    below = np.stack([betainc(a, b, edge) if 0 < edge < 1 else np.full(len(a), float(edge >= 1)) for edge in edges], axis=1)
    return posterior @ np.diff(below, axis=1)


@lru_cache(maxsize=1)
def _grid() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(a, b, log prior) of Beta(a, b) on a grid of mean and concentration a+b."""
    means = 1 / (1 + np.exp(-np.linspace(-6.5, 6.5, 53)))
    concentrations = np.exp(np.linspace(np.log(0.02), np.log(2000.0), 47))
    m, s = (x.ravel() for x in np.meshgrid(means, concentrations))
    # Flat in the logit of the mean, weakly against the extremes of concentration.
    return m * s, (1 - m) * s, -0.5 * (np.log(s) / 6.0) ** 2


def _posterior(k: np.ndarray, r: np.ndarray, resampler: Resampler) -> np.ndarray:
    """Weight of every grid point in every resample: (1 + RESAMPLES, grid)."""
    from scipy.special import betaln

    pairs, index = np.unique(np.column_stack([k, r]), axis=0, return_inverse=True)
    tasks = resampler.counts(index.ravel(), len(pairs))
    a, b, prior = _grid()
    hits, of = pairs[:, :1].astype(float), pairs[:, 1:].astype(float)
    weight = tasks @ (betaln(a + hits, b + of - hits) - betaln(a, b)) + prior
    weight = np.exp(weight - weight.max(axis=1, keepdims=True))
    return weight / weight.sum(axis=1, keepdims=True)


def _dead_shares(k: np.ndarray, r: np.ndarray, resampler: Resampler, group_size: int) -> tuple[np.ndarray, np.ndarray]:
    """(E[p^G], E[(1-p)^G]) in every resample."""
    from scipy.special import betaln

    a, b = _grid()[:2]
    posterior, base = _posterior(k, r, resampler), betaln(a, b)
    return posterior @ np.exp(betaln(a + group_size, b) - base), posterior @ np.exp(betaln(a, b + group_size) - base)
