"""Tests that wrap what they want, or want an exception: the program worked out of them does exactly
that, and none is worked out of what cannot be told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.environment import Task
from lab.reward.reading.known_calls import Cases
from lab.reward.reading.outcomes import Raised
from lab.reward.reading.tests_given import cases_of, class_named

FUNCTION = "Write the function `half(n)`. Odd numbers raise `ValueError`."
CLASS = "Write the class `Ring(size)`. `push(x)` adds a value, `pop()` takes the oldest one out."


def read(prompt: str, **fields: Any) -> Cases | None:
    return cases_of(Task(index=0, key="0", prompt=prompt, fields=fields))


def defined(cases: Cases | None, otherwise: str = "") -> Any:
    assert cases is not None
    space: dict[str, Any] = {}
    exec(cases.program(otherwise=otherwise), space)
    return space[cases.function]


def outcome(call: Any, *args: Any) -> Any:
    """What a call gives, with the name of what it raises."""
    try:
        return call(*args)
    except Exception as error:
        return Raised(type(error).__name__, str(error))


def test_cases(*wanted: Any, key: str = "expect") -> list[dict[str, Any]]:
    return [{"case": [n], key: one} for n, one in zip((4, 6, 3), wanted, strict=True)]


test_cases.__test__ = False  # type: ignore[attr-defined]

VALUE = Raised("ValueError")


@pytest.mark.parametrize(
    "tests",
    [
        test_cases([{"value": 2}], [{"value": 3}], [{"raises": "ValueError"}]),
        test_cases({"value": 2}, {"value": 3}, {"error": "ValueError"}),
        test_cases({"result": 2}, {"result": 3}, {"exception": "ValueError"}, key="outcome"),
        test_cases({"returns": 2}, {"returns": 3}, {"raises": "ValueError"}, key="expected"),
        test_cases({"value": 2, "error": None}, {"value": 3}, {"value": None, "error": VALUE.name}),
        test_cases(2, 3, {"raises": "ValueError"}),
        [
            {"params": [4], "returns": 2},
            {"params": [6], "returns": 3},
            {"params": [3], "raises": "ValueError"},
        ],
        [
            {"args": [4], "value": 2},
            {"args": [6], "value": 3, "error": None},
            {"args": [3], "value": None, "error": "ValueError"},
        ],
        [
            {"case": "even", "function": "half", "args": [4], "expect": 2},
            {"case": "even, too", "function": "half", "args": [6], "expect": 3},
            {
                "case": "odd",
                "function": "half",
                "args": [3],
                "expect": None,
                "raises": "ValueError",
            },
        ],
    ],
)
def test_a_function_gives_what_is_wrapped_and_raises_what_is_named(tests) -> None:
    half = defined(read(FUNCTION, cases=tests))
    assert [outcome(half, n) for n in (4, 6, 3, 5)] == [2, 3, VALUE, None]


def test_lists_beside_lists_are_out_of_what_wraps_them() -> None:
    wanted = [{"value": 2}, {"value": 3}, {"raises": "ValueError", "message": "odd"}]
    half = defined(read(FUNCTION, cases=[[4], [6], [3]], expect=wanted))
    assert [outcome(half, n) for n in (4, 3)] == [2, Raised("ValueError", "odd")]


def test_an_exception_that_python_does_not_have_is_declared() -> None:
    tests = test_cases(2, 3, {"raises": "OddError"})
    assert outcome(defined(read(FUNCTION, cases=tests)), 3) == Raised("OddError")


def test_what_is_not_known_raises_what_is_asked_for() -> None:
    half = defined(read(FUNCTION, cases=test_cases(2, 3, {"raises": "ValueError"})), "LookupError")
    assert [outcome(half, n) for n in (4, 3, 5)] == [2, VALUE, Raised("LookupError")]


@pytest.mark.parametrize(
    "tests",
    [
        test_cases({"value": 2}, {"value": 3}, {"raises": "json.JSONDecodeError"}),
        test_cases({"value": 2}, {"value": 3}, {"raises": True}),
        test_cases({"value": 2}, 3, {"raises": "ValueError"}),
        test_cases(2, 3, {"raises": "a number that is odd"}),
        test_cases(2, 3, {"raises": "UnicodeDecodeError"}),
        test_cases(2, 3, {"raises": "print"}),
        test_cases({"value": 2}, {"value": 3}, {"value": 1, "raises": "ValueError"}),
        [*test_cases(2, 3, {"raises": "ValueError"}), {"case": [3], "expect": 1}],
        [*test_cases(2, 3, 1), {"case": [8]}],
        [*test_cases(2, 3, 1), {"case": [8], "expect": 4, "raises": "ValueError"}],
        [*test_cases(2, 3, 1), {"case": [8], "expect": float("inf")}],
        [{"case": "even", "expect": 2}, {"case": "odd", "expect": 3}],
        [
            {"call": "half", "args": [4], "returns": 2},
            {"call": "double", "args": [4], "returns": 8},
        ],
    ],
)
def test_no_program_where_a_test_cannot_be_told(tests) -> None:
    assert read(FUNCTION, cases=tests) is None


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("The function `f(n)` returns `{'value': n}`.", {"value": 4}),
        ('The function `f(n)` returns an object with "result".', {"result": 4}),
        ("The function `f(n)` returns an object with the key `value`.", {"value": 4}),
        ("The function `f(n)` returns an object.", {"error": "too small"}),
        ("The function `f(n)` returns an object.", {"value": 4, "unit": "m"}),
        ("The function `f(n)` returns a list.", [{"value": 4}, {"value": 5}]),
    ],
)
def test_an_object_that_the_program_has_to_return_stays_one(prompt: str, wanted: Any) -> None:
    found = read(prompt, tests=[{"args": [1], "expect": wanted}])
    assert defined(found)(1) == wanted


@pytest.mark.parametrize(
    ("prompt", "fields", "name"),
    [
        ("Write a class named `ring`.", {}, "ring"),
        ("Implement the `Ring(size)` class.", {}, "Ring"),
        ("Fill in:\n```python\nclass Node: ...\nclass Ring: ...\n```", {"target": "Ring"}, "Ring"),
        ("Class of 1990: write the function `half(n)`.", {"entry_point": "half"}, ""),
        ("Which class is this?", {"name": "Ring"}, ""),
    ],
)
def test_the_class_that_is_asked_for(prompt: str, fields: dict[str, Any], name: str) -> None:
    assert class_named(prompt, fields) == name


CALLS = [["push", [1]], ["pop", []]]


@pytest.mark.parametrize(
    "test",
    [
        {"case": {"init": [2], "calls": CALLS}, "expect": [None, 1]},
        {"input": [[2], CALLS], "output": [None, 1]},
        {"input": [["Ring", [2]], *CALLS], "output": [None, None, 1]},
    ],
)
def test_calls_of_a_class_are_no_arguments_of_a_function(test: dict[str, Any]) -> None:
    assert read(CLASS, cases=[test]) is None


# --- anything ------------------------------------------------------------------------------


ITEMS = st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=2) | st.just([1, [2]])
KEYS = st.sampled_from("case expect init calls steps method args value raises ops tests x".split())
JSON = st.recursive(
    ITEMS | st.sampled_from(["push", "Ring", "ValueError", "add"]) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=20,
)


@given(JSON, JSON, st.sampled_from([FUNCTION, CLASS, "Write a program."]))
def test_whatever_a_task_holds_a_program_is_whole_or_there_is_none(
    cases: Any, expect: Any, prompt: str
) -> None:
    for fields in ({"cases": cases}, {"cases": cases, "expect": expect}):
        found = read(prompt, **fields)
        for otherwise in ("", "LookupError") if found else ():
            compile(found.program(otherwise=otherwise), "made", "exec")
