"""`Found`: what is right in an environment, and what was seen while it was looked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lab.environment import Validity
from lab.reward.reading.right import Right


@dataclass
class Found:
    """What is right, and what was seen on the way."""

    right: Right
    checked: dict[int, Validity] = field(default_factory=dict)
    """What the tasks' own checks said, by position of the task."""
    reward: float | None = None
    """What a right rollout earns, where it is acted out."""
    how: str = ""
    """How it is acted out."""
    idle: float = 0.0
    """What an empty reply earns."""
    claim: float = 0.0
    """What a reply earns that says the work was done, without any of it."""
    graded: bool = False
    """Whether a rollout that is right in some turns only earns a part."""
    swallowed: list[str] = field(default_factory=list)
    """Errors that the environment's own code raised and handled on every completion."""

    kept: tuple[str, float] = ("", 0.0)
    """What shows that scoring keeps a state, and by how much."""
    unequal: str = ""
    """Two values that are written alike, and that its code never takes for the same."""
    with_prompt: str = ""
    """A text of a reply that its code compares with the whole prompt."""

    @property
    def valid(self) -> bool:
        return bool(self.checked) and all(one.valid for one in self.checked.values())


def acted_out(
    found: Found,
    how: str,
    reward: float,
    whole: dict[int, Any],
    cut: dict[int, Any] | None = None,
) -> Found:
    """The same with right rollouts that no field writes out, and with those that are cut short."""
    evidence = f"the gold is acted out, not written ({how} earn {reward:.3g})"
    found.right = found.right.without_gold(evidence)
    found.right.whole, found.right.whole_from, found.right.cut = whole, how, cut or {}
    found.reward, found.how = reward, how
    return found
