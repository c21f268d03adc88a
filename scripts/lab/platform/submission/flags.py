"""The flags of submit_training.py, and which of them mean something in which use.

A flag that would be ignored is an error of usage: a file that says one thing and a command line
that says another are two requests.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lab.cli.arguments import amount, count
from lab.cli.command import script
from lab.cli.report import usage

KEYS = {
    "model": "model.name",
    "steps": "max_steps",
    "batch": "orchestrator.batch_size",
    "rollouts": "group_size of each training source",
    "tokens": "orchestrator.train.sampling.max_completion_tokens",
    "turns": "max_turns of each seat",
    "length": "seq_len",
    "name": "name",
    "wandb": "monitors.wandb.project",
    "gpu_type": "gpu_type",
    "lora": "trainer.model.lora.rank",
    "tools": "inference.vllm.tool_call_parser",
}
"""Flags that shape a written file -> the key of a file that decides the same."""
OWN = ("split", "nodes", "slurm")
SPENDING = ("yes", "new_run", "max_cost", "gpu_price", "validate")
CHECKING = ("dry_run", "data", "local")
MEANINGLESS: dict[str, tuple[str, ...]] = {
    "convert": ("config", "plan", "self_hosted", "fix", *KEYS, *OWN, *SPENDING, *CHECKING),
    "fix": ("plan", *KEYS, *OWN, *SPENDING, "data", "dry_run", "overwrite"),
    "self_hosted and --config": ("plan", *KEYS, *OWN, *SPENDING, "data", "overwrite"),
    "self_hosted": ("gpu_type", "data", *SPENDING),
    "config": ("plan", *KEYS, *OWN, "overwrite"),
    "": OWN,
}
"""Use -> flags that would be ignored there; the first use that was asked for counts."""
AGAIN = (
    *("env", "local", "config", "plan", *KEYS),
    *("max_cost", "gpu_price", "new_run", "overwrite", "force"),
)
"""Flags that the command after a dry run repeats."""


def refuse_unused_flags(args: argparse.Namespace) -> None:
    """Exit 2 for a flag that would be ignored, with the place where its value belongs."""
    if args.out and not args.convert:
        raise usage(
            "--out names the file that --convert writes, and there is no --convert",
            "a file that is written anew is configs/rl/NAME.toml: give --name NAME",
            id="input.arguments",
        )
    if args.fix and not args.config:
        raise usage(
            "--fix repairs a file, and none is named", "add --config FILE", id="input.arguments"
        )
    _refuse_folder(args)
    use = next(use for use in MEANINGLESS if all(getattr(args, one) for one in _parts(use)))
    given = [flag for flag in MEANINGLESS[use] if _given(args, flag)]
    if given:
        key = KEYS.get(given[0]) if args.config else None
        fix = f"write {key} in {args.config} instead" if key else f"leave {_flag(given[0])} out"
        why = f"has no meaning beside {_flag(use)}" if use else "needs --self-hosted"
        raise usage(f"{_flag(given[0])} {why}", fix, id="input.arguments")
    beside = [flag for flag in ("env", *KEYS) if args.plan and _given(args, flag)]
    if beside:
        fix = f"write it into {args.plan}"
        raise usage(f"{_flag(beside[0])} has no meaning beside --plan", fix, id="input.arguments")


def _parts(use: str) -> list[str]:
    return [part.lstrip("-") for part in use.split(" and ") if part]


def _refuse_folder(args: argparse.Namespace) -> None:
    """--self-hosted takes a folder where files are written, and none where one is judged."""
    if args.self_hosted is True and not args.config:
        raise usage(
            "--self-hosted names no folder",
            "add the folder for the files, or --config FILE to check one for own GPUs",
            id="input.arguments",
        )
    if args.self_hosted not in (None, True) and args.config:
        raise usage(
            f"--self-hosted {args.self_hosted} would write files, and --config names one",
            "leave the folder out: --config FILE --self-hosted checks it for own GPUs",
            id="input.arguments",
        )


def _given(args: argparse.Namespace, flag: str) -> bool:
    value = getattr(args, flag)
    return value not in (None, False) and not (flag == "nodes" and value == 1)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def command_again(args: argparse.Namespace, *, dry_run: bool = False) -> str:
    """The same command without --dry-run, which asks before it sends anything; or with it."""
    words: list[Any] = []
    args = argparse.Namespace(**vars(args) | {"dry_run": dry_run})
    for flag in (*AGAIN, *(("data", "validate", "dry_run") if dry_run else ())):
        value = getattr(args, flag)
        if value is True:
            words.append(_flag(flag))
        elif value not in (None, False):
            words += [_flag(flag), f"{value:.15g}" if isinstance(value, float) else value]
    return script("submit_training.py", *words)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--env", metavar="OWNER/NAME", help="the environment on the hub, also OWNER/NAME@VERSION"
    )
    parser.add_argument(
        "--local",
        metavar="FOLDER",
        help="its folder here (default: ./environments/NAME or ./NAME when there)",
    )
    parser.add_argument(
        "--config", metavar="FILE", help="use this training file instead of writing one"
    )
    parser.add_argument(
        "--plan",
        metavar="PLAN",
        help="write the training file of this plan: several environments, evaluations, filters",
    )
    parser.add_argument(
        "--convert",
        metavar="OLD",
        help="bring an older training file to today's form; sends nothing",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="with --convert: the file to write (configs/rl/ and the old file's name)",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="with --config: apply the safe repairs to the file and show the difference; "
        "sends nothing",
    )
    parser.add_argument(
        "--data",
        metavar="ROWS",
        help="with a supervised file: check these conversations (.jsonl) too",
    )
    run = parser.add_argument_group("the run, when a file is written")
    run.add_argument("--model", metavar="M", help="the model to train")
    run.add_argument("--steps", metavar="S", type=count, help="training steps")
    run.add_argument(
        "--batch",
        metavar="B",
        type=count,
        help="rollouts per step, a multiple of the rollouts per task",
    )
    run.add_argument(
        "--rollouts", metavar="R", type=count, help="rollouts per task: the group size"
    )
    run.add_argument("--tokens", metavar="T", type=count, help="completion tokens per turn")
    run.add_argument("--turns", metavar="N", type=count, help="turns of a rollout, at most")
    run.add_argument(
        "--length", metavar="L", type=count, help="tokens of a whole rollout (seq_len)"
    )
    run.add_argument("--name", metavar="NAME", help="the run's name (default: the environment's)")
    run.add_argument("--wandb", metavar="PROJECT", help="curves on Weights & Biases")
    run.add_argument("--gpu-type", metavar="GPU", help="ask for this kind of GPU")
    own = parser.add_argument_group("own GPUs")
    own.add_argument(
        "--self-hosted",
        metavar="DIR",
        nargs="?",
        const=True,
        help="write the files for prime-rl on own GPUs and a run sheet; with --config, check that "
        "file as one for own GPUs; sends nothing",
    )
    own.add_argument(
        "--split",
        action="store_true",
        help=(
            "a file per process instead of rl.toml: inference, trainer, orchestrator, environments"
        ),
    )
    own.add_argument(
        "--nodes", metavar="N", type=count, default=1, help="several nodes, through SLURM"
    )
    own.add_argument("--slurm", action="store_true", help="submit to SLURM also on one node")
    own.add_argument("--lora", metavar="RANK", type=count, help="train adapters of this rank")
    own.add_argument(
        "--tools",
        action="store_true",
        help="the tasks call tools: name the parser of the model's family",
    )
    spend = parser.add_argument_group("before money is spent")
    spend.add_argument(
        "--dry-run", action="store_true", help="write and check the file, send nothing"
    )
    spend.add_argument(
        "--validate",
        action="store_true",
        help="ask the platform's own schema too (installs about 0.5 GB once)",
    )
    spend.add_argument(
        "--max-cost",
        metavar="USD",
        type=amount,
        help="refuse when the upper estimate is above this",
    )
    spend.add_argument(
        "--gpu-price",
        metavar="USD",
        type=amount,
        help="price of a GPU-hour, when the platform names none",
    )
    spend.add_argument("--yes", action="store_true", help="submit without asking")
    spend.add_argument(
        "--new-run",
        action="store_true",
        help="start another run although this very request has one",
    )
    spend.add_argument(
        "--overwrite", action="store_true", help="replace a training file that was edited by hand"
    )
    spend.add_argument(
        "--force",
        metavar="REASON",
        help="go past a gate that is not passed; the reason is kept",
    )
