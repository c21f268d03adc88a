"""math_python: a session per rollout that keeps its names, its limits and to itself."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import HARNESS, ROOT, worked
from servers.scripted import Scripted


@pytest.fixture(autouse=True)
def loaded():
    """The package, which is loaded outside of a test's own event loop."""
    return worked("math_python")


def sessions(**limits):
    from math_python.sessions import Limits, Sessions

    return Sessions(Limits(**limits))


def talk(tmp_path: Path, *codes: str, **limits) -> list[str]:
    async def run() -> list[str]:
        open_ones = sessions(**limits)
        try:
            return [await open_ones.run("a", str(tmp_path), code) for code in codes]
        finally:
            await open_ones.close()

    return asyncio.run(run())


def test_names_live_from_call_to_call_and_the_last_value_is_shown(tmp_path):
    assert talk(tmp_path, "x = 17**3", "x + 4", "print('a'); 'b'", "import math") == [
        "(no output)",
        "4917\n",
        "a\n'b'\n",
        "(no output)",
    ]


def test_rollouts_share_nothing(tmp_path):
    async def run() -> list[str]:
        both = sessions()
        try:
            return await asyncio.gather(
                *(both.run(key, str(tmp_path / key), f"x = {key!r}\nx") for key in "abcdefgh")
            )
        finally:
            await both.close()

    assert asyncio.run(run()) == [f"{key!r}\n" for key in "abcdefgh"]


def test_an_error_is_shown_and_the_session_goes_on(tmp_path):
    first, second, third = talk(tmp_path, "y = 1\n1/0", "y", "raise SystemExit")
    assert (
        first.endswith("ZeroDivisionError: division by zero\n")
        and "Traceback" in first
        and second == "1\n"
        and "SystemExit" in third
    )


def test_a_call_without_end_is_interrupted_and_the_names_are_kept(tmp_path):
    slow, after = talk(tmp_path, "z = 5\nwhile True: pass", "z", seconds=0.5)
    assert "interrupted after 0.5 s" in slow and after == "5\n"


def test_one_that_does_not_heed_it_is_ended_and_replaced(tmp_path):
    stubborn = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    ended, after = talk(tmp_path, stubborn, "1 + 1", seconds=0.5)
    assert (
        "ended after 0.5 s" in ended and after == "(a new interpreter: earlier names are gone)\n2\n"
    )


@pytest.mark.parametrize(
    "code",
    ["x = bytearray(2 << 30)", "import os\nos._exit(3)", "import os\nos.kill(os.getpid(), 9)"],
)
def test_memory_and_exits_cost_the_interpreter_at_most(tmp_path, code):
    first, second = talk(tmp_path, code, "'alive'", memory=300 << 20)
    assert "MemoryError" in first or "the interpreter ended" in first
    assert second.endswith("'alive'\n")


def test_output_is_bounded(tmp_path):
    (shown,) = talk(tmp_path, "print('x' * 10**6)", output=1000)
    assert len(shown) < 1200 and "left out" in shown


def test_there_is_no_network_and_no_file_outside_the_folder(tmp_path):
    secret = tmp_path.parent / "secret.txt"
    secret.write_text("hidden")
    os.environ["LAB_TEST_API_KEY"] = "sk-hidden"
    code = f"""
import os, socket
def tried(act):
    try: return act()
    except Exception as error: return type(error).__name__
print(tried(lambda: open({str(secret)!r}).read()))
print(tried(lambda: socket.create_connection(('127.0.0.1', 22), 1)))
print(tried(lambda: open('own.txt', 'w').write('ok')))
print('sk-hidden' in str(os.environ))
"""
    (said,) = talk(tmp_path / "work", code)
    read, connected, own, leaked = said.split()
    assert own == "2" and leaked == "False"
    confined = asyncio.run(_confined(tmp_path / "other"))
    if not (confined["files"] and confined["network"]):
        pytest.skip(f"this kernel confines only {confined}: stated in the README")
    assert read == "PermissionError" and connected in (
        "PermissionError",
        "OSError",
        "ConnectionRefusedError",
    )


