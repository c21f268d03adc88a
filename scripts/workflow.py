"""Which steps of the ladder an environment has passed, and the one command that comes next.

    workflow.py next [ENV]       the next command, for whoever remembers nothing
    workflow.py status [ENV]     every step: passed, rehearsed, failed, stale or not run, and when

Without ENV the environments of this folder (./environments) are looked at; where there are none,
the next command is the ladder's first. After a failed step the next command is the one that can
change its result: an edit, another evaluation, a flag; never the same check on the same content.

Exit codes: 0 the state is known · 2 no such environment, or several and none named.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lab.cli.command import Command, Progress, script
from lab.cli.report import Report, usage
from lab.cli.untrusted import excerpt

if TYPE_CHECKING:
    from lab.ledger.records import Ledger, Step

STATES = {
    "passed": "passed",
    "rehearsed": "rehearsed",
    "failed": "FAILED",
    "inconclusive": "inconclusive: not enough data",
    "stale": "stale: the environment changed",
    "missing": "not run",
    "unsigned": "not believed: its record was edited",
}
MOST_FINDINGS = 5


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=("status", "next"), help="the whole ladder, or only the next command"
    )
    parser.add_argument(
        "env",
        metavar="ENV",
        nargs="?",
        help="environment folder, module file or name under ./environments",
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.environment import locate
    from lab.environment.locate import only_one_here
    from lab.ladder import NO_MODEL, next_command, rehearsal_beside
    from lab.ledger.records import Ledger
    from lab.review.state import next_review

    if args.env is None and not list(Path("environments").glob("*/pyproject.toml")):
        _before_an_environment(report)
        return
    env = args.env or str(only_one_here(f"workflow.py {args.what}"))
    location = locate(env)
    if not location.local:
        hub = script("submit_training.py", "--env", "OWNER/NAME", "--dry-run")
        raise usage(
            f"{env} is an installed package: the ladder is kept for environments in your folders",
            f"pull its source, or go straight to: {hub}",
            id="input.installed",
        )
    ledger = Ledger(location.path)
    steps = ledger.steps()
    report.subject = {"environment": env, "content_hash": ledger.content}
    review = ledger.step("review_reward")
    report.facts = {"steps": {step.name: _facts(step) for step in steps}, "review": _facts(review)}
    if ledger.older:
        report.section(
            "not read", [f"{ledger.older} was written by an older version: it is ignored"]
        )
    if args.what == "status":
        report.section("steps", [_line(step) for step in steps])
        report.section("blind review of the reward, before a paid run", [_line(review)])
    report.next = next_command(env, location, ledger)
    _explain(report, ledger, steps)
    asked = next_review(ledger, env) if review.open else report.next
    if asked != report.next and not steps[0].open and args.what == "next":
        report.section(f"blind review: {STATES[review.state]}", [f"before a paid run: {asked}"])
    if beside := rehearsal_beside(report.next, env, ledger):
        report.section(NO_MODEL, beside)


def _facts(step: Step) -> dict[str, str]:
    return {
        "state": step.state,
        "at": step.at,
        "report": step.report,
        "forced": step.forced,
        "rehearsal": step.rehearsal,
    }


def _line(step: Step) -> str:
    state = STATES[step.state] + (f": {step.rehearsal}" if step.state == "rehearsed" else "")
    forced = f"forced: {step.forced}" if step.forced else ""
    notes = "  ".join(filter(None, (step.at, step.report, forced)))
    return f"{step.name:<26} {state:<32} {notes}".rstrip()


def _explain(report: Report, ledger: Ledger, steps: list[Step]) -> None:
    """Beside the next command: what the first gap is, and what publishing asks for."""
    first = next((step for step in steps if step.open), None)
    if first is None:
        return
    if first.state in ("failed", "inconclusive"):
        findings = [
            f
            for f in ledger.report_of(first.name).get("findings", [])
            if f.get("status") in ("fail", "inconclusive")
        ]
        lines = [
            line
            for f in findings[:MOST_FINDINGS]
            for line in (
                f"{f.get('id')}: {excerpt(f.get('evidence'), 160)}",
                f"  fix: {excerpt(f.get('fix'), 300)}",
            )
        ]
        report.section(f"{first.state} in {first.name}", lines or ["see its report"])
    elif "--visibility" in report.next:
        report.section(
            "publishing is the user's decision",
            ["public or private, and a yes: add --yes where there is no terminal"],
        )


def _before_an_environment(report: Report) -> None:
    report.subject = {"folder": str(Path.cwd())}
    profile = Path("profile.json")
    report.facts = {"steps": {}, "profile": str(profile) if profile.is_file() else None}
    report.next = (
        script("new_environment.py", "NAME", "--profile", profile)
        if profile.is_file()
        else script("inspect_dataset.py", "DATASET", "--out", "profile.json")
    )


COMMAND = Command(__doc__, "workflow", arguments, main, bare=True)

if __name__ == "__main__":
    COMMAND.exit()
