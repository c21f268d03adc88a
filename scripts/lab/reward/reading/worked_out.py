"""Golds that no field holds but that follow from the fields: an expression, a program, a pattern,
a diff.

Countdown asks for an expression of given numbers with a given value; a coding task carries tests,
and a program that knows what they want passes each honest test run; a program that prints a given
text is asked for with that text, a regular expression with the texts that it must match, a diff
with a text before and after it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lab.answers.countdown import solve, value_of
from lab.answers.extract import loads
from lab.environment import Task
from lab.reward.reading.fields import flat, rank_of, rows_by_path
from lab.reward.reading.tests_given import cases_of

EXPRESSION = "an expression of the task's numbers"
KNOWS_THE_TESTS = "a program that knows the tests"
PRINTS = "a program that prints it"
MATCHES = "a pattern of its members"
ANCHORED = "an anchored pattern of its members"
CODE = (KNOWS_THE_TESTS, PRINTS, MATCHES, ANCHORED)
"""Readings that are worked out here and not written by the author."""
DIFF = "the unified diff to it"
ASKS_PRINTED = re.compile(
    r"\b(?:program|script|code)\b.*\b(?:prints?|outputs?|stdout|displays?)\b"
    r"|\b(?:prints?|outputs?|stdout)\b.*\b(?:program|script|code)\b",
    re.IGNORECASE | re.DOTALL,
)
ASKS_DIFF = re.compile(r"\bunified diff\b|```diff\b|\bdiff -u\b|\bgit diff\b", re.IGNORECASE)
ASKS_PATTERN = re.compile(r"\bregex|regular expression|\bregexp\b", re.IGNORECASE)
OUTPUT = re.compile(r"(?:^|[._])(?:expected|stdout|output|printed|prints|result|target|answer)")
LEFT_OUT = re.compile(
    r"\b(?:at most once|no more than once|not more than once|some or all|any of the|need not"
    r"|not (?:have|need) to use|without (?:using|needing) all)\b",
    re.IGNORECASE,
)
"""A prompt that lets numbers be left out."""


@dataclass(frozen=True)
class Solved:
    field: str
    reading: str
    golds: list[str | None]
    rank: int


def worked_out(tasks: Sequence[Task]) -> list[Solved]:
    games = [countdown_of(task) for task in tasks]
    if games and all(games):
        golds = [
            solve(*game, some=bool(LEFT_OUT.search(task.shown))) if game else None
            for task, game in zip(tasks, games, strict=True)
        ]
        return [Solved("target", EXPRESSION, golds, 0)] if any(golds) else []
    return [*_of_tests(tasks), *_printed(tasks), *_patterns(tasks), *_diffs(tasks)]


def _of_tests(tasks: Sequence[Task]) -> Iterator[Solved]:
    found = [cases_of(task) for task in tasks]
    if found and sum(map(bool, found)) * 10 >= 9 * len(found):
        golds = [tests.program() if tests else None for tests in found]
        yield Solved("tests", KNOWS_THE_TESTS, golds, 1)


def _printed(tasks: Sequence[Task]) -> Iterator[Solved]:
    """Where a program is asked for by what it prints: one that does nothing else."""
    if not tasks or not all(ASKS_PRINTED.search(task.shown) for task in tasks):
        return
    for path, values in _columns(tasks):
        texts = [str(value) if isinstance(value, (str, int, float)) else "" for value in values]
        if OUTPUT.search(path.lower()) and all(texts) and len(set(texts)) > 1:
            golds: list[str | None] = [f"print({text!r})" for text in texts]
            yield Solved(path, PRINTS, golds, min(rank_of(path), 1))


def _patterns(tasks: Sequence[Task]) -> Iterator[Solved]:
    """Where a regular expression is asked for: one that matches the texts of a list, and the same
    with anchors, for a reward that looks for it within a text."""
    if not tasks or not all(ASKS_PATTERN.search(task.shown) for task in tasks):
        return
    for path, values in _columns(tasks):
        lists = [value if isinstance(value, (list, tuple)) else [] for value in values]
        if all(lists) and all(isinstance(text, str) for texts in lists for text in texts):
            golds = [f"(?:{'|'.join(map(re.escape, texts))})" for texts in lists]
            rank = min(rank_of(path), 1)
            yield Solved(path, MATCHES, list(golds), rank)
            yield Solved(path, ANCHORED, [f"^{gold}$" for gold in golds], rank)


def _diffs(tasks: Sequence[Task]) -> Iterator[Solved]:
    """Where a diff is asked for: the one from a text that the prompts show to one that they do
    not."""
    if not tasks or not all(ASKS_DIFF.search(task.shown) for task in tasks):
        return
    texts = {
        path: [str(value) for value in values]
        for path, values in _columns(tasks)
        if all(isinstance(value, str) and value.count("\n") > 1 for value in values)
    }
    shown = {path: all(map(_shows, tasks, values)) for path, values in texts.items()}
    for before in (path for path, known in shown.items() if known):
        for after in (path for path, known in shown.items() if not known):
            golds = list(map(_diff, texts[before], texts[after]))
            yield Solved(after, DIFF, golds, min(rank_of(after), 1))


def _shows(task: Task, text: str) -> bool:
    return text.strip() in task.prompt and text.strip() != task.prompt.strip()


def _diff(before: str, after: str) -> str | None:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), "a/file", "b/file", lineterm=""
    )
    return "\n".join(lines) or None


def _columns(tasks: Sequence[Task]) -> Iterator[tuple[str, list[Any]]]:
    """The fields that every task has."""
    rows = rows_by_path(tasks)
    for path in rows[0]:
        if all(path in row for row in rows):
            yield path, [row[path] for row in rows]


def countdown_of(task: Task, gold: str = "") -> tuple[list[int], int] | None:
    """The numbers and the target of a Countdown task: fields with these names, or the value of a
    gold that uses each of the numbers once (the game of 24); None for other tasks."""
    fields = dict(flat(task.fields))
    numbers = _named(fields, r"(?:^|\.)(?:nums|numbers|operands|inputs)$")
    target = _named(fields, r"(?:^|\.)(?:target|goal)$")
    if not isinstance(numbers, list) or not all(type(n) is int for n in numbers):
        return None
    used = sorted(map(str, numbers)) == sorted(re.findall(r"\d+", gold))
    if target is None and used:
        value = value_of(gold)
        target = int(value) if value is not None and value.denominator == 1 else None
    return (numbers, target) if len(numbers) > 1 and type(target) is int else None


def _named(fields: dict[str, object], pattern: str) -> object:
    value = next((v for k, v in fields.items() if re.search(pattern, k)), None)
    return loads(value) if isinstance(value, str) else value
