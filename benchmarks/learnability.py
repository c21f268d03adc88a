"""Live-group shares against simulated truth: mean error, coverage, and verdicts.

    python -m benchmarks.learnability [--logs 200] [--tasks 100] [--seed 0]

Logs are drawn from known per-task success probabilities; 5% of the rollouts fail and leave
their group, so group sizes differ, and 3% are truncated and get nothing. Verdicts are those of the
check (pass from .30, fail to .10, else a warning); they are counted as right or wrong where the
truth is further from both thresholds than the log's interval is wide ("near" is the rest), and a
confident one is wrong wherever a pass or a fail is not the truth's. At r = 2 two truths may be the same to any reader (half at .02 and half at .98;
8% at .5 and the rest decided), so that no estimate is right for both: coverage above the stated
rate there is the price of covering either.
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


FAILED, TRUNCATED = 0.05, 0.03
STATED, WITHIN = 0.90, 0.03


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="first seed of the logs")
    args = parser.parse_args()
    sizes = (8, 16)
    print(f"{args.logs} logs of {args.tasks} tasks each, seeds from {args.seed}; {FAILED:.0%} of rollouts fail, {TRUNCATED:.0%} are truncated")
    print(f"{'success probabilities':<22}{'r':>3}  " + "".join(f"{'G=' + str(g) + ' truth':>11}{'mean error':>12}{'|error|':>9}{'covers':>8}{'right':>7}{'near':>6}{'wrong':>7}" for g in sizes))
    totals: dict[int, list[list[float]]] = {g: [] for g in sizes}
    for name, draw in TRUTHS.items():
        for r in (2, 4, 8):
            line = ""
            for g, row in zip(sizes, study(draw, r, sizes, args.logs, args.tasks, args.seed), strict=True):
                totals[g].append([r, *row])
                truth, bias, error, covers, right, near, wrong = row
                line += f"{truth:>11.3f}{bias:>+12.3f}{error:>9.3f}{covers:>8.2f}{right:>7.2f}{near:>6.2f}{wrong:>7.2f}"
            print(f"{name:<22}{r:>3}  {line}", flush=True)
    single = study(TRUTHS["uniform"], 1, sizes, 3, args.tasks, args.seed)
    print("one rollout per task: nothing is decided" if all(row[6] == 0 and np.isnan(row[1]) for row in single) else "one rollout per task: decided, which is wrong")
    for g in sizes:
        rows = np.array(totals[g])
        bias, covers, clear = np.abs(rows[:, 2]), rows[:, 4], 1 - rows[:, 6]
        right = float(np.nansum(rows[:, 5] * clear) / max(clear.sum(), 1e-9))
        print(f"G={g}: largest |mean error| {bias.max():.3f} (from r = 4 on {bias[rows[:, 0] >= 4].max():.3f}), mean {bias.mean():.3f}; mean |error| {rows[:, 3].mean():.3f}")
        print(f"      covers {covers.mean():.3f} (stated {STATED:.2f}): {int((covers < STATED - WITHIN).sum())} of {len(rows)} rows below {STATED - WITHIN:.2f}, lowest {covers.min():.2f}; {int((covers > STATED + WITHIN).sum())} above {STATED + WITHIN:.2f}")
        print(f"      verdicts right {right:.4f} where the truth is clear of the thresholds ({clear.mean():.0%} of the logs); confident and wrong {rows[:, 7].mean():.4f} of all")


def study(draw, r: int, sizes: tuple[int, ...], logs: int, tasks: int, seed: int = 0) -> list[list[float]]:
    """Per group size: truth, mean error, mean absolute error, coverage, share of right verdicts
    where the truth is clear, share of logs where it is not, share of confident wrong ones."""
    population = draw(np.random.default_rng(12345), 200_000) * (1 - TRUNCATED)
    truths = {g: float(np.mean(live_probability(population, g))) for g in sizes}
    found: dict[int, list] = {g: [] for g in sizes}
    for log in range(logs):
        rng = np.random.default_rng([seed, log])
        p = draw(rng, tasks) * (1 - TRUNCATED)
        codes = np.repeat(np.arange(tasks), r)
        reward = (rng.random(len(codes)) < p[codes]).astype(float)
        kept = rng.random(len(codes)) >= FAILED
        codes, reward = np.unique(codes[kept], return_inverse=True)[1], reward[kept]
        for g, share in live_shares(count_values(reward, codes), list(sizes), Resampler(int(codes.max()) + 1)).items():
            found[g].append(share)
    rows = []
    for g in sizes:
        truth, shares = truths[g], found[g]
        errors = np.array([s.estimate - truth for s in shares])
        verdicts = np.array([verdict(s.low, s.high) for s in shares])
        truly = verdict(truth, truth)
        clear = np.array([min(abs(truth - 0.1), abs(truth - 0.3)) > s.high - s.low for s in shares])
        right = np.mean(verdicts[clear] == truly) if clear.any() else np.nan
        wrong = np.mean((verdicts != "warn") & (verdicts != truly))
        rows.append([truth, errors.mean(), np.abs(errors).mean(), np.mean([s.low <= truth <= s.high for s in shares]), right, 1 - clear.mean(), wrong])
    return rows


def verdict(low: float, high: float) -> str:
    """The verdict of `signal.informative_groups` on an interval."""
    return "pass" if low >= 0.3 else "fail" if high <= 0.1 else "warn"


if __name__ == "__main__":
    main()
