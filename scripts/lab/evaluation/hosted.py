"""An evaluation on the platform, started by the platform's own client.

It costs money and runs elsewhere, so it needs a yes; what it wrote is read with the client later.
"""

from __future__ import annotations

import argparse
import re

from lab.command import Progress, confirm
from lab.report import Check, Report, missing, usage
from lab.training.file import SLUG

STARTED = Check(
    "eval.hosted",
    title="the platform started the evaluation",
    expected="an evaluation id",
    reason="The client ends with 0 on some failures; without an id nothing was started.",
    source="prime 0.18: eval run --hosted",
)


def evaluate_hosted(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    """Start it, and say how to follow it. Raises LabError for what the client refuses."""
    from lab.prime import Prime, PrimeError

    if not SLUG.fullmatch(args.env):
        raise usage(f"{args.env!r} is no published environment", "name it as OWNER/NAME; publish it with push_environment.py first", id="input.environment")
    if not args.model:
        raise usage("a hosted evaluation needs a model", "name one of `prime inference models` with -m", id="input.model")
    rollouts = args.tasks * args.rollouts
    if not args.yes and not confirm(f"start {rollouts} rollouts of {args.env} with {args.model} on the platform?"):
        raise usage("a hosted evaluation costs money and nobody said yes", "repeat it with --yes", id="input.not_confirmed")
    report.subject = {"environment": args.env, "model": args.model}
    progress.note(f"starting {rollouts} rollouts on the platform")
    try:
        answer = Prime().run(
            "eval", "run", args.env, "--hosted", "-m", args.model, "-n", str(args.tasks), "-r", str(args.rollouts),
            "--max-tokens", str(args.max_tokens), "--temperature", str(args.temperature), "-c", str(args.concurrency), "--max-retries", str(2 if args.retries is None else max(0, args.retries)),
        )  # fmt: skip
    except PrimeError as error:
        raise error.lab_error("the evaluation was not started") from None
    found = re.search(r"prime eval (?:logs|get|stop) ([A-Za-z0-9_-]+)|[Ee]valuation(?: ID)?:?\s+([A-Za-z0-9_-]{4,})", answer.out)
    if not found:
        raise missing("the client named no evaluation", "see what is there with: prime eval list --output json", id="eval.hosted_unknown")
    id = found[1] or found[2]
    report.add(STARTED.ok(id))
    report.facts |= {"evaluation_id": id, "results": None, "tasks": args.tasks, "rollouts": rollouts, "mean_reward": None, "outcomes": {}}
    report.next = f"prime eval get {id} --output json"
