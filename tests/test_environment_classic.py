"""Classic environments (verifiers 0.1.10 to 0.3.1) run in the interpreter that has them."""

from __future__ import annotations

import sys

import pytest

from lab.cli.report import LabError
from lab.environment import CLASSIC, Environment, locate
from lab.environment.classic import check, is_classic, library
from lab.environment.locate import interpreter
from lab.environment.worker import Worker
from lab.reward.audit import audit
from lab.reward.contract import Contract, Example
from lab.reward.judges.server import ScriptedJudge
from reward_environments import environment

FRAME = """
import verifiers as vf
from datasets import Dataset

ROWS = Dataset.from_list([
    {"question": "1+1?", "answer": "2", "info": {"k": 5}, "extra": "zz"},
    {"question": "2+3?", "answer": "5", "info": {"k": 6}, "extra": "yy"},
])
"""


@pytest.fixture(scope="module")
def worker():
    try:
        python = interpreter(CLASSIC)
    except LabError as error:
        pytest.skip(f"{error.message}: {error.fix}")
    with Worker(CLASSIC, python=python) as shared:
        yield shared


def opened(worker, folder, name, body):
    path = folder / f"{name}.py"
    path.write_text(FRAME + body, encoding="utf-8")
    return Environment(locate(str(path)), worker=worker)


def test_a_rubric_with_parser_weights_and_async_rewards(worker, tmp_path):
    body = """
parser = vf.XMLParser(["reasoning", "answer"])

def correct(parser, completion, answer):
    return float(parser.parse_answer(completion) == answer)

async def brief(completion, info, extra):
    return 1.0 if len(completion[-1]["content"]) < 100 and info["k"] > 0 and extra else 0.0

def load_environment(**kwargs):
    rubric = vf.Rubric(funcs=[correct, brief], weights=[1.0, 0.5], parser=parser)
    said = "Use <answer> tags."
    return vf.SingleTurnEnv(dataset=ROWS, system_prompt=said, parser=parser, rubric=rubric)
"""
    with opened(worker, tmp_path, "weighted", body) as env:
        assert env.description.api == CLASSIC
        assert is_classic(env.description.library)
        assert env.description.rewards == {"correct": 1.0, "brief": 0.5}
        assert env.description.tasks[0].prompt == "1+1?"
        score = env.score(0, "<reasoning>x</reasoning>\n<answer>2</answer>")
        assert (score.reward, score.components) == (1.5, {"correct": 1.0, "brief": 1.0})
        assert env.score(1, "<answer>2</answer>").reward == 0.5


def test_group_rewards_compare_the_rollouts_of_one_group(worker, tmp_path):
    body = """
def longest(completions, **kwargs) -> list[float]:
    lengths = [len(c[-1]["content"]) for c in completions]
    return [float(n == max(lengths)) for n in lengths]

def load_environment():
    return vf.SingleTurnEnv(dataset=ROWS, rubric=vf.Rubric(funcs=[longest]))
"""
    with opened(worker, tmp_path, "grouped", body) as env:
        assert env.description.group == ["longest"]
        assert [score.reward for score in env.score_group(0, ["a", "abc", "ab"])] == [0.0, 1.0, 0.0]


def test_rubric_groups_and_math_rubric(worker, tmp_path):
    body = """
def ok(completion):
    return 0.5

def load_environment():
    rubric = vf.RubricGroup([vf.Rubric(funcs=[ok]), vf.MathRubric()])
    return vf.SingleTurnEnv(dataset=ROWS, rubric=rubric)
"""
    with opened(worker, tmp_path, "several", body) as env:
        assert env.score(0, "so it is \\\\boxed{2}").reward == 1.5
        assert env.score(0, "so it is \\\\boxed{3}").reward == 0.5


