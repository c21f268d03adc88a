"""An agent's command runs with a clean environment and limits, and what it printed is
understood."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evals import agents, transcript
from evals.agents import Agent
from lab.cli.report import LabError
from run_script import ROOT


def run(tmp_path, code, prompt="hello", template="", seconds=300.0, **more):
    """A Python program as the agent; its output, and how it ended."""
    (tmp_path / "agent.py").write_text(code)
    folder, home = tmp_path / "project", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    agent = Agent.named(
        template or f"{{python}} {tmp_path / 'agent.py'} {{prompt}}",
        pass_env=more.pop("pass_env", ()),
    )
    ended = agents.run(
        agent,
        prompt,
        folder=folder,
        home=home,
        variables={"GIVEN": "1"},
        seconds=seconds,
        out=tmp_path / "out",
        err=tmp_path / "err",
        **more,
    )
    return ended, (tmp_path / "out").read_text()


TELL = (
    "import json, os, sys\n"
    "print(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd(), sys.stdin.read()]))"
)


def test_only_what_is_named_is_passed_on(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-yours")
    monkeypatch.setenv("PRIME_API_KEY", "not-yours")
    monkeypatch.setenv("MODEL_KEY", "agent")
    ended, out = run(
        tmp_path,
        TELL,
        prompt="say $(id) `id` \"x\" 'y'; rm -rf *\nand more",
        pass_env=("MODEL_KEY",),
    )
    words, environ, cwd, stdin = json.loads(out)
    assert ended.code == 0 and stdin == ""
    assert words == ["say $(id) `id` \"x\" 'y'; rm -rf *\nand more"], (
        "the prompt is one word and meets no shell"
    )
    assert cwd == str(tmp_path / "project") and environ["HOME"] == str(tmp_path / "home")
    assert environ["MODEL_KEY"] == "agent" and environ["GIVEN"] == "1"
    assert "not-yours" not in environ.values()
    assert environ["TMPDIR"].startswith(str(tmp_path))


def test_what_was_passed_on_is_taken_out_of_what_is_kept(tmp_path, monkeypatch):
    key = 'sk-ant-"quoted"-0123456789'
    monkeypatch.setenv("MODEL_KEY", key)
    _, out = run(
        tmp_path,
        "import json, os, sys\n"
        "print(json.dumps({'type': 'result', 'result': os.environ['MODEL_KEY']}))\n"
        "print(os.environ['MODEL_KEY'], file=sys.stderr)",
        pass_env=("MODEL_KEY",),
    )
    assert transcript.read(out).final == "[masked]"
    assert (tmp_path / "err").read_text() == "[masked]\n"


def test_the_prompt_goes_to_a_file_or_to_standard_input(tmp_path):
    (tmp_path / "a").mkdir()
    _, out = run(
        tmp_path / "a",
        TELL,
        template=f"{{python}} {tmp_path / 'a' / 'agent.py'} --file={{prompt_file}} --in={{folder}}",
    )
    words, *_ = json.loads(out)
    assert words[1] == f"--in={tmp_path / 'a' / 'project'}"
    assert (tmp_path / "a" / "home" / "prompt.txt").read_text() == "hello"
    (tmp_path / "b").mkdir()
    _, out = run(tmp_path / "b", TELL, template=f"{{python}} {tmp_path / 'b' / 'agent.py'}")
    assert json.loads(out)[3] == "hello"


FORKS = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print("ready", flush=True)
time.sleep(600 if sys.argv[1] == "stay" else 0)
"""


