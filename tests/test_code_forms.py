"""Python that does the same, written otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.answers.code_forms import behind_helper, is_python

FACTORIAL = "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)"


@given(st.integers(0, 12))
def test_a_function_behind_a_helper_does_the_same(n: int) -> None:
    one: dict = {}
    other: dict = {}
    exec(FACTORIAL, one)
    exec(behind_helper(FACTORIAL), other)
    assert other["fact"](n) == other["fact"](n=n) == one["fact"](n)


@pytest.mark.parametrize(
    "code",
    [
        "print(3)",
        "def a():\n    return 1\n\ndef b():\n    return a()",
        "def index(word):\n    return 'abc'.index(word)",
        "def named():\n    return 'named'",
        "def broken(:",
        "",
    ],
)
def test_what_is_not_one_function_stays_as_it_is(code: str) -> None:
    assert behind_helper(code) == ""


def test_the_code_of_another_language_is_no_python() -> None:
    assert is_python(FACTORIAL) and not is_python("fn main() {}")
