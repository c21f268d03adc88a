"""Which versions the ladder works with: one table, read by preflight and compared with pyproject.

Standard library only, because preflight must be able to say what is missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PYTHON = ((3, 11), (3, 15))
"""First version that works, and the first that does not (verifiers 0.4: >=3.11,<3.15)."""


@dataclass(frozen=True)
class Need:
    """One distribution: the range that works, and which steps stop without it."""

    name: str
    floor: str
    cap: str
    steps: str
    optional: bool = False

    @property
    def range(self) -> str:
        return f">={self.floor}" + (f",<{self.cap}" if self.cap else "")

    @property
    def requirement(self) -> str:
        """As pip and uv take it."""
        return f"{self.name}{self.range}"

    def accepts(self, version: str) -> bool:
        return release(version) >= release(self.floor) and (
            not self.cap or release(version) < release(self.cap)
        )


VERIFIERS = Need("verifiers", "0.4.0", "0.5", "every step that loads an environment")
DATASETS = Need("datasets", "4.0", "", "inspect_dataset.py with a hub id")
HUGGINGFACE_HUB = Need("huggingface_hub", "1.0", "", "inspect_dataset.py with a hub id")
TOMLI_W = Need("tomli-w", "1.1", "", "submit_training.py, which writes the training file")
PRIME = Need("prime", "0.18.0", "", "push_environment.py, submit_training.py, monitor_training.py")

PACKAGES = (VERIFIERS, DATASETS, HUGGINGFACE_HUB, TOMLI_W)

CLASSIC = ("0.1.10", "0.3.2")
"""verifiers releases that have the classic API (`load_environment`), first and first after."""


def release(version: str) -> tuple[int, ...]:
    """The numbers that lead a version: `0.4.1.dev86` is (0, 4, 1); compared at equal length."""
    found = re.match(r"\d+(?:\.\d+)*", version.strip())
    numbers = [int(part) for part in found.group().split(".")] if found else [0]
    return tuple([*numbers, 0, 0, 0][: max(3, len(numbers))])
