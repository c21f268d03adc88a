"""Walk the whole ladder with a simulated policy and no network: a dataset or a worked environment.

    python demo/walk.py                    the bundled word problems
    python demo/walk.py --data FILE        your own dataset file
    python demo/walk.py --env NAME         a worked environment: a folder of environments/
    python demo/walk.py --keep-going       do not stop at the first step that does not pass

Everything is written to demo/work/NAME. Nothing is published, uploaded or submitted: the last
step writes the training file and stops. The exit code is that of the first step that did not pass.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from reader import review
from walking import HERE, Walk

SIMULATED = "skill=0.4,spread=0.3,format=0.95,seed=0"


def walk(data: Path, name: str, folder: Path, keep_going: bool) -> int:
    """Run the steps; returns the exit code of the first that did not pass, else 0."""
    path = Walk(folder, f"walking the ladder on {data}")
    env = f"environments/{name.replace('-', '_')}"
    code = path.all(
        [
            ("preflight",),
            ("inspect_dataset", data, "--out", "profile.json"),
            ("new_environment", name, "--profile", "profile.json"),
            ("test_reward", env),
            *review(folder, env),
            ("run_eval", env, "--simulate", SIMULATED),
            ("check_reward_distribution",),
            ("push_environment", env, "--check-only"),
            ("submit_training", "--env", f"your-name/{name}", "--local", env, "--dry-run"),
        ],
        keep_going,
    )
    return path.close(code, f"environment:   {folder / env}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="dataset file (the bundled word problems)")
    parser.add_argument("--env", metavar="NAME", help="a worked environment instead of a dataset")
    parser.add_argument(
        "--keep-going", action="store_true", help="do not stop at a step that does not pass"
    )
    parser.add_argument(
        "--work", type=Path, default=HERE / "work", help="folder for everything that is written"
    )
    args = parser.parse_args()
    if args.data and args.env:
        return refuse(
            "a dataset and an environment were both given",
            "give DATA=file.jsonl or ENV=name, not both",
        )
    try:
        return _worked(args) if args.env else _dataset(args)
    except KeyboardInterrupt:
        print("\ninterrupted; run make demo again to walk from the start", file=sys.stderr)
        return 3


def _dataset(args: argparse.Namespace) -> int:
    data = (args.data or HERE / "word_problems.jsonl").expanduser().resolve()
    if not data.exists():
        return refuse(
            f"{args.data} does not exist",
            "give an existing dataset file: make demo DATA=path/to/file.jsonl",
        )
    stem = re.sub(r"[^a-z0-9]+", "-", data.name.split(".")[0].lower()).strip("-")
    name = f"demo-{stem or 'dataset'}"[:48].strip("-")
    return walk(data, name, args.work.resolve() / name, args.keep_going)


def _worked(args: argparse.Namespace) -> int:
    import worked

    name = args.env.rstrip("/").rsplit("/", 1)[-1].replace("-", "_")
    if name not in worked.names():
        return refuse(
            f"there is no worked environment {args.env!r}",
            f"choose from {', '.join(worked.names())}: make demo ENV=gsm8k",
        )
    return worked.walk_worked(name, args.work.resolve() / name, args.keep_going)


def refuse(message: str, fix: str) -> int:
    print(f"error: {message}\n  fix: {fix}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
