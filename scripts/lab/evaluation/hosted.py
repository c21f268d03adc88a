"""An evaluation on the platform, through its own client: started once, followed, and fetched.

It costs money and runs elsewhere, so it needs a yes. The run's folder is made before the request
goes out and says `sending`; it carries the id afterwards. Whoever calls again, with the same
command or with --resume, finds the evaluation by its id or by its name, and nothing is started
twice. Its rollouts arrive as a local run has them: traces.jsonl beside prime_lab.json.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from lab.cli.command import Progress, ask_first, confirm, script
from lab.cli.files import write_whole
from lab.cli.login import require_login
from lab.cli.report import Check, LabError, Report, missing, usage
from lab.cli.untrusted import block, excerpt
from lab.evaluation import runs
from lab.evaluation.budget import prices, within_budget
from lab.evaluation.findings import judge
from lab.platform.prime import Prime, PrimeError, evaluations, hub
from lab.platform.prime.evaluations import Evaluation
from lab.training.file import SLUG

HOSTED = Check(
    "eval.hosted",
    title="the platform finished the evaluation",
    expected="status COMPLETED",
    reason="An evaluation that failed or was stopped holds only the tasks that came first.",
    source="prime: eval run --hosted, eval get",
)
LOCAL_ONLY: dict[str, Any] = {
    "simulate": None,
    "base_url": None,
    "split": None,
    "shuffle": None,
    "until_decided": False,
    "push": False,
    "port": 0,
    "harness": "auto",
    "runtime": "subprocess",
    "pass_env": [],
    "pass_path": [],
}
"""Flags that decide how rollouts run here, with their defaults; the client has no such option."""
SAME = ("model", "tasks", "rollouts_per_task", "max_tokens", "temperature")
PATIENCE = 5
"""Looks in a row that may fail before we give up; the evaluation goes on meanwhile."""
ASK = (
    "this spends the user's money: show the estimate; it asks on a terminal, elsewhere it starts "
    "only with --yes, to be added after the user's yes"
)


def evaluate_hosted(args: argparse.Namespace, report: Report, progress: Progress) -> Path | None:
    """Start it or find it again, wait, fetch. Returns the run's folder, None above the budget."""
    _refuse_what_it_cannot(args)
    require_login(result="; nothing was started")
    prime = Prime()
    run, note = _begun(args)
    if run is None:
        run, note = _planned(args, prime, report)
        if run is None:
            return None
    else:
        progress.note(f"going on with {run}")
    report.subject = {"environment": note["environment"], "model": note["model"], "run": str(run)}
    args.tasks, args.rollouts, args.max_tokens = (
        note["tasks"],
        note["rollouts_per_task"],
        note["max_tokens"],
    )
    expected = args.tasks * args.rollouts
    report.facts |= {
        "evaluation_id": None,
        "results": None,
        "tasks": args.tasks,
        "rollouts": expected,
        "mean_reward": None,
        "outcomes": {},
    }
    id = note["hosted"].get("id") or _start(args, prime, run, note, progress)
    report.facts["evaluation_id"] = id
    again = script("run_eval.py", note["environment"], "--hosted", "--resume", run)
    try:
        ended = _follow(prime, id, expected, args.poll, progress, again)
        count = _fetch(prime, id, run, note, progress)
    except PrimeError as error:
        raise missing(
            f"evaluation {id} goes on, but it cannot be followed: {error.detail}",
            f"when that is fixed: {again}",
            id=f"prime.{error.kind}",
        ) from None
    except KeyboardInterrupt:
        raise missing(
            f"interrupted; evaluation {id} goes on on the platform and costs money",
            f"follow it again: {again}; or end it: prime eval stop {id}",
            id="run.interrupted",
        ) from None
    _judge_end(prime, ended, report)
    if not count:
        why = excerpt(ended.error or "it says nothing more", 300)
        raise missing(
            f"evaluation {id} ended as {ended.status} without rollouts: {why}",
            f"see its log: prime eval logs {id}",
            id="eval.hosted_empty",
        )
    report.facts["expected"] = expected
    judge(args, run, report)
    report.next = script("check_reward_distribution.py", "--results", run)
    return run


def _refuse_what_it_cannot(args: argparse.Namespace) -> None:
    given = [
        f"--{name.replace('_', '-')}"
        for name, default in LOCAL_ONLY.items()
        if getattr(args, name) != default
    ]
    if given:
        raise usage(
            f"a hosted evaluation does not take {', '.join(given)}",
            "leave that out, or evaluate here without --hosted",
            id="input.arguments",
        )


def _begun(args: argparse.Namespace) -> tuple[Path | None, dict[str, Any]]:
    """The run that is gone on with: the one of --resume, else one of the same command that was
    started and not fetched yet."""
    if args.resume:
        note = runs.read_note(args.resume)
        if "hosted" not in note:
            raise usage(
                f"{args.resume} is a run on this machine",
                f"go on with it: {script('run_eval.py', 'ENV', '--resume', args.resume)}",
                id="input.run",
            )
        return args.resume, note
    _checked(args)
    wanted = {
        "environment": args.env,
        "model": args.model,
        "tasks": args.tasks,
        "rollouts_per_task": args.rollouts,
        "max_tokens": args.max_tokens,
        "temperature": args.temperature,
    }
    for path in sorted(args.output_dir.glob(f"*/{runs.RUN_NOTE}"), reverse=True):
        try:
            note = runs.read_note(path.parent)
        except LabError:
            continue
        hosted = note.get("hosted")
        if (
            isinstance(hosted, dict)
            and hosted.get("state") in ("sending", "started")
            and all(note.get(key) == value for key, value in wanted.items())
        ):
            return path.parent, note
    return None, {}


def _checked(args: argparse.Namespace) -> None:
    if not SLUG.fullmatch(args.env or ""):
        raise usage(
            f"{args.env!r} is no published environment",
            "name it as OWNER/NAME; publish it with push_environment.py first",
            id="input.environment",
        )
    if not args.model:
        raise usage(
            "a hosted evaluation needs a model",
            "name one of `prime inference models` with -m",
            id="input.model",
        )


def _planned(
    args: argparse.Namespace, prime: Prime, report: Report
) -> tuple[Path | None, dict[str, Any]]:
    """The folder of a new run, after the budget, the yes and a look at the hub."""
    report.subject = {"environment": args.env, "model": args.model}
    if args.max_cost is None and not args.price:
        args.price = _listed_price(args.model)
    if not within_budget(args, [(args, 0)], report):
        return None, {}
    count = args.tasks * args.rollouts
    if not args.yes and not confirm(
        f"start {count} rollouts of {args.env} with {args.model} on the platform?"
    ):
        ask_first(report, ASK)
        raise usage(
            "a hosted evaluation costs money and nobody said yes",
            "ask the user, then repeat it with --yes",
            id="input.not_confirmed",
        )
    try:
        published = hub.status(prime, args.env)
    except PrimeError as error:
        raise error.lab_error("nothing was started") from None
    if published is None:
        raise missing(
            f"{args.env} is not on the hub, or not yours to see; nothing was started",
            f"publish it: {script('push_environment.py', 'ENV')}",
            id="prime.not_found",
        )
    run = runs.run_folder(args.output_dir, args.env.replace("/", "--"), args.model)
    return run, {
        "environment": args.env,
        "hub_content": published.content_hash,
        "version": published.version,
        "simulated": False,
        "model": args.model,
        "tasks": args.tasks,
        "rollouts_per_task": args.rollouts,
        "max_tokens": args.max_tokens,
        "temperature": args.temperature,
        "hosted": {"name": run.name, "state": "planned"},
    }


def _listed_price(model: str) -> str | None:
    """What the platform lists, so that whoever is asked for a yes sees it; None without one."""
    try:
        found = prices().get(model)
    except LabError:
        return None
    return f"{found.input},{found.output}" if found else None


def _start(
    args: argparse.Namespace, prime: Prime, run: Path, note: dict[str, Any], progress: Progress
) -> str:
    """The id of the evaluation: of the one that was sent before, else of a new one."""
    name, slug = note["hosted"]["name"], note["environment"]
    count = note["tasks"] * note["rollouts_per_task"]
    if note["hosted"]["state"] == "sending":
        found = _found(prime, slug, name)
        if found:
            return _started(run, note, found)
        if not args.yes and not confirm(
            f"the platform has no evaluation {name}; start {count} rollouts?"
        ):
            raise usage(
                f"the platform has no evaluation {name}, and nobody said yes to starting it",
                "repeat it with --yes",
                id="input.not_confirmed",
            )
    progress.note(f"starting {count} rollouts of {slug} on the platform")
    runs.write_note(run, {**note, "hosted": {"name": name, "state": "sending"}})
    try:
        id = evaluations.start(
            prime,
            slug,
            name=name,
            model=note["model"],
            tasks=note["tasks"],
            rollouts=note["rollouts_per_task"],
            max_tokens=note["max_tokens"],
            temperature=note["temperature"],
            concurrency=args.concurrency,
            retries=2 if args.retries is None else max(0, args.retries),
        )
    except PrimeError as error:
        if not error.uncertain:
            _forget(run)
            raise error.lab_error("nothing was started") from None
        found = _found(prime, slug, name)
        if not found:
            raise missing(
                f"starting failed ({error.detail}); the platform shows no evaluation {name}",
                "run the same command again: it looks for the evaluation before it starts one",
                id=f"prime.{error.kind}",
            ) from None
        progress.note("the answer was lost; the platform shows the evaluation")
        id = found
    except KeyboardInterrupt:
        raise missing(
            "interrupted while starting; the evaluation may have begun",
            "run the same command again: it looks for the evaluation before it starts one",
            id="run.interrupted",
        ) from None
    return _started(run, note, id)


