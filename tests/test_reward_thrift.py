"""Whether a right answer after more moves than are needed earns more."""

from __future__ import annotations

from pathlib import Path

import pytest

DESK = '''
import verifiers as vf
from datasets import Dataset

PARTS = ("belt", "pump", "valve", "motor", "sensor", "fuse", "hose", "relay")
SYSTEM = """One part of a machine is broken. In every message give one command:
"CHECK: <part>" to have it looked at, or "PART: <part>" to name it, which ends the talk.
Parts: belt, pump, valve, motor, sensor, fuse, hose, relay
Three checks are free; each further one costs a tenth."""

def told(message):
    return str(message.get("content") or "").strip()

class Desk(vf.MultiTurnEnv):
    async def env_response(self, messages, state, **kwargs):
        said = told(messages[-1])
        if said.startswith("PART:"):
            state["final_env_response"] = [{"role": "user", "content": "Thank you."}]
            return state["final_env_response"]
        part = said.removeprefix("CHECK:").strip()
        if part not in PARTS:
            return [{"role": "user", "content": f"What is {part}?"}]
        state_of = "broken" if part == state["answer"] else "good"
        return [{"role": "user", "content": f"{part}: {state_of}."}]

def found(completion, answer, **kwargs):
    said = [told(m) for m in completion if m["role"] == "assistant"]
    used = sum(one.startswith("CHECK:") for one in said)
    if not said or said[-1] != f"PART: {answer}":
        return 0.0
    return max(0.3, 1 - 0.1 * max(0, WASTE))

def load_environment():
    rows = [{"question": f"Machine {n // 2} stands still.", "answer": part}
            for n, part in enumerate(PARTS)]
    return Desk(dataset=Dataset.from_list(rows), rubric=vf.Rubric(funcs=[found]),
                system_prompt=SYSTEM, max_turns=12)
'''


@pytest.mark.parametrize(("waste", "status"), [("3 - used", "fail"), ("used - 3", "pass")])
def test_a_bonus_for_few_moves_that_is_turned_round(
    tmp_path: Path, bench, waste: str, status: str
) -> None:
    path = tmp_path / f"desk_{status}.py"
    path.write_text(DESK.replace("WASTE", waste), encoding="utf-8")
    found = bench.audit(path, examples=6)
    assert found.status("reward.thrift") == status, found.findings["reward.thrift"]
    assert set(found.failed) <= {"reward.thrift"}, found.failed
    assert found.status("data.conflicting_golds") == "warn"  # the turns say which part it is
    if status == "fail":
        assert "0.8 after 1, 1 after 3" in found.findings["reward.thrift"].evidence
