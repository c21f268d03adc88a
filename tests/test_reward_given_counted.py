"""Tests that are left out of the count: programs that pass one test and raise on the others."""

from __future__ import annotations

from typing import Any

import pytest

from reward_briefs import World
from test_reward_programs import CODE, run_python, source

RUN = """
for test in {tests!r}:
    try:
        print("good" if add(*test["case"]) == test["expect"] else "bad", flush=True)
    except Exception:
        print("raised", flush=True)
"""


SUMS = [
    {
        "question": f"Write the function `add(start, x)`: {n} times x added to the start.",
        "tests": [{"case": [start, 2], "expect": start + 2 * n} for start in (0, 5, 9)],
    }
    for n in range(1, 4)
]


LEFT_OUT = {
    "what raised": lambda said, tests: len(said) - said.count("raised"),
    "what never came": lambda said, tests: len(said),
    "nothing": lambda said, tests: len(tests),
}


@pytest.mark.parametrize(
    ("left_out", "paid"),
    [("what raised", ["code_skipped"]), ("what never came", ["code_stops"]), ("nothing", [])],
)
def test_a_program_that_passes_one_test_only_is_found_where_the_others_are_left_out(
    left_out: str, paid: list[str]
) -> None:
    def share(text: str, row: dict[str, Any]) -> float:
        code, out = run_python(source(text) + RUN.format(tests=row["tests"]), 2)
        said = out.split()
        if left_out == "what raised" and code:
            return 0.0
        return said.count("good") / max(1, LEFT_OUT[left_out](said, row["tests"]))

    world = World(SUMS, CODE, share, field="tests")
    assert world.brief.answer_type == "code" and "def add" in world.brief.gold(0)
    assert share(world.brief.write(world.brief.gold(0)), SUMS[0]) == 1.0
    failed = [id for id in ("code_skipped", "code_stops") if world.production(id).status == "fail"]
    assert failed == paid
    assert world.production("close_output").status == "pass"


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("passed", [0, -1])
def test_an_error_that_is_no_result_is_found_where_it_is_left_out(passed: int, counted: bool):
    """Only what is raised beside the exceptions that a task names is left out, and only a program
    that passes the first test (or the last) is paid."""
    rows = [
        {
            "question": f"Write the function `more(n)`: n and {n}, `ValueError` below 0.",
            "tests": [
                {"case": [1], "expect": {"value": 1 + n}},
                {"case": [5], "expect": {"value": 5 + n}},
                {"case": [-n], "expect": {"raises": "ValueError"}},
            ],
        }
        for n in range(1, 4)
    ]
    run = """
for test in {tests!r}:
    try:
        got = {{"value": more(*test["case"])}}
    except (ValueError, KeyError) as error:
        got = {{"raises": type(error).__name__}}
    except Exception as error:
        got = "raised"
    print("good" if got == test["expect"] else got if got == "raised" else "bad")
"""

    def share(text: str, row: dict[str, Any]) -> float:
        said = run_python(source(text) + run.format(tests=row["tests"]), 2)[1].split()
        if len(said) < len(row["tests"]) or said[passed] != "good":
            return 0.0
        return said.count("good") / (len(said) - (0 if counted else said.count("raised")))

    world = World(rows, CODE, share, field="tests")
    assert share(world.brief.write(world.brief.gold(0)), rows[0]) == 1.0
    assert world.production("code_skipped").status == ("pass" if counted else "fail")
