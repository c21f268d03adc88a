"""What comes after the distribution check: what can change its result, or the next step.

A failed check is never followed by itself, nor by a step that has passed: a signal that is too
weak needs other tasks or another model, a defect of the reward or the data an edit, a cut or empty
reply another evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.cli.command import edit_then, script
from lab.cli.interpreter import named
from lab.cli.report import Check, LabError, Report
from lab.environment.classic_commands import migration, vf_eval
from lab.environment.locate import CLASSIC, Location, locate
from lab.learnability.analysis import Analysis
from lab.learnability.bands import ENOUGH_ROLLOUTS, ENOUGH_TASKS, LIVE
from lab.learnability.plan import Plan
from lab.ledger.records import Ledger

CHANGED = Check(
    "rollouts.environment_changed",
    title="the rollouts are of today's environment",
    expected="the content hash of the environment is the one evaluated",
    reason="Rollouts of an older reward or dataset say nothing about today's.",
    source="ladder: a result holds for one content",
)
EDITED = ("reward.", "data.")
"""Findings of these families are about the environment: another evaluation does not change them."""


@dataclass(frozen=True)
class Looked:
    """What was looked at, as far as the next command repeats it."""

    folder: Path | None
    """The environment's folder, where the run or --env names it."""
    note: dict[str, Any]
    """What run_eval.py left beside the rollouts."""
    paths: list[Path]
    columns: str | None = None
    keep_tasks: bool = False

    @property
    def env(self) -> str:
        return named(self.folder) if self.folder is not None else "ENV"

    @property
    def model(self) -> str:
        """The model that was evaluated; of a simulated policy there is none."""
        simulated = self.note.get("simulated")
        return "MODEL" if simulated else str(self.note.get("model") or "MODEL")


def next_command(report: Report, looked: Looked, analysis: Analysis, plan: Plan) -> str:
    """The one command that comes next; after a rehearsal of a known environment its ladder says
    it."""
    package = script("push_environment.py", looked.env, "--check-only")
    if report.rehearsed:
        return package
    if report.verdict in ("pass", "warn"):
        return _keep_tasks(looked) if _scarce(looked, analysis, plan) else package
    failed = [finding.id for finding in report.with_status("fail")]
    if any(id.startswith(EDITED) for id in failed):
        return edit_then(looked.env, script("test_reward.py", looked.env))
    if failed and not looked.keep_tasks and _some_live(looked, analysis, plan):
        return _keep_tasks(looked)
    return _evaluate(looked, plan, other_model=any(id.startswith("signal.") for id in failed))


def _evaluate(looked: Looked, plan: Plan, *, other_model: bool = False) -> str:
    model = "ANOTHER_MODEL" if other_model and not plan.more_tasks else looked.model
    tasks, rollouts = plan.more_tasks or ENOUGH_TASKS, plan.more_rollouts or ENOUGH_ROLLOUTS
    return script("run_eval.py", looked.env, "-m", model, "-n", tasks, "-r", rollouts)


def _scarce(looked: Looked, analysis: Analysis, plan: Plan) -> bool:
    """Few live groups, and some tasks that have them: these first, then the next step."""
    scarce = analysis.live[analysis.group_size].high < LIVE.good
    return scarce and not looked.keep_tasks and _some_live(looked, analysis, plan)


def _some_live(looked: Looked, analysis: Analysis, plan: Plan) -> bool:
    names_tasks = analysis.evidence.grouping.names_tasks
    return bool(names_tasks and plan.keep.any() and not plan.keep.all())


def _keep_tasks(looked: Looked) -> str:
    columns = ["--columns", looked.columns] if looked.columns else []
    return script(
        "check_reward_distribution.py",
        "--results",
        *looked.paths,
        *columns,
        "--keep-tasks",
        "keep.toml",
    )


def record(report: Report, looked: Looked) -> None:
    """Keep the outcome in the environment's ledger, and correct the next command where the
    environment has changed or is a classic one."""
    report.facts["recorded"] = False
    if looked.folder is None:
        report.section(
            "ledger", ["no environment is named by the run or by --env, so nothing was recorded"]
        )
        return
    ledger = Ledger(looked.folder)
    content = looked.note.get("content")
    content = content if isinstance(content, str) else None
    _compare(report, looked, ledger, content)
    if location := classic_at(looked.folder):
        report.next = (
            migration(str(looked.folder))
            if report.verdict in ("pass", "warn")
            else vf_eval(location, str(looked.folder))
        )
    ledger.record(
        report,
        content=content,
        rehearsal=report.rehearsed,
        simulated=bool(looked.note.get("simulated")),
        results=str(Path(looked.paths[0]).resolve()),
    )
    report.facts["recorded"] = True


def _compare(report: Report, looked: Looked, ledger: Ledger, content: str | None) -> None:
    """Are the rollouts of today's environment?"""
    if content is None:
        report.add(CHANGED.skip("the run does not say which content was evaluated"))
        return
    if content == ledger.content:
        report.add(CHANGED.ok(content))
        return
    spec = looked.note.get("simulate") or "skill=0.4,spread=0.3"
    policy = ("--simulate", spec) if looked.note.get("simulated") else ("-m", looked.model)
    again = script("run_eval.py", looked.folder, *policy)
    report.add(
        CHANGED.warn(
            content,
            f"the environment's content is {ledger.content} today",
            f"evaluate again: {again}",
        )
    )
    tested = not ledger.step("test_reward").open
    report.next = again if tested else script("test_reward.py", looked.folder)


def classic_at(folder: Path) -> Location | None:
    """Where a classic environment is; None for a taskset, and for a folder without one."""
    try:
        location = locate(str(folder))
    except LabError:
        return None
    return location if location.api == CLASSIC else None
