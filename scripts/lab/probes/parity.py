"""Two environments that should pay alike: the same completions scored by both.

This is how an environment is migrated with proof: every disagreement is listed with its task and
completion. Tasks are matched by what they ask, so order and API may differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lab.answers.wrong import plain_words
from lab.environment import Environment
from lab.probes.families import DESIGN
from lab.probes.subject import Subject
from lab.report import Check, Finding
from lab.untrusted import block, excerpt

PARITY = Check(
    "reward.parity",
    title="both environments pay every completion alike",
    expected="0 disagreements",
    reason="A migration that changes what is paid changes what is trained.",
    source="--against",
)
SAME = 1e-6
SHOWN = 20


@dataclass
class Parity:
    compared: int = 0
    tasks: int = 0
    differ: list[tuple[int, str, float | None, float | None]] = field(default_factory=list)
    """(task of the first, completion, reward here, reward there)."""


def compare(s: Subject, other: Environment) -> Parity:
    """Score everything that was scored here once more over there, for the tasks that both have."""
    there: dict[str, int] = {}
    for position, task in enumerate(other.description.tasks):
        there.setdefault(plain_words(task.prompt), position)
    matched = {i: there[key] for i, task in enumerate(s.tasks) if (key := plain_words(task.prompt)) in there}
    found = Parity(tasks=len(matched))
    for (task, text), score in list(s.texts()):
        if task not in matched or score.kind == "not_run":
            continue
        theirs = other.score(matched[task], text)
        found.compared += 1
        if not _same(score.reward, theirs.reward):
            found.differ.append((task, text, score.reward, theirs.reward))
    return found


def _same(left: float | None, right: float | None) -> bool:
    if left is None or right is None:
        return left is right
    return abs(left - right) <= SAME


def finding(s: Subject, found: Parity, name: str) -> Finding:
    if not found.tasks:
        return PARITY.inconclusive(
            measured="0 tasks in common", evidence=f"no prompt of {name} is a prompt here", direction="invariant",
            fix="compare environments over the same rows: the same split, enough --examples",
        )  # fmt: skip
    if not found.differ:
        return PARITY.ok(measured=f"{found.compared} completions on {found.tasks} tasks agree")
    task, text, here, there = found.differ[0]
    return PARITY.fail(
        measured=f"{len(found.differ)} of {found.compared} differ",
        evidence=f"task {s.tasks[task].index}: '{excerpt(text, 100)}' earns {_shown(here)} here, {_shown(there)} there",
        fix=f"make the two rewards agree on the listed completions, or accept the change knowingly ({DESIGN}#parity)",
        severity="high",
        direction="invariant",
    )


def lines(s: Subject, found: Parity) -> list[str]:
    shown = [f"task {s.tasks[task].index}: {_shown(here)} here, {_shown(there)} there: {excerpt(text, 120)}" for task, text, here, there in found.differ[:SHOWN]]
    more = [f"and {len(found.differ) - SHOWN} more"] if len(found.differ) > SHOWN else []
    return block(shown) + more if shown else ["every completion earns the same in both"]


def _shown(reward: float | None) -> str:
    return "an error" if reward is None else f"{reward:.4g}"
