"""One environment with one model: gates, estimate, rounds of vf-eval, findings, ledger."""

from __future__ import annotations

import argparse
import json
import os
import time
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from lab.command import Progress, script
from lab.environment import TASKSET, Location, locate
from lab.environment.classic import vf_eval as vf_eval_of_classic
from lab.evaluation import runs, vf_eval
from lab.evaluation.budget import within_budget
from lab.evaluation.findings import judge
from lab.evaluation.policy import policy_of
from lab.ledger import Ledger
from lab.report import Report, missing, usage

FIRST_LOOK = 24
"""Tasks of the first round with --until-decided: a little more than the distribution check needs."""


def evaluate_one(args: argparse.Namespace, report: Report, progress: Progress, run: Path | None = None, *, counted: bool = False) -> Path | None:
    """Evaluate `args.env`. `run` is a folder that is gone on with where it exists; None makes a
    new one. `counted`: the budget was looked at already. Returns the folder, or None when
    something refused (then a finding says what)."""
    location = taskset(args.env)
    run = run or args.resume
    begun = run is not None and (run == args.resume or (run / runs.RUN_NOTE).exists())
    note = runs.read_note(run) if begun else None
    if note:
        _as_begun(args, note)
    report.subject = {"environment": args.env, "model": args.model or f"simulated ({args.simulate})"}
    ledger = Ledger(location.path) if location.local else None
    if ledger:
        gate = ledger.gate("run_eval", args.force, script("test_reward.py", args.env))
        report.subject["content_hash"] = ledger.content
        report.add(gate)
        if gate.status == "fail":
            report.next = script("test_reward.py", args.env)
            return None
        if note and note.get("content") and note["content"] != ledger.content:
            raise usage(f"{run} is of another content of the environment", "evaluate into a new folder: rollouts of two rewards do not belong together", id="input.run")
    if not counted and not within_budget(args, [(args, runs.well(run) if run else 0)], report):
        return None
    if not args.simulate:
        _has_a_key(args)
    run = _evaluate(args, location, ledger, report, progress, run, note)
    if run is None:
        return None
    judge(args, run, report)
    if ledger:
        ledger.record(report, simulated=bool(args.simulate) or declared_simulated(args.base_url), results=str(run.resolve()), **({"forced": args.force} if args.force else {}))
    return run


def _has_a_key(args: argparse.Namespace) -> None:
    """Prime Inference refuses every rollout without a key, each after its retries: said before the first."""
    from lab.prime.login import INFERENCE, read_login

    login = read_login()
    if args.base_url or login.inference != INFERENCE or os.environ.get(args.api_key_var) or (login and args.api_key_var == "PRIME_API_KEY"):
        return
    raise missing(
        f"-m {args.model} asks Prime Inference, and there is no key: {login.problem if args.api_key_var == 'PRIME_API_KEY' else args.api_key_var + ' is not set'}",
        "log in on a terminal with `prime login`, name another endpoint with --base-url URL, or try the machinery with --simulate 'skill=0.4,spread=0.3'",
        id="prime.not_logged_in",
    )


def taskset(env: str) -> Location:
    """Where `env` is; a usage error when it is nowhere, or when verifiers 0.4 cannot evaluate it."""
    location = locate(env)
    if location.api != TASKSET:
        raise usage(
            f"{env} is a classic environment: verifiers 0.4 cannot evaluate it",
            f"evaluate it with the vf-eval of verifiers 0.1.10 to 0.3.1: {vf_eval_of_classic(location, env)}",
            id="input.classic",
        )
    return location