async def _confined(folder: Path) -> dict:
    one = sessions()
    await one.run("a", str(folder), "1")
    confined = one.open["a"].confined
    await one.close()
    return confined


def test_an_interpreter_ends_with_its_rollout(tmp_path):
    async def run() -> tuple[int, int]:
        open_ones = sessions()
        gone, kept = tmp_path / "gone", tmp_path / "kept"
        gone.mkdir()
        kept.mkdir()
        await open_ones.run("gone", str(gone), "1")
        await open_ones.run("kept", str(kept), "1")
        pid = open_ones.open["gone"].process.pid
        subprocess.run(["rm", "-r", str(gone)], check=True)
        await open_ones.sweep()
        left = len(open_ones.open)
        await open_ones.close()
        return left, pid

    left, pid = asyncio.run(run())
    assert left == 1 and not Path(f"/proc/{pid}").exists()


def test_the_answer_is_paid_and_calls_are_not():
    env = worked("math_python")
    task = env.find("1 to 1000 are palindromes")
    assert env.reward(task, "\\boxed{108}") == pytest.approx(1.125)
    calls = [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": f"c{n}",
                    "type": "function",
                    "function": {"name": "python", "arguments": "{}"},
                }
            ],
        }
        for n in range(3)
    ]
    results = [
        {
            "role": "tool",
            "tool_call_id": f"c{n}",
            "content": "Traceback (most recent call last)\nZeroDivisionError",
        }
        for n in range(3)
    ]
    talked = [message for pair in zip(calls, results, strict=True) for message in pair]
    wrong = env.score(task, [*talked, {"role": "assistant", "content": "\\boxed{109}"}])
    assert wrong["reward"] == pytest.approx(0.125)
    assert (
        wrong["metrics"]["python_calls"],
        wrong["metrics"]["python_errors"],
        wrong["metrics"]["turns"],
    ) == (3.0, 3.0, 4.0)
    assert env.reward(task, [*talked, {"role": "assistant", "content": "108"}]) == 0.0
    assert [env.run(t.validate(None)) for t in env.backend.tasks] == [True] * len(env.tasks)


@pytest.mark.soak
def test_a_real_evaluation_calls_the_tool(tmp_path):
    def model(body: dict):
        results = [message for message in body["messages"] if message["role"] == "tool"]
        if not results:
            return [("python", {"code": "x = 17**3"})]
        if len(results) == 1:
            return [("python", {"code": "x + 4"})]
        return f"It is \\boxed{{{results[-1]['content'].strip()}}}"

    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        "".join(
            json.dumps({"question": f"What is 17^3 + 4? ({n})", "answer": "4917"}) + "\n"
            for n in range(4)
        )
    )
    with Scripted(model) as server:
        ran = subprocess.run(
            [
                str(Path(sys.executable).with_name("vf-eval")),
                "math-python",
                "-m",
                "scripted",
                "--client.base-url",
                server.url,
                "--client.api-key-var",
                "NO_SUCH_KEY",
                "--no-push",
                "-c",
                "4",
                "-o",
                str(tmp_path),
                "--run.name",
                "run",
                "--env.agent.harness.id",
                "inline-chat",
                "--env.taskset.dataset",
                str(rows),
                "--env.taskset.eval-share",
                "0",
            ],
            env={
                **os.environ,
                "PYTHONPATH": f"{ROOT / 'environments/math_python'}:{HARNESS}",
                "HOME": str(tmp_path),
            },
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    episodes = [
        json.loads(line) for line in (tmp_path / "run" / "traces.jsonl").read_text().splitlines()
    ]
    traces = [trace for episode in episodes for trace in episode["traces"]]
    assert len(traces) == 4, ran.stdout + ran.stderr
    for trace in traces:
        assert trace["ok"], trace["errors"]
        assert (
            trace["rewards"]["correct"]["score"] == 1.0 and trace["metrics"]["python_calls"] == 2.0
        )
