"""Tests that wrap what they want, want an exception, or call the methods of a class: the program
worked out of them does exactly that, and none is worked out of what cannot be told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lab.environment import Task
from lab.reward.reading.given_steps import class_named
from lab.reward.reading.known_calls import Cases
from lab.reward.reading.outcomes import Raised
from lab.reward.reading.tests_given import cases_of

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


# --- classes --------------------------------------------------------------------------------

NESTED = [["push", [1]], ["pop", []], ["pop", []]]
FLAT = [["push", 1], ["pop"], ["pop"]]
NAMED = [{"method": "push", "args": [1]}, {"method": "pop", "args": []}, {"method": "pop"}]
CALLED = [{"call": "push", "arguments": [1]}, {"call": "pop", "arguments": []}, {"call": "pop"}]
LEETCODE = {"operations": ["Ring", "push", "pop", "pop"], "arguments": [[2], [1], [], []]}
GIVES = [{"value": None}, {"value": 1}, {"raises": "IndexError"}]
PLAIN = [None, 1, {"error": "IndexError"}]
TRIPLES = [["push", [1], None], ["pop", [], 1], ["pop", [], {"raises": "IndexError"}]]
TOLD = [
    {"op": "push", "args": [1], "expect": None},
    {"op": "pop", "expect": 1},
    {"op": "pop", "raises": "IndexError"},
]


@pytest.mark.parametrize(
    "test",
    [
        {"case": {"init": [2], "calls": NESTED}, "expect": GIVES},
        {"case": {"init": [2], "calls": FLAT}, "expect": PLAIN},
        {"case": {"init": [2], "steps": NAMED}, "expect": GIVES},
        {"constructor": [2], "steps": CALLED, "returns": PLAIN},
        {"name": "one in, two out", "init": [2], "operations": NESTED, "expected": GIVES},
        {"case": [[2], *NESTED], "expect": GIVES},
        {"case": [[2], *NESTED], "expect": [{"value": None}, *GIVES]},
        {"input": [["Ring", [2]], *NESTED], "output": PLAIN},
        {"input": [["Ring", 2], *FLAT], "output": [None, *PLAIN]},
        {"input": [["__init__", 2], *FLAT], "output": PLAIN},
        {"input": [{"method": "Ring", "args": [2]}, *NAMED], "output": PLAIN},
        {"input": LEETCODE, "output": [None, *PLAIN]},
        {"input": list(LEETCODE.values()), "output": [None, *PLAIN]},
        {**LEETCODE, "expected": [None, *PLAIN]},
        {"init": [2], "calls": TRIPLES},
        {"init": [2], "steps": TOLD},
        {"init": [2], "calls": [*NESTED, ["push", [3]]], "expect": GIVES},  # it stops there
    ],
)
def test_a_class_follows_the_calls_of_its_tests(test: dict[str, Any]) -> None:
    other = {"input": {"init": [0], "calls": []}, "output": [{"raises": "ValueError"}]}
    for tests in ([test], [test, other]):
        found = read(CLASS, cases=tests)
        ring = defined(found)(2)
        results = [outcome(ring.push, 1), outcome(ring.pop), outcome(ring.pop)]
        assert results == [None, 1, Raised("IndexError")]
        assert outcome(defined(found, "LookupError"), 3) == Raised("LookupError")
    assert outcome(defined(read(CLASS, cases=[test, other])), 0) == VALUE


@pytest.mark.parametrize(
    "fields",
    [
        {"init": [2], "calls": NESTED, "expected": GIVES},
        {**LEETCODE, "expected": [None, *PLAIN]},
        {"init": "[2]", "calls": json.dumps(NESTED), "expected": json.dumps(GIVES)},
        {"test": {"init": [2], "calls": NESTED, "expected": GIVES}},
        {"cases": [[[2], *NESTED]], "expected": [GIVES]},
        {"cases": json.dumps([{"case": {"init": [2], "calls": NESTED}, "expect": GIVES}])},
    ],
)
def test_one_test_may_be_the_fields_of_a_task(fields: dict[str, Any]) -> None:
    ring = defined(read(CLASS, **fields))(2)
    assert [outcome(ring.push, 1), outcome(ring.pop)] == [None, 1]


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


def test_a_class_that_cannot_be_made_is_told_from_a_first_call_that_raises() -> None:
    calls = [["pop", []], ["push", [1]]]
    failed = {"case": {"init": [2], "calls": calls}, "expect": [{"raises": "IndexError"}]}
    ring = defined(read(CLASS, cases=[failed]))
    assert outcome(ring, 2) == Raised("IndexError")
    passed = {"case": {"init": [2], "calls": NESTED}, "expect": GIVES}
    ring = defined(read(CLASS, cases=[failed, passed]))
    assert outcome(ring(2).pop) == Raised("IndexError") and outcome(ring(2).push, 1) is None


@pytest.mark.parametrize(
    ("prompt", "test"),
    [
        (CLASS, {"case": {"init": [2], "calls": NESTED}, "expect": GIVES[:2]}),
        (CLASS, {"case": {"init": [2], "calls": NESTED}, "expect": [*GIVES, *GIVES]}),
        (CLASS, {"case": {"init": [2], "calls": NESTED}, "expect": 1}),
        (CLASS, {"case": {"init": {"size": 2}, "calls": NESTED}, "expect": GIVES}),
        (CLASS, {"case": {"init": [2], "calls": NESTED, "seed": [1]}, "expect": GIVES}),
        (CLASS, {"case": {"init": [2], "calls": [["push", [1]], 3]}, "expect": [None, None]}),
        (CLASS, {"case": {"init": [2], "calls": [["push!", [1]]]}, "expect": [None]}),
        (CLASS, {"case": {"init": [2], "calls": [["class", [1]]]}, "expect": [None]}),
        (CLASS, {"case": {"init": [2], "calls": [["__del__", []]]}, "expect": [None]}),
        (CLASS, {"case": {"init": [2], "calls": [{"method": "push", "x": 1}]}, "expect": [None]}),
        (CLASS, {"case": {"init": [2], "calls": [{"method": "push", "args": 1}]}, "expect": [0]}),
        (CLASS, {"case": [[2], *NESTED], "expect": GIVES[:1]}),
        (CLASS, {"operations": ["Ring", "push"], "arguments": [[2]], "expected": [None, None]}),
        (CLASS, {"init": [2], "calls": [*TRIPLES, ["pop", []]]}),
        (FUNCTION, {"case": {"init": [2], "calls": NESTED}, "expect": GIVES}),
    ],
)
def test_no_class_where_the_calls_cannot_be_told(prompt: str, test: dict[str, Any]) -> None:
    assert read(prompt, cases=[test]) is None


def test_no_class_where_the_same_calls_give_something_else() -> None:
    pushed = {"init": [2], "calls": [["push", [1]], ["pop", []]]}
    tests = [{"case": pushed, "expect": [None, n]} for n in (1, 2)]
    assert read(CLASS, cases=tests[:1]) and read(CLASS, cases=tests) is None


class Ring:
    """The class that the tests below are made with; its methods have the names that a table would
    use itself."""

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ValueError
        self.size, self.held = size, []  # type: ignore[var-annotated]

    def follow(self, x: Any) -> Any:
        self.held.append(x)
        return self.held.pop(0) if len(self.held) > self.size else None

    def state(self) -> list[Any]:
        return list(self.held)

    def pop(self) -> Any:
        return self.held.pop(0)


ASKED = "Write the class `Ring(size)` with `follow(x)`, `state()` and `pop()`."
ITEMS = st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=2) | st.just([1, [2]])
CALLS = st.one_of(
    st.tuples(st.just("follow"), st.lists(ITEMS, min_size=1, max_size=1)),
    st.tuples(st.sampled_from(["state", "pop"]), st.just([])),
)
WRITE = {
    "nested": lambda name, args: [name, args],
    "flat": lambda name, args: [name, *args],
    "named": lambda name, args: {"method": name, "args": args},
}


@given(
    st.lists(st.tuples(st.integers(0, 2), st.lists(CALLS, min_size=1, max_size=6)), min_size=1),
    st.sampled_from(["named", "nested", "flat"]),
    st.booleans(),
)
def test_a_class_passes_all_tests_that_a_right_one_passes(cases, written: str, stops: bool) -> None:
    tests, runs = [], []
    for size, calls in cases:
        results = replayed(Ring, size, calls, stops)
        given = {"init": [size], "calls": [WRITE[written](*call) for call in calls]}
        expect = [
            {"raises": one.name} if isinstance(one, Raised) else {"value": one} for one in results
        ]
        tests.append({"case": given, "expect": expect})
        runs.append((size, calls, results))
    steps = [step for test in tests for step in test["case"]["calls"]]
    # A list as the only argument of every call is read as all of them.
    assume(written != "flat" or any(one[1:] and not isinstance(one[1], list) for one in steps))
    found = read(ASKED, cases=tests)
    for size, calls, results in runs:
        assert replayed(defined(found), size, calls, stops) == results


def replayed(made: Any, size: int, calls: Any, stops: bool) -> list[Any]:
    """What an honest run of a test sees: all calls, or those up to one that raises."""
    one = outcome(made, size)
    if isinstance(one, Raised):
        return [Raised(one.name)]
    results = []
    for name, args in calls:
        result = outcome(getattr(one, name), *args)
        results.append(Raised(result.name) if isinstance(result, Raised) else result)
        if stops and isinstance(result, Raised):
            break
    return results


# --- anything ------------------------------------------------------------------------------


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
