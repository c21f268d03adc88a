"""Recognise the kind of answer in a column, with a confidence and the runner-up.

    recognise(Evidence(cells=["... #### 42"], path="answer"))
        -> Guess("hash4_suffix", 0.98, "free_text_long")

Rules are about shape and content. Where few rows leave several kinds open (a lone `42` may be
a numeric column, or a LaTeX column that happens to hold a plain number), the confidence says so.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from lab.answers.evidence import FEW, LONG_NAMES, Evidence, Guess, share_of
from lab.answers.extract import is_absent, option_index, strip_option_mark, untagged
from lab.answers.indices import index_base
from lab.answers.latex import last_boxed
from lab.answers.numbers import parse_number
from lab.answers.plain import numeric_or_text
from lab.answers.shapes import (
    defines_tests,
    has_calls,
    has_tests,
    is_checker,
    is_code,
    is_sql,
    is_test_code,
    is_test_id,
    parsed,
)

UNIT = re.compile(r"[-+]?[\d.,/]+\s*\([^()]+\)(?:\s*;\s*[-+]?[\d.,/]+\s*\([^()]+\))*")
FIRST, SECOND = (re.compile(rf"(?:^|\s)\(?{letter}[).:]\s") for letter in "AB")
"""Marks of the first two options in a text; each is looked for once, for texts may be long."""
LABEL_NAMES = {"label", "labels", "gold_label", "class", "sentiment", "emotion", "category", "intent", "topic", "type", "kind", "relation", "verdict", "stance", "polarity", "classification", "coarse_label", "fine_label", "label_text", "decision", "final_decision", "entailment", "veracity", "priority", "severity", "urgency", "department", "outcome", "disposition"}


def recognise(evidence: Evidence) -> Guess:
    """The kind of the answers in `evidence`. Always a guess with a confidence, never an error."""
    e = replace(evidence, cells=[untagged(cell) for cell in evidence.cells])
    if e.preference:
        return Guess("preference_pair", 0.97, None, "a chosen and a rejected answer")
    present = [cell for cell in e.cells if not is_absent(cell)]
    if e.kind in ("messages", "sharegpt"):
        kind = "messages_last_assistant" if e.kind == "messages" else "sharegpt_last_assistant"
        return Guess(kind, 0.93, None, "a list of turns whose last one is the assistant's")
    if e.names:
        return Guess("class_label_int", 0.99, "choice_index_int" if any(e.options) else None, f"{len(e.names)} declared class names")
    if not present and e.kind == "list" and e.path.endswith(".text"):
        return Guess("squad_answers_dict", 0.6, "nested_list", "lists of answer texts, all empty")
    if not present:
        return Guess("free_text_short", 0.1, None, "every cell is empty")
    if re.search(r"(?:^|\.)ground_truth$", e.path) and e.path != "ground_truth":
        return _nested_truth(present)
    if re.search(r"ground_truth\.(?:value|answer|text)$", e.path) and all(isinstance(cell, (str, int, float)) for cell in present):
        return Guess("nested_dict", 0.88, "verl_ground_truth_string", "the value inside a ground-truth dict")
    if e.number_lists and all(isinstance(cell, (int, float, list)) for cell in present):
        return Guess("spec_numbers_target", 0.85, "number_int", "a target beside the numbers to reach it with: a specification, no gold")
    if "target" in e.path.split(".") and "ground_truth" in e.path:
        return Guess("verl_ground_truth_dict", 0.9, "list_of_strings", "a dict of ground truths")
    for test in (_scalar, _sequence, _mapping):
        guess = test(e, present)
        if guess:
            return guess
    return _string(e, [str(cell) for cell in present])


def _nested_truth(present: list[Any]) -> Guess:
    if all(isinstance(cell, dict) for cell in present):
        return Guess("verl_ground_truth_dict", 0.9, "nested_dict", "a dict of ground truths")
    read = [parsed(cell) for cell in present]
    if all(isinstance(value, (list, tuple)) for value in read):
        return Guess("verl_ground_truth_json_list", 0.93, "verl_ground_truth_string", "a list written as JSON")
    if all(isinstance(value, dict) and has_tests(value) for value in read):
        return Guess("json_string_tests", 0.93, "verl_ground_truth_string", "tests written as JSON")
    if all(isinstance(cell, (list, tuple)) for cell in present):
        return Guess("nested_list", 0.8, "verl_ground_truth_dict", "a list of ground truths")
    return Guess("verl_ground_truth_string", 0.95, None, "a ground truth inside a struct")


def _scalar(e: Evidence, present: list[Any]) -> Guess | None:
    """Booleans, integers and floats as the column's own type."""
    if all(isinstance(cell, bool) for cell in present):
        return Guess("bool", 0.97, "class_label_int", "every cell is true or false")
    if not all(isinstance(cell, (int, float)) for cell in present):
        return None
    whole = [int(cell) for cell in present if float(cell).is_integer()]
    if any(e.options) and len(whole) == len(present):
        base, share, sure = index_base(e)
        if share >= 0.9:
            return Guess("choice_index_int", (0.93 if len(present) >= FEW else 0.85) if sure else 0.72, "number_int", f"every cell points into the options, counted from {base}", base)
    if e.inline and re.search(r"(?:^|_)(?:idx|index|label|correct|option|choice)(?:_|$)", e.key) and len(whole) == len(present):
        base, share, sure = index_base(replace(e, options=e.inline, marks=[]))
        if share >= 0.9:
            return Guess("choice_index_int", 0.85 if sure else 0.72, "number_int", f"every cell points into the options written in the prompt, counted from {base}", base)
    small = {value for value in whole if -1 <= value < 200}
    labels = e.key in LABEL_NAMES or e.key.endswith("label")
    typed = all(isinstance(cell, int) for cell in present) or len(present) >= FEW
    if labels and typed and len(whole) == len(present) and len(small) <= max(3, len(present) // 2 + 1):
        return Guess("class_label_int", 0.75, "number_int", "small integers in a column named as a label; their names are not declared")
    if all(isinstance(cell, int) for cell in present):
        return Guess("number_int", 0.9 if not labels else 0.6, "class_label_int" if labels else None, "an integer column")
    return Guess("number_float", 0.93 if not labels else 0.72, "class_label_int" if labels else None, "a float column")


def _sequence(e: Evidence, present: list[Any]) -> Guess | None:
    lists = [cell for cell in present if isinstance(cell, (list, tuple))]
    if len(lists) < len(present):
        return None
    flat = [item for cell in lists for item in cell if item is not None]
    last = e.path.rsplit(".", 1)[-1]
    if flat and all(isinstance(item, (int, bool)) for item in flat):
        sizes = [len(options) for options in e.options if options]
        if any(e.options) and all(item in (0, 1) for item in flat) and (not sizes or [len(c) for c in lists][: len(sizes)] == sizes[: len(lists)]) and len(lists[0]) > 1:
            return Guess("choice_onehot_labels", 0.93, "list_of_strings", "zeros and ones beside the options")
        if any(e.options):
            return Guess("choice_index_list", 0.9, "nested_list", "indices into the options")
    if "[]" in e.path:
        return Guess("nested_list_of_dict", 0.9, "list_of_strings", "a list of dicts with the text in one member")
    if flat and all(isinstance(item, dict) for item in flat):
        if has_calls(flat):
            return Guess("json_string_tool_calls", 0.75, "nested_list_of_dict", "a list of tool calls")
        return Guess("nested_tests_dict" if has_tests(flat) else "nested_list_of_dict", 0.75, None, "a list of dicts")
    texts = [item for item in flat if isinstance(item, str)]
    if e.prompt_lists:
        return Guess("parallel_lists", 0.9, "list_of_strings", "as many answers as the row has questions")
    if re.search(r"(?:^|_)(?:fail_to_pass|pass_to_pass)$", e.key) or (texts and sum(map(is_test_id, texts)) >= 0.9 * len(texts)):
        return Guess("list_of_tests", 0.93, "unit_tests_list", "ids of tests")
    if texts and sum(map(is_test_code, texts)) >= 0.8 * len(texts):
        return Guess("unit_tests_list", 0.95, "list_of_tests", "a list of assertions")
    if re.search(r"(?:^|_)aliases$", e.key) and "." in e.path:
        return Guess("nested_dict_aliases", 0.93, "list_of_strings", "aliases inside a dict")
    if "." in e.path:
        if last in ("text", "texts") or e.path.endswith("answers.text"):
            return Guess("squad_answers_dict", 0.93, "nested_list", "a dict of answer texts and their places")
        return Guess("nested_list", 0.88, "list_of_strings", "a list inside a dict")
    if "instruction_id_list" in e.key or (texts and all(re.fullmatch(r"[a-z_]+:[a-z_0-9]+", text) for text in texts)):
        return Guess("constraint_spec", 0.95, None, "ids of constraints")
    return Guess("list_of_strings", 0.92, "nested_list", "a list of accepted answers")


def _mapping(e: Evidence, present: list[Any]) -> Guess | None:
    dicts = [cell for cell in present if isinstance(cell, dict)]
    if len(dicts) < len(present):
        return None
    if sum(map(has_tests, dicts)) >= 0.6 * len(dicts):
        return Guess("nested_tests_dict", 0.93, "nested_dict", "inputs and outputs to run code against")
    if "test" in e.key and all(any(isinstance(part, str) and is_test_code(part) for part in cell.values()) for cell in dicts):
        return Guess("nested_tests_dict", 0.8, "nested_dict", "a struct with code that tests")
    if all("aliases" in cell for cell in dicts):
        return Guess("nested_dict_aliases", 0.9, "nested_dict", "a dict with aliases")
    if all(isinstance(cell.get("text"), (list, tuple)) for cell in dicts):
        return Guess("squad_answers_dict", 0.93, "nested_dict", "a dict of answer texts")
    if has_calls(dicts):
        return Guess("json_string_tool_calls", 0.7, "nested_dict", "tool calls")
    if all(is_checker(cell) for cell in dicts):
        return Guess("constraint_spec", 0.75, "nested_dict", "a checker and its arguments")
    return Guess("nested_dict", 0.7, None, "a dict")


def _string(e: Evidence, texts: list[str]) -> Guess:
    for rule in (_marked, _structured, _chosen, _coded, _closed):
        guess = rule(e, texts)
        if guess:
            return guess
    return numeric_or_text(e, texts)


def _marked(e: Evidence, texts: list[str]) -> Guess | None:
    """Answers that a mark sets apart inside a longer text."""
    if share_of(texts, lambda text: "####" in text) >= 0.8:
        return Guess("hash4_suffix", 0.98, "free_text_long", "the answer follows ####")
    long = [text for text in texts if len(text) > 12]
    if long and len(long) >= 0.5 * len(texts) and share_of(texts, last_boxed) >= 0.6:
        return Guess("boxed_in_solution", 0.95 if share_of(texts, last_boxed) > 0.8 else 0.8, "free_text_long", "the answer stands in \\boxed{}")
    if e.siblings & {"answer_type", "type_of_answer"} and "answer" in e.key:
        return Guess("typed_string", 0.9, "free_text_short", "a sibling column names the type of the answer")
    if share_of(texts, UNIT.fullmatch) >= 0.5:
        return Guess("number_with_unit", 0.93, "free_text_short", "a number with its unit in parentheses")
    return None


def _structured(e: Evidence, texts: list[str]) -> Guess | None:
    read = [value for text in texts if (value := parsed(text)) is not None]
    if len(read) < 0.6 * len(texts) or not read:
        if share_of(texts, lambda text: text.startswith("<") and "base64" in text) > 0.5 and "test" in e.key:
            return Guess("json_string_tests", 0.6, "free_text_long", "packed tests")
        return None
    if sum(isinstance(value, dict) and "ground_truth" in value for value in read) >= 0.5 * len(read):
        return Guess("json_string_ground_truth", 0.95, "json_string_tests", "JSON with a ground_truth")
    if sum(map(has_tests, read)) >= 0.5 * len(read):
        return Guess("json_string_tests", 0.95, "nested_tests_dict", "JSON with inputs and outputs")
    if sum(map(has_calls, read)) >= 0.5 * len(read):
        return Guess("json_string_tool_calls", 0.95, None, "JSON tool calls")
    if sum(map(is_checker, read)) >= 0.5 * len(read):
        return Guess("constraint_json", 0.95, None, "JSON that names a checker")
    lists = [value for value in read if isinstance(value, (list, tuple))]
    if len(lists) >= 0.8 * len(read):
        flat = [str(item) for value in lists for item in value]
        if re.search(r"fail_to_pass|pass_to_pass", e.key) or (flat and sum(map(is_test_id, flat)) >= 0.9 * len(flat)):
            return Guess("list_of_tests", 0.9, "json_string_list", "ids of tests, written as JSON")
        if flat and sum(map(is_test_code, flat)) >= 0.8 * len(flat):
            return Guess("unit_tests_list", 0.85, "json_string_tests", "assertions, written as JSON")
        if e.key in LONG_NAMES and len(texts) < FEW:
            return Guess("free_text_long", 0.6, "json_string_list", "a column named as a response; the few rows hold lists")
        quoted = any(isinstance(item, str) for value in lists for item in value)
        if quoted or not all(parse_number(item) is not None for item in flat) or len(flat) > 2 * len(lists):
            return Guess("json_string_list", 0.85, "list_of_strings", "a list written as JSON")
    if sum(isinstance(value, dict) for value in read) >= 0.8 * len(read):
        return Guess("json_string_ground_truth", 0.5, "json_string_tests", "a JSON object")
    return None


def _chosen(e: Evidence, texts: list[str]) -> Guess | None:
    """Letters, digits or texts that name one of the options."""
    paired = [(str(cell).strip(), options, marks) for cell, options, marks in zip(e.cells, e.options, e.marks or [[]] * len(e.cells), strict=False) if options and not is_absent(cell)]
    if paired:
        total = len(paired)
        words = sum(len(text) > 1 and (text in options or text in [strip_option_mark(option) for option in options]) for text, options, _ in paired)
        single = sum(text in options or strip_option_mark(text) in options for text, options, _ in paired)
        letters = sum(bool(re.fullmatch(r"\(?[A-Za-z]\)?\.?", text)) or _several(text, options) for text, options, _ in paired)
        digits = sum(bool(re.fullmatch(r"\d{1,2}", text)) for text, _, _ in paired)
        lettered_marks = any(mark.isalpha() for _, _, marks in paired for mark in marks)
        if all(text in marks for text, _, marks in paired) and (all(len(text) > 1 for text, _, _ in paired) or 0 < letters < total):
            return Guess("choice_letter", 0.85, "choice_text", "every cell is the mark of an option")
        if letters >= 0.6 * total and letters >= words and (letters + digits >= 0.9 * total or lettered_marks):
            return Guess("choice_letter", 0.95, "choice_text", "every cell is the letter of an option")
        if words >= 0.7 * total or (single >= 0.9 * total and digits < 0.5 * total):
            return Guess("choice_text", 0.95 if words >= 0.9 * total else 0.8, "choice_letter", "every cell is the text of an option")
        if digits >= 0.9 * total:
            # A digit may be an index, or an option that is itself a number.
            if single >= 0.9 * total and total >= 3 and not _indices_fit(paired):
                return Guess("choice_text", 0.85, "choice_digit_string", "every cell is the text of an option")
            base, share, sure = index_base(e)
            if share >= 0.9:
                return Guess("choice_digit_string", 0.9 if sure else 0.72, "choice_text", f"every cell points into the options, counted from {base}", base)
        if single >= 0.7 * total:
            return Guess("choice_text", 0.8, "choice_digit_string", "the cells are texts of options")
    if e.inline and _letter_and_text(e):
        return Guess("choice_letter", 0.85, "choice_text", "every cell is the letter and the text of an option written in the prompt")
    letters_only = share_of(texts, lambda text: re.fullmatch(r"\(?[A-Ja-j]\)?\.?", text.strip()))
    inline = sum(bool((first := FIRST.search(prompt)) and SECOND.search(prompt, first.end())) for prompt in e.prompts)
    if letters_only >= 0.9 and e.prompts and inline >= 0.5 * len(e.prompts):
        bracketed = share_of(texts, lambda text: text.strip().startswith("("))
        return Guess("choice_letter", 0.9 if not bracketed else 0.6, "free_text_short", "every cell is the letter of an option written in the prompt")
    if letters_only >= 0.95 and len(texts) >= FEW:
        return Guess("choice_letter", 0.75, "class_label_string", "every cell is a single letter")
    if texts and all(re.fullmatch(r"\(?[A-E]\)?", text.strip()) for text in texts):
        return Guess("choice_letter", 0.6, "free_text_short", "every cell is a single letter, and no options are in sight")
    return None


def _several(text: str, options: list[str]) -> bool:
    """True for the letters of several right options: `AC`, `A, C`."""
    found = re.sub(r"[\s,;]", "", text)
    return 1 < len(found) <= len(options) and found.isascii() and found.isupper() and sorted(set(found)) == list(found) and ord(found[-1]) - 65 < len(options) and text not in options


def _letter_and_text(e: Evidence) -> bool:
    """True for cells such as `C: Vitamin C`: an option of the prompt, with its letter."""
    pairs = [(str(cell).strip().rstrip("."), options) for cell, options in zip(e.cells, e.inline, strict=False) if not is_absent(cell)]
    named = [(text, options, option_index(text, options)) for text, options in pairs]
    return bool(named) and all(index is not None and len(text) > len(options[index]) and text.endswith(options[index].rstrip(".")) for text, options, index in named)


def _indices_fit(paired: list[tuple[str, list[str], list[str]]]) -> bool:
    return all(option_index(text, None) is not None and int(text) <= len(options) for text, options, _ in paired if text.isdigit())


def _coded(e: Evidence, texts: list[str]) -> Guess | None:
    if share_of(texts, is_sql) >= 0.7:
        return Guess("sql", 0.97, "free_text_long", "every cell is a SQL statement")
    if share_of(texts, defines_tests) >= 0.8:
        return Guess("unit_tests_code", 0.9, "free_text_long", "code that defines tests")
    if share_of(texts, is_test_code) >= 0.6 and ("test" in e.key or "assert" in e.key or "check" in e.key):
        return Guess("unit_tests_code", 0.95, "free_text_long", "code with assertions")
    if {"test", "tests"}.intersection(e.key.split("_")) and share_of(texts, is_code) >= 0.8:
        return Guess("unit_tests_code", 0.85, "free_text_long", "code in a column named for tests")
    return None


def _closed(e: Evidence, texts: list[str]) -> Guess | None:
    """A closed set of answers: yes, no, maybe; labels."""
    lower = [text.strip().strip(".").lower() for text in texts]
    values = Counter(lower)
    spans = bool(e.siblings & {"supporting_facts", "evidences", "paragraphs", "answer_aliases"})
    if set(values) <= {"yes", "no", "maybe", "unknown"}:
        if len(texts) < FEW and spans:
            return Guess("free_text_short", 0.55, "yes_no_maybe", "yes or no, beside evidence for other answers")
        label = e.key in LABEL_NAMES or e.key.endswith("decision")
        return Guess("yes_no_maybe", 0.93 if len(texts) >= FEW else 0.85 if label else 0.65, "free_text_short", "every cell is yes, no or maybe")
    words = e.key.split("_")
    label = e.key in LABEL_NAMES or words[-1] in LABEL_NAMES or "label" in words
    numbers = all(parse_number(text) is not None for text in texts)
    if numbers and any(not re.fullmatch(r"-?\d{1,2}", text) or int(text) > 20 for text in lower):
        return None  # No class is called 40 or 0.75.
    if set(values) <= {"true", "false"}:
        if label or len(texts) >= FEW:
            return Guess("class_label_string", 0.7, "bool", "true or false as text")
        return None
    if e.listed and not numbers and not all(len(text) == 1 for text in values):
        return Guess("class_label_string", 0.85 if len(texts) >= FEW else 0.7, "free_text_short", "the row's instruction lists the answers to choose from")
    short = max(map(len, texts)) <= 40 and all(len(text.split()) <= 6 for text in texts)
    few_values = len(texts) < FEW or len(values) <= max(3, len(texts) // 2)
    if label and not e.listed and not numbers and len(values) > 1 and len(texts) < FEW and any(parse_number(text) is not None for text in texts):
        return Guess("free_text_short", 0.6, "class_label_string", "numbers among words: no classes, whatever the column is called")
    if label and short and few_values and (not numbers or len(values) <= 20):
        if numbers:
            return Guess("class_label_string", 0.6, "numeric_string", "a column named as a label")
        # A value that stands in its row's text may be taken from there.
        found = len(texts) < FEW and not e.listed and sum(map(len, e.prompts)) > 0 and all(re.search(rf"\b{re.escape(text.strip())}\b", prompt) for text, prompt in zip(texts, e.prompts, strict=False))
        return Guess("class_label_string", 0.6 if found else 0.93, "free_text_short", "few values in a column named as a label")
    if len(texts) >= 24 and short and not numbers and len(values) <= max(2, len(texts) // 8):
        return Guess("class_label_string", 0.85, "free_text_short", f"{len(values)} values over {len(texts)} rows")
    return None
