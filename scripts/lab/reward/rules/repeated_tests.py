"""Tests of one task that are all the same: whoever passes one of them passes them all.

    inputs = [log(seed=number) for _ in range(8)]       # eight times the input of the prompt

They are meant to tell a rule from its result on one input. A seed that leaves the number of the
test out makes one of eight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN
from lab.reward.reading.candidate import dumped
from lab.reward.reading.fields import flat

REPEATED = Check(
    "data.repeated_tests",
    title="the tests, inputs or documents of one task are not all the same",
    expected="lists of long values with different ones in at least half of the tasks",
    reason="One input is no test of a rule: its result, written down, passes.",
    source="own cases: inputs of programs and sheets of formulas that were made with one seed",
)
LEAST_MEMBERS, LEAST_TASKS, LONG, OFTEN = 3, 3, 40, 0.5
"""Members of a list, tasks, characters of a member (as JSON, where it is no text), and the share of
the tasks with such a list."""


def finding(b: Brief) -> Finding:
    by_path: dict[str, list[tuple[Task, list[Any]]]] = {}
    for task in b.tasks:
        for path, members in _lists(task):
            by_path.setdefault(path, []).append((task, members))
    if not by_path:
        return REPEATED.skip("no lists of long values")
    for path, lists in by_path.items():
        same = [(task, members) for task, members in lists if _all_the_same(members)]
        if len(same) >= max(LEAST_TASKS, OFTEN * len(lists)):
            task, members = same[0]
            return REPEATED.fail(
                measured=f"{len(same)} of {len(lists)} tasks",
                evidence=f"{excerpt(path, 40)}: all {len(members)} of task {task.index} are "
                f"'{excerpt(_text(members[0]), 100)}'",
                fix="make each with a seed of its own, and compare them once "
                f"({DESIGN}#code-hardcoded)",
                severity="critical",
                direction="data",
            )
    return REPEATED.ok(measured=f"0 of {len(by_path)} fields")


def _all_the_same(members: list[Any]) -> bool:
    return all(one == members[0] for one in members)


def _lists(task: Task) -> Iterator[tuple[str, list[Any]]]:
    for path, value in flat(task.fields):
        if isinstance(value, list) and len(value) >= LEAST_MEMBERS and len(_text(value[0])) >= LONG:
            yield path, value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else dumped(value)