@pytest.mark.long
@pytest.mark.parametrize(("prompt", "stopped"), [("stay", "time"), ("leave", "")])
def test_nothing_that_an_agent_started_outlives_it(tmp_path, monkeypatch, prompt, stopped):
    seen = []
    ends = agents.end
    monkeypatch.setattr(
        agents,
        "end",
        lambda process, mark: (seen.append((mark, len(agents.marked(mark)))), ends(process, mark)),
    )
    ended, out = run(tmp_path, FORKS, prompt=prompt, seconds=10.0 if stopped else 300.0)
    assert "ready" in out and ended.stopped == stopped and (ended.code is None) is bool(stopped)
    ((mark, alive),) = seen
    assert alive >= 2, "its children were there"
    assert agents.marked(mark) == []


def test_an_agent_is_not_left_alone_when_the_runner_is_killed(tmp_path):
    (tmp_path / "agent.py").write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(tmp_path / 'new')!r}).write_text(str(os.getpid()))\n"
        f"os.rename({str(tmp_path / 'new')!r}, {str(tmp_path / 'pid')!r})\ntime.sleep(600)"
    )
    words = [
        sys.executable,
        "-m",
        "evals",
        "run",
        "fast-path-dry",
        "--config",
        "without",
        "--out",
        str(tmp_path / "out"),
        "--agent",
        f"{{python}} {tmp_path / 'agent.py'} {{prompt}}",
    ]
    runner = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: (tmp_path / "pid").exists())
    finally:
        runner.kill()
        runner.wait()
    agent = int((tmp_path / "pid").read_text())
    until(lambda: not alive(agent))


def until(holds, seconds=120.0):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def alive(pid):
    try:
        return (
            "Z" not in (Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0]
        )
    except OSError:
        return False


def test_a_run_ends_early_when_enough_was_seen(tmp_path):
    ended, out = run(
        tmp_path,
        "import time\nprint('one', flush=True)\ntime.sleep(600)",
        enough=lambda text: "one" in text,
    )
    assert ended.stopped == "enough" and out == "one\n"


def test_a_command_that_cannot_start_is_said_before_anything_is_laid_out():
    for given, code in {"no-such-agent-here {prompt}": 3, "": 2, "claude 'unclosed": 2}.items():
        with pytest.raises(LabError) as refused:
            Agent.named(given)
        assert refused.value.code == code and refused.value.fix
    with pytest.raises(LabError, match="SOME_KEY is not set"):
        Agent.named("{python}", pass_env=("SOME_KEY",))


