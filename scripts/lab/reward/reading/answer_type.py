"""The type of an answer, from the golds themselves: how a reward would compare them.

Each test looks at all golds of a candidate; the first that holds for them gives the type.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from lab.answers.alike import plain_words
from lab.answers.countdown import value_of
from lab.answers.extract import loads
from lab.answers.latex import is_expression, looks_latex
from lab.answers.numbers import parse_number
from lab.answers.shapes import is_pattern
from lab.environment import Task
from lab.reward.reading import worked_out
from lab.reward.reading.candidate import Candidate
from lab.reward.reading.fields import options_of
from lab.reward.reading.worked_out import EXPRESSION, countdown_of

CODE = re.compile(
    r"^\s*(?:def |class |import |from \w+ import |#include|fn |func |public |SELECT\b|WITH\b"
    r"|INSERT\b)",
    re.IGNORECASE | re.MULTILINE,
)
PROGRAM = re.compile(
    r"```python|\bpython (?:program|script|function|code)"
    r"|\bwrite (?:a|the) (?:program|script|function)",
    re.IGNORECASE,
)
FORMULA = re.compile(r"\b[A-Za-z]\d?\s?(?:\*\*|[*/+])\s?[(\w]|[\d)]\s?\*\s?\(?[A-Za-z]\d?\b")
"""Letters with what is done to them: `k/(p*d)`, `2*w`."""
TRUTH_WORDS = {"yes", "no", "true", "false", "maybe"}
Golds = list[str]
Tasks = Sequence[Task]


def answer_type(candidate: Candidate, tasks: Tasks) -> str:
    """The type of a candidate's golds; "unknown" without golds."""
    golds = [gold for gold in candidate.golds if gold]
    if not golds:
        return "unknown"
    if candidate.reading in (*worked_out.CODE, worked_out.DIFF):
        return "code"
    if candidate.reading == EXPRESSION or _reaches_targets(candidate, tasks):
        return "expression"
    if candidate.reading.startswith(("letter", "text of the option")):
        return "choice"
    if candidate.all_of:
        return "list" if not candidate.reading.endswith("JSON") or _plain_lists(golds) else "json"
    for name, holds in TESTS:
        if holds(golds, candidate, tasks):
            return name
    return "text"


def settled_type(declared: str | None, found: str) -> str:
    """The type as a contract declares it, and as found where it declares none. `expression` is the
    word for a formula too: only one that has to reach a target is of the type of that name. And a
    list of objects is written as JSON."""
    if declared == "list" and found == "json":
        return found
    if declared == "expression" and found != "expression":
        return "math"
    return declared or found


def _reaches_targets(candidate: Candidate, tasks: Tasks) -> bool:
    """Whether each gold is an expression with the value that its task asks for."""
    pairs = [
        (gold, countdown_of(task, gold))
        for gold, task in zip(candidate.golds, tasks, strict=True)
        if gold
    ]
    return all(game and " " in gold.strip() and value_of(gold) == game[1] for gold, game in pairs)


def _plain_lists(golds: Golds) -> bool:
    values = [loads(gold) for gold in golds]
    return all(isinstance(value, list) and not _has_inner(value) for value in values)


def _has_inner(value: list[object]) -> bool:
    return any(isinstance(item, (dict, list)) for item in value)


def _boolean(golds: Golds, _: Candidate, __: Tasks) -> bool:
    return {plain_words(gold) for gold in golds} <= TRUTH_WORDS


def _patterns(golds: Golds, _: Candidate, __: Tasks) -> bool:
    return sum(map(is_pattern, golds)) * 4 >= len(golds) * 3


def _code(golds: Golds, _: Candidate, tasks: Tasks) -> bool:
    asked = sum(bool(PROGRAM.search(task.shown)) for task in tasks) * 2 > len(tasks)
    marked = sum(bool(CODE.search(gold)) for gold in golds) * 2 >= len(golds)
    return (asked or marked) and all(map(looks_code, golds))


def looks_code(text: str) -> bool:
    """A program: it names itself as one, or it is Python that does more than to state a value."""
    if CODE.search(text):
        return "\n" in text or " " in text
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call) for node in body)


def _json(golds: Golds, _: Candidate, __: Tasks) -> bool:
    return all(gold[0] in "[{" and isinstance(loads(gold), (dict, list)) for gold in golds)


def _choice(golds: Golds, _: Candidate, __: Tasks) -> bool:
    return all(re.fullmatch(r"\(?[A-Ja-j]\)?", gold) for gold in golds)


def _label(golds: Golds, _: Candidate, tasks: Tasks) -> bool:
    words = {plain_words(gold) for gold in golds}
    few = len(words) <= max(2, len(golds) // 3) and len(golds) >= 4
    if not few or max(map(len, golds)) > 40:
        return False
    shown = [plain_words(task.shown) for task in tasks]
    return all(word in text for word in words for text in shown)


def _code_numbers(golds: Golds, _: Candidate, __: Tasks) -> bool:
    """Digits of which none can be left out, and no quantity: text."""
    if not all(gold.isdigit() for gold in golds):
        return False
    zeros = any(re.match(r"0\d", gold) for gold in golds)
    return zeros or all(re.fullmatch("[01]{3,}", gold) for gold in golds)


def _number(golds: Golds, candidate: Candidate, tasks: Tasks) -> bool:
    if _code_numbers(golds, candidate, tasks):
        return False
    return all(parse_number(gold) is not None for gold in golds)


def _math(golds: Golds, candidate: Candidate, tasks: Tasks) -> bool:
    if _code_numbers(golds, candidate, tasks):
        return False
    written = [looks_latex(g) or parse_number(g) is not None or is_expression(g) for g in golds]
    signs = any(looks_latex(g) or "^" in g for g in golds)
    formulas = sum(bool(FORMULA.search(g)) for g in golds) * 2 > len(golds)
    return sum(written) * 10 >= len(golds) * 8 and (signs or formulas)


def _options(_: Golds, candidate: Candidate, tasks: Tasks) -> bool:
    found = [
        gold in options_of(task) for gold, task in zip(candidate.golds, tasks, strict=True) if gold
    ]
    return sum(found) * 10 >= len(found) * 9


TESTS: tuple[tuple[str, Callable[[Golds, Candidate, Tasks], object]], ...] = (
    ("boolean", _boolean),
    ("json", _json),
    ("code", _patterns),
    ("code", _code),
    ("choice", _choice),
    ("label", _label),
    ("number", _number),
    ("math", _math),
    ("choice", _options),
)
