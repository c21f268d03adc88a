"""Tasksets (verifiers 0.4): real `Task.score` on a constructed trace.

Only nodes marked as sampled count as the model's replies, and a signal that needs a runtime is
skipped silently when there is none, so both are set here. Reading a taskset goes through its
iterator, never `load()`: only iteration sets `idx`, which is part of the task's key.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import itertools
import logging
import math
import os
import re
import time
from importlib import metadata
from typing import Any

from lab.environment.messages import as_written, replies
from lab.environment.taskset_tools import schemas

MOST_COUNTED = 100_000
COUNTING = 10.0
"""Seconds for reading tasks that nobody needs but to know how many there are."""
FIRST = 40
"""How many of the first tasks are described besides those that are scored."""


class TasksetBackend:
    def __init__(self) -> None:
        import verifiers.v1 as vf

        logging.disable(logging.WARNING)
        self.vf = vf
        self.loop = asyncio.new_event_loop()
        self.tasks: list[Any] = []
        self.seat = self.module = self.name = ""
        self.taskset: Any = None
        self.stage: Any = None

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Import the module, build the taskset, keep `limit` tasks (see `Environment`)."""
        vf = self.vf
        importlib.import_module(request["module"])  # verifiers would hide the real import error
        redirect_judges(request.get("judge_base_url"))
        name, limit = request["name"], request["limit"]
        self.seat, self.module, self.name = request.get("seat") or "", request["module"], name
        config = vf.taskset_config_type(name)(id=name, **request.get("config", {}))
        taskset = self.taskset = vf.load_taskset(config)
        pool, ended = _read(taskset, max(limit, FIRST)) if taskset.bounded else (list(itertools.islice(taskset, limit)), False)
        total = len(pool) if ended else None
        step = 1 if request.get("first") else max(1, len(pool) // limit)
        self.tasks = pool[::step][:limit]
        rewards = self.tasks[0].hooks("reward") if self.tasks else []
        metrics = self.tasks[0].hooks("metric") if self.tasks else []
        defaults = self._defaults(name)
        tools = self.loop.run_until_complete(schemas(taskset, self.tasks))
        self.stage = self._staged(bool(tools))
        return {
            "tasks": [self._described(task) for task in self.tasks],
            "first": [self._described(task) for task in pool[:FIRST]],
            "total": total,
            "endless": not taskset.bounded,
            "rewards": {fn.__name__: float(getattr(fn, "_vf_weight", 1.0)) for fn in rewards},
            "metrics": [fn.__name__ for fn in metrics],
            "needs_runtime": [fn.__name__ for fn in (*metrics, *rewards) if _needs_runtime(fn)],
            "shadowing": sorted({name for task in self.tasks[:1] for name in _shadowing(vf, task)}),
            "plugged_judges": [judge.reward_name for task in self.tasks[:1] for judge in task.plugged_judges()],
            "tools": list(tools),
            "arguments": {name: list(schema.get("properties") or {}) for name, schema in tools.items()},
            "schemas": tools,
            "acts": [fn.__name__ for fn in rewards if acts(fn)],
            "library": metadata.version("verifiers"),
            "unawaited": [fn.__name__ for fn in (*metrics, *rewards) if not inspect.iscoroutinefunction(fn)],
            "split": str(getattr(config, "split", "") or ""),
            **defaults,
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
        return {"harness": harness, "runtime": getattr(seats[0].runtime, "type", ""), "seats": names, "recorded": _recorded(env, self.module)}

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

    def score(self, task: int, completions: list[Any]) -> list[dict[str, Any]]:
        """Each completion by itself: nothing in this API scores across rollouts."""
        return [self._one(self.tasks[task], completion) for completion in completions]

    def _one(self, task: Any, completion: Any) -> dict[str, Any]:
        from lab.environment.child import describe

        try:
            trace = self.loop.run_until_complete(self._rollout(task, completion))
        except Exception as error:
            return {"error": describe(error), "kind": "raised"}
        components = {name: (None if reward is None else reward.score) for name, reward in trace.rewards.items()}
        if not trace.rewards:
            return {"error": f"{type(task).__name__} has no reward: nothing is decorated with @vf.reward", "kind": "raised"}
        total = sum(reward.score * reward.weight for reward in trace.rewards.values() if reward is not None)
        if not math.isfinite(total):
            bad = [name for name, value in components.items() if value is None or not math.isfinite(value)]
            return {"error": f"{', '.join(bad)} returned {total}", "kind": "not_finite"}
        return {"reward": total, "components": components, "metrics": dict(trace.metrics)}

    def play(self, task: int, attempts: list[list[str]]) -> dict[str, Any]:
        """One episode of the package's Env, with scripted replies (see taskset_play)."""
        async def played() -> list[Any]:
            calls = any(isinstance(reply, dict) and reply.get("tool_calls") for said in attempts for reply in said)
            return [] if self.stage is None or (self.stage.plain and not calls) else await self.stage.rollouts(self.tasks[task], attempts)

        return {"played": [run.told() for run in self.loop.run_until_complete(played())]}

    def _staged(self, tools: bool) -> Any:
        """The Env on which rollouts are played, made once as a run makes it; None where replies meet neither turns nor tools."""
        from lab.environment.taskset_play import Stage

        try:
            stage = Stage(self.vf, self.name, self.seat, self.taskset, self._trace, self._needs_box)
        except Exception:  # an Env that needs settings which only a run has
            return None
        return stage if tools or not stage.plain else None

    async def _rollout(self, task: Any, completion: Any) -> Any:
        """The trace of a completion, scored after the turns and the tools that it meets, where there are some."""
        said, stage = replies(completion), self.stage
        calls = any(isinstance(one, dict) and one.get("tool_calls") for one in said)
        if stage is None or as_written(completion) or not (calls if stage.plain else await stage.plays(self.tasks[0])):
            return await self._score(task, completion)
        return (await stage.rollouts(task, [said]))[0].trace

    def validate(self, task: int) -> dict[str, Any]:
        """The task's own check of its gold, and what a reply without a word earns after it.

        `Task.validate` may apply the gold to the runtime (a patch, files): then the reward after
        it is that of a gold which is acted out instead of written.
        """
        from lab.environment.child import describe

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
            await invoke(task.setup, {"trace": trace, "runtime": box})
            await invoke(task.finalize, {"trace": trace, "runtime": box})
            await task.score(trace, box)
        return trace

    def _needs_box(self, task: Any) -> bool:
        hooked = any(getattr(type(task), name) is not getattr(self.vf.Task, name) for name in ("setup", "finalize"))
        signals = (*task.hooks("metric"), *task.hooks("reward"), *(judge.score for judge in task.plugged_judges()))
        return hooked or any(_needs_runtime(fn) for fn in signals)

    def _trace(self, task: Any, completion: Any, seat: str = "") -> Any:
        from verifiers.v1.dialects import parse_message
        from verifiers.v1.graph import MessageNode
        from verifiers.v1.state import state_cls

        vf, data = self.vf, task.data
        prompt = [vf.SystemMessage(content=data.system_prompt)] if data.system_prompt else []
        prompt += [vf.UserMessage(content=data.prompt)] if isinstance(data.prompt, str) else list(data.prompt or [])
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
            agent=vf.AgentInfo(config=vf.AgentConfig(runtime=vf.SubprocessConfig()), name=seat or self.seat or "agent"),
            state=state_cls(type(task))(),
            nodes=nodes,
            is_completed=True,
            ok=True,
            stop_condition="agent_completed",
        )


def redirect_judges(base_url: str | None) -> None:
    """Every OpenAI client that the environment makes from now on talks to `base_url`."""
    if not base_url:
        return
    import openai

    os.environ.update(OPENAI_BASE_URL=base_url, OPENAI_API_KEY="EMPTY", PRIME_API_KEY="EMPTY")
    for client in (openai.OpenAI, openai.AsyncOpenAI):
        if getattr(client, "_lab_redirected", False):
            continue
        original = client.__init__

        def redirected(self: Any, *args: Any, _original: Any = original, **options: Any) -> None:
            options.update(base_url=os.environ["OPENAI_BASE_URL"], api_key=options.get("api_key") or "EMPTY")
            _original(self, *args, **options)

        client.__init__ = redirected
        client._lab_redirected = True


def parameters(fn: Any) -> list[str]:
    """The names of a tool's parameters; none where they cannot be read."""
    try:
        return [name for name in inspect.signature(fn).parameters if name != "self"]
    except (TypeError, ValueError):
        return []


ACTS = re.compile(r"tool_calls|tool_messages|\bstate\b|\bruntime\b")


def acts(fn: Any) -> bool:
    """Whether the source of a reward looks at what was done, beside what was said."""
    try:
        return bool(ACTS.search(inspect.getsource(fn)))
    except (OSError, TypeError):
        return False


def _shadowing(vf: Any, task: Any) -> list[str]:
    """Signals that carry the name of something that the library's Task has itself."""
    return [fn.__name__ for fn in (*task.hooks("reward"), *task.hooks("metric")) if hasattr(vf.Task, fn.__name__)]


def _read(taskset: Any, least: int) -> tuple[list[Any], bool]:
    """The tasks as far as they can be counted, `least` in any case; and whether they came to an end."""
    pool, until = [], time.monotonic() + COUNTING
    for task in taskset:
        if len(pool) >= MOST_COUNTED or (len(pool) >= least and time.monotonic() > until):
            return pool, False
        pool.append(task)
    return pool, True


def _recorded(env: type, module: str) -> str:
    """The name of the environment's own Env class where it records rewards itself."""
    own = [cls for cls in env.__mro__ if cls.__module__ == module or cls.__module__.startswith(f"{module}.")]
    for cls in own:
        with contextlib.suppress(OSError, TypeError):  # no source, no word about it
            if "record_reward(" in inspect.getsource(cls):
                return cls.__name__
    return ""


def _needs_runtime(fn: Any) -> bool:
    parameter = inspect.signature(fn).parameters.get("runtime")
    return parameter is not None and parameter.default is inspect.Parameter.empty
