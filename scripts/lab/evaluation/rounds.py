"""The rounds of vf-eval that one evaluation takes: all at once, or until the check can decide."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lab.cli.command import Progress, script
from lab.cli.report import Report, missing
from lab.environment import Location
from lab.evaluation import runs, vf_eval
from lab.sizes import GROUP_SIZE

FIRST_LOOK = 24
"""Tasks of the first round with --until-decided: a few more than the distribution check needs."""


@dataclass(frozen=True)
class Owed:
    """What is to be evaluated, and how the run is named where somebody has to go on with it."""

    tasks: int
    rollouts: int
    env: str
    until_decided: bool = False
    group_size: int = GROUP_SIZE
    of_suite: bool = False
    split: str = "default"
    """Where the tasks are from, in words."""

    @property
    def limits(self) -> list[int]:
        """How many tasks each round covers: all at once, or 24, 48, 96, ... up to all."""
        if not self.until_decided:
            return [self.tasks]
        out = [min(FIRST_LOOK, self.tasks)]
        while out[-1] < self.tasks:
            out.append(min(2 * out[-1], self.tasks))
        return out


def evaluate(
    location: Location,
    settings: vf_eval.Settings,
    owed: Owed,
    run: Path,
    note: dict[str, Any],
    report: Report,
    progress: Progress,
) -> None:
    """Run vf-eval until every rollout is there; with `until_decided` on ever more tasks, until the
    share of live groups is decided."""
    looks: list[dict[str, Any]] = []
    for tasks in owed.limits:
        _one_round(location, settings, owed, run, note, tasks, bool(looks), report, progress)
        if owed.until_decided:
            looks.append(runs.look(run, owed.group_size))
            low, high = looks[-1]["low"], looks[-1]["high"]
            progress.note(f"after {tasks} tasks: live share {low:.2f} to {high:.2f}")
            if looks[-1]["decided"]:
                break
    if looks:
        report.facts["looks"] = looks
        report.section("rounds", [*map(_shown, looks), _end(looks[-1], owed.tasks)])


def _one_round(
    location: Location,
    settings: vf_eval.Settings,
    owed: Owed,
    run: Path,
    note: dict[str, Any],
    tasks: int,
    later: bool,
    report: Report,
    progress: Progress,
) -> None:
    """The rollouts of `tasks` tasks, those that are there already left alone."""
    expected = tasks * owed.rollouts
    report.facts["expected"] = expected
    runs.tidy(run)
    go_on = runs.resumable(run)
    if not go_on:
        (run / "traces.jsonl").unlink(missing_ok=True)
    runs.write_note(run, {**note, "expected": expected})
    if go_on:
        runs.adjust(
            run,
            base_url=settings.base_url if settings.judge_url else None,
            judge_url=settings.judge_url,
            limit=tasks if owed.until_decided or later else None,
        )
    if go_on and runs.well(run) >= expected:
        return
    progress.note(
        f"{'going on with' if go_on else 'evaluating'} {tasks} tasks (split {owed.split}), "
        f"{owed.rollouts} rollouts each, harness {settings.harness}, runtime {settings.runtime}"
    )
    try:
        vf_eval.evaluate(
            location,
            replace(settings, tasks=tasks),
            run,
            expected=expected,
            resume=go_on,
            on_progress=_bar(progress),
        )
    except KeyboardInterrupt:
        raise interrupted(owed, run, expected) from None


def interrupted(owed: Owed, run: Path, expected: int) -> BaseException:
    """What to do after Ctrl-C: the rollouts that ended are kept, so the run is gone on with."""
    if owed.of_suite or not runs.resumable(run) or not runs.well(run):
        return KeyboardInterrupt()
    return missing(
        f"interrupted with {runs.well(run)} of {expected} rollouts, which are kept",
        f"go on with {script('run_eval.py', owed.env, '--resume', run)}",
        id="run.interrupted",
    )


def _shown(look: dict[str, Any]) -> str:
    return (
        f"after {look['tasks']} tasks the share of live groups is "
        f"{look['low']:.2f} to {look['high']:.2f}"
    )


def _end(last: dict[str, Any], tasks: int) -> str:
    if last["decided"]:
        return f"decided: {last['tasks']} of {tasks} tasks were run"
    return f"not decided by all {tasks} tasks: raise -n to go on"


def _bar(progress: Progress) -> Callable[[int, int], None]:
    """Progress with the time left, from the pace since the first look."""
    first: list[tuple[float, int]] = []

    def show(done: int, total: int) -> None:
        now = time.monotonic()
        first[:] = first or [(now, done)]
        pace = (done - first[0][1]) / (now - first[0][0]) if now > first[0][0] else 0.0
        left = f"about {(total - done) / pace:.0f} s left" if pace > 0 and done < total else ""
        progress.count("rollouts", min(done, total), total, left)

    return show
