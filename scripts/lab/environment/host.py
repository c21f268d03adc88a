"""An environment as the tool sees it: loaded in a worker, described, and scored.

A completion that is not scored in time, or that ends the process, becomes a `Score` with an
error, and the next one is scored by a fresh process. After `Limits.restarts` of these the rest
is not run, and says so.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from lab.environment.limits import Limits
from lab.environment.locate import Location, interpreter
from lab.environment.messages import calls_in
from lab.environment.needs import MOST_STAND_INS, STAND_IN, lacking_credential, refused
from lab.environment.protocol import (
    Completion,
    Description,
    Played,
    Score,
    Task,
    Validity,
    Watched,
    score_of,
    watched_of,
)
from lab.environment.records import Records
from lab.environment.work_clock import WorkClock
from lab.environment.worker import Died, Worker
from lab.ledger.index import place_of
from lab.process.views import code_of

COMPANIONS: list[Completion] = ["I do not know.", "The answer is something else, I think."]
"""The other rollouts of a group, where a classic reward compares them."""
GRACE = 5.0
"""Seconds that the child has to notice a timeout itself, before it is given up as a whole."""


class Environment:
    """A located environment, running. Use as a context manager.

    `examples` tasks are kept, spread over the whole taskset, or its first ones with `first`.
    `config` goes to the taskset's configuration, or to `load_environment` (classic);
    `judge_base_url` is where judges are sent, `seat` the agent whose trace is scored, `also` the
    indices of tasks that are kept besides.

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
        pass_paths: Iterable[Path] = (),
        import_paths: Iterable[Path] = (),
        python: str | None = None,
        worker: Worker | None = None,
        judge_base_url: str = "",
        seat: str = "",
        also: Iterable[int] = (),
    ):
        self.location, self.examples, self.first, self.config = (
            location,
            examples,
            first,
            config or {},
        )
        self.limits = limits or Limits()
        self.judge_base_url, self.seat = judge_base_url, seat
        self.also = list(also)
        self.expect: Callable[..., None] = lambda right, completion="": None
        """Called before each completion with whether it is right: for a judge that is scripted."""
        self.prelude: dict[int, list[dict[str, Any]]] = {}
        """Per task the replies that stand before every text, where an answer is wanted only after
        them."""
        self.fresh_each = False
        """Whether each completion is scored by a process that has scored nothing yet: for rewards
        that keep a state."""
        self.deaths = 0
        self.fatal: tuple[int, Completion, Score] | None = None
        """The first completion on which scoring hung or died: its task, itself, its score."""
        self._scored = 0
        self._unplayable = False
        self._spent = 0.0
        self._work = WorkClock()
        self._own = worker is None
        if worker is None:
            further = [Path(one).resolve() for one in import_paths]
            code = [path for place in (location.path, *further) for path in code_of(place)]
            worker = Worker(
                location.api,
                python=python or interpreter(location.api),
                import_paths=[*([location.import_path] if location.import_path else []), *further],
                show=[*code, *map(Path, pass_paths)],
                name=place_of(location.path),
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
        """The task's own check of its gold, in a runtime. Never raises for what the environment
        does."""
        if self._refused():
            return Validity(None)
        started = time.monotonic()
        try:
            self._ready()
            started = time.monotonic()
            self.expect(True, "")
            reply = self._ask(
                {"op": "validate", "task": task, "seconds": self.limits.score},
                self.limits.score + GRACE,
            )
        except Died as died:
            return Validity(False, str(died), ended=True)
        finally:
            self._spent += time.monotonic() - started
        return Validity(
            reply.get("valid", False),
            reply.get("error", ""),
            reply.get("reward"),
            bool(reply.get("died")),
        )

    def watch(
        self,
        task: int,
        completion: Completion,
        *,
        as_dicts: bool = False,
        comparisons: bool = False,
    ) -> Watched:
        """Score `completion` and see what the environment's own code holds meanwhile, or with
        `comparisons` what it compares; `as_dicts`: with messages as the classic library gave them
        before it had types for them.

        Never raises for what the environment does.
        """
        if refused := self._refused():
            return Watched(Score(None, error=f"not run: {refused}", kind="not_run"))
        try:
            self._ready()
            companions = COMPANIONS if self.description.group else []
            said = [self.said(task, one) for one in (completion, *companions)]
            seconds = 3 * self.limits.score
            request = {"op": "watch", "task": task, "completions": said, "seconds": seconds}
            request |= {"as_dicts": as_dicts, "comparisons": comparisons}
            reply = self._ask(request, seconds + GRACE)
        except Died as died:
            self.deaths += 1
            return Watched(Score(None, error=str(died), kind=died.kind))
        return watched_of(reply)

    def computed(self, task: int, more: dict[str, Any] | None = None) -> list[tuple[str, Any]]:
        """(call, value) of what the environment's own functions make of the task, and of the
        values of `more` by their names."""
        request = {"op": "computed", "task": task, "more": more or {}}
        return [(name, value) for name, value in self._values(request)]

    @cached_property
    def made(self) -> dict[int, list[tuple[str, str, Any]]]:
        """(function, variable, value) of what the environment's code holds while it makes each
        task; {} where that cannot be seen."""
        return {task: [tuple(one) for one in held] for task, held in self._made("making")}

    @cached_property
    def never_same(self) -> dict[str, dict[str, tuple[str, str]]]:
        """By place in the environment's code the values that it compares while it makes the tasks,
        and that are never the same for their types; {} where that cannot be seen."""
        return dict(self._made("never_same"))

    @cached_property
    def records(self) -> list[Records]:
        """What the environment's modules hold of records (see `records`); [] where that cannot be
        seen."""
        return [(name, key, rows) for name, key, rows in self._values({"op": "records"})]

    def _made(self, op: str) -> list[Any]:
        found = self._values({"op": op})
        self.fresh()  # what made the tasks twice knows more than the one that is scored
        return found

    def _values(self, request: dict[str, Any]) -> list[Any]:
        try:
            self._ready()
            reply = self._ask(request | {"seconds": self.limits.score}, self.limits.score + GRACE)
        except Died:
            return []
        return list(reply.get("values", []))

    def rows(self, most: int = 5000, *, seconds: float = 60.0) -> list[Task]:
        """Up to `most` tasks of the whole taskset, spread evenly, as data; [] when that fails."""
        return self._rows("rows", most, seconds)

    def held_out(self, most: int = 2000, *, seconds: float = 60.0) -> list[Task]:
        """Tasks that the environment has for evaluation beside those it was loaded with; [] where
        it has none, or they cannot be had here."""
        return self._rows("held_out", most, seconds)

    def _rows(self, which: str, most: int, seconds: float) -> list[Task]:
        try:
            self._ready()
            reply = self._ask({"op": which, "most": most, "seconds": seconds}, seconds + GRACE)
        except Died:
            return []
        return [Task(**row) for row in reply.get("rows", [])]

    def fresh(self) -> None:
        """The next completion is scored by a process that has scored nothing yet."""
        with contextlib.suppress(Died):
            self._ready()
            self._ask({"op": "fresh"}, GRACE)

    def said(self, task: int, completion: Completion) -> Completion:
        """The completion as it is scored: a text comes after the task's prelude."""
        before = self.prelude.get(task)
        return (
            [*before, {"role": "assistant", "content": completion}]
            if before and isinstance(completion, str)
            else completion
        )

    def play(self, task: int, attempts: Sequence[Sequence[Any]]) -> list[Played]:
        """Rollouts of one task with scripted replies, `attempts[k]` those of the k-th: texts, or
        messages with calls; what the environment says in between is its own. [] where it takes no
        turns, or cannot be played.

        Never raises for what the environment does.
        """
        calls = any(map(calls_in, attempts))
        if self._refused() or (self._unplayable and not calls):
            return []
        started = time.monotonic()
        try:
            self._ready()
            before = self.prelude.get(task, [])
            request = {
                "op": "play",
                "task": task,
                "attempts": [[*before, *said] for said in attempts],
                "seconds": self.limits.score,
            }
            reply = self._ask(request, self.limits.score + GRACE)
        except Died:
            self._unplayable = True
            return []
        finally:
            self._spent += time.monotonic() - started
        # Where texts meet no turns, calls may still meet tools.
        self._unplayable = self._unplayable or not (calls or reply.get("played"))
        return [Played(**one) for one in reply.get("played") or []]

    def score_group(self, task: int, completions: list[Completion]) -> list[Score]:
        """Scores of completions that belong to one group (classic group rewards compare them)."""
        refused = self._refused()
        if refused:
            return [Score(None, error=f"not run: {refused}", kind="not_run")] * len(completions)
        if self.fresh_each:
            self.fresh()
        started = time.monotonic()
        try:
            self._ready()
            started = time.monotonic()
            seconds = self.limits.score * len(completions)
            request = {
                "op": "score",
                "task": task,
                "completions": [self.said(task, one) for one in completions],
                "seconds": seconds,
            }
            reply = self._ask(request, seconds + GRACE)
        except Died as died:
            self.deaths += 1
            seconds = time.monotonic() - started
            self._spent += seconds
            score = Score(None, error=str(died), kind=died.kind, seconds=seconds)
            self.fatal = self.fatal or (task, completions[0], score)
            return [score] * len(completions)
        self._spent += time.monotonic() - started
        self.deaths += bool(reply.get("died"))
        if reply.get("error"):
            kind = reply.get("kind", "raised")
            score = Score(None, error=reply["error"], kind=kind, seconds=reply["seconds"])
            if reply.get("died"):
                self.fatal = self.fatal or (task, completions[0], score)
            return [score] * len(completions)
        self._scored += 1
        each = reply["seconds"] / max(1, len(completions))
        return [score_of(item, each) for item in reply["scores"]]

    def _refused(self) -> str:
        if self._spent > self.limits.total:
            return f"the {self.limits.total:g} s for all completions are over"
        if self.deaths > self.limits.restarts:
            return f"the environment hung or died {self.deaths} times"
        if self.deaths > 1 and not self._scored:
            return "the environment hung or died on every completion so far"
        return ""

    def clock(self) -> float:
        """Seconds of work, for searches that end after so much of it."""
        return self._work.seconds()

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        request = {**request, "id": next(self._ids), "slot": id(self)}
        reply = self.worker.ask(request, seconds)
        cpu = reply.pop("cpu", None)
        if isinstance(cpu, float):
            self._work.scored(cpu)
        return reply

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
            "also": self.also,
        }
        reply = self._loaded(request)
        if error := reply.get("error"):
            if self._own:
                self.worker.stop()
            raise refused(error, self.location, self._stand_ins())
        said = [f"{name} is not here: loaded with a stand-in" for name in self._stand_ins()]
        reply["helped"] = [*reply.get("helped", []), *said]
        self._generation = self.worker.generation
        known = {f for f in Description.__dataclass_fields__ if f not in ("api", "tasks", "first")}
        tasks, first = ([Task(**task) for task in reply.get(key, [])] for key in ("tasks", "first"))
        return Description(
            self.location.api,
            tasks,
            first=first,
            **{key: reply[key] for key in known if key in reply},
        )

    def _loaded(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to a request to load. A credential that is not here is asked for by its name:
        a stand-in is tried then, since often only a client is made of it."""
        extra = self.worker.extra
        while True:
            try:
                reply = self._ask(request, self.limits.load)
            except Died as died:
                reply = {"error": str(died)}
            named = lacking_credential(reply.get("error", ""), extra)
            if not (named and self._own and len(extra) < MOST_STAND_INS):
                return reply
            if named in self.worker.variables and named in os.environ:
                return reply
            extra[named] = STAND_IN
            self.worker.stop()
            self.worker.start()

    def _stand_ins(self) -> list[str]:
        return [name for name, value in self.worker.extra.items() if value == STAND_IN]
