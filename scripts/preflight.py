#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""Check this machine before anything is built, and install what is missing.

Needs nothing but Python 3.11+. What only some steps need (a login, a token) is a warning that
names those steps. With uv there is a second way, which needs no set-up: `uv run scripts/NAME.py`
in place of `python scripts/NAME.py`.

    python scripts/preflight.py                  look, change nothing, no network
    python scripts/preflight.py --install        make .venv here, install everything into it
    python scripts/preflight.py --install --venv DIR
                                                 the same in another environment, made when absent
    python scripts/preflight.py --online         also ask the hub and Prime Inference (5 s each)
    python scripts/preflight.py --command "prime env init my-env"
                                                 what an older prime command is called today

Started by the Python of a virtual environment, it looks at that one and installs into it. The
system's Python is never changed. The last line names the interpreter for all other scripts.

Exit codes: 0 ready (warnings allowed), 1 something is missing or out of range, 2 usage,
3 an installation failed or is not allowed here.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lab import SCRIPTS
from lab.cli.command import Command, Progress, script
from lab.cli.interpreter import named
from lab.cli.report import Report

if TYPE_CHECKING:
    from lab.cli.report import Finding
    from lab.setup.interpreter import Interpreter

FIRST_STEP = ("inspect_dataset.py", "DATASET", "--out", "profile.json")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--install", action="store_true", help="make an environment and install what is missing"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--venv", metavar="DIR", type=Path, help="the environment (.venv in the working folder)"
    )
    which.add_argument(
        "--python", metavar="PATH", help="look at another interpreter than the one that runs this"
    )
    parser.add_argument(
        "--online", action="store_true", help="also ask the hub and Prime Inference"
    )
    parser.add_argument(
        "--command", metavar="TEXT", help="only say what a prime or vf command line is called today"
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    if args.command is not None:
        from lab.platform.prime.commands import check_command

        report.subject = {"command": args.command}
        report.add(check_command(args.command))
        return
    from lab.cli.login import read_login
    from lab.setup.checks import inspect, install_command

    python = _interpreter(args, progress)
    login = read_login()
    report.subject = {"python": python.path}
    report.add(inspect(python))
    asked: list[Finding] = []  # of the network: what no installation mends
    if args.online:
        from lab.setup.online import online

        progress.note("asking the hub and Prime Inference")
        asked = list(online(login))
        report.add(asked)
    report.facts = {
        "python": ".".join(map(str, python.version)),
        "interpreter": python.path,
        "packages": python.packages,
        "api": python.api,
        "logged_in": bool(login),
        "login_source": login.source,
    }
    failed = {finding.id for finding in report.with_status("fail")}
    if failed and failed <= {finding.id for finding in asked}:
        report.next = script("preflight.py", "--online")
    elif failed:
        _without_setup(report)
        report.next = install_command(python)
    else:
        _from_now_on(report, Path(python.path))


def _interpreter(args: argparse.Namespace, progress: Progress) -> Interpreter:
    """The interpreter that is meant; with --install it is made and filled first."""
    from lab.setup.install import ready
    from lab.setup.interpreter import ask, target

    found = target(args.python, args.venv)
    if args.install:
        return ready(found, progress.note)
    return ask(sys.executable if isinstance(found, Path) else found)


def _without_setup(report: Report) -> None:
    """Where uv is there, the way that needs no set-up is named beside the installation."""
    if shutil.which("uv"):
        first = shlex.join(["uv", "run", named(SCRIPTS / FIRST_STEP[0]), *FIRST_STEP[1:]])
        report.section("without set-up", [f"uv is here: start every script with it, first {first}"])


def _from_now_on(report: Report, python: Path) -> None:
    """The next step, by the interpreter that has everything."""
    if python.parent == Path(sys.executable).parent:
        report.next = script(*FIRST_STEP)
        return
    report.section("from now on", [f"start every script with {named(python)}"])
    report.next = shlex.join([named(python), named(SCRIPTS / FIRST_STEP[0]), *FIRST_STEP[1:]])


COMMAND = Command(__doc__, "preflight", arguments, main, bare=True)
if __name__ == "__main__":
    COMMAND.exit()
