"""A tag beside the answer's is the place of thinking where its name says so."""

from __future__ import annotations

import pytest

from lab.environment import Description, Task
from lab.reward.brief import Brief
from lab.reward.formats.answer_format import tagged
from lab.reward.reading.right import Right


@pytest.mark.parametrize(
    ("tag", "named"),
    [
        ("think", True),
        ("Rationale", True),
        ("plan", True),
        ("raisonnement", True),
        ("pensamiento", True),
        ("Überlegung", True),
        ("рассуждение", True),
        ("date", False),
        ("duration", False),
        ("plant", False),
        ("pension", False),
        ("resonance", False),
    ],
)
def test_the_name_of_a_tag_says_whether_it_is_for_thinking(tag: str, named: bool) -> None:
    tasks = [Task(0, "0", f"Write <{tag}></{tag}>, then <answer></answer>.")]
    right = Right(tasks, format=tagged("answer", tag)[0])
    brief = Brief(Description("taskset", tasks, 1, {}, [], []), right)
    usual = "think" if not named else tag
    assert brief.think == (f"<{usual}>", f"</{usual}>")
    assert brief.names_thinking == named
