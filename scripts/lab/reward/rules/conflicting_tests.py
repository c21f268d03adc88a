"""Tests of one task that give the same and want something else: no program passes them.

    count_out([], 3) -> ["Ann", "Bob"]      count_out([], 3) -> ["Eve"]

They come of results that were worked out of arguments which the reference then changed (`pop` or
`del` of a list that it was handed), of rows that were joined one off, of tests of two versions.
"""

from __future__ import annotations

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN
from lab.reward.reading.known_calls import Cases
from lab.reward.reading.tests_given import read_cases

CONFLICT = Check(
    "data.conflicting_tests",
    title="no two tests of a task contradict each other",
    expected="one result for each call",
    reason="Where one call has to give two things, no program is paid, and the task teaches "
    "nothing.",
    source="python: a function may change the list that it is handed, and with it the test's own",
)
LEAST = 2
"""Tasks: in one alone a test may have something that is not read."""


def finding(b: Brief) -> Finding:
    # Of an object it may hang on the calls before.
    plain = {
        i: cases
        for i, task in enumerate(b.tasks)
        if type(cases := read_cases(task)) is Cases and cases.function
    }
    wrong = {i: conflict for i, cases in plain.items() if (conflict := cases.conflict)}
    if not plain:
        return CONFLICT.skip("no tests with calls of a function")
    if len(wrong) < LEAST:
        return CONFLICT.ok(measured=f"{len(wrong)} of {len(plain)} tasks")
    i, (given, one, other) = next(iter(wrong.items()))
    return CONFLICT.fail(
        measured=f"{len(wrong)} of {len(plain)} tasks",
        evidence=f"task {b.tasks[i].index}: {excerpt(repr(given), 80)} gives "
        f"{excerpt(repr(one), 60)} in one test and {excerpt(repr(other), 60)} in another",
        fix="work out each result with a copy of its arguments (copy.deepcopy), and compare the "
        f"tests once more ({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )
