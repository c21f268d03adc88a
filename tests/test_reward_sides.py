"""A judge of pairs: in which place it is shown the reply, and rewards that forget which one."""

from __future__ import annotations

import pytest

from lab.reward.judges.server import ScriptedJudge
from lab.reward.judges.sides import rival, second

ASSISTANTS = """[User Question]
Where is it?

[The Start of Assistant A's Answer]
In Rome.
[The End of Assistant A's Answer]

[The Start of Assistant B's Answer]
In Oslo.
[The End of Assistant B's Answer]"""


@pytest.mark.parametrize(
    ("prompt", "reply", "below"),
    [
        ("<answer_a>Rome</answer_a> <answer_b>Oslo</answer_b> Reply with A or B.", "Oslo", True),
        ("<answer_a>Rome</answer_a> <answer_b>Oslo</answer_b> Reply with A or B.", "Rome", False),
        (ASSISTANTS, "In Oslo.", True),
        (ASSISTANTS, "In Rome.", False),
        (
            "Response 1:\nRome it is\n\nResponse 2:\nOslo it is\nWhich one, 1 or 2?",
            "Oslo it is",
            True,
        ),
        ("Answer A: Rome\nAnswer B: Oslo\nWhich is better?", "Oslo", True),
        ("<reply_1>&lt;b&gt;Rome&lt;/b&gt;</reply_1><reply_2>Oslo</reply_2>", "<b>Rome</b>", False),
        ("<reply_1>Oslo</reply_1><reply_2>&lt;b&gt;Rome&lt;/b&gt;</reply_2>", "<b>Rome</b>", True),
        ("<text_a>\nRome\n</text_a>\n<text_b>\n\n</text_b>\nA or B?", "", True),
        (f"<a_1>{'<>' * 5000}x</a_1><a_2>Oslo</a_2>", "Oslo", True),
        ("<first>\nRome\n</first>\n<second>\nOslo\n</second>\nFIRST or SECOND?", "Oslo", True),
        ("1. Read it.\n2. Grade the reply.\n\nReply:\nIn Oslo\n", "In Oslo", False),
        ("A: CORRECT\nB: INCORRECT\n\nReply: In Oslo", "In Oslo", False),
        ('<points>\n1. Where\n2. When\n</points>\n<reply>\n"In Oslo"', "In Oslo", False),
    ],
)
def test_the_heading_above_the_reply_says_its_place(prompt, reply, below):
    assert second(prompt, [reply]) is below


@pytest.mark.parametrize(
    ("prompt", "text", "is_rival"),
    [
        ("<text_a>Rome</text_a><text_b>Oslo</text_b> Which is better, A or B?", "Rome", True),
        ("<text_a>Rome</text_a><text_b>Oslo</text_b> Do A and B mean the same?", "Rome", False),
        ("Reference: Rome\nReply: Oslo\nIs the reply as good as the best one?", "Rome", False),
    ],
)
def test_the_text_beside_the_reply_is_a_rival_where_the_better_one_is_asked_for(
    prompt, text, is_rival
):
    assert rival(prompt, text) is is_rival


PAIRS = '''
import asyncio

import verifiers.v1 as vf

TOPICS = {
    "Why is the sky blue?": "Air scatters blue light more than red, so blue comes from all sides.",
    "Why do leaves fall?": "Trees save water in winter, so they let go of the leaves that lose it.",
    "How does a fridge cool?": "A liquid evaporates in its tubes and takes heat from the inside.",
    "What makes the tides?": "The moon pulls the sea, and the water follows it around the earth.",
}
POINTS = {"A": 1.0, "TIE": 0.5, "B": 0.0}


class PairJudge(vf.Judge[str]):
    prompt = """Which explanation is better?

<explanation_a>
{first}
</explanation_a>

<explanation_b>
{second}
</explanation_b>

Reply with A, B or TIE and nothing else."""

    def parse(self, response):
        said = response.text.strip()
        if said not in POINTS:
            raise ValueError(said)
        return said


class ExplainConfig(vf.TaskConfig):
    judge: vf.JudgeConfig = vf.JudgeConfig(model="judge")


class ExplainData(vf.TaskData):
    baseline: str


class ExplainTask(vf.Task[ExplainData, vf.State, ExplainConfig]):
    @vf.reward
    async def preferred(self, trace: vf.Trace) -> float:
        reply = trace.last_reply.strip().replace("<", "&lt;")
        if not reply or len(reply.split()) > 60:
            return 0.0
        judge, other = PairJudge(self.config.judge), self.data.baseline
        one, two = await asyncio.gather(
            judge.evaluate(trace=trace, first=reply, second=other),
            judge.evaluate(trace=trace, first=other, second=reply),
        )
        return (POINTS[one.parsed] + SECOND) / 2


class ExplainTaskset(vf.Taskset[ExplainTask, vf.TasksetConfig]):
    def load(self):
        for n, (question, text) in enumerate(TOPICS.items()):
            prompt = f"{question} Explain it in at most 60 words."
            yield ExplainTask(ExplainData(name=str(n), prompt=prompt, baseline=text))


__all__ = ["ExplainTaskset"]
'''


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "sound"), [("1 - POINTS[two.parsed]", True), ("POINTS[two.parsed]", False)]
)
def test_a_preference_that_is_asked_in_both_orders(tmp_path, bench, place, sound):
    path = tmp_path / f"pairs_{'right' if sound else 'turned'}.py"
    path.write_text(PAIRS.replace("SECOND", place))
    with ScriptedJudge() as judge:
        found = bench.audit(path, judge=judge, examples=4)
    assert (not found.failed) == sound, found.failed
