"""`Item`: one completion of a review, with what is known of it and must not be shown.

A reader sees the completion and the prompt of its task, and nothing else of an item.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from lab.environment import Completion
from lab.reward.scale import Scale

GOLD, WRONG, EXPLOIT, STRUCTURE, FORM, CONTROL = (
    "gold",
    "wrong",
    "exploit",
    "structure",
    "form",
    "control",
)
"""Why a completion is shown: the right answer as the data has it; an ordinary wrong answer; what
must not be paid; several answers, or one in the thinking; another form of the right answer; and
one that says whether the reader reads at all."""

PAID, PART, REFUSED = "right", "part", "wrong"
"""What the reward says of a completion, in the words of the reader."""
NO_TASK = -1
"""The place of the task that is made for the sheet."""


def verdict(scale: Scale, task: int, reward: float | None) -> str:
    """What the reward says of a completion that earned this."""
    if reward is None:
        return REFUSED
    if scale.paid(task, reward):
        return PAID
    return PART if scale.paid_in_part(task, reward) else REFUSED


@dataclass(frozen=True)
class Item:
    """One completion. `task` is its place in the description, `index` its index in the taskset."""

    role: str
    task: int
    index: int
    completion: Completion
    reward: float | None = None
    says: str = REFUSED
    """What the reward says of it: right, part or wrong."""
    name: str = ""
    """The form, the units or the production that it shows."""
    clause: str = ""
    """The clause of a contract that decides it, where it is a matter of choice."""
    note: str = ""
    """What a report says of it."""
    number: int = 0
    share: float | None = None
    """How far its reward is on the way from a wrong answer's to the right one's."""
    level: str = ""
    """How usual a form is, see `lab.answers.form`."""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Item:
        known = {field.name for field in fields(cls)}
        return cls(**{key: value for key, value in data.items() if key in known})
