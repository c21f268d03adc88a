"""What the cells of a field say about its being the gold, whatever it is called."""

from __future__ import annotations

import re

from lab.answers.extract import is_absent, loads, option_index, strip_option_mark
from lab.answers.latex import last_boxed
from lab.answers.shapes import (
    defines_tests,
    describes_format,
    has_calls,
    has_rubric,
    has_tests,
    has_tools,
    is_checker,
    is_code,
    is_ddl,
    is_sql,
    is_test_code,
    packed,
    parsed,
)
from lab.schema.choices import Choices
from lab.schema.fields import Field
from lab.schema.paths import columns
from lab.schema.words import ANSWER, PROMPT, is_meta, weight


def weigh(field: Field, by_path: dict[str, Field], top: Choices | None, rows: list[dict], tests: float) -> tuple[float, str]:
    """What the cells say: above 0 a weight of its own, below 0 a deduction."""
    texts = field.texts
    sample = field.present[:40]
    if sample and (field.kind == "list" or "rubric" in field.words) and all(has_rubric(parsed(cell) if isinstance(cell, str) else cell) for cell in sample):
        return 0.95, "criteria with points"
    if field.kind == "list" and not field.depth and weight(PROMPT, field.words[:1]) < 0.8 and field.words != ("questions",) and _asks_back(sample):
        return 0.94, "questions that a judge answers with yes or no"
    if field.key in ("examples", "samples") and field.kind == "list" and formats(by_path):
        return 0.95, "examples of what is read and printed"
    if tests > 0.9 and _is_tests(field, sample):
        return tests + 0.02, "it holds tests"
    if field.kind == "string":
        read = [parsed(text) for text in texts[:40]]
        known = [value for value in read if value is not None]
        if known and len(known) >= 0.6 * len(read):
            if any(isinstance(value, dict) and "ground_truth" in value for value in known):
                return 1.1, "JSON with a ground_truth"
            if all(isinstance(value, dict) and {"rubric", "rubrics", "checklist", "criteria"}.intersection(value) for value in known):
                return 0.95, "JSON with a rubric"
            if sum(map(has_tools, known)) > 0.5 * len(known):
                return -1.0, ""
            if sum(map(has_calls, known)) > 0.5 * len(known):
                return 1.05, "JSON tool calls"
            if sum(map(is_checker, known)) > 0.5 * len(known) and weight(ANSWER, field.words) > 0.5:
                return 1.05, "JSON that names a checker"
            if sum(map(has_tests, known)) > 0.5 * len(known):
                return max(0.95, tests), "JSON with inputs and outputs"
        if field.share(is_ddl) > 0.8:
            return -1.0, ""
        if field.share(is_sql) > 0.8:
            return 1.02, "SQL statements"
        if field.share(defines_tests) > 0.8 and weight(PROMPT, field.words) < 0.8:
            return 1.02, "it defines tests"
    if field.key == "instruction_id_list" or (field.kind == "list" and sample and not is_meta(field.words) and all(isinstance(cell, list) and cell and all(isinstance(item, str) and re.fullmatch(r"[a-z_]+:[a-z_0-9]+", item) for item in cell) for cell in sample)):
        return 1.05, "ids of constraints"
    if field.kind == "list" and not field.depth and sample and all(has_calls(cell) and not has_tools(cell) for cell in sample):
        return 1.02, "tool calls"
    if field.kind == "list" and _onehot_beside(field, top):
        return 1.1, "zeros and ones beside the options"
    if field.kind == "list" and not field.depth and _per_token(field, by_path):
        return max(0.8, weight(ANSWER, field.words)), "one label for each token"
    if field.kind == "dict" and weight(ANSWER, field.words) > 0 and not any(map(has_tests, sample)):
        return -0.08, ""
    if field.key == "solution" and field.share(last_boxed) > 0.6:
        return 0.9, "worked solutions with \\boxed{}"
    if texts and field.share(lambda text: "####" in text) > 0.8:
        return 1.1, "answers after ####"
    if top and field.depth == 0:
        fit = fits_options(field, top, rows)
        if fit and not is_meta(field.words):
            return max(fit, weight(ANSWER, field.words) + 0.04), "it names one of the options"
    if field.kind == "string" and field.longest > 0 and field.key not in ANSWER and field.mean_length > 400:
        return -0.2, ""
    return 0.0, ""


