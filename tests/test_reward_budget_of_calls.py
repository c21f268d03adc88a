"""A budget of calls that counts messages: one message may make them all."""

from __future__ import annotations

import pytest

SAMPLES = r"""
import re

import verifiers as vf
from datasets import Dataset

LOTS = [(24, 17), (30, 4), (18, 11), (27, 22), (21, 6), (36, 29)]
SYSTEM = (
    "One of the lots is bad. Use the tool `sample` to look at a lot; you may take at most 5, "
    "with more than 5 the answer is worth WORTH. End with a line `LOT: <number>`."
)


def sample(lot: int) -> str:
    '''Take a sample of a lot.

    Args:
        lot: its number
    '''
    return f"lot {lot}: see the report on paper"


def bad_lot(completion, answer):
    taken = sum(COUNTED for m in completion if m["role"] == "assistant" and m.get("tool_calls"))
    text = str(completion[-1]["content"] or "")
    said = re.findall(r"(?m)^[\s*]*LOT:[\s*]*(\d{1,3})[\s*.]*$", text)
    most = SHARE if taken > 5 else 1.0
    return most * (len(said) == 1 and said[0] == answer)


def load_environment():
    rows = [
        {"question": f"There are {count} lots, 1 to {count}. Which one is bad?", "answer": str(bad)}
        for count, bad in LOTS
    ]
    rubric = vf.Rubric(funcs=[bad_lot])
    return vf.ToolEnv(
        dataset=Dataset.from_list(rows),
        tools=[sample],
        system_prompt=SYSTEM,
        rubric=rubric,
        max_turns=60,
    )
"""


@pytest.mark.parametrize(
    ("counted", "share", "status"),
    [
        ("1", 0.0, "fail"),
        ("len(m.get('tool_calls'))", 0.0, "pass"),
        # Part of the pay is left, however the calls are made.
        ("len(m.get('tool_calls'))", 0.5, "pass"),
    ],
)
@pytest.mark.long
def test_calls_of_one_message_are_counted_each(tmp_path, bench, counted, share, status):
    path = tmp_path / f"samples_{status}.py"
    worth = "half" if share else "nothing"
    code = SAMPLES.replace("COUNTED", counted).replace("SHARE", str(share))
    path.write_text(code.replace("WORTH", worth))
    found = bench.audit(path, examples=4)
    assert found.status("reward.calls_at_once") == status, found.findings["reward.calls_at_once"]
    assert bool(found.failed) == (status == "fail"), found.failed
