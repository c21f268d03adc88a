"""The flags of submit_training.py."""

from __future__ import annotations

import argparse


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def money(text: str) -> float:
    value = float(text)
    if not value > 0 or value == float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive amount")
    return value


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", metavar="OWNER/NAME", help="the environment on the hub, also OWNER/NAME@VERSION")
    parser.add_argument("--local", metavar="FOLDER", help="its folder here (default: ./environments/NAME or ./NAME when there)")
    parser.add_argument("--config", metavar="FILE", help="use this training file instead of writing one")
    parser.add_argument("--convert", metavar="OLD", help="bring an older training file to today's form; sends nothing")
    parser.add_argument("--fix", action="store_true", help="with --config: apply the safe repairs to the file and show the difference; sends nothing")
    parser.add_argument("--data", metavar="ROWS", help="with a supervised file: check these conversations (.jsonl) too")
    run = parser.add_argument_group("the run, when a file is written")
    run.add_argument("--model", metavar="M", help="the model to train")
    run.add_argument("--steps", metavar="S", type=positive, help="training steps")
    run.add_argument("--batch", metavar="B", type=positive, help="rollouts per step, a multiple of the rollouts per task")
    run.add_argument("--rollouts", metavar="R", type=positive, help="rollouts per task: the group size")
    run.add_argument("--tokens", metavar="T", type=positive, help="completion tokens per turn")
    run.add_argument("--gpu-type", metavar="GPU", help="ask for this kind of GPU")
    own = parser.add_argument_group("own GPUs")
    own.add_argument("--self-hosted", metavar="DIR", help="write the files for prime-rl on own GPUs and a run sheet; sends nothing")
    own.add_argument("--split", action="store_true", help="infer.toml, train.toml and orch.toml instead of rl.toml")
    own.add_argument("--nodes", metavar="N", type=positive, default=1, help="several nodes, through SLURM")
    own.add_argument("--slurm", action="store_true", help="submit to SLURM also on one node")
    own.add_argument("--lora", metavar="RANK", type=positive, help="train adapters of this rank")
    own.add_argument("--tools", action="store_true", help="the tasks call tools: name the parser of the model's family")
    spend = parser.add_argument_group("before money is spent")
    spend.add_argument("--dry-run", action="store_true", help="write and check the file, send nothing")
    spend.add_argument("--validate", action="store_true", help="ask the platform's own schema too (installs about 0.5 GB once)")
    spend.add_argument("--max-cost", metavar="USD", type=money, help="refuse when the upper estimate is above this")
    spend.add_argument("--gpu-price", metavar="USD", type=money, help="price of a GPU-hour, when the platform names none")
    spend.add_argument("--yes", action="store_true", help="submit without asking")
    spend.add_argument("--new-run", action="store_true", help="start another run although one with this file is under way")
    spend.add_argument("--force", metavar="REASON", help="go on against open gates, or overwrite an edited file; the reason is kept")
