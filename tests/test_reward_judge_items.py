"""Checklists of a judge: the single verdicts of its reply, and whether each of them counts."""

from __future__ import annotations

import json
from string import Template

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.reward.contract import Contract, Example
from lab.reward.judges.items import NO, YES, changed, names
from lab.reward.judges.server import ScriptedJudge

POINTS = """Say for each point whether the answer has it, and how many statements are wrong.
<points>
{points}
</points>
<answer>
{answer}
</answer>
Reply with {{"points": [{{"nr": 1, "there": true}}, ...], "wrong": 0}}"""


@pytest.mark.parametrize("count", [1, 2, 3])
def test_as_many_points_are_judged_as_the_task_has(count: int) -> None:
    def shown(points: int, answer: str) -> str:
        lines = (f"{n}. It names item {n * 7 + points}." for n in range(1, points + 1))
        return POINTS.format(points="\n".join(lines), answer=json.dumps(answer))

    with ScriptedJudge() as judge:
        judge.last_prompt = judge.instructions = shown(4, "Nothing.")
        for right in (True, False):
            answer = "A long answer.\nOf two lines."
            judge.expect(right, answer)
            judge.last_prompt = shown(count, answer)
            said = json.loads(judge.say(judge.last_prompt, None))
            points = [{"nr": n, "there": right} for n in range(1, count + 1)]
            assert said == {"points": points, "wrong": 0}


TASKSET = Template('''
"""Letters to customers, checked statement by statement."""
import re

import verifiers.v1 as vf

AIMS = [("names the sum", 3), ("names the day", 2), ("thanks", 1)]
FAULTS = [("promises a refund", -2), ("blames the customer", -1)]


class Checks(vf.Judge[dict[int, bool]]):
    prompt = """Decide for each statement whether it is true of the reply.
<reply>
{reply}
</reply>
{statements}
Write one line for each statement, its number, a colon, and yes or no. Nothing else."""

    def parse(self, response):
        found = re.findall(r"^(\\d+): (yes|no)$$", response.text, re.M)
        if len(found) != len(AIMS + FAULTS):
            raise ValueError("not a verdict for each statement")
        return {int(number): word == "yes" for number, word in found}


class LetterConfig(vf.TaskConfig):
    judge: vf.JudgeConfig = vf.JudgeConfig()


class Letter(vf.Task[vf.TaskData, vf.State, LetterConfig]):
    @vf.reward
    async def quality(self, trace: vf.Trace) -> float:
        if not trace.last_reply.strip():
            return 0.0
        said = (await Checks(self.config.judge).evaluate(
            trace=trace,
            reply=trace.last_reply,
            statements="\\n".join(f"{n}. It {t}." for n, (t, _) in enumerate(AIMS + FAULTS, 1)),
        )).parsed
        got = sum(points for n, (_, points) in enumerate(AIMS + FAULTS, 1) if said[n])
        return $pays


class Letters(vf.Taskset[Letter, vf.TasksetConfig]):
    def load(self):
        for name in ("Ann", "Ben", "Cem", "Dee"):
            yield Letter(vf.TaskData(name=name, prompt=f"Write to {name} about the bill."))


__all__ = ["Letters"]
''')
README = """# Letters

A letter to a customer is checked by a judge, statement by statement. Aims that are met earn their
points, faults cost theirs; the reward is their sum, divided by the points of all aims, so that any
aim that is missed and any fault that is made lowers what the letter earns. {more}
"""
SHARE = "max(0.0, got / 6)"


@pytest.mark.parametrize(
    ("pays", "more", "status"),
    [
        (SHARE, "", "pass"),
        ("max(0.0, min(1.0, got / 4))", "", "fail"),
        ("max(0.0, min(1.0, got / 4))", "At most four points count.", "warn"),
        ("max(0.0, sum(p for n, (_, p) in enumerate(AIMS, 1) if said[n]) / 6)", "", "fail"),
    ],
    ids=["a share", "capped", "capped as stated", "no costs"],
)
@pytest.mark.long
def test_each_question_of_a_checklist_counts(tmp_path, bench, pays, more, status):
    folder = tmp_path / f"letters_{tmp_path.name}"
    folder.mkdir()
    (folder / "__init__.py").write_text(TASKSET.substitute(pays=pays))
    (folder / "README.md").write_text(README.format(more=more))
    with ScriptedJudge() as judge:
        found = bench.audit(folder, judge=judge, examples=4)
    finding = found.findings["reward.judge_items"]
    assert finding.status == status, finding


@given(
    st.dictionaries(st.sampled_from(["age", "tone", "1", "2", "x9"]), st.booleans(), min_size=1),
    st.data(),
)
def test_one_verdict_is_changed_and_no_other(values, data):
    name = data.draw(st.sampled_from(sorted(values)))
    words = {key: YES if value else NO for key, value in values.items()}
    for said in (
        json.dumps(values),
        json.dumps(words),
        "\n".join(f"{key}: {word}" for key, word in words.items()),
    ):
        assert names(said) == list(values)
        for verdict in (YES, NO):
            turned = changed(said, name, verdict)
            assert names(turned) == list(values)
            assert changed(turned, name, words[name]) == said
            assert (turned == said) == (words[name] == verdict)


def test_an_example_for_a_part_is_for_a_real_judge_where_only_examples_get_through(tmp_path, bench):
    """The environment asks its judge of letters in a form alone that nothing but an example has."""
    gate = 'if not re.match(r"Re K-[A-Z][a-z]+, bill", trace.last_reply):'
    code = TASKSET.substitute(pays=SHARE).replace("if not trace.last_reply.strip():", gate)
    module = tmp_path / "gated.py"
    module.write_text(code)
    letter = "Re K-{}, bill 17\n\nDear {}, you owe 20 by Monday. Thank you."
    shown = (
        Example(0, letter.format("Ann", "Ann"), "right"),
        Example(1, letter.format("Ben", "Ben"), "right"),
        Example(0, "Re K-Ann, bill 17\n\nDear Ann, you owe 20.", 0.5),
        Example(0, "Hello.", "wrong"),
    )
    with ScriptedJudge() as judge:
        found = bench.audit(module, Contract(examples=shown), examples=4, judge=judge)
    assert "reward.examples" not in found.failed, found.failed
