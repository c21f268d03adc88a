"""Fields are found by shape and content; where that is not enough the answer is a question."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from benchmarks.dataset_schemas import MEASURES, is_frozen, measure
from benchmarks.schema_sets import OWN, PUBLIC, load, shared
from lab.cli.report import LabError
from lab.data.schema import SURE, detect
from lab.data.schema.explain import explained
from lab.data.schema.paths import columns, get, parent


def checked(path: Path) -> None:
    score = measure(load(path))
    shares = {name: score.right[name] / score.total for name in MEASURES}
    assert all(share >= 0.97 for share in shares.values()), (shares, score.misses)
    assert not score.sure_and_wrong, score.sure_and_wrong


def test_the_projects_own_schemas_are_read_right() -> None:
    checked(OWN)


def test_public_datasets_by_their_real_columns_are_read_right() -> None:
    checked(PUBLIC)


def test_the_public_schemas_are_read_right() -> None:
    path = shared()
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside the repository (LAB_SHARED_DATA)")
    checked(path)


def test_the_fifth_that_nothing_is_fitted_on_is_read_as_well() -> None:
    frozen = [entry for path in (OWN, PUBLIC) for entry in load(path) if is_frozen(entry)]
    score = measure(frozen)
    assert len(frozen) > 200
    assert min(score.right[name] for name in MEASURES) >= 0.98 * len(frozen), score.misses
    assert not score.sure_and_wrong, score.sure_and_wrong


def test_names_of_datasets_play_no_part() -> None:
    """No rule knows a dataset by its name: none of the public ids occurs in the code, but in the
    table of benchmarks whose test parts are warned about."""
    path = shared()
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside the repository (LAB_SHARED_DATA)")
    scripts = Path(__file__).parents[1] / "scripts" / "lab"
    code = "\n".join(
        file.read_text(encoding="utf-8")
        for part in ("data", "answers")
        for file in (scripts / part).rglob("*.py")
        if file.name != "benchmarks.py"
    )
    ids = [name for entry in load(path) for name in [entry["id"], *entry["aliases"]] if "/" in name]
    assert [name for name in ids if name in code] == []


def test_column_order_and_row_order_do_not_matter() -> None:
    rows = [
        {"id": i, "question": f"What is {i} plus {i}?", "answer": str(2 * i), "source": "a"}
        for i in range(30)
    ]
    mixed = [
        dict(random.Random(i).sample(list(row.items()), len(row))) for i, row in enumerate(rows)
    ]
    random.Random(0).shuffle(mixed)
    for sample in (rows, mixed):
        schema = detect(sample)
        assert (schema.prompt.path, schema.answer.path, schema.kind.kind) == (
            "question",
            "answer",
            "numeric_string",
        )
        assert (
            min(schema.prompt.confidence, schema.answer.confidence, schema.kind.confidence) >= SURE
        )


def test_columns_without_telling_names_are_asked_about() -> None:
    rows = [
        {"foo": f"A longer text number {i} about apples and pears.", "bar": f"word{i}"}
        for i in range(20)
    ]
    schema = detect(rows)
    assert schema.answer.confidence < SURE
    assert schema.prompt.confidence < SURE


def test_a_field_is_explained_by_the_hints_that_applied() -> None:
    rows = [
        {"question": f"How far is {i}?", "answer": str(i), "wrong_answer": str(i + 1)}
        for i in range(20)
    ]
    right = explained(rows, {}, {}, "answer")
    assert right[:2] == ["as the answer: 1.00, place 1 of 1", "  +1.00 its name"]
    wrong = explained(rows, {}, {}, "wrong_answer")
    assert wrong[0] == "as the answer: 0.00, no candidate"
    assert "rules it out named as what is wrong" in wrong[2]
    with pytest.raises(LabError, match="no row has a field 'gold'"):
        explained(rows, {}, {}, "gold")


def test_two_equal_candidates_lower_the_confidence() -> None:
    rows = [{"question": f"Q {i}?", "answer": f"x{i}", "final_answer": f"y{i}"} for i in range(20)]
    alone = detect([{"question": row["question"], "answer": row["answer"]} for row in rows])
    assert detect(rows).answer.confidence < alone.answer.confidence
    assert "answer" in [detect(rows).answer.path, *detect(rows).answer.runners_up]


def beside(rows: list[dict], extra: dict) -> list[dict]:
    """The rows with further columns of new names, each with a value per row."""
    taken = {key.lower() for row in rows for key in row}
    return [
        {**row, **{key: value(index) for key, value in extra.items() if key.lower() not in taken}}
        for index, row in enumerate(rows)
    ]


def every_third() -> list[dict]:
    return [entry for path in (OWN, PUBLIC) for entry in load(path)][::3]


BOOKKEEPING = {
    "__index_level_0__": int,
    "row_hash": lambda i: f"{i * 7919 + 0xABCDEF123456789:032x}",
    "n_tokens": lambda i: 100 + i,
    "model_name": lambda i: "gpt-4o",
    "created": lambda i: f"2024-01-0{i % 9 + 1}",
}
NOTES = {
    "explanation": lambda i: "Because of what was said above, this is what holds in the end.",
    "reasoning": lambda i: "First we look at the parts. Then we put them together.",
    "language": lambda i: "en",
    "source": lambda i: "web",
}


@pytest.mark.parametrize("extra", [BOOKKEEPING, NOTES], ids=["bookkeeping", "notes"])
def test_columns_beside_the_task_make_nothing_surely_wrong(extra: dict) -> None:
    """Fields are found as well beside what pandas, exporters and annotators leave in a table."""
    entries = every_third()
    score = measure([{**entry, "examples": beside(entry["examples"], extra)} for entry in entries])
    assert not score.sure_and_wrong, score.sure_and_wrong
    assert min(score.right[name] for name in MEASURES) >= 0.97 * score.total, score.misses


def test_the_order_of_columns_does_not_turn_an_answer_into_another() -> None:
    mixed = [
        {
            **entry,
            "examples": [
                dict(random.Random(7).sample(list(row.items()), len(row)))
                for row in entry["examples"]
            ],
        }
        for entry in every_third()
    ]
    score = measure(mixed)
    # Of a text in two languages either is the source: their order is all there is to tell.
    assert {name.split(":")[0] for name in score.sure_and_wrong} <= {
        "flores parallel",
        "translation csv",
    }, score.sure_and_wrong
    assert min(score.right[name] for name in MEASURES) >= 0.97 * score.total, score.misses


def test_a_repeated_category_column_is_offered_as_label_but_not_stated() -> None:
    rows = [
        {
            "ticket_text": f"My invoice {i} is wrong, please correct it soon.",
            "priority": ["high", "low"][i % 2],
        }
        for i in range(40)
    ]
    schema = detect(rows)
    assert schema.answer.path == "priority"
    assert schema.answer.confidence < SURE


def test_the_users_word_is_taken() -> None:
    rows = [{"foo": f"text {i}", "bar": str(i)} for i in range(10)]
    schema = detect(rows, prompt_field="foo", answer_field="bar")
    assert (schema.prompt.path, schema.answer.path, schema.kind.kind) == (
        "foo",
        "bar",
        "numeric_string",
    )
    assert schema.prompt.confidence == schema.answer.confidence == 1.0


def test_a_sorted_prefix_of_labels_is_still_a_label() -> None:
    rows = [
        {"text": f"I liked film number {i} a lot, it was great fun.", "label": 0} for i in range(50)
    ]
    schema = detect(
        rows, {"text": "string", "label": "ClassLabel(neg,pos)"}, {"label": ["neg", "pos"]}
    )
    assert (schema.kind.kind, schema.gold(rows[0])) == ("class_label_int", "neg")


def test_solve_rates_are_named_and_never_the_answer() -> None:
    rows = [
        {
            "problem": f"Find {i}+1.",
            "llama_solve_rate": i / 20,
            "difficulty": f"{i % 8}/8",
            "answer": str(i + 1),
        }
        for i in range(20)
    ]
    schema = detect(rows)
    assert schema.answer.path == "answer"
    assert set(schema.rates) == {"llama_solve_rate", "difficulty"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Aufgabe", "Ergebnis"),
        ("câu_hỏi", "đáp_án"),
        ("प्रश्न", "उत्तर"),
        ("প্রশ্ন", "উত্তর"),
        ("คำถาม", "คำตอบ"),
        ("e\u0301nonce\u0301", "réponse"),
        ("vraag", "antwoord"),
    ],
)
def test_names_in_other_languages_are_read(asked: str, said: str) -> None:
    schema = detect([{"nr": i, asked: f"{i} + {i} = ?", said: str(2 * i)} for i in range(12)])
    assert (schema.prompt.path, schema.answer.path) == (asked, said)
    assert min(schema.prompt.confidence, schema.answer.confidence) >= SURE


def test_the_other_text_of_a_pair_is_context() -> None:
    rows = [
        {
            "question_1": f"How do I boil {i} eggs?",
            "question_2": f"What is the way to cook {i} eggs?",
            "label": i % 2,
        }
        for i in range(20)
    ]
    schema = detect(rows)
    assert {schema.prompt.path, *schema.context} == {"question_1", "question_2"}


def test_paths_descend_iterate_and_join() -> None:
    row = {
        "a": {"b": 1},
        "l": [{"t": "x"}, {"t": "y"}],
        "e0": "p",
        "e1": "q",
        "dotted.name": 5,
        "p.q": {"r": 6},
    }
    assert get(row, "a.b") == 1
    assert get(row, "l[].t") == ["x", "y"]
    assert get(row, "e0..e1") == ["p", "q"]
    assert get(row, "e0,e1") == ["p", "q"]
    assert get(row, "dotted.name") == 5
    assert get(row, "p.q.r") == 6
    assert get(row, "a.zz") is None
    assert parent(row, "a.b") == {"b": 1}
    assert columns("op0..op3") == ["op0", "op1", "op2", "op3"]


@pytest.mark.parametrize(
    "unit", ["The cat sat on a mat (A) and then it went. A. Lund saw it. ", "\n"]
)
def test_long_texts_full_of_marks_are_read_in_time(unit: str) -> None:
    text = (unit * 100_000)[:100_000]
    rows = [{"question": f"{number} {text}", "answer": "A"} for number in range(8)]
    start = time.process_time()
    assert detect(rows).prompt.path == "question"
    assert time.process_time() - start < 8
