"""What is said of the rows of a new package: how many are left out, and whether one has a key."""

from __future__ import annotations

from lab.cli.report import Check, Finding
from lab.data.checks.selection import Selection

BUNDLED = "data/rows.jsonl"
MOST_LEFT_OUT = 0.5
ROWS = Check(
    "scaffold.rows",
    title="most rows can be used",
    expected=f"<= {MOST_LEFT_OUT:.0%} left out as repeats, contradictions or without a gold",
    reason="Where most rows say nothing new, the dataset is smaller than it looks.",
    source="dataset-teaching: 300 rows of 12 questions",
)
KEYS = Check(
    "scaffold.secrets",
    title="no key or password is put into the package",
    expected="0 rows",
    reason="The package is published with its rows, and a published key is lost.",
    source="detect-secrets: the forms of keys",
)


def keys(keyed: list[tuple[int, str]]) -> Finding:
    """Which rows of the package hold what looks like a key; never the key."""
    if not keyed:
        return KEYS.ok(0)
    named = ", ".join(f"row {row} ({kind})" for row, kind in keyed[:5])
    more = f" and {len(keyed) - 5} more" if len(keyed) > 5 else ""
    return KEYS.warn(
        len(keyed),
        f"{BUNDLED} of the package holds what looks like a key or a password: {named}{more}",
        "ask the user whose keys they are, take them out of the dataset, and write the package "
        "again: push_environment.py refuses one that holds a key",
    )


def chosen_rows(chosen: Selection) -> Finding:
    """Whether enough rows are left to train on."""
    share = 1 - chosen.kept / max(1, chosen.rows)
    said = "; ".join(chosen.rule)
    if share <= MOST_LEFT_OUT:
        return ROWS.ok(round(share, 4), said)
    return ROWS.warn(
        round(share, 4),
        said,
        "look at the dataset with the user before going on; --keep-all takes every row",
    )
