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
    run = parser.add_argument_group("the run, when a file is written")
    run.add_argument("--model", metavar="M", help="the model to train")
    run.add_argument("--steps", metavar="S", type=positive, help="training steps")
    run.add_argument("--batch", metavar="B", type=positive, help="rollouts per step, a multiple of the rollouts per task")
    run.add_argument("--rollouts", metavar="R", type=positive, help="rollouts per task: the group size")
    run.add_argument("--tokens", metavar="T", type=positive, help="completion tokens per turn")
    run.add_argument("--gpu-type", metavar="GPU", help="ask for this kind of GPU")
    spend = parser.add_argument_group("before money is spent")
    spend.add_argument("--dry-run", action="store_true", help="write and check the file, send nothing")
    spend.add_argument("--max-cost", metavar="USD", type=money, help="refuse when the upper estimate is above this")
    spend.add_argument("--gpu-price", metavar="USD", type=money, help="price of a GPU-hour, when the platform names none")
    spend.add_argument("--yes", action="store_true", help="submit without asking")
    spend.add_argument("--new-run", action="store_true", help="start another run although one with this file is under way")
    spend.add_argument("--force", metavar="REASON", help="go on against open gates, or overwrite an edited file; the reason is kept")
