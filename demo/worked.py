"""The ladder of a worked environment: from the reward test to the training file.

    python demo/walk.py --env gsm8k

A copy of environments/NAME is walked, untouched, with its own rows and no network. A policy that
knows the golds stands in for the model: the simulated one of run_eval.py, or a scripted agent where
the work is done with tools (toolbelt_agent). Prepared answers stand in for the reader of the blind
review. A classic environment is tested and evaluated by its own verifiers; instead of being
published, which v1 platforms refuse, it is compared with the taskset that it was migrated to.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

from reader import review  # first: it puts scripts on the path
from walking import Walk

from lab.cli.command import Progress
from lab.cli.report import Report, missing, usage
from lab.environment import CLASSIC, Location, locate
from lab.environment.classic import library
from lab.environment.locate import interpreter
from lab.evaluation.policy_server import PolicyServer
from lab.evaluation.simulation import Tasks, policy_of

ROOT = Path(__file__).resolve().parent.parent
SIMULATED = "skill=0.45,spread=0.4,format=0.95,seed=3"
TASKS, ROLLOUTS = 24, 4
"""At least 20 tasks: with fewer the distribution check decides nothing."""
AS_CLASSIC = '{"form": "tags"}'
"""gsm8k in the form of gsm8k_classic: a migration changes nothing else."""
UNREAD = ("toolbelt_agent",)
"""Right rollouts of these are known to nothing but their own check: a sheet has none to show."""
LEFT_OUT = shutil.ignore_patterns(".prime-lab", "__pycache__", "dist", "outputs")


def names() -> list[str]:
    """The worked environments there are."""
    return sorted(path.parent.name for path in (ROOT / "environments").glob("*/pyproject.toml"))


def walk_worked(
    name: str, work: Path, keep_going: bool, tasks: int = TASKS, rollouts: int = ROLLOUTS
) -> int:
    """Walk environments/NAME in `work`; returns the exit code of the first step that did not pass,
    else 0."""
    source = ROOT / "environments" / name
    path = Walk(work, f"walking the ladder of environments/{name}")
    copy = path.folder / "environments" / name
    shutil.copytree(source, copy, ignore=LEFT_OUT)
    env = f"environments/{name}"
    if locate(str(copy)).api == CLASSIC:
        return _classic(path, locate(str(copy)), env, keep_going, tasks, rollouts)
    size = ("-n", tasks, "-r", rollouts)
    with ExitStack() as stack:
        who: tuple[str, ...] = ("--simulate", SIMULATED)
        if name == "toolbelt_agent":
            from office_agent import OfficeAgent

            url = stack.enter_context(PolicyServer(OfficeAgent(copy, tasks))).url
            path.environ |= {
                "JUDGE_BASE_URL": url,
                "JUDGE_MODEL": "scripted-judge",
                "PRIME_API_KEY": "no-key-is-needed-on-loopback",
            }
            who = ("-m", "scripted-agent", "--base-url", url)
        code = path.all(
            [
                ("test_reward", env),
                *([] if name in UNREAD else review(path.folder, env)),
                ("run_eval", env, *who, *size, "--max-tokens", 512),
                ("check_reward_distribution",),
                ("push_environment", env, "--check-only"),
                (
                    "submit_training",
                    "--env",
                    f"your-name/{name.replace('_', '-')}",
                    "--local",
                    env,
                    "--dry-run",
                ),
            ],
            keep_going,
        )
    return path.close(code)


def _classic(
    path: Walk, location: Location, env: str, keep_going: bool, tasks: int, rollouts: int
) -> int:
    """Reward test, evaluation by the classic vf-eval, distribution, proof of the migration."""
    new = location.path.parent / location.path.name.removesuffix("_classic")
    shutil.copytree(ROOT / "environments" / new.name, new, ignore=LEFT_OUT)
    code = path.all([("test_reward", env)], keep_going, of=3)
    if code and not keep_going:
        return path.close(code)
    results = _classic_eval(path, location, tasks, rollouts)
    later = path.all(
        [
            ("check_reward_distribution", "--results", results),
            (
                "test_reward",
                f"environments/{new.name}",
                "--env-args",
                AS_CLASSIC,
                "--examples",
                30,
                "--contract-file",
                f"{env}/contract.toml",
                "--against",
                env,
            ),
        ],
        keep_going,
        of=3,
    )
    return path.close(code or later)


def _classic_eval(path: Walk, location: Location, tasks: int, rollouts: int) -> Path:
    """The classic vf-eval against the simulated policy; returns the folder of its results.jsonl."""
    python = Path(interpreter(CLASSIC))
    report, quiet = Report("run_eval"), Progress(quiet=True)
    policy = policy_of(location, SIMULATED, Tasks(tasks), report, quiet)
    if policy is None:
        raise usage(
            "no paid answer is known",
            "see what is not paid in the step before",
            id="eval.simulated_answers",
        )
    with PolicyServer(policy) as server:
        words = [
            "vf-eval",
            location.name,
            "-m",
            "simulated",
            "-b",
            server.url,
            "-k",
            "NO_KEY_IS_NEEDED",
            "-n",
            tasks,
            "-r",
            rollouts,
        ]
        words += ["-c", 16, "-a", '{"eval_split": "train"}', "--disable-tui", "-s"]
        print(
            f"\n     {shlex.join(map(str, words))}\n"
            f"     (of verifiers {library(str(python))}, against the simulated policy)",
            flush=True,
        )
        done = subprocess.run(
            [python.with_name("vf-eval"), *map(str, words[1:])],
            cwd=path.folder,
            env={**os.environ, "PYTHONPATH": str(location.import_path), "NO_KEY_IS_NEEDED": "none"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    found = sorted(path.folder.rglob("results.jsonl"))
    if done.returncode or not found:
        raise missing(
            f"the classic vf-eval ended with {done.returncode}: {done.stderr.strip()[-300:]}",
            "run the line above by hand",
            id="eval.vf_eval_failed",
        )
    return found[-1].parent.relative_to(path.folder)
