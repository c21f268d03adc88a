"""Values that the code compares while it makes the tasks, and that can never be the same.

    holidays = {"2025-05-02"}      date(2025, 5, 2) in holidays      # False, and no error

What was read from JSON or CSV is text, keys of JSON are; what it is held against is a number or a
day. Python says no, and the golds are made as if the value were not there.
"""

from __future__ import annotations

from pathlib import Path

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Environment
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN

LEAST = 2
"""Values at one place: one alone may be chance."""
MIXED = Check(
    "data.mixed_types",
    title="no value is compared with one that is written alike and of another type",
    expected=f"fewer than {LEAST} values at one place of the code that makes the tasks",
    reason="A day that is looked for among texts is never there, and a number never among the "
    "keys of a JSON object: the golds are made without them, and nothing raises.",
    source="python: values of other types are not equal, and its json module makes keys texts",
)


def finding(b: Brief, env: Environment) -> Finding:
    if not b.with_gold:
        return MIXED.skip("no golds")
    place, values = max(env.never_same.items(), key=lambda one: len(one[1]), default=("", {}))
    if len(values) < LEAST:
        return MIXED.ok(measured=len(values))
    file, line, _ = place.rsplit(":", 2)
    value, (ours, theirs) = next(iter(values.items()))
    return MIXED.fail(
        measured=f"{len(values)} values",
        evidence=f"{Path(file).name}, line {line}: '{excerpt(value, 40)}' as {ours} is held "
        f"against the same as {theirs}, and is never equal; so are {len(values) - 1} more",
        fix="turn both into one type where they are read, such as date.fromisoformat() or int() "
        f"({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )
