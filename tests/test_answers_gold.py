"""The gold is taken out of every kind of cell, and a cell without one gives None."""

from __future__ import annotations

import time
from typing import Any

import pytest

from lab.answers.extract import gold
from lab.answers.kinds import ANSWER_TYPES, KINDS, answer_type, type_of_golds
from lab.answers.latex import even_spacing, last_boxed, strip_delimiters
from lab.answers.recognise import Evidence, recognise

CASES: list[tuple[str, Any, dict[str, Any], Any]] = [
    ("hash4_suffix", "5+7=<<5+7=12>>12\n#### 12", {}, "12"),
    ("hash4_suffix", "no mark", {}, None),
    ("boxed_in_solution", "so $\\boxed{3}$, then $\\boxed{\\frac{a}{b}}$", {}, "\\frac{a}{b}"),
    ("boxed_in_solution", "no box", {}, None),
    ("choice_index_int", 1, {"choices": ["x", "y"]}, "B"),
    ("choice_index_int", 2, {"choices": ["x", "y"], "base": 1}, "B"),
    ("choice_index_int", -1, {"choices": ["x", "y"]}, None),
    ("choice_digit_string", "1", {"choices": ["a", "b", "c"], "base": 1}, "A"),
    ("choice_digit_string", "", {"choices": ["a", "b"]}, None),
    ("choice_letter", "c", {"choices": ["x", "y", "z"]}, "C"),
    ("choice_letter", "(B)", {}, "B"),
    ("choice_letter", "2", {"choices": ["x", "y", "z"], "labels": ["1", "2", "3"]}, "B"),
    ("choice_letter", "A, C", {"choices": ["x", "y", "z"]}, "AC"),
    ("choice_index_list", [2], {"choices": ["x", "y", "z"]}, "C"),
    ("choice_onehot_labels", [0, 0, 1], {}, "C"),
    ("choice_onehot_labels", [1, 0, 1], {}, ["A", "C"]),
    ("choice_text", " gravity ", {}, "gravity"),
    ("class_label_int", 1, {"names": ["neg", "pos"]}, "pos"),
    ("class_label_int", 1, {"names": ["a", "b"]}, "B"),
    ("class_label_int", -1, {"names": ["neg", "pos"]}, None),
    ("class_label_int", 5, {"names": ["neg", "pos"]}, None),
    ("bool", False, {}, "False"),
    ("yes_no_maybe", "Yes.", {}, "yes"),
    ("numeric_string", "1,234.50", {}, "1234.5"),
    ("number_float", 25.0, {}, "25"),
    ("number_int", 7, {}, "7"),
    ("number_with_unit", "9 (apples)", {}, "9"),
    ("latex_string", "$4 \\sqrt { 2 }$", {}, "4 \\sqrt{2}"),
    ("latex_string", "proof", {}, None),
    ("latex_string", "25\\%", {}, "25\\%"),
    ("json_string_ground_truth", '{"ground_truth": "11"}', {}, "11"),
    ("json_string_ground_truth", "{'ground_truth': '6'}", {}, "6"),
    ("json_string_list", '["a", "b"]', {}, ["a", "b"]),
    (
        "json_string_tests",
        '{"inputs": ["1"], "outputs": ["2"]}',
        {},
        '{"inputs":["1"],"outputs":["2"]}',
    ),
    ("json_string_tests", "{}", {}, None),
    (
        "json_string_tool_calls",
        '[{"name": "f", "arguments": {}}]',
        {},
        '[{"name":"f","arguments":{}}]',
    ),
    ("list_of_strings", ["a", "a", "b"], {}, ["a", "b"]),
    ("squad_answers_dict", {"text": ["north", "north"]}, {}, ["north"]),
    ("squad_answers_dict", [], {}, []),
    ("nested_dict_aliases", ["S", "W S"], {"parent": {"value": "W S"}}, ["W S", "S"]),
    ("nested_list_of_dict", ["A map", "map"], {}, ["A map", "map"]),
    ("parallel_lists", ["a pear", "no"], {}, ["a pear", "no"]),
    (
        "messages_last_assistant",
        [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}],
        {},
        "4",
    ),
    ("messages_last_assistant", [{"role": "user", "content": "2+2?"}], {}, None),
    (
        "messages_last_assistant",
        [{"role": "assistant", "content": [{"type": "text", "text": "4"}]}],
        {},
        "4",
    ),
    (
        "sharegpt_last_assistant",
        [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}],
        {},
        "Hello",
    ),
    ("verl_ground_truth_string", "42", {}, "42"),
    ("verl_ground_truth_json_list", '["\\\\frac{1}{2}"]', {}, ["\\frac{1}{2}"]),
    ("verl_ground_truth_dict", ["Neil Armstrong"], {}, ["Neil Armstrong"]),
    ("unit_tests_list", ["assert f(1)==2"], {}, ["assert f(1)==2"]),
    ("list_of_tests", '["tests/a.py::b"]', {}, ["tests/a.py::b"]),
    ("preference_pair", "better", {}, None),
    ("spec_numbers_target", 98, {}, None),
    ("sql", " SELECT 1 ", {}, "SELECT 1"),
    ("free_text_short", "  Lima ", {}, "Lima"),
    ("free_text_short", None, {}, None),
    ("free_text_short", float("nan"), {}, None),
]


