"""Can a policy learn from these rollouts, and from which tasks?

    check_reward_distribution.py                         the newest run under ./outputs
    check_reward_distribution.py RUN                     a run folder or a file; several are pooled
                                                         (--results RUN is the same)
    check_reward_distribution.py --results FILE --columns reward=score,task=idx,completion=response
    check_reward_distribution.py --training configs/rl/my-env.toml --keep-tasks keep.toml
    check_reward_distribution.py --results A --compare B --html report.html
    check_reward_distribution.py --results A --held-out RUN      do the two share tasks?
    check_reward_distribution.py --env ENV --what-if "skill=0.98"
                                                         what it would say of a policy of that skill

Reads traces.jsonl (verifiers 0.4), results.jsonl (classic), what `prime train rollouts` prints,
prime-rl run folders, and plain tables (jsonl, csv, parquet); gzip and zstd too. The layout is
recognised by content. A trainer learns only from groups whose rewards differ, so the check is
on groups of rollouts of one task, at the training group size. One rollout per task is
inconclusive, never a pass. It ends with a plan: group size, cost, which tasks to keep.

With the environment known (from the run, or --env) the outcome is kept in its ledger. Rollouts of
a simulated policy are a rehearsal: they show how the checks react, and nothing passes by them.
--what-if makes such rollouts of the environment's own tasks, and neither keeps nor records them.

Exit codes: 0 there is a signal, or a rehearsal · 1 there is none, or the log shows a defect ·
2 usage, or no rollouts in the input · 3 something is missing or broken · 4 not enough data to say.
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
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.cli.arguments import count
from lab.cli.command import Command, Progress
from lab.cli.report import LabError, Report, usage
from lab.sizes import GROUP_SIZE

if TYPE_CHECKING:
    from lab.learnability import Analysis, Settings
    from lab.rollouts.model import Rollouts


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", metavar="RUN", type=Path, nargs="*", help="the same as --results RUN"
    )
    parser.add_argument(
        "--results",
        metavar="PATH",
        type=Path,
        nargs="+",
        help="run folders or results files (the newest run under ./outputs)",
    )
    parser.add_argument(
        "--columns",
        metavar="MAP",
        help="parts of a plain table: "
        "reward=COLUMN,task=COLUMN[,completion=...,prompt=...,answer=...,model=...]",
    )
    parser.add_argument(
        "--group-size",
        metavar="G",
        type=count,
        help=f"rollouts per task in training ({GROUP_SIZE}, or what --training says)",
    )
    parser.add_argument(
        "--training",
        metavar="FILE",
        type=Path,
        help="training file: group size, model, sampling and limits are read from it",
    )
    parser.add_argument(
        "--last-n", metavar="N", type=count, help="only the last N rollouts of the log"
    )
    parser.add_argument(
        "--fpr",
        metavar="X",
        type=_rate,
        help="false-positive rate of the reward (from test_reward.py)",
    )
    parser.add_argument("--tpr", metavar="Y", type=_rate, help="true-positive rate of the reward")
    parser.add_argument(
        "--env",
        metavar="ENV",
        type=Path,
        help="the environment's folder, to keep the outcome in its ledger",
    )
    parser.add_argument(
        "--what-if",
        metavar="SPEC",
        help="instead of results: rollouts of a policy of this skill on --env (or the one "
        "environment here), as --simulate of run_eval.py takes it",
    )
    parser.add_argument(
        "--keep-tasks",
        metavar="FILE",
        type=Path,
        help="write the keys of the tasks worth training on (.toml, .json, else one per line)",
    )
    parser.add_argument(
        "--compare", metavar="OTHER", type=Path, help="show another run beside this one"
    )
    parser.add_argument(
        "--held-out",
        metavar="RUN",
        type=Path,
        help="a run on the held-out tasks, to find those that are in both",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="also list the tasks and the components"
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    named = [*args.runs, *(args.results or [])]
    if args.what_if:
        if named or args.keep_tasks:
            raise usage(
                "--what-if makes its own rollouts, of tasks that nobody has evaluated",
                "leave the results and --keep-tasks out",
                id="input.arguments",
            )
        with _what_if(args, report, progress) as run:
            if run is not None:
                report.rehearsed = f"what if: a simulated policy with {args.what_if}"
                _check(args, report, progress, [run])
        return
    from lab.rollouts import newest_run

    _check(args, report, progress, named or [newest_run()])


@contextmanager
def _what_if(args: argparse.Namespace, report: Report, progress: Progress) -> Iterator[Path | None]:
    from lab.environment.locate import only_one_here
    from lab.evaluation.what_if import what_if

    env = str(args.env or only_one_here("--env"))
    report.subject = {"environment": env}
    with what_if(env, args.what_if, report, progress) as run:
        yield run


def _check(args: argparse.Namespace, report: Report, progress: Progress, paths: list[Path]) -> None:
    from lab.ladder import next_for
    from lab.learnability import analyse, checks, collect, make_plan
    from lab.learnability.checks_pairs import held_out, judge_noise
    from lab.learnability.next_step import Looked, next_command, record
    from lab.learnability.summary import facts_of, sections, subject_of
    from lab.rollouts import read
    from lab.rollouts.find import SIMULATED
    from lab.rollouts.table import parse_map

    columns = parse_map(args.columns) if args.columns else None
    progress.note(f"reading {', '.join(map(str, paths))}")
    rollouts = read(paths, columns)
    evidence = collect(rollouts, args.last_n)
    folder, note = environment_of(args.env, rollouts.settings)
    if note.get("simulated") and not report.rehearsed:
        report.rehearsed = SIMULATED
    report.subject = report.subject or subject_of(evidence, paths)
    if not len(evidence.reward):
        excluded = ", ".join(f"{k} {v}" for k, v in evidence.excluded.items())
        raise usage(
            f"{len(rollouts)} rollouts were read and none has a usable reward ({excluded})",
            "evaluate again and look at the errors first",
            id="input.no_rewards",
            measured=dict(evidence.excluded),
        )
    settings = _settings(args, rollouts, folder)
    progress.note(
        f"{len(evidence.reward)} rollouts of {evidence.tasks} tasks, judged for training in groups "
        f"of {settings.group_size} ({_said_by(args, settings)})"
    )
    analysis = analyse(evidence, settings)
    plan = make_plan(analysis, rehearsed=bool(report.rehearsed))
    report.add(checks(analysis))
    report.facts |= facts_of(analysis, plan)
    sections(report, analysis, plan, verbose=args.verbose)
    other = _compare(report, analysis, args.compare, columns, settings) if args.compare else None
    report.add(judge_noise(analysis, other))
    there = collect(read([args.held_out], columns)) if args.held_out else None
    report.add(held_out(analysis, there))
    if args.keep_tasks:
        from lab.learnability.keep import write_keep_tasks

        written = write_keep_tasks(args.keep_tasks, analysis, plan)
        report.facts["keep_tasks_file"] = str(args.keep_tasks)
        progress.note(f"{written} task keys in {args.keep_tasks}")
    looked = Looked(folder, note, paths, args.columns, bool(args.keep_tasks))
    report.next = next_command(report, looked, analysis, plan)
    if report.rehearsed and folder is not None:
        with suppress(LabError):  # a folder that is no environment any more has no ladder
            report.next = next_for(looked.env, done="" if args.what_if else report.tool)
    if not args.what_if:
        record(report, looked)
    if args.html:
        from lab.learnability.page import body, names_apart

        progress.note("drawing the page")
        names = names_apart(paths[0], args.compare) if args.compare else ("", "")
        report.body = body(analysis, other, names, plan.steps)


def environment_of(
    env: Path | None, settings: dict[str, Any]
) -> tuple[Path | None, dict[str, Any]]:
    """The environment's folder and what run_eval.py noted beside the results."""
    note = settings.get("prime_lab")
    note = note if isinstance(note, dict) else {}
    if env is not None:
        if not env.exists():
            raise usage(
                f"--env {env} does not exist",
                "name the environment's folder",
                id="input.missing_file",
            )
        return env, note
    named = note.get("environment")
    folder = Path(named) if isinstance(named, str) and named else None
    there = folder is not None and (folder.is_dir() or folder.is_file())
    return (folder if there else None), note


