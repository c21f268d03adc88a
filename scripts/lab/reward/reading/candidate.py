"""One source of golds, read in one way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Candidate:
    """One source read in one way: an answer per task, None where a task has none."""

    field: str
    reading: str
    golds: list[str | None]
    accepted: list[list[str]]
    """Per task every text that the source accepts, `golds[i]` first."""
    rank: int
    """See `fields.rank_of`."""
    all_of: bool = False
    """The gold is a collection whose members all belong to the answer."""

    @property
    def named(self) -> bool:
        return self.rank == 0


def single(field: str, reading: str, golds: Sequence[str | None], rank: int) -> Candidate:
    """A candidate that accepts one text per task."""
    return Candidate(field, reading, list(golds), [[g] if g else [] for g in golds], rank)


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
