"""Can a policy learn from these rollouts, and from which tasks?

    check_reward_distribution.py                         the newest run under ./outputs
    check_reward_distribution.py --results RUN           a run folder or a results file; several are pooled
    check_reward_distribution.py --results FILE --columns reward=score,task=idx,completion=response
    check_reward_distribution.py --training configs/rl/my-env.toml --keep-tasks keep.toml
    check_reward_distribution.py --results A --compare B --html report.html
    check_reward_distribution.py --results A --held-out RUN      do the two share tasks?

Reads traces.jsonl (verifiers 0.4), results.jsonl (classic), what `prime train rollouts` prints,
prime-rl run folders, and plain tables (jsonl, csv, parquet); gzip and zstd too. The layout is
recognised by content. A trainer learns only from groups whose rewards differ, so the check is
on groups of rollouts of one task, at the training group size. One rollout per task is
inconclusive, never a pass. It ends with a plan: group size, cost, which tasks to keep.

With the environment known (from the run, or --env) the outcome is kept in its ledger.

Exit codes: 0 there is a signal · 1 there is none, or the log shows a defect · 2 usage, or no
rollouts in the input · 3 something is missing or broken · 4 not enough data to say.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0", "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23", "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24", "gitignore-parser>=0.1.12"]
# ///

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from lab.command import Command, Progress, script
from lab.report import Check, LabError, Report, usage

CHANGED = Check(
    "rollouts.environment_changed",
    title="the rollouts are of today's environment",
    expected="the content hash of the environment is the one evaluated",
    reason="Rollouts of an older reward or dataset say nothing about today's.",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results", metavar="PATH", type=Path, nargs="+", help="run folders or results files (the newest run under ./outputs)")
    parser.add_argument("--columns", metavar="MAP", help="parts of a plain table: reward=COLUMN,task=COLUMN[,completion=...,prompt=...,answer=...,model=...]")
    parser.add_argument("--group-size", metavar="G", type=_positive, help="rollouts per task in training (8, or what --training says)")
    parser.add_argument("--training", metavar="FILE", type=Path, help="training file: group size, model, sampling and limits are read from it")
    parser.add_argument("--last-n", metavar="N", type=_positive, help="only the last N rollouts of the log")
    parser.add_argument("--fpr", metavar="X", type=_rate, help="false-positive rate of the reward (from test_reward.py)")
    parser.add_argument("--tpr", metavar="Y", type=_rate, help="true-positive rate of the reward")
    parser.add_argument("--env", metavar="ENV", type=Path, help="the environment's folder, to keep the outcome in its ledger")
    parser.add_argument("--keep-tasks", metavar="FILE", type=Path, help="write the keys of the tasks worth training on (.toml, .json, else one per line)")
    parser.add_argument("--compare", metavar="OTHER", type=Path, help="show another run beside this one")
    parser.add_argument("--held-out", metavar="RUN", type=Path, help="a run on the held-out tasks, to find those that are in both")
    parser.add_argument("--verbose", action="store_true", help="also list the tasks and the components")


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.learnability import Settings, analyse, checks, collect, make_plan
    from lab.learnability.checks_pairs import held_out, judge_noise
    from lab.learnability.summary import facts_of, sections, subject_of
    from lab.rollouts import newest_run, read
    from lab.rollouts.table import parse_map

    columns = parse_map(args.columns) if args.columns else None
    paths = args.results or [newest_run()]
    progress.note(f"reading {', '.join(map(str, paths))}")
    rollouts = read(paths, columns)
    evidence = collect(rollouts, args.last_n)
    report.subject = subject_of(evidence, paths)
    folder, note = environment_of(args.env, rollouts.settings)
    if not len(evidence.reward):
        raise usage(
            f"{len(rollouts)} rollouts were read and none has a usable reward ({', '.join(f'{k} {v}' for k, v in evidence.aside.items())})",
            "evaluate again and look at the errors first", id="input.no_rewards", measured=dict(evidence.aside),
        )
    training = _training(args, rollouts.settings)
    fpr, tpr = _rates(args, folder)
    settings = Settings(args.group_size or training.get("group_size") or 8, training.get("batch_size"), fpr, tpr, training)
    progress.note(f"{len(evidence.reward)} rollouts of {evidence.tasks} tasks, group size {settings.group_size}")
    analysis = analyse(evidence, settings)
    plan = make_plan(analysis)
    report.add(checks(analysis))
    report.facts = facts_of(analysis, plan)
    sections(report, analysis, plan, verbose=args.verbose)
    other = _compare(report, analysis, args.compare, columns, settings) if args.compare else None
    report.add([judge_noise(analysis, other), held_out(analysis, collect(read([args.held_out], columns)) if args.held_out else None)])
    if args.keep_tasks:
        from lab.learnability.keep import write_keep_tasks

        written = write_keep_tasks(args.keep_tasks, analysis, plan)
        report.facts["keep_tasks_file"] = str(args.keep_tasks)
        progress.note(f"{written} task keys in {args.keep_tasks}")
    # Few live groups, and some tasks that have them: these first, then the next step.
    scarce = analysis.live[settings.group_size].high < 0.30 and plan.keep.any() and not plan.keep.all() and evidence.grouping.names_tasks
    read_again = ["--results", *paths, *(["--columns", args.columns] if args.columns else [])]
    _record(report, folder, note, plan, paths, read_again if scarce and not args.keep_tasks else [])
    if args.html:
        from lab.learnability.page import body, told_apart

        progress.note("drawing the page")
        report.body = body(analysis, other, told_apart(paths[0], args.compare) if args.compare else ("", ""), plan.steps)


def environment_of(env: Path | None, settings: dict[str, Any]) -> tuple[Path | None, dict[str, Any]]:
    """The environment's folder and what run_eval.py noted beside the results."""
    note = settings.get("prime_lab")
    note = note if isinstance(note, dict) else {}
    if env is not None:
        if not env.exists():
            raise usage(f"--env {env} does not exist", "name the environment's folder", id="input.missing_file")
        return env, note
    named = note.get("environment")
    folder = Path(named) if isinstance(named, str) and named else None
    return (folder if folder is not None and folder.exists() else None), note


