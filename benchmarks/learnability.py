"""Live-group shares against simulated truth: mean error, coverage, and verdicts.

    python -m benchmarks.learnability [--logs 60] [--tasks 100]

Logs are drawn from known per-task success probabilities; 5% of the rollouts fail and leave
their group, so group sizes differ. A verdict is wrong when it is decided (pass at .30, fail at
.10) and the true live share says otherwise; an open one is a warning.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

from lab.learnability.formulas import live_probability
from lab.learnability.live import count_values, live_shares
from lab.learnability.resample import Resampler

TRUTHS = {
    "uniform": lambda rng, n: rng.uniform(0, 1, n),
    "bimodal .02/.98": lambda rng, n: np.where(rng.random(n) < 0.5, 0.02, 0.98),
    "bimodal Beta(.1,.1)": lambda rng, n: rng.beta(0.1, 0.1, n),
    "all at .5": lambda rng, n: np.full(n, 0.5),
    "all at .03": lambda rng, n: np.full(n, 0.03),
    "all at .97": lambda rng, n: np.full(n, 0.97),
    "85% deterministic": lambda rng, n: np.where(rng.random(n) < 0.85, (rng.random(n) < 0.5).astype(float), rng.uniform(0.2, 0.8, n)),
    "95% deterministic": lambda rng, n: np.where(rng.random(n) < 0.95, (rng.random(n) < 0.5).astype(float), rng.uniform(0.2, 0.8, n)),
    "hard Beta(.3,3)": lambda rng, n: rng.beta(0.3, 3, n),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=40)
    parser.add_argument("--tasks", type=int, default=100)
    args = parser.parse_args()
    sizes = (8, 16)
    print(f"{args.logs} logs of {args.tasks} tasks each; 5% of rollouts fail and leave their group")
    print(f"{'success probabilities':<22}{'r':>3}  " + "".join(f"{'G=' + str(g) + ' truth':>11}{'mean error':>12}{'|error|':>9}{'covers':>8}{'wrong':>7}{'open':>6}" for g in sizes))
    totals: dict[int, list[list[float]]] = {g: [] for g in sizes}
    for name, draw in TRUTHS.items():
        for r in (2, 4, 8):
            line = ""
            for g, row in zip(sizes, study(draw, r, sizes, args.logs, args.tasks), strict=True):
                totals[g].append(row)
                truth, bias, error, covers, wrong, unsure = row
                line += f"{truth:>11.3f}{bias:>+12.3f}{error:>9.3f}{covers:>8.2f}{wrong:>7.2f}{unsure:>6.2f}"
            print(f"{name:<22}{r:>3}  {line}", flush=True)
    for g in sizes:
        rows = np.array(totals[g])
        print(f"G={g}: mean |mean error| {np.abs(rows[:, 1]).mean():.3f}, largest {np.abs(rows[:, 1]).max():.3f}; mean |error| {rows[:, 2].mean():.3f}; covers {rows[:, 3].mean():.3f} (stated .90); wrong verdicts {rows[:, 4].mean():.4f}")


def study(draw, r: int, sizes: tuple[int, ...], logs: int, tasks: int) -> list[list[float]]:
    """Per group size: truth, mean error, mean absolute error, coverage, share of wrong and of open verdicts."""
    population = draw(np.random.default_rng(12345), 200_000)
    truths = {g: float(np.mean(live_probability(population, g))) for g in sizes}
    found: dict[int, list] = {g: [] for g in sizes}
    for seed in range(logs):
        rng = np.random.default_rng(seed)
        p = draw(rng, tasks)
        codes = np.repeat(np.arange(tasks), r)
        reward = (rng.random(len(codes)) < p[codes]).astype(float)
        kept = rng.random(len(codes)) >= 0.05
        codes, reward = np.unique(codes[kept], return_inverse=True)[1], reward[kept]
        for g, share in live_shares(count_values(reward, codes), list(sizes), Resampler(int(codes.max()) + 1)).items():
            found[g].append(share)
    rows = []
    for g in sizes:
        truth, shares = truths[g], found[g]
        errors = np.array([s.estimate - truth for s in shares])
        decided = ["pass" if s.low >= 0.3 else "fail" if s.high <= 0.1 else "" for s in shares]
        right = "pass" if truth >= 0.3 else "fail" if truth <= 0.1 else "warn"
        rows.append([truth, errors.mean(), np.abs(errors).mean(), np.mean([s.low <= truth <= s.high for s in shares]), np.mean([d not in ("", right) for d in decided]), np.mean([d == "" for d in decided])])
    return rows


if __name__ == "__main__":
    main()
