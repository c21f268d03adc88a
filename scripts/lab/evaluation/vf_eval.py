"""Drive the real `vf-eval` with safe settings, watch it, and keep what it wrote.

`vf-eval` (verifiers 0.4) runs in a paid sandbox with a coding agent's prompt, uploads its result
and ends with 0 even when every rollout failed; so the runtime, the harness and the upload are
always stated here, and what happened is read from its files. It runs in a process group of its
own, which is ended with us.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lab.environment import Location
from lab.evaluation.runs import count_lines
from lab.report import missing, usage
from lab.untrusted import excerpt

LAB = Path(__file__).parents[1]
HARNESSES = LAB / "harness"
LIFELINE = LAB / "lifeline.py"
JUDGED = LAB / "judged_eval.py"
LOCK_SECONDS = 30.0
SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)


@dataclass(frozen=True)
class Settings:
    """What one evaluation runs with."""

    model: str
    tasks: int
    rollouts: int
    max_tokens: int
    temperature: float
    concurrency: int
    base_url: str | None = None
    api_key_var: str = "PRIME_API_KEY"
    harness: str = "inline-chat"
    runtime: str = "subprocess"
    split: str | None = None
    shuffle: int | None = None
    push: bool = False
    pass_env: tuple[str, ...] = ()
    retries: int = 0
    """How often one rollout is begun again after an error (a rate limit, a lost connection)."""
    judge_url: str | None = None
    """Where the environment's judges are asked, whatever it says itself; None leaves them alone."""
    extra: tuple[str, ...] = ()

    def arguments(self, name: str, output: Path, run: str) -> list[str]:
        """The `vf-eval` command line. Every default that costs money or publishes is overridden."""
        line = [
            name,
            *("--model", self.model),
            *("--select.limit", str(self.tasks)),
            *("--num-rollouts", str(self.rollouts)),
            *("--max-concurrent", str(self.concurrency)),
            *("--sampling.temperature", str(self.temperature)),
            *("--sampling.max-tokens", str(self.max_tokens)),
            *("--client.api-key-var", self.api_key_var),
            *("--env.agent.harness.id", self.harness),
            *("--env.agent.runtime.type", self.runtime),
            *("--output-dir", str(output)),
            *("--run.name", run),
            "--push" if self.push else "--no-push",
        ]
        if self.base_url:
            line += ["--client.base-url", self.base_url]
        if self.split:
            line += ["--env.taskset.split", self.split]
        if self.retries:
            line += ["--env.agent.retries.max-retries", str(self.retries)]
        if self.shuffle is not None:
            line += ["--select.shuffle", "true", "--select.seed", str(self.shuffle)]
        return [*line, *self.extra]


def vf_eval() -> list[str]:
    """The `vf-eval` of this interpreter's environment, whichever other one is on PATH."""
    beside = Path(sys.executable).with_name("vf-eval")
    if beside.is_file():
        return [str(beside)]
    return [sys.executable, "-c", "from verifiers.v1.cli.eval.main import main; main()"]


def _judged(url: str) -> list[str]:
    return [sys.executable, str(JUDGED), url]


def evaluate(
    location: Location,
    settings: Settings,
    run: Path,
    *,
    expected: int,
    on_progress: Callable[[int, int], None],
    resume: bool = False,
) -> int:
    """Run `vf-eval` to its end; returns the number of episodes in `run/traces.jsonl`.

    Raises a missing error (exit 3) with the reason when it wrote none.
    """
    run.parent.mkdir(parents=True, exist_ok=True)
    line = (
        ["@", str(run / "configs" / "resolved" / "eval.json"), "--resume"]
        if resume
        else settings.arguments(location.name, run.parent, run.name)
    )
    log = run.parent / f".{run.name}.log"
    with _only_one(run) as lock, log.open("wb") as sink:
        watched, lifeline = os.pipe()
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", str(LIFELINE), str(watched), *(_judged(settings.judge_url) if settings.judge_url else vf_eval()), *line],
                env=_variables(location, settings),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=[watched, lock],
            )
            os.close(watched)
            try:
                code = _watch(process, run / "traces.jsonl", expected, on_progress)
            finally:
                _end(process)
        finally:
            os.close(lifeline)
    output = log.read_text(encoding="utf-8", errors="replace")
    log.unlink()
    episodes = count_lines(run / "traces.jsonl")
    on_progress(episodes, expected)
    if code != 0 or episodes == 0:
        raise missing(
            f"vf-eval ended with {code} and wrote {episodes} of {expected} rollouts: {excerpt(_last_error(output), 400)}",
            _fix(output, settings),
            id="eval.vf_eval_failed",
        )
    return episodes


@contextlib.contextmanager
def _only_one(run: Path) -> Iterator[int]:
    """A lock that the evaluation and its guard hold until both have ended, so that a run which
    is resumed right after a kill waits for the rest of the old one; yields its descriptor."""
    run.mkdir(parents=True, exist_ok=True)
    with (run / ".running").open("wb") as file:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise usage(f"{run} is being evaluated by another process", "wait for it, or end it", id="input.running") from None
                time.sleep(0.1)
        try:
            yield file.fileno()
        finally:
            (run / ".running").unlink(missing_ok=True)


def _variables(location: Location, settings: Settings) -> dict[str, str]:
    named = {settings.api_key_var, *settings.pass_env}
    if settings.push or settings.runtime == "prime":
        named.add("PRIME_API_KEY")  # without it vf-eval uploads nothing, and says so only in its log
    kept = {name: value for name, value in os.environ.items() if name in named or not SECRET.search(name)}
    paths = [str(HARNESSES), *([str(location.import_path)] if location.import_path else [])]
    if kept.get("PYTHONPATH"):
        paths.append(kept["PYTHONPATH"])
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(paths),
        "NO_COLOR": "1",
        **({"JUDGE_BASE_URL": settings.judge_url, "OPENAI_BASE_URL": settings.judge_url, "OPENAI_API_KEY": "EMPTY"} if settings.judge_url else {}),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", "")]),
        **({} if settings.push else {"PRIME_RUNS_MODE": "disabled"}),
    }


def _watch(process: subprocess.Popen, traces: Path, expected: int, on_progress: Callable[[int, int], None]) -> int:
    while True:
        try:
            return process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            on_progress(count_lines(traces), expected)


def _end(process: subprocess.Popen) -> None:
    """End the whole group: first politely, so that vf-eval closes its files, then at once."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"error|not found|refused|invalid|denied|authenticat", line, re.IGNORECASE)]
    return (telling or lines or ["it printed nothing"])[-1]


def _fix(output: str, settings: Settings) -> str:
    if "not authenticated with prime" in output:
        return "log in with: prime login (or set PRIME_API_KEY), or use --runtime subprocess"
    if "split" in output and settings.split:
        return "the taskset has no split field: leave --split out"
    return "run it once by hand to see the whole output: vf-eval with the arguments in the run's configs folder"
