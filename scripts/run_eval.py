"""Evaluate a model on an environment with the real vf-eval, and count what happened.

    run_eval.py ENV -m MODEL                    50 tasks, 4 rollouts each, through Prime Inference
    run_eval.py ENV -m MODEL --base-url URL     any OpenAI-compatible endpoint
    run_eval.py ENV --simulate "skill=0.4,spread=0.3,format=0.95,seed=0"
                                                a simulated policy on loopback: no model, no network
    run_eval.py ENV --resume outputs/RUN        go on with a run that was interrupted
    run_eval.py ENV -m MODEL --max-cost 5       estimate first; do not start above 5 USD
    run_eval.py ENV -m MODEL --until-decided    in rounds, only until the distribution check can say
    run_eval.py --suite configs/eval/x.toml     several environments and models; again: goes on
    run_eval.py OWNER/NAME -m MODEL --hosted --yes   on the platform, by its own client

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
from dataclasses import replace
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
    parser.add_argument("env", metavar="ENV", nargs="?", help="environment folder, module file or installed name")
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
    parser.add_argument("--suite", type=Path, metavar="FILE", help="evaluate what this file lists, resuming what was begun")
    parser.add_argument("--until-decided", action="store_true", help="stop when the share of live groups is decided; -n is the most")
    parser.add_argument("--group-size", type=_count, default=8, metavar="G", help="rollouts per task in training, for --until-decided (8)")
    parser.add_argument("--retries", type=int, metavar="N", help="begin a rollout again after an error, N times at most (2; simulated: 0)")
    parser.add_argument("--max-cost", type=_money, metavar="USD", help="do not start when the upper estimate is above this")
    parser.add_argument("--budget-tokens", type=_count, metavar="N", help="do not start when the upper estimate is above this many tokens")
    parser.add_argument("--price", metavar="IN,OUT", help="USD per million tokens (what prime inference models says)")
    parser.add_argument("--turns", type=_count, default=1, help="model turns per rollout, for the estimate (1)")
    parser.add_argument("--prompt-tokens", type=_count, default=512, help="tokens of a prompt, for the estimate (512)")
    parser.add_argument("--hosted", action="store_true", help="evaluate a published environment on the platform (costs money)")
    parser.add_argument("--yes", action="store_true", help="spend money without being asked")
    parser.add_argument("--push", action="store_true", help="upload the evaluation to Prime (off)")
    parser.add_argument("--pass-env", action="append", default=[], metavar="NAME", help="let the environment see this secret")
    parser.add_argument("--force", metavar="REASON", help="go on past a failed, missing or stale earlier step")


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    if args.suite:
        _suite(args, report, progress)
        return
    if not args.env:
        raise usage("no environment to evaluate", "name its folder, or a file with --suite", id="input.arguments")
    if not args.model and not args.simulate and not args.resume:
        raise usage("no model to evaluate", "give -m MODEL, or --simulate 'skill=0.4,spread=0.3'", id="input.model")
    if args.model and args.simulate:
        raise usage("both -m and --simulate were given", "leave one of them out", id="input.model")
    if args.push:
        _logged_in()
    if args.hosted:
        from lab.hosted import evaluate_hosted

        evaluate_hosted(args, report, progress)
        return
    run = _one(args, report, progress)
    if run is not None:
        report.next = script("check_reward_distribution.py", "--results", _shown(run))


def _one(args: argparse.Namespace, report: Report, progress: Progress, run: Path | None = None) -> Path | None:
    """One environment with one model: gates, rollouts, findings, ledger. `run` is a folder that
    is gone on with where it exists; None makes a new one. Returns the folder, or None when
    something refused."""
    from lab.environment import TASKSET, locate
    from lab.ledger import Ledger

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
            return None
    if not args.resume and not _affordable(args, report):
        return None
    run = _evaluate(args, spec, location, ledger, report, progress, run)
    if run is None:
        return None
    _judge(args, run, report)
    if ledger:
        ledger.record(report, simulated=bool(args.simulate), results=str(run.resolve()), **_forced(args))
    return run


def _affordable(args: argparse.Namespace, report: Report) -> bool:
    """The estimate into the facts; False (with a finding) when it is above a limit."""
    from lab.budget import COST, estimate, price_of

    asked = args.max_cost is not None or args.price is not None
    price = price_of(args.model, args.price) if asked and not args.simulate else None
    most = estimate(tasks=args.tasks, rollouts=args.rollouts, max_tokens=args.max_tokens, turns=args.turns, prompt=args.prompt_tokens, price=price, simulated=bool(args.simulate))
    report.facts["estimate"] = most.facts()
    told = f"{most.rollouts} rollouts, at most {most.tokens:,} tokens" + (f", about {most.usd[0]:.2f} and at most {most.usd[1]:.2f} USD" if most.usd else "")
    above = [f"{most.tokens:,} tokens > {args.budget_tokens:,}"] if args.budget_tokens and most.tokens > args.budget_tokens else []
    if args.max_cost is not None and most.usd and most.usd[1] > args.max_cost:
        above.append(f"{most.usd[1]:.2f} USD > {args.max_cost:g}")
    if above:
        report.add(COST.fail(", ".join(above), told, "lower -n, -r or --max-tokens, or raise the limit"))
        report.next = "nothing was started"
        return False
    if asked or args.budget_tokens:
        report.add(COST.ok(most.usd[1] if most.usd else most.tokens, told))
    return True


def _logged_in() -> None:
    """An upload that nobody is logged in for would be left out without a word."""
    from lab.prime import read_login

    login = read_login()
    if not login:
        raise missing(f"--push uploads the evaluation, and prime is not logged in: {login.problem}", "log in on a terminal with `prime login`, or leave --push out", id="prime.not_logged_in")


def _spec(args: argparse.Namespace):
    from lab.simulate import Spec

    return Spec.parse(args.simulate) if args.simulate else None


def _evaluate(args, spec, location, ledger, report: Report, progress: Progress, run: Path | None) -> Path | None:
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
        retries=_retries(args),
    )
    if args.resume:
        run = args.resume
    old = evaluation.read_note(run) if run is not None and (run / evaluation.RUN_NOTE).exists() else evaluation.read_note(args.resume) if args.resume else None
    if old:
        if old.get("content") and ledger and old["content"] != ledger.content:
            raise usage(f"{run} is of another content of the environment", "evaluate into a new folder: rollouts of two rewards do not belong together", id="input.run")
        for name, key in (("tasks", "tasks"), ("rollouts", "rollouts_per_task"), ("split", "split"), ("shuffle", "shuffle")):
            if key in old:
                setattr(args, name, old[key])
        args.simulate = old.get("simulate")
        spec = _spec(args)
        settings = replace(settings, model=old.get("model") or settings.model, tasks=args.tasks, rollouts=args.rollouts, split=args.split, shuffle=args.shuffle)
    run = run or evaluation.run_folder(args.output_dir, location.name, settings.model)
    note = old or {
        "environment": str(location.path),
        "content": ledger.content if ledger else None,
        "simulated": spec is not None,
        "simulate": args.simulate,
        "model": settings.model,
        "split": args.split,
        "shuffle": args.shuffle,
        "harness": harness,
        "tasks": args.tasks,
        "rollouts_per_task": args.rollouts,
    }
    if spec is None:
        _rounds(args, location, settings, run, note, old is not None, report, progress)
        return run
    policy = _policy(args, location, spec, report, progress)
    if policy is None:
        return None
    if old:
        policy.went_on(evaluation.prompts(run))
    with Server(policy, args.port) as server:
        args.tasks = min(args.tasks, sum(map(len, policy.tasks.values())))
        settings = replace(settings, tasks=args.tasks, base_url=server.url, api_key_var="SIMULATED_POLICY_NEEDS_NO_SECRET")
        _rounds(args, location, settings, run, note, old is not None, report, progress)
    return run


def _rounds(args, location, settings, run: Path, note: dict, old: bool, report: Report, progress: Progress) -> None:
    """Run vf-eval until every rollout is there; with --until-decided on ever more tasks, until
    the share of live groups is decided."""
    from lab import evaluation

    looks = []
    for tasks in _limits(args):
        expected = tasks * args.rollouts
        report.facts["expected"] = expected
        go_on = evaluation.resumable(run)
        if not go_on:
            (run / "traces.jsonl").unlink(missing_ok=True)
        evaluation.write_note(run, {**note, "expected": expected})
        if go_on:
            evaluation.adjust(run, base_url=settings.base_url if args.simulate else None, limit=tasks if args.until_decided or len(looks) else None)
        if not go_on or evaluation.owed(run, expected):
            progress.note(f"{'going on with' if go_on else 'evaluating'} {tasks} tasks, {args.rollouts} rollouts each, harness {settings.harness}, runtime {args.runtime}")
            evaluation.evaluate(location, replace(settings, tasks=tasks), run, expected=expected, resume=go_on, on_progress=_bar(progress))
        if args.until_decided:
            looks.append(evaluation.look(run, args.group_size))
            progress.note(f"after {tasks} tasks: live share {looks[-1]['low']:.2f} to {looks[-1]['high']:.2f}")
            if looks[-1]["decided"]:
                break
    if looks:
        report.facts["looks"] = looks
        report.section("stopped", [f"{look['tasks']} tasks: live share {look['low']:.2f} to {look['high']:.2f}{', decided' if look['decided'] else ''}" for look in looks])


def _limits(args: argparse.Namespace) -> list[int]:
    """How many tasks each round covers: all at once, or 24, 48, 96, ... up to all."""
    if not args.until_decided:
        return [args.tasks]
    out = [min(24, args.tasks)]
    while out[-1] < args.tasks:
        out.append(min(2 * out[-1], args.tasks))
    return out


def _suite(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    """Every entry of a suite file, one run each; what is complete is left alone."""
    import copy

    from lab.budget import COST
    from lab.suite import read_suite

    if args.env or args.resume or args.hosted or args.until_decided:
        raise usage("--suite does not go with ENV, --resume, --hosted or --until-decided", "the file says what is evaluated", id="input.arguments")
    suite = read_suite(args.suite, args.model)
    report.subject = {"suite": suite.name, "runs": len(suite.entries)}
    if args.push:
        _logged_in()
    plans = []
    for entry in suite.entries:
        own = copy.copy(args)
        vars(own).update(entry.values, env=entry.env, model=entry.model, simulate=entry.values.get("simulate") if entry.model is None else None, max_cost=None, budget_tokens=None)
        plans.append((entry, own))
    total = _suite_estimate(args, plans, report)
    if total is False:
        return
    runs = {}
    for number, (entry, own) in enumerate(plans):
        progress.note(f"run {number + 1} of {len(plans)}: {entry.folder}")
        part = Report("run_eval")
        folder = args.output_dir / suite.name / entry.folder
        done = _one(own, part, progress, folder)
        for finding in part.findings:
            finding.evidence = f"{entry.folder}: {finding.evidence}" if finding.evidence else entry.folder
        report.add([f for f in part.findings if f.id != COST.id])
        report.sections += [(f"{entry.folder}: {title}", lines) for title, lines in part.sections]
        if done is not None:
            runs[entry.folder] = {key: part.facts.get(key) for key in ("results", "tasks", "rollouts", "mean_reward", "outcomes", "used")}
    report.facts["runs"] = runs
    report.facts |= {"results": str((args.output_dir / suite.name).resolve()), "tasks": sum(r["tasks"] for r in runs.values()), "rollouts": sum(r["rollouts"] for r in runs.values())}
    first = next((r["results"] for r in runs.values()), None)
    report.next = script("check_reward_distribution.py", "--results", first) if first else script("run_eval.py", "--suite", args.suite)


def _suite_estimate(args: argparse.Namespace, plans: list, report: Report) -> bool:
    """The estimates of all runs together; False (with a finding) when they are above a limit."""
    from lab.budget import COST, estimate, price_of

    tokens, expected, most, priced = 0, 0.0, 0.0, True
    for _, own in plans:
        asked = args.max_cost is not None and not own.simulate
        price = price_of(own.model, own.price) if asked or (own.price and not own.simulate) else None
        one = estimate(tasks=own.tasks, rollouts=own.rollouts, max_tokens=own.max_tokens, turns=own.turns, prompt=own.prompt_tokens, price=price, simulated=bool(own.simulate))
        tokens += one.tokens
        priced = priced and one.usd is not None
        expected, most = (expected + one.usd[0], most + one.usd[1]) if one.usd else (expected, most)
    told = f"{len(plans)} runs, at most {tokens:,} tokens" + (f", about {expected:.2f} and at most {most:.2f} USD" if priced else "")
    report.facts["estimate"] = {"tokens": tokens, "usd": [expected, most] if priced else None}
    above = [f"{tokens:,} tokens > {args.budget_tokens:,}"] if args.budget_tokens and tokens > args.budget_tokens else []
    if args.max_cost is not None and most > args.max_cost:
        above.append(f"{most:.2f} USD > {args.max_cost:g}")
    if above:
        report.add(COST.fail(", ".join(above), told, "lower tasks, rollouts or max_tokens in the file, or raise the limit"))
        report.next = "nothing was started"
        return False
    if args.max_cost is not None or args.budget_tokens:
        report.add(COST.ok(most if args.max_cost is not None else tokens, told))
    return True


def _policy(args, location, spec, report: Report, progress: Progress):
    """The simulated policy, knowing the gold and the format of every task that will be asked."""

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

    return Policy(spec, [(task.prompt, answers(gold or "unknown")) for task, gold in zip(tasks, learned.golds, strict=True)])


def _judge(args: argparse.Namespace, run: Path, report: Report) -> None:
    """Findings and facts about the rollouts that were written."""
    import numpy as np

    from lab.budget import used
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
        "used": (usage_of := used(run / "traces.jsonl")),
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
        + ([f"{'mean reward':<13} {mean:>6.3f}  without the errors"] if mean is not None else [])
        + [f"{'tokens':<13} {usage_of['input_tokens']:>6} sent, {usage_of['output_tokens']} written; {usage_of['retries']} rollouts begun again, {usage_of['failed_requests']} requests failed"],
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


def _retries(args: argparse.Namespace) -> int:
    return max(0, args.retries if args.retries is not None else 0 if args.simulate else 2)


def _harness(args: argparse.Namespace) -> str:
    """The in-process chat loop where it is the same conversation as the stock one, else the named harness."""
    if args.harness != "auto":
        return args.harness
    return "inline-chat" if args.runtime == "subprocess" else "null"


def _bar(progress: Progress):
    """Progress with the time left, from the pace since the first look."""
    import time

    first: list[tuple[float, int]] = []

    def show(done: int, total: int) -> None:
        now = time.monotonic()
        first[:] = first or [(now, done)]
        pace = (done - first[0][1]) / (now - first[0][0]) if now > first[0][0] else 0.0
        left = f"about {(total - done) / pace:.0f} s left" if pace > 0 and done < total else ""
        progress.count("rollouts", min(done, total), total, left)

    return show


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


def _money(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError("must be 0 or more")
    return value


COMMAND = Command(__doc__, "run_eval", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
