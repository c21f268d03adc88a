"""Which task each example of a contract is of.

    contract, others = bound(contract, tasks)

A number alone names another question in the held-out split, after a filter, or in another order. So
an example also says what its task has (`task_has`, a piece of its prompt or of its fields): it is
of the task that has it, and where none has, it is not tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lab.environment import Task
from lab.reward.contract import Contract, Example
from lab.reward.reading.fields import flat

LEAST, PIECE = 8, 160
"""Characters of a prompt by which its task is known."""


def piece_of(task: Task, tasks: Sequence[Task] = ()) -> str:
    """What an example says of its task's prompt: all of a short one; of a longer one the first line
    that no other prompt has, or its end."""
    prompt, others = _plain(task.prompt), [_plain(one.prompt) for one in tasks if one != task]
    if len(prompt) > PIECE:
        for line in map(_plain, task.prompt.splitlines()):
            piece = line[-PIECE:].strip()
            if len(piece) >= LEAST and not any(piece in other for other in others):
                return piece
    return prompt[-PIECE:].strip()


def bound(contract: Contract, tasks: Sequence[Task]) -> tuple[Contract, list[Example]]:
    """The contract with the examples of these tasks, each with the number that its task has here;
    and the examples of other tasks."""
    texts = {task.index: _plain(_text(task)) for task in tasks}
    here, others = [], []
    for example in contract.examples:
        number = _task_of(example, texts)
        if number is None:
            others.append(example)
        else:
            here.append(replace(example, task=number))
    return replace(contract, examples=tuple(here)), others


def _task_of(example: Example, texts: dict[int, str]) -> int | None:
    """The number of the only task that has it; the example's own where that is one of several."""
    piece = _plain(example.task_has)
    if not piece or piece in texts.get(example.task, ""):
        return example.task
    found = [number for number, text in texts.items() if piece in text]
    return found[0] if len(found) == 1 else None


def _text(task: Task) -> str:
    return "\n".join([task.shown, *(str(value) for _, value in flat(task.fields))])


def _plain(text: str) -> str:
    return " ".join(text.split())
