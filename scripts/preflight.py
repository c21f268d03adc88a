#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""Check this machine before anything is built: Python, packages, prime, uv, login, disk.

Needs nothing but Python 3.11+. What only some steps need (a login, uv, the prime client) is a
warning that names those steps.

    python scripts/preflight.py                  look, change nothing, no network
    python scripts/preflight.py --install        also install what is missing
    python scripts/preflight.py --online         also ask the hub and Prime Inference (5 s each)
    python scripts/preflight.py --command "prime env init my-env"
                                                 what an older prime command is called today

Exit codes: 0 ready (warnings allowed), 1 something is missing or out of range, 2 usage,
3 an installation failed or is not allowed here.
"""

from lab.command import Command, script


def arguments(parser):
    parser.add_argument("--install", action="store_true", help="install what is missing into this environment")
    parser.add_argument("--online", action="store_true", help="also ask the hub and Prime Inference")
    parser.add_argument("--python", metavar="PATH", help="look at another interpreter than the one that runs this")
    parser.add_argument("--command", metavar="TEXT", help="only say what a prime or vf command line is called today")


def main(args, report, progress):
    from lab import setup
    from lab.prime.login import read_login
    from lab.requirements import PACKAGES, PRIME

    if args.command is not None:
        from lab.prime.commands import check_command

        report.subject = {"command": args.command}
        report.add(check_command(args.command))
        return
    python = setup.interpreter(setup.target(args.python))
    if args.install:
        lacking = [need for need in (*PACKAGES, PRIME) if not need.accepts(python.packages.get(need.name, "0"))]
        if lacking:
            progress.note(f"installing into {python.prefix}: {', '.join(need.requirement for need in lacking)}")
            setup.install(python, lacking)
            python = setup.interpreter(python.path)
    report.subject = {"python": python.path}
    report.add(setup.inspect(python))
    login = read_login()
    if args.online:
        progress.note("asking the hub and Prime Inference")
        report.add(setup.online(login))
    report.facts = {
        "python": ".".join(map(str, python.version)),
        "packages": python.packages,
        "api": setup.api(python),
        "logged_in": bool(login),
        "login_source": login.source,
    }
    broken = bool(report.with_status("fail"))
    report.next = setup.install_command(python) if broken else script("inspect_dataset.py", "DATASET")


COMMAND = Command(__doc__, "preflight", arguments, main)
if __name__ == "__main__":
    COMMAND.exit()
