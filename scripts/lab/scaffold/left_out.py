"""The rows that a user leaves out: numbers, or a file that lists them.

    named_rows("1,5,9-12")          # {1, 5, 9, 10, 11, 12}
    named_rows("profile.json")      # the rows that inspect_dataset.py found orders to an agent in

A row's number is its place as the reports say it: the first one is 0.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from lab.cli.report import LabError, usage

FORM = "numbers such as 1,5,9-12, a file of numbers, or the profile of inspect_dataset.py"


def named_rows(text: str) -> set[int]:
    """Raises a usage error (exit 2) for anything that names no rows."""
    if numbers := _numbers(text):
        return numbers
    try:
        content = Path(text).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise _refused(
            f"--leave-out {text} is neither numbers nor a file that can be read"
        ) from None
    try:
        found = _listed(json.loads(content))
    except ValueError:
        found = _numbers(content)
    if not found:
        raise _refused(f"{text} names no rows")
    return found


def check_places(places: set[int], rows: int) -> None:
    if beyond := sorted(place for place in places if place >= rows):
        raise _refused(f"row {beyond[0]} is not there: the dataset has {rows} rows, from 0 on")


def _numbers(text: str) -> set[int]:
    parts = re.split(r"[\s,;]+", text.strip(" \n,;"))
    found: set[int] = set()
    for part in parts:
        told = re.fullmatch(r"(\d{1,7})(?:-(\d{1,7}))?", part)
        if not told:
            return set()
        found |= set(range(int(told[1]), int(told[2] or told[1]) + 1))
    return found


def _listed(value: Any) -> set[int]:
    """A list of numbers, or the rows with orders of a profile."""
    if isinstance(value, dict):
        facts = value.get("facts")
        orders = facts.get("orders") if isinstance(facts, dict) else None
        if not isinstance(orders, dict):
            raise _refused("this profile says nothing of rows with orders")
        if orders.get("rows") is None and orders.get("count"):
            raise _refused(
                "the profile was made from a sample, so its rows have no numbers",
                "inspect the dataset again with --full",
            )
        value = orders.get("rows")
    rows = value if isinstance(value, list) else [value]
    return {row for row in rows if isinstance(row, int) and not isinstance(row, bool) and row >= 0}


def _refused(said: str, fix: str = f"give {FORM}") -> LabError:
    return usage(said, fix, id="input.leave_out")
