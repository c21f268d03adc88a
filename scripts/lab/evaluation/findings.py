"""What happened to the rollouts of a run: missing, failed, cut, empty, and what they used."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.evaluation.budget import used
from lab.evaluation.runs import episodes_of
from lab.report import Check, Report, missing
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


def judge(args: argparse.Namespace, run: Path, report: Report) -> None:
    """Findings and facts about the rollouts that were written."""
    import numpy as np

    from lab.rollouts import correctness, group, outcomes_of, read
    from lab.rollouts.model import ERROR
    from lab.rollouts.outcomes import count

    rollouts = read([run])
    correct = correctness(rollouts)
    outcomes = count(outcomes_of(rollouts, correct))
    total, expected = len(rollouts), report.facts.pop("expected")
    errors = ", ".join(f"{kind} ({n} times)" for kind, n in rollouts.error_kinds.most_common(3))
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
        "used": (usage_of := used(run)),
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
    for episode in episodes_of(run):
        for holder in (episode, *(episode.get("traces") or [])):
            for error in holder.get("errors") or []:
                return excerpt(error.get("message") or error.get("type"), 240)
    return "no message was kept"
