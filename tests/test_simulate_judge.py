"""A simulated policy is judged by a script that knows what it said, and by nobody who is paid."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import urllib.request

import pytest

from lab.evaluation.policy_server import PolicyServer, declared_simulated
from lab.evaluation.simulated_policy import Answers, SimulatedPolicy, Spec
from lab.evaluation.simulation import as_long_as, mistakes
from lab.reward.judges.server import ScriptedJudge
from run_script import ROOT
from servers.scripted import Scripted

CLIENTS = """
import runpy
send = runpy.run_path({path!r})["send_judges_to"]
send("http://127.0.0.1:9/v1")
import openai
print([str(make(base_url=url, api_key="a-key").base_url)
       for make in (openai.OpenAI, openai.AsyncOpenAI)
       for url in (None, "https://api.example/v1", "http://127.0.0.1:7/v1", "http://localhost:7/v1")])
"""


def test_a_client_of_a_provider_asks_the_script_and_loopback_is_left_alone():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            CLIENTS.format(path=str(ROOT / "scripts/lab/evaluation/eval_child.py")),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    one = [
        "http://127.0.0.1:9/v1/",
        "http://127.0.0.1:9/v1/",
        "http://127.0.0.1:7/v1/",
        "http://localhost:7/v1/",
    ]
    assert done.stdout.strip() == str(one * 2)


PORTS = """
import pathlib, runpy
child = runpy.run_path({path!r})
assert child["keep_ports_in"](pathlib.Path("/a/folder"))
from verifiers.v1.mcp import launch
print([c for c in launch.serve_in_runtime.__code__.co_consts if str(c).endswith(child["PORTS"])])
"""


@pytest.mark.long
def test_tool_servers_say_their_ports_in_the_sandboxs_own_folder():
    """verifiers writes them to /tmp, which Landlock closes, and waits for three minutes."""
    code = PORTS.format(path=str(ROOT / "scripts/lab/evaluation/eval_child.py"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['/a/folder/vf-port-']"


def test_the_verdict_is_that_of_the_reply_which_the_prompt_shows():
    told = Answers(
        "the door is green",
        lambda draw: "a paper heron",
        lambda answer: f"I say: {answer}",
        lambda answer: answer,
    )
    policy = SimulatedPolicy(Spec(skill=0.5, spread=0, format=1), [("what is green", told)])
    replies = [policy.reply([{"role": "user", "content": "what is green"}])[0] for _ in range(30)]
    seen = set()
    with ScriptedJudge(verdict=policy.verdict) as judge:
        for said in replies:
            wanted = 'Answer {"reason": "...", "met": true or false}'
            asked = f"reference: the door is green\nreply: {said.strip()}\n{wanted}"
            body = json.dumps({"messages": [{"role": "user", "content": asked}]}).encode()
            with urllib.request.urlopen(
                urllib.request.Request(f"{judge.url}/chat/completions", body), timeout=10
            ) as reply:
                met = json.loads(json.load(reply)["choices"][0]["message"]["content"])["met"]
            assert met == ("the door is green" in said)
            seen.add(met)
    assert seen == {True, False}
    assert policy.verdict("reference: the door is green, reply: the door is green")[0]
    assert not policy.verdict("reference: the door is green, reply: something else")[0]


def test_a_wrong_answer_is_about_as_long_as_a_long_right_one():
    gold = " ".join(["word"] * 60)
    assert len(as_long_as(gold, "a heron", random.Random(1), "text").split()) == 60
    program = as_long_as(
        "def f(x):\n" + "    x = x + 1\n" * 9,
        "def f(*a):\n    return None",
        random.Random(1),
        "code",
    )
    names: dict = {}
    exec(program, names)
    assert names["f"](3) is None and len(program.split()) > 40
    assert as_long_as("42", "43", random.Random(1), "number") == "43"


def test_a_scripted_policy_declares_itself_and_a_model_on_loopback_is_a_model():
    with PolicyServer(SimulatedPolicy(Spec(), [])) as ours, Scripted(lambda body: "hello") as model:
        assert declared_simulated(ours.url) and not declared_simulated(model.url)
    assert not declared_simulated(None) and not declared_simulated("https://api.example/v1")


def test_a_wrong_label_is_another_one_of_the_labels():
    labels = ["Rechnung", "Technik", "Vertrag", "Versand"]
    wrong = mistakes("label", labels * 3)
    assert {wrong("Technik", random.Random(n)) for n in range(60)} == set(labels) - {"Technik"}
