"""`traces.jsonl` in blocks: each episode decoded into the few fields that are read.

Only ordinary episodes are accepted: no error, a score and a weight for every reward. The rest
goes to the exact reader (`traces`), whose meaning this module repeats in columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import xxhash

from lab.rollouts.fast import Columns, halves, hashes
from lab.rollouts.model import EMPTY, NO_COMPLETION, TRUNCATED, Rollouts
from lab.rollouts.row import canonical, digest, pair, text_of
from lab.rollouts.traces import LIMITS, scored_by

REFUSED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Struct(msgspec.Struct, gc=False):
    pass


class Data(_Struct):
    prompt: msgspec.Raw = msgspec.Raw(b"")
    answer: str | int | float | None = None
    idx: int | None = None


class Task(_Struct):
    key: str
    data: Data


class Key(_Struct):
    key: str


class Message(_Struct):
    role: str
    content: str | list[Any] | None = None
    tool_calls: msgspec.Raw = msgspec.Raw(b"")


class Node(_Struct):
    message: Message
    sampled: bool = False


class Call(_Struct):
    finish_reason: str | None = None
    error: msgspec.Raw = msgspec.Raw(b"")


class Reward(_Struct):
    score: float
    weight: float


class Config(_Struct):
    model: str | None = None


class Agent(_Struct):
    config: Config
    name: str | None = None
    trainable: bool = True


class Trace(_Struct):
    id: str
    agent: Agent
    task: Key
    nodes: list[Node]
    rewards: dict[str, Reward]
    ok: bool
    calls: list[Call] = []
    metrics: dict[str, float | None] = {}
    stop_condition: str | None = None
    num_output_tokens: int | None = None


class Episode(_Struct):
    ok: bool
    task: Task
    traces: list[Trace]


def shape(row: dict[str, Any], line: bytes) -> str | None:
    """Whether the fast path applies to a file with this first row; nothing else is needed."""
    return "episodes" if isinstance(row.get("traces"), list) and isinstance(row.get("task"), dict) else None


class Decoder:
    """Blocks of one file into columns; see `fast`."""

    def __init__(self, how: str, files: list[Path], number: int):
        self.out = Columns("traces", files, number)
        self.decoder = msgspec.json.Decoder(Episode)
        self.keys: dict[tuple[str, str], int] = {}
        self.prompts: dict[int, int] = {}
        self.plain: dict[Any, int] = {None: 0}

    def done(self) -> Rollouts:
        return self.out.done()

    def block(self, offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Take the lines of `data`; yield those that are refused."""
        ends = (np.flatnonzero(np.frombuffer(data, np.uint8) == 10) + 1).tolist()
        if not ends or ends[-1] != len(data) or not self._taken(offset, data, [0, *ends[:-1]]):
            yield from halves(self.block, offset, data)

    def _taken(self, offset: int, data: bytes, starts: list[int]) -> bool:
        try:
            episodes = self.decoder.decode_lines(data)
            pairs = [(e, t, at) for e, at in zip(episodes, starts, strict=True) for t in e.traces]
            if not all(e.ok and e.traces for e in episodes) or not all(t.ok for _, t, _ in pairs):
                return False
            said = [self._said(t) for _, t, _ in pairs if t.agent.trainable and t.rewards]
            for e, _, _ in pairs:
                self._prompt(e.task.data.prompt)
        except (*REFUSED, ValueError):
            return False
        seats = [p for p in pairs if p[1].agent.trainable and p[1].rewards]
        if len(seats) < len(pairs):
            self.out.problems["seat_not_trained"] += len(pairs) - len(seats)
            self.out.examples.setdefault("seat_not_trained", f"{self.out.files[self.out.number].name}@{offset}")
        if seats:
            self._add(offset, seats, said)
        return True

    def _add(self, offset: int, seats: list[tuple[Episode, Trace, int]], said: list[tuple[int, int, int]]) -> None:
        traces = [t for _, t, _ in seats]
        tasks = [e.task for e, _, _ in seats]
        prompt = np.array([self._prompt(k.data.prompt) for k in tasks], np.uint64)
        answer = hashes([k.data.answer for k in tasks], self.plain)
        names = [t.agent.name or "" for t in traces]
        key = np.array([self._key(t.task.key, name) for t, name in zip(traces, names, strict=True)], np.uint64)
        content = pair(prompt, answer)
        for name in set(names) - {"", "agent"}:
            here = np.array([n == name for n in names]) & (content != 0)
            content[here] ^= np.uint64(digest(f"\0{name}"))
        cut = [t.stop_condition in LIMITS or _by_length(t.calls) for t in traces]
        flags, chars, written = zip(*said, strict=True)
        self.out.add(
            reward=np.array([sum([r.score * r.weight for r in t.rewards.values()]) for t in traces], float),
            flags=np.array(flags, np.uint8) | np.where(cut, TRUNCATED, 0).astype(np.uint8), prompt=prompt, answer=answer,
            completion=np.array(written, np.uint64), identity=np.array([digest(t.id) for t in traces], np.uint64),
            tokens=np.array([-1 if t.num_output_tokens is None else t.num_output_tokens for t in traces]), chars=np.array(chars, np.int32),
            offset=np.array([at for _, _, at in seats], np.int64) + offset,
            keys={"key": key, "content": content, "example_id": hashes([k.data.idx for k in tasks], self.plain)},
            models=[t.agent.config.model or "" for t in traces], components=self._components(traces),
        )  # fmt: skip
        self.out.name(key, lambda i: (traces[i].task.key, tasks[i].data.answer))

    def _said(self, trace: Trace) -> tuple[int, int, int]:
        """`(flags, characters, hash)` of the model's messages, as `row.said`."""
        messages = [n.message for n in trace.nodes if n.sampled and n.message.role == "assistant"]
        if not messages:
            return NO_COMPLETION, -1, 0
        texts = [m.content if isinstance(m.content, str) else text_of(m.content) for m in messages]
        text = texts[0] if len(texts) == 1 else "\n".join(texts)
        written, tools = digest(text), False
        if any(len(m.tool_calls) > 4 for m in messages):
            calls = [msgspec.json.decode(m.tool_calls) if len(m.tool_calls) else None for m in messages]
            tools = any(calls)
            written ^= canonical(calls) if tools else 0
        return 0 if tools or text.strip() else EMPTY, sum(map(len, texts)), written

    def _components(self, traces: list[Trace]) -> dict[str, np.ndarray]:
        rewards = dict.fromkeys(name for t in traces for name in t.rewards)
        metrics = dict.fromkeys(name for t in traces for name in t.metrics if name not in rewards)
        for name in rewards:
            self.out.weights[name] = next(t.rewards[name].weight for t in traces if name in t.rewards)
        self.out.weights.update(dict.fromkeys(metrics, 0.0))
        out = {name: np.array([t.rewards[name].score if name in t.rewards else np.nan for t in traces], float) for name in rewards}
        return out | {name: np.array([t.metrics.get(name) for t in traces], float) for name in metrics}

    def _key(self, key: str, name: str) -> int:
        found = self.keys.get((key, name))
        if found is None:
            found = self.keys[key, name] = digest(f"{key}{scored_by(name)}")
        return found

    def _prompt(self, raw: msgspec.Raw) -> int:
        key = xxhash.xxh3_64_intdigest(raw)
        found = self.prompts.get(key)
        if found is None:
            found = self.prompts[key] = canonical(msgspec.json.decode(raw)) if len(raw) else 0
        return found


def _by_length(calls: list[Call]) -> bool:
    """Whether the last call that went well ended at the token limit."""
    good = [c for c in calls if len(c.error) in (0, 4)]
    return bool(good) and good[-1].finish_reason == "length"
