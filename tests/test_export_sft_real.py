"""Warm-up data of the worked environments: real vf-eval with a scripted policy, exported, and read
as the trainer reads it. One turn, tools, several turns, and an agent that finds its tools."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from run_script import ROOT, run_script
from scoring import worked
from servers.scripted import Scripted
from sft_trainer import drop_nulls, load, processed, write_tokenizer
from test_toolbelt_rollouts import agent as toolbelt_policy

EVALS = (
    "import json, sys\nfrom verifiers.v1.cli.eval.main import main\n"
    "for line in json.loads(sys.argv[1]):\n    sys.argv = ['vf-eval', *line]\n"
    "    main()\n"
)
"""Several evaluations in one process: the library is imported once."""
TASKS = 4


def gsm8k(body: dict) -> str:
    number = int(body["messages"][-1]["content"].split("(")[1].split(")")[0])
    return (
        f"First, I note what is asked in question {number}.\n"
        f"Then I add {number} to itself, which makes {2 * number}.\n#### {2 * number}"
    )


def math_python(body: dict) -> str | list[tuple[str, dict[str, Any]]]:
    question = next(m["content"] for m in body["messages"] if m["role"] == "user")
    number = int(question.split("(")[1].split(")")[0])
    called = sum(message["role"] == "tool" for message in body["messages"])
    offered = body["tools"][0]["function"]
    argument = next(iter(offered["parameters"]["properties"]))
    if called < 2:
        return [(offered["name"], {argument: [f"x = {number}", "2 * x  # ü"][called]})]
    return f"Twice {number} by the interpreter.\n\\boxed{{{2 * number}}}"


def wordle() -> Callable[[dict], str]:
    secrets = iter(task["fields"]["answer"] for task in worked("wordle").tasks[:TASKS])
    games: dict[int, str] = {}

    def reply(body: dict) -> str:
        turns = [m["content"] for m in body["messages"] if m["role"] == "assistant"]
        if not turns:
            games[len(games)] = next(secrets)
            return f"Game {len(games)}: I begin.\n<guess>zebra</guess>"
        game = int(turns[0].split("Game ")[1].split(":")[0])
        return f"Game {game}: that tells me all.\n<guess>{games[game - 1]}</guess>"

    return reply


def policies() -> Callable[[dict], Any]:
    known = {
        "gsm8k": gsm8k,
        "math-python": math_python,
        "wordle": wordle(),
        "toolbelt-agent": toolbelt_policy(schema=False),
    }
    judge = known["toolbelt-agent"]
    return lambda body: judge(body) if body["model"] == "judge" else known[body["model"]](body)


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory) -> Path:
    """A run folder per environment, each written by the real vf-eval."""
    home = tmp_path_factory.mktemp("evaluated")
    rows = home / "rows.jsonl"
    rows.write_text(
        "".join(
            json.dumps(
                {"question": f"What is twice the number ({n})?", "answer": f"It is #### {2 * n}"}
            )
            + "\n"
            for n in range(11, 11 + TASKS)
        )
    )
    own = {
        "gsm8k": ["--env.taskset.dataset", str(rows), "--env.taskset.eval-share", "0"],
        "wordle": [],
        "toolbelt-agent": [],
    }
    own["math-python"] = own["gsm8k"]
    with Scripted(policies()) as server:
        lines = [
            [
                name,
                "-m",
                name,
                "-n",
                str(TASKS),
                "-r",
                "1",
                "-c",
                "1" if name == "wordle" else "3",
                "--client.base-url",
                server.url,
                "--client.api-key-var",
                "NO_SUCH_KEY",
                "--no-push",
                "-o",
                str(home),
                "--run.name",
                name,
                "--env.agent.harness.id",
                "inline-chat",
                *flags,
            ]
            for name, flags in own.items()
        ]
        folders = [ROOT / "environments" / name.replace("-", "_") for name in own]
        ran = subprocess.run(
            [sys.executable, "-c", EVALS, json.dumps(lines)],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(
                    map(str, [*folders, ROOT / "scripts/lab/evaluation/harness"])
                ),
                "HOME": str(home),
                "JUDGE_BASE_URL": server.url,
                "JUDGE_MODEL": "judge",
                "PRIME_API_KEY": "not-a-key",
            },
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    missing = [name for name in own if not (home / name / "traces.jsonl").exists()]
    assert not missing, ran.stdout[-3000:] + ran.stderr[-3000:]
    return home


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory) -> Path:
    return write_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@pytest.mark.soak
@pytest.mark.parametrize("name", ["gsm8k", "math-python", "wordle", "toolbelt-agent"])
def test_rollouts_of_a_worked_environment_become_rows_that_the_trainer_takes_and_lose_no_message(
    evaluated, tokenizer, tmp_path, name
):
    episodes = [
        json.loads(line) for line in (evaluated / name / "traces.jsonl").read_text().splitlines()
    ]
    assert len(episodes) == TASKS and all(one["ok"] for one in episodes), [
        one["errors"] for one in episodes
    ]
    enough = (
        ["--min-reward", 1.3] if name == "wordle" else []
    )  # the bonus for speed is full only for a lucky first guess
    ran = run_script(
        "export_sft",
        evaluated / name,
        "--out",
        "out",
        "--heldout",
        0.34,
        "--tokenizer",
        tokenizer,
        *enough,
        "--json",
        "--quiet",
        cwd=tmp_path,
    )
    assert ran.code == 0, ran.out
    assert ran.report["facts"]["left_out"] == {}, ran.report["facts"]
    assert (
        ran.finding("warmup.trainable")["status"] == "pass"
        and ran.finding("warmup.exploits")["status"] == "pass"
    )
    config = tomllib.loads((tmp_path / ran.report["facts"]["config"]).read_text())
    rows = {}
    for split, limit in (
        ("train", config["data"]["seq_len"]),
        ("validation", config["val"]["data"]["seq_len"]),
    ):
        for row in load(tmp_path / "out", split, tmp_path / "cache"):
            whole, trained = processed(row, tokenizer, limit)
            messages = drop_nulls(row["messages"])
            rows[row["task"]] = row
            for message in messages:
                said = message["content"].strip()
                assert said in whole
                if message["role"] != "assistant":
                    assert len(said) < 12 or said not in trained, "a number may well be said again"
                elif said:
                    assert said in trained
    assert len(rows) == TASKS
    for one in episodes:
        (trace,) = one["traces"]
        row = rows[one["task"]["key"]]
        given = [node["message"] for node in trace["nodes"]]
        kept = drop_nulls(row["messages"])
        assert [(m["role"], m["content"]) for m in kept] == [
            (m["role"], m.get("content") or "") for m in given
        ]
        assert [m.get("tool_call_id") for m in kept] == [m.get("tool_call_id") for m in given]
        calls = [
            [
                (c["id"], c["function"]["name"], c["function"]["arguments"])
                for c in m.get("tool_calls", [])
            ]
            for m in kept
        ]
        assert calls == [
            [(c["id"], c["name"], c["arguments"]) for c in m.get("tool_calls") or []] for m in given
        ]
        offered = [tool["function"]["name"] for tool in json.loads(row["tools"] or "[]")]
        assert offered == [tool["name"] for tool in trace["tools"] or []]
        if name in ("math-python", "toolbelt-agent"):
            assert sum(map(len, calls)) >= 2 and offered
        if name == "wordle":
            assert sum(m["role"] == "assistant" for m in kept) == 2
