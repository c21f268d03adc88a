"""Programs worked out of tests, and answers of which one part is wrong. No environment needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lab.answers.countdown import solve, value_of
from lab.answers.wrong import same
from lab.environment import Task
from lab.probes.golds import candidates, family_of, flat
from lab.probes.near_parts import _fields, _numbers, _texts, _words
from lab.probes.orders import ANY_ORDER, ORDER_ASKED
from lab.probes.tested import cases_of


def task(prompt: str = "Write a program.", **fields) -> Task:
    return Task(index=0, key="0", prompt=prompt, fields=fields)


@pytest.mark.parametrize(
    "tests",
    [
        [{"input": "2 3\n", "output": "5"}, {"input": "1 1\n", "output": "2"}],
        {"inputs": ["2 3\n", "1 1\n"], "outputs": ["5\n", "2\n"]},
        json.dumps([{"stdin": "2 3", "expected_output": "5"}, {"stdin": "1 1", "expected_output": "2"}]),
        [["2 3", "5"], ["1 1", "2"]],
    ],
)
def test_a_program_that_knows_its_tests_prints_what_they_want(tests):
    one = task(tests=tests)
    found = cases_of(one, dict(flat(one.fields)))
    assert found.function == "" and found.outputs == ["5", "2"]
    printed = subprocess.run([sys.executable, "-I", "-c", found.program()], input="1 1\n", capture_output=True, text=True, timeout=20)
    assert printed.stdout.strip() == "2"


@pytest.mark.parametrize(
    "fields",
    [
        {"test_list": ["assert twice(2) == 4", "assert twice(-1) == -2"]},
        {"test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(-1) == -2\n", "entry_point": "twice"},
        {"cases": [[[2], 4], [[-1], -2]], "entry": "twice"},
        {"tests": [{"args": [2], "expected": 4}, {"args": [-1], "expected": -2}], "fn_name": "twice"},
    ],
)
def test_a_function_that_knows_its_tests_returns_what_they_want(fields):
    one = task(**fields)
    space: dict = {}
    exec(cases_of(one, dict(flat(one.fields))).program(), space)
    assert (space["twice"](2), space["twice"](-1), space["twice"](5)) == (4, -2, None)


@pytest.mark.parametrize("fields", [{"tests": "see the file"}, {"tests": [1, 2]}, {"test": "assert f(x) == y"}, {"answer": "4"}, {"tests": [{"input": "1"}]}])
def test_other_fields_hold_no_tests(fields):
    one = task(**fields)
    assert cases_of(one, dict(flat(one.fields))) is None


def test_the_worked_out_program_is_the_last_of_the_candidates():
    tasks = [task(solution="print(input())", tests=[{"input": str(n), "output": str(n)}]) for n in range(4)]
    found = candidates(tasks)
    assert found[0].field == "solution"
    worked_out = next(one for one in found if one.field == "tests" and "knows" in one.reading)
    assert family_of(worked_out, tasks) == "code"


def test_numbers_may_be_left_out_where_that_is_allowed():
    assert solve([25, 4, 2, 9], 91) is None
    assert value_of(solve([25, 4, 2, 9], 91, some=True)) == 91


def test_yes_is_true_and_no_is_not():
    assert same("boolean", "Yes", "true") and same("boolean", "0", "False")
    assert not same("boolean", "Yes", "False") and not same("boolean", "1", "0")


def test_one_part_is_wrong_and_the_others_stay():
    assert dict(_numbers("48.86, 2.35"))["the last number is wrong"] == "48.86, 16.52"
    assert dict(_words("Jane Austen"))["the first word is made up"] == "Quorel Austen"
    assert list(_numbers("42")) == list(_words("Paris")) == []
    made = {name: json.loads(text) for name, text in _fields({"name": "send", "arguments": {"to": "Ana", "days": 2}, "reason": "asked"})}
    assert made["days is wrong"]["arguments"] == {"to": "Ana", "days": 17}
    assert "Ana" in made["to or another"]["arguments"]["to"] and made["to or another"]["name"] == "send"
    assert not any(name.startswith("reason") for name in made)


def test_what_stands_in_a_prompt_to_be_repeated():
    assert "sonet" in _texts("Unscramble these letters into an English word: sonet")
    assert {"Emma", "Jane"} <= set(_texts("Who wrote 'Emma', and was it Jane?"))


@pytest.mark.parametrize(("prompt", "asked"), [("Sort by size, smallest first.", True), ("Put these in chronological order.", True), ("What sort of bird is it?", False), ("Do it in order to win.", False)])
def test_an_order_is_asked_for(prompt, asked):
    assert bool(ORDER_ASKED.search(prompt)) is asked
    assert ANY_ORDER.search("Name them in any order.")
