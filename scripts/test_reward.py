# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///
"""Prove that an environment's reward pays for the right answer and for nothing else.

Finds out what is right, generates right, wrong and exploiting completions for the environment's
own tasks, and scores each with its real reward, in a child process with limits. No model and no
network are needed. First it prints what the reward does, in plain words; then what is wrong with
that. Both APIs: tasksets (verifiers 0.4), and classic environments (0.1.10 to 0.3.1; they run in
.venv-classic, or in the interpreter of --python).

usage:
  test_reward.py ENV                        a folder, a module file, or an installed name
  test_reward.py ENV --contract             print a draft of contract.toml, to be read and kept
  test_reward.py ENV --play FILE            what the environment says to the completions of FILE
                                            (its turns, its tools), and no reward
  test_reward.py ENV --example FILE         also hold it to examples (task, completion, earns)
  test_reward.py ENV --examples 50          on more tasks
  test_reward.py ENV --preset gsm8k         also the five classic cases, shown one by one
  test_reward.py ENV --custom tests.json    also your own cases (references/reward_design.md)
  test_reward.py ENV --rehearse             also: which strategy would training end with?
  test_reward.py ENV --against OTHER_ENV    also: does OTHER_ENV pay every completion alike?
                                            (--accept-differences REPORT: those were looked at)
  test_reward.py ENV --repro DIR            also: a program per finding that shows it again
  test_reward.py ENV --judge-base-url URL   judges are asked there; else a scripted judge answers

What is intended (which of several answers counts, partial credit, a strict format) is declared in
contract.toml in the environment's folder, and the reward is held to it. policy.toml of earlier
releases is read too.

Exit codes: 0 passed (warnings allowed) · 1 a check failed · 2 usage or bad input ·
3 the environment does not load, or something needed is missing · 4 inconclusive (one right
completion is needed, or more time)
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.cli.arguments import json_object
from lab.cli.command import Command, Progress, script
from lab.cli.report import Report, usage
from lab.reward.opened import environment_flags

if TYPE_CHECKING:
    from lab.environment import Environment, Location
    from lab.reward.outcome import Audit


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("env", metavar="ENV", help="environment: folder, module file, or installed name")
    add(
        "--contract",
        nargs="?",
        const="-",
        metavar="FILE",
        help="print a draft of contract.toml and nothing else, or write it to FILE; where FILE is "
        "there, add questions about its examples",
    )
    add(
        "--example",
        type=Path,
        metavar="FILE",
        help="further examples, as [[example]] in TOML or a list in JSON",
    )
    add(
        "--play",
        type=Path,
        metavar="FILE",
        help="print what the environment says to completions, [[example]] in TOML, and no reward",
    )
    add("--preset", choices=["gsm8k"], help="also run a known set of cases")
    add("--custom", type=Path, metavar="FILE", help="also run your own cases from a JSON file")
    add(
        "--rehearse",
        action="store_true",
        help="run the group-relative update over honest, exploiting and constant strategies",
    )
    add(
        "--against",
        metavar="OTHER_ENV",
        help="score the same completions with another environment, list every disagreement",
    )
    add(
        "--against-args",
        type=json_object,
        default={},
        metavar="JSON",
        help="the same as --env-args, for OTHER_ENV",
    )
    add(
        "--accept-differences",
        type=Path,
        metavar="FILE",
        help="with --against: the report (--json) of an earlier run, whose differences are meant; "
        "any other one still fails",
    )
    add("--repro", type=Path, metavar="DIR", help="write a program per finding into DIR")
    environment_flags(parser)
    add("--verbose", action="store_true", help="show examples, passed and skipped checks")


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.environment import Environment, locate
    from lab.environment.needs import helped, tools_made
    from lab.ledger.records import Ledger
    from lab.process.protection import tell
    from lab.reward import own_cases, sections
    from lab.reward.opened import declared_contract, opened

    if _goes_on(args):
        args.contract_file = Path(args.contract)
    accepted = _accepted(args)
    location = locate(args.env)
    report.subject = {"environment": location.name, "api": location.api, "path": str(location.path)}
    ledger = Ledger(location.path)
    report.subject["content_hash"] = ledger.content
    contract = declared_contract(args, location)
    own = own_cases.read(args.custom) if args.custom else []
    other = locate(args.against) if args.against else None
    progress.note(f"loading {location.name} ({location.api})")
    with opened(args, location, contract) as subject:
        if args.play:
            _play(args, report, subject.env)
            return
        found = subject.audit(
            note=progress.note,
            on_score=lambda n: progress.count("completions", n) if n % 250 == 0 else None,
        )
        if args.contract:
            _draft(args, report, found)
            tell(report)
            return
        report.add(found.findings)
        described = subject.env.description
        report.add([helped(described.helped), tools_made(described.unmade)])
        report.facts.update(found.facts)
        sections.show(report, found, args.verbose)
        if found.brief.tasks:
            _besides(args, report, found, subject.env, own)
        if other is not None:
            progress.note(f"the same completions in {other.name}")
            with Environment(other, config=args.against_args, **subject.options) as there:
                sections.against(report, found, there, accepted)
    tell(report)
    if location.local:
        ledger.record(report)
        report.next = _next(args, report, location)


def _goes_on(args: argparse.Namespace) -> bool:
    """Whether the draft that is to be written is there: then it is asked about."""
    if not args.contract or args.contract == "-" or not Path(args.contract).exists():
        return False
    other = args.contract_file and args.contract_file != Path(args.contract)
    if other or not args.contract.endswith(".toml"):
        fix = "name another file" + (", or leave out --contract-file" if other else "")
        raise usage(f"{args.contract} exists", fix, id="input.file_in_use")
    return True


def _accepted(args: argparse.Namespace) -> frozenset[str]:
    from lab.reward.parity import read_accepted

    if args.accept_differences and not args.against:
        raise usage(
            "--accept-differences has no meaning without --against",
            "add --against OTHER_ENV",
            id="input.arguments",
        )
    return read_accepted(args.accept_differences) if args.accept_differences else frozenset()


def _draft(args: argparse.Namespace, report: Report, found: Audit) -> None:
    from lab.cli.files import LARGEST_SETTINGS, read_plain, write_whole
    from lab.reward.draft import asked_again, draft
    from lab.reward.observed import observe

    if args.contract != "-" and Path(args.contract).exists():
        target, more = Path(args.contract), asked_again(found)
        report.facts["contract_questions"] = more
        before = read_plain(target, LARGEST_SETTINGS).decode()
        if more:
            write_whole(target, before.rstrip("\n") + "\n" + more)
        count = more.count("\n[[example]]\n")
        said = f'at the end of {target} are {count} replies, each with earns = "?"'
        report.section("contract", [said if count else "nothing more to ask"])
        following = "--contract-file"
    else:
        words = {name: statement.words for name, statement in found.brief.stated.items()}
        text = draft(found, observe(found), words)
        report.facts["contract_draft"] = text
        if args.contract == "-":
            report.plain = text
            return
        target = Path(args.contract)
        write_whole(target, text)
        lines = [
            f"written to {target}: read it beside prompt and README, and add examples;",
            "then the same command once more: it asks about changes of them",
        ]
        report.section("contract", lines)
        following = "--contract"
    report.next = script("test_reward.py", args.env, following, str(target))


def _play(args: argparse.Namespace, report: Report, env: Environment) -> None:
    """Rollouts with given replies, as a reader sees them."""
    from lab.cli.untrusted import block, visible
    from lab.environment.messages import replies
    from lab.review.content import said
    from lab.reward.contract_file import read_examples

    positions = {task.index: i for i, task in enumerate(env.description.tasks)}
    for example in read_examples(args.play):
        lines = ["it is not among the tasks that are looked at: --examples N"]
        if example.task in positions:
            runs = env.play(positions[example.task], [replies(example.completion)])
            last = [{"role": "user", "content": r.unread} for r in runs if r.unread]
            told = [*runs[0].messages, *last] if runs else []
            lines = said(told).splitlines() if told else ["it takes no turns"]
        report.facts.setdefault("played", []).append({"task": example.task, "said": lines})
        report.section(f"task {example.task}", block([visible(line) for line in lines]))


def _besides(
    args: argparse.Namespace, report: Report, found: Audit, env: Environment, own: list[Any]
) -> None:
    """What was asked for beside the test: known and own cases, the simulation, reproductions."""
    from lab.reward import own_cases, reproductions, sections

    if args.preset or own:
        known = own_cases.preset(found.brief) if args.preset else []
        table = own_cases.run(found.brief, found.session, known, own)
        report.add(table.findings)
        report.section("cases", table.lines)
    if args.rehearse:
        sections.simulate(report, found)
    if args.repro:
        paid = [payment for result in found.results for payment in result.full]
        written = reproductions.write(found.brief, env, paid, args.repro, args.judge_base_url)
        shown = [str(path) for path in written] or ["nothing is paid that should not be"]
        report.section("reproductions", shown)
        report.facts["reproductions"] = [str(path) for path in written]


def _next(args: argparse.Namespace, report: Report, location: Location) -> str:
    from lab.environment import CLASSIC
    from lab.environment.classic_commands import vf_eval
    from lab.ladder import NO_MODEL, next_command, rehearsal_beside
    from lab.ledger.records import Ledger

    if report.exit_code == 0:
        if location.api == CLASSIC:
            return vf_eval(location, args.env, args.python)
        ledger = Ledger(location.path)
        following = next_command(args.env, location, ledger)
        if beside := rehearsal_beside(following, args.env, ledger):
            report.section(NO_MODEL, beside)
        return following
    settings = {
        "--contract-file": args.contract_file,
        "--example": args.example,
        "--python": args.python,
        "--seat": args.seat,
        "--judge-base-url": args.judge_base_url,
        "--custom": args.custom,
        "--against": args.against,
        "--accept-differences": args.accept_differences,
        "--preset": args.preset,
        "--env-args": json.dumps(args.env_args) if args.env_args else "",
    }
    words = (word for flag, value in settings.items() if value for word in (flag, str(value)))
    again = script("test_reward.py", args.env, *words)
    if report.verdict == "inconclusive":
        return f"answer what is asked above, then: {again}"
    return f"change what failed, then: {again}"


COMMAND = Command(__doc__, "test_reward", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
