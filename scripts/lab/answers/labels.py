"""A closed set of answers: yes, no, maybe; true and false; labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from lab.answers.evidence import FEW, LABEL_NAMES, Evidence, Guess
from lab.answers.numbers import parse_number


@dataclass(frozen=True)
class Column:
    """The texts of a column, and what the rules ask about them."""

    e: Evidence
    texts: list[str]

    @cached_property
    def lower(self) -> list[str]:
        return [text.strip().strip(".").lower() for text in self.texts]

    @cached_property
    def values(self) -> set[str]:
        return set(self.lower)

    @cached_property
    def few(self) -> bool:
        return len(self.texts) < FEW

    @cached_property
    def label(self) -> bool:
        """Whether the column is named as a label."""
        words = self.e.key.split("_")
        return self.e.key in LABEL_NAMES or words[-1] in LABEL_NAMES or "label" in words

    @cached_property
    def numeric(self) -> list[bool]:
        return [parse_number(text) is not None for text in self.texts]

    @cached_property
    def numbers(self) -> bool:
        return all(self.numeric)

    @cached_property
    def short(self) -> bool:
        words = all(len(text.split()) <= 6 for text in self.texts)
        return words and max(map(len, self.texts)) <= 40


def closed(e: Evidence, texts: list[str]) -> Guess | None:
    column = Column(e, texts)
    if column.values <= {"yes", "no", "maybe", "unknown"}:
        return _yes_no(column)
    if column.numbers and any(map(_no_class, column.lower)):
        return None
    if column.values <= {"true", "false"}:
        if column.label or not column.few:
            return Guess("class_label_string", 0.7, "bool", "true or false as text")
        return None
    return _labels(column) or _repeated(column)


def _no_class(text: str) -> bool:
    """No class is called 40 or 0.75."""
    return not re.fullmatch(r"-?\d{1,2}", text) or int(text) > 20


def _yes_no(column: Column) -> Guess:
    e = column.e
    spans = bool(e.siblings & {"supporting_facts", "evidences", "paragraphs", "answer_aliases"})
    if column.few and spans:
        return Guess(
            "free_text_short",
            0.55,
            "yes_no_maybe",
            "yes or no, beside evidence for other answers",
        )
    label = e.key in LABEL_NAMES or e.key.endswith("decision")
    return Guess(
        "yes_no_maybe",
        0.93 if not column.few else 0.85 if label else 0.65,
        "free_text_short",
        "every cell is yes, no or maybe",
    )


def _labels(column: Column) -> Guess | None:
    """Answers in a column that is named as a label."""
    if not column.label:
        return None
    if _numbers_among_words(column):
        return Guess(
            "free_text_short",
            0.6,
            "class_label_string",
            "numbers among words: no classes, whatever the column is called",
        )
    few_values = column.few or len(column.values) <= max(3, len(column.texts) // 2)
    if not column.short or not few_values or (column.numbers and len(column.values) > 20):
        return None
    if column.numbers:
        return Guess("class_label_string", 0.6, "numeric_string", "a column named as a label")
    return Guess(
        "class_label_string",
        0.6 if _in_the_prompts(column) else 0.93,
        "free_text_short",
        "few values in a column named as a label",
    )


def _numbers_among_words(column: Column) -> bool:
    mixed = any(column.numeric) and not column.numbers
    return mixed and column.few and len(column.values) > 1


def _in_the_prompts(column: Column) -> bool:
    """Whether each value is in its row's text, so that it may be taken from there."""
    e = column.e
    if not column.few or not any(e.prompts):
        return False
    return all(
        re.search(rf"\b{re.escape(text.strip())}\b", prompt)
        for text, prompt in zip(column.texts, e.prompts, strict=False)
    )


def _repeated(column: Column) -> Guess | None:
    """Few values over many rows, whatever the column is called."""
    rows, values = len(column.texts), len(column.values)
    if rows >= 24 and column.short and not column.numbers and values <= max(2, rows // 8):
        return Guess(
            "class_label_string", 0.85, "free_text_short", f"{values} values over {rows} rows"
        )
    return None
