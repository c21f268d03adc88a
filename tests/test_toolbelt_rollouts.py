"""toolbelt_agent with a scripted agent: real vf-eval, real gateway, both modes, eight at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scoring import HARNESS, ROOT, worked
from servers.scripted import Scripted

FOLDER = ROOT / "environments" / "toolbelt_agent"


class Memory:
    """The most memory that a process and its descendants hold together, in bytes."""

    def __init__(self, pid: int):
        self.pid, self.peak, self._done = pid, 0, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            self.peak = max(self.peak, sum(map(_private, _tree(self.pid))))

    def stop(self) -> int:
        self._done.set()
        return self.peak


def _tree(pid: int) -> list[int]:
    found = [pid]
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        threads = [t.name for t in Path(f"/proc/{pid}/task").iterdir()]
        for thread in threads:
            children += Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
    except OSError:
        return found
    return found + [grand for child in dict.fromkeys(children) for grand in _tree(int(child))]


def _private(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def evaluate(url: str, out: Path, *flags: str) -> tuple[list[dict], int]:
    """The traces of a real vf-eval and its peak memory."""
    process = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("vf-eval")),
            "toolbelt-agent",
            "-m",
            "agent",
            "--client.base-url",
            url,
            "--client.api-key-var",
            "NO_SUCH_KEY",
            "--no-push",
            "-o",
            str(out),
            "--run.name",
            "run",
            *flags,
        ],
        env={
            **os.environ,
            "PYTHONPATH": f"{FOLDER}:{HARNESS}",
            "HOME": str(out),
            "JUDGE_BASE_URL": url,
            "JUDGE_MODEL": "judge",
            "PRIME_API_KEY": "not-a-key",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    memory = Memory(process.pid)
    said, _ = process.communicate(timeout=600)
    file = out / "run" / "traces.jsonl"
    assert file.exists(), said
    return [
        trace for line in file.read_text().splitlines() for trace in json.loads(line)["traces"]
    ], memory.stop()


def gold() -> dict[str, tuple[list[dict], str]]:
    env = worked("toolbelt_agent")
    return {
        task.data.prompt: (json.loads(task.data.gold_calls), task.data.closing)
        for task in env.backend.tasks
    }


def agent(schema: bool):
    """A policy that finds its tools, works through the gold calls, and answers."""
    known = gold()

    def reply(body: dict):
        if body["model"] == "judge":
            return '{"met": true, "reason": "scripted"}'
        offered = [tool["function"]["name"] for tool in body["tools"]]
        calls, answer = known[next(m["content"] for m in body["messages"] if m["role"] == "user")]
        names = list(dict.fromkeys(call["name"] for call in calls))
        steps = [("toolbelt_list_tools", {})]
        if names:
            steps += [
                ("toolbelt_inspect_tool", {"name": names[0]}),
                ("toolbelt_add_tool", {"names": names}),
            ]
        for call in calls:
            steps.append(
                (call["name"], call["arguments"]) if schema else ("toolbelt_call_tool", call)
            )
        steps.append(("final_answer", {"answer": answer}))
        step = steps[sum(message["role"] == "tool" for message in body["messages"])]
        assert step[0] in offered, f"{step[0]} is not offered: {offered}"
        return [step]

    return reply


@pytest.mark.soak
def test_eight_rollouts_at_once_solve_their_tasks_through_one_gateway(tmp_path):
    with Scripted(agent(schema=False)) as server:
        traces, peak = evaluate(
            server.url, tmp_path, "-n", "12", "-c", "8", "--env.agent.harness.id", "inline-chat"
        )
    assert len(traces) == 12
    for trace in traces:
        assert trace["ok"], trace["errors"]
        assert trace["rewards"]["rubric"]["score"] == 1.0, (
            trace["task"]["data"]["family"],
            trace["info"]["outcomes"],
        )
        assert (
            trace["metrics"]["solved"] == 1.0
            and trace["metrics"]["branches"] == 1.0
            and trace["metrics"]["tools_failed"] == 0.0
        )
        assert trace["stop_condition"] == "answered"
        assert len(trace["tools"]) == 6
    assert peak < 1_000_000_000, f"{peak / 1e6:.0f} MB"
    assert not list((tmp_path / ".cache/verifiers/runtimes/subprocess").glob("*"))


@pytest.mark.soak
def test_in_schema_mode_an_added_tool_is_offered_on_the_next_turn(tmp_path):
    with Scripted(agent(schema=True)) as server:
        traces, _ = evaluate(server.url, tmp_path, "-n", "3", "-c", "3", "--env.mode", "schema")
        first = [tool["function"]["name"] for tool in server.seen[0]["tools"]]
    assert "toolbelt_call_tool" not in first and len(first) == 5
    for trace in traces:
        assert trace["ok"], trace["errors"]
        assert trace["rewards"]["rubric"]["score"] == 1.0
        assert trace["metrics"]["branches"] == 2.0 and trace["metrics"]["tools_added"] >= 1.0


@pytest.mark.soak
def test_an_agent_without_end_stops_at_its_turns_and_is_graded(tmp_path):
    def lazy(body: dict):
        return [
            ("toolbelt_call_tool", {"name": "files_read", "arguments": {"path": "notes/todo.md"}})
        ]

    with Scripted(lazy) as server:
        (trace,), _ = evaluate(
            server.url,
            tmp_path,
            "-n",
            "1",
            "--env.agent.harness.id",
            "inline-chat",
            "--env.agent.max-turns",
            "5",
        )
    assert trace["ok"] and trace["stop_condition"] == "max_turns"
    assert (
        trace["rewards"]["rubric"]["score"] == 0.0 and trace["metrics"]["tools_not_on_belt"] == 5.0
    )
