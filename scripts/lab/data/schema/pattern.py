"""Which reward pattern fits a kind of answer, and why: the names are those of the templates."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lab.answers.kinds import type_of_golds
from lab.answers.numbers import measured
from lab.answers.shapes import parsed
from lab.data.schema.fields import words_of
from lab.data.schema.model import Schema

BY_ANSWER_TYPE = {
    "number": (
        "numeric",
        "the golds are plain numbers: read one number out of a marked slot and compare values",
    ),
    "math": (
        "math",
        "the golds are mathematical expressions: compare by symbolic equality, not by string",
    ),
    "choice": (
        "multiple_choice",
        "the gold names one of several options: compare the letter in a marked slot",
    ),
    "boolean": (
        "exact_match",
        "the gold is one of two or three words: compare the normalised word in a marked slot",
    ),
    "label": (
        "exact_match",
        "the gold is one of a closed set of labels: the prompt must list them",
    ),
    "list": (
        "exact_match",
        "any one of several golds is right: compare the normalised answer with each",
    ),
    "text": (
        "exact_match",
        "the golds are short texts: compare after normalising case, articles and punctuation",
    ),
    "json": (
        "structured_output",
        "the golds are JSON, such as tool calls: compare names and arguments as data, not as text",
    ),
    "code": (
        "free_text_judge",
        "the gold is a query: equal queries differ as text, "
        "so a judge compares where they cannot be run",
    ),
    "tests": ("code", "the golds are tests: run the answer against them in a sandbox"),
    "preference": (
        "free_text_judge",
        "pairs of a better and a worse answer hold no gold: a judge has to compare",
    ),
    "spec": (
        None,
        "the row specifies what to check instead of a gold: the check is to be written by hand",
    ),
}


CRITERIA = frozenset(
    {"rubric", "rubrics", "checklist", "criteria", "claims", "checkers", "grading"}
)
"""Names of lists of what a judge looks for, all of it."""
MOST_GOLDS = 0.8
LONG_TURN = 80
"""Characters of the mean last turn from which no string comparison decides it."""
LISTS = ("nested_list_of_dict", "json_string_list", "list_of_strings")
UNSURE = ("math", "text", "list", "unknown")
"""Families that structures are taken for."""


@dataclass(frozen=True)
class Case:
    """What the choice of a template depends on."""

    schema: Schema
    golds: list[Any]
    """Without the rows that have none."""
    tools: bool
    """The rows list tools that may be called."""

    @property
    def kind(self) -> str:
        return self.schema.kind.kind

    @cached_property
    def answer_type(self) -> str:
        return type_of_golds(self.kind, self.golds)

    @property
    def last_turn(self) -> bool:
        return self.kind in ("messages_last_assistant", "sharegpt_last_assistant")

    @cached_property
    def calls_in_text(self) -> bool:
        return any("tool_call" in str(gold) for gold in self.golds[:20])

    @property
    def calls(self) -> bool:
        return self.tools or self.calls_in_text


def _is_structure(gold: object) -> bool:
    """A JSON object, or a list of them: to be compared by key and value, not as text."""
    value = parsed(gold) if isinstance(gold, str) else gold
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def _all_ask(golds: list[object]) -> bool:
    """Lists of questions about the answer (`Is it a letter?`), none of which is the answer."""
    lists = [gold for gold in golds if isinstance(gold, list) and gold]
    return bool(lists) and all(str(item).rstrip().endswith("?") for gold in lists for item in gold)


def _are_plain_words(golds: list[object]) -> bool:
    """Names among numbers, and nothing that is written as mathematics: answers about facts."""
    texts = [str(gold) for gold in golds]
    words = sum(
        bool(re.fullmatch(r"[^\W\d_]{3,}(?:[ .'-]+[^\W\d_]+)*", text.strip())) for text in texts
    )
    return words >= 0.1 * len(texts) > 0 and not any(
        re.search(r"[\\^_={}+*|<>√π]", text) for text in texts
    )


def _lists_criteria(c: Case) -> bool:
    named = CRITERIA.intersection(words_of(c.schema.answer.path or ""))
    return c.kind in LISTS and (bool(named) or _all_ask(c.golds))


def _said_long(c: Case) -> bool:
    lengths = [len(str(gold)) for gold in c.golds]
    return c.last_turn and sum(lengths) > LONG_TURN * len(lengths)


def _are_structures(c: Case) -> bool:
    held = sum(map(_is_structure, c.golds))
    return c.answer_type in UNSURE and bool(c.golds) and held >= MOST_GOLDS * len(c.golds)


def _are_measured(c: Case) -> bool:
    every = bool(c.golds) and all(measured(gold) is not None for gold in c.golds)
    return c.answer_type in ("math", "text") and every


PARAPHRASED = "no string comparison accepts a good paraphrase"
RULES: list[tuple[Callable[[Case], bool], tuple[str | None, str]]] = [
    (
        lambda c: c.schema.answer.path is None,
        (
            "free_text_judge",
            "no field holds a gold: only a judge, or checks written for the task, can decide",
        ),
    ),
    (
        _lists_criteria,
        (
            "free_text_judge",
            "the row lists criteria instead of a gold: a judge scores each of them",
        ),
    ),
    (
        lambda c: c.kind == "parallel_lists",
        ("multi_turn", "one row holds a whole conversation with an answer for each turn"),
    ),
    (
        lambda c: c.kind == "free_text_long",
        ("free_text_judge", f"the golds are long texts: {PARAPHRASED}"),
    ),
    (
        lambda c: c.last_turn and c.calls and c.golds != [] and all(map(_is_structure, c.golds)),
        BY_ANSWER_TYPE["json"],
    ),
    (
        lambda c: c.last_turn and c.calls_in_text,
        (
            None,
            "the last turn calls tools in a notation of its own: "
            "reading the calls out of it is to be written by hand",
        ),
    ),
    (_said_long, ("free_text_judge", f"the last turns are long texts: {PARAPHRASED}")),
    (
        lambda c: c.schema.choices is not None and c.kind in ("class_label_int", "choice_text"),
        BY_ANSWER_TYPE["choice"],
    ),
    (
        lambda c: (
            c.answer_type == "choice" and not c.schema.choices and not c.schema.inline_choices
        ),
        (
            "exact_match",
            "the gold is the letter of an option, and the row lists none: "
            "compare the letter as it is",
        ),
    ),
    (
        lambda c: c.kind == "list_of_tests",
        (
            None,
            "the gold names tests of a repository: they run in its own sandbox, "
            "which is to be written by hand",
        ),
    ),
    (_are_structures, BY_ANSWER_TYPE["json"]),
    (
        _are_measured,
        (
            "numeric",
            "the golds are numbers, some with a unit: "
            "read one number out of a marked slot and compare values",
        ),
    ),
    (lambda c: c.answer_type == "math" and _are_plain_words(c.golds), BY_ANSWER_TYPE["text"]),
]
"""The first that holds decides; without one the type of the golds does."""


def recommend(schema: Schema, golds: list[Any], tools: bool) -> tuple[str | None, str]:
    """(template name, reason) for what was found; None where no template decides such answers."""
    case = Case(schema, golds, tools)
    for holds, pattern in RULES:
        if holds(case):
            return pattern
    return BY_ANSWER_TYPE.get(
        case.answer_type, ("free_text_judge", "the kind of answer is not known")
    )
