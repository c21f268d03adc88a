"""The program of the child process: loads environments, and scores in a copy of itself.

    python -P -m lab.environment.child API REQUEST_FD REPLY_FD

Loading takes seconds, so it is done once. Scoring happens in a fork of the loaded process: when
a completion makes it hang, exit or kill itself, a new fork stands ready in milliseconds and
knows nothing of the last one. Everything an environment prints goes to the ordinary stdout and
stderr; requests and replies have descriptors of their own. A request names the slot it is for:
one slot holds one loaded environment.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Protocol


class Backend(Protocol):
    """One loaded environment. `load` raises on an environment that cannot be used."""

    def load(self, request: dict[str, Any]) -> dict[str, Any]: ...

    def score(self, task: int, completions: list[Any]) -> list[dict[str, Any]]: ...

    def play(self, task: int, attempts: list[list[str]]) -> dict[str, Any]: ...

    def validate(self, task: int) -> dict[str, Any]: ...


def backend(api: str) -> Backend:
    # Garbage collection during the library's import finds nothing and takes a seventh of its time;
    # frozen, what was imported is not walked, and so not copied, by the collections of each fork.
    gc.disable()
    try:
        if api == "taskset":
            from lab.environment.taskset_backend import TasksetBackend

            return TasksetBackend()
        from lab.environment.classic_backend import ClassicBackend

        return ClassicBackend()
    finally:
        gc.freeze()
        gc.enable()


class Scorer:
    """The fork that scores. `ask` starts it when there is none, and buries it when it dies."""

    def __init__(self, slots: dict[int, Backend]):
        self.slots = slots
        self.pid = 0

    def start(self) -> None:
        to_fork, from_parent = os.pipe()
        from_fork, to_parent = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(from_parent)
            os.close(from_fork)
            _serve(self.slots, to_fork, to_parent)
            os._exit(0)
        os.close(to_fork)
        os.close(to_parent)
        self.pid, self.write, self.read, self.buffer = pid, from_parent, from_fork, bytearray()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The reply line, or one that says how the fork ended."""
        if not self.pid:
            self.start()
        started = deadline = time.monotonic()
        deadline += seconds
        payload = memoryview(line)
        try:
            while b"\n" not in self.buffer:
                left = deadline - time.monotonic()
                if left <= 0:
                    self.stop()
                    return _died(f"no result after {seconds:g} s", "timeout", started)
                readable, writable, _ = select.select([self.read], [self.write] if payload else [], [], left)
                if writable:
                    payload = payload[os.write(self.write, payload[: select.PIPE_BUF]) :]
                if readable:
                    chunk = os.read(self.read, 1 << 20)
                    if not chunk:
                        raise BrokenPipeError
                    self.buffer += chunk
        except BrokenPipeError:
            return _died(f"scoring ended the process ({self.stop()})", "exited", started)
        reply, self.buffer = self.buffer.split(b"\n", 1)
        if reply.startswith(SPENT):
            self.stop()
        return bytes(reply)

    def stop(self) -> str:
        """Kill the fork and all that it started in its group; returns how it ended."""
        if not self.pid:
            return ""
        pid, self.pid = self.pid, 0
        ended, status = 0, 0
        with contextlib.suppress(ChildProcessError):
            ended, status = os.waitpid(pid, os.WNOHANG)
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        if not ended:
            with contextlib.suppress(ChildProcessError):
                _, status = os.waitpid(pid, 0)
        os.close(self.write)
        os.close(self.read)
        code = os.waitstatus_to_exitcode(status)
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


SPENT = b'{"spent"'
"""How the reply of a fork begins that must not be asked again."""


def _died(how: str, kind: str, started: float) -> bytes:
    return json.dumps({"error": how, "kind": kind, "died": True, "seconds": time.monotonic() - started}).encode()


def _serve(slots: dict[int, Backend], requests: int, replies: int) -> None:
    """The fork's loop. It leads a group of its own, so that a reward's `killpg(0)` stays inside."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    with os.fdopen(requests, encoding="utf-8") as lines, os.fdopen(replies, "w", encoding="utf-8") as out:
        for line in lines:
            request = json.loads(line)
            started = time.perf_counter()
            reply: dict[str, Any]
            try:
                served = slots[request["slot"]]
                if request["op"] == "validate":
                    reply = served.validate(request["task"])
                elif request["op"] == "play":
                    reply = served.play(request["task"], request["attempts"])
                else:
                    reply = {"scores": served.score(request["task"], request["completions"])}
            except Exception as error:
                reply = {"error": describe(error), "kind": "raised"}
            except BaseException as error:  # an exit went through the event loop: it is of no further use
                reply = {"spent": True, "error": describe(error), "kind": "exited"}
            reply["seconds"] = time.perf_counter() - started
            out.write(json.dumps(reply, default=str) + "\n")
            out.flush()


def load(api: str, slots: dict[int, Backend], request: dict[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    path = request.get("import_path")
    if path and path not in sys.path:
        sys.path.insert(1, path)
    try:
        served = backend(api)
        reply = served.load(request)
        slots[request["slot"]] = served
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        reply = {"error": describe(error), "kind": "exited" if isinstance(error, SystemExit) else "raised"}
    reply["seconds"] = time.perf_counter() - started
    return reply


def describe(error: BaseException) -> str:
    """The innermost cause with the place in the environment's own code, on one line."""
    while error.__cause__ is not None or getattr(error, "exceptions", None):
        error = error.__cause__ or error.exceptions[0]  # type: ignore[attr-defined]
    frames = traceback.extract_tb(error.__traceback__)
    foreign = ("site-packages", "/lab/environment/", "<frozen", f"/python{sys.version_info[0]}.")
    own = [f for f in frames if not any(part in f.filename for part in foreign)]
    where = f" ({Path(own[-1].filename).name} line {own[-1].lineno}, in {own[-1].name})" if own else ""
    return f"{type(error).__name__}: {error}{where}"[:2000]


def main() -> None:
    api, requests, replies = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for descriptor in (requests, replies):
        os.set_inheritable(descriptor, False)
    slots: dict[int, Backend] = {}
    scorer = Scorer(slots)
    with os.fdopen(requests, "rb") as lines, os.fdopen(replies, "wb") as out:
        for line in lines:
            request = json.loads(line)
            if request["op"] == "load":
                scorer.stop()  # the next fork knows the new environment too
                reply = json.dumps(load(api, slots, request), default=str).encode()
            else:
                reply = scorer.ask(line, request["seconds"])
            out.write(b'{"id": %d, "reply": ' % request["id"] + reply + b"}\n")
            out.flush()


if __name__ == "__main__":
    main()