@pytest.mark.parametrize(("kind", "cell", "context", "wanted"), CASES)
def test_the_gold_is_taken_out(kind: str, cell: Any, context: dict[str, Any], wanted: Any) -> None:
    assert gold(kind, cell, **context) == wanted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "cell",
    [
        None,
        "",
        [],
        {},
        0,
        -1,
        3.5,
        True,
        "x",
        ["x", None, 3],
        {"a": [1]},
        [[1], [2]],
        [{"role": None}],
        "[1",
        "{'a'",
        "####",
        "\\boxed{",
    ],
)
def test_no_cell_breaks_any_kind(kind: str, cell: Any) -> None:
    taken = gold(kind, cell)
    assert taken is None or isinstance(taken, str) or all(isinstance(item, str) for item in taken)


def test_every_kind_has_one_family() -> None:
    listed = [kind for kinds in ANSWER_TYPES.values() for kind in kinds]
    assert sorted(listed) == sorted(KINDS)
    assert answer_type("no such kind") == "unknown"
    assert answer_type(None) == "unknown"


def test_a_carrier_is_judged_by_what_it_carries() -> None:
    assert type_of_golds("verl_ground_truth_string", ["12", "1,000"]) == "number"
    assert type_of_golds("verl_ground_truth_string", ["\\frac{1}{2}", "3"]) == "math"
    assert type_of_golds("verl_ground_truth_string", ["yes", "no"]) == "boolean"
    assert type_of_golds("json_string_ground_truth", ["B", "C"]) == "choice"
    assert type_of_golds("hash4_suffix", ["a long walk home", "blue"]) == "text"
    assert type_of_golds("latex_string", ["3", "4"]) == "math"


def test_latex_is_unwrapped_and_spaced_evenly() -> None:
    assert last_boxed("\\boxed{a} and \\fbox{b\\}c}") == "b\\}c"
    assert last_boxed("\\boxed{never closed") is None
    assert last_boxed("so \\boxed 5.") == "5."
    assert strip_delimiters("$\\boxed{\\frac{1}{2}}$") == "\\frac{1}{2}"
    assert strip_delimiters("$a$ and $b$") == "$a$ and $b$"
    assert (
        even_spacing("\\left( 3, \\frac { \\pi } { 2 } \\right)")
        == "\\left( 3, \\frac{\\pi}{2} \\right)"
    )


@pytest.mark.parametrize(
    ("cells", "extra", "kind"),
    [
        (
            ["1", "2", "3", "2", "1", "3", "3", "1"],
            {"options": [["a", "b", "c"]] * 8},
            "choice_digit_string",
        ),
        (
            ["0", "2", "1", "2", "1", "0", "0", "1"],
            {"options": [["a", "b", "c"]] * 8},
            "choice_digit_string",
        ),
        (["12", "7", "1,000", "-3", "4.5", "8", "9", "10"], {}, "numeric_string"),
        (["12", "\\frac{1}{2}", "x^2", "7", "8", "9", "1", "2"], {}, "latex_string"),
        (["Paris", "Rome", "Lima", "Oslo", "Bern", "Kyiv", "Riga", "Baku"], {}, "free_text_short"),
        (["yes", "no", "no", "yes", "yes", "no", "maybe", "no"], {}, "yes_no_maybe"),
        (["pos", "neg"] * 20, {"key": "label"}, "class_label_string"),
        (["SELECT a FROM b", "select count(*) from c"], {}, "sql"),
    ],
)
def test_kinds_are_recognised_by_shape(cells: list[Any], extra: dict[str, Any], kind: str) -> None:
    assert recognise(Evidence(cells, kind="string", **extra)).kind == kind


def test_option_indices_are_counted_from_where_the_column_starts() -> None:
    assert (
        recognise(Evidence(["1", "2", "3", "2"], kind="string", options=[["a", "b", "c"]] * 4)).base
        == 1
    )
    assert (
        recognise(Evidence(["0", "2", "1", "2"], kind="string", options=[["a", "b", "c"]] * 4)).base
        == 0
    )
    few = recognise(Evidence([1], kind="int", options=[["a", "b", "c"]], marks=[[]]))
    assert few.confidence < 0.75, "one row cannot say where the indices start"


def test_equal_tool_calls_are_equal_golds_whatever_their_ids_and_their_wrapping() -> None:
    wrapped = [
        {"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
        for n in (1, 2)
    ]
    golds = {gold("json_string_tool_calls", [call]) for call in wrapped} | {
        gold("json_string_tool_calls", '[{"name": "f", "arguments": {"x": 1}}]')
    }
    assert golds == {'[{"name":"f","arguments":{"x":1}}]'}
    assert gold("json_string_tool_calls", "get_weather()") == "get_weather()"


def test_a_text_of_boxes_that_are_never_closed_is_read_in_time() -> None:
    start = time.process_time()
    assert last_boxed("\\boxed{7} " + "\\boxed{" * 20_000) == "7"
    assert time.process_time() - start < 5
