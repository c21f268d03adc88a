"""What a kind of answer is judged by (`Evidence`), and the judgement (`Guess`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

FEW = 8
"""Rows below which shape alone cannot settle a kind."""
LONG_NAMES = {
    "response",
    "output",
    "completion",
    "summary",
    "highlights",
    "best_answer",
    "reply",
    "reference",
    "reference_answer",
    "long_answer",
    "explanation",
    "essay",
    "story",
    "abstract",
    "assistant",
    "human_answers",
    "description",
    "translation",
}
"""Names of columns that hold whole responses: long texts, however short the few rows in sight
are."""

LABEL_NAMES = {
    "label",
    "labels",
    "gold_label",
    "class",
    "sentiment",
    "emotion",
    "category",
    "intent",
    "topic",
    "type",
    "kind",
    "relation",
    "verdict",
    "stance",
    "polarity",
    "classification",
    "coarse_label",
    "fine_label",
    "label_text",
    "decision",
    "final_decision",
    "entailment",
    "veracity",
    "priority",
    "severity",
    "urgency",
    "department",
    "outcome",
    "disposition",
}
"""Names of columns that hold the class of a row."""


@dataclass
class Evidence:
    """What there is to judge by: the cells of the answer field and what stands around it."""

    cells: list[Any]
    path: str = "answer"
    key: str = ""
    """The field's name as lower-case words joined by _."""
    kind: str = ""
    """Field.kind: string, int, list, dict, messages …"""
    names: list[str] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)
    """The option texts of each row ([] where a row has none)."""
    marks: list[list[str]] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    prompt_key: str = ""
    prompt_lists: bool = False
    siblings: frozenset[str] = frozenset()
    """Keys of the other columns."""
    preference: bool = False
    options_stem: str = ""
    """The word that names the option columns (`Option 1` …), lower case; "" for options in one
    cell."""
    inline: list[list[str]] = field(default_factory=list)
    """The options of each row where they stand in the prompt's text."""
    number_lists: bool = False
    """A column of number lists stands beside a numeric target, and no text asks anything."""


@dataclass(frozen=True)
class Guess:
    kind: str
    confidence: float
    runner_up: str | None = None
    why: str = ""
    base: int = 0
    """Where option indices start (0 or 1)."""


def share_of(texts: list[str], test: Callable[[str], Any]) -> float:
    """Share of `texts` that pass `test`."""
    return sum(bool(test(text)) for text in texts) / len(texts)
