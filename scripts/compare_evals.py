"""Did the model get better, and what does the mean hide? Two or more evaluations, task by task.

    compare_evals.py BASE CANDIDATE                    before and after training, or two models
    compare_evals.py BASE ONE TWO THREE                each against BASE; p-values corrected for all
    compare_evals.py BASE CANDIDATE --vary environment two versions of an environment, one model
    compare_evals.py BASE CANDIDATE --html report.html --markdown table.md

BASE and CANDIDATE are run folders or results files of any layout that check_reward_distribution.py
reads. Tasks are matched by key, else by prompt and answer, else by number. The difference of the
mean reward comes with a 95% interval (tasks resampled) and an exact paired test; so do correctness,
every component, pass@k, hard, middle and easy tasks, length, and the shares cut or failed. Runs
that were made differently (environment, prompts, golds, sampling, limits, harness) are refused or
warned about, unless --vary names what is compared.

Where a run is of a simulated policy, the comparison is a rehearsal: it shows how the checks react.

Exit codes: 0 not worse, and the tasks are enough to say so (warnings name what fell behind the
mean), or a rehearsal · 1 worse, fewer right answers behind a better mean, or not comparable ·
2 usage, or no task in common · 3 something is missing or broken · 4 too few tasks.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lab.cli.arguments import amount
from lab.cli.command import Command, Progress, script
from lab.cli.report import Report, usage

if TYPE_CHECKING:
    from lab.comparison.measure import Comparison
    from lab.comparison.side import Side

VARY = ("environment", "prompts", "golds", "tasks", "sampling", "limits", "harness", "model")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("base", metavar="BASE", type=Path, help="the run to compare with")
    parser.add_argument(
        "candidates",
        metavar="CANDIDATE",
        type=Path,
        nargs="+",
        help="one or more runs of the same tasks",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="what to call the runs, in order (their folders' names)",
    )
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        choices=VARY,
        help="what differs on purpose; may be repeated",
    )
    parser.add_argument(
        "--smallest",
        type=amount,
        default=0.05,
        metavar="D",
        help="the smallest difference of the mean reward that matters (0.05)",
    )
    parser.add_argument(
        "--pass-k",
        type=_ks,
        default=(),
        metavar="K,K",
        help="the k of pass@k (2, 4, 8, ... up to the rollouts per task)",
    )
    parser.add_argument(
        "--columns", metavar="MAP", help="parts of plain tables: reward=COLUMN,task=COLUMN[,...]"
    )
    parser.add_argument(
        "--markdown",
        metavar="FILE",
        type=Path,
        help="also write a table for a README or a model card (- prints it with the report)",
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.comparison import adjust, compare, load, match
    from lab.comparison.comparable import comparable
    from lab.comparison.summary import facts_of, sections
    from lab.comparison.texts import mean_turns
    from lab.comparison.verdicts import verdicts
    from lab.rollouts.find import SIMULATED
    from lab.rollouts.table import parse_map

    paths = [args.base, *args.candidates]
    if len(args.name) > len(paths):
        raise usage(
            f"{len(args.name)} names for {len(paths)} runs",
            "give one --name per run",
            id="input.arguments",
        )
    columns = parse_map(args.columns) if args.columns else None
    sides = []
    for number, path in enumerate(paths):
        progress.note(f"reading {path}")
        sides.append(load(path, args.name[number] if number < len(args.name) else "", columns))
    _name_apart(sides)
    if any(side.simulated for side in sides):
        report.rehearsed = SIMULATED
    matched = match(sides)
    progress.note(f"comparing {matched.tasks} tasks")
    comparisons = [compare(matched, 0, number, args.pass_k) for number in range(1, len(sides))]
    adjust(comparisons)
    report.subject = {
        "base": str(args.base),
        "candidates": ", ".join(map(str, args.candidates)),
        "environment": sides[0].setup.get("environment", "not said"),
    }
    turns = [mean_turns(side) for side in sides]
    vary = frozenset(args.vary)
    for c in comparisons:
        findings = [*comparable(matched, c.base, c.candidate, vary), *verdicts(c, args.smallest)]
        if len(comparisons) > 1:
            for f in findings:
                f.evidence = f"{c.sides[1].name}: {f.evidence}" if f.evidence else c.sides[1].name
        report.add(findings)
        sections(report, c, args.smallest, [turns[c.base], turns[c.candidate]])
    report.facts = facts_of(comparisons[0], args.smallest)
    if len(comparisons) > 1:
        report.facts["candidates"] = [facts_of(c, args.smallest) for c in comparisons]
    report.facts["turns"] = turns
    _outputs(args, report, comparisons)
    report.next = _next(report, args)


def _name_apart(sides: list[Side]) -> None:
    """Runs of the same name are called by their parents' folders too."""
    names = [side.name for side in sides]
    for side in sides:
        if names.count(side.name) > 1:
            side.name = str(side.path)


def _outputs(args: argparse.Namespace, report: Report, comparisons: list[Comparison]) -> None:
    from lab.comparison.summary import markdown

    if args.markdown:
        table = markdown(comparisons)
        report.facts["markdown"] = table
        if str(args.markdown) == "-":
            report.section("markdown", table.splitlines())
        else:
            from lab.cli.files import write_whole

            write_whole(args.markdown, table)
    if args.html:
        from lab.comparison.page import body

        report.body = "".join(body(c) for c in comparisons)


def _next(report: Report, args: argparse.Namespace) -> str:
    if report.verdict == "inconclusive":
        return script(
            "run_eval.py", "ENV", "-m", "MODEL", "-n", max(50, report.facts["tasks_for_smallest"])
        )
    if report.verdict == "fail" and not args.html:
        return script("compare_evals.py", args.base, *args.candidates, "--html", "comparison.html")
    return script("check_reward_distribution.py", "--results", args.candidates[0])


def _ks(text: str) -> tuple[int, ...]:
    values = tuple(sorted({int(part) for part in text.split(",")}))
    if not values or values[0] < 1:
        raise argparse.ArgumentTypeError("must be whole numbers of 1 or more")
    return values


COMMAND = Command(__doc__, "compare_evals", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