@pytest.mark.parametrize("name", agents.PRESETS)
def test_the_presets_take_the_prompt_as_one_word_and_print_their_calls(name, tmp_path, monkeypatch):
    fake = tmp_path / "bin" / name
    fake.parent.mkdir()
    fake.write_text(f"#!{sys.executable}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=os.pathsep)
    agent = Agent.named(name)
    words = agent.words("two words", tmp_path / "p", tmp_path)
    assert words[0] == str(fake) and "two words" in words and any("json" in word for word in words)


# -- what clients print -----------------------------------------------------------------------

SKILL = "/home/u/p/.claude/skills/prime-lab-trainer/SKILL.md"


def claude(*parts, result="All done."):
    lines = [
        {
            "type": "system",
            "subtype": "init",
            "skills": ["prime-lab-trainer"],
            "tools": ["Skill", "Read"],
        }
    ]
    lines += [
        {
            "type": "user" if part["type"] == "tool_result" else "assistant",
            "message": {"content": [part]},
        }
        for part in parts
    ]
    lines += [
        {
            "type": "result",
            "result": result,
            "usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 5},
        }
    ]
    return "\n".join(map(json.dumps, lines))


def use(name, **input):
    return {"type": "tool_use", "id": f"{name}{len(str(input))}", "name": name, "input": input}


def codex(*commands, code=0):
    lines = [{"type": "thread.started", "thread_id": "t"}]
    lines += [
        {
            "type": "item.completed",
            "item": {
                "id": f"i{n}",
                "type": "command_execution",
                "command": c,
                "exit_code": code,
                "status": "completed",
            },
        }
        for n, c in enumerate(commands)
    ]
    lines += [
        {"type": "item.completed", "item": {"type": "agent_message", "text": "All done."}},
        {
            "type": "turn.completed",
            "usage": {"input_tokens": 100, "cached_input_tokens": 90, "output_tokens": 5},
        },
    ]
    return "\n".join(map(json.dumps, lines))


FAILED = use("Read", file_path=SKILL)
READS = {
    "the skill tool": claude(use("Skill", skill="prime-lab-trainer")),
    "the skill tool of a plugin": claude(
        use("Skill", command="prime-lab-trainer:prime-lab-trainer")
    ),
    "a file tool, at the third call": claude(
        use("Bash", command="ls"), use("Bash", command="date"), use("Read", file_path=SKILL)
    ),
    "a command": claude(use("Bash", command=f"cat {SKILL} | head -80")),
    "a command from within": claude(
        use("Bash", command="cd .claude/skills/prime-lab-trainer && cat SKILL.md")
    ),
    "a command of Codex": codex("ls -la", f"/bin/bash -lc 'sed -n 1,200p {SKILL}'"),
}
DOES_NOT = {
    "nothing but the client's own list": claude(use("Bash", command="ls")),
    "only talk": claude({"type": "text", "text": f"I could read {SKILL}, but why."}),
    "another skill": claude(
        use("Skill", skill="webapp-testing"), use("Read", file_path="/x/skills/pdf/SKILL.md")
    ),
    "a listing": claude(
        use("Glob", pattern=SKILL), use("Bash", command="ls .claude/skills/prime-lab-trainer")
    ),
    "a file that speaks of it": claude(use("Write", file_path="notes.md", content=f"see {SKILL}")),
    "a reading that failed": claude(
        FAILED,
        {
            "type": "tool_result",
            "tool_use_id": FAILED["id"],
            "is_error": True,
            "content": "no such file",
        },
    ),
    "a tool's output that looks like a call": claude(
        use("Bash", command="cat log"),
        {"type": "tool_result", "tool_use_id": "Bash22", "content": [use("Read", file_path=SKILL)]},
    ),
    "a command of Codex that failed": codex(f"cat {SKILL}", code=1),
    "no call at all": claude({"type": "text", "text": "I know this by heart."}),
}


@pytest.mark.parametrize("name", READS)
def test_the_skill_was_read_by(name):
    assert transcript.read(READS[name]).read_skill is True


@pytest.mark.parametrize("name", DOES_NOT)
def test_the_skill_was_not_read_by(name):
    assert transcript.read(DOES_NOT[name]).read_skill is False


def test_tokens_and_the_last_message_of_each_client():
    told = transcript.read(claude(use("Bash", command="ls"), result="The end."))
    assert (told.tokens, told.final) == (105, "The end.")
    told = transcript.read(codex("ls"))
    assert (told.tokens, told.final) == (105, "All done.")
    told = transcript.read(
        json.dumps(
            {
                "type": "result",
                "result": "One object.",
                "usage": {"input_tokens": 1, "output_tokens": 2},
            },
            indent=1,
        )
    )
    assert (told.tokens, told.final) == (3, "One object.")
    assert told.read_skill is None, "a result alone tells no calls"
    cut = claude(use("Read", file_path=SKILL)).rsplit("\n", 1)[0]
    assert transcript.read(cut).read_skill is True and transcript.read(cut).tokens is None, (
        "a run that was stopped"
    )


def test_of_plain_text_only_the_text_is_known():
    told = transcript.read("I read the skill and did the work.\n{not json\n")
    assert (told.calls, told.read_skill, told.tokens) == (None, None, None)
    assert told.final.startswith("I read")


def test_an_agent_without_the_skill_that_finds_it_is_noticed():
    from evals.grading import strays

    assert transcript.read(
        claude(use("Bash", command=f"cat {strays()[0]}/test_reward.py"))
    ).touched(*strays())
    assert not transcript.read(claude(use("Bash", command="pip list"))).touched(*strays())
