"""A rollout of a taskset's own Env with scripted replies: its turns are real, the model is not.

`Env.run` is given agents that reply from a script instead of a harness. So the words of the
environment, the end of the exchange and what `Env.finalize` records are those of a rollout; tool
servers are not played, and other seats say the task's prompt first and "Please go on." after it.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

OTHERS = 6
"""Turns that another seat takes before it ends the exchange."""


async def play(backend: Any, name: str, task: Any, attempts: list[list[str]]) -> list[dict[str, Any]]:
    """One rollout with `attempts[k]` as the replies of the k-th run of the seat; [] where the Env is the plain one."""
    env = _env(backend.vf, name)
    if env is None:
        return []
    cast = _Cast(backend, task, attempts, env)
    await env.run(task, cast.agents)
    if type(env).finalize is not backend.vf.Env.finalize:
        await env.finalize(task, SimpleNamespace(traces=[run.trace for run in cast.runs if run.trace is not None], task=task))
    return [run.told() for run in cast.runs if run.seat == backend.seat]


def _env(vf: Any, name: str) -> Any:
    from verifiers.v1.utils.generic import concrete_type
    from verifiers.v1.utils.loaders import environment_class

    kind = environment_class(name)
    if kind.run is vf.SingleAgentEnv.run and kind.finalize is vf.Env.finalize:
        return None
    config = concrete_type(kind, vf.EnvConfig, origin=vf.Env) or vf.EnvConfig
    return kind(config(taskset={"id": name}))


class _Cast:
    """The agents of one episode, by seat, and the runs that they made."""

    def __init__(self, backend: Any, task: Any, attempts: list[list[str]], env: Any) -> None:
        from verifiers.v1.configs.agent import agent_config_fields

        self.backend, self.task, self.attempts = backend, task, attempts
        self.runs: list[_Run] = []
        seats = agent_config_fields(env.config)
        self.agents = SimpleNamespace(**{seat: _Agent(self, seat, getattr(config, "max_turns", None)) for seat, config in seats.items()})

    def open(self, seat: str, task: Any, most: int | None) -> _Run:
        if seat == self.backend.seat:
            count = sum(run.seat == seat for run in self.runs)
            replies = list(self.attempts[min(count, len(self.attempts) - 1)])
        else:
            replies = [self.task.data.prompt_text, *["Please go on."] * (OTHERS - 1)]
        run = _Run(self, seat, task, replies, most)
        self.runs.append(run)
        return run


class _Agent:
    """Stands where an Env expects an agent."""

    def __init__(self, cast: _Cast, seat: str, most: int | None) -> None:
        self.cast, self.seat, self.most, self.trainable = cast, seat, most, True

    async def __aenter__(self) -> _Agent:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def run(self, task: Any, **_: Any) -> Any:
        run = self.cast.open(self.seat, task, self.most)
        await run.turn()
        return await run.close()

    @contextlib.asynccontextmanager
    async def interaction(self, task: Any, **_: Any) -> AsyncIterator[_Run]:
        run = self.cast.open(self.seat, task, self.most)
        try:
            yield run
        finally:
            await run.close()


class _Run:
    """One exchange: what `Interaction` offers to an Env, over a script."""

    def __init__(self, cast: _Cast, seat: str, task: Any, replies: list[str], most: int | None) -> None:
        self.cast, self.seat, self.task, self.replies, self.most = cast, seat, task, replies, most
        self.messages: list[dict[str, Any]] = []
        self.unread = ""
        self.open, self.said, self._trace = False, 0, None

    @property
    def trace(self) -> Any:
        return self._trace or self.cast.backend._trace(self.task, self.messages, self.seat)

    async def turn(self, message: Any = None) -> Any:
        from verifiers.v1.agent import Segment

        vf = self.cast.backend.vf
        told = [{"role": "user", "content": _text(one)} for one in ([message] if isinstance(message, str) else message or [])]
        over = bool(self.most and self.said >= self.most) or await self._stopped()
        if over or not self.replies:
            self.open = not over
            self.unread = "\n".join(one["content"] for one in told)
            return Segment(messages=[], terminated=True)
        self.said += 1
        reply = self.replies.pop(0)
        self.messages += [*told, {"role": "assistant", "content": reply}]
        return Segment(messages=[vf.AssistantMessage(content=reply)])

    async def _stopped(self) -> bool:
        from verifiers.v1.utils.decorators import invoke

        for stop in self.task.hooks("stop") if self.said else ():
            with contextlib.suppress(Exception):  # what looks at a request sees none here
                if await invoke(stop, {"trace": self.trace}):
                    return True
        return False

    async def close(self) -> Any:
        if self._trace is None:
            own = self.seat == self.cast.backend.seat
            self._trace = await self.cast.backend._score(self.task, self.messages) if own else self.trace
        return self._trace

    def told(self) -> dict[str, Any]:
        rewards = [reward for reward in self.trace.rewards.values() if reward is not None]
        total = sum(reward.score * reward.weight for reward in rewards)
        return {"messages": self.messages, "reward": total, "open": self.open, "unread": self.unread}


def _text(message: Any) -> str:
    content = message if isinstance(message, str) else message.get("content") if isinstance(message, dict) else getattr(message, "content", "")
    return content if isinstance(content, str) else str(content or "")
