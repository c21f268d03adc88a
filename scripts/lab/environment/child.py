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
import random
import select
import signal
import sys
import time
from typing import Any, Protocol

from lab.environment.comparisons import Comparisons
from lab.environment.errors import describe, describe_load
from lab.environment.importing import COPIED, copied, small, writes_beside
from lab.environment.pools import own_executors
from lab.environment.records import records
from lab.environment.watch import Watch


class Backend(Protocol):
    """One loaded environment. `load` raises on an environment that cannot be used."""

    as_dicts: bool
    """Whether messages are plain dictionaries for once; of the classic API."""

    def load(self, request: dict[str, Any]) -> dict[str, Any]: ...

    def score(self, task: int, completions: list[Any]) -> list[dict[str, Any]]: ...

    def play(self, task: int, attempts: list[list[str]]) -> dict[str, Any]: ...

    def validate(self, task: int) -> dict[str, Any]: ...

    def computed(self, task: int, more: dict[str, Any]) -> list[tuple[str, Any]]: ...

    def making(self) -> dict[int, Any]: ...

    def never_same(self) -> dict[str, Any]: ...

    def rows(self, most: int) -> list[dict[str, Any]]: ...

    def held_out(self, most: int) -> list[dict[str, Any]]: ...

    @property
    def roots(self) -> list[str]: ...


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
        self.pid = self.started = 0

    def start(self) -> None:
        self.started += 1
        to_fork, from_parent = os.pipe()
        from_fork, to_parent = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(from_parent)
            os.close(from_fork)
            if self.started > 1:
                _reseed(self.started)
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
                readable, writable, _ = select.select(
                    [self.read], [self.write] if payload else [], [], left
                )
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


def _reseed(number: int) -> None:
    """Chance of its own for each further fork: what draws lots must not look the same in all."""
    random.seed(number)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(number)


SPENT = b'{"spent"'
"""How the reply of a fork begins that must not be asked again."""


def _died(how: str, kind: str, started: float) -> bytes:
    return json.dumps(
        {"error": how, "kind": kind, "died": True, "seconds": time.monotonic() - started}
    ).encode()


def _serve(slots: dict[int, Backend], requests: int, replies: int) -> None:
    """The fork's loop. It leads a group of its own, so that a reward's `killpg(0)` stays inside."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    own_executors()
    with (
        os.fdopen(requests, encoding="utf-8") as lines,
        os.fdopen(replies, "w", encoding="utf-8") as out,
    ):
        for line in lines:
            request = json.loads(line)
            started = time.perf_counter()
            reply: dict[str, Any]
            try:
                served = slots[request["slot"]]
                if request["op"] == "validate":
                    reply = served.validate(request["task"])
                elif request["op"] in ("rows", "held_out"):
                    read = served.rows if request["op"] == "rows" else served.held_out
                    reply = {"rows": read(request["most"])}
                elif request["op"] == "computed":
                    reply = {"values": served.computed(request["task"], request["more"])}
                elif request["op"] == "making":
                    reply = {"values": list(served.making().items())}
                elif request["op"] == "never_same":
                    reply = {"values": list(served.never_same().items())}
                elif request["op"] == "records":
                    reply = {"values": records(served.roots)}
                elif request["op"] == "watch":
                    reply = watched(served, request)
                elif request["op"] == "play":
                    reply = served.play(request["task"], request["attempts"])
                else:
                    reply = {"scores": served.score(request["task"], request["completions"])}
            except Exception as error:
                reply = {"error": describe(error), "kind": "raised"}
            except (
                BaseException
            ) as error:  # an exit went through the event loop: it is of no further use
                reply = {"spent": True, "error": describe(error), "kind": "exited"}
            reply["seconds"] = time.perf_counter() - started
            reply["cpu"] = sum(os.times()[:4])
            out.write(json.dumps(reply, default=str) + "\n")
            out.flush()


def watched(served: Backend, request: dict[str, Any]) -> dict[str, Any]:
    """The scores of the completions, with what the environment's code held meanwhile, or with what
    it compared."""
    served.as_dicts = request["as_dicts"]
    seen = Comparisons(served.roots) if request["comparisons"] else Watch(served.roots)
    try:
        with seen:
            scores = served.score(request["task"], request["completions"])
    finally:
        served.as_dicts = False
    told = {name: getattr(seen, name, []) for name in ("values", "errors", "pairs", "steps")}
    places = list(getattr(seen, "places", {}).values())
    return {"scores": scores, **told, "places": places, "alike": getattr(seen, "alike", 0.0)}


def load(api: str, slots: dict[int, Backend], request: dict[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    path = request.get("import_path")
    if path and path not in sys.path:
        sys.path.insert(1, path)
    try:
        try:
            served = backend(api)
            reply = served.load(request)
        except Exception as error:
            if not (path and writes_beside(error, path) and small(path)):
                raise
            served = backend(api)
            reply = served.load({**request, "import_path": copied(path)})
            reply["helped"] = [*reply.get("helped", []), COPIED]
        slots[request["slot"]] = served
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        reply = {
            "error": describe_load(error),
            "kind": "exited" if isinstance(error, SystemExit) else "raised",
        }
    reply["seconds"] = time.perf_counter() - started
    return reply


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
            elif request["op"] == "fresh":
                scorer.stop()  # the next completion is scored by a fork that knows nothing
                reply = b"{}"
            else:
                reply = scorer.ask(line, request["seconds"])
            out.write(b'{"id": %d, "reply": ' % request["id"] + reply + b"}\n")
            out.flush()


if __name__ == "__main__":
    main()
