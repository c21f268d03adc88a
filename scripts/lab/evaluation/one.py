"""One environment with one model: gates, estimate, rounds of vf-eval, findings, ledger."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab.cli.command import Progress, script
from lab.cli.report import Report, missing, usage
from lab.cli.untrusted import excerpt
from lab.environment import TASKSET, Location, locate
from lab.environment.classic_commands import vf_eval as vf_eval_of_classic
from lab.evaluation import rounds, runs, simulation, vf_eval
from lab.evaluation.budget import within_budget
from lab.evaluation.findings import judge
from lab.evaluation.policy_server import MODEL, declared_simulated
from lab.ledger.records import Ledger
from lab.process.protection import tell
from lab.rollouts.find import SIMULATED
from lab.training import classes

AS_BEGUN = {
    "tasks": "tasks",
    "rollouts_per_task": "rollouts",
    "split": "split",
    "shuffle": "shuffle",
}
"""Key of a run's note -> the flag that it decides when the run is gone on with."""


def evaluate_one(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    run: Path | None = None,
    *,
    counted: bool = False,
) -> Path | None:
    """Evaluate `args.env`. `run` is a folder that is gone on with where it exists; None makes a
    new one. `counted`: the budget was looked at already. Returns the folder, or None when
    something refused (then a finding says what)."""
    location = taskset(args.env)
    run = run or args.resume
    note = _begun(args, run)
    report.subject = {
        "environment": args.env,
        "model": args.model or f"simulated ({args.simulate})",
        "split": _split(args, location),
    }
    ledger = Ledger(location.path) if location.local else None
    if ledger and not _may_run(args, ledger, note, run, report):
        return None
    if not counted and not within_budget(args, [(args, runs.well(run) if run else 0)], report):
        return None
    if not args.simulate:
        _has_a_key(args)
    rehearsal = SIMULATED if args.simulate or declared_simulated(args.base_url) else ""
    note = note or _note(args, location, ledger, bool(rehearsal))
    run = run or runs.run_folder(args.output_dir, location.name, args.model or MODEL)
    with runs.gone_if_empty(run):
        if not _evaluate(args, location, run, note, report, progress):
            return None
    judge(args, run, report)
    tell(report)
    if rehearsal and not report.with_status("fail"):
        report.rehearsed = rehearsal
    if ledger:
        ledger.record(
            report,
            rehearsal=rehearsal,
            simulated=bool(rehearsal),
            results=str(run.resolve()),
            model=note.get("model"),
            **({"forced": args.force} if args.force else {}),
        )
    return run


def _begun(args: argparse.Namespace, run: Path | None) -> dict[str, Any]:
    """The note of a run that is gone on with; what a rollout is was decided when it was begun, so
    its flags replace today's. Empty for a new run."""
    if run is None or not (run == args.resume or (run / runs.RUN_NOTE).exists()):
        return {}
    note = runs.read_note(run)
    for key, flag in AS_BEGUN.items():
        if key in note:
            setattr(args, flag, note[key])
    args.simulate = note.get("simulate")
    if not args.simulate:
        args.model = note.get("model") or args.model
    return note


def _split(args: argparse.Namespace, location: Location) -> str:
    """The split that the tasks are taken from; without a flag as the taskset's source says it."""
    read = classes.read(location.path, location.name.replace("-", "_"))
    default = (read.fields.get("split") or {}).get("default") if read else None
    return args.split or (excerpt(default, 40) if isinstance(default, str) else "default")


def _may_run(
    args: argparse.Namespace,
    ledger: Ledger,
    note: dict[str, Any],
    run: Path | None,
    report: Report,
) -> bool:
    """Whether the reward test has passed, and the run that is gone on with is of this content."""
    gate = ledger.gate("run_eval", args.force, script("test_reward.py", args.env))
    report.subject["content_hash"] = ledger.content
    report.add(gate)
    if gate.status == "fail":
        report.next = script("test_reward.py", args.env)
        return False
    if note.get("content") and note["content"] != ledger.content:
        raise usage(
            f"{run} is of another content of the environment",
            "evaluate into a new folder: its rollouts would be of two rewards",
            id="input.run",
        )
    return True


