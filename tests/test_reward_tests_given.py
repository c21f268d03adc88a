"""Programs worked out of a task's own tests: for a process that prints and for a function."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from string import Template

import pytest

from lab.environment import Task
from lab.reward.reading.answer_type import answer_type
from lab.reward.reading.candidates import candidates
from lab.reward.reading.tests_given import cases_of, read_cases


def task(prompt: str = "Write a program.", **fields) -> Task:
    return Task(index=0, key="0", prompt=prompt, fields=fields)


@pytest.mark.parametrize(
    "tests",
    [
        [{"input": "2 3\n", "output": "5"}, {"input": "1 1\n", "output": "2"}],
        {"inputs": ["2 3\n", "1 1\n"], "outputs": ["5\n", "2\n"]},
        json.dumps(
            [{"stdin": "2 3", "expected_output": "5"}, {"stdin": "1 1", "expected_output": "2"}]
        ),
        [["2 3", "5"], ["1 1", "2"]],
    ],
)
def test_a_program_that_knows_its_tests_prints_what_they_want(tests):
    found = cases_of(task(tests=tests))
    assert found.function == "" and found.outputs == ["5", "2"]
    printed = subprocess.run(
        [sys.executable, "-I", "-c", found.program()],
        input="1 1\n",
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert printed.stdout.strip() == "2"


@pytest.mark.parametrize(
    "fields",
    [
        {"test_list": ["assert twice(2) == 4", "assert twice(-1) == -2"]},
        {
            "test": "def check(candidate):\n    assert candidate(2) == 4\n"
            "    assert candidate(-1) == -2\n",
            "entry_point": "twice",
        },
        {"cases": [[[2], 4], [[-1], -2]], "entry": "twice"},
        {
            "tests": [{"args": [2], "expected": 4}, {"args": [-1], "expected": -2}],
            "fn_name": "twice",
        },
        {"function": "twice", "calls": [[2], [-1]], "results": [4, -2]},
        {"function": "twice", "runs": [[2], [-1]], "shall": [4, -2]},
        {"entry": "twice", "calls": ["[2]", "[-1]"], "expected": [4, -2]},
        {"function": "twice", "calls_json": "[[2], [-1]]", "expected_json": "[4, -2]"},
    ],
)
def test_a_function_that_knows_its_tests_returns_what_they_want(fields):
    space: dict = {}
    exec(cases_of(task(**fields)).program(), space)
    assert (space["twice"](2), space["twice"](-1), space["twice"](5)) == (4, -2, None)


def test_two_arguments_are_no_input_and_output_where_the_outputs_stand_beside_them():
    space: dict = {}
    exec(cases_of(task(function="add", cases=[[1, 2], [3, 4]], expected=[3, 7])).program(), space)
    assert space["add"](3, 4) == 7


def test_an_empty_set_is_a_value():
    space: dict = {}
    asserts = ["assert same([1], [2]) == set()", "assert same([1], [1]) == set([1])"]
    exec(cases_of(task(test_list=asserts)).program(), space)
    assert space["same"]([1], [2]) == set() and space["same"]([1], [1]) == {1}


@pytest.mark.parametrize(
    "fields",
    [
        {"tests": "see the file"},
        {"tests": [1, 2]},
        {"test": "assert f(x) == y"},
        {"answer": "4"},
        {"tests": [{"input": "1"}]},
        {"runs": [[2], [-1]], "shall": [4, -2]},
        {"function": "twice", "runs": [2, -1], "shall": [4, -2]},
    ],
)
def test_other_fields_hold_no_tests(fields):
    assert cases_of(task(**fields)) is None


def test_the_worked_out_program_is_a_later_candidate_than_the_solution():
    tasks = [
        task(solution="print(input())", tests=[{"input": str(n), "output": str(n)}])
        for n in range(4)
    ]
    found = candidates(tasks)
    assert found[0].field == "solution"
    worked_out = next(one for one in found if one.field == "tests" and "knows" in one.reading)
    assert answer_type(worked_out, tasks) == "code"


HANDED = Template("""
import verifiers.v1 as vf


def longest(names):
    best = max(names, key=len)
    $after
    return best


class Data(vf.TaskData):
    function: str
    calls: list[list]
    results: list[str]


class Task(vf.Task[Data]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        return 0.0


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for n in range(3):
            calls = [[["Ann", f"Bobby{n}"]], [[f"Cleopatra{n}", "Al"]]]
            results = [longest(*call) for call in calls]
            prompt = f"Write the function longest(names). Variant {n}. One ```python block."
            data = Data(prompt=prompt, function="longest", calls=calls, results=results)
            yield Task(data, self.config.task)


__all__ = ["Tasks"]
""")


@pytest.mark.parametrize(("after", "status"), [("names.clear()", "fail"), ("pass", "pass")])
def test_tests_that_contradict_each_other_are_told(tmp_path: Path, bench, after: str, status: str):
    """What the reference leaves of the list that it was handed is what the tests give."""
    path = tmp_path / f"handed_{status}.py"
    path.write_text(HANDED.substitute(after=after), encoding="utf-8")
    found = bench.audit(path).findings["data.conflicting_tests"]
    assert found.status == status, found
    if status == "fail":
        assert "[[]] gives 'Bobby0' in one test and 'Cleopatra0' in another" in found.evidence


CACHE = """Complete the class Cache.

class Cache:
    def put(self, key, value): ...   # stores; `get(key)` gives it back
"""


def test_scenarios_of_a_class_are_no_calls_of_its_methods():
    """What it is made with, and then its calls: no two of them are one call with two results."""
    tests = [[[1], [["put", "a", 1]]], [[1], [["put", "b", 2], ["get", "b"]]]]
    assert read_cases(task(CACHE, tests=tests, wanted=[[None], [None, 2]], cls="Cache")) is None
    assert read_cases(task(CACHE, scenarios=tests, cls="Cache")) is None
    for said in (
        "class Solution:\n    def put(self, n)",
        "Write a function `put(n)`. No class Foo is needed.",
    ):
        assert read_cases(task(said, tests=[[[1], 3], [[2], 4]])).function == "put"
    function = "Write the function `put(key)`."
    assert read_cases(task(function, tests=[[[1], [3]], [[2], [4]]])).function == "put"
