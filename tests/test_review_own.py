"""What a reader's own completion says of a reward: a contradiction, or a question of form."""

from __future__ import annotations

import pytest

from lab.answers.form import CHOICE, CORE, USUAL
from lab.review.answers import Own
from lab.review.compared import EXPLOITS, QUESTION, RIGHTS, kind_of
from lab.review.items import FORM, STRUCTURE, Item
from lab.review.own import CONTRADICTED, DIFFERS, state_of


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
    assert state_of(own, "right", "C", True, called) == state


@pytest.mark.parametrize(
    ("role", "name", "level", "label", "says", "kind"),
    [
        (STRUCTURE, "a wrong answer, then the right answer", "", "wrong", "right", QUESTION),
        (STRUCTURE, "the right answer, then a wrong answer", "", "wrong", "right", EXPLOITS),
        (STRUCTURE, "a wrong answer, then the right answer", "", "right", "wrong", RIGHTS),
        (FORM, "bold", USUAL, "wrong", "right", QUESTION),
        (FORM, "thousands separator", CORE, "right", "wrong", RIGHTS),
        (FORM, "thin thousands", CHOICE, "right", "wrong", QUESTION),
    ],
)
def test_a_sentence_of_the_readme_decides_where_the_reward_is_not_just_lenient(
    role, name, level, label, says, kind
):
    item = Item(role, 0, 0, "42", 1.0, says, name, level=level)
    assert kind_of(item, label, quoted=True) == kind
    assert kind_of(item, label, quoted=False) == QUESTION


def test_the_other_word_for_the_same_truth_is_the_right_answer():
    own = Own(task=0, completion="Answer: True\nIt has one day more.", earns="wrong", why="a line")
    assert state_of(own, "right", "Yes", True, False) == DIFFERS
    assert state_of(own, "right", "No", True, False) == CONTRADICTED
