"""Readers that a script reaches only after it has loaded an environment, each as a command of its
own: loading takes seconds, and reading what is damaged does not depend on it.

    command("package_folder")        what push_environment.py does before it builds
    command("reward_files")          what test_reward.py reads: contract, examples, cases
    command("review_answers")        review_reward.py itself, with the sheet that it compares with
    command("evaluated_run")         what submit_training.py reads of an evaluation
    command("login")                 what every script reads of the platform's client
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

REVIEW = "3f2a91c0"


def command(script: str) -> Any:
    """The command of a script, or of one of the readers here."""
    from lab.cli.command import Command

    if script not in READERS:
        return import_module(script).COMMAND
    add, main = READERS[script]
    return Command(__doc__ or "", script, add, main)


def _one_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path)


def _package_folder(args: Any, report: Any, _: Any) -> None:
    from lab.platform.package import check_folder, open_folder

    for finding in check_folder(open_folder(args.path)):
        report.add(finding)


def _reward_flags(parser: argparse.ArgumentParser) -> None:
    import_module("test_reward").arguments(parser)


def _reward_files(args: Any, report: Any, _: Any) -> None:
    """What is declared is read, and can be written and read again."""
    from lab.environment import locate
    from lab.reward import contract_file, own_cases
    from lab.reward.opened import declared_contract

    location = locate(args.env)
    contract = declared_contract(args, location)
    contract_file.check(Path("again.toml"), contract_file.render(contract))
    cases = own_cases.read(args.custom) if args.custom else []
    report.facts = {"clauses": list(contract.declared), "cases": len(cases)}


def _review_flags(parser: argparse.ArgumentParser) -> None:
    import_module("review_reward").arguments(parser)


def _review_answers(args: Any, report: Any, progress: Any) -> None:
    from lab.environment import locate
    from lab.ledger.records import Ledger
    from lab.review.sealed import seal

    location = locate(args.env)
    seal(location.path, _review(Ledger(location.path).content))
    import_module("review_reward").main(args, report, progress)


def _review(content: str) -> Any:
    """A review of eight completions of two tasks. Its judge was a script, so completions of the
    reader's own are not scored, and no environment is loaded."""
    from lab.review.content import Shown
    from lab.review.items import CONTROL, EXPLOIT, FORM, GOLD, NO_TASK, WRONG, Item
    from lab.review.sealed import Review

    kinds = (GOLD, WRONG, EXPLOIT, FORM, GOLD, WRONG, CONTROL, CONTROL)
    says = ("right", "wrong", "right", "wrong", "right", "wrong", "right", "wrong")
    items = tuple(
        Item(
            kind,
            NO_TASK if kind == CONTROL else n // 4,
            n // 4,
            f"#### {n}",
            float(paid == "right"),
            paid,
            f"form {n}",
            "accepts" if kind == FORM else "",
            number=n + 1,
        )
        for n, (kind, paid) in enumerate(zip(kinds, says, strict=True))
    )
    shown = Shown(
        REVIEW,
        "little_sums",
        "The last number counts.",
        "",
        "",
        [("0", "What is 0 + 1?"), ("1", "What is 1 + 2?")],
        completions=[(item.number, str(item.task), str(item.completion)) for item in items],
    )
    return Review(REVIEW, content, items, shown, settings={"scripted": True})


def _evaluated_run(args: Any, report: Any, _: Any) -> None:
    from lab.platform.submission.evaluated import traced

    report.facts = {"tokens": traced(args.path)}


def _login(args: Any, report: Any, _: Any) -> None:
    from lab.cli.login import api_key, read_login

    environ = {"HOME": str(args.path), "PRIME_CONTEXT": "mine"}
    found = read_login(environ)
    report.facts = {"source": found.source, "team": found.team, "key": bool(api_key(environ))}


READERS: dict[str, tuple[Any, Any]] = {
    "package_folder": (_one_path, _package_folder),
    "reward_files": (_reward_flags, _reward_files),
    "review_answers": (_review_flags, _review_answers),
    "evaluated_run": (_one_path, _evaluated_run),
    "login": (_one_path, _login),
}
