# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///
"""What the rewards of several environments really pay, before anybody trains on them.

Runs test_reward.py on each of them, in a process of its own with limits, and puts the results in
one table: does it load, does the test come to a verdict, what is the worst finding, and which is
the smallest completion that shows it. What an environment asks for and is not here is installed
by uv into environments kept in this user's cache, never into ours. Nothing else is downloaded
but the datasets that the environments load.

usage:
  audit_environments.py FOLDER               every environment among the checkouts in FOLDER
  audit_environments.py LIST                 those in a list: .toml, .json, or a text of lines
  audit_environments.py ENV ENV ...          folders, module files, installed names
  audit_environments.py owner/name --pull    from the Environments Hub, when logged in
  audit_environments.py LIST --no-install    with what is installed already
  audit_environments.py LIST --only 'gsm8k*' some of them; with --again also those that are done
  audit_environments.py LIST --html FILE     also a page with a section per environment

Each result is kept in OUTPUT/environments/NAME.json as soon as it is there. The same command again
leaves those alone whose environment and settings are the same, so what was killed goes on.

An entry of a list: env (or path), and where wanted name, args, contract, seat, python, examples,
budget, extras, requirements, import_paths, pass_env, pass_path, repository, commit, note. A line
of a text: NAME, or NAME {"args": "as JSON"}.

Exit codes: 0 every reward holds (warnings allowed) · 1 a reward failed · 2 usage or a bad list ·
3 no reward failed, but an environment does not load · 4 no reward failed and all load, but of one
there is not enough to say
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from lab.cli.arguments import count, seconds
from lab.cli.command import Command, Progress, script
from lab.cli.report import Report, usage

if TYPE_CHECKING:
    from lab.audits.entries import Entry
    from lab.audits.records import Record
    from lab.audits.run import Settings


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "environments",
        metavar="FOLDER|LIST|ENV",
        nargs="+",
        help="a folder of checkouts, a list file, or environments",
    )
    add("--root", type=Path, metavar="DIR", help="where relative paths of a list begin")
    add(
        "--only",
        action="append",
        default=[],
        metavar="GLOB",
        help="only environments whose name fits",
    )
    add("--again", action="store_true", help="also those that are done already")
    add(
        "--output-dir",
        type=Path,
        default=Path("outputs/audit"),
        metavar="DIR",
        help="where results are kept (default outputs/audit)",
    )
    add("--envs", type=Path, metavar="DIR", help="where uv's environments are kept")
    add("--no-install", action="store_true", help="install nothing")
    add("--pull", action="store_true", help="fetch owner/name from the Environments Hub")
    add(
        "--jobs",
        type=count,
        default=1,
        metavar="N",
        help="environments at a time (default 1)",
    )
    add(
        "--examples",
        type=count,
        default=20,
        metavar="N",
        help="tasks to test on, of each (default 20)",
    )
    limits = {
        "--budget": (60.0, "for all completions of one environment; slow ones get fewer"),
        "--timeout": (20.0, "for one completion"),
        "--load-timeout": (180.0, "for importing one environment and reading its tasks"),
        "--limit": (900.0, "for one environment besides loading; then it is ended"),
    }
    for flag, (default, what) in limits.items():
        add(
            flag,
            type=seconds,
            default=default,
            metavar="S",
            help=f"seconds {what} (default {default:g})",
        )
    add(
        "--pass-env",
        action="append",
        default=[],
        metavar="NAME",
        help="hand this environment variable to the environments",
    )
    add(
        "--pass-path",
        action="append",
        default=[],
        metavar="PATH",
        help="let the environments read this file or folder of yours",
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.audits import page, rows
    from lab.audits.prepare import envs_folder
    from lab.audits.run import Settings

    entries = _entries(args)
    settings = Settings(
        output=args.output_dir.absolute(),
        envs=(args.envs or envs_folder()).absolute(),
        install=not args.no_install,
        pull=args.pull,
        again=args.again,
        examples=args.examples,
        budget=args.budget,
        timeout=args.timeout,
        load=args.load_timeout,
        limit=args.limit,
        pass_env=tuple(args.pass_env),
        pass_path=tuple(args.pass_path),
    )
    report.subject = {"environments": len(entries), "results": str(args.output_dir)}
    records = _audited(entries, settings, args.jobs, progress)
    table = [rows.row(records[entry.name]) for entry in entries]
    found, report.error = rows.findings(table)
    report.add(found)
    report.facts["environments"] = [one.as_fact() for one in rows.worst_first(table)]
    report.facts["sums"] = rows.sums(table)
    report.section("environments", rows.lines(table))
    report.section("in numbers", [_numbers(rows.sums(table))])
    report.body = page.body(table, records)
    first = rows.worst_first(table)[0]
    if first.verdict != "pass":
        report.next = script("test_reward.py", records[first.name].path or first.name)


def _entries(args: argparse.Namespace) -> list[Entry]:
    from lab.audits.entries import named, read_entries

    several = [entry for one in args.environments for entry in read_entries(one, args.root)]
    entries = named(several, " ".join(args.environments))
    if args.only:
        entries = [e for e in entries if any(fnmatch(e.name, glob) for glob in args.only)]
        if not entries:
            raise usage(
                f"no environment fits --only {' '.join(args.only)}",
                "names are those of the table",
                id="input.arguments",
            )
    return entries


def _audited(
    entries: list[Entry], settings: Settings, jobs: int, progress: Progress
) -> dict[str, Record]:
    """The record of each; with `jobs` as many at a time."""
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from lab.audits.run import Runs, audit_one

    runs, records = Runs(), {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            waiting = [pool.submit(audit_one, entry, settings, runs) for entry in entries]
            for done in as_completed(waiting):
                record, before = done.result()
                records[record.name] = record
                said = record.report.get("verdict") or record.state
                how = "as before" if before else f"{record.seconds:.0f} s"
                count = f"{len(records)} of {len(entries)}"
                progress.note(f"{count}: {record.name} {said} ({how})")
        except BaseException:
            runs.stop()
            pool.shutdown(cancel_futures=True)
            raise
    return records


def _numbers(sums: dict[str, int]) -> str:
    return (
        f"{sums['load']} of {sums['environments']} load · the test speaks to {sums['speaks']} · "
        f"{sums['fail']} fail ({sums['critical']} critical) · {sums['warn']} warn · "
        f"{sums['pass']} pass · {sums['inconclusive']} inconclusive"
    )


COMMAND = Command(__doc__, "audit_environments", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
