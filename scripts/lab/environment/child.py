"""The program of the child process: loads environments, then answers requests one by one.

    python -P -m lab.environment.child API REQUEST_FD REPLY_FD

Everything an environment prints goes to the ordinary stdout and stderr; requests and replies
have descriptors of their own, so a reward that prints or reads stdin cannot disturb them. A
request names the slot it is for: one slot holds one loaded environment.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Protocol


class Backend(Protocol):
    """One loaded environment. `load` raises on an environment that cannot be used."""

    def load(self, request: dict[str, Any]) -> dict[str, Any]: ...

    def score(self, task: int, completions: list[Any]) -> list[dict[str, Any]]: ...


def backend(api: str) -> Backend:
    if api == "taskset":
        from lab.environment.taskset_backend import TasksetBackend

        return TasksetBackend()
    from lab.environment.classic_backend import ClassicBackend

    return ClassicBackend()


def answer(api: str, slots: dict[int, Backend], request: dict[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    slot = request["slot"]
    try:
        if request["op"] == "load":
            path = request.get("import_path")
            if path and path not in sys.path:
                sys.path.insert(1, path)
            slots[slot] = backend(api)
            reply = slots[slot].load(request)
        else:
            reply = {"scores": slots[slot].score(request["task"], request["completions"])}
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        reply = {"error": describe(error), "kind": "exited" if isinstance(error, SystemExit) else "raised"}
    reply["seconds"] = time.perf_counter() - started
    reply["id"] = request["id"]
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
    with os.fdopen(requests, encoding="utf-8") as lines, os.fdopen(replies, "w", encoding="utf-8") as out:
        for line in lines:
            reply = answer(api, slots, json.loads(line))
            out.write(json.dumps(reply, default=str) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