def _has_a_key(args: argparse.Namespace) -> None:
    """Prime Inference refuses every rollout without a key, each after its retries: this is said
    before the first."""
    from lab.cli.login import INFERENCE, read_login

    if args.base_url or os.environ.get(args.api_key_var):
        return
    login, own_key = read_login(), args.api_key_var == "PRIME_API_KEY"
    if login.inference != INFERENCE or (login and own_key):
        return
    why = login.problem if own_key else f"{args.api_key_var} is not set"
    raise missing(
        f"-m {args.model} asks Prime Inference, and there is no key: {why}",
        "log in on a terminal with `prime login`, name another endpoint with --base-url URL, or "
        "rehearse without a model: --simulate 'skill=0.4,spread=0.3'",
        id="prime.not_logged_in",
    )


def taskset(env: str) -> Location:
    """Where `env` is; a usage error when it is nowhere, or when verifiers 0.4 has no such API."""
    location = locate(env)
    if location.api != TASKSET:
        raise usage(
            f"{env} is a classic environment: verifiers 0.4 cannot evaluate it",
            "evaluate it with the vf-eval of verifiers 0.1.10 to 0.3.1: "
            f"{vf_eval_of_classic(location, env)}",
            id="input.classic",
        )
    return location


def settings_of(args: argparse.Namespace) -> vf_eval.Settings:
    """The settings of vf-eval that the flags ask for."""
    retries = args.retries if args.retries is not None else 0 if args.simulate else 2
    return vf_eval.Settings(
        model=args.model or MODEL,
        tasks=args.tasks,
        rollouts=args.rollouts,
        max_tokens=args.max_tokens,
        temperature=args.temperature,
        concurrency=args.concurrency,
        base_url=args.base_url,
        api_key_var=args.api_key_var,
        harness=_harness(args),
        runtime=args.runtime,
        split=args.split,
        shuffle=args.shuffle,
        push=args.push,
        pass_env=tuple(args.pass_env),
        pass_paths=tuple(map(Path, args.pass_path)),
        stall=args.stall,
        retries=max(0, retries),
    )


def _harness(args: argparse.Namespace) -> str:
    """The in-process chat loop where it is the same conversation as the stock one, else the named
    harness."""
    if args.harness != "auto":
        return args.harness
    return "inline-chat" if args.runtime == "subprocess" else "null"


def _note(
    args: argparse.Namespace, location: Location, ledger: Ledger | None, simulated: bool
) -> dict[str, Any]:
    """What is kept beside the rollouts: of which content they are, and how they were made."""
    return {
        "environment": str(location.path),
        "content": ledger.content if ledger else None,
        "simulated": simulated,
        "simulate": args.simulate,
        "model": args.model or MODEL,
        "split": args.split,
        "shuffle": args.shuffle,
        "harness": _harness(args),
        "tasks": args.tasks,
        "rollouts_per_task": args.rollouts,
        "max_tokens": args.max_tokens,
        "temperature": args.temperature,
    }


def _evaluate(
    args: argparse.Namespace,
    location: Location,
    run: Path,
    note: dict[str, Any],
    report: Report,
    progress: Progress,
) -> bool:
    """Every rollout that is owed, by a model or by a simulated policy served beside it; False when
    no paid answer is known to simulate with."""
    settings = settings_of(args)
    owed = rounds.Owed(
        args.tasks,
        args.rollouts,
        args.env,
        args.until_decided,
        args.group_size,
        of_suite=bool(args.suite),
        split=report.subject["split"],
    )
    if not args.simulate:
        rounds.evaluate(location, settings, owed, run, note, report, progress)
        return True
    wanted = simulation.Tasks(args.tasks, args.split, args.shuffle)
    policy = simulation.policy_of(
        location, args.simulate, wanted, report, progress, settings.pass_paths
    )
    if policy is None:
        return False
    if (run / runs.RUN_NOTE).exists():
        policy.went_on(runs.prompts(run))
    with simulation.served(policy, settings, args.port) as there:
        args.tasks = there.tasks
        owed = replace(owed, tasks=there.tasks)
        rounds.evaluate(location, there, owed, run, note, report, progress)
    return True
