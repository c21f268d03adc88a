"""Evaluate a model on an environment with the real vf-eval, and count what happened.

    run_eval.py ENV -m MODEL                    50 tasks, 4 rollouts each, through Prime Inference
    run_eval.py ENV -m MODEL --base-url URL     any OpenAI-compatible endpoint
    run_eval.py ENV --simulate "skill=0.4,spread=0.3,format=0.95,seed=0"
                                                a rehearsal: simulated policy, no model, no network
    run_eval.py ENV --resume outputs/RUN        go on with a run that was interrupted
    run_eval.py ENV -m MODEL --max-cost 5       estimate first; do not start above 5 USD
    run_eval.py ENV -m MODEL --until-decided    in rounds, only until the distribution check can say
    run_eval.py --suite configs/eval/x.toml     several environments and models; again: goes on
    run_eval.py OWNER/NAME -m MODEL --hosted --yes   on the platform, by its client; again: follows

ENV is an environment's folder, module file or installed name. Nothing is uploaded without
--push, and rollouts run in the subprocess runtime of this machine unless --runtime says otherwise.
The run is written to ./outputs; check_reward_distribution.py reads it from there. A rehearsal shows
that the machinery works and how the checks react; no step passes by it.

Exit codes: 0 evaluated, or rehearsed · 1 an earlier step is open, or too many rollouts failed ·
2 usage · 3 vf-eval or the model endpoint failed · 4 too few rollouts were evaluated to say.
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

from lab.cli.arguments import count, seconds
from lab.cli.command import Command, Progress, script
from lab.cli.report import Report, usage
from lab.evaluation.simulated_policy import KEYS
from lab.sizes import GROUP_SIZE, ROLLOUTS, TASKS


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "env", metavar="ENV", nargs="?", help="environment folder, module file or installed name"
    )
    parser.add_argument("-m", "--model", help="model id at the endpoint")
    parser.add_argument(
        "-n", "--tasks", type=count, default=TASKS, help=f"number of tasks ({TASKS})"
    )
    parser.add_argument(
        "-r", "--rollouts", type=count, default=ROLLOUTS, help=f"rollouts per task ({ROLLOUTS})"
    )
    parser.add_argument(
        "-T", "--max-tokens", type=count, default=1024, help="tokens per reply (1024)"
    )
    parser.add_argument("--temperature", type=float, default=1.0, help="as in training (1.0)")
    parser.add_argument("-c", "--concurrency", type=count, default=16, help="rollouts at once (16)")
    parser.add_argument("--split", help="the taskset's split (its own default, training)")
    parser.add_argument(
        "--shuffle", type=int, metavar="SEED", help="take tasks at random instead of the first ones"
    )
    parser.add_argument("--base-url", help="OpenAI-compatible endpoint (Prime Inference)")
    parser.add_argument(
        "--api-key-var", default="PRIME_API_KEY", help="variable that holds the key (PRIME_API_KEY)"
    )
    parser.add_argument(
        "--simulate",
        metavar="SPEC",
        help=f"a simulated policy instead of a model, for example skill=0.4,spread=0.3; {KEYS}",
    )
    parser.add_argument(
        "--port", type=int, default=0, help="port of the simulated policy (a free one)"
    )
    parser.add_argument(
        "--harness", default="auto", help="auto, inline-chat, null, or any harness id (auto)"
    )
    parser.add_argument(
        "--runtime", default="subprocess", help="subprocess, docker, prime, ... (subprocess)"
    )
    parser.add_argument(
        "--output-dir", type=Path, default=Path("outputs"), help="where runs are kept (outputs)"
    )
    parser.add_argument(
        "--resume", type=Path, metavar="RUN", help="finish the interrupted run in this folder"
    )
    parser.add_argument(
        "--suite",
        type=Path,
        metavar="FILE",
        help="evaluate what this file lists, resuming what was begun",
    )
    parser.add_argument(
        "--until-decided",
        action="store_true",
        help="stop when the share of live groups is decided; -n is the most",
    )
    parser.add_argument(
        "--group-size",
        type=count,
        default=GROUP_SIZE,
        metavar="G",
        help=f"rollouts per task in training, for --until-decided ({GROUP_SIZE})",
    )
    parser.add_argument(
        "--retries",
        type=int,
        metavar="N",
        help="begin a rollout again after an error, N times at most (2; simulated: 0)",
    )
    parser.add_argument(
        "--max-cost",
        type=_money,
        metavar="USD",
        help="do not start when the upper estimate is above this",
    )
    parser.add_argument(
        "--budget-tokens",
        type=count,
        metavar="N",
        help="do not start when the upper estimate is above this many tokens",
    )
    parser.add_argument(
        "--price",
        metavar="IN,OUT",
        help="USD per million tokens (what prime inference models says)",
    )
    parser.add_argument(
        "--turns", type=count, default=1, help="model turns per rollout, for the estimate (1)"
    )
    parser.add_argument(
        "--prompt-tokens",
        type=count,
        default=512,
        help="tokens of a prompt, for the estimate (512)",
    )
    parser.add_argument(
        "--hosted",
        action="store_true",
        help="evaluate a published environment on the platform (costs money)",
    )
    parser.add_argument(
        "--poll",
        type=seconds,
        default=10.0,
        metavar="SECONDS",
        help="how often a hosted evaluation is looked at (10)",
    )
    parser.add_argument("--yes", action="store_true", help="spend money without being asked")
    parser.add_argument("--push", action="store_true", help="upload the evaluation to Prime (off)")
    parser.add_argument(
        "--pass-env",
        action="append",
        default=[],
        metavar="NAME",
        help="let the environment see this variable (a key of its judge, for example)",
    )
    parser.add_argument(
        "--pass-path",
        action="append",
        default=[],
        type=Path,
        metavar="PATH",
        help="let the environment read this file or folder of yours",
    )
    parser.add_argument(
        "--stall",
        type=seconds,
        default=900.0,
        metavar="SECONDS",
        help="end it when it neither asks the model nor finishes a rollout for so long (900)",
    )
    parser.add_argument(
        "--force", metavar="REASON", help="go on past a failed, missing or stale earlier step"
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    if not args.suite and not args.env:
        raise usage(
            "no environment to evaluate",
            "name its folder, or a file with --suite",
            id="input.arguments",
        )
    if not args.suite and not args.model and not args.simulate and not args.resume:
        raise usage(
            "no model to evaluate",
            "give -m MODEL, or --simulate 'skill=0.4,spread=0.3'",
            id="input.model",
        )
    if args.model and args.simulate:
        raise usage("both -m and --simulate were given", "leave one of them out", id="input.model")
    if args.push:
        _logged_in()
    if args.suite:
        from lab.evaluation.batch import evaluate_suite

        evaluate_suite(args, report, progress)
    elif args.hosted or _is_hosted(args.resume):
        from lab.evaluation.hosted import evaluate_hosted

        evaluate_hosted(args, report, progress)
    else:
        from lab.evaluation.one import evaluate_one

        run = evaluate_one(args, report, progress)
        if run is not None:
            report.next = script("check_reward_distribution.py", "--results", _shown(run))


def _is_hosted(run: Path | None) -> bool:
    from lab.evaluation.runs import read_note

    return run is not None and "hosted" in read_note(run)


def _logged_in() -> None:
    """An upload that nobody is logged in for would be left out without a word."""
    from lab.cli.login import require_login

    require_login("--push uploads the evaluation, and ", without="leave --push out")


def _shown(run: Path) -> str:
    run = run.resolve()
    return str(run.relative_to(Path.cwd())) if run.is_relative_to(Path.cwd()) else str(run)


def _money(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError("must be 0 or more")
    return value


COMMAND = Command(__doc__, "run_eval", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
