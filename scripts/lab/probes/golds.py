"""Which field of a task is the gold, as candidates: every field read in every sensible way.

Nothing is decided here. The reward decides (see `style`): the candidate whose answers it pays is
the gold. Names only order the candidates, and say what the author called the gold.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from lab.answers.countdown import solve, value_of
from lab.answers.extract import loads, option_index
from lab.answers.latex import is_expression, last_boxed, looks_latex
from lab.answers.lists import SEPARATORS, hinted, write
from lab.answers.numbers import parse_number
from lab.answers.shapes import is_pattern
from lab.answers.wrong import plain_words
from lab.environment import Task
from lab.probes.tested import READING as KNOWS_THE_TESTS
from lab.probes.tested import cases_of

NAMED_GOLD = re.compile(
    r"(?:^|\.)(?:(?:the_|correct_|expected_|final_|gold_|true_|reference_|target_|short_|exact_|canonical_|right_)?"
    r"(?:answers?|answer_key|answer_idx|answer_index|solutions?|labels?|outputs?|responses?|results?|values?|index|idx|choice|option|letter|class|code)"
    r"|gold|golds|target|targets|ground_truths?|truth|expected|correct|reference|references|secret|secret_word|aliases)$"
)
MAYBE_GOLD = re.compile(r"answer|gold|target|truth|label|solution|reference|expected|secret|correct|final|word|number|key|verdict")
NOT_GOLD = re.compile(
    r"(?:^|\.)(?:id|idx|index|uid|uuid|.*_id|row|position|question|problem|prompt|input|context|passage|choices|options|candidates"
    r"|source|split|dataset|subject|topic|difficulty|level|category_name|url|seed|tests?|test_cases|entry_point|max_\w+|num_\w+)$"
)
OPTION_FIELD = re.compile(r"(?:^|\.)(?:choices|options|candidates|labels|classes|endings|alternatives)(?:\.|$)")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OPTION_LINE = re.compile(r"^[ \t]*(?:[-*][ \t]+)?\(?([A-Za-z]|\d{1,2})[).:][ \t]+(\S[^\n]*)$", re.MULTILINE)


EXPRESSION = "an expression of the task's numbers"
ANY = "any of the list"
LIST_ASKED = re.compile(r"\b(?:list (?:all|every|the)|lists? of|one per line|each on (?:a|its own) line|(?:comma|semicolon)[- ]separated|separated by|sort(?:ed)?|in order|order (?:by|from)|rank(?:ed)?|sequence|all (?:of )?(?:the|that)|select all)\b", re.IGNORECASE)
"""A prompt whose answer has several members."""


@dataclass(frozen=True)
class Candidate:
    """One field read in one way: an answer per task, None where a task has none."""

    field: str
    reading: str
    golds: list[str | None]
    accepted: list[list[str]]
    """Per task every text that the field accepts, `golds[i]` first."""
    rank: int
    """0: named like a gold; 1: perhaps; 2: any other field; 3: named like something else."""
    all_of: bool = False
    """The gold is a collection whose members all belong to the answer."""
    family: str = field(default="", compare=False)

    @property
    def named(self) -> bool:
        return self.rank == 0


def candidates(tasks: Sequence[Task]) -> list[Candidate]:
    """Every way to read a gold out of the tasks' fields, the likeliest first."""
    rows = [dict(flat(task.fields)) for task in tasks]
    paths = list(dict.fromkeys(path for row in rows for path in row))
    found: list[Candidate] = []
    for path in paths:
        values = [row.get(path) for row in rows]
        if sum(value not in (None, "", [], {}) for value in values) * 2 < len(values):
            continue
        if any(isinstance(value, str) and value.strip() == task.prompt.strip() for value, task in zip(values, tasks, strict=True)):
            continue  # the question
        rank = rank_of(path)
        for reading, read in _readings(path, values, rows, tasks):
            accepted = [[str(text).strip() for text in texts if str(text).strip()] for texts in read]
            golds = [texts[0] if texts else None for texts in accepted]
            if not any(golds):
                continue
            found.append(Candidate(path, reading, golds, accepted, rank, all_of=reading.startswith("all")))
    if solved := _worked_out(tasks):
        # The target is what is asked for there, and no answer.
        found = [c for c in found if not (solved[0].reading == EXPRESSION and re.search(r"(?:^|\.)(?:target|goal)$", c.field))] + solved
    return sorted(found, key=lambda c: c.rank)


