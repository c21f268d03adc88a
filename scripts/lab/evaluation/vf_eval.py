"""Drive the real `vf-eval` with safe settings, watch it, and keep what it wrote.

`vf-eval` (verifiers 0.4) runs in a paid sandbox with a coding agent's prompt, uploads its result
and ends with 0 even when every rollout failed; so the runtime, the harness and the upload are
always stated here, and what happened is read from its files.

It runs the environment's code, so it runs in `lab.process.sandbox`: it sees the environment and
may write into the run's folder alone. The keys stay here: it asks the model, and the platform
where something is uploaded, through `lab.process.key_proxy`, which also counts the calls that a
log is held against.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from lab import LAB
from lab.cli.files import write_whole
from lab.cli.locks import held
from lab.cli.login import INFERENCE, api_key, read_login
from lab.cli.report import missing
from lab.cli.untrusted import excerpt
from lab.environment import Location
from lab.evaluation import runs
from lab.ledger.index import place_of
from lab.process.downloads import downloads
from lab.process.key_proxy import KeyProxy
from lab.process.sandbox import Running, Sandbox, allowed
from lab.process.views import code_of, narrow
from lab.rollouts.find import RUN_NOTE

HARNESSES = LAB / "evaluation" / "harness"
CHILD = LAB / "evaluation" / "eval_child.py"
TOKEN = "LAB_ENDPOINT_TOKEN"
"""The variable with the word that opens the address on loopback."""
LOCK_SECONDS = 30.0
GRACE = 10.0
"""Seconds that vf-eval has to close its files after Ctrl-C."""
STALL = 900.0
MEMORY = 32 << 30
MOST_CALLS = 500
"""Model calls per rollout that are passed on: turns, retries and judges."""
UPLOAD = (
    r"(GET|POST) /api/v1/environmentshub/(resolve\Z|[^/]+/[^/]+/@latest\Z)",
    r"(GET|POST|PUT|PATCH) /api/v1/(evaluations|traces|runs|episodes)\b",
    r"GET /api/v1/user/whoami\Z",
)
SANDBOXES = (r"(GET|POST|PUT|DELETE) /api/v1/(sandbox|template|image|secret|region)",)
DOCKER = Path("/var/run/docker.sock")


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
    pass_paths: tuple[Path, ...] = ()
    retries: int = 0
    """How often one rollout is begun again after an error (a rate limit, a lost connection)."""
    judge_url: str | None = None
    """Where the environment's judges are asked, whatever it says itself; None leaves them alone."""
    stall: float = STALL
    """Seconds without a model call and without a rollout after which it is ended."""
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

    Raises a missing error (exit 3) with the reason when it wrote none, did nothing for
    `settings.stall` seconds, or wrote rollouts whose model calls nobody saw.
    """
    run = run.resolve()
    with ExitStack() as stack:
        stack.enter_context(held(run / ".running", f"the evaluation in {run}", LOCK_SECONDS))
        stack.callback((run / ".running").unlink, missing_ok=True)
        note = (run / RUN_NOTE).read_bytes() if (run / RUN_NOTE).exists() else None
        before = runs.calls(run)
        variables = _variables(location, settings)
        endpoint = (
            None if settings.judge_url else stack.enter_context(_endpoint(settings, expected))
        )
        if endpoint:
            settings = replace(settings, base_url=endpoint.url, api_key_var=TOKEN)
            variables |= _through(endpoint, variables)
        if reached := _platform(settings):
            platform = stack.enter_context(reached)
            variables |= {
                "PRIME_API_KEY": platform.token,
                "PRIME_API_BASE_URL": platform.url,
                "PRIME_TRACES_URL": platform.url,
            }
        if resume and endpoint:
            runs.adjust(run, base_url=endpoint.url, api_key_var=TOKEN)
        running = stack.enter_context(_started(location, settings, run, variables, resume))
        try:
            running.keep_output()
            stalled = _watch(running, endpoint, run / runs.LOG, expected, on_progress, settings)
        finally:
            running.end()
            runs.tidy(run)
            if note is not None:  # it says what was evaluated, and is ours alone
                write_whole(run / RUN_NOTE, note.decode())
    episodes = runs.count_lines(run / "traces.jsonl")
    on_progress(episodes, expected)
    _judged_by_its_end(running, episodes, expected, settings, stalled)
    if endpoint:
        _held_against_the_calls(runs.calls(run) - before, endpoint.answered)
    return episodes


def _judged_by_its_end(
    running: Running, episodes: int, expected: int, settings: Settings, stalled: bool
) -> None:
    code, said = running.process.returncode, running.said
    wrote = f"wrote {episodes} of {expected} rollouts"
    if stalled:
        raise missing(
            f"vf-eval was ended: no model call and no rollout for {settings.stall:g} s; it {wrote}",
            "look for what the environment waits for (a lock, a server, input), or give a longer "
            "--stall",
            id="eval.stalled",
        )
    if code != 0 or episodes == 0:
        raise missing(
            f"vf-eval ended with {code} and {wrote}: {excerpt(_last_error(said), 400)}",
            _fix(said, settings),
            id="eval.vf_eval_failed",
        )


def _held_against_the_calls(claimed: int, seen: int) -> None:
    """A log with more model calls than were made was not written by the evaluation."""
    if claimed > seen:
        raise missing(
            f"traces.jsonl has {claimed} model calls, and {seen} were made: it was written by "
            "something else than the evaluation",
            "read the environment's code: it writes rollouts itself",
            id="eval.forged_rollouts",
        )


def _started(
    location: Location, settings: Settings, run: Path, variables: dict[str, str], resume: bool
) -> Running:
    kept = downloads(place_of(location.path))
    paths = [Path(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    box = Sandbox(
        read=[
            *code_of(location.path),
            *settings.pass_paths,
            *kept.read,
            *(path.resolve() for path in paths if narrow(path)),
        ],
        write=[run, *kept.write, *([DOCKER] if settings.runtime == "docker" else [])],
        variables={**variables, **kept.variables},
        memory=MEMORY,
        grace=GRACE,
    )
    # In a container the files of ports lie in the container.
    own = settings.judge_url or settings.runtime == "subprocess"
    program = [sys.executable, str(CHILD), settings.judge_url or ""] if own else vf_eval()
    line = (
        ["@", str(run / "configs" / "resolved" / "eval.json"), "--resume"]
        if resume
        else settings.arguments(location.name, run.parent, run.name)
    )
    return box.start([*program, *line])


def _endpoint(settings: Settings, expected: int) -> KeyProxy:
    """The model's service with this user's key, as verifiers 0.4 would choose both."""
    login = read_login()
    service = settings.base_url or login.inference or INFERENCE
    key = os.environ.get(settings.api_key_var, "")
    host = urlsplit(service).hostname or ""
    prime = settings.api_key_var == "PRIME_API_KEY" and f".{host}".endswith(".pinference.ai")
    headers = {}
    if prime:
        key = key or api_key()
        headers = {"X-Prime-Team-ID": login.team} if login.team else {}
    headers["Authorization"] = f"Bearer {key or 'EMPTY'}"
    return KeyProxy(service, headers, most=1000 + MOST_CALLS * expected)


def _through(endpoint: KeyProxy, variables: dict[str, str]) -> dict[str, str]:
    """What the process gets in the place of a key. Judges that ask Prime Inference by its default
    address ask through the proxy, unless the user passed the key itself on."""
    through = {TOKEN: endpoint.token}
    if "PRIME_API_KEY" not in variables:
        through |= {"PRIME_API_KEY": endpoint.token, "PRIME_INFERENCE_URL": endpoint.url}
    return through


def _platform(settings: Settings) -> KeyProxy | None:
    """The platform, for what was asked of it: an upload, or sandboxes."""
    paths = (
        *(UPLOAD if settings.push else ()),
        *(SANDBOXES if settings.runtime == "prime" else ()),
    )
    if not paths:
        return None
    return KeyProxy(read_login().hub, {"Authorization": f"Bearer {api_key()}"}, paths=paths)


def _variables(location: Location, settings: Settings) -> dict[str, str]:
    paths = [str(HARNESSES), *([str(location.import_path)] if location.import_path else [])]
    if os.environ.get("PYTHONPATH"):
        paths.append(os.environ["PYTHONPATH"])
    named = (*settings.pass_env, "PRIME_TEAM_ID", "PRIME_FRONTEND_URL")
    kept = allowed((*named, *(("DOCKER_HOST",) if settings.runtime == "docker" else ())))
    judge = settings.judge_url
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(paths),
        "NO_COLOR": "1",
        **(
            {"JUDGE_BASE_URL": judge, "OPENAI_BASE_URL": judge, "OPENAI_API_KEY": "EMPTY"}
            if judge
            else {}
        ),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", "")]),
        **({} if settings.push else {"PRIME_RUNS_MODE": "disabled"}),
    }


def _watch(
    running: Running,
    endpoint: KeyProxy | None,
    traces: Path,
    expected: int,
    on_progress: Callable[[int, int], None],
    settings: Settings,
) -> bool:
    """Until the process ends; True when it did nothing for too long."""
    count, moved = -1, time.monotonic()
    while True:
        if running.ended(0.5):
            return False
        now, there = time.monotonic(), runs.count_lines(traces)
        on_progress(there, expected)
        if there != count or (endpoint and endpoint.active):
            count, moved = there, now
        if endpoint:
            moved = max(moved, endpoint.last)
        if now - moved > settings.stall:
            return True


def _last_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [
        line
        for line in lines
        if re.search(r"error|not found|refused|invalid|denied|authenticat", line, re.IGNORECASE)
    ]
    return (telling or lines or ["it printed nothing"])[-1]


def _fix(output: str, settings: Settings) -> str:
    if "not authenticated with prime" in output:
        return "log in with: prime login (or set PRIME_API_KEY), or use --runtime subprocess"
    if "split" in output and settings.split:
        return "the taskset has no split field: leave --split out"
    return (
        "run it once by hand to see the whole output: vf-eval with the arguments in the run's "
        "configs folder"
    )
