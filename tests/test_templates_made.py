"""new_environment.py makes each template from a matching profile, and the result pays its golds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lab.reward import contract_file
from run_script import run_script
from scoring import Loaded

CAPITALS = {
    "Atland": "Ostia",
    "Borland": "Norvik",
    "Cesland": "Arden",
    "Dorland": "Velm",
    "Esland": "Tarn",
    "Firland": "Quill",
}
PAIRS = [(a, b) for a in range(2, 8) for b in range(2, 6)]


def rows(pattern: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows of a dataset as somebody else has it, and the facts that a profile states about them."""
    if pattern == "numeric":
        return [
            {"problem": f"{a} times {b}?", "sol": f"It is {a * b}.\n#### {a * b}"} for a, b in PAIRS
        ], {"prompt_field": "problem", "answer_field": "sol", "answer_kind": "hash4_suffix"}
    if pattern == "math":
        return [
            {"problem": f"Simplify ({a}+{b})x.", "solution": f"So \\boxed{{{a + b}x}}."}
            for a, b in PAIRS
        ], {
            "prompt_field": "problem",
            "answer_field": "solution",
            "answer_kind": "boxed_in_solution",
        }
    if pattern == "multiple_choice":
        data = [
            {
                "q": f"{a} plus {b}?",
                "opts": {"text": [str(a + b + n) for n in range(4)], "label": list("ABCD")},
                "key": "A",
            }
            for a, b in PAIRS
        ]
        return data, {
            "prompt_field": "q",
            "answer_field": "key",
            "choices_field": "opts",
            "answer_kind": "choice_letter",
        }
    if pattern == "exact_match":
        data = [
            {
                "premise": f"{a} is {'less' if a < b else 'not less'} than {b}.",
                "hypothesis": f"{a} < {b}",
                "label": int(a >= b),
            }
            for a, b in PAIRS
        ]
        return data, {
            "prompt_field": "hypothesis",
            "context_fields": ["premise"],
            "answer_field": "label",
            "labels": ["entailment", "contradiction"],
            "answer_kind": "class_label_int",
        }
    if pattern == "structured_output":
        data = [
            {
                "query": f"Multiply {a} by {b}.",
                "answers": json.dumps([{"name": "multiply", "arguments": {"a": a, "b": b}}]),
            }
            for a, b in PAIRS
        ]
        return data, {
            "prompt_field": "query",
            "answer_field": "answers",
            "answer_kind": "json_string_tool_calls",
        }
    if pattern == "code":
        data = [
            {"text": f"Write f() that returns {a * b}.", "test_list": [f"assert f() == {a * b}"]}
            for a, b in PAIRS
        ]
        return data, {
            "prompt_field": "text",
            "answer_field": "test_list",
            "answer_kind": "unit_tests_list",
        }
    if pattern == "free_text_judge":
        return [
            {"q": f"Why is {a} less than {a + b}?", "ref": f"Because {b} is added."}
            for a, b in PAIRS
        ], {"prompt_field": "q", "answer_field": "ref", "answer_kind": "free_text_long"}
    if pattern == "tool_use":
        data = [
            {
                "question": f"What is the capital of {land}?",
                "context": f"{land} is a country. Its capital is {city}.",
                "answers": {"text": [city]},
            }
            for land, city in CAPITALS.items()
        ]
        return data, {
            "prompt_field": "question",
            "context_fields": ["context"],
            "answer_field": "answers",
            "answer_kind": "squad_answers_dict",
        }
    return [
        {"riddle": f"Which number is {a} times {b}?", "answer": str(a * b)} for a, b in PAIRS
    ], {"prompt_field": "riddle", "answer_field": "answer", "answer_kind": "numeric_string"}


def gold_reply(pattern: str, fields: dict[str, Any]) -> str:
    answer = fields["answer"][0] if isinstance(fields["answer"], list) else fields["answer"]
    if pattern == "code":
        wanted = json.loads(fields["tests"])[0]["code"].rsplit("== ", 1)[1]
        return f"```python\ndef f():\n    return {wanted}\n```"
    return {
        "numeric": f"#### {answer}",
        "math": f"\\boxed{{{answer}}}",
        "structured_output": f"```json\n{answer}\n```",
    }.get(pattern, f"<answer>{answer}</answer>")


PATTERNS = [
    "numeric",
    "math",
    "multiple_choice",
    "exact_match",
    "structured_output",
    "code",
    "free_text_judge",
    "tool_use",
    "multi_turn",
]
EARNED = {
    "numeric": [1.25, 0.0],
    "structured_output": [1.25, 0.0],
    "multi_turn": [1.5, 0.0],
    "free_text_judge": [1.0, 0.0],
    "code": [],
}
"""What the examples of the contract earn; the tests of `code` come without a program."""
FIRST = ("code",)
"""A gold that is tests; the others are long."""


@pytest.mark.long
@pytest.mark.parametrize(
    "pattern",
    [pytest.param(name, marks=[] if name in FIRST else [pytest.mark.soak]) for name in PATTERNS],
)
def test_a_template_is_made_from_a_profile_and_pays_its_golds(tmp_path: Path, pattern: str):
    data, facts = rows(pattern)
    file = tmp_path / "data.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in data))
    confidence = {"prompt_field": 0.99, "answer_field": 0.99, "answer_kind": 0.99}
    profile = {
        "dataset": str(file),
        "source": "local",
        "split": None,
        "pattern": pattern,
        "golds": ["x"],
        "questions": ["y"],
        "confidence": confidence,
        "needed_columns": list(data[0]),
        **facts,
    }
    (tmp_path / "profile.json").write_text(
        json.dumps({"tool": "inspect_dataset", "facts": profile})
    )
    name = f"made-{pattern.replace('_', '-')}"
    ran = run_script("new_environment", name, "--profile", "profile.json", "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out + ran.err
    folder = tmp_path / "environments" / name.replace("-", "_")
    assert not [path for path in folder.rglob("*") if path.is_symlink()]
    assert not [path for path in folder.rglob("*.py") if "template" in path.read_text().lower()]
    env = Loaded(folder, {"eval_share": 0.0})
    assert len(env.tasks) == len({json.dumps(row) for row in data}), "repeats are left out"
    contract = contract_file.read(folder / "contract.toml")
    assert [example.earns for example in contract.examples] == EARNED.get(pattern, [1.125, 0.0])
    if pattern == "free_text_judge":
        assert env.reward(0, " ") == 0.0  # more needs a judge: test_templates_judge.py
        return
    task_of = {task["index"]: at for at, task in enumerate(Loaded(folder).tasks)}
    for example in contract.examples:
        reward = Loaded(folder).reward(task_of[example.task], example.completion)
        assert reward == pytest.approx(example.earns), example
    best = 0.0
    for task in range(0, len(env.tasks), 5):
        best = max(best, paid := env.reward(task, gold_reply(pattern, env.tasks[task]["fields"])))
        assert paid >= 1.0 and paid > env.reward(task, "I do not know.") == 0.0
    assert best <= 1.5
