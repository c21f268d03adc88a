"""Steps of a dialogue that a reward counts, made once and again: `reward.counted_again`."""

from __future__ import annotations

from pathlib import Path

import pytest

MODULE = """
import re

import verifiers.v1 as vf

PARTS = {"pump": "silent", "belt": "loose", "latch": "bent", "tap": "shut"}
RULES = '''Find the broken part of the machine. What can be looked at:
- pump: whether it hums
- belt: how it sits
- latch: whether it clicks
- tap: whether water comes

In each turn <look>one of these</look> to be told of it, or <broken>part</broken>, which ends the
talk. Looking at what is broken before that is worth 0.2.'''
SAID = re.compile(r"<(look|broken)>([a-z]+)</[a-z]+>")


class Data(vf.TaskData):
    broken: str


class Task(vf.Task[Data]):
    @vf.reward
    async def found(self, trace: vf.Trace) -> float:
        steps = [SAID.findall(message.content or "") for message in trace.assistant_messages]
        looked = [name for step in steps for kind, name in step if kind == "look"]
        named = [name for step in steps for kind, name in step if kind == "broken"]
        seen = COUNTED
        return 0.8 * (named[:1] == [self.data.broken]) + min(0.2 * seen, 1.0)


class Talk(vf.SingleAgentEnv):
    async def run(self, task, agents):
        async with agents.agent.interaction(task) as talk:
            turn = await talk.turn()
            for _ in range(9):
                found = SAID.findall(turn.last_reply or "")
                if turn.terminated or (found and found[0][0] == "broken"):
                    return
                name = found[0][1] if found else ""
                state = PARTS[name] if name == task.data.broken else "as it should be"
                turn = await talk.turn(f"The {name} is {state}." if name in PARTS else "What?")


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for n in range(16):
            broken = list(PARTS)[n % len(PARTS)]
            data = Data(prompt=f"Machine {n} stands still.", system_prompt=RULES, broken=broken)
            yield Task(data, self.config.task)


__all__ = ["Tasks", "Talk"]
"""


@pytest.mark.parametrize(
    ("counted", "status"),
    [
        ("looked.count(self.data.broken)", "fail"),
        ("float(self.data.broken in looked)", "pass"),
    ],
)
def test_a_step_that_is_made_again_earns_no_more(
    tmp_path: Path, bench, counted: str, status: str
) -> None:
    path = tmp_path / f"machines_{status}.py"
    path.write_text(MODULE.replace("COUNTED", counted), encoding="utf-8")
    found = bench.audit(path).findings["reward.counted_again"]
    assert found.status == status, found
    if status == "fail":
        assert "<look>" in found.evidence and "6 times 1.8" in found.evidence
