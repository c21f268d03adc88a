"""Tasks of several kinds, of which one writes its answer in a way that was not found.

Where the golds that are paid and those that are not differ by another field (`kind` is `era`), or
by how many members they have, the reward may be right and the reading wrong: that is a question,
and no finding about the reward.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.reading.fields import rank_of, rows_by_path, usable

FEW = 6
"""Different values of a field that says a kind, at most."""
LEAST = 3
"""Tasks on either side from which on a difference says something."""


def difference(b: Brief, paid: Sequence[int], unpaid: Sequence[int]) -> str:
    """What all tasks have in common whose gold is not paid, and none has whose gold is; "" where
    nothing is seen, or the contract says what the gold is."""
    if b.contract.gold or b.contract.examples or min(len(paid), len(unpaid)) < LEAST:
        return ""
    rows = rows_by_path(b.tasks)
    source = b.right.source
    for path in rows[0]:
        values = {i: rows[i].get(path) for i in (*paid, *unpaid)}
        if path == source:
            kinds = {i: _members(value) for i, value in values.items()}
        elif rank_of(path) in (0, 1):
            continue  # another form of the gold itself
        else:
            kinds = _kinds(values)
        here, there = {kinds[i] for i in unpaid}, {kinds[i] for i in paid}
        if kinds[unpaid[0]] and not here & there:
            return f"{path} is {excerpt(' or '.join(sorted(here)), 60)} on all of them alone"
    return ""


def _members(value: Any) -> str:
    return f"a list of {len(value)}" if isinstance(value, list) else ""


def _kinds(values: dict[int, Any]) -> dict[int, str]:
    """The value of a field of few values; of others, whether there is one."""
    plain = all(isinstance(value, (str, int, bool)) for value in values.values())
    if plain and len(set(values.values())) <= FEW:
        return {i: repr(value) for i, value in values.items()}
    return {i: "given" if usable(value) else "empty" for i, value in values.items()}
