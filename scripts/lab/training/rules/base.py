"""What a rule takes and gives.

A rule is a function from a file and what is known besides it to findings. A finding may carry
a repair that is safe: it changes the file so that it means what its author surely meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lab.report import Finding
from lab.training.file import TrainingFile


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
    """What the config classes of an importable environment say; see lab.training.classes.

    `fields` maps the taskset's config keys to {"type", "default", "choices"}; `seats` are the
    agents of its Env; `task_fields` are the keys below `task`.
    """

    module: str
    fields: dict[str, dict[str, Any]]
    seats: tuple[str, ...] = ("agent",)
    task_fields: tuple[str, ...] = ()
    read_from: str = ""


@dataclass(frozen=True)
class Measured:
    """What the distribution report of a real evaluation says about one environment."""

    module: str
    tasks: int
    """How many tasks were evaluated."""
    keep: int
    """How many of them are worth training on."""
    shares: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    """Group size -> the share of live groups (estimate, low, high)."""
    total: int | None = None
    """How many tasks the environment has, when they were counted."""
    warm_up: bool = False
    results: str = ""

    def share(self, size: float) -> tuple[int, tuple[float, float, float]] | None:
        """The share at the largest measured group size that is not above `size`, and that size."""
        at = max((known for known in self.shares if known <= size), default=None)
        return None if at is None else (at, self.shares[at])


@dataclass(frozen=True)
class Known:
    """What is known besides the file. Everything is optional; rules skip what they lack."""

    classes: dict[str, EnvironmentClasses] = field(default_factory=dict)
    """By module name."""
    prompt_tokens: float | None = None
    """The 95th percentile over the evaluated tasks."""
    turns: float | None = None
    best_group_size: int | None = None
    """The distribution report's plan."""
    measured: Measured | None = None
    forwarded: tuple[str, ...] = ("WANDB_API_KEY", "HF_TOKEN")
    """Variables that the platform passes to a run."""
    renderers: dict[str, str] | None = None
    """Models that the installed renderers package knows; None when it is not installed."""


Rule = Callable[[TrainingFile, Known], Iterator[Issue]]


def integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