def test_a_reward_that_raises_is_an_error_although_the_library_scores_zero(worker, tmp_path):
    body = """
def correct(completion, answer):
    return float(int(completion[-1]["content"]) == int(answer))

def load_environment():
    return vf.SingleTurnEnv(dataset=ROWS, rubric=vf.Rubric(funcs=[correct]))
"""
    with opened(worker, tmp_path, "raising", body) as env:
        assert env.score(0, "2").reward == 1.0
        score = env.score(0, "two")
        assert (score.reward, score.kind) == (0.0, "raised")
        assert "correct" in score.error


def test_tools_and_turns_are_described_and_tool_calls_scored(worker, tmp_path):
    body = '''
def look(key: str) -> str:
    """Look a key up."""
    return key

async def used(completion, **kwargs):
    return float(any(m["role"] == "tool" for m in completion))

def load_environment():
    return vf.ToolEnv(dataset=ROWS, tools=[look], max_turns=4, rubric=vf.Rubric(funcs=[used]))
'''
    with opened(worker, tmp_path, "tooled", body) as env:
        assert env.description.tools == ["look"]
        assert env.description.turns == 4
        call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        messages = [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "zz"},
            {"role": "assistant", "content": "2"},
        ]
        assert env.score(0, messages).reward == 1.0
        assert env.score(0, "2").reward == 0.0


def test_a_judge_rubric_asks_where_it_is_sent_and_its_failure_is_an_error(worker, tmp_path):
    body = """
def load_environment():
    rubric = vf.JudgeRubric(judge_model="m")

    async def agrees(judge, prompt, completion, answer, state):
        return float("yes" in (await judge(prompt, completion, answer, state)).lower())

    rubric.add_reward_func(agrees, weight=1.0)
    return vf.SingleTurnEnv(dataset=ROWS, rubric=rubric)
"""
    path = tmp_path / "judging.py"
    path.write_text(FRAME + body, encoding="utf-8")
    with (
        ScriptedJudge() as judge,
        Environment(locate(str(path)), worker=worker, judge_base_url=judge.url) as env,
    ):
        judge.expect(True, "2")
        assert env.score(0, "2").reward == 1.0
        judge.expect(False, "3")
        assert env.score(0, "3").reward == 0.0
        assert judge.calls == 2 and "3" in judge.last_prompt
        judge.mode = "error"
        failed = env.score(0, "4")
        assert failed.kind == "raised" and failed.error


def test_a_multi_turn_environment_is_scored_on_its_whole_transcript(worker, tmp_path):
    body = """
class Game(vf.MultiTurnEnv):
    async def env_response(self, messages, state, **kwargs):
        return [{"role": "user", "content": "Once more."}]

def in_time(completion, answer):
    said = [m["content"] for m in completion if m["role"] == "assistant"]
    return 1.0 - 0.25 * said.index(answer) if answer in said else 0.0

def load_environment():
    return Game(dataset=ROWS, max_turns=3, rubric=vf.Rubric(funcs=[in_time]))
"""
    with opened(worker, tmp_path, "game", body) as env:
        assert env.description.turns == 3
        again = {"role": "user", "content": "Once more."}
        assert env.score(0, "2").reward == 1.0
        assert (
            env.score(
                0,
                [
                    {"role": "assistant", "content": "9"},
                    again,
                    {"role": "assistant", "content": "2"},
                ],
            ).reward
            == 0.75
        )
        assert env.score(0, [{"role": "assistant", "content": "9"}]).reward == 0.0


def test_arguments_of_load_environment_are_passed_and_missing_ones_named(worker, tmp_path):
    body = """
def ok(completion):
    return 1.0

def load_environment(rows):
    return vf.SingleTurnEnv(dataset=ROWS.select(range(rows)), rubric=vf.Rubric(funcs=[ok]))
"""
    with pytest.raises(LabError) as error, opened(worker, tmp_path, "needy", body):
        pass
    assert "rows" in error.value.message
    assert "--env-args" in error.value.fix
    with Environment(locate(str(tmp_path / "needy.py")), worker=worker, config={"rows": 1}) as env:
        assert env.description.total == 1


