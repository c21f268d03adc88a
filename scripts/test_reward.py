# /// script
# requires-python = ">=3.11"
# dependencies = ["verifiers>=0.4.0,<0.5", "scipy>=1.14", "datasets>=4.0"]
# ///
"""Prove that an environment's reward pays for the right answer and for nothing else.

Takes the environment's own tasks, writes right, wrong and exploiting completions for them in the
way that its prompt asks for, and scores each with its real reward, in a child process with
limits. No model and no network are needed.

usage:
  test_reward.py ENV                        a folder, a module file, or an installed name
  test_reward.py ENV --examples 50          on more tasks
  test_reward.py ENV --preset gsm8k         also the five classic cases, shown one by one
  test_reward.py ENV --custom tests.json    also your own cases (format: references/reward_design.md)

What is intended (partial credit, a length penalty, a strict format) is declared in policy.toml
beside the environment, and is then checked instead of failed.

exit codes: 0 passed (warnings allowed) · 1 a check failed · 2 usage or bad input ·
3 the environment does not load, or something needed is missing · 4 inconclusive (no gold to test)
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.command import Command, Progress, script
from lab.report import Report


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("env", metavar="ENV", help="environment: folder, module file, or installed name")
    parser.add_argument("--examples", type=_positive, default=20, metavar="N", help="tasks to test on (default 20)")
    parser.add_argument("--preset", choices=["gsm8k"], help="also run a known set of cases")
    parser.add_argument("--custom", type=Path, metavar="FILE", help="also run your own cases from a JSON file")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="declared intentions (default: policy.toml beside the environment)")
    parser.add_argument("--timeout", type=_seconds, default=20.0, metavar="S", help="seconds for one completion (default 20)")
    parser.add_argument("--budget", type=_seconds, default=60.0, metavar="S", help="seconds for all probes; slow rewards get fewer (default 60)")
    parser.add_argument("--pass-env", action="append", default=[], metavar="NAME", help="hand this environment variable to the environment")
    parser.add_argument("--verbose", action="store_true", help="show passed and skipped checks, and what was learnt")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError("a number of seconds above 0")
    return value


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.content import content_hash
    from lab.environment import Environment, Limits, locate
    from lab.ledger import Ledger
    from lab.probes import cases
    from lab.probes.audit import audit
    from lab.probes.policy import Policy

    location = locate(args.env)
    report.subject = {"environment": location.name, "api": location.api, "path": str(location.path)}
    report.subject["content_hash"] = content_hash(location.path)
    policy = Policy.read(args.policy) if args.policy else Policy.beside(location.path)
    own = cases.read(args.custom) if args.custom else []
    progress.note(f"loading {location.name} ({location.api})")
    limits = Limits(score=args.timeout, total=max(4 * args.budget, 2 * args.timeout))
    with Environment(location, examples=args.examples, limits=limits, pass_env=args.pass_env) as env:
        found = audit(
            env, policy, seconds=args.budget, note=progress.note, on_score=lambda n: progress.count("completions", n) if n % 250 == 0 else None
        )
        report.add(found.findings)
        report.facts.update(found.facts)
        if args.preset or own:
            table = cases.run(found.subject, cases.preset(found.subject) if args.preset else [], own)
            report.add(table.findings)
            report.section("cases", table.lines)
    _show(report, found, args.verbose)
    if location.local:
        Ledger(location.path).record(report)
        same = [args.env, *(["--policy", str(args.policy)] if args.policy else [])]
        passed = report.exit_code == 0
        report.next = script("run_eval.py", args.env, "-m", "MODEL") if passed else f"mend what failed, then: {script('test_reward.py', *same)}"


def _show(report: Report, found: object, verbose: bool) -> None:
    facts = report.facts
    if facts.get("ceiling") is None:
        return
    exploit, constant = facts["best_exploit"], facts["best_constant"]
    lines = [
        f"right {facts['ceiling']:.3g} · wrong in the right format {facts['floor']:.3g}" if facts["floor"] is not None else f"right {facts['ceiling']:.3g}",
        f"best exploit {exploit['reward']:.3g} ({exploit['family']}, {exploit['variant']})" if exploit else "no exploit applies",
        f"best constant {constant['reward']:.3g} ('{constant['completion']}')" if constant else "",
        f"{facts['cases']} completions on {facts['tasks']} tasks, {facts['milliseconds']:.1f} ms each",
    ]
    if facts.get("tpr") is not None and facts.get("fpr") is not None:
        lines.insert(3, f"right answers paid {facts['tpr']:.1%} · wrong and exploiting ones paid {facts['fpr']:.1%} · J {facts['youden_j']:.2f}")
    if verbose:
        lines.append(f"gold: {facts['gold_field']} ({facts['gold_reading']}), {facts['answer_kind']}; written {facts['style']}")
    report.section("what the reward pays", [line for line in lines if line])


COMMAND = Command(__doc__, "test_reward", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
