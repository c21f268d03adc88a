"""What a reward is meant to pay, clause by clause: `contract.toml` beside the environment.

    [reward]
    gold = "answer"                       # the task's field that holds the right answer
    answer_type = "number"
    says = "<answer>{answer}</answer>"    # how a completion says it
    counts = "last"                       # which of several answers counts
    thinking = "ignored"
    wrong = 0.0                           # what a wrong answer in the right form earns, at most

    [[example]]
    task = 0
    task_has = "How many apples are 6 rows of 7?"   # a piece of the task's prompt
    completion = "<answer>42</answer>"
    earns = "right"                  # or wrong, part, or a number that prompt or README state
    why = "the plain right answer"

A clause that is not written is not declared: the reward test then asks only what every fair reward
keeps. An unknown key is an error, because a typo would silently declare nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from lab.environment import Completion

ANSWER_TYPES = (
    "number",
    "math",
    "choice",
    "boolean",
    "label",
    "text",
    "list",
    "json",
    "code",
    "expression",
)


@dataclass(frozen=True)
class Clause:
    """One thing that a contract can declare."""

    meaning: str
    values: Mapping[str, str] = field(default_factory=dict)
    """The legal words and what each means; empty where the value is free."""
    form: str = ""
    """How a free value is written."""


CLAUSES: dict[str, Clause] = {
    "gold": Clause("where the right answer comes from", form="a field of the task, such as answer"),
    "answer_type": Clause("the type of the answer", values=dict.fromkeys(ANSWER_TYPES, "")),
    "says": Clause(
        "how a completion says its answer",
        form="a text with {answer} in it, such as <answer>{answer}</answer>, or a list of them",
    ),
    "counts": Clause(
        "which of several answers counts",
        values={
            "last": "the last one",
            "first": "the first one",
            "only": "several different answers are wrong",
            "all": "all of them must be right",
            "any": "one right answer among them is enough",
        },
    ),
    "thinking": Clause(
        "whether an answer inside the thinking counts",
        values={"ignored": "it does not", "read": "it does"},
    ),
    "accepts": Clause("other forms of the right answer that are paid", form="a list of form names"),
    "refuses": Clause(
        "other forms of the right answer that are not paid",
        form='a list of form names, or ["all"] for a strict format',
    ),
    "tolerance": Clause("how far off a number may be", form="a share of the gold, such as 0.01"),
    "wrong": Clause("what a wrong answer in the right form earns, at most", form="a reward"),
    "empty": Clause("what the form without an answer earns, at most", form="a reward"),
    "silent": Clause("what a reply without the form earns, at most", form="a reward"),
    "partial": Clause(
        "whether a nearly right answer earns a part",
        values={"none": "right or wrong", "graded": "near answers earn a part"},
    ),
    "range": Clause("every reward lies within", form="[low, high]"),
    "length": Clause(
        "what the length of a right reply does",
        values={
            "neutral": "it changes nothing",
            "shorter": "longer replies may earn less",
            "longer": "longer replies may earn more",
        },
    ),
    "tools": Clause(
        "whether tools must have been used",
        values={
            "required": "an answer without a call is not paid",
            "optional": "only the answer counts",
        },
    ),
    "noise": Clause("how much two scorings of one reply may differ", form="a reward, 0 or more"),
}


RIGHT, PART, WRONG = "right", "part", "wrong"
EARNS: dict[str, str] = {
    RIGHT: "all of what a right answer earns",
    PART: "more than a wrong answer and less than a right one",
    WRONG: "no more than a wrong answer in the right form",
}
"""What an example may be said to earn, besides a number."""
UNDECIDED = "?"
"""What an example is said to earn of which nobody has said it yet: nothing is held to it."""


@dataclass(frozen=True)
class Example:
    """A completion and what it should earn."""

    task: int
    """The task's index in the taskset."""
    completion: Completion
    earns: float | str
    """A reward, or one of `EARNS` where no number is stated."""
    why: str = ""
    task_has: str = ""
    """A piece of the task's prompt or of its fields; "" where the number alone names the task."""

    @property
    def number(self) -> float | None:
        """The reward that is stated; None where a word says it."""
        return None if isinstance(self.earns, str) else self.earns

    @property
    def wrong(self) -> bool:
        """Whether nothing is to be paid for it."""
        return self.earns == WRONG if isinstance(self.earns, str) else self.earns <= 0


@dataclass(frozen=True)
class Contract:
    """The declared clauses; None or () where nothing is declared."""

    gold: str | None = None
    answer_type: str | None = None
    says: tuple[str, ...] = ()
    counts: str | None = None
    thinking: str | None = None
    accepts: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    tolerance: float | None = None
    wrong: float | None = None
    empty: float | None = None
    silent: float | None = None
    partial: str | None = None
    range: tuple[float, float] | None = None
    length: str | None = None
    tools: str | None = None
    noise: float | None = None
    examples: tuple[Example, ...] = ()
    undecided: tuple[Example, ...] = ()
    """Examples of the file that nobody has decided."""
    path: Path | None = None

    @property
    def declared(self) -> dict[str, Any]:
        """The clauses that are written, in the order of `CLAUSES`."""
        values = {name: getattr(self, name) for name in CLAUSES}
        return {name: value for name, value in values.items() if value not in (None, ())}

    @property
    def strict(self) -> bool:
        """Whether only the exact form of the answer is meant to be paid."""
        return "all" in self.refuses

    def right_examples(self) -> list[Example]:
        """The examples that are said to be right, and those with the largest number above zero;
        where some are right by the word, with what the range ends with, or 1."""
        numbers = [e.number for e in self.examples if e.number is not None]
        most = max(numbers, default=0.0)
        if any(e.earns == RIGHT for e in self.examples):
            most = max(most, self.range[1] if self.range else 1.0)
        return [
            e
            for e in self.examples
            if e.earns == RIGHT or (e.number is not None and 0 < most - 1e-9 <= e.number)
        ]


assert {f.name for f in fields(Contract)} - {"examples", "undecided", "path"} == set(CLAUSES)
