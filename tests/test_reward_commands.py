"""Exchanges in which a command is answered before the last one counts."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from lab.environment import Task
from lab.reward.contract import Contract
from lab.reward.formats.prompt import commands_of
from lab.reward.productions.acts import revealed

LIFT = '''
import re
import verifiers.v1 as vf

PARTS = ["door-contact", "brake-coil", "encoder", "drive-fan", "car-battery", "door-motor"]
PROMPT = """Call {n}: the lift stands still. One command in each message, on its last line:
CHECK <part> or REPLACE <part> (ends the call).
Parts: door-contact, brake-coil, encoder, drive-fan, car-battery, door-motor
Exactly one part is broken. Replace only a part that you have checked."""

def command(text):
    lines = (text or "").strip().splitlines()
    found = re.fullmatch(r"(CHECK|REPLACE) ([a-z-]+)", lines[-1].strip()) if lines else None
    return found.groups() if found and found[2] in PARTS else None

class Data(vf.TaskData):
    broken: str

class Call(vf.Task[Data]):
    @vf.reward
    async def repaired(self, trace: vf.Trace) -> float:
        checked = set()
        for message in trace.assistant_messages:
            said = command(message.content)
            if said and said[0] == "CHECK":
                checked.add(said[1])
            elif said:
                return float(ENOUGH)
        return 0.0

class Lift(vf.SingleAgentEnv):
    async def run(self, task, agents):
        async with agents.agent.interaction(task) as call:
            segment = await call.turn()
            for _ in range(6):
                said = command(segment.last_reply)
                if segment.terminated or (said and said[0] == "REPLACE"):
                    return
                good = said and said[1] != task.data.broken
                told = f"{said[1]}: {'good' if good else 'broken'}" if said else "Pardon?"
                segment = await call.turn(told)

class Calls(vf.Taskset[Call, vf.TasksetConfig]):
    def load(self):
        for n in range(12):
            prompt = PROMPT.format(n=n)
            yield Call(Data(prompt=prompt, broken=PARTS[n * 5 % 6]), self.config.task)

__all__ = ["Calls", "Lift"]
'''
SOUND = "said[1] == self.data.broken and said[1] in checked"


@pytest.mark.parametrize(
    ("enough", "status"), [(SOUND, "pass"), ("said[1] in checked or self.data.broken", "fail")]
)
def test_what_is_named_last_is_asked_about_first(tmp_path: Path, bench, enough, status) -> None:
    path = tmp_path / f"lift_{status}.py"
    path.write_text(LIFT.replace("ENOUGH", enough), encoding="utf-8")
    found = bench.audit(path, examples=12)
    if status == "pass":
        assert not found.failed and found.status("reward.gold_paid") == "pass", found.failed
        assert found.audit.brief.format.before == "REPLACE "
    else:
        assert found.failed


PIPE = (
    LIFT.split("PARTS = ")[0]
    + '''
PROMPT = """Job {n}. A pipe has sections 1 to 24, and one of them leaks. One command in a message:
  TEST k   to hear whether the pressure up to the end of section k HOLDS or DROPS
  DIG k    to name the section; this ends the job
A DIG has to be proved: it held at k - 1 and dropped at k."""

def command(text):
    found = re.fullmatch(r"(TEST|DIG) (\\d{1,2})", (text or "").strip())
    return (found[1], int(found[2])) if found else None

class Data(vf.TaskData):
    section: int

class Job(vf.Task[Data]):
    @vf.reward
    async def found(self, trace: vf.Trace) -> float:
        known = {0}
        for message in trace.assistant_messages:
            said = command(message.content)
            if said and said[0] == "TEST":
                known.add(said[1])
            elif said:
                return float(said[1] == self.data.section and {said[1], said[1] - 1} <= known)
        return 0.0

class Pipe(vf.SingleAgentEnv):
    async def run(self, task, agents):
        async with agents.agent.interaction(task) as job:
            segment = await job.turn()
            for _ in range(8):
                said = command(segment.last_reply)
                if segment.terminated or (said and said[0] == "DIG"):
                    return
                holds = said and said[1] < task.data.section
                told = f"Point {said[1]}: {'HOLDS' if holds else 'DROPS'}" if said else "Pardon?"
                segment = await job.turn(told)

class Jobs(vf.Taskset[Job, vf.TasksetConfig]):
    def load(self):
        for n in range(12):
            yield Job(Data(prompt=PROMPT.format(n=n), section=3 + n * 7 % 19), self.config.task)

__all__ = ["Jobs", "Pipe"]
'''
)


def test_a_number_is_proved_by_the_one_beside_it(tmp_path: Path, bench) -> None:
    path = tmp_path / "pipe.py"
    path.write_text(PIPE, encoding="utf-8")
    found = bench.audit(path, examples=12)
    assert not found.failed and found.status("reward.gold_paid") == "pass", found.failed


def test_the_first_answer_of_a_talk_says_nothing_of_two_in_one_message(
    tmp_path: Path, bench
) -> None:
    path = tmp_path / "lift_first.py"
    path.write_text(LIFT.replace("ENOUGH", SOUND), encoding="utf-8")
    contract = Contract(says=("REPLACE {answer}",), counts="first")
    found = bench.audit(path, contract, examples=12)
    assert found.status("reward.which_answer") == "warn" and not found.failed, found.failed


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("Say CHECK <part> or REPLACE <part>.", ["CHECK", "REPLACE"]),
        ("Either `CHECK component` or `FAULT component`.", ["CHECK", "FAULT"]),
        ('"TEST: <part>" to look, "PART: <part>" to end', ["TEST:", "PART:"]),
        ("Answer YES or NO in JSON.", []),
        ("GDP [index] rises; the NATO <list>", ["GDP", "NATO"]),
    ],
)
def test_commands_have_a_place_for_what_they_are_about(text: str, commands: list[str]) -> None:
    assert commands_of(text) == commands


@pytest.mark.parametrize(("role", "told"), [("user", True), ("tool", False), ("assistant", False)])
def test_only_the_environments_own_words_tell_the_gold(role: str, told: bool) -> None:
    """Not the result of a tool, and not what the player asked about."""
    messages = [
        {"role": "assistant", "content": "PROBE 3"},
        {"role": role, "content": "39"},
        {"role": "user", "content": "39 it is." if role == "assistant" else "Go on."},
    ]
    brief = SimpleNamespace(
        tasks=[Task(0, "0", "Find it.")],
        answer_type="number",
        with_gold=[0],
        gold=lambda task: "39",
        wrong=lambda task, n: str(n),
        write=str,
        exchange=lambda task, replies: messages,
    )
    assert bool(revealed(brief, 0)) is told  # type: ignore[arg-type]