def _asks_back(sample: list) -> bool:
    """True for lists of questions that are answered with yes or no: what an answer is checked for."""
    flat = [item for cell in sample if isinstance(cell, list) for item in cell]
    return len(flat) > len(sample) and all(isinstance(item, str) and re.match(r"(?:is|are|does|do|did|has|have|was|were|can|will|would|could|should)\b.*\?\s*$", item.strip(), re.IGNORECASE | re.DOTALL) for item in flat)


def _per_token(field: Field, by_path: dict[str, Field]) -> bool:
    """True for a list of labels as long as the list of words beside it."""
    beside = [other for other in by_path.values() if is_token_list(other) and other is not field]
    if not beside or is_token_list(field) or not all(isinstance(item, (int, str)) for cell in field.present[:20] if isinstance(cell, list) for item in cell):
        return False
    pairs = [(a, b) for a, b in zip(field.cells[:40], beside[0].cells[:40], strict=True) if isinstance(a, list) and isinstance(b, list)]
    return bool(pairs) and all(len(a) == len(b) for a, b in pairs)


def is_token_list(field: Field) -> bool:
    """A text as the list of its words."""
    if field.kind != "list" or field.words[-1] not in ("tokens", "words", "toks"):
        return False
    return all(isinstance(cell, list) and all(isinstance(item, str) and " " not in item.strip() for item in cell) for cell in field.present[:20])


def _is_tests(field: Field, sample: list) -> bool:
    if field.kind == "list":
        flat = [item for cell in sample for item in cell]
        return bool(flat) and (all(isinstance(item, str) for item in flat) or has_tests(flat))
    if field.kind == "dict":
        return any(map(has_tests, sample)) or all(any(isinstance(part, str) and is_test_code(part) for part in cell.values()) for cell in sample)
    if field.kind != "string":
        return False
    return field.share(lambda text: is_test_code(text) or has_tests(loads(text)) or packed(text) or text.startswith("<") or parsed(text) is not None) > 0.5 or (field.key in ("test", "tests") and field.share(is_code) > 0.5)


def _onehot_beside(field: Field, top: Choices | None) -> bool:
    return bool(top and field.name in ("labels", "label", "scores", "correct", "is_correct") and all(isinstance(cell, list) and len(cell) > 1 and all(item in (0, 1) for item in cell) for cell in field.present[:20]))


def fits_options(field: Field, top: Choices, rows: list[dict]) -> float:
    """How well the cells name one of the options: 0 when they do not."""
    if field.kind not in ("string", "int", "float", "mixed") or field.path in columns(top.path):
        return 0.0
    hits = total = 0
    worded = False
    for row, cell in list(zip(rows, field.cells, strict=True))[:60]:
        if is_absent(cell) or isinstance(cell, bool):
            continue
        options, marks = top.options(row)
        if not options:
            continue
        total += 1
        text = str(cell).strip()
        exact = text in options or text in [strip_option_mark(option) for option in options]
        worded = worded or exact
        hits += exact or (option_index(cell, options, marks, 0) is not None) or (option_index(cell, options, marks, 1) is not None)
    if not total or hits < 0.9 * total:
        return 0.0
    name = weight(ANSWER, field.words)
    return (0.75 if worded and field.kind == "string" else 0.4) if name < 0.3 else 0.5


def formats(by_path: dict[str, Field]) -> bool:
    """True where `input` and `output` say what a program reads and prints, beside the task's description."""
    return "description" in by_path and all(name in by_path and by_path[name].share(describes_format) > 0.6 for name in ("input", "output"))
