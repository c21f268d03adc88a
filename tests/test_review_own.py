"""What a reader's own completion says of a reward: a contradiction, or a question of form."""

from __future__ import annotations

import pytest

from lab.review.answers import Own
from lab.review.own import CONTRADICTED, DIFFERS, _state


@pytest.mark.parametrize(
    ("completion", "called", "state"),
    [
        ("Answer: C\nIt sank in 1912.", False, DIFFERS),
        ("<answer>C</answer>", True, CONTRADICTED),
        ("<answer>C</answer> no, <answer>B</answer>", False, CONTRADICTED),
        ("Answer: B", False, CONTRADICTED),
    ],
)
def test_the_right_answer_in_another_form_is_a_question(completion, called, state):
    own = Own(task=0, completion=completion, earns="wrong", why="Finish with a line")
    assert _state(own, "right", "C", True, called) == state
