"""An environment as the tool sees it: loaded in a worker, described, and scored.

A completion that is not scored in time, or that ends the process, becomes a `Score` with an
error, and the next one is scored by a fresh process. After `Limits.restarts` of these the rest is not run, and
says so.
"""

from __future__ import annotations

import itertools
import re
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from lab.environment.locate import CLASSIC, Location
from lab.environment.protocol import Completion, Description, Played, Score, Task, Validity
from lab.environment.worker import Died, Worker
from lab.report import missing, usage
from lab.untrusted import excerpt


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
    restarts: int = 12
    """How many times scoring that hung or died is started again."""


COMPANIONS: list[Completion] = ["I do not know.", "The answer is something else, I think."]
"""The other rollouts of a group, where a classic reward compares them."""
GRACE = 5.0
"""Seconds that the child has to notice a timeout itself, before it is given up as a whole."""


class Environment:
    """A located environment, running. Use as a context manager.

    `examples` tasks are kept, spread over the whole taskset, or its first ones with `first`.
    `config` goes to the taskset's configuration, or to `load_environment` (classic);
    `judge_base_url` is where judges are sent, `seat` the agent whose trace is scored.

    with Environment(locate("environments/my_env"), examples=20) as env:
        env.description.tasks[0].prompt
        env.score(0, "#### 42").reward
    """

    _ids = itertools.count(1)

    def __init__(
        self,
        location: Location,
        *,
        examples: int = 20,
        first: bool = False,
        config: dict[str, Any] | None = None,
        limits: Limits | None = None,
        pass_env: Iterable[str] = (),
        python: str | None = None,
        worker: Worker | None = None,
        judge_base_url: str = "",
        seat: str = "",
    ):
        self.location, self.examples, self.first, self.config = location, examples, first, config or {}
        self.limits = limits or Limits()
        self.judge_base_url, self.seat = judge_base_url, seat
        self.expect: Callable[..., None] = lambda right, completion="": None
        """Called before each completion with whether it is right: for a judge that is scripted."""
        self.prelude: dict[int, list[dict[str, Any]]] = {}
        """Per task the replies that stand before every text, where an answer is wanted only after them."""
        self.deaths = 0
        self._scored = 0
        self._unplayable = False
        self._spent = 0.0
        self._own = worker is None
        if worker is None:
            worker = Worker(
                location.api,
                python=python or interpreter(location.api),
                import_paths=[location.import_path] if location.import_path else [],
                memory=self.limits.memory,
                variables=pass_env,
            )
        self.worker = worker
        self._generation = -1

    def __enter__(self) -> Environment:
        try:
            self.description = self._load()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._own:
            self.worker.close()

    def score(self, task: int, completion: Completion) -> Score:
        """Score `completion` for the task at position `task` of `description.tasks`.

        Never raises for what the environment does.
        """
        # A reward over groups compares rollouts: alone, every completion would be the best.
        companions = COMPANIONS if self.description.group else []
        return self.score_group(task, [completion, *companions])[0]

    def validate(self, task: int) -> Validity:
        """The task's own check of its gold, in a runtime. Never raises for what the environment does."""
        if self._refused():
            return Validity(None)
        started = time.monotonic()
        try:
            self._ready()
            started = time.monotonic()
            self.expect(True, "")
            reply = self._ask({"op": "validate", "task": task, "seconds": self.limits.score}, self.limits.score + GRACE)
        except Died as died:
            return Validity(False, str(died), ended=True)
        finally:
            self._spent += time.monotonic() - started
        return Validity(reply.get("valid", False), reply.get("error", ""), reply.get("reward"), bool(reply.get("died")))

    def said(self, task: int, completion: Completion) -> Completion:
        """The completion as it is scored: a text comes after the task's prelude."""
        before = self.prelude.get(task)
        return [*before, {"role": "assistant", "content": completion}] if before and isinstance(completion, str) else completion

    def play(self, task: int, attempts: list[list[str]]) -> list[Played]:
        """Rollouts of one task with scripted replies, `attempts[k]` those of the k-th; what the
        environment says in between is its own. [] where it takes no turns, or cannot be played.

        Never raises for what the environment does.
        """
        if self._refused() or self._unplayable:
            return []
        started = time.monotonic()
        try:
            self._ready()
            before = self.prelude.get(task, [])
            request = {"op": "play", "task": task, "attempts": [[*before, *said] for said in attempts], "seconds": self.limits.score}
            reply = self._ask(request, self.limits.score + GRACE)
        except Died:
            self._unplayable = True
            return []
        finally:
            self._spent += time.monotonic() - started
        self._unplayable = not reply.get("played")
        return [Played(**one) for one in reply.get("played") or []]

    def score_group(self, task: int, completions: list[Completion]) -> list[Score]:
        """Scores of completions that belong to one group (classic group rewards compare them)."""
        refused = self._refused()
        if refused:
            return [Score(None, error=f"not run: {refused}", kind="not_run")] * len(completions)
        started = time.monotonic()
        try:
            self._ready()
            started = time.monotonic()
            seconds = self.limits.score * len(completions)
            request = {"op": "score", "task": task, "completions": [self.said(task, one) for one in completions], "seconds": seconds}
            reply = self._ask(request, seconds + GRACE)
        except Died as died:
            self.deaths += 1
            seconds = time.monotonic() - started
            self._spent += seconds
            return [Score(None, error=str(died), kind=died.kind, seconds=seconds)] * len(completions)
        self._spent += time.monotonic() - started
        self.deaths += bool(reply.get("died"))
        if reply.get("error"):
            return [Score(None, error=reply["error"], kind=reply.get("kind", "raised"), seconds=reply["seconds"])] * len(completions)
        self._scored += 1
        each = reply["seconds"] / max(1, len(completions))
        return [_score(item, each) for item in reply["scores"]]

    def _refused(self) -> str:
        if self._spent > self.limits.total:
            return f"the {self.limits.total:g} s for all completions are over"
        if self.deaths > self.limits.restarts:
            return f"the environment hung or died {self.deaths} times"
        if self.deaths > 1 and not self._scored:
            return "the environment hung or died on every completion so far"
        return ""

    def score_all(
        self, cases: Iterable[tuple[int, Completion]], on_done: Callable[[int], None] = lambda _: None
    ) -> list[Score]:
        """Scores in the order of `cases`; `on_done` gets the count after each."""
        scores = []
        for count, (task, completion) in enumerate(cases, 1):
            scores.append(self.score(task, completion))
            on_done(count)
        return scores

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        return self.worker.ask({**request, "id": next(self._ids), "slot": id(self)}, seconds)

    def _ready(self) -> None:
        """Load again into a worker that was started anew since, or is gone."""
        if self._generation != self.worker.generation or not self.worker.running:
            self._load()

    def _load(self) -> Description:
        if not self.worker.running:
            self.worker.start()
        request = {
            "op": "load",
            "name": self.location.name,
            "module": self.location.module,
            "import_path": str(self.location.import_path or ""),
            "limit": self.examples,
            "first": self.first,
            "config": self.config,
            "judge_base_url": self.judge_base_url,
            "seat": self.seat,
        }
        try:
            reply = self._ask(request, self.limits.load)
            error = reply.get("error")
        except Died as died:
            reply, error = {}, str(died)
        if error:
            if self._own:
                self.worker.stop()
            if "there is no seat" in error:
                raise usage(excerpt(error.split(": ", 1)[-1], 300), "name one of its agents with --seat", id="input.missing_seat")
            raise missing(
                f"the environment {self.location.name} does not load: {excerpt(error, 400)}",
                _load_fix(error, self.location),
                id="environment.load",
            )
        self._generation = self.worker.generation
        known = {f for f in Description.__dataclass_fields__ if f not in ("api", "tasks", "first")}
        tasks, first = ([Task(**task) for task in reply.get(key, [])] for key in ("tasks", "first"))
        return Description(self.location.api, tasks, first=first, **{key: reply[key] for key in known if key in reply})


