"""Right answers in other dress: what must be paid, what is a choice, and what declares it."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
import yaml

from lab.reward.contract import Contract
from reward_briefs import World
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.prelude import last_label, last_tag, number, words
from benchmarks.reward_defects.rows import ROWS

TAG, LABEL = "<answer>{answer}</answer>", "Answer: {answer}"
EXACTLY = "Write the number exactly as listed, in <answer></answer>."


def tolerant(text: str, row: dict[str, Any]) -> float:
    found = number(last_tag(text))
    return float(found is not None and found == number(row["answer"]))


def literal(text: str, row: dict[str, Any]) -> float:
    return float(last_tag(text) == row["answer"])


def statuses(reward, kind="large", says=TAG, **rest: Any) -> dict[str, str]:
    found = World(ROWS[kind], says, reward, **rest).about_forms
    return {id.removeprefix("reward."): one.status for id, one in found.items()}


def test_a_tolerant_reward_passes_and_an_exact_one_refuses_plain_variants():
    assert statuses(tolerant)["forms_core"] == "pass"
    exact = World(ROWS["large"], TAG, literal).about_forms["reward.forms_core"]
    assert (exact.status, exact.direction) == ("fail", "false_negative")
    assert "refuses in contract.toml" in exact.fix


@pytest.mark.parametrize(
    ("declared", "status"),
    [({"contract": Contract(refuses=("all",))}, "skip"), ({"system": EXACTLY}, "skip")],
    ids=["the contract", "the prompt"],
)
def test_a_strict_format_that_is_declared_or_announced_is_no_finding(declared, status):
    assert statuses(literal, **declared)["forms_core"] == status
    assert "fail" not in statuses(literal, **declared).values()


def test_a_form_that_is_declared_to_be_accepted_must_be_paid():
    capital = World(
        ROWS["facts"],
        TAG,
        lambda text, row: float((last_tag(text) or "") in (row["answer"], row["answer"].lower())),
        contract=Contract(accepts=("upper case",)),
    ).about_forms["reward.forms_core"]
    assert capital.status == "fail" and "upper case" in capital.evidence


def test_a_language_that_is_refused_is_reported_as_the_authors_choice():
    def english(text: str, row: dict[str, Any]) -> float:
        return 0.0 if " ich " in text else tolerant(text, row)

    found = World(ROWS["large"], TAG, english).about_forms["reward.forms_policy"]
    assert found.status == "pass"
    assert "reasoning in another language" in found.evidence.split("refused:")[1]


def test_text_around_the_answer_that_is_refused_is_a_finding():
    def short(text: str, row: dict[str, Any]) -> float:
        return tolerant(text[:120], row)

    found = World(ROWS["large"], TAG, short).about_forms["reward.wrapper"]
    assert found.status == "fail" and "longer reasoning" in found.evidence
    assert statuses(tolerant)["wrapper"] == "pass"
    limited = statuses(short, system="A reply of more than 25 words earns nothing.")
    assert limited["wrapper"] == "pass"


def test_a_labelled_line_in_bold_is_a_usual_form():
    def plain(text: str, row: dict[str, Any]) -> float:
        lines = [line for line in text.splitlines() if line.startswith("Answer: ")]
        return float(bool(lines) and words(lines[-1][8:]) == words(row["answer"]))

    def bold(text: str, row: dict[str, Any]) -> float:
        return float(words(last_label(text.replace("*", ""))) == words(row["answer"]))

    assert statuses(plain, "facts", LABEL)["forms_usual"] == "warn"
    assert statuses(bold, "facts", LABEL)["forms_usual"] in ("pass", "skip")


def test_a_typographic_minus_is_the_same_number():
    rows = [{"question": f"It is {n} degrees.", "answer": str(n)} for n in (-12, -7, -30)]

    def ascii_only(text: str, row: dict[str, Any]) -> float:
        return float((last_tag(text) or "").isascii() and tolerant(text, row))

    found = World(rows, TAG, ascii_only).about_forms["reward.forms_core"]
    assert found.status == "fail" and "minus" in found.evidence
    assert World(rows, TAG, tolerant).about_forms["reward.forms_core"].status == "pass"


@pytest.mark.parametrize(("others", "status"), [((8,), "warn"), ((-8,), "fail")])
def test_a_form_that_a_single_gold_of_many_shows_is_no_habit(others, status):
    numbers = (-12, 31, 47, 58, 69, 73, 88, *others)
    rows = [{"question": f"It is {n} degrees.", "answer": str(n)} for n in numbers]

    def ascii_only(text: str, row: dict[str, Any]) -> float:
        return float((last_tag(text) or "").isascii() and tolerant(text, row))

    found = World(rows, TAG, ascii_only).about_forms["reward.forms_core"]
    assert found.status == status and "minus" in found.evidence


def test_a_comma_groups_no_thousands_where_prompts_write_decimals_with_it():
    french = [{**row, "question": f"{row['question']} (environ 12,5 km)"} for row in ROWS["large"]]
    with_comma = World(french, TAG, literal).about_forms["reward.forms_core"]
    assert "thousands separator" not in (with_comma.evidence or "")
    plain = World(ROWS["large"], TAG, literal).about_forms["reward.forms_core"]
    assert "thousands separator" in plain.evidence


@pytest.mark.parametrize("shown", ["7,35", "7.35"])
def test_a_decimal_comma_is_right_where_the_prompt_answers_with_one(shown):
    rows = [{"question": f"Fee {n}?", "answer": f"{n}.{n}5"} for n in range(2, 9)]
    system = f"Last line, such as: Total: {shown}"

    def last_line(text: str, row: dict[str, Any]) -> float:
        return float(text.splitlines()[-1] == f"Total: {row['answer']}")

    world = World(rows, "Total: {answer}", last_line, system=system)
    found = world.about_forms["reward.forms_core"]
    assert ("decimal comma" in (found.evidence or "")) is ("," in shown), found


@pytest.mark.parametrize("empty", [True, False])
def test_a_list_beside_the_answer_may_hold_something(empty):
    """`"evidence": []` is what we write; whoever answers names the evidence."""

    def score(text: str, row: dict[str, Any]) -> float:
        said = json.loads(text)
        right = said["label"] == row["answer"]
        return float(right and not (empty and said["evidence"]))

    says = '{"evidence": [], "label": {answer}}'
    found = World(ROWS["facts"], says, score).about_forms["reward.wrapper"]
    assert ("lists filled" in found.evidence) == empty, found.evidence
    assert (found.status == "pass") != empty


@pytest.mark.parametrize(
    ("loader", "said", "status"),
    [
        (yaml.SafeLoader, "", "fail"),
        (yaml.SafeLoader, "Texts have to be quoted.", "pass"),
        (yaml.BaseLoader, "", "pass"),
    ],
)
def test_what_the_prompt_asks_for_in_yaml_is_written_without_quotes(loader, said, status):
    """YAML 1.1 takes `17:30` for a number of base 60: the same record in JSON is read well."""
    rows = [
        {"question": f"Room {n} at {11 + n}:30.", "answer": {"room": f"R{n}", "at": f"{11 + n}:30"}}
        for n in range(7)
    ]

    def read(text: str, row: dict[str, Any]) -> float:
        try:
            return float(yaml.load(text.strip().removesuffix("."), Loader=loader) == row["answer"])
        except yaml.YAMLError:
            return 0.0

    world = World(rows, "{answer}", read, system=f"Reply in YAML: room and at. {said}")
    found = world.about_forms["reward.forms_core"]
    assert ("YAML in lines" in (found.evidence or "")) is (status == "fail"), found


def test_years_have_no_thousands_separator():
    years = [{"question": f"When was war {n}?", "answer": str(1700 + 31 * n)} for n in range(6)]
    found = World(years, TAG, literal).about_forms["reward.forms_core"]
    assert "thousands separator" not in (found.evidence or "")


def test_letters_as_they_are_typed_are_paid_where_the_gold_is_decomposed():
    words_ = ("dha\u0304rma", "kr\u0323s\u0323n\u0323a", "s\u0301iva", "a\u0304tman")
    rows = [{"question": f"Word {n}?", "answer": word} for n, word in enumerate(words_)]
    assert World(rows, TAG, literal).about_forms["reward.forms_core"].status == "fail"