def declared_simulated(base_url: str | None) -> bool:
    """Whether the endpoint is on loopback and lists `simulated` as its model, as lab.simulate.Server
    does for every policy that it serves: a scripted agent is no model, whatever name it was asked by."""
    if urlsplit(base_url or "").hostname not in ("127.0.0.1", "localhost", "::1"):
        return False
    try:
        with urllib.request.urlopen(f"{base_url.rstrip('/')}/models", timeout=5) as answer:
            return [model.get("id") for model in json.load(answer)["data"]] == ["simulated"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _as_begun(args: argparse.Namespace, note: dict) -> None:
    """What a rollout is was decided when the run was begun; its flags stand over today's."""
    for name, key in (("tasks", "tasks"), ("rollouts", "rollouts_per_task"), ("split", "split"), ("shuffle", "shuffle")):
        if key in note:
            setattr(args, name, note[key])
    args.simulate = note.get("simulate")
    if not args.simulate:
        args.model = note.get("model") or args.model


def _evaluate(args, location: Location, ledger: Ledger | None, report: Report, progress: Progress, run: Path | None, note: dict | None) -> Path | None:
    """Every rollout that is owed, by a model or by a simulated policy served beside it."""
    harness = _harness(args)
    settings = vf_eval.Settings(
        model=args.model or "simulated",
        tasks=args.tasks,
        rollouts=args.rollouts,
        max_tokens=args.max_tokens,
        temperature=args.temperature,
        concurrency=args.concurrency,
        base_url=args.base_url,
        api_key_var=args.api_key_var,
        harness=harness,
        runtime=args.runtime,
        split=args.split,
        shuffle=args.shuffle,
        push=args.push,
        pass_env=tuple(args.pass_env),
        retries=_retries(args),
    )
    run = run or runs.run_folder(args.output_dir, location.name, settings.model)
    told = note or {
        "environment": str(location.path),
        "content": ledger.content if ledger else None,
        "simulated": bool(args.simulate) or declared_simulated(args.base_url),
        "simulate": args.simulate,
        "model": settings.model,
        "split": args.split,
        "shuffle": args.shuffle,
        "harness": harness,
        "tasks": args.tasks,
        "rollouts_per_task": args.rollouts,
        "max_tokens": args.max_tokens,
        "temperature": args.temperature,
    }
    if not args.simulate:
        _rounds(args, location, settings, run, told, report, progress)
        return run
    from lab.probes.judge import ScriptedJudge
    from lab.simulate import Server

    policy = policy_of(args, location, report, progress)
    if policy is None:
        return None
    if note:
        policy.went_on(runs.prompts(run))
    with Server(policy, args.port) as server, ScriptedJudge(verdict=policy.verdict) as judge:
        args.tasks = min(args.tasks, sum(map(len, policy.tasks.values())))
        settings = replace(settings, tasks=args.tasks, base_url=server.url, api_key_var="SIMULATED_POLICY_NEEDS_NO_SECRET", judge_url=judge.url)
        _rounds(args, location, settings, run, told, report, progress)
    return run


def _rounds(args, location: Location, settings: vf_eval.Settings, run: Path, note: dict, report: Report, progress: Progress) -> None:
    """Run vf-eval until every rollout is there; with --until-decided on ever more tasks, until
    the share of live groups is decided."""
    looks = []
    for tasks in _limits(args):
        expected = tasks * args.rollouts
        report.facts["expected"] = expected
        go_on = runs.resumable(run)
        if not go_on:
            (run / "traces.jsonl").unlink(missing_ok=True)
        runs.write_note(run, {**note, "expected": expected})
        if go_on:
            runs.adjust(run, base_url=settings.base_url if args.simulate else None, judge_url=settings.judge_url, limit=tasks if args.until_decided or len(looks) else None)
        if not go_on or runs.well(run) < expected:
            progress.note(f"{'going on with' if go_on else 'evaluating'} {tasks} tasks, {args.rollouts} rollouts each, harness {settings.harness}, runtime {args.runtime}")
            try:
                vf_eval.evaluate(location, replace(settings, tasks=tasks), run, expected=expected, resume=go_on, on_progress=_bar(progress))
            except KeyboardInterrupt:
                raise _interrupted(args, run, expected) from None
        if args.until_decided:
            looks.append(runs.look(run, args.group_size))
            progress.note(f"after {tasks} tasks: live share {looks[-1]['low']:.2f} to {looks[-1]['high']:.2f}")
            if looks[-1]["decided"]:
                break
    if looks:
        report.facts["looks"] = looks
        told = [f"after {look['tasks']} tasks the share of live groups is {look['low']:.2f} to {look['high']:.2f}" for look in looks]
        end = f"decided: {looks[-1]['tasks']} of {args.tasks} tasks were run" if looks[-1]["decided"] else f"not decided by all {args.tasks} tasks: raise -n to go on"
        report.section("rounds", [*told, end])


def _interrupted(args: argparse.Namespace, run: Path, expected: int) -> BaseException:
    """What to do after Ctrl-C: the rollouts that ended are kept, so the run is gone on with."""
    if args.suite or not runs.resumable(run) or not runs.well(run):
        return KeyboardInterrupt()
    return missing(f"interrupted with {runs.well(run)} of {expected} rollouts, which are kept", f"go on with {script('run_eval.py', args.env, '--resume', run)}", id="run.interrupted")


def _limits(args: argparse.Namespace) -> list[int]:
    """How many tasks each round covers: all at once, or 24, 48, 96, ... up to all."""
    if not args.until_decided:
        return [args.tasks]
    out = [min(FIRST_LOOK, args.tasks)]
    while out[-1] < args.tasks:
        out.append(min(2 * out[-1], args.tasks))
    return out


def _retries(args: argparse.Namespace) -> int:
    return max(0, args.retries if args.retries is not None else 0 if args.simulate else 2)


def _harness(args: argparse.Namespace) -> str:
    """The in-process chat loop where it is the same conversation as the stock one, else the named harness."""
    if args.harness != "auto":
        return args.harness
    return "inline-chat" if args.runtime == "subprocess" else "null"


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
