"""Evaluate a model on an environment with the real vf-eval, and count what happened.

    run_eval.py ENV -m MODEL                    50 tasks, 4 rollouts each, through Prime Inference
    run_eval.py ENV -m MODEL --base-url URL     any OpenAI-compatible endpoint
    run_eval.py ENV --simulate "skill=0.4,spread=0.3,format=0.95,seed=0"
                                                a simulated policy on loopback: no model, no network
    run_eval.py ENV --resume outputs/RUN        go on with a run that was interrupted

ENV is an environment's folder, module file or installed name. Nothing is uploaded without
--push, and rollouts run in the subprocess runtime of this machine unless --runtime says otherwise.
The run is written to ./outputs; check_reward_distribution.py reads it from there.

Exit codes: 0 evaluated · 1 an earlier step is open, or too many rollouts failed · 2 usage ·
3 vf-eval or the model endpoint failed · 4 too few rollouts were evaluated to say.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["verifiers>=0.4.0,<0.5", "datasets>=4.0", "scipy>=1.14", "numpy>=2.0", "msgspec>=0.19"]
# ///

from __future__ import annotations

import argparse
import json
from pathlib import Path

from lab.command import Command, Progress, script
from lab.report import Check, Report, missing, usage
from lab.untrusted import excerpt

COMPLETED = Check(
    "eval.completed",
    title="every rollout that was asked for is in the traces",
    expected="tasks × rollouts",
    reason="A mean over the rollouts that happened to survive is a mean over the easy ones.",
    source="verifiers 0.4: vf-eval ends with 0 even when every rollout failed",
)
ERRORS = Check(
    "eval.errors",
    title="rollouts end without an error",
    expected="<= 0.05 of rollouts (fail above 0.20)",
    reason="An error is not a wrong answer; counted as one it makes a task look unsolvable.",
    source="verifiers documentation: sustained errors above 5 % are a smell",
)
TRUNCATED = Check(
    "eval.truncated",
    title="rollouts end before the token limit",
    expected="<= 0.10 of rollouts (fail above 0.50)",
    reason="A reply that was cut cannot hold its answer: the reward then measures the limit, not the model.",
    source="reward checks C10; reports of runs with 100 % truncation and reward 0",
)
EMPTY = Check(
    "eval.empty",
    title="rollouts contain text",
    expected="<= 0.05 of rollouts (fail above 0.30)",
    reason="A reasoning model that spends its tokens on thinking leaves an empty reply behind a plausible mean.",
    source="public logs: 26 to 49 of 60 rollouts empty behind a mean of 0.27",
)
FORMAT_LEARNT = Check(
    "eval.simulated_answers",
    title="the simulated policy can write an answer that is paid",
    expected="gold of a task is known and paid",
    reason="Without a paid answer the simulation would only show zeros.",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("env", metavar="ENV", help="environment folder, module file or installed name")
    parser.add_argument("-m", "--model", help="model id at the endpoint")
    parser.add_argument("-n", "--tasks", type=_count, default=50, help="number of tasks (50)")
    parser.add_argument("-r", "--rollouts", type=_count, default=4, help="rollouts per task (4)")
    parser.add_argument("-T", "--max-tokens", type=_count, default=1024, help="tokens per reply (1024)")
    parser.add_argument("--temperature", type=float, default=1.0, help="as in training (1.0)")
    parser.add_argument("-c", "--concurrency", type=_count, default=16, help="rollouts at once (16)")
    parser.add_argument("--split", help="the taskset's split (its own default, training)")
    parser.add_argument("--shuffle", type=int, metavar="SEED", help="take tasks at random instead of the first ones")
    parser.add_argument("--base-url", help="OpenAI-compatible endpoint (Prime Inference)")
    parser.add_argument("--api-key-var", default="PRIME_API_KEY", help="variable that holds the key (PRIME_API_KEY)")
    parser.add_argument("--simulate", metavar="SPEC", help="a simulated policy instead of a model")
    parser.add_argument("--port", type=int, default=0, help="port of the simulated policy (a free one)")
    parser.add_argument("--harness", default="auto", help="auto, inline-chat, null, or any harness id (auto)")
    parser.add_argument("--runtime", default="subprocess", help="subprocess, docker, prime, ... (subprocess)")
    parser.add_argument("--output-dir", type=Path, default=Path("outputs"), help="where runs are kept (outputs)")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="finish the interrupted run in this folder")
    parser.add_argument("--push", action="store_true", help="upload the evaluation to Prime (off)")
    parser.add_argument("--pass-env", action="append", default=[], metavar="NAME", help="let the environment see this secret")
    parser.add_argument("--force", metavar="REASON", help="go on past a failed, missing or stale earlier step")


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.environment import TASKSET, locate
    from lab.ledger import Ledger

    if not args.model and not args.simulate and not args.resume:
        raise usage("no model to evaluate", "give -m MODEL, or --simulate 'skill=0.4,spread=0.3'", id="input.model")
    if args.model and args.simulate:
        raise usage("both -m and --simulate were given", "leave one of them out", id="input.model")
    if args.push:
        _logged_in()
    spec = _spec(args)
    location = locate(args.env)
    report.subject = {"environment": args.env, "model": args.model or f"simulated ({args.simulate})"}
    if location.api != TASKSET:
        raise usage(
            f"{args.env} is a classic environment: verifiers 0.4 cannot evaluate it",
            "evaluate it with the vf-eval of verifiers 0.1.10 to 0.3.1, then run check_reward_distribution.py on its outputs",
            id="input.classic",
        )
    ledger = Ledger(location.path) if location.local else None
    if ledger:
        gate = ledger.gate("run_eval", args.force, script("test_reward.py", args.env))
        report.subject["content_hash"] = ledger.content
        report.add(gate)
        if gate.status == "fail":
            report.next = script("test_reward.py", args.env)
            return
    run = _evaluate(args, spec, location, ledger, report, progress)
    if run is None:
        return
    _judge(args, run, report)
    report.next = script("check_reward_distribution.py", "--results", _shown(run))
    if ledger:
        ledger.record(report, simulated=bool(args.simulate), results=str(run.resolve()), **_forced(args))


def _logged_in() -> None:
    """An upload that nobody is logged in for would be left out without a word."""
    from lab.prime import read_login

    login = read_login()
    if not login:
        raise missing(f"--push uploads the evaluation, and prime is not logged in: {login.problem}", "log in on a terminal with `prime login`, or leave --push out", id="prime.not_logged_in")


def _spec(args: argparse.Namespace):
    from lab.simulate import Spec

    return Spec.parse(args.simulate) if args.simulate else None


def _evaluate(args, spec, location, ledger, report: Report, progress: Progress) -> Path | None:
    from lab import evaluation
    from lab.simulate import Server

    harness = _harness(args)
    settings = evaluation.Settings(
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
    )
    if args.resume:
        note = evaluation.read_note(args.resume)
        if note.get("simulated"):
            raise usage("a simulated run cannot be resumed: its server is gone", "run it again from the start, by the same command without --resume", id="input.run")
        expected = int(note["expected"])
        progress.note(f"resuming {args.resume}")
        evaluation.evaluate(location, settings, args.resume, expected=expected, resume=True, on_progress=_bar(progress))
        report.facts["expected"] = expected
        return args.resume
    run = evaluation.run_folder(args.output_dir, location.name, settings.model)
    note = {
        "environment": str(location.path),
        "content": ledger.content if ledger else None,
        "simulated": spec is not None,
        "simulate": args.simulate,
        "model": settings.model,
        "split": args.split,
        "harness": harness,
        "rollouts_per_task": args.rollouts,
    }

    def go(settings, tasks: int) -> None:
        expected = tasks * args.rollouts
        report.facts["expected"] = expected
        run.mkdir(parents=True)
        evaluation.write_note(run, {**note, "expected": expected})
        progress.note(f"evaluating {tasks} tasks, {args.rollouts} rollouts each, harness {harness}, runtime {args.runtime}")
        evaluation.evaluate(location, settings, run, expected=expected, on_progress=_bar(progress))

    if spec is None:
        go(settings, args.tasks)
        return run
    from dataclasses import replace

    policy = _policy(args, location, spec, report, progress)
    if policy is None:
        return None
    with Server(policy, args.port) as server:
        known = min(args.tasks, sum(map(len, policy.tasks.values())))
        go(replace(settings, base_url=server.url, api_key_var="SIMULATED_POLICY_NEEDS_NO_SECRET"), known)
    return run


def _policy(args, location, spec, report: Report, progress: Progress):
    """The simulated policy, knowing the gold and the format of every task that will be asked."""
    import random

    from lab.answers.wrong import wrong
    from lab.environment import Environment
    from lab.probes.style import learn
    from lab.simulate import Answers, Policy

    progress.note("learning the answer format for the simulated policy")
    config = {"split": args.split} if args.split else {}
    many = 20_000 if args.shuffle is not None else args.tasks
    with Environment(location, examples=many, first=True, config=config) as env:
        learned = learn(env)
        tasks = env.description.tasks
    if not tasks:
        report.add(FORMAT_LEARNT.inconclusive(0, "the environment has no tasks", "give the taskset rows, or another --split"))
        return None
    unknown = sum(gold is None for gold in learned.golds)
    if learned.paid <= 0 or unknown == len(tasks):
        report.add(
            FORMAT_LEARNT.fail(learned.paid, excerpt(learned.evidence, 300), f"see what is not paid: {script('test_reward.py', args.env)}")
        )
        return None
    report.add(FORMAT_LEARNT.ok(f"{learned.style.name}, gold in {learned.gold_field}"))

    def answers(gold: str) -> Answers:
        return Answers(
            right=gold,
            wrong=lambda draw, gold=gold: wrong(learned.family, gold, draw),
            formatted=learned.style.write,
            unformatted=learned.style.floorless,
        )

    random.seed(spec.seed)
    return Policy(spec, [(task.prompt, answers(gold or "unknown")) for task, gold in zip(tasks, learned.golds, strict=True)])


def _judge(args: argparse.Namespace, run: Path, report: Report) -> None:
    """Findings and facts about the rollouts that were written."""
    import numpy as np

    from lab.rollouts import correctness, group, outcomes_of, read
    from lab.rollouts.model import ERROR
    from lab.rollouts.outcomes import count

    rollouts = read([run])
    correct = correctness(rollouts)
    outcomes = count(outcomes_of(rollouts, correct))
    total, expected = len(rollouts), report.facts.pop("expected")
    errors = ", ".join(f"{kind} {n}" for kind, n in rollouts.error_kinds.most_common(3))
    if outcomes["error"] == total:
        raise missing(
            f"every one of the {total} rollouts ended in an error: {excerpt(errors, 200)}; first: {_first_error(run)}",
            "check the model id, the endpoint and the key, then run it again",
            id="eval.all_failed",
        )
    scored = rollouts.reward[~rollouts.has(ERROR) & np.isfinite(rollouts.reward)]
    mean = float(scored.mean()) if len(scored) else None
    report.facts |= {
        "results": str(run.resolve()),
        "tasks": group(rollouts).tasks,
        "rollouts": total,
        "mean_reward": mean,
        "outcomes": outcomes,
        "right_means": correct.rule,
    }
    if total < expected:
        report.add(COMPLETED.warn(total, f"{expected - total} of {expected} rollouts are missing", "run it again, or go on with the ones there are"))
    else:
        report.add(COMPLETED.ok(total))
    for check, name, warn, fail, repair in (
        (ERRORS, "error", 0.05, 0.20, f"mend what fails ({excerpt(errors, 160)}); the first: {_first_error(run)}"),
        (TRUNCATED, "truncated", 0.10, 0.50, f"raise --max-tokens above {args.max_tokens}, and keep the training file's limit at the same value"),
        (EMPTY, "empty", 0.05, 0.30, "raise --max-tokens for a reasoning model, or look at the replies in the report of check_reward_distribution.py"),
    ):
        share = outcomes.get(name, 0) / total
        if share > warn:
            make = check.fail if share > fail else check.warn
            report.add(make(share, f"{outcomes[name]} of {total} rollouts: {name}", repair))
        else:
            report.add(check.ok(share))
    report.section(
        "outcomes",
        [f"{name:<13} {n:>6}  {n / total:6.1%}" for name, n in outcomes.items() if n]
        + ([f"{'mean reward':<13} {mean:>6.3f}  without the errors"] if mean is not None else []),
    )


def _first_error(run: Path) -> str:
    """The message of the first error in the traces, bounded."""
    with (run / "traces.jsonl").open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            episode = json.loads(line)
            for holder in (episode, *episode.get("traces", [])):
                for error in holder.get("errors") or []:
                    return excerpt(error.get("message") or error.get("type"), 240)
    return "no message was kept"


def _harness(args: argparse.Namespace) -> str:
    """The in-process chat loop where it is the same conversation as the stock one, else the named harness."""
    if args.harness != "auto":
        return args.harness
    return "inline-chat" if args.runtime == "subprocess" else "null"


def _bar(progress: Progress):
    return lambda done, total: progress.count("rollouts", min(done, total), total)


def _shown(run: Path) -> str:
    run = run.resolve()
    return str(run.relative_to(Path.cwd())) if run.is_relative_to(Path.cwd()) else str(run)


def _forced(args: argparse.Namespace) -> dict[str, str]:
    return {"forced": args.force} if args.force else {}


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


COMMAND = Command(__doc__, "run_eval", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
