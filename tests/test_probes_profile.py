"""Which rows of the dataset's profile an environment's golds are compared with."""

from __future__ import annotations

from lab.environment import Task
from lab.probes import data


def test_the_same_question_about_other_passages_is_left_out():
    profile = [("is the shop open at noon", "True", None), ("is the shop open at noon", "False", None), ("is it far from here to town", "True", None)]
    assert data._one_gold_each(profile) == {"is it far from here to town": ("True", None)}


def test_a_question_is_not_found_inside_a_longer_word_or_number():
    wanted = {"is the shop open at half past 1": ("True", None), "is the shop open at half past 15": ("False", None)}
    for number, found in (("1", "is the shop open at half past 1"), ("15", "is the shop open at half past 15"), ("12", None)):
        task = Task(0, "t", f"It opens at 8.\n\nIs the shop open at half past {number}?\n\nAnswer yes or no.")
        assert data._question(task, wanted) == found
