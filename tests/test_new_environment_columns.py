"""Which columns of a dataset a new package takes along, and what it makes of them."""

from __future__ import annotations

import json

import pytest

from marks import soak
from profiles import profile
from run_script import run_script
from scoring import Loaded


@pytest.mark.soak
def test_what_stands_beside_hidden_tests_travels_with_them(tmp_path):
    rows = [
        {
            "prompt": f'def f{i}(x: int) -> int:\n    """Add {i} to x."""\n',
            "canonical_solution": f"    return x + {i}\n",
            "test": f"def check(candidate):\n    assert candidate(1) == {1 + i}\n",
            "entry_point": f"f{i}",
            "note": "x",
        }
        for i in range(12)
    ]
    columns = dict.fromkeys(rows[0], "string")
    given = profile(
        tmp_path,
        rows,
        prompt_field="prompt",
        answer_field="test",
        answer_kind="unit_tests_code",
        pattern="code",
        columns=columns,
    )
    ran = run_script("new_environment", "programs", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out
    package = tmp_path / "environments" / "programs" / "programs"
    kept = json.loads((package / "data" / "rows.jsonl").read_text().splitlines()[0])
    assert set(kept) == {"prompt", "test", "canonical_solution", "entry_point"}
    assert (
        'reference_field: str | None = "canonical_solution"' in (package / "taskset.py").read_text()
    )
    env = Loaded(package.parent, {"eval_share": 0.0})
    program = env.tasks[3]["fields"]["answer"]
    assert program.startswith("def f3") and program.endswith("    return x + 3\n")
    assert env.reward(3, f"```python\n{program}```") == 1.0
    assert env.reward(3, "```python\ndef f3(x):\n    return x\n```") == 0.0


@pytest.mark.soak
def test_a_closed_set_of_text_labels_is_listed_in_the_prompt(tmp_path):
    moods = {
        "joy": "What a lovely day",
        "anger": "He broke my bike and laughed",
        "fear": "There is a noise in the cellar",
    }
    rows = [
        {"text": f"{text}, number {number}.", "mood": mood}
        for number in range(20)
        for mood, text in moods.items()
    ]
    (tmp_path / "moods.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run_script(
        "inspect_dataset",
        "moods.jsonl",
        "--answer-field",
        "mood",
        "--out",
        "profile.json",
        cwd=tmp_path,
    )
    made = run_script(
        "new_environment",
        "moods",
        "--profile",
        "profile.json",
        "--answer-field",
        "mood",
        "--json",
        cwd=tmp_path,
    )
    assert made.code == 0, made.out
    assert (
        'labels: list[str] = ["anger", "fear", "joy"]'
        in (tmp_path / "environments" / "moods" / "moods" / "taskset.py").read_text()
    )


@pytest.mark.soak
def test_the_criteria_of_a_judged_dataset_travel_with_it(tmp_path):
    rows = [
        {
            "ask": f"Why {n}?",
            "reference": "Because.",
            "criteria": [f"Names {n}.", "Is short."],
            "note": "x",
        }
        for n in range(12)
    ]
    given = profile(
        tmp_path,
        rows,
        prompt_field="ask",
        answer_field="reference",
        answer_kind="free_text_long",
        pattern="free_text_judge",
        columns=dict.fromkeys(rows[0], "string"),
    )
    ran = run_script("new_environment", "judged", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out
    place = tmp_path / "environments" / "judged"
    env = Loaded(place, {"eval_share": 0.0})
    assert env.tasks[3]["fields"]["rubric"] == ["Names 3.", "Is short."]
    assert "field `criteria`" in (place / "README.md").read_text()


@pytest.mark.soak
def test_a_field_that_the_user_names_is_no_context_and_keeps_nothing_of_the_other_one(tmp_path):
    rows = [
        {"problem": f"Is {n} odd?", "solution": "no idea", "verdict": ["maybe", "certainly"][n % 2]}
        for n in range(12)
    ]
    found = {
        "context_fields": ["verdict"],
        "labels": ["no idea"],
        "golds": ["no idea"],
        "pattern": "exact_match",
    }
    ran = run_script(
        "new_environment",
        "renamed",
        "--profile",
        profile(tmp_path, rows, **found),
        "--answer-field",
        "verdict",
        "--json",
        cwd=tmp_path,
    )
    assert ran.code == 0, ran.out
    place = tmp_path / "environments" / "renamed"
    env = Loaded(place, {"eval_share": 0.0})
    assert env.tasks[0]["prompt"] == "Is 0 odd?" and env.tasks[0]["fields"]["answer"] == ["maybe"]
    assert "no idea" not in (place / "README.md").read_text()


@pytest.mark.parametrize(
    ("columns", "asked"),
    [
        soak(("review", "sentiment"), "Give the sentiment of the review."),
        (("messageText", "is_spam"), "Say whether the message text is spam."),
        soak(("question", "label"), "Answer the question."),
        soak(("review", "answer"), "Answer the question."),
    ],
)
def test_rows_that_ask_nothing_are_given_their_task(tmp_path, columns, asked):
    text, label = columns
    rows = [{text: f"It came {n} days late.", label: ["good", "bad"][n % 2]} for n in range(20)]
    found: dict = {"prompt_field": text, "answer_field": label, "pattern": "exact_match"}
    found |= {"questions": [row[text] for row in rows], "labels": ["good", "bad"]}
    given = profile(tmp_path, rows, **found)
    name = f"late_{label}_of_{text}".lower()
    ran = run_script("new_environment", name, "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out
    place = tmp_path / "environments" / name
    system = Loaded(place, {"eval_share": 0.0}).tasks[0]["system"]
    assert system.startswith(asked) and "good, bad" in system
    own = asked != "Answer the question."
    assert own == (asked in (place / "README.md").read_text())


def test_a_row_that_says_what_to_check_has_no_template(tmp_path):
    given = profile(
        tmp_path,
        [{"problem": "2 + 3?", "solution": "5"}],
        pattern=None,
        pattern_reason="the row specifies what to check",
    )
    ran = run_script("new_environment", "checked", "--profile", given, "--json", cwd=tmp_path)
    assert (
        ran.code == 2
        and "--pattern" in ran.finding("input.pattern")["fix"]
        and "specifies what to check" in ran.finding("input.pattern")["evidence"]
    )
    assert not (tmp_path / "environments").exists()
