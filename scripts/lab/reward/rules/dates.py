"""Whether the golds of all tasks read the dates of their prompts in one order, and count the
changes of the clock: see `lab.data.checks.date_order` and `lab.data.checks.clock_change`, which
decide it for the rows of a dataset, too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from lab.cli.report import Finding
from lab.data.checks import clock_change
from lab.data.checks.date_order import ORDER, dated, finding, orders_said
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.reading.fields import flat, rank_of

PERHAPS = 1
"""The last rank of fields that are named like a gold, where none is known to be it."""
SEVERITY = {"fail": "critical", "warn": "medium"}


def order(b: Brief, rows: Sequence[Task]) -> Finding:
    if len(orders_said(b.readme)) > 1:
        return ORDER.skip("the README speaks of both orders")
    source = b.right.source
    read = [one for task in rows for one in dated(task.index, task.shown, _gold(task, source))]
    return _of_data(finding(read, "task"))


def passed(b: Brief, rows: Sequence[Task]) -> Finding:
    source = b.right.source
    read = [
        one
        for task in rows
        for one in clock_change.passed(task.index, task.shown, _gold(task, source))
    ]
    return _of_data(clock_change.finding(read, "task"))


def _of_data(found: Finding) -> Finding:
    return replace(found, direction="data", severity=SEVERITY.get(found.status))


def _gold(task: Task, source: str) -> str:
    """All that the gold's fields hold, with what is nested in them. `source` may join several."""
    row = dict(flat(task.fields))
    named = (path for path in row if rank_of(path) <= PERHAPS)
    known = [path for path in source.split("+") if path in row] or named
    values = [row[path] for path in known]
    return "\n".join(
        one if isinstance(one, str) else json.dumps(one, ensure_ascii=False, default=str)
        for one in values
    )
