"""The contract of a new package: its template's clauses, and two examples from its first task.

    of_dataset(folder, labels=["no", "yes"], answer_type="label")   # before the package is loaded
    add_examples(place, task)                                  # a task of the loaded package

A template knows what its reward pays for; only the type of a short answer and the examples depend
on the rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lab.cli.files import write_whole
from lab.environment import Task
from lab.reward.contract import Contract, Example
from lab.reward.contract_file import NAME, read, render
from lab.reward.examples import piece_of


def of_dataset(folder: Path, labels: Sequence[str], answer_type: str) -> None:
    """Leave out the examples of the template's own rows. `answer_type` is that of the profile."""
    contract = read(folder / NAME)
    kind = "label" if labels else "boolean" if answer_type == "boolean" else contract.answer_type
    if contract.answer_type == "text" and contract.says != ("{answer}",):
        contract = replace(contract, answer_type=kind)
    write_whole(folder / NAME, render(replace(contract, examples=())))


def add_examples(place: Path, task: Task) -> None:
    """Give the contract its examples. A task without a gold to write (tests without a program that
    passes them) has none, and then no field is the gold."""
    contract = read(place / NAME)
    if not _text(task.fields.get(contract.gold or "")):
        contract = replace(contract, gold=None)
    write_whole(place / NAME, render(replace(contract, examples=examples(contract, task))))


def examples(contract: Contract, task: Task) -> tuple[Example, ...]:
    """The gold in the form that is asked for, and without it."""
    gold = _text(task.fields.get(contract.gold or ""))
    if not gold or not contract.says or contract.range is None:
        return ()
    right, piece = contract.says[0].replace("{answer}", gold), piece_of(task)
    if right == gold:
        other = Example(task.index, "...", 0.0, "a reply without words", piece)
    else:
        said = f"The answer is {gold}."
        other = Example(task.index, said, 0.0, "the gold without that form", piece)
    most = contract.range[1]
    return Example(task.index, right, most, "the gold in the form that is asked for", piece), other


def _text(gold: object) -> str:
    """A gold as an answer states it: of several accepted ones the first; "" without one."""
    if isinstance(gold, list):
        return _text(gold[0]) if gold else ""
    if gold is None or isinstance(gold, str):
        return (gold or "").strip()
    return json.dumps(gold, ensure_ascii=False)
