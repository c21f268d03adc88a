"""The right answer of one task with what lies around it: what near misses and hedges are made
from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lab.answers.lists import read
from lab.answers.numbers import parse_number

QUANTITY = re.compile(r"([-+−]?[\d,]*\.?\d+)(\s*[^\d\s.,][^\d]{0,20}\d?)")
TOLERANCE = re.compile(
    r"within|approximate|tolerance|nearest|round|significant|±|estimate|about how", re.IGNORECASE
)
"""Words of a prompt by which a number need not be exact."""


@dataclass(frozen=True)
class Target:
    """One task's gold, its type of answer, and the texts from which wrong answers are chosen."""

    gold: str
    answer_type: str
    shown: str = ""
    """Everything that the model reads before its reply."""
    prompt: str = ""
    accepted: tuple[str, ...] = ()
    """Every text that the task accepts, the gold first."""
    options: tuple[str, ...] = ()
    """The option texts of a multiple-choice task."""
    golds: tuple[str, ...] = ()
    """The golds of all tasks, each once."""
    wrongs: tuple[str, ...] = ()
    """Wrong answers of the same kind, at least one."""
    all_of: bool = False
    """Whether the gold is a collection whose members all belong to the answer."""
    inexact: bool = False
    """Whether a README says that a number may be off by a little."""
    in_brackets: bool = False
    """Whether the members of a list are each written in brackets."""

    def wrong(self, which: int = 0) -> str:
        return self.wrongs[which % len(self.wrongs)]

    @property
    def tolerant(self) -> bool:
        """Whether the words of prompt or README let a number be inexact."""
        return self.inexact or bool(TOLERANCE.search(self.shown))

    @property
    def collection(self) -> bool:
        return self.all_of or self.answer_type == "json"


def quantity(text: str) -> tuple[str, str]:
    """("90", " km/h") of "90 km/h": a number and what follows it; ("", "") for other texts."""
    found = QUANTITY.fullmatch(text.strip())
    if found is None or parse_number(found[1]) is None:
        return "", ""
    return found[1], found[2]


def members(target: Target, text: str | None = None) -> tuple[list[str], str] | None:
    """The members of a list and how they are joined; None for anything else."""
    found = read(target.gold if text is None else text)
    if found and found[1] == "JSON" and target.in_brackets:
        return found[0], "brackets"
    return found
