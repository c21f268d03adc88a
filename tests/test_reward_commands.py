"""Exchanges in which a command is answered before the last one counts."""

from __future__ import annotations

from pathlib import Path
from string import Template
from types import SimpleNamespace

import pytest

from lab.environment import Task
from lab.reward.contract import Contract
from lab.reward.formats.prompt import commands_of
from lab.reward.productions.late import revealed

TALK = '''
import re
import verifiers.v1 as vf

PROMPT = """{n}: $task"""
NAMES = ["door-contact", "brake-coil", "encoder", "drive-fan", "car-battery", "door-motor"]

def command(text):
    lines = (text or "").strip().splitlines()
    found = re.fullmatch(r"($ask|$end) ($value)", lines[-1].strip()) if lines else None
    return found.groups() if found else None

class Data(vf.TaskData):
    answer: str

class One(vf.Task[Data]):
    @vf.reward
    async def ended_well(self, trace: vf.Trace) -> float:
        known = {"0"}
        for message in trace.assistant_messages:
            said = command(message.content)
            if said and said[0] == "$ask":
                known.add(said[1])
            elif said:
                right = said[1] == self.data.answer
                return float($enough)
        return 0.0

class Talk(vf.SingleAgentEnv):
    async def run(self, task, agents):
        async with agents.agent.interaction(task) as talk:
            segment = await talk.turn()
            for _ in range(8):
                said = command(segment.last_reply)
                if segment.terminated or (said and said[0] == "$end"):
                    return
                told = f"{said[1]}: {$told}" if said else "Pardon?"
                segment = await talk.turn(told)

class All(vf.Taskset[One, vf.TasksetConfig]):
    def load(self):
        for n in range(12):
            yield One(Data(prompt=PROMPT.format(n=n), answer=$answer), self.config.task)

__all__ = ["All", "Talk"]
'''
LIFT = {
    "task": """The lift stands still. One command in each message, on its last line:
CHECK <part> or REPLACE <part> (ends the call).
Parts: door-contact, brake-coil, encoder, drive-fan, car-battery, door-motor
Exactly one part is broken. Replace only a part that you have checked.""",
    "ask": "CHECK",
    "end": "REPLACE",
    "value": "[a-z-]+",
    "enough": "right and said[1] in known",
    "told": "'broken' if said[1] == task.data.answer else 'good'",
    "answer": "NAMES[n * 5 % 6]",
}
PIPE = {
    "task": """A pipe has sections 1 to 24, and one of them leaks. One command in a message:
  TEST k   to hear whether the pressure up to the end of section k HOLDS or DROPS
  DIG k    to name the section; this ends the job
A DIG has to be proved: it held at k - 1 and dropped at k.""",
    "ask": "TEST",
    "end": "DIG",
    "value": "[0-9]+",
    "enough": "right and {said[1], str(int(said[1]) - 1)} <= known",
    "told": "'HOLDS' if int(said[1]) < int(task.data.answer) else 'DROPS'",
    "answer": "str(3 + n * 7 % 19)",
}


def talk(path: Path, **parts: str) -> Path:
    """An environment whose talk goes on until its ending command, written to `path`."""
    path.write_text(Template(TALK).substitute(parts), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("enough", "status"), [(LIFT["enough"], "pass"), ("said[1] in known or right", "fail")]
)
def test_what_is_named_last_is_asked_about_first(tmp_path: Path, bench, enough, status) -> None:
    path = talk(tmp_path / f"lift_{status}.py", **LIFT | {"enough": enough})
    found = bench.audit(path, examples=12)
    if status == "pass":
        assert not found.failed and found.status("reward.gold_paid") == "pass", found.failed
        assert found.audit.brief.format.before == "REPLACE "
    else:
        assert found.failed


def test_a_number_is_proved_by_the_one_beside_it(tmp_path: Path, bench) -> None:
    found = bench.audit(talk(tmp_path / "pipe.py", **PIPE), examples=12)
    assert not found.failed and found.status("reward.gold_paid") == "pass", found.failed


def test_the_first_answer_of_a_talk_says_nothing_of_two_in_one_message(
    tmp_path: Path, bench
) -> None:
    path = talk(tmp_path / "lift_first.py", **LIFT)
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
    golds = "39", "52"

    def exchange(task: int, _replies: list[str]) -> list[dict[str, str]]:
        gold = golds[task]
        last = f"{gold} it is." if role == "assistant" else "Go on."
        return [
            {"role": "assistant", "content": "PROBE 3"},
            {"role": role, "content": gold},
            {"role": "user", "content": last},
        ]

    brief = SimpleNamespace(
        tasks=[Task(n, str(n), "Find it.") for n in range(2)],
        answer_type="number",
        with_gold=[0, 1],
        gold=lambda task: golds[task],
        wrong=lambda task, n: str(n),
        write=str,
        exchange=exchange,
    )
    assert bool(revealed(brief, 0)) is told  # type: ignore[arg-type]
