"""The tool's side of the child process: starts it with limits, asks, and outlives whatever it does.

A completion that is not scored in time, or a child that dies, becomes a `Score` with an error;
the next request starts a new child. After `Limits.restarts` of these the rest is not run, and
says so. The child gets a working folder of its own, no secrets, and dies with its whole
process group.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.environment.locate import Location
from lab.environment.protocol import Completion, Description, Score, Task
from lab.report import missing
from lab.untrusted import excerpt

SCRIPTS = Path(__file__).resolve().parents[2]
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "HF_ENDPOINT", "HF_HUB_OFFLINE", "UV_CACHE_DIR")


@dataclass(frozen=True)
class Limits:
    """Seconds, bytes and counts that the child process is held to."""

    load: float = 180.0
    """Seconds for importing the environment and reading its tasks."""
    score: float = 20.0
    """Seconds for one completion."""
    total: float = 900.0
    """Seconds for all completions together."""
    memory: int = 8 << 30
    """Bytes of address space."""
    restarts: int = 4
    """How many times a child that hung or died is replaced."""


class Environment:
    """A located environment, running. Use as a context manager.

    `examples` tasks are kept, spread over the whole taskset, or its first ones with `first`.

    with Environment(locate("environments/my_env"), examples=20) as env:
        env.description.tasks[0].prompt
        env.score(0, "#### 42").reward
    """

    def __init__(
        self,
        location: Location,
        *,
        examples: int = 20,
        first: bool = False,
        config: dict[str, Any] | None = None,
        limits: Limits | None = None,
        pass_env: Iterable[str] = (),
        python: str = sys.executable,
    ):
        self.location, self.examples, self.config = location, examples, config or {}
        self.first = first
        self.limits, self.python = limits or Limits(), python
        self.pass_env = tuple(pass_env)
        self.deaths = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._output: deque[bytes] = deque(maxlen=64)
        self._spent = 0.0

    def __enter__(self) -> Environment:
        self.folder = Path(tempfile.mkdtemp(prefix="lab-environment-"))
        try:
            self.description = self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def score(self, task: int, completion: Completion) -> Score:
        """Score `completion` for the task at position `task` of `description.tasks`.

        Never raises for what the environment does.
        """
        if self._spent > self.limits.total:
            return Score(None, error=f"not run: the {self.limits.total:g} s for all completions are over", kind="not_run")
        if self._process is None:
            if self.deaths > self.limits.restarts:
                return Score(None, error=f"not run: the environment hung or died {self.deaths} times", kind="not_run")
            self._start()
        started = time.monotonic()
        reply = self._ask({"op": "score", "task": task, "completion": completion}, self.limits.score)
        seconds = time.monotonic() - started
        self._spent += seconds
        if "died" in reply:
            return Score(None, error=reply["died"], kind=reply["kind"], seconds=seconds)
        if reply.get("error"):
            return Score(None, error=reply["error"], kind=reply.get("kind", "raised"), seconds=reply["seconds"])
        return Score(float(reply["reward"]), reply["components"], reply["metrics"], seconds=reply["seconds"])

    def score_all(
        self, cases: Iterable[tuple[int, Completion]], on_done: Callable[[int], None] = lambda _: None
    ) -> list[Score]:
        """Scores in the order of `cases`; `on_done` gets the count after each."""
        scores = []
        for count, (task, completion) in enumerate(cases, 1):
            scores.append(self.score(task, completion))
            on_done(count)
        return scores

    # --- the child ---------------------------------------------------------------

    def _start(self) -> Description:
        to_child, from_parent = os.pipe()
        from_child, to_parent = os.pipe()
        paths = [str(SCRIPTS), *([str(self.location.import_path)] if self.location.import_path else [])]
        memory = self.limits.memory

        def restrict() -> None:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        try:
            self._process = subprocess.Popen(
                [self.python, "-P", "-m", "lab.environment.child", self.location.api, str(to_child), str(to_parent)],
                cwd=self.folder,
                env={**self._variables(), "PYTHONPATH": os.pathsep.join(paths)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(to_child, to_parent),
                start_new_session=True,
                preexec_fn=restrict,
            )
        finally:
            os.close(to_child)
            os.close(to_parent)
        self._write, self._read, self._buffer = from_parent, from_child, b""
        os.set_blocking(self._write, False)
        threading.Thread(target=_drain, args=(self._process.stdout, self._output), daemon=True).start()
        request = {
            "op": "load",
            "name": self.location.name,
            "module": self.location.module,
            "limit": self.examples,
            "first": self.first,
            "config": self.config,
        }
        reply = self._ask(request, self.limits.load)
        if "died" in reply or reply.get("error"):
            self._stop()
            raise missing(
                f"the environment {self.location.name} does not load: {excerpt(reply.get('died') or reply['error'], 400)}",
                _load_fix(reply.get("error") or "", self.location),
                id="environment.load",
            )
        fields = {key: reply[key] for key in ("total", "rewards", "metrics", "needs_runtime")}
        optional = {key: reply[key] for key in ("harness", "runtime", "split", "unawaited") if key in reply}
        tasks, first = ([Task(**task) for task in reply.get(key, [])] for key in ("tasks", "first"))
        return Description(self.location.api, tasks, first=first, **fields, **optional)

    def _variables(self) -> dict[str, str]:
        hub = os.environ.get("HF_HOME") or str(Path.home() / ".cache" / "huggingface")
        return {
            **{name: os.environ[name] for name in (*PASSED_ON, *self.pass_env) if name in os.environ},
            "HF_HOME": hub,
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
            "PYTHONHASHSEED": "0",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        }

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One request, one reply; `{"died": ..., "kind": ...}` when none came."""
        deadline = time.monotonic() + seconds
        payload = memoryview(json.dumps(request).encode() + b"\n")
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0:
                self._stop()
                self.deaths += 1
                return {"died": f"no result after {seconds:g} s", "kind": "timeout"}
            readable, writable, _ = select.select([self._read], [self._write] if payload else [], [], left)
            try:
                if writable:
                    payload = payload[os.write(self._write, payload[:65536]) :]
                if readable:
                    chunk = os.read(self._read, 1 << 20)
                    if not chunk:
                        raise BrokenPipeError
                    self._buffer += chunk
            except BrokenPipeError:
                return {"died": self._obituary(), "kind": "exited"}
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def _obituary(self) -> str:
        process = self._process
        assert process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        code = process.returncode
        how = f"killed by {signal.Signals(-code).name}" if code and code < 0 else f"exit code {code}"
        self._stop()
        self.deaths += 1
        output = b"".join(self._output).decode(errors="replace").strip().splitlines()
        return f"the process ended ({how})" + (f"; its last line: {excerpt(output[-1], 200)}" if output else "")

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for descriptor in (self._write, self._read):
            os.close(descriptor)


def _drain(stream: Any, keep: deque[bytes]) -> None:
    """Read what the environment prints and keep only the end of it, so a flood fills nothing."""
    with contextlib.suppress(OSError, ValueError):
        while chunk := stream.read1(4096):
            keep.append(chunk)


def _load_fix(error: str, location: Location) -> str:
    if error.startswith("ModuleNotFoundError"):
        return "install what the environment imports (the dependencies of its pyproject.toml) beside verifiers"
    if "__all__" in error or "subclass" in error:
        return f"export exactly one Taskset subclass in the __all__ of {location.module}/__init__.py"
    return f"mend the environment until its taskset loads; python -c 'import {location.module}' shows the traceback"