def countdown_of(task: Task, gold: str = "") -> tuple[list[int], int] | None:
    """The numbers and the target of a Countdown task: fields with these names, or the value of a gold
    that uses each of the numbers once (the game of 24); None for other tasks."""
    fields = dict(flat(task.fields))
    numbers = next((v for k, v in fields.items() if re.search(r"(?:^|\.)(?:nums|numbers|operands|inputs)$", k)), None)
    target = next((v for k, v in fields.items() if re.search(r"(?:^|\.)(?:target|goal)$", k)), None)
    numbers = loads(numbers) if isinstance(numbers, str) else numbers
    target = loads(target) if isinstance(target, str) else target
    if target is None and isinstance(numbers, list) and sorted(map(str, numbers)) == sorted(re.findall(r"\d+", gold)):
        value = value_of(gold)
        target = int(value) if value is not None and value.denominator == 1 else None
    whole = isinstance(numbers, list) and len(numbers) > 1 and all(type(n) is int for n in numbers) and type(target) is int
    return (numbers, target) if whole else None


def _reaches_targets(candidate: Candidate, tasks: Sequence[Task]) -> bool:
    """Whether each gold is an expression with the value that its task asks for."""
    pairs = [(gold, countdown_of(task, gold)) for gold, task in zip(candidate.golds, tasks, strict=True) if gold]
    return all(game and " " in gold.strip() and value_of(gold) == game[1] for gold, game in pairs)


def _worked_out(tasks: Sequence[Task]) -> list[Candidate]:
    """Golds that no field holds but that follow from the fields: the solution of a Countdown task."""
    games = [countdown_of(task) for task in tasks]
    if not games or not all(games):
        return list(_programs(tasks))
    golds = [solve(*game, some=bool(LEFT_OUT.search(task.shown))) if game else None for task, game in zip(tasks, games, strict=True)]
    return [Candidate("target", EXPRESSION, golds, [[gold] if gold else [] for gold in golds], 0)] if any(golds) else []


def _programs(tasks: Sequence[Task]) -> Iterator[Candidate]:
    """Programs that know the tests, where tasks have tests."""
    found = [cases_of(task, dict(flat(task.fields))) for task in tasks]
    if _most(found):
        golds = [tests.program() if tests else None for tests in found]
        yield Candidate("tests", KNOWS_THE_TESTS, golds, [[gold] if gold else [] for gold in golds], 2)


LEFT_OUT = re.compile(r"\b(?:at most once|no more than once|not more than once|some or all|any of the|need not|not (?:have|need) to use|without (?:using|needing) all)\b", re.IGNORECASE)
"""A prompt that lets numbers be left out."""
LOW = re.compile(r"(?:^|[._])(?:low|lower|lo|min|minimum)(?:$|[._])", re.IGNORECASE)
HIGH = re.compile(r"(?:^|[._])(?:high|upper|hi|max|maximum)(?:$|[._])", re.IGNORECASE)


def interval_of(task: Task, gold: str) -> tuple[Fraction, Fraction] | None:
    """The bounds between which a number counts as the gold, where fields of the task hold them."""
    value, fields = parse_number(gold), list(flat(task.fields))
    low, high = (next((parse_number(str(v)) for path, v in fields if name.search(path) and not isinstance(v, bool)), None) for name in (LOW, HIGH))
    if value is None or low is None or high is None or not low < high or not low <= value <= high:
        return None
    return Fraction(low), Fraction(high)


def rank_of(path: str) -> int:
    name = path.lower()
    if NOT_GOLD.search(name):
        return 3
    if NAMED_GOLD.search(name):
        return 0
    return 1 if MAYBE_GOLD.search(name.rsplit(".", 1)[-1]) else 2


