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
"""Look at a training run: status, reward, live groups, truncation, errors, entropy, money so far.

Known ways to fail are findings, each with a remedy and whether to stop. Nothing here ever
stops a run: the command to do so is yours (prime train stop RUN).

    python scripts/monitor_training.py RUN_ID
    python scripts/monitor_training.py RUN_ID --watch --html run.html
    python scripts/monitor_training.py RUN_ID --step 40 --html run.html
    python scripts/monitor_training.py outputs/my-run

The second looks again each minute until the run ends, and the page follows; the third shows the
rollouts of a step in the browser; the fourth reads a folder that prime-rl writes.

Exit codes: 0 goes well, 1 a signature of failure, 2 usage or an unknown run, 3 prime, login or
network, 4 too early to say.
"""

from pathlib import Path

from lab.cli.command import Command, script


def arguments(parser):
    parser.add_argument(
        "run", metavar="RUN", help="a run id of the platform, or prime-rl's run folder"
    )
    parser.add_argument(
        "--watch", action="store_true", help="look again until the run ends or fails a check"
    )
    parser.add_argument(
        "--every", metavar="SECONDS", type=float, default=60.0, help="how often, with --watch (60)"
    )
    parser.add_argument(
        "--step",
        metavar="N",
        type=int,
        help="fetch the rollouts of this step, and put them into the HTML page",
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        type=Path,
        default=Path("outputs"),
        help="where fetched rollouts are kept (outputs)",
    )


def main(args, report, progress):
    import time

    from lab.cli.report.page import write_page
    from lab.platform.monitoring.report import fill, save_rollouts
    from lab.platform.monitoring.source import look

    while True:
        seen = look(args.run)
        fill(report, seen)
        if not args.watch or seen.ended or report.with_status("fail") or not seen.status:
            break
        progress.note(report.facts["line"])
        if args.html:
            write_page(report, args.html)
        time.sleep(max(1.0, args.every))
    report.next = script("monitor_training.py", args.run)
    if seen.status == "COMPLETED":
        report.next = script("compare_evals.py", "outputs/BEFORE", "outputs/AFTER")
    if args.step is not None:
        path = save_rollouts(report, seen, args.step, args.out, page=args.html is not None)
        report.next = script("check_reward_distribution.py", "--results", path)


COMMAND = Command(__doc__, "monitor_training", arguments, main)
if __name__ == "__main__":
    COMMAND.exit()