def _score(item: dict[str, Any], seconds: float) -> Score:
    reward = item.get("reward")
    return Score(
        None if reward is None else float(reward),
        item.get("components", {}),
        item.get("metrics", {}),
        item.get("error", ""),
        item.get("kind", ""),
        seconds,
    )


def interpreter(api: str) -> str:
    """The Python that runs environments of this API: ours for tasksets, the classic one for classic."""
    if api != CLASSIC:
        return sys.executable
    from lab.environment.classic import python

    return python()


def _load_fix(error: str, location: Location) -> str:
    if error.startswith("ModuleNotFoundError") or "No module named" in error:
        return "install what the environment imports (the dependencies of its pyproject.toml) beside verifiers"
    if "__all__" in error or "subclass" in error:
        return f"export exactly one Taskset subclass in the __all__ of {location.module}/__init__.py"
    if "required positional argument" in error or "required keyword-only argument" in error:
        name = re.search(r"arguments?: '(\w+)'", error)
        return f"give it what load_environment() needs: --env-args '{{\"{name[1] if name else 'name'}\": VALUE}}'"
    if "validation error" in error.lower() or "Extra inputs" in error:
        name = re.search(r"\n(\w+)\n\s+Field required", error)
        return f"give the taskset's configuration what it needs: --env-args '{{\"{name[1] if name else 'field'}\": VALUE}}'"
    if any(word in error for word in ("ConnectionError", "ConnectTimeout", "MaxRetryError", "Name or service", "gaierror", "LocalEntryNotFound", "offline", "NetworkError", "URLError")):
        return "it needs the network while loading: allow it, cache the dataset first, or let the dataset be a configuration value that can name a local file"
    return f"mend the environment until its taskset loads; python -c 'import {location.module}' shows the traceback"
