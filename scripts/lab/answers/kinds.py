"""The kinds of answer that datasets hold, and the types of answers that rewards treat alike.

A kind says where and how the gold stands in a row (after `####`, as an index into the options,
as a JSON string of tests ...); an answer type says how a reward compares it. The names of the kinds
are a shared vocabulary: profiles, environments and benchmarks use them as they stand here.
"""

from __future__ import annotations

from collections.abc import Iterable

KINDS: dict[str, str] = {
    "bool": "python bool",
    "boxed_in_solution": "last balanced \\boxed{} inside a worked solution",
    "choice_digit_string": "digit as string, zero- or one-based",
    "choice_index_int": "integer option index",
    "choice_index_list": "list with the option index",
    "choice_letter": "option letter (any case)",
    "choice_onehot_labels": "parallel 0/1 label list",
    "choice_text": "the option text itself",
    "class_label_int": "datasets.ClassLabel integer, map through names",
    "class_label_string": "label string",
    "constraint_json": "JSON string naming a checker function",
    "constraint_spec": "list of constraint ids + kwargs",
    "free_text_long": "long reference text, not exact-matchable",
    "free_text_short": "short free text",
    "hash4_suffix": "text after last '####'",
    "json_string_ground_truth": "JSON string with ground_truth key",
    "json_string_list": "JSON list string",
    "json_string_tests": "JSON string with inputs/outputs",
    "json_string_tool_calls": "JSON string of tool calls",
    "latex_string": "short math answer, may contain LaTeX",
    "list_of_strings": "list; any-of unless noted",
    "list_of_tests": "list of test ids",
    "messages_last_assistant": "last assistant message",
    "nested_dict": "value deep in a dict",
    "nested_dict_aliases": "dict holding aliases list",
    "nested_list": "list inside a dict",
    "nested_list_of_dict": "list of dicts",
    "nested_tests_dict": "dict with tests",
    "number_float": "float column",
    "number_int": "int column",
    "number_with_unit": "number followed by unit in parentheses",
    "numeric_string": "number as string",
    "parallel_lists": "list of questions parallel to list of answers",
    "preference_pair": "chosen/rejected, no gold",
    "sharegpt_last_assistant": "last assistant turn of a from/value list",
    "spec_numbers_target": "specification (nums,target), no gold string",
    "sql": "SQL query",
    "squad_answers_dict": "dict with text list (may be empty)",
    "typed_string": "string whose type is named by a sibling column (answer_type)",
    "unit_tests_code": "test code string",
    "unit_tests_list": "list of assert strings",
    "verl_ground_truth_dict": "reward_model.ground_truth is a dict",
    "verl_ground_truth_json_list": "reward_model.ground_truth is a JSON list string",
    "verl_ground_truth_string": "reward_model.ground_truth string",
    "yes_no_maybe": "yes/no/maybe string",
}

ANSWER_TYPES: dict[str, tuple[str, ...]] = {
    "number": ("hash4_suffix", "number_float", "number_int", "number_with_unit", "numeric_string"),
    "math": (
        "latex_string",
        "boxed_in_solution",
        "verl_ground_truth_string",
        "json_string_ground_truth",
    ),
    "choice": (
        "choice_digit_string",
        "choice_index_int",
        "choice_index_list",
        "choice_letter",
        "choice_onehot_labels",
        "choice_text",
    ),
    "boolean": ("bool", "yes_no_maybe"),
    "label": ("class_label_int", "class_label_string"),
    "text": (
        "free_text_long",
        "free_text_short",
        "messages_last_assistant",
        "sharegpt_last_assistant",
        "typed_string",
        "nested_dict",
    ),
    "list": (
        "json_string_list",
        "list_of_strings",
        "nested_dict_aliases",
        "nested_list",
        "nested_list_of_dict",
        "parallel_lists",
        "squad_answers_dict",
        "verl_ground_truth_dict",
        "verl_ground_truth_json_list",
    ),
    "json": ("json_string_tool_calls",),
    "code": ("sql",),
    "tests": (
        "json_string_tests",
        "list_of_tests",
        "nested_tests_dict",
        "unit_tests_code",
        "unit_tests_list",
    ),
    "preference": ("preference_pair",),
    "spec": ("constraint_json", "constraint_spec", "spec_numbers_target"),
}

_TYPE_OF = {kind: name for name, kinds in ANSWER_TYPES.items() for kind in kinds}

CARRIERS = frozenset(
    {
        "verl_ground_truth_string",
        "json_string_ground_truth",
        "messages_last_assistant",
        "sharegpt_last_assistant",
        "typed_string",
        "nested_dict",
        "hash4_suffix",
        "verl_ground_truth_json_list",
    }
)
"""Kinds that say where the gold stands but not what it is: its content decides the type."""


def answer_type(kind: str | None) -> str:
    """How a reward compares golds of this kind: number, math, choice, boolean, label, text, list,
    json, code, tests, preference, spec; "unknown" for no kind or one outside the vocabulary."""
    return _TYPE_OF.get(kind or "", "unknown")


def type_of_golds(kind: str | None, golds: Iterable[object]) -> str:
    """`answer_type`, decided by the golds themselves where the kind is only a carrier.

    A ground-truth string may hold a number, LaTeX, an option letter or prose: one type is
    stated only when every gold belongs to it.
    """
    if kind not in CARRIERS:
        return answer_type(kind)
    texts = [
        str(item)
        for gold in golds
        for item in (gold if isinstance(gold, (list, tuple)) else [gold])
        if gold is not None
    ]
    return (_of_content(texts) if texts else None) or _of_carrier(answer_type(kind), texts)


def _of_content(texts: list[str]) -> str | None:
    """The type that every text belongs to."""
    from lab.answers.numbers import parse_number

    if all(parse_number(text) is not None and "\\" not in text for text in texts):
        return "number"
    if all(text.strip().lower() in ("yes", "no", "maybe", "true", "false") for text in texts):
        return "boolean"
    if all(len(text.strip()) == 1 and text.strip().isalpha() for text in texts):
        return "choice"
    if max(map(len, texts)) <= 200 and any("\\" in text or "^" in text for text in texts):
        return "math"
    return None


def _of_carrier(stated: str, texts: list[str]) -> str:
    """The carrier's own type, for texts that can belong to it."""
    if not texts:
        return stated
    if stated == "math" and any(len(text) > 60 or len(text.split()) > 6 for text in texts):
        return "text"
    return "text" if stated == "number" else stated