def _training(args: argparse.Namespace, settings: dict[str, Any]) -> dict[str, Any]:
    if not args.training:
        return {}
    from lab.learnability.training_file import training_settings

    return training_settings(args.training, str(settings.get("env") or ""))


def _rates(args: argparse.Namespace, folder: Path | None) -> tuple[float | None, float | None]:
    """The reward's error rates: from the flags, else from the reward test of this content."""
    if args.fpr is not None or args.tpr is not None or folder is None:
        return args.fpr, args.tpr
    from lab.ledger import Ledger

    step = Ledger(folder).step("test_reward")
    facts = step.facts or {} if step.state in ("passed", "failed") else {}
    rates = [facts.get(name) for name in ("fpr", "tpr")]
    fpr, tpr = (float(r) if isinstance(r, (int, float)) else None for r in rates)
    return fpr, tpr


def _compare(report: Report, analysis: Any, other: Path, columns: dict[str, str] | None, settings: Any) -> Any:
    from lab.learnability import analyse, collect
    from lab.learnability.summary import comparison
    from lab.rollouts import read

    evidence = collect(read([other], columns))
    if not len(evidence.reward):
        raise usage(f"--compare {other} has no usable rewards", "name another run", id="input.no_rewards")
    second = analyse(evidence, settings)
    comparison(report, analysis, second, other)
    return second


def _record(report: Report, folder: Path | None, note: dict[str, Any], plan: Any, paths: list[Path], scarce: list[Any]) -> None:
    """Keep the outcome in the environment's ledger, and say what comes next."""
    report.facts["recorded"] = False
    target = folder if folder is not None else "ENV"
    if report.verdict in ("pass", "warn") and scarce:
        report.next = script("check_reward_distribution.py", *scarce, "--keep-tasks", "keep.toml")
    elif report.verdict in ("pass", "warn"):
        report.next = script("push_environment.py", target, "--check-only")
    elif plan.more_tasks or plan.more_rollouts:
        report.next = script("run_eval.py", target, "-m", note.get("model") or "MODEL", "-n", plan.more_tasks or 50, "-r", plan.more_rollouts or 4)
    else:
        report.next = script("test_reward.py", target)
    if folder is None:
        report.section("ledger", ["no environment is named by the run or by --env, so nothing was recorded"])
        return
    from lab.environment.classic import migration, vf_eval
    from lab.ledger import Ledger

    ledger = Ledger(folder)
    content = note.get("content") if isinstance(note.get("content"), str) else None
    if content and content != ledger.content:
        policy = ("--simulate", note.get("simulate") or "skill=0.4,spread=0.3") if note.get("simulated") else ("-m", note.get("model") or "MODEL")
        again = script("run_eval.py", folder, *policy)
        report.add(CHANGED.warn(content, f"the environment's content is {ledger.content} today", f"evaluate again: {again}"))
        report.next = script("test_reward.py", folder) if ledger.step("test_reward").open else again
    elif content:
        report.add(CHANGED.ok(content))
    else:
        report.add(CHANGED.skip("the run does not say which content was evaluated"))
    if location := _classic(folder):
        report.next = migration(str(folder)) if report.verdict in ("pass", "warn") else vf_eval(location, str(folder))
    ledger.record(report, content=content, simulated=bool(note.get("simulated")), results=str(Path(paths[0]).resolve()))
    report.facts["recorded"] = True


def _classic(folder: Path) -> Any:
    """Where a classic environment is; None for a taskset, and for a folder without an environment."""
    from lab.environment.locate import CLASSIC, locate

    try:
        location = locate(str(folder))
    except LabError:
        return None
    return location if location.api == CLASSIC else None


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _rate(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise argparse.ArgumentTypeError("must lie between 0 and 1")
    return value


COMMAND = Command(__doc__, "check_reward_distribution", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
