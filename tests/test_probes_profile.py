"""Which rows of the dataset's profile an environment's golds are compared with."""

from __future__ import annotations

import json
from types import SimpleNamespace

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


def subject(folder, golds, context):
    """Thirty tasks with these golds; the profile has the golds of the first twenty."""
    tasks = [Task(i, f"t{i}", f"Passage {i} about shops.\n\nIs the shop number {i % 20} open at noon?", fields={"answer": gold}) for i, gold in enumerate(golds)]
    facts = {"questions": [f"Is the shop number {i} open at noon?" for i in range(20)], "golds": ["yes"] * 20, "context_fields": context}
    (folder / ".prime-lab").mkdir(parents=True)
    (folder / ".prime-lab" / "profile.json").write_text(json.dumps({"facts": facts}))
    learned = SimpleNamespace(gold_field="answer", reading="as it is")
    return SimpleNamespace(env=SimpleNamespace(location=SimpleNamespace(path=folder), description=SimpleNamespace(first=[])), learned=learned, tasks=tasks)


def test_another_passage_may_have_another_gold_and_another_column_has_all_others(tmp_path):
    some, wrong = ["yes"] * 24 + ["no"] * 6, ["no"] * 30
    assert data._matches(subject(tmp_path / "a", some, ["passage"])).status == "pass"
    assert data._matches(subject(tmp_path / "b", some, [])).status == "fail", "without a passage a question has one gold"
    assert data._matches(subject(tmp_path / "c", wrong, ["passage"])).status == "fail"
