"""The weights of several rewards against those that README and prompt state."""

from __future__ import annotations

import re

from lab.cli.report import Check, Finding
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN

OFF = 0.05
"""Share of the whole by which a weight may be off."""
WEIGHTS = Check(
    "reward.weights_stated",
    title="the rewards have the weights that README and prompt state",
    expected=f"each share of the whole at most {OFF:.0%} off",
    reason="Weights that were exchanged pay most for what matters least, and each reward by itself "
    "is right.",
    source="own cases: weights that a README states, by two authors",
)
SHARE = re.compile(r"(?<![\d.,])(?:(0\.\d+|1(?:\.0+)?)(?![\d.%])|(\d{1,3}) ?%)")
"""A share of the reward: `0.7`, or `70 %`."""


def finding(b: Brief) -> Finding:
    paying = {name: weight for name, weight in b.description.rewards.items() if weight > 0}
    stated = {name: share for name in paying if (share := _stated(name, b)) is not None}
    if len(paying) < 2 or len(stated) < len(paying):
        return WEIGHTS.skip("README and prompt state no weight for each of several rewards")
    whole, said = sum(paying.values()), sum(stated.values())
    apart = {n: (stated[n] / said, paying[n] / whole) for n in paying}
    if all(abs(one - other) <= OFF for one, other in apart.values()):
        return WEIGHTS.ok(measured=paying)
    exchanged = sorted(stated.values()) == sorted(paying.values())
    found = ", ".join(f"{name} {stated[name]:g} (here {paying[name]:g})" for name in paying)
    return (WEIGHTS.fail if exchanged else WEIGHTS.warn)(
        measured=paying,
        evidence=f"stated: {found}",
        fix=f"give each reward its weight, or correct README and prompt ({DESIGN}#components)",
        severity="high" if exchanged else "medium",
        direction="invariant",
    )


def _stated(name: str, b: Brief) -> float | None:
    """The only share in the only line that names a reward and has one; None without it."""
    text = f"{b.readme}\n{b.tasks[0].shown}"
    named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    lines = [SHARE.findall(line) for line in text.splitlines() if named.search(line)]
    read = [
        float(part or 0) + int(percent or 0) / 100 for found in lines for part, percent in found
    ]
    shares = {share for share in read if share}
    return shares.pop() if len(shares) == 1 else None
