"""Tasksets (verifiers 0.4): real `Task.score` on a constructed trace.

Only nodes marked as sampled count as the model's replies, and a signal that needs a runtime is
skipped silently when there is none, so both are set here. Reading a taskset goes through its
iterator, never `load()`: only iteration sets `idx`, which is part of the task's key.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import logging
import math
from importlib import metadata
from typing import Any

from lab.environment.comparisons import Comparisons
from lab.environment.computed import computed
from lab.environment.errors import describe
from lab.environment.importing import import_environment
from lab.environment.judges import redirect_judges
from lab.environment.making import Making
from lab.environment.messages import as_written, calls_in, replies
from lab.environment.source import (
    acts,
    code_of,
    needs_runtime,
    recorded,
    runs_scripts,
    shadowing,
)
from lab.environment.spread import chosen
from lab.environment.taskset_tasks import other_splits, read_tasks
from lab.environment.taskset_tools import schemas

PREPARING = 120.0
"""Seconds for installing what the scripts of a reward need."""
FIRST = 40
"""How many of the first tasks are described besides those that are scored."""


class TasksetBackend:
    def __init__(self) -> None:
        import verifiers.v1 as vf

        logging.disable(logging.WARNING)
        self.vf = vf
        self.as_dicts = False
        self.loop = asyncio.new_event_loop()
        self.tasks: list[Any] = []
        self.pool: list[Any] = []
        self.seat = self.module = self.name = ""
        self.taskset: Any = None
        self.stage: Any = None
        self._interpreters: dict[str, str] = {}

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Import the module, build the taskset, keep `limit` tasks (see `Environment`)."""
        vf = self.vf
        redirect_judges(request.get("judge_base_url"))
        # verifiers would hide the real import error
        _, helped = import_environment(request["module"], request.get("import_path", ""))
        name, limit = request["name"], request["limit"]
        self.seat, self.module, self.name = request.get("seat") or "", request["module"], name
        config = vf.taskset_config_type(name)(id=name, **request.get("config", {}))
        self.config = config
        taskset = self.taskset = vf.load_taskset(config)
        pool, ended = (
            read_tasks(taskset, max(limit, FIRST))
            if taskset.bounded
            else (list(itertools.islice(taskset, limit)), False)
        )
        total = len(pool) if ended else None
        self.pool = pool
        answers = [getattr(task.data, "answer", None) for task in pool]
        self.tasks = [pool[i] for i in chosen(len(pool), request, answers)]
        defaults = self._defaults(name)
        tools, unmade = self.loop.run_until_complete(schemas(taskset, self.tasks))
        self.stage = self._staged(bool(tools))
        self._prepare_scripts()
        return {
            "tasks": [self._described(task) for task in self.tasks],
            "first": [self._described(task) for task in pool[:FIRST]],
            "total": total,
            "endless": not taskset.bounded,
            **self._signals(),
            "tools": list(tools),
            "arguments": {
                name: list(schema.get("properties") or {}) for name, schema in tools.items()
            },
            "schemas": tools,
            "unmade": unmade,
            "library": metadata.version("verifiers"),
            "helped": [helped] if helped else [],
            "split": str(getattr(config, "split", "") or ""),
            **defaults,
        }

    def _prepare_scripts(self) -> None:
        """Score nothing once where a task runs scripts by uv: what they need is installed then,
        which takes longer than one completion is given."""
        if self.tasks and runs_scripts(type(self.tasks[0])):
            with contextlib.suppress(Exception):
                scored = asyncio.wait_for(self._score(self.tasks[0], ""), PREPARING)
                self.loop.run_until_complete(scored)

    def _signals(self) -> dict[str, Any]:
        """What the first task has decorated: rewards with weights, metrics, and what they need."""
        first = self.tasks[0] if self.tasks else None
        rewards, metrics = (first.hooks(kind) if first else [] for kind in ("reward", "metric"))
        signals = [*metrics, *rewards]
        return {
            "rewards": {fn.__name__: float(getattr(fn, "_vf_weight", 1.0)) for fn in rewards},
            "metrics": [fn.__name__ for fn in metrics],
            "needs_runtime": [fn.__name__ for fn in signals if needs_runtime(fn)],
            "shadowing": sorted({*shadowing(self.vf, first)}) if first else [],
            "plugged_judges": [judge.reward_name for judge in first.plugged_judges()]
            if first
            else [],
            "acts": [fn.__name__ for fn in rewards if acts(fn)],
            "unawaited": [fn.__name__ for fn in signals if not inspect.iscoroutinefunction(fn)],
        }

    def _defaults(self, name: str) -> dict[str, Any]:
        """The harness and runtime of a bare vf-eval: the package's own, or the library's."""
        from verifiers.v1.configs.agent import agent_config_fields
        from verifiers.v1.utils.generic import concrete_type
        from verifiers.v1.utils.loaders import default_harness_id, environment_class

        vf = self.vf
        env = environment_class(name)
        config = concrete_type(env, vf.EnvConfig, origin=vf.Env) or vf.EnvConfig
        seats = list(agent_config_fields(config(taskset={"id": name})).values())
        if not seats:
            return {}
        names = list(agent_config_fields(config(taskset={"id": name})))
        if self.seat and self.seat not in names:
            raise ValueError(f"there is no seat {self.seat!r}: the agents are {', '.join(names)}")
        self.seat = self.seat or names[0]
        harness = getattr(seats[0].harness, "id", "") or default_harness_id(name)
        return {
            "harness": harness,
            "runtime": getattr(seats[0].runtime, "type", ""),
            "seats": names,
            "recorded": recorded(env, self.module),
        }

    def _described(self, task: Any) -> dict[str, Any]:
        base = set(self.vf.TaskData.model_fields)
        data = task.data.model_dump(mode="json")
        return {
            "index": data["idx"],
            "key": task.key,
            "prompt": task.data.prompt_text,
            "system": data.get("system_prompt") or "",
            "fields": {key: value for key, value in data.items() if key not in base},
        }

    def rows(self, most: int) -> list[dict[str, Any]]:
        """Up to `most` tasks of all that were read, as data, spread evenly."""
        step = max(1, -(-len(self.pool) // most))
        return [self._described(task) for task in self.pool[::step]]

    def held_out(self, most: int) -> list[dict[str, Any]]:
        """Up to `most` tasks of another split of the taskset, as data; [] without one."""
        own = {task.data.prompt_text for task in self.pool}
        for name, value, certain in other_splits(self.config):
            try:
                taskset = self.vf.load_taskset(self.config.model_copy(update={name: value}))
                tasks = list(itertools.islice(taskset, most)) if taskset.bounded else []
            except Exception:  # a split that there is not
                continue
            # A value that the taskset does not know may give the tasks of the default.
            if tasks and (certain or {task.data.prompt_text for task in tasks} != own):
                return [self._described(task) for task in tasks]
        return []

    def computed(self, task: int, more: dict[str, Any]) -> list[tuple[str, Any]]:
        """What the package's own functions make of the task, and of `more` (see `computed`)."""
        base, one = set(self.vf.TaskData.model_fields), self.tasks[task]
        fields = {name: getattr(one.data, name) for name in type(one.data).model_fields}
        own = {name: value for name, value in fields.items() if name not in base}
        return computed(self.roots, own | more, [one, one.data])

    def making(self) -> dict[int, Any]:
        """What the code holds while it makes the tasks once more (see `making`), by task."""
        wanted = {task.data.prompt_text: i for i, task in enumerate(self.tasks)}
        with Making(self.roots, wanted) as seen:
            for _ in itertools.islice(self.vf.load_taskset(self.config), len(self.pool)):
                pass
        return seen.values

    def never_same(self) -> dict[str, Any]:
        """What the code compares while it makes the tasks once more, and never is the same for its
        type (see `mixed_types`), by place."""
        with Comparisons(self.roots) as seen:
            for _ in itertools.islice(self.vf.load_taskset(self.config), len(self.pool)):
                pass
        return seen.types.never_same

    @property
    def roots(self) -> list[str]:
        """The places of the environment's own code."""
        return code_of(self.module)

    def score(self, task: int, completions: list[Any]) -> list[dict[str, Any]]:
        """Each completion by itself: nothing in this API scores across rollouts."""
        return [self._one(self.tasks[task], completion) for completion in completions]

    def _one(self, task: Any, completion: Any) -> dict[str, Any]:

        try:
            trace = self.loop.run_until_complete(self._rollout(task, completion))
        except Exception as error:
            return {"error": describe(error), "kind": "raised"}
        components = {
            name: (None if reward is None else reward.score)
            for name, reward in trace.rewards.items()
        }
        if not trace.rewards:
            return {
                "error": f"{type(task).__name__} has no reward: nothing is decorated with "
                "@vf.reward",
                "kind": "raised",
            }
        total = sum(
            reward.score * reward.weight for reward in trace.rewards.values() if reward is not None
        )
        if not math.isfinite(total):
            bad = [
                name
                for name, value in components.items()
                if value is None or not math.isfinite(value)
            ]
            return {"error": f"{', '.join(bad)} returned {total}", "kind": "not_finite"}
        return {"reward": total, "components": components, "metrics": dict(trace.metrics)}

    def play(self, task: int, attempts: list[list[str]]) -> dict[str, Any]:
        """One episode of the package's Env, with scripted replies (see taskset_play)."""

        async def played() -> list[Any]:
            if self.stage is None or (self.stage.plain and not any(map(calls_in, attempts))):
                return []
            return list(await self.stage.rollouts(self.tasks[task], attempts))

        return {"played": [run.told() for run in self.loop.run_until_complete(played())]}

    def _staged(self, tools: bool) -> Any:
        """The Env on which rollouts are played, made once as a run makes it; None where replies
        meet neither turns nor tools."""
        from lab.environment.taskset_play import Stage

        try:
            stage = Stage(self.vf, self.name, self.seat, self.taskset, self._trace, self._needs_box)
        except Exception:  # an Env that needs settings which only a run has
            return None
        return stage if tools or not stage.plain else None

    async def _rollout(self, task: Any, completion: Any) -> Any:
        """The trace of a completion, scored after the turns and the tools that it meets, where
        there are some."""
        said, stage = replies(completion), self.stage
        if (
            stage is None
            or as_written(completion)
            or not (calls_in(said) if stage.plain else await stage.plays(self.tasks[0]))
        ):
            return await self._score(task, completion)
        return (await stage.rollouts(task, [said]))[0].trace

    def validate(self, task: int) -> dict[str, Any]:
        """The task's own check of its gold, and what a reply without a word earns after it.

        `Task.validate` may apply the gold to the runtime (a patch, files): then the reward after
        it is that of a gold which is acted out instead of written.
        """

        try:
            return self.loop.run_until_complete(self._validate(self.tasks[task]))
        except Exception as error:
            return {"valid": False, "error": describe(error)}

    async def _validate(self, task: Any) -> dict[str, Any]:
        from verifiers.v1.runtimes import provision_runtime
        from verifiers.v1.utils.decorators import invoke

        if type(task).validate is self.vf.Task.validate:
            return {"valid": None}
        trace = self._trace(task, "")
        async with provision_runtime(self.vf.SubprocessConfig(), env=task.runtime_env()) as box:
            self._share_scripts(box)
            available = {"trace": trace, "runtime": box}
            await invoke(task.setup, available)
            valid = await task.validate(box)
            if valid is not True:
                return {"valid": valid}
            try:
                await invoke(task.finalize, available)
                await task.score(trace, box)
            except Exception:
                return {"valid": True}  # a gold that is written leaves nothing to score
        rewards = [reward for reward in trace.rewards.values() if reward is not None]
        return {"valid": True, "reward": sum(reward.score * reward.weight for reward in rewards)}

    async def _score(self, task: Any, completion: Any) -> Any:
        vf = self.vf
        trace = self._trace(task, completion)
        if not self._needs_box(task):
            await task.score(trace)
            return trace
        from verifiers.v1.runtimes import provision_runtime
        from verifiers.v1.utils.decorators import invoke

        async with provision_runtime(vf.SubprocessConfig(), env=task.runtime_env()) as box:
            self._share_scripts(box)
            await invoke(task.setup, {"trace": trace, "runtime": box})
            await invoke(task.finalize, {"trace": trace, "runtime": box})
            await task.score(trace, box)
        return trace

    def _share_scripts(self, box: Any) -> None:
        """The interpreters of the task's uv scripts, which are the same for every completion: to
        ask uv for them again takes longer than to run them."""
        if hasattr(box, "_uv_interpreters"):
            box._uv_interpreters = self._interpreters

    def _needs_box(self, task: Any) -> bool:
        hooked = any(
            getattr(type(task), name) is not getattr(self.vf.Task, name)
            for name in ("setup", "finalize")
        )
        signals = (
            *task.hooks("metric"),
            *task.hooks("reward"),
            *(judge.score for judge in task.plugged_judges()),
        )
        return hooked or any(needs_runtime(fn) for fn in signals)

    def _trace(self, task: Any, completion: Any, seat: str = "") -> Any:
        from verifiers.v1.dialects import parse_message
        from verifiers.v1.graph import MessageNode
        from verifiers.v1.state import state_cls

        vf, data = self.vf, task.data
        prompt = [vf.SystemMessage(content=data.system_prompt)] if data.system_prompt else []
        prompt += (
            [vf.UserMessage(content=data.prompt)]
            if isinstance(data.prompt, str)
            else list(data.prompt or [])
        )
        if isinstance(completion, str):
            replies = [vf.AssistantMessage(content=completion)]
        else:
            replies = [parse_message(message) for message in completion]
        nodes = [
            MessageNode(
                message=message,
                parent=position - 1 if position else None,
                sampled=position >= len(prompt) and isinstance(message, vf.AssistantMessage),
            )
            for position, message in enumerate([*prompt, *replies])
        ]
        return vf.Trace(
            task=vf.TraceTask(type=type(task).__name__, data=data, key=task.key, hash=task.hash),
            agent=vf.AgentInfo(
                config=vf.AgentConfig(runtime=vf.SubprocessConfig()),
                name=seat or self.seat or "agent",
            ),
            state=state_cls(type(task))(),
            nodes=nodes,
            is_completed=True,
            ok=True,
            stop_condition="agent_completed",
        )