def flat(fields: dict[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Each field with its dotted path; dicts (and JSON strings of dicts) are entered."""
    for key, value in fields.items():
        path = f"{prefix}{key}"
        inner = value
        if isinstance(value, str) and value.lstrip()[:1] == "{":
            inner = loads(value)
        if isinstance(inner, dict) and inner and depth < 3:
            yield path, value
            yield from flat(inner, f"{path}.", depth + 1)
        else:
            yield path, value


def _readings(
    path: str, values: list[Any], rows: list[dict[str, Any]], tasks: Sequence[Task]
) -> Iterator[tuple[str, list[list[Any]]]]:
    present = [value for value in values if value not in (None, "")]
    if all(isinstance(value, bool) for value in present):
        yield "yes or no", [[] if v is None else ["Yes" if v else "No"] for v in values]
        yield "true or false", [[] if v is None else ["True" if v else "False"] for v in values]
        return
    if all(isinstance(value, (int, float)) for value in present):
        yield from _index_readings(values, rows, tasks)
        yield "as it is", [[] if v is None else [_number(v)] for v in values]
        return
    if all(isinstance(value, (list, tuple)) for value in present):
        yield from _list_readings(values, tasks)
        return
    if all(isinstance(value, dict) for value in present):
        yield "as JSON", [[json.dumps(v)] if v else [] for v in values]
        return
    texts = [value if isinstance(value, str) else "" if value is None else str(value) for value in values]
    if _most("####" in text for text in texts):
        yield "after ####", [[text.rsplit("####", 1)[1]] if "####" in text else [] for text in texts]
    if _most("\\boxed" in text for text in texts):
        yield "in \\boxed{}", [[box] if (box := last_boxed(text)) else [] for text in texts]
    parsed = [loads(text) if text.lstrip()[:1] == "[" else None for text in texts]
    if _most(isinstance(item, list) for item in parsed):
        yield from _list_readings([item if isinstance(item, list) else None for item in parsed], tasks)
    if _most(text.strip().isdigit() and len(text.strip()) == 1 for text in texts):
        yield from _index_readings([int(t) if t.strip().isdigit() else None for t in texts], rows, tasks)
    letters = [_letter_of(text, task, row) for text, task, row in zip(texts, tasks, rows, strict=True)]
    yield "as it is", [[text] for text in texts]
    if _most(", " in text for text in texts if text):
        yield from _joined([[item.strip() for item in text.split(",") if item.strip()] for text in texts], tasks)
    if any(len(text) > 1 for text in texts) and _most(re.fullmatch(r"(?!.*(.).*\1)[A-J]{1,8}", text) and options_of(task, row) for text, task, row in zip(texts, tasks, rows, strict=True)):
        yield "all of the letters, with commas", [[", ".join(text)] if text else [] for text in texts]
    if _most(letters) and not all(len(text.strip()) == 1 for text in texts):
        yield "letter of the option", [[letter] if letter else [] for letter in letters]


def _index_readings(
    values: list[Any], rows: list[dict[str, Any]], tasks: Sequence[Task]
) -> Iterator[tuple[str, list[list[Any]]]]:
    choices = [options_of(task, row) for task, row in zip(tasks, rows, strict=True)]
    if not _most(choices) or not all(v is None or float(v).is_integer() for v in values):
        return
    base = 1 if not any(v == 0 for v in values) and any(v is not None and v >= len(c) for v, c in zip(values, choices, strict=True)) else 0
    pairs = [(None if v is None else int(v) - base, c) for v, c in zip(values, choices, strict=True)]
    inside = [(i, c) if i is not None and 0 <= i < len(c) else (None, c) for i, c in pairs]
    yield "letter of the option", [[LETTERS[i]] if i is not None and i < 26 else [] for i, _ in inside]
    yield "text of the option", [[c[i]] if i is not None else [] for i, c in inside]


def _list_readings(values: list[Any], tasks: Sequence[Task]) -> Iterator[tuple[str, list[list[Any]]]]:
    lists = [[_item(item) for item in (value or [])] for value in values]
    yield ANY, lists
    if any(len(items) > 1 for items in lists):
        yield "all of the list, with commas", [[", ".join(items)] if items else [] for items in lists]
        yield "all of the list, a line each", [["\n".join(items)] if items else [] for items in lists]
    yield "all of the list, as JSON", [[json.dumps(value)] if value else [] for value in values]
    yield from _joined(lists, tasks)


def _joined(lists: list[list[str]], tasks: Sequence[Task]) -> Iterator[tuple[str, list[list[str]]]]:
    """The lists written as the example of the prompt is: in brackets, numbered, with arrows."""
    for joint in hinted(tasks[0].shown) if tasks else ():
        name = {"brackets": "each in brackets"}.get(joint, f"joined by {joint.strip()}" if joint in SEPARATORS else joint)
        yield f"all of the list, {name}", [[write(items, joint)] if items else [] for items in lists]


def _item(item: Any) -> str:
    if isinstance(item, dict):
        return str(item.get("value") or item.get("text") or item.get("answer") or json.dumps(item))
    return json.dumps(item) if isinstance(item, list) else str(item)


def _number(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


def _most(flags: Any) -> bool:
    flags = [bool(flag) for flag in flags]
    return bool(flags) and sum(flags) * 10 >= len(flags) * 9


def options_of(task: Task, row: dict[str, Any] | None = None) -> list[str]:
    """The option texts of a multiple-choice task, from a field or from the lines of its prompt."""
    row = dict(flat(task.fields)) if row is None else row
    for path, value in row.items():
        if not OPTION_FIELD.search(path.lower()):
            continue
        value = loads(value) if isinstance(value, str) else value
        if isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
            return list(value.values())
        if isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value):
            return [str(item) for item in value]
    lines = OPTION_LINE.findall(task.prompt)
    marks = [mark.upper() for mark, _ in lines]
    if len(lines) > 1 and marks in (list(LETTERS[: len(marks)]), [str(n + 1) for n in range(len(marks))]):
        return [text.strip() for _, text in lines]
    return []


def _letter_of(text: str, task: Task, row: dict[str, Any]) -> str | None:
    choices = options_of(task, row)
    index = option_index(text, choices) if choices else None
    return LETTERS[index] if index is not None and index < 26 else None


CODE = re.compile(r"^\s*(?:def |class |import |from \w+ import |#include|fn |func |public |SELECT\b|WITH\b|INSERT\b)", re.IGNORECASE | re.MULTILINE)


PROGRAM = re.compile(r"```python|\bpython (?:program|script|function|code)|\bwrite (?:a|the) (?:program|script|function)", re.IGNORECASE)


def looks_code(text: str) -> bool:
    """A program: it names itself as one, or it is Python that does more than to state a value."""
    if CODE.search(text):
        return "\n" in text or " " in text
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call) for node in body)


def _plain_list(value: Any) -> bool:
    """A list of values; a list of objects, such as tool calls, is a structure."""
    return isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)


def family_of(candidate: Candidate, tasks: Sequence[Task]) -> str:
    """How a reward would compare these golds (families of lab.answers.kinds), from their content."""
    golds = [gold for gold in candidate.golds if gold]
    if not golds:
        return "unknown"
    if candidate.reading == KNOWS_THE_TESTS:
        return "code"
    if candidate.reading == EXPRESSION or _reaches_targets(candidate, tasks):
        return "expression"
    if candidate.reading.startswith("letter") or candidate.reading.startswith("text of the option"):
        return "choice"
    if candidate.all_of:
        return "json" if candidate.reading.endswith("JSON") and not all(_plain_list(loads(gold)) for gold in golds) else "list"
    words = {plain_words(gold) for gold in golds}
    if words <= {"yes", "no", "true", "false", "maybe"}:
        return "boolean"
    if sum(map(is_pattern, golds)) * 4 >= len(golds) * 3:
        return "code"
    asked = sum(bool(PROGRAM.search(task.shown)) for task in tasks) * 2 > len(tasks)
    if (asked or sum(bool(CODE.search(gold)) for gold in golds) * 2 >= len(golds)) and all(map(looks_code, golds)):
        return "code"
    if all(gold[0] in "[{" and isinstance(loads(gold), (dict, list)) for gold in golds):
        return "json"
    if all(re.fullmatch(r"\(?[A-Ja-j]\)?", gold) for gold in golds):
        return "choice"
    few = len(words) <= max(2, len(golds) // 3) and len(golds) >= 4 and max(map(len, golds)) <= 40
    if few and all(plain_words(word) in plain_words(task.shown) for word in words for task in tasks):
        return "label"
    numbers = sum(parse_number(gold) is not None for gold in golds)
    if numbers == len(golds) and all(gold.isdigit() for gold in golds) and (any(re.match(r"0\d", gold) for gold in golds) or all(re.fullmatch("[01]{3,}", gold) for gold in golds)):
        return "text"  # codes: digits of which none can be left out, and no quantity
    if numbers == len(golds):
        return "number"
    if sum(looks_latex(gold) or parse_number(gold) is not None or is_expression(gold) for gold in golds) * 10 >= len(golds) * 8 and any(looks_latex(g) or "^" in g for g in golds):
        return "math"
    options = [options_of(task) for task in tasks]
    if _most(bool(o) and g in o for o, g in zip(options, candidate.golds, strict=True) if g):
        return "choice"
    return "text"
