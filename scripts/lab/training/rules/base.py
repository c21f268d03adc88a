"""What a rule takes and gives.

A rule is a function from a file and what is known besides it to findings. A finding may carry
a repair that is safe: it changes the file so that it means what its author surely meant.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from lab.cli.report import Finding
from lab.training.file import SourceBlock, TrainingFile
from lab.training.keys import SEATLESS

FORWARDED = ("WANDB_API_KEY", "HF_TOKEN")
"""Variables that the platform's client passes to a run."""


@dataclass(frozen=True)
class Change:
    """Set the value at a dotted path, or take the key out when `value` is DROP."""

    path: str
    value: Any


DROP = object()


@dataclass(frozen=True)
class Issue:
    """A finding and its safe repair, if it has one."""

    finding: Finding
    repair: tuple[Change, ...] = ()


@dataclass(frozen=True)
class EnvironmentClasses:
    """What the config classes of an environment say; see lab.training.classes.

    `fields` maps the taskset's config keys to {"type", "default", "choices"}; `seats` are the
    agents of its Env, `seat_defaults` what it sets for each of them; `task_fields` are the keys
    below `task`.
    """

    module: str
    fields: dict[str, dict[str, Any]]
    seats: tuple[str, ...] = ("agent",)
    task_fields: tuple[str, ...] = ()
    read_from: str = ""
    seat_defaults: dict[str, dict[str, Any]] = field(default_factory=dict)

    def splits(self) -> list[str]:
        """The legal values of the taskset's `split`; empty where it has none."""
        return [str(item) for item in self.fields.get("split", {}).get("choices") or ()]


@dataclass(frozen=True)
class Measured:
    """What a real evaluation of one environment says, and its distribution report."""

    module: str
    tasks: int = 0
    """How many tasks were evaluated."""
    keep: int = 0
    """How many of them are worth training on."""
    shares: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    """Group size -> the share of live groups (estimate, low, high)."""
    total: int | None = None
    """How many tasks the environment has, when they were counted."""
    warm_up: bool = False
    results: str = ""
    group_size: int | None = None
    """The one that the report's plan suggests."""
    prompt_tokens: float | None = None
    """The 95th percentile over the evaluated tasks."""
    turns: float | None = None
    """Model calls of a rollout, the mean."""

    def share(self, size: float) -> tuple[int, tuple[float, float, float]] | None:
        """The share at the largest measured group size that is not above `size`, and that size."""
        at = max((known for known in self.shares if known <= size), default=None)
        return None if at is None else (at, self.shares[at])


@dataclass(frozen=True)
class Known:
    """What is known besides the file, by module name. Rules skip what they lack."""

    classes: dict[str, EnvironmentClasses] = field(default_factory=dict)
    measured: dict[str, Measured] = field(default_factory=dict)
    renderers: dict[str, str] | None = None
    """Models that the installed renderers package knows; None when it is not installed."""

    def of(self, source: SourceBlock) -> Measured:
        return self.measured.get(source.module, Measured(source.module))


Rule = Callable[[TrainingFile, Known], Iterator[Issue]]


def both(file: TrainingFile) -> list[SourceBlock]:
    """The training sources and the evaluation sources."""
    return [*file.sources("train"), *file.sources("eval")]


def seats_of(source: SourceBlock) -> dict[str, dict[str, Any]]:
    """The seats that a source's block configures."""
    return {
        key: value
        for key, value in source.env.items()
        if key not in SEATLESS and isinstance(value, dict)
    }


def integer(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value is a number that can be counted with: no truth value, nan or infinity."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max  # false for nan, too
