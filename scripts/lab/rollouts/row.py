"""One rollout as the exact reader sees it, and the builder that turns many into columns.

Every layout ends here: a layout's module takes a decoded line and yields `Row`s; `Builder`
collects them. The hash is xxh3 of the UTF-8 text: fast, the same in every process.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from lab.rollouts.model import EMPTY, KEYS, NO_COMPLETION, TOOL_CALLS, Rollouts

SHORT_GOLD = 64
"""Characters; longer gold answers are no candidates for a constant-answer baseline."""


@dataclass(slots=True)
class Row:
    """What one rollout contributes; every field has the meaning of the column of that name."""

    reward: float = math.nan
    flags: int = 0
    keys: dict[str, int] = field(default_factory=dict)
    label: str = ""
    prompt: int = 0
    answer: int = 0
    gold: str | None = None
    completion: int = 0
    identity: int = 0
    tokens: int = -1
    chars: int = -1
    model: str = ""
    components: dict[str, float] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    problem: str = ""
    error: str = ""


def digest(value: Any) -> int:
    """A 64-bit hash of text or bytes, never 0 for something; 0 for None."""
    if value is None:
        return 0
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return xxhash.xxh3_64_intdigest(value) or 1


def number(value: Any) -> tuple[float, str]:
    """`value` as a reward and what is wrong with it (empty when nothing is).

    Numbers in strings are used and counted; NaN, infinities, None and the rest are not used.
    """
    if isinstance(value, bool):
        return float(value), ""
    if isinstance(value, (int, float)):
        try:
            out = float(value)
        except OverflowError:
            return math.nan, "reward_not_finite"
        return (out, "") if math.isfinite(out) else (math.nan, "reward_not_finite")
    if value is None:
        return math.nan, "reward_missing"
    if isinstance(value, str):
        try:
            out = float(value)
        except ValueError:
            return math.nan, "reward_not_a_number"
        return (out, "reward_as_string") if math.isfinite(out) else (math.nan, "reward_not_finite")
    return math.nan, "reward_not_a_number"


def said(messages: Any) -> tuple[int, int, int]:
    """`(flags, characters, hash)` of what a model wrote: a string or a list of messages.

    Only assistant messages count; a message without text and tool calls is an empty answer.
    """
    if isinstance(messages, str):
        return (0 if messages.strip() else EMPTY), len(messages), digest(messages)
    if not isinstance(messages, list) or not messages:
        return NO_COMPLETION, -1, 0
    texts, tools = [], False
    spoke = False
    for message in messages:
        if isinstance(message, str):
            spoke = True
            texts.append(message)
        elif isinstance(message, dict) and message.get("role", "assistant") == "assistant":
            spoke = True
            texts.append(text_of(message.get("content")))
            tools = tools or bool(message.get("tool_calls"))
    if not spoke:
        return NO_COMPLETION, -1, 0
    text = "\n".join(texts)
    calls = digest(repr([m.get("tool_calls") for m in messages if isinstance(m, dict)])) if tools else 0
    flags = TOOL_CALLS if tools else (0 if text.strip() else EMPTY)
    return flags, sum(map(len, texts)), digest(text) ^ calls


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [p.get("text") if isinstance(p, dict) else p for p in content]
        return "\n".join(p for p in parts if isinstance(p, str))
    return ""


class Builder:
    """Collects `Row`s into columns; `done` gives the `Rollouts`."""

    def __init__(self, layout: str, files: list[Path]):
        self.layout, self.files = layout, files
        self.reward, self.flags = array("d"), array("B")
        self.keys = {name: array("Q") for name in KEYS}
        self.prompt, self.answer, self.completion, self.identity = (array("Q") for _ in range(4))
        self.tokens, self.chars = array("i"), array("i")
        self.model, self.file, self.offset = array("h"), array("h"), array("q")
        self.components: dict[str, array] = {}
        self.weights: dict[str, float] = {}
        self.models: dict[str, int] = {}
        self.labels: dict[int, str] = {}
        self.golds: Counter[str] = Counter()
        self._seen_gold: set[int] = set()
        self.problems: Counter[str] = Counter()
        self.examples: dict[str, str] = {}
        self.error_kinds: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self.reward)

    def problem(self, kind: str, where: str) -> None:
        """Count something that was wrong and keep where it was seen first."""
        self.problems[kind] += 1
        self.examples.setdefault(kind, where)

    def add(self, row: Row, file: int, offset: int) -> None:
        n = len(self.reward)
        self.reward.append(row.reward)
        self.flags.append(row.flags)
        for name, column in self.keys.items():
            column.append(row.keys.get(name, 0))
        self.prompt.append(row.prompt)
        self.answer.append(row.answer)
        self.completion.append(row.completion)
        self.identity.append(row.identity)
        self.tokens.append(max(-1, min(row.tokens, 2**31 - 1)))
        self.chars.append(min(row.chars, 2**31 - 1))
        self.model.append(self.models.setdefault(row.model, min(len(self.models), 2**15 - 1)))
        self.file.append(file)
        self.offset.append(offset)
        for name, value in row.components.items():
            column = self.components.get(name)
            if column is None:
                column = self.components[name] = array("d", [math.nan] * n)
            column.extend([math.nan] * (n - len(column)))
            column.append(value)
        self.weights.update(row.weights)
        if row.problem:
            self.problem(row.problem, f"{self.files[file].name}@{offset}")
        if row.error:
            self.error_kinds[row.error] += 1
        name = next((row.keys[key] for key in KEYS if row.keys.get(key)), 0)
        if row.label and name not in self.labels:
            self.labels[name] = row.label
        if row.gold is not None and len(row.gold) <= SHORT_GOLD:
            self._gold(row)

    def _gold(self, row: Row) -> None:
        task = row.keys.get("key") or row.keys.get("content") or row.keys.get("example_id", 0)
        if task not in self._seen_gold:
            self._seen_gold.add(task)
            self.golds[row.gold or ""] += 1

    def done(self, settings: dict[str, Any] | None = None) -> Rollouts:
        n = len(self.reward)
        for column in self.components.values():
            column.extend([math.nan] * (n - len(column)))
        return Rollouts(
            layout=self.layout,
            files=self.files,
            reward=_column(self.reward, "f8"),
            flags=_column(self.flags, "u1"),
            keys={name: _column(column, "u8") for name, column in self.keys.items()},
            prompt=_column(self.prompt, "u8"),
            answer=_column(self.answer, "u8"),
            completion=_column(self.completion, "u8"),
            identity=_column(self.identity, "u8"),
            tokens=_column(self.tokens, "i4"),
            chars=_column(self.chars, "i4"),
            model=_column(self.model, "i2"),
            file=_column(self.file, "i2"),
            offset=_column(self.offset, "i8"),
            components={name: _column(column, "f8") for name, column in self.components.items()},
            weights=dict(self.weights),
            models=list(self.models) or [""],
            labels=self.labels,
            golds=self.golds,
            problems=self.problems,
            examples=self.examples,
            error_kinds=self.error_kinds,
            settings=settings or {},
        )


def _column(values: array, kind: str) -> np.ndarray:
    return np.frombuffer(values, dtype=kind).copy() if len(values) else np.zeros(0, dtype=kind)