def _settings(args: argparse.Namespace, rollouts: Rollouts, folder: Path | None) -> Settings:
    """How the policy will be trained: from the flags, the training file, the reward test."""
    from lab.learnability import Settings
    from lab.learnability.training_file import training_settings

    training: dict[str, Any] = {}
    if args.training:
        training = training_settings(args.training, str(rollouts.settings.get("env") or ""))
    fpr, tpr = _rates(args, folder)
    group_size = args.group_size or training.get("group_size") or Settings.group_size
    return Settings(group_size, training.get("batch_size"), fpr, tpr, training)


def _said_by(args: argparse.Namespace, settings: Settings) -> str:
    """Who decided the group size."""
    if args.group_size:
        return "--group-size"
    return str(args.training) if settings.training.get("group_size") else "the default"


def _rates(args: argparse.Namespace, folder: Path | None) -> tuple[float | None, float | None]:
    """The reward's error rates: from the flags, else from the reward test of this content."""
    if args.fpr is not None or args.tpr is not None or folder is None:
        return args.fpr, args.tpr
    from lab.ledger.records import Ledger

    step = Ledger(folder).step("test_reward")
    facts = step.facts or {} if step.state in ("passed", "failed") else {}
    rates = [facts.get(name) for name in ("fpr", "tpr")]
    fpr, tpr = (float(r) if isinstance(r, (int, float)) else None for r in rates)
    return fpr, tpr


def _compare(
    report: Report,
    analysis: Analysis,
    other: Path,
    columns: dict[str, str] | None,
    settings: Settings,
) -> Analysis:
    from lab.learnability import analyse, collect
    from lab.learnability.summary import comparison
    from lab.rollouts import read

    evidence = collect(read([other], columns))
    if not len(evidence.reward):
        raise usage(
            f"--compare {other} has no usable rewards", "name another run", id="input.no_rewards"
        )
    second = analyse(evidence, settings)
    comparison(report, analysis, second, other)
    return second


def _rate(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise argparse.ArgumentTypeError("must lie between 0 and 1")
    return value


COMMAND = Command(__doc__, "check_reward_distribution", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
