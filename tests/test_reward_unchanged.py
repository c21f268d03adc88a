"""What is taken for a text to be changed, and which schedules are near another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.reward.productions.schedules import close_to
from lab.reward.productions.unchanged import given_to_change


@pytest.mark.parametrize(
    ("prompt", "right", "found"),
    [
        ("Correct it.\n\nIl caffe del porto", ["Il caffè del porto"], "Il caffe del porto"),
        ("Frase: Il caffe del porto", ["Il caffè del porto"], "Il caffe del porto"),
        ('Mend "the bird flys high" at once.', ["the bird flies high"], "the bird flys high"),
        ("Fix: i came i saw", ["I came, I saw."], ""),  # capitals and signs
        ("Fix: If I was you", ["If I were you", "If I was you"], ""),
        ("Where is the tower of London?", ["in the very middle of it"], ""),
        ("Fix: bird", ["birds"], ""),
        ("", [""], ""),
    ],
)
def test_a_text_to_be_changed_is_nearly_the_answer(prompt, right, found) -> None:
    assert given_to_change(prompt, right) == ([found] if found else [])


def test_of_a_program_signs_count_and_blanks_do_not() -> None:
    prompt = "Repair it:\n```c++\nint less(int a) { return a < 3; }\n```"
    wanted = "int less(int a) { return a <= 3; }"
    assert given_to_change(prompt, [wanted], program=True) == ["int less(int a) { return a < 3; }"]
    same = "int less(int a)  {\nreturn a < 3; }"
    assert given_to_change(prompt, [same], program=True) == []


@given(st.text(max_size=300), st.text(max_size=60))
def test_only_what_the_prompt_has_is_given_back(prompt: str, gold: str) -> None:
    for text in given_to_change(prompt, [gold]):
        assert text in prompt and text != gold


@pytest.mark.parametrize(
    ("gold", "near"),
    [
        ("30 6 * * 1-5", ["0 0 31 2 *", "30 6 * * *", "30 * * * 1-5", "* 6 * * 1-5"]),
        ("5 0 * * SUN,MON,TUE,WED,THU,FRI,SAT", None),
        ("5 0 1-31 * 1", None),
        ("5 0 13 * 5", None),
        ("* * * * *", []),
        ("the 4th of July 1776", []),
        ("e4 e5 Nf3 Nc6 Bb5", []),
        ("1 2 3 4 5", []),
        ("99 * * * *", []),
        ("*/0 * * * *", []),
    ],
)
def test_schedules_near_another_fire_at_other_times(gold, near) -> None:
    found = [text for _, text in close_to(gold)]
    days = [text for text in found if text.split()[:2] == gold.split()[:2]]
    assert found == near if near is not None else found and not days


@given(st.text(alphabet="*/-,?0123456789 MONJAN²", max_size=30))
def test_no_text_ends_in_an_error(gold: str) -> None:
    for _, text in close_to(gold):
        assert text != gold and len(text.split()) == 5
