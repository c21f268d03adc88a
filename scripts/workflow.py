"""Where an environment stands on the ladder, and the one command that comes next.

    workflow.py next [ENV]       the next command, for whoever remembers nothing
    workflow.py status [ENV]     every step: passed, failed, stale, missing; when, and its report

Without ENV the environments of this folder (./environments) are looked at; where there are none,
the next command is the ladder's first.

Exit codes: 0 told · 2 no such environment, or several and none named.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///

from __future__ import annotations

import argparse
import json
from pathlib import Path

from lab.command import Command, Progress, script
from lab.report import Report, usage
from lab.untrusted import excerpt

STATES = {"passed": "passed", "failed": "FAILED", "inconclusive": "open: not enough data", "stale": "stale: the environment changed", "missing": "not run"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("status", "next"), help="the whole ladder, or only the next command")
    parser.add_argument("env", metavar="ENV", nargs="?", help="environment folder, module file or name under ./environments")


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    if args.env is None:
        found = sorted(p.parent for p in Path("environments").glob("*/pyproject.toml"))
        if not found:
            _before_an_environment(report)
            return
        if len(found) > 1:
            raise usage(
                f"there are {len(found)} environments here: {', '.join(p.name for p in found)}",
                f"name one: {script('workflow.py', args.what, found[0])}",
                id="input.several_environments",
            )
        args.env = str(found[0])
    from lab.environment import TASKSET, locate
    from lab.ledger import Ledger

    location = locate(args.env)
    if not location.local:
        raise usage(
            f"{args.env} is an installed package: the ladder is kept in an environment's own folder",
            f"pull its source, or go straight to: {script('submit_training.py', '--env', 'OWNER/NAME', '--dry-run')}",
            id="input.installed",
        )
    ledger = Ledger(location.path)
    steps = ledger.steps()
    report.subject = {"environment": args.env, "content_hash": ledger.content}
    report.facts = {
        "steps": {step.name: {"state": step.state, "at": step.at, "report": step.report, "forced": step.forced} for step in steps},
        "simulated": bool(ledger.entry("run_eval").get("simulated")),
    }
    if args.what == "status":
        report.section("steps", [_line(step, ledger) for step in steps])
    _explain(report, args.env, ledger, steps)
    report.next = _next(args.env, ledger, steps) if location.api == TASKSET else _next_classic(args.env, location, steps)


def _line(step, ledger) -> str:
    entry = ledger.entry(step.name)
    notes = [step.at, step.report]
    if entry.get("simulated"):
        notes.append("simulated policy")
    if entry.get("checked_only"):
        notes.append("package checked, not pushed")
    if step.forced:
        notes.append(f"forced: {step.forced}")
    return f"{step.name:<26} {STATES[step.state]:<32} {'  '.join(filter(None, notes))}".rstrip()


def _next(env: str, ledger, steps) -> str:
    """The first open step's command; after the last, the monitor. Whoever measured too little to
    decide said itself how to measure more: that command comes before asking the same again."""
    slug = (ledger.entry("push_environment").get("facts") or {}).get("environment") or f"OWNER/{Path(env).resolve().name.replace('_', '-')}"
    commands = {
        "test_reward": script("test_reward.py", env),
        "run_eval": script("run_eval.py", env, "-m", "MODEL"),
        "check_reward_distribution": script("check_reward_distribution.py", "--results", ledger.entry("run_eval").get("results", "outputs/RUN")),
        "push_environment": script("push_environment.py", env, "--check-only"),
        "submit_training": script("submit_training.py", "--env", slug, "--local", env, "--dry-run"),
    }
    for step in steps:
        if step.state == "inconclusive":
            return str(_kept(step, ledger).get("next") or commands[step.name])
        if step.open:
            return commands[step.name]
        if step.name == "check_reward_distribution" and ledger.entry("run_eval").get("simulated"):
            return commands["run_eval"]
        if step.name == "push_environment" and ledger.entry(step.name).get("checked_only"):
            return script("push_environment.py", env, "--visibility", "PRIVATE")
    run = (ledger.entry("submit_training").get("facts") or {}).get("run_id")
    return script("monitor_training.py", run) if run else commands["submit_training"].removesuffix(" --dry-run")


def _next_classic(env: str, location, steps) -> str:
    """A classic environment is tested here, evaluated by its own vf-eval, and trained as a taskset."""
    from lab.environment.classic import migration, vf_eval

    of = {step.name: step for step in steps}
    if of["test_reward"].open:
        return script("test_reward.py", env)
    return vf_eval(location, env) if of["check_reward_distribution"].open else migration(env)


def _kept(step, ledger) -> dict:
    """The whole report that a step left, {} when it is gone."""
    try:
        found = json.loads((ledger.folder.parent / step.report).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _explain(report: Report, env: str, ledger, steps) -> None:
    """Beside the next command: what an open step found, and what can be done without publishing."""
    first = next((step for step in steps if step.open), None)
    if first and first.state in ("failed", "inconclusive"):
        told = [f for f in _kept(first, ledger).get("findings", []) if f.get("status") in ("fail", "inconclusive")]
        lines = [line for f in told[:5] for line in (f"{f.get('id')}: {excerpt(f.get('evidence'), 160)}", f"  fix: {excerpt(f.get('fix'), 300)}")]
        report.section(f"open in {first.name}", lines or ["see its report"])
    pushed = ledger.entry("push_environment")
    if first is not None and first.name == "submit_training" and pushed.get("checked_only"):
        report.section(
            "publishing is the user's decision",
            ["public or private, and a yes: add --yes where there is no terminal", f"before that, without a login: {script('submit_training.py', '--env', 'OWNER/' + Path(env).resolve().name.replace('_', '-'), '--local', env, '--dry-run')}"],
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


COMMAND = Command(__doc__, "workflow", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
