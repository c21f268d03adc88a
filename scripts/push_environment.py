#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///
"""Check an environment package as the hub and the cluster will see it, then publish it.

The gate reads the folder (name, README, verifiers range, version, secrets, what travels),
builds the wheel in a temporary folder, installs it into an empty environment, imports it there
and takes its tasks. Then, after a yes, `prime env push`, with the proof that it was published
as a taskset (verifiers v1).

    python scripts/push_environment.py environments/my_env --check-only
    python scripts/push_environment.py environments/my_env --visibility PRIVATE
    python scripts/push_environment.py environments/my_env --visibility PUBLIC --yes
    python scripts/push_environment.py environments/my_env --visibility PRIVATE --bump patch --yes
    python scripts/push_environment.py environments/my_env --check-only --smoke

Nothing is published without --yes or a yes on a terminal. A real push needs the earlier steps
of the ladder to have passed for this content; --force REASON goes on against them and keeps
the reason.

Exit codes: 0 published (or, with --check-only, ready), 1 a check failed, 2 usage, not
confirmed, 3 prime, login or network, 4 the check could not be completed (no network).
"""

from lab.cli.command import Command, ask_first, confirm, edit_then
from lab.cli.interpreter import named

ASK = (
    "publishing is the user's decision, and so is PUBLIC or PRIVATE; it asks on a terminal, "
    "elsewhere it publishes only with --yes, to be added after the user's yes"
)


def arguments(parser):
    parser.add_argument(
        "env", metavar="ENV", help="the environment's folder, or its name below ./environments"
    )
    parser.add_argument(
        "--check-only", action="store_true", help="run the gate, publish nothing, need no login"
    )
    parser.add_argument(
        "--visibility", type=str.upper, choices=["PUBLIC", "PRIVATE"], help="who may see it"
    )
    parser.add_argument(
        "--owner", metavar="NAME", help="user or team to publish under (default: the account)"
    )
    parser.add_argument("--team", metavar="SLUG", help="team to publish under")
    parser.add_argument(
        "--smoke",
        action="store_true",
        help="also two tasks through vf-eval against a simulated policy",
    )
    parser.add_argument(
        "--bump",
        choices=["patch", "minor", "major"],
        help="raise the version first; no other key is touched",
    )
    parser.add_argument(
        "--force",
        metavar="REASON",
        help="publish although earlier steps of the ladder are open; the reason is kept",
    )
    parser.add_argument("--yes", action="store_true", help="publish without asking")


def main(args, report, progress):
    from lab.cli.folders import scratch
    from lab.environment.locate import place_of
    from lab.ladder import closing, command_of, dry_run_of, next_for
    from lab.ledger.records import EARLIER_STEPS, Ledger
    from lab.platform.package import check_clean, check_folder, open_folder
    from lab.platform.prime.archive import hub_hash
    from lab.process.protection import tell

    folder = open_folder(place_of(args.env))
    ledger = Ledger(folder.path)
    report.subject = {
        "environment": folder.name,
        "version": folder.version,
        "content_hash": ledger.content,
    }
    progress.note(f"reading {folder.path}")
    report.add(check_folder(folder))
    with scratch() as work:
        report.add(check_clean(folder, work, progress.note))
    if args.smoke:
        from lab.platform.package.smoke import check_smoke

        progress.note("two tasks through vf-eval against a simulated policy")
        report.add(check_smoke(folder))
    report.facts = {
        "name": folder.name,
        "version": folder.version,
        "files": [path.relative_to(folder.path).as_posix() for path in folder.uploaded],
        "bytes": folder.bytes,
        "hub_hash": hub_hash(folder.path),
        "tasks": next(
            (
                f.measured
                for f in report.findings
                if f.id == "package.tasks" and isinstance(f.measured, int)
            ),
            None,
        ),
        "pushed": False,
    }
    tell(report)
    if not args.check_only:
        from lab.platform.package.publish import publish

        publish(args, report, progress, folder, ledger, confirm)
    if report.exit_code == 0 and not report.facts["pushed"]:
        report.next = next_for(named(folder.path), done="push_environment")
        if "--visibility" in report.next:
            ask_first(report, ASK)
    elif report.facts["pushed"]:
        report.next = dry_run_of(named(folder.path), ledger, report.facts["environment"])
    elif any(finding.id == EARLIER_STEPS.id for finding in report.with_status("fail")):
        report.next = closing("push_environment", named(folder.path), ledger)
    else:
        report.next = edit_then(args.env, command_of("push_environment", args.env, ledger))
    if {finding.id for finding in report.with_status("fail")} == {EARLIER_STEPS.id}:
        return  # the package is as it was: only what comes before is missing
    ledger.record(
        report,
        rehearsal="" if report.facts["pushed"] else "package checked, not published",
        **({"forced": args.force} if args.force else {}),
    )


COMMAND = Command(__doc__, "push_environment", arguments, main)
if __name__ == "__main__":
    COMMAND.exit()
