"""Trigger queries: the whole transcript counts, unknown is not no, and what was asked is kept."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from evals import triggers
from evals.agents import Agent
from evals.triggers import Answer, Query
from run_script import ROOT

CLIENT = """
import json, pathlib, sys, time
how, prompt = sys.argv[1], sys.argv[2]
def call(name, **input):
    use = {"type": "tool_use", "id": name, "name": name, "input": input}
    print(json.dumps({"type": "assistant", "message": {"content": [use]}}), flush=True)
if how == "plain":
    sys.exit(print("I read skills/prime-lab-trainer/SKILL.md"))
print(json.dumps({"type": "system", "skills": ["prime-lab-trainer"]}), flush=True)
call("Bash", command="ls")
call("Grep", pattern="reward")
file = next(pathlib.Path().glob(".*/skills/*/SKILL.md"))
if how == "third" and "reward" in prompt:
    call("Read", file_path=str(file))
    assert file.read_text().startswith("---")
    time.sleep(600)
if how == "hangs":
    time.sleep(600)
usage = {"input_tokens": 1, "output_tokens": 1}
print(json.dumps({"type": "result", "result": "ok", "usage": usage}))
"""
QUERIES = [
    Query("write a reward function", True),
    Query("bake a cake", False),
    Query("reward points of our shop", False),
]


@pytest.fixture
def measured(tmp_path):
    def measure(
        how: str, repeats: int = 1, seconds: float = 60.0, again: bool = False, queries=QUERIES
    ):
        (tmp_path / "client.py").write_text(CLIENT)
        agent = Agent.named(f"{{python}} {tmp_path / 'client.py'} {how} {{prompt}}")
        return triggers.measure(
            queries, agent, tmp_path / "out", repeats, seconds, again, lambda done: None
        )

    return measure


def test_a_client_that_reads_the_skill_at_its_third_call_was_triggered(measured):
    found = measured("third", repeats=2)
    assert {query.query: triggers.rate_of(answers) for query, answers in found.items()} == {
        "write a reward function": 1.0,
        "bake a cake": 0.0,
        "reward points of our shop": 1.0,
    }
    told = triggers.summary(found)
    assert (told["should"]["triggered"], told["should"]["queries"]) == (1, 1)
    assert (told["should_not"]["triggered"], told["should_not"]["queries"]) == (1, 2)
    assert told["should_not"]["share"]["high"] > 0.5 > told["should_not"]["share"]["low"]
    assert all(answer.stopped == "enough" and answer.calls == 3 for answer in found[QUERIES[0]]), (
        "ended when it was read, not at the limit"
    )
    assert [line.split()[0] for line in triggers.lines(found)] == ["right", "right", "WRONG"]


def test_what_was_answered_is_not_asked_again(measured):
    first = measured("third")
    assert measured("never") == first, "the answers of before"
    assert triggers.summary(measured("never", again=True))["read"] == 0


def test_a_client_that_tells_no_calls_is_unknown_and_one_that_hangs_is_named(measured):
    told = triggers.summary(measured("plain"))
    assert (told["unknown"], told["read"], told["should"]["queries"]) == (3, 0, 0)
    assert "unknown" in triggers.lines({QUERIES[0]: [Answer(None, "", 1.0, None)]})[0]
    told = triggers.summary(measured("hangs", seconds=1.0, again=True, queries=QUERIES[:1]))
    assert (told["stopped_unread"], told["unknown"]) == (1, 0)


def run(out, *args):
    words = [
        sys.executable,
        "-m",
        "evals",
        "triggers",
        *args,
        "--out",
        str(out),
        "--json",
        "--quiet",
    ]
    done = subprocess.run(
        words,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=800,
    )
    return done.returncode, json.loads(done.stdout)


@pytest.mark.long
def test_the_whole_list_by_command_line(tmp_path):
    (tmp_path / "client.py").write_text(CLIENT)
    code, report = run(
        tmp_path / "out", "--agent", f"{{python}} {tmp_path / 'client.py'} third {{prompt}}"
    )
    told = report["facts"]["triggers"]
    assert code == 0 and told["runs"] == 40 and told["unknown"] == 0
    worded = [query for query in triggers.load() if "reward" in query.query]
    assert told["read"] == len(worded) and len(report["facts"]["rates"]) == 40
    assert told["should"]["triggered"] == sum(query.should_trigger for query in worded)
    code, report = run(
        tmp_path / "none",
        "*CartPole*",
        "--agent",
        f"{{python}} {tmp_path / 'client.py'} plain {{prompt}}",
    )
    assert (
        code == 4
        and report["facts"]["triggers"]["unknown"] == report["facts"]["triggers"]["runs"] == 1
    )
    assert run(tmp_path / "none", "no such query", "--agent", "{python}")[0] == 2
    alive = next(f for f in report["findings"] if f["id"] == "evals.triggers_alive")
    assert alive["status"] == "warn" and "--client" in alive["fix"]
