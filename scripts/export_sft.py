"""Turn rollouts that earned their reward into data for a supervised warm-up.

    export_sft.py outputs/RUN --out data/warmup            the best rollouts of a run, as chat rows
    export_sft.py RUN RUN2 --out DIR --min-reward 1.0 --per-task 4 --not-in outputs/EVAL_RUN
    export_sft.py RUN --out DIR --repair-format --env environments/my_env
    export_sft.py RUN --out DIR --model Qwen/Qwen3-4B-Instruct-2507 --tokenizer PATH

Writes OUT/data/*.parquet and OUT/jsonl/*.jsonl (messages, tools, where each row comes from), held
out by task, a card, and a training file for prime-rl whose length, renderer and loss mask fit the
rows. Left out and counted: errors, cut and empty replies, failed judges, wrong answers, exploits,
copies, texts that hold a key, what the trainer would crash on, everything above K per task. A run
of an evaluation split is refused. With --repair-format, replies that are right in content and wrong
in form are written in the asked form, scored by the environment, and marked.

Exit codes: 0 written · 1 a check failed (nothing is written when there are no rows) · 2 usage, or
an evaluation split · 3 something is missing or broken.
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

from lab.cli.arguments import count
from lab.cli.command import Command, Progress
from lab.cli.report import Report


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "results", metavar="RESULTS", type=Path, nargs="+", help="run folders or results files"
    )
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="a new folder for the data"
    )
    parser.add_argument(
        "--min-reward",
        metavar="R",
        type=float,
        help="smallest reward of a kept rollout (the full reward)",
    )
    parser.add_argument(
        "--per-task", metavar="K", type=count, default=4, help="rollouts per task at most (4)"
    )
    parser.add_argument(
        "--heldout",
        metavar="SHARE",
        type=_share,
        default=0.05,
        help="share of the tasks held out for the validation loss (0.05)",
    )
    parser.add_argument(
        "--not-in",
        metavar="RUN",
        type=Path,
        action="append",
        default=[],
        help="results whose tasks must not be trained on; may be repeated",
    )
    parser.add_argument(
        "--max-length",
        metavar="TOKENS",
        type=count,
        default=16384,
        help="longer conversations are left out (16384)",
    )
    parser.add_argument("--no-balance", action="store_true", help="keep all rows of easy tasks")
    parser.add_argument(
        "--drop-reasoning", action="store_true", help="leave reasoning_content out of the rows"
    )
    parser.add_argument(
        "--repair-format",
        action="store_true",
        help="also rows from replies that only miss the form (needs the environment)",
    )
    parser.add_argument(
        "--env", metavar="ENV", type=Path, help="the environment (what the run says)"
    )
    parser.add_argument(
        "--model", help="the model to warm up, for the training file (Qwen/Qwen3-4B-Instruct-2507)"
    )
    parser.add_argument("--renderer", help="how messages become tokens (by the model's name)")
    parser.add_argument(
        "--tokenizer",
        metavar="PATH",
        help="a tokenizer, to check every row by the trainer's own tokens",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="where the training file goes (configs/sft/<env>.toml)",
    )
    parser.add_argument(
        "--data-name",
        metavar="NAME",
        help="how the training file names the data, for example datasets/warmup on a volume (DIR)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="for the held-out tasks and the order (0)"
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace DIR and the training file"
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.warmup.export import export

    export(args, report, progress)


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value < 0.5:
        raise argparse.ArgumentTypeError("must be at least 0 and below 0.5")
    return value


COMMAND = Command(__doc__, "export_sft", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
