"""A draft of contract.toml for an environment that has none, or an older policy.toml.

What a contract or policy.toml declares already, what prompt and README state, and where the gold
is, is written as a clause. What only the reward
shows is a comment with the legal values: whoever reads prompt and README takes the comment sign
away, or writes what is meant instead.
"""

from __future__ import annotations

from typing import Any

from lab.cli.untrusted import excerpt
from lab.reward.contract import CLAUSES, Contract, Example
from lab.reward.contract_file import literal, render
from lab.reward.examples import piece_of
from lab.reward.observed import Clause
from lab.reward.outcome import Audit

KNOWN = ("gold", "answer_type", "says")
"""Clauses that what was found already settles."""
NUMBERS = ("wrong", "empty", "silent", "noise")
MOST_EXAMPLES = 2


def draft(audit: Audit, clauses: dict[str, Clause], stated: dict[str, str]) -> str:
    """The text of the file. `stated`: the sentence per clause that prompt or README state."""
    brief = audit.brief
    right = brief.right
    written = brief.scale.apart and bool(right.source)
    kind = right.answer_type
    found = {
        "gold": right.source or None,
        "answer_type": kind if kind in CLAUSES["answer_type"].values else None,
        "says": (brief.format.template,) if written else (),
        **brief.declared,
    }
    contract = Contract(**found, examples=brief.contract.examples or _examples(audit))
    notes = {name: _note(name, contract, clauses, stated) for name in CLAUSES}
    return render(contract, {name: lines for name, lines in notes.items() if lines})


def _examples(audit: Audit) -> tuple[Example, ...]:
    """Right completions that are paid, to be checked by whoever knows the task."""
    brief = audit.brief
    found = []
    for i in brief.order:
        completion, reward = brief.right.completion(i), brief.scale.right.get(i)
        if completion is not None and reward is not None and brief.scale.apart:
            task, why = brief.tasks[i], "is this right, and worth that?"
            found.append(Example(task.index, completion, reward, why, piece_of(task.prompt)))
        if len(found) == MOST_EXAMPLES:
            break
    return tuple(found)


def _note(
    name: str, contract: Contract, clauses: dict[str, Clause], stated: dict[str, str]
) -> list[str]:
    clause = CLAUSES[name]
    seen = clauses.get(name)
    if name in contract.declared:
        if name in stated:
            return [f"  said: '{excerpt(stated[name], 120)}'"]
        return [] if name in KNOWN else [f"  {seen.words}"] if seen else []
    legal = ", ".join(clause.values) or clause.form
    if seen is None:
        return [f"{name}: {clause.meaning}. Nothing was seen of it. Legal: {legal}"]
    value = _value(name, seen.value)
    shown = f"{name} = {literal(value)}" if value is not None else f"{name} ="
    return [f"{shown}   # {excerpt(seen.words, 100)}. Legal: {legal}"]


def _value(name: str, value: Any) -> Any:
    """The observed value as a contract writes it."""
    if name in NUMBERS and isinstance(value, (int, float)):
        return round(float(value), 4)
    if name == "range" and isinstance(value, list):
        return [round(float(end), 4) for end in value]
    if name == "accepts" and isinstance(value, dict):
        return None
    return value if isinstance(value, str) and value in CLAUSES[name].values else None
