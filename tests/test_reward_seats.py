"""Environments with several agents: each seat is scored as itself."""

from __future__ import annotations

import pytest

from lab.cli.report import LabError
from run_script import run_script

DEBATE = '''
import verifiers.v1 as vf

SYSTEM = "Think. End with the line, and nothing else in it: Answer: <number>"
PAIRS = [(4, 9), (12, 7), (31, 5), (8, 80), (17, 26), (3, 54), (66, 2), (29, 40)]
ROWS = [(f"What is {a} plus {b}?", str(a + b)) for a, b in PAIRS]


class Data(vf.TaskData):
    answer: str


class Sum(vf.Task[Data]):
    """The solver is paid for the answer, the critic for a verdict on it."""

    @vf.reward
    async def useful(self, trace: vf.Trace) -> float:
        said = trace.last_reply.replace("*", "").rsplit("Answer:", 1)[-1].strip().rstrip(".")
        if trace.agent.name == "critic":
            return float(said == "agree")
        return float("Answer:" in trace.last_reply and said == self.data.answer)


class Sums(vf.Taskset[Sum, vf.TasksetConfig]):
    def load(self):
        for question, answer in ROWS:
            yield Sum(Data(prompt=question, system_prompt=SYSTEM, answer=answer))


class DebateConfig(vf.EnvConfig):
    solver: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    critic: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class Debate(vf.Env[DebateConfig]):
    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.solver.run(task)
        await agents.critic.run(task)
@MORE@

__all__ = ["Debate", "Sums"]
'''
RECORDS = """
    async def finalize(self, task: vf.Task, episode: vf.Episode) -> None:
        episode.traces[0].record_reward("agreed", 1.0)
"""


def module(folder, name, more=""):
    path = folder / f"{name}.py"
    path.write_text(DEBATE.replace("@MORE@", more), encoding="utf-8")
    return path


def test_each_seat_is_scored_as_itself(tmp_path, bench):
    path = module(tmp_path, "debate")
    with bench.open(path) as env:
        assert env.description.seats == ["solver", "critic"]
        rewards = [env.score(0, text).reward for text in ("Answer: 13", "Answer: agree")]
        assert rewards == [1.0, 0.0]
    found = bench.audit(path)
    assert not found.failed
    facts = found.audit.facts
    assert (facts["seat"], facts["seats"]) == ("solver", ["solver", "critic"])
    assert facts["answer_kind"] == "number"
    with bench.open(path, seat="critic") as env:
        rewards = [env.score(0, text).reward for text in ("Answer: 13", "Answer: agree")]
        assert rewards == [0.0, 1.0]


def test_a_seat_that_is_not_there_is_bad_input(tmp_path, bench):
    with pytest.raises(LabError) as error:
        bench.open(module(tmp_path, "quarrel"), seat="judge").__enter__()
    assert error.value.code == 2
    assert "solver, critic" in error.value.message and "--seat" in error.value.fix


def test_rewards_that_the_env_records_are_named_as_untested(tmp_path, bench):
    found = bench.audit(module(tmp_path, "recording", RECORDS), examples=3)
    assert found.audit.brief.description.recorded == "Debate"
    recorded = found.findings["reward.recorded_by_env"]
    assert recorded.status == "warn" and "record_reward" in recorded.evidence


@pytest.mark.soak
def test_the_command_line_scores_the_seat_that_is_named(tmp_path):
    path = module(tmp_path, "dispute")
    named = ("--seat", "critic", "--examples", "4", "--json", "--quiet")
    ran = run_script("test_reward", path, *named, cwd=tmp_path)
    assert ran.code in (1, 4), "the critic is not paid for the gold"
    assert ran.report["facts"]["seat"] == "critic"
    assert "--seat critic" in ran.report["next"]
