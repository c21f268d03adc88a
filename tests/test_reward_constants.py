"""What one completion for every task may earn before it is called a defect of the reward."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lab.probes.constants import Constant, findings


@pytest.mark.parametrize(
    ("family", "mean", "status"),
    [
        ("json", 0.3, "pass"),  # the shape of the schema is paid on every task, the value on one in sixteen
        ("json", 0.6, "fail"),
        ("number", 0.3, "fail"),
        ("number", 0.18, "pass"),
    ],
)
def test_a_shape_that_is_paid_is_no_constant_reward(family: str, mean: float, status: str) -> None:
    subject = SimpleNamespace(with_gold=list(range(16)), gold=lambda task: f"gold {task}", gap=1.25, ceiling=1.25, graded=False, family=family)
    found = next(iter(findings(subject, [Constant("the same everywhere", mean, 0.075)])))
    assert (found.id, found.status) == ("reward.constant_policy", status)
