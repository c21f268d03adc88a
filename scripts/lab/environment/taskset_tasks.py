"""The tasks of a taskset: read as far as they can be counted, and the splits it does not use."""

from __future__ import annotations

import time
import typing
from typing import Any

MOST_COUNTED = 100_000
COUNTING = 10.0
"""Seconds for reading tasks that nobody needs but to know how many there are."""
HELD_OUT = ("eval", "test", "validation", "valid", "val", "dev", "held_out", "heldout", "train")


def other_splits(config: Any) -> list[tuple[str, Any, bool]]:
    """(field, value, whether its type allows it) of the splits that a configuration does not
    use. `split` says which part is loaded; `train_split` and the like only what a part is called
    in the dataset."""
    declared = type(config).model_fields
    named = [name for name in declared if name == "split" or name.endswith("_split")]
    for name in sorted(named, key=lambda name: name != "split"):
        field = declared[name]
        used, allowed = getattr(config, name), typing.get_args(field.annotation)
        certain = [value for value in allowed if isinstance(value, str)]
        values = sorted(certain, key=_held_out_first) if certain else HELD_OUT
        return [(name, value, bool(certain)) for value in values if value != used]
    return []


def _held_out_first(value: str) -> int:
    return HELD_OUT.index(value) if value in HELD_OUT else len(HELD_OUT)


def read_tasks(taskset: Any, least: int) -> tuple[list[Any], bool]:
    """The tasks as far as they can be counted, `least` in any case; and whether they came to an
    end."""
    pool: list[Any] = []
    until = time.monotonic() + COUNTING
    for task in taskset:
        if len(pool) >= MOST_COUNTED or (len(pool) >= least and time.monotonic() > until):
            return pool, False
        pool.append(task)
    return pool, True
