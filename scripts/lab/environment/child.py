"""The program of the child process: loads one environment, then answers requests one by one.

    python -P -m lab.environment.child API REQUEST_FD REPLY_FD

Everything the environment prints goes to the ordinary stdout and stderr; requests and replies
have descriptors of their own, so a reward that prints or reads stdin cannot disturb them.
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
    """One API. `load` raises on an environment that cannot be used."""

    def load(self, request: dict[str, Any]) -> dict[str, Any]: ...

    def score(self, task: int, completion: Any) -> dict[str, Any]: ...


def backend(api: str) -> Backend:
    if api != "taskset":
        raise SystemExit(f"no backend for the {api} API")
    from lab.environment.taskset_backend import TasksetBackend

    return TasksetBackend()


def answer(served: Backend, request: dict[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        if request["op"] == "load":
            reply = served.load(request)
        else:
            reply = served.score(request["task"], request["completion"])
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
    served = backend(api)
    with os.fdopen(requests, encoding="utf-8") as lines, os.fdopen(replies, "w", encoding="utf-8") as out:
        for line in lines:
            reply = answer(served, json.loads(line))
            out.write(json.dumps(reply, default=str) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
