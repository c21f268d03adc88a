"""The weights of several rewards against those that README and prompt state."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lab.environment import Task
from lab.reward.rules.weights import finding

TABLE = "| part | share |\n|---|---|\n| `triage` | 0.7 |\n| `form`: only the object | 0.3 |\n"
PERCENT = "`triage` carries 70 % and is what counts.\n`form` carries 30%."


def brief(readme: str, prompt: str = "", **rewards: float) -> SimpleNamespace:
    description = SimpleNamespace(rewards=rewards)
    return SimpleNamespace(description=description, readme=readme, tasks=[Task(0, "0", prompt)])


@pytest.mark.parametrize(
    ("readme", "rewards", "status"),
    [
        (TABLE, {"triage": 0.7, "form": 0.3}, "pass"),
        (TABLE, {"triage": 0.3, "form": 0.7}, "fail"),
        (TABLE, {"triage": 7.0, "form": 3.0}, "pass"),
        (TABLE, {"triage": 0.5, "form": 0.5}, "warn"),
        (PERCENT, {"triage": 0.7, "form": 0.3}, "pass"),
        (PERCENT, {"triage": 0.3, "form": 0.7}, "fail"),
        (TABLE, {"triage": 0.3, "form": 0.7, "length": 0.1}, "skip"),
        (TABLE, {"triage": 1.0}, "skip"),
        (TABLE, {"triage": 0.7, "form": 0.3, "seen": 0.0}, "pass"),
        ("`triage` 0.7, `form` 0.3", {"triage": 0.3, "form": 0.7}, "skip"),
        ("version 1.2 of `triage`; `form` as of 2024", {"triage": 0.3, "form": 0.7}, "skip"),
        ("", {"triage": 0.3, "form": 0.7}, "skip"),
        ("`triage` or 0.0\n`form` 0 %", {"triage": 0.3, "form": 0.7}, "skip"),
    ],
)
def test_exchanged_weights_are_named(readme, rewards, status):
    found = finding(brief(readme, **rewards))  # type: ignore[arg-type]
    assert found.status == status, found
    if status == "fail":
        assert "triage 0.7 (here 0.3)" in found.evidence


def test_the_prompt_counts_like_the_readme():
    found = finding(brief("", TABLE, triage=0.3, form=0.7))  # type: ignore[arg-type]
    assert found.status == "fail"