@pytest.mark.long
def test_the_same_reward_scores_alike_in_both_apis(worker, tmp_path):
    classic = environment(tmp_path / "c", "same", api="classic")
    taskset = environment(tmp_path / "t", "alike")
    texts = ["#### 22", "#### 23", "22", "", "#### 22 or 23"]
    with (
        Environment(locate(str(classic)), worker=worker) as one,
        Environment(locate(str(taskset))) as other,
    ):
        assert [one.score(0, t).reward for t in texts] == [other.score(0, t).reward for t in texts]


def test_an_interpreter_without_a_classic_verifiers_is_refused():
    assert not is_classic(library(sys.executable))
    with pytest.raises(LabError) as error:
        check(sys.executable)
    assert error.value.code == 3
    assert "make" in error.value.fix


@pytest.mark.long
@pytest.mark.parametrize(("kinds", "said"), [("dict", True), ("(dict, object)", False)])
def test_messages_that_are_read_as_dictionaries_only(worker, tmp_path, kinds, said):
    """Messages were dictionaries before the library had types for them."""
    body = f"""
import json

def text_of(completion):
    for message in reversed(completion):
        if isinstance(message, {kinds}):
            found = message["content"]
            return found
    return ""

def chosen(completion, info):
    given = text_of(completion)
    return float("k" in given and json.loads(given)["k"]["again"] == info["k"])

def load_environment():
    return vf.SingleTurnEnv(dataset=ROWS, rubric=vf.Rubric(funcs=[chosen]))
"""
    with opened(worker, tmp_path, f"as_{len(kinds)}", body) as env:
        found = {one.id: one for one in audit(env).findings}["reward.gold_paid"]
    assert ("whatever is said is scored as if nothing were" in found.evidence) == said
    assert found.status == ("fail" if said else "inconclusive")


@pytest.mark.long
def test_a_message_that_is_read_as_its_print_where_tools_are(worker, tmp_path):
    """Replies that meet tools are read as `role='assistant' content=...`, and none is paid."""
    body = """
import json

async def look(place: str) -> str:
    \"\"\"Look at a place.

    Args:
        place: Its name.
    \"\"\"
    return f"There is nothing at {place}."

def text_of(completion):
    last = completion[-1] if completion else ""
    return str(last.get("content")) if isinstance(last, dict) else str(last)

def found(completion, info):
    try:
        said = json.loads(text_of(completion))
    except ValueError:
        return 0.0
    return float(said["k"]["again"] == info["k"])

def load_environment():
    return vf.ToolEnv(dataset=ROWS, rubric=vf.Rubric(funcs=[found]), tools=[look], max_turns=3)
"""
    with opened(worker, tmp_path, "printed", body) as env:
        found = {one.id: one for one in audit(env).findings}["reward.gold_paid"]
    assert found.status == "fail" and "is read as text" in found.evidence


@pytest.mark.long
@pytest.mark.parametrize(("turns", "status"), [(1, "pass"), (4, "fail")])
def test_an_example_ends_where_the_environment_ends_the_rollout(worker, tmp_path, turns, status):
    """The reward reads the calls of the last message; with one turn that is the only one."""
    body = f"""
async def add(x: int) -> int:
    \"\"\"Add one.

    Args:
        x: The number.
    \"\"\"
    return x + 1

def called(completion, info):
    calls = completion[-1].tool_calls or []
    return float([call.name for call in calls] == ["add"])

def load_environment():
    return vf.ToolEnv(
        dataset=ROWS, rubric=vf.Rubric(funcs=[called]), tools=[add], max_turns={turns}
    )
"""
    function = {"name": "add", "arguments": '{"x": 1}'}
    call = {"id": "1", "type": "function", "function": function}
    messages = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "2"},
        {"role": "assistant", "content": "Done."},
    ]
    contract = Contract(examples=(Example(0, messages, 1.0),))
    with opened(worker, tmp_path, f"turns_{turns}", body) as env:
        found = {one.id: one for one in audit(env, contract).findings}["reward.examples"]
    assert found.status == status, found
