"""make demo ENV=NAME: a worked environment from its reward test to the training file, offline."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lab.cli.report import LabError
from lab.environment import CLASSIC
from lab.environment.locate import interpreter
from run_script import ROOT
from test_ladder_demo import walk

sys.path.append(str(ROOT / "demo"))
import office_agent


def reports(folder: Path) -> dict[str, dict]:
    return {
        path.stem: json.loads(path.read_text())
        for path in sorted((folder / "reports").glob("*.json"))
    }


@pytest.mark.soak
def test_a_taskset_walks_to_its_training_file(tmp_path):
    done = walk(tmp_path / "work", "--env", "environments/sentiment")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    found = reports(tmp_path / "work" / "sentiment")
    assert [name[2:] for name in found] == [
        "test_reward",
        "review_reward",
        "review_reward",
        "run_eval",
        "check_reward_distribution",
        "push_environment",
        "submit_training",
    ]
    assert {report["verdict"] for report in found.values()} <= {"pass", "warn", "rehearsed"}
    assert list((tmp_path / "work" / "sentiment" / "configs" / "rl").glob("*.toml"))
    assert "nothing was published, uploaded or submitted" in done.stdout
    assert not (ROOT / "environments" / "sentiment" / "configs").exists()


@pytest.mark.soak
def test_a_classic_one_is_evaluated_by_its_own_verifiers_and_compared_with_its_migration(tmp_path):
    try:
        interpreter(CLASSIC)
    except LabError as error:
        pytest.skip(f"{error.message}: {error.fix}")
    done = walk(tmp_path / "work", "--env", "gsm8k_classic")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    found = reports(tmp_path / "work" / "gsm8k_classic")
    assert found["2_check_reward_distribution"]["facts"]["rollouts"] == 96
    parity = found["3_test_reward"]["facts"]["parity"]
    assert parity["differ"] == 0 and parity["completions"] > 1000


def test_what_is_no_worked_environment_is_named_with_those_that_are(tmp_path):
    done = walk(tmp_path / "work", "--env", "gsm9k")
    assert (
        done.returncode == 2 and "gsm8k_classic" in done.stderr and "Traceback" not in done.stderr
    )
    both = walk(tmp_path / "work", "--env", "gsm8k", "--data", "x.jsonl")
    assert both.returncode == 2 and "not both" in both.stderr


def test_the_office_agent_takes_the_steps_that_its_first_one_announced():
    agent = office_agent.OfficeAgent(ROOT / "environments" / "toolbelt_agent", tasks=12, skill=0.5)
    ways = set()
    for prompt, (calls, answer) in agent.known.items():
        for _ in range(6):
            messages = [{"role": "user", "content": prompt}]
            (first,), finish = agent.reply(messages)
            hurried = bool(first[1])
            while first[0] != "final_answer":
                messages += [
                    {
                        "role": "assistant",
                        "tool_calls": [
                            {"function": {"name": first[0], "arguments": json.dumps(first[1])}}
                        ],
                    },
                    {"role": "tool", "content": "done"},
                ]
                (first,), finish = agent.reply(messages)
            made = [
                json.loads(m["tool_calls"][0]["function"]["arguments"])
                for m in messages
                if m.get("tool_calls")
                and m["tool_calls"][0]["function"]["name"] == "toolbelt_call_tool"
            ]
            assert (
                made == (calls[: len(calls) // 2] if hurried else calls) and finish == "tool_calls"
            )
            assert (first[1]["answer"] == answer) is not hurried
            ways.add(hurried)
    assert ways == {True, False}
    assert json.loads(agent.reply([{"role": "user", "content": "Is it met?"}])[0])["met"] is True
