"""How much a reply keeps of what is asked of it, where its reward is all or nothing: what metrics
and the code's own functions say of it while it is scored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lab.environment import Watched

AGAINST = re.compile(r"broken|wrong|error|violat|miss|fault|fail|unmet|penalt", re.IGNORECASE)
"""Names of metrics that count what is not kept."""


def kept(seen: Watched) -> tuple[float, float, int]:
    """What a reply earns, how much of what is asked it keeps, and how much the code looks
    at, as far as it can be seen."""
    looked_at = len({(where, name) for where, name, _ in seen.values})
    said = [
        -value if AGAINST.search(name) else value
        for name, value in seen.score.metrics.items()
        if isinstance(value, (int, float)) and (AGAINST.search(name) or 0 <= value <= 1)
    ]
    shares = [*(said or _verdicts(seen.values)), *_faults(seen.values)]
    return round(seen.score.reward or 0.0, 6), round(sum(shares), 6), looked_at


def _verdicts(values: Sequence[tuple[str, str, Any]]) -> list[float]:
    """The share of what each function finds true, of those that say so and nothing else."""
    found: dict[str, list[float]] = {}
    for where, name, value in values:
        members = list(value.values()) if isinstance(value, dict) else value
        members = members if isinstance(members, list) else [members]
        if name == "return" and members and all(isinstance(one, bool) for one in members):
            found.setdefault(where, []).append(sum(members) / len(members))
    return [sum(shares) / len(shares) for shares in found.values()]


def _faults(values: Sequence[tuple[str, str, Any]]) -> list[float]:
    """How many faults each function that lists some finds, less than none."""
    listed: dict[str, int] = {}
    for where, name, value in values:
        texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
        if texts and AGAINST.search(where if name == "return" else name):
            listed[where] = max(listed.get(where, 0), len(value))
    return [-float(count) for count in listed.values()]
