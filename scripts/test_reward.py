# /// script
# requires-python = ">=3.11"
# dependencies = ["verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0", "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23", "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24", "gitignore-parser>=0.1.12"]
# ///
"""Prove that an environment's reward pays for the right answer and for nothing else.

Takes the environment's own tasks, writes right, wrong and exploiting completions for them in the
way that its prompt asks for, and scores each with its real reward, in a child process with
limits. No model and no network are needed. Both APIs: tasksets (verifiers 0.4), and classic
environments (0.1.10 to 0.3.1; they run in .venv-classic, or in the interpreter of --python).

usage:
  test_reward.py ENV                        a folder, a module file, or an installed name
  test_reward.py ENV --examples 50          on more tasks
  test_reward.py ENV --preset gsm8k         also the five classic cases, shown one by one
  test_reward.py ENV --custom tests.json    also your own cases (format: references/reward_design.md)
  test_reward.py ENV --rehearse             also: which strategy would training end with?
  test_reward.py ENV --against OTHER_ENV    also: does OTHER_ENV pay every completion alike? (migration)
  test_reward.py ENV --repro DIR            also: a program per finding that shows it again
  test_reward.py ENV --judge-base-url URL   judges are asked there; without it a scripted judge answers

What is intended (partial credit, a length penalty, a strict format) is declared in policy.toml
in the environment's folder, and is then checked instead of failed.

Exit codes: 0 passed (warnings allowed) · 1 a check failed · 2 usage or bad input ·
3 the environment does not load, or something needed is missing · 4 inconclusive (no gold to test)
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from pathlib import Path

from lab.command import Command, Progress, script
from lab.report import Report


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("env", metavar="ENV", help="environment: folder, module file, or installed name")
    parser.add_argument("--examples", type=_positive, default=20, metavar="N", help="tasks to test on (default 20)")
    parser.add_argument("--preset", choices=["gsm8k"], help="also run a known set of cases")
    parser.add_argument("--custom", type=Path, metavar="FILE", help="also run your own cases from a JSON file")
    parser.add_argument("--rehearse", action="store_true", help="run the group-relative update over honest, exploiting and constant strategies")
    parser.add_argument("--against", metavar="OTHER_ENV", help="score the same completions with another environment and list every disagreement")
    parser.add_argument("--repro", type=Path, metavar="DIR", help="write a stand-alone program per finding into DIR")
    parser.add_argument("--env-args", type=_object, default={}, metavar="JSON", help="fields of the taskset's configuration, or arguments of load_environment()")
    parser.add_argument("--python", metavar="EXE", help="the interpreter that has the environment's verifiers")
    parser.add_argument("--seat", default="", metavar="NAME", help="which agent of a multi-agent environment is scored")
    parser.add_argument("--judge-base-url", default="", metavar="URL", help="an OpenAI-compatible endpoint for judges (default: a scripted judge)")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="declared intentions (default: policy.toml in the environment's folder)")
    parser.add_argument("--timeout", type=_seconds, default=20.0, metavar="S", help="seconds for one completion (default 20)")
    parser.add_argument("--budget", type=_seconds, default=60.0, metavar="S", help="seconds for all probes; slow rewards get fewer (default 60)")
    parser.add_argument("--pass-env", action="append", default=[], metavar="NAME", help="hand this environment variable to the environment")
    parser.add_argument("--verbose", action="store_true", help="show passed and skipped checks, and what was learnt")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def _object(text: str) -> dict:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('a JSON object, such as \'{"split": "eval"}\'')
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError("a number of seconds above 0")
    return value


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.content import content_hash
    from lab.environment import CLASSIC, Environment, Limits, locate
    from lab.environment.classic import vf_eval
    from lab.ledger import Ledger
    from lab.probes import cases, repro
    from lab.probes.audit import audit
    from lab.probes.judge import ScriptedJudge
    from lab.probes.policy import Policy

    location = locate(args.env)
    report.subject = {"environment": location.name, "api": location.api, "path": str(location.path)}
    report.subject["content_hash"] = content_hash(location.path)
    policy = Policy.read(args.policy) if args.policy else Policy.beside(location.path)
    own = cases.read(args.custom) if args.custom else []
    other = locate(args.against) if args.against else None
    progress.note(f"loading {location.name} ({location.api})")
    limits = Limits(score=args.timeout, total=max(4 * args.budget, 2 * args.timeout))
    with ExitStack() as stack:
        judge = stack.enter_context(ScriptedJudge(args.judge_base_url))
        options = {"examples": args.examples, "limits": limits, "pass_env": args.pass_env, "judge_base_url": judge.url}
        env = stack.enter_context(Environment(location, python=_python(args, location), config=args.env_args, seat=args.seat, **options))
        counted = lambda n: progress.count("completions", n) if n % 250 == 0 else None  # noqa: E731
        found = audit(env, policy, seconds=args.budget, judge=judge, note=progress.note, on_score=counted)
        report.add(found.findings)
        report.facts.update(found.facts)
        if args.preset or own:
            table = cases.run(found.subject, cases.preset(found.subject) if args.preset else [], own)
            report.add(table.findings)
            report.section("cases", table.lines)
        if args.rehearse:
            _rehearse(report, found)
        if other is not None:
            progress.note(f"the same completions in {other.name}")
            _against(report, found, stack.enter_context(Environment(other, **options)))
        if args.repro:
            paid = [payment for result in found.results for payment in result.full]
            written = repro.write(found.subject, paid, args.repro, args.judge_base_url)
            report.section("reproductions", [str(path) for path in written] or ["nothing is paid that should not be"])
            report.facts["reproductions"] = [str(path) for path in written]
    _show(report, found, args.verbose)
    if not location.local:
        return
    Ledger(location.path).record(report)
    settings = {"--policy": args.policy, "--python": args.python, "--seat": args.seat, "--judge-base-url": args.judge_base_url}
    settings |= {"--custom": args.custom, "--against": args.against, "--preset": args.preset}
    settings["--env-args"] = json.dumps(args.env_args) if args.env_args else ""
    same = [args.env, *(word for flag, value in settings.items() if value for word in (flag, str(value)))]
    passed = report.exit_code == 0
    if not passed:
        report.next = f"mend what failed, then: {script('test_reward.py', *same)}"
    elif location.api == CLASSIC:
        report.next = vf_eval(location, args.env, args.python)
    else:
        report.next = script("run_eval.py", args.env, "-m", "MODEL")


def _python(args: argparse.Namespace, location: object) -> str | None:
    """The interpreter that was named, after a look at what it has; None leaves the choice to the tool."""
    from lab.environment import CLASSIC
    from lab.environment.classic import check

    if args.python and location.api == CLASSIC:
        return check(args.python)
    return args.python


def _rehearse(report: Report, found: object) -> None:
    from lab.probes import rehearsal

    s = found.subject
    if not s.with_gold or not s.gold_rewards:
        report.add(rehearsal.HONEST_WINS.skip("no gold that could be scored: there is no honest strategy to rehearse"))
        return
    run = rehearsal.rehearse(rehearsal.strategies(s, found.results, found.constants), skill=rehearsal.skill_for(s))
    report.add(rehearsal.finding(run))
    report.facts["rehearsal"] = {"final": run.final, "steps": len(run.history) - 1, "skill": run.skill}
    report.section("rehearsal: where a group-relative update puts the probability", [
        *rehearsal.lines(run),
        "This shows what the reward favours among strategies that are there from the start. It does not show",
        "whether a model finds an exploit by itself, how fast it learns the task, or what generalises.",
    ])  # fmt: skip
    report.body += f"<h2>Rehearsal</h2>{rehearsal.plot(run)}"


def _against(report: Report, found: object, other: object) -> None:
    from lab.probes import parity

    compared = parity.compare(found.subject, other)
    report.add(parity.finding(found.subject, compared, other.location.name))
    report.section(f"against {other.location.name}", parity.lines(found.subject, compared))
    report.facts["parity"] = {"tasks": compared.tasks, "completions": compared.compared, "differ": len(compared.differ)}


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
    if len(facts["seats"]) > 1:
        lines.append(f"scored as {facts['seat']}; the other agents: {', '.join(name for name in facts['seats'] if name != facts['seat'])} (--seat NAME)")
    if verbose:
        lines.append(f"gold: {facts['gold_field']} ({facts['gold_reading']}), {facts['answer_kind']}; written {facts['style']}")
    report.section("what the reward pays", [line for line in lines if line])


COMMAND = Command(__doc__, "test_reward", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
