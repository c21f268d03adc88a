"""The library's own rubric judge: its verdicts are worded, and the order of its choices is read."""

from __future__ import annotations

import pytest

from lab.reward.judges.server import ScriptedJudge

TASKSET = """
from pathlib import Path

import verifiers.v1 as vf

OBJECTS = ["a clay lamp", "a brass astrolabe", "a school desk", "a fishing net", "a tin whistle"]


class LabelConfig(vf.TaskConfig):
    judge: vf.RubricJudgeConfig = vf.RubricJudgeConfig(
        path=Path(__file__).with_name("rubric.toml"), name="label", view="last_reply"
    )


class LabelTask(vf.Task[vf.TaskData, vf.State, LabelConfig]):
    @vf.reward
    async def quality(self, trace: vf.Trace) -> float:
        if not 0 < len(trace.last_reply.split()) <= 80:
            return 0.0
        return await vf.RubricJudge(self.config.judge).score(self.data, trace)


class LabelTaskset(vf.Taskset[LabelTask, vf.TasksetConfig]):
    def load(self):
        for n, name in enumerate(OBJECTS):
            prompt = f"Write a museum's wall label for {name}, at most 80 words."
            yield LabelTask(vf.TaskData(name=str(n), prompt=prompt))


__all__ = ["LabelTaskset"]
"""
RUBRIC = """
[[criteria]]
name = "plain"
text = "Does a child understand it?"
choices = {plain}

[[criteria]]
name = "lively"
text = "How lively is it?"
choices = {lively}
"""


@pytest.mark.parametrize(
    ("plain", "lively", "turned"),
    [
        (["no", "yes"], ["dull", "fair", "lively"], ""),
        (["yes", "no"], ["dull", "fair", "lively"], ""),
        (["good", "poor"], ["dull", "fair", "lively"], "plain"),
        (["no", "yes"], ["lively", "fair", "dull"], "lively"),
    ],
)
@pytest.mark.long
def test_the_choices_of_a_rubric_go_from_worst_to_best(tmp_path, bench, plain, lively, turned):
    folder = tmp_path / f"labels_{turned}"
    folder.mkdir()
    (folder / "__init__.py").write_text(TASKSET)
    (folder / "rubric.toml").write_text(RUBRIC.format(plain=plain, lively=lively))
    with ScriptedJudge() as judge:
        found = bench.audit(folder, judge=judge, examples=4)
    finding = found.findings["reward.judge_choices"]
    assert finding.status == ("fail" if turned else "pass"), finding
    assert turned in finding.evidence
    raises = found.findings["reward.raises"]
    assert raises.status == "pass" or (raises.measured or 0) < 10, raises.evidence


FAULTS = """
[[criteria]]
name = "complete"
text = "The label names the object's age."

[[criteria]]
name = "beyond"
text = "{text}"
choices = {choices}
"""


@pytest.mark.parametrize(
    ("text", "choices", "status"),
    [
        ("Does it state anything that the notes do not support?", ["no", "yes"], "fail"),
        ("Does it state anything that the notes do not support?", ["yes", "no"], "pass"),
        ("The label contains a fact that is made up.", ["no", "yes"], "fail"),
        ("The label does not state anything that is made up.", ["no", "yes"], "skip"),
        ("It avoids claims that the notes don't back.", ["no", "yes"], "skip"),
        ("Does it mention where the object was found?", ["no", "yes"], "skip"),
    ],
)
@pytest.mark.long
def test_a_yes_to_a_question_for_a_fault_is_not_paid(tmp_path, bench, text, choices, status):
    folder = tmp_path / f"labels_{tmp_path.name}"  # an imported module is kept by its name
    folder.mkdir()
    (folder / "__init__.py").write_text(TASKSET)
    (folder / "rubric.toml").write_text(FAULTS.format(text=text, choices=choices))
    with ScriptedJudge() as judge:
        found = bench.audit(folder, judge=judge, examples=4)
    finding = found.findings["reward.judge_faults"]
    assert finding.status == status, finding
    assert ("'beyond' asks" in finding.evidence) == (status == "fail")
