"""What the report says besides its findings: subject, facts, and the sections of the page."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from lab.learnability.analysis import BINS, Analysis
from lab.learnability.checks_classic import classic, table
from lab.learnability.evidence import Evidence
from lab.learnability.live import NOT_IDENTIFIABLE
from lab.learnability.plan import Plan, chance_of_live
from lab.learnability.resample import LEVEL
from lab.report import Report
from lab.rollouts.outcomes import count, weights_of
from lab.untrusted import block, excerpt

MOST_TASKS = 40


def subject_of(e: Evidence, paths: list[Path]) -> dict[str, Any]:
    """What was looked at."""
    settings = e.all.settings
    subject = {
        "results": ", ".join(str(p) for p in paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else ""),
        "layout": e.all.layout,
        "environment": settings.get("env"),
        "model": e.model or settings.get("model"),
        "content_hash": fingerprint(e),
    }
    if guessed := settings.get("columns_guessed"):
        subject["columns_guessed"] = ",".join(f"{k}={v}" for k, v in guessed.items())
    return {k: excerpt(v, 300) for k, v in subject.items() if v}


def fingerprint(e: Evidence) -> str:
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
        "difficulty": {name: share.estimate for name, share in zip(BINS, a.difficulty, strict=True)},
        "solved": {"never": a.never, "sometimes": a.sometimes, "always": a.always},
        "icc": a.variance["icc"],
        "design_effect": a.variance["design_effect"],
        "standard_error": {"clustered": a.variance["clustered_se"], "naive": a.variance["naive_se"]},
        "outcomes": count(e.outcomes),
        "truncated_share": float(cut.mean()) if len(cut) else 0.0,
        "set_aside": e.aside,
        "reading": dict(e.all.problems),
        "grouped_by": e.grouping.by,
        "grouping": "; ".join(filter(None, (e.grouping.why, e.grouping.disagrees))),
        "right_rule": e.correct.rule,
        "components": {name: _mean(column) for name, column in list(e.rollouts.components.items())[:50]},
        "plan": plan.as_fact(),
    }


def sections(report: Report, a: Analysis, plan: Plan, *, verbose: bool) -> None:
    """The page: classic thresholds on top, then groups, tasks, outcomes and the plan."""
    e = a.evidence
    report.section("classic thresholds, for comparison: they pass sets where nothing can be learnt", table(classic(a)))
    report.section(
        f"groups ({e.tasks} tasks, {a.rollouts_per_task:.3g} rollout{'' if a.rollouts_per_task == 1 else 's'} each, grouped by {e.grouping.by})",
        [
            "live share at group size   " + "   ".join(f"{g}: {_share(v)}" for g, v in a.live.items()),
            *(["in correctness alone       " + "   ".join(f"{g}: {_share(v)}" for g, v in a.live_correct.items())] if e.correct.component else []),
            f"mean reward {a.mean_reward}   pass rate {a.pass_rate}   learnability p(1-p) {a.learnability if a.identifiable else 'unknown'}",
            f"right is: {excerpt(e.correct.rule, 90)}   intervals at {LEVEL:.0%}",
        ],
    )
    shares = [f"{name} {value.estimate:.0%}" for name, value in zip(BINS, a.difficulty, strict=True)] if a.identifiable else [NOT_IDENTIFIABLE]
    report.section("tasks by smoothed pass rate", ["   ".join(shares), f"seen: never solved {a.never:.0%}   sometimes {a.sometimes:.0%}   always {a.always:.0%}"])
    counts = count(e.outcomes)
    aside = [f"{k.replace('_', ' ')} {v}" for k, v in e.aside.items() if k != "error"]
    stream = ["the log of a training run: its steps are together, each of another policy; --last-n N takes the newest"] if e.all.settings.get("stream") else []
    report.section("rollouts", ["   ".join(f"{k.replace('_', ' ')} {v}" for k, v in counts.items()), *([f"set aside: {', '.join(aside)}"] if aside else []), *stream])
    if verbose:
        report.section("components", _components(a))
        report.section(f"tasks, least live first (of {e.tasks})", block(_tasks(a)))
    report.section("plan", plan.steps)


def _share(v: Any) -> str:
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
        lines.append(f"{excerpt(name, 40):<40} mean {'-' if mean is None else f'{mean:.3f}'}   {weight}")
    return lines or ["none in the log"]


def _tasks(a: Analysis) -> list[str]:
    e = a.evidence
    chance = chance_of_live(a)
    means = np.bincount(e.codes, e.reward) / np.maximum(e.sizes, 1)
    shown = np.argsort(chance, kind="stable")[:MOST_TASKS]
    from lab.learnability.names import names_of

    names = names_of(e, shown)
    return [
        f"{excerpt(names[task], 72):<74} right {e.solved[task]}/{e.sizes[task]}  mean {means[task]:.3f}{f'  next group live {chance[task]:.2f}' if a.identifiable else ''}"
        for task in shown.tolist()
    ]


def label_of(e: Evidence, task: int) -> str:
    """The name of a task: its key, id or number in the log."""
    row = e.order[e.starts[task]]
    if not e.grouping.names_tasks:
        # The id in the log names several tasks.
        return f"task {task}"
    for column in e.rollouts.keys.values():
        if column[row] and (label := e.rollouts.labels.get(int(column[row]))):
            return label
    return f"task {task}"


def comparison(report: Report, a: Analysis, b: Analysis, other: Path) -> None:
    """Two runs side by side; facts under `compare`."""
    rows = [
        ("mean reward", a.mean_reward, b.mean_reward),
        ("pass rate", a.pass_rate, b.pass_rate),
        (f"live share at {a.group_size}", a.live[a.group_size], b.live[a.group_size]),
        ("learnability", a.learnability, b.learnability),
        ("variance within groups", a.signal, b.signal),
    ]
    report.section(f"compared with {excerpt('/'.join(other.parts[-2:]) if other.stem in ('traces', 'results') else other.name, 100)}", [f"{name:<24} {left!s:<28} {right!s}" for name, left, right in rows])
    report.facts["compare"] = {"results": str(other), "tasks": b.evidence.tasks, **{name: {"here": left.as_fact(), "there": right.as_fact()} for name, left, right in rows}}