def _found(prime: Prime, slug: str, name: str) -> str | None:
    """The evaluation of this name. The name holds the second of its start, so it is ours."""
    try:
        return next(iter(evaluations.find(prime, slug, name)), None)
    except PrimeError as error:
        raise missing(
            f"evaluation {name} may have begun, and the platform cannot be asked: {error.detail}",
            "run the same command again later: it looks for the evaluation before it starts one; "
            "or look with: prime eval list",
            id="run.unknown",
        ) from None


def _started(run: Path, note: dict[str, Any], id: str) -> str:
    note["hosted"] |= {"id": id, "state": "started"}
    runs.write_note(run, note)
    return id


def _forget(run: Path) -> None:
    """Remove the folder of a run that the platform refused; it holds nothing but the note."""
    (run / runs.RUN_NOTE).unlink(missing_ok=True)
    run.rmdir()


def _follow(
    prime: Prime, id: str, expected: int, poll: float, progress: Progress, again: str
) -> Evaluation:
    """Look every `poll` seconds until it ended. A look that fails is repeated PATIENCE times."""
    failed = 0
    begun: tuple[float, int] | None = None
    progress.note(f"evaluation {id}; Ctrl-C stops watching only, then: {again}")
    while True:
        try:
            now = evaluations.get(prime, id)
        except PrimeError as error:
            failed += 1
            if failed >= PATIENCE or not (error.uncertain or error.kind == "rate_limited"):
                raise
            progress.note(f"look {failed} of {PATIENCE} failed: {error.detail}")
            time.sleep(min(60.0, poll * 2**failed))
            continue
        failed = 0
        if now.ended:
            return now
        done = now.rollouts or 0
        begun = begun or (time.monotonic(), done)
        pace = (done - begun[1]) / max(1e-9, time.monotonic() - begun[0])
        left = f", about {(expected - done) / pace:.0f} s left" if pace > 0 else ""
        progress.count("rollouts", min(done, expected), expected, f"{now.status.lower()}{left}")
        time.sleep(poll)


def _fetch(prime: Prime, id: str, run: Path, note: dict[str, Any], progress: Progress) -> int:
    """Write the rollouts as a local run has them; returns their number.

    traces.jsonl holds the native records. Rollouts of a classic environment have none: those go
    to results.jsonl as the platform has them, and so do all where only some are native.
    """
    progress.note("fetching the rollouts")
    rows = list(evaluations.samples(prime, id))
    records = [evaluations.native(row) for row in rows]
    native = bool(rows) and all(record is not None for record in records)
    lines = records if native else [json.dumps(row, ensure_ascii=False) for row in rows]
    if rows:
        write_whole(
            run / ("traces.jsonl" if native else "results.jsonl"),
            "".join(f"{line}\n" for line in lines),
        )
        metadata = {
            "env_id": note["environment"].split("/")[-1],
            "model": note["model"],
            "num_examples": note["tasks"],
            "rollouts_per_example": note["rollouts_per_task"],
            "sampling_args": {"temperature": note["temperature"], "max_tokens": note["max_tokens"]},
        }
        write_whole(run / "metadata.json", json.dumps(metadata, indent=1) + "\n")
    note["hosted"]["state"] = "fetched"
    runs.write_note(run, note)
    return len(rows)


def _judge_end(prime: Prime, ended: Evaluation, report: Report) -> None:
    if ended.status == "COMPLETED":
        report.add(HOSTED.ok(ended.status, ended.id))
        return
    log = evaluations.last_log(prime, ended.id)
    if log:
        report.section("end of the platform's log", block(log.splitlines()[-20:]))
    report.add(
        HOSTED.fail(
            ended.status,
            f"{ended.id}: {excerpt(ended.error or 'the platform says nothing more', 300)}",
            f"fix what it names and evaluate again; the log: prime eval logs {ended.id}",
        )
    )
