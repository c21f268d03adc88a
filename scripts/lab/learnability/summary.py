"""What the report says besides its findings: subject, facts, and the sections of the page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lab.cli.report import Report
from lab.cli.untrusted import block, excerpt
from lab.learnability.analysis import BINS, Analysis
from lab.learnability.checks_classic import classic, table
from lab.learnability.evidence import RolloutEvidence
from lab.learnability.live import NOT_IDENTIFIABLE
from lab.learnability.names import names_of
from lab.learnability.plan import Plan, chance_of_live
from lab.learnability.resample import LEVEL, Interval
from lab.rollouts.outcomes import count, weights_of

MOST_TASKS = 40


def subject_of(e: RolloutEvidence, paths: list[Path]) -> dict[str, Any]:
    """What was looked at."""
    settings = e.all.settings
    subject = {
        "results": ", ".join(str(p) for p in paths[:3])
        + (f" and {len(paths) - 3} more" if len(paths) > 3 else ""),
        "layout": e.all.layout,
        "environment": settings.get("env"),
        "model": e.model or settings.get("model"),
        "content_hash": fingerprint(e),
    }
    if guessed := settings.get("columns_guessed"):
        subject["columns_guessed"] = ",".join(f"{k}={v}" for k, v in guessed.items())
    return {k: excerpt(v, 300) for k, v in subject.items() if v}


def fingerprint(e: RolloutEvidence) -> str:
    """A hash of the rewards and of what was written, as 16 hex digits."""
    import xxhash

    state = xxhash.xxh3_64()
    for column in (e.all.reward, e.all.completion, e.all.flags):
        state.update(np.ascontiguousarray(column).tobytes())
    return state.hexdigest()


def facts_of(a: Analysis, plan: Plan) -> dict[str, Any]:
    """Numbers and names that the next steps read."""
    e = a.evidence
    cut = e.rollouts.has(2)
    return {
        "tasks": e.tasks,
        "rollouts": len(e.reward),
        "rollouts_per_task": a.rollouts_per_task,
        "mean_reward": a.mean_reward.estimate,
        "mean_reward_interval": [a.mean_reward.low, a.mean_reward.high],
        "pass_rate": a.pass_rate.estimate,
        "pass_at_r": a.pass_at_r,
        "group_size": a.group_size,
        "live_group_share": a.live[a.group_size].as_fact(),
        "live_group_share_by_group_size": {str(g): v.as_fact() for g, v in a.live.items()},
        "live_group_share_correct": a.live_correct[a.group_size].as_fact(),
        "live_groups_seen": float(e.live_now.mean()) if e.tasks else None,
        "learnability": a.learnability.estimate,
        "learnability_interval": [a.learnability.low, a.learnability.high],
        "interval_level": LEVEL,
        "difficulty": {
            name: share.estimate for name, share in zip(BINS, a.difficulty, strict=True)
        },
        "solved": {"never": a.never, "sometimes": a.sometimes, "always": a.always},
        "icc": a.variance["icc"],
        "design_effect": a.variance["design_effect"],
        "standard_error": {
            "clustered": a.variance["clustered_se"],
            "naive": a.variance["naive_se"],
        },
        "outcomes": count(e.outcomes),
        "truncated_share": float(cut.mean()) if len(cut) else 0.0,
        "excluded": e.excluded,
        "reading": dict(e.all.problems),
        "grouped_by": e.grouping.by,
        "grouping": "; ".join(filter(None, (e.grouping.why, e.grouping.disagrees))),
        "right_rule": e.correct.rule,
        "components": {
            name: _mean(column) for name, column in list(e.rollouts.components.items())[:50]
        },
        "plan": plan.as_fact(),
    }


def sections(report: Report, a: Analysis, plan: Plan, *, verbose: bool) -> None:
    """The page: classic thresholds on top, then groups, tasks, outcomes and the plan."""
    e = a.evidence
    report.section(
        "classic thresholds, for comparison: they pass sets where nothing can be learnt",
        table(classic(a)),
    )
    each = f"{a.rollouts_per_task:.3g} rollout{'' if a.rollouts_per_task == 1 else 's'} each"
    report.section(
        f"groups ({e.tasks} tasks, {each}, grouped by {e.grouping.by})", list(_groups(a))
    )
    shares = (
        [f"{name} {value.estimate:.0%}" for name, value in zip(BINS, a.difficulty, strict=True)]
        if a.identifiable
        else [NOT_IDENTIFIABLE]
    )
    seen = f"never solved {a.never:.0%}   sometimes {a.sometimes:.0%}   always {a.always:.0%}"
    report.section("tasks by smoothed pass rate", ["   ".join(shares), f"seen: {seen}"])
    report.section("rollouts", list(_rollouts(e)))
    if verbose:
        report.section("components", _components(a))
        report.section(f"tasks, least live first (of {e.tasks})", block(_tasks(a)))
    if plan.steps:
        report.section("plan", plan.steps)


def _groups(a: Analysis) -> Iterator[str]:
    yield "live share at group size   " + _by_size(a.live)
    if a.evidence.correct.component:
        yield "in correctness alone       " + _by_size(a.live_correct)
    learnability = a.learnability if a.identifiable else "unknown"
    yield (
        f"mean reward {a.mean_reward}   pass rate {a.pass_rate}   "
        f"learnability p(1-p) {learnability}"
    )
    yield f"right is: {excerpt(a.evidence.correct.rule, 90)}   intervals at {LEVEL:.0%}"


def _by_size(live: dict[int, Interval]) -> str:
    return "   ".join(f"{g}: {_share(v)}" for g, v in live.items())


def _rollouts(e: RolloutEvidence) -> Iterator[str]:
    yield "   ".join(f"{k.replace('_', ' ')} {v}" for k, v in count(e.outcomes).items())
    if excluded := [f"{k.replace('_', ' ')} {v}" for k, v in e.excluded.items() if k != "error"]:
        yield f"excluded: {', '.join(excluded)}"
    if e.all.settings.get("stream"):
        yield (
            "the log of a training run: all of its steps are in it, each of another policy; "
            "--last-n N takes the newest"
        )


def _share(v: Interval) -> str:
    return "unknown" if math.isnan(v.estimate) else f"{v.estimate:.2f} ({v.low:.2f}-{v.high:.2f})"


def _mean(column: np.ndarray) -> float | None:
    values = column[np.isfinite(column)]
    return float(values.mean()) if len(values) else None


def _components(a: Analysis) -> list[str]:
    rollouts = a.evidence.rollouts
    weights = weights_of(rollouts)
    lines = []
    for name, column in rollouts.components.items():
        mean = _mean(column)
        weight = f"weight {weights[name]:g}" if name in weights else "weight not in the log"
        lines.append(
            f"{excerpt(name, 40):<40} mean {'-' if mean is None else f'{mean:.3f}'}   {weight}"
        )
    return lines or ["none in the log"]


def _tasks(a: Analysis) -> list[str]:
    e = a.evidence
    chance = chance_of_live(a)
    means = np.bincount(e.codes, e.reward) / np.maximum(e.sizes, 1)
    shown = np.argsort(chance, kind="stable")[:MOST_TASKS]

    names = names_of(e, shown)

    def line(task: int) -> str:
        live = f"  next group live {chance[task]:.2f}" if a.identifiable else ""
        solved = f"right {e.solved[task]}/{e.sizes[task]}  mean {means[task]:.3f}"
        return f"{excerpt(names[task], 72):<74} {solved}{live}"

    return [line(task) for task in shown.tolist()]


def comparison(report: Report, a: Analysis, b: Analysis, other: Path) -> None:
    """Two runs side by side; facts under `compare`."""
    rows = [
        ("mean reward", a.mean_reward, b.mean_reward),
        ("pass rate", a.pass_rate, b.pass_rate),
        (f"live share at {a.group_size}", a.live[a.group_size], b.live[a.group_size]),
        ("learnability", a.learnability, b.learnability),
        ("variance within groups", a.signal, b.signal),
    ]
    run_folder = other.stem in ("traces", "results")
    name = "/".join(other.parts[-2:]) if run_folder else other.name
    report.section(
        f"compared with {excerpt(name, 100)}",
        [f"{name:<24} {left!s:<28} {right!s}" for name, left, right in rows],
    )
    report.facts["compare"] = {
        "results": str(other),
        "tasks": b.evidence.tasks,
        **{name: {"here": left.as_fact(), "there": right.as_fact()} for name, left, right in rows},
    }
