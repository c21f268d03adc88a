"""What a task is called where people read: its id in the log and how its prompt begins.

    gsm8k-12 · Natalia sold clips to 48 of her friends in April, and then
    Natalia sold clips to 48 of her friends in April, and then · 3f2a91c4...

A task key of verifiers 0.4 is 64 hexadecimal digits: it stands last, to be found by, not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from lab.learnability.evidence import RolloutEvidence
from lab.rollouts.messages import Message, conversations

LONGEST = 60
"""Characters of the prompt."""
KEY = re.compile(r"[0-9a-f]{32,}")


def label_of(e: RolloutEvidence, task: int) -> str:
    """The name of a task: its key, id or number in the log."""
    row = e.order[e.starts[task]]
    if not e.grouping.names_tasks:
        # The id in the log names several tasks.
        return f"task {task}"
    for column in e.rollouts.keys.values():
        if column[row] and (label := e.rollouts.labels.get(int(column[row]))):
            return label
    return f"task {task}"


def name_of(label: str, talk: list[Message]) -> str:
    """The name of a task from its label and the messages of one of its rollouts."""
    asked = next((m.text for m in talk if m.role == "user" and m.text.strip()), "")
    start = " ".join(asked[: 20 * LONGEST].split())[:LONGEST]
    if not start:
        return label
    return f"{start} · {label}" if KEY.fullmatch(label) else f"{label} · {start}"


def names_of(e: RolloutEvidence, tasks: Iterable[int]) -> dict[int, str]:
    """The names of these tasks; their prompts are read again from the log."""
    rows = {int(e.order[e.starts[task]]): int(task) for task in tasks}
    found = conversations(e.rollouts, np.array(sorted(rows), np.int64)) if rows else ()
    return {rows[row]: name_of(label_of(e, rows[row]), talk) for row, talk in found}
