"""Environments with several agents: each seat is scored as itself, and what only the Env scores is said."""

from __future__ import annotations

import pytest

from lab.environment import Environment, locate
from lab.environment.worker import Worker
from lab.probes.audit import audit
from lab.report import LabError
from run_script import run_script

DEBATE = '''
import verifiers.v1 as vf

ROWS = [(f"What is {a} plus {b}?", str(a + b)) for a, b in [(4, 9), (12, 7), (31, 5), (8, 80), (17, 26), (3, 54), (66, 2), (29, 40)]]


class Data(vf.TaskData):
    answer: str


class Sum(vf.Task[Data]):
    """The solver is paid for the answer, the critic for a verdict on it."""

    @vf.reward
    async def useful(self, trace: vf.Trace) -> float:
        said = trace.last_reply.rsplit("Answer:", 1)[-1].strip().rstrip(".")
        if trace.agent.name == "critic":
            return float(said == "agree")
        return float("Answer:" in trace.last_reply and said == self.data.answer)


class Sums(vf.Taskset[Sum, vf.TasksetConfig]):
    def load(self):
        for question, answer in ROWS:
            yield Sum(Data(prompt=question, system_prompt="Think. End with a line, the number alone: Answer: <number>", answer=answer))


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
RECORDS = '''
    async def finalize(self, task: vf.Task, episode: vf.Episode) -> None:
        episode.traces[0].record_reward("agreed", 1.0)
'''


@pytest.fixture(scope="module")
def worker():
    with Worker("taskset") as shared:
        yield shared


def module(folder, name, more=""):
    path = folder / f"{name}.py"
    path.write_text(DEBATE.replace("@MORE@", more), encoding="utf-8")
    return path


def test_each_seat_is_scored_as_itself(tmp_path, worker):
    location = locate(str(module(tmp_path, "debate")))
    with Environment(location, worker=worker) as env:
        assert env.description.seats == ["solver", "critic"]
        assert (env.score(0, "Answer: 13").reward, env.score(0, "Answer: agree").reward) == (1.0, 0.0)
        found = audit(env)
        assert not [f.id for f in found.findings if f.status == "fail"]
        assert (found.facts["seat"], found.facts["seats"], found.facts["answer_kind"]) == ("solver", ["solver", "critic"], "number")
    with Environment(location, worker=worker, seat="critic") as env:
        assert (env.score(0, "Answer: 13").reward, env.score(0, "Answer: agree").reward) == (0.0, 1.0)
        found = audit(env, seconds=20)
        assert "reward.tells_apart" in [f.id for f in found.findings if f.status == "fail"], "the critic is not paid for the gold"


def test_a_seat_that_is_not_there_is_bad_input(tmp_path, worker):
    with pytest.raises(LabError) as error, Environment(locate(str(module(tmp_path, "quarrel"))), worker=worker, seat="judge"):
        pass
    assert error.value.code == 2
    assert "solver, critic" in error.value.message and "--seat" in error.value.fix


def test_rewards_that_the_env_records_are_named_as_untested(tmp_path, worker):
    with Environment(locate(str(module(tmp_path, "recording", RECORDS))), worker=worker) as env:
        assert env.description.recorded == "Debate"
        (found,) = [f for f in audit(env, seconds=20).findings if f.id == "reward.recorded_by_env"]
    assert found.status == "warn" and "record_reward" in found.evidence


def test_the_command_line_scores_the_seat_that_is_named(tmp_path):
    ran = run_script("test_reward", module(tmp_path, "dispute"), "--seat", "critic", "--examples", "4", "--json", "--quiet", cwd=tmp_path)
    assert ran.code == 1
    assert ran.report["facts"]["seat"] == "critic"
