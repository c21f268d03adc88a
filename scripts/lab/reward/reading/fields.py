"""The fields of a task by path, what their names say, and the options of a choice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lab.answers.extract import loads, option_index
from lab.environment import Task

NAMED_GOLD = re.compile(
    r"(?:^|\.)(?:(?:the_|correct_|expected_|final_|gold_|true_|reference_|target_|short_|exact_"
    r"|canonical_|right_)?"
    r"(?:answers?|answer_key|answer_idx|answer_index|solutions?|labels?|outputs?|responses?"
    r"|results?|values?|index|idx|choice|option|letter|class|code)"
    r"|gold|golds|target|targets|ground_truths?|truth|expected|correct|reference|references"
    r"|secret|secret_word|aliases)$"
)
CALLED_GOLD = re.compile(
    r"(?:^|[._])(?:answer|gold|target|truth|solution|expected|correct|reference|label)s?(?:$|_)"
)
"""Names that say by themselves what is right: not `value`, `code`, `index`."""
MAYBE_GOLD = re.compile(
    r"answer|gold|target|truth|label|solution|reference|expected|secret|correct|final|word"
    r"|number|verdict"
)
NOT_GOLD = re.compile(
    r"(?:^|\.)(?:id|key|idx|index|uid|uuid|.*_id|row|position|question|problem|prompt|input"
    r"|context|passage|choices|options|candidates|source|split|dataset|subject|topic|difficulty"
    r"|level|category_name|url|seed|tests?|test_cases|entry_point|max_\w+|num_\w+)$"
)
OPTION_FIELD = re.compile(
    r"(?:^|\.)(?:choices|options|candidates|labels|classes|endings|alternatives)(?:\.|$)"
)
OPTION_LINE = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?\(?([A-Za-z]|\d{1,2})[).:、．][ \t]+(\S[^\n]*)$", re.MULTILINE
)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNUSABLE = frozenset({"", "n/a", "na", "none", "null", "nan", "-", "unknown", "?"})
"""Texts that stand for no gold."""
DEPTH = 3


def flat(fields: dict[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Each field with its dotted path; dictionaries (and JSON texts of them) are entered."""
    for key, value in fields.items():
        path = f"{prefix}{key}"
        inner = loads(value) if isinstance(value, str) and value.lstrip()[:1] == "{" else value
        yield path, value
        if isinstance(inner, dict) and inner and depth < DEPTH:
            yield from flat(inner, f"{path}.", depth + 1)


def rank_of(path: str) -> int:
    """0: named like a gold; 1: perhaps; 2: any other name; 3: named like something else."""
    name = path.lower()
    if NOT_GOLD.search(name):
        return 3
    if NAMED_GOLD.search(name):
        return 0
    return 1 if MAYBE_GOLD.search(name.rsplit(".", 1)[-1]) else 2


def usable(value: Any, shown: str = "") -> bool:
    """Whether a cell holds something that could be an answer. `shown`: a prompt; a word that it
    names is an answer (`NONE`)."""
    if isinstance(value, str):
        word = value.strip()
        named = bool(word) and bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", shown))
        return named or word.lower() not in UNUSABLE
    return value is not None and value not in ([], {})


def options_of(task: Task, row: dict[str, Any] | None = None) -> list[str]:
    """The option texts of a multiple-choice task, from a field or from the lines of its prompt."""
    row = dict(flat(task.fields)) if row is None else row
    for path, value in row.items():
        if OPTION_FIELD.search(path.lower()) and (found := _option_texts(value)):
            return found
    lines = OPTION_LINE.findall(task.prompt)
    marks = [mark.upper() for mark, _ in lines]
    numbers = [str(n + 1) for n in range(len(marks))]
    if len(lines) > 1 and marks in (list(LETTERS[: len(marks)]), numbers):
        return [text.strip() for _, text in lines]
    return []


def _option_texts(value: Any) -> list[str]:
    value = loads(value) if isinstance(value, str) else value
    if isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
        return list(value.values())
    if isinstance(value, list) and len(value) > 1 and all(isinstance(v, str) for v in value):
        return list(value)
    return []


def letter_of(text: str, task: Task, row: dict[str, Any]) -> str | None:
    choices = options_of(task, row)
    index = option_index(text, choices) if choices else None
    return LETTERS[index] if index is not None and index < 26 else None


def rows_by_path(tasks: Iterable[Task]) -> list[dict[str, Any]]:
    """The fields of each task by path (see `flat`)."""
    return [dict(flat(task.fields)) for task in tasks]
