"""new_environment.py writes packages that load, and refuses what would go wrong later."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from lab.scaffold import Scaffold, check_name, patterns
from run_script import run_script
from scoring import Loaded


def profile(tmp_path: Path, rows: list[dict], **facts) -> Path:
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    known = {
        "dataset": str(data),
        "source": "local",
        "prompt_field": "problem",
        "answer_field": "solution",
        "answer_kind": "hash4_suffix",
        "pattern": "numeric",
        "golds": ["5"],
        "questions": ["2 + 3?"],
        "confidence": {"prompt_field": 0.99, "answer_field": 0.99, "answer_kind": 0.99},
        "split": None,
    } | facts
    path = tmp_path / "profile.json"
    path.write_text(json.dumps({"tool": "inspect_dataset", "facts": known}))
    return path


ROWS = [{"problem": f"What is {i} + 3?", "solution": f"{i} + 3 = {i + 3}\n#### {i + 3}", "id": i} for i in range(40)]


def test_a_package_from_a_local_file_loads_and_carries_only_the_needed_columns(tmp_path):
    ran = run_script("new_environment", "sum-three", "--profile", profile(tmp_path, ROWS), "--json", cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert ran.finding("scaffold.tasks_load")["status"] == "pass"
    place = tmp_path / "environments" / "sum_three"
    rows = [json.loads(line) for line in (place / "sum_three" / "data" / "rows.jsonl").read_text().splitlines()]
    assert rows == [{"problem": row["problem"], "solution": row["solution"]} for row in ROWS]
    assert 30 <= ran.report["facts"]["tasks"] < 40, "a tenth of the questions is held out"
    project = tomllib.loads((place / "pyproject.toml").read_text())["project"]
    assert project["name"] == "sum-three"
    assert "verifiers>=0.4.0,<0.5" in project["dependencies"]
    everything = "".join(p.read_text() for p in place.rglob("*") if p.is_file())
    assert "template" not in everything.lower()
    assert not any(p.is_symlink() for p in place.rglob("*")), "the hub leaves links out"
    assert "rows.jsonl" in (place / "README.md").read_text()
    assert (place / ".prime-lab" / "profile.json").is_file()
    assert "test_reward.py" in ran.report["next"]


@pytest.mark.long
def test_options_inside_the_question_are_read_from_there(tmp_path):
    rows = [{"problem": f"Which is {i}?\nA. {i + 1}\nB. {i}\nC. {i + 2}", "solution": "B"} for i in range(20)]
    facts = {"pattern": "multiple_choice", "answer_kind": "choice_letter", "choices_field": None, "choices_style": "inside_prompt", "golds": ["B"]}
    ran = run_script("new_environment", "asked-inside", "--profile", profile(tmp_path, rows, **facts), "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out + ran.err
    assert ran.finding("scaffold.tasks_load")["status"] == "pass"


def test_an_existing_package_is_kept_without_force(tmp_path):
    given = profile(tmp_path, ROWS)
    mine = tmp_path / "environments" / "sum_three"
    mine.mkdir(parents=True)
    (mine / "notes.txt").write_text("mine")
    ran = run_script("new_environment", "sum-three", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.finding("input.exists")
    assert (mine / "notes.txt").read_text() == "mine"
    assert [p.name for p in (tmp_path / "environments").iterdir()] == ["sum_three"], "nothing half-written"
    assert run_script("new_environment", "sum-three", "--profile", given, "--force", cwd=tmp_path).code == 0
    assert not (mine / "notes.txt").exists()


@pytest.mark.parametrize("name", ["math", "datasets", "Bad Name", "1st", "../up", "x", "verifiers", "class"])
def test_a_name_that_would_import_something_else_is_refused(tmp_path, name):
    ran = run_script("new_environment", name, "--pattern", "numeric", "--json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.finding("input.name")["fix"]
    assert not (tmp_path / "environments").exists() or not any((tmp_path / "environments").iterdir())


def test_an_uncertain_field_is_a_question_and_an_answer_settles_it(tmp_path):
    unsure = {"prompt_field": 0.99, "answer_field": 0.5, "answer_kind": 0.9}
    given = profile(tmp_path, ROWS, confidence=unsure)
    ran = run_script("new_environment", "asked", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 2
    assert "--answer-field solution" in ran.finding("input.open_question")["fix"]
    settled = run_script("new_environment", "asked", "--profile", given, "--answer-field", "solution", "--json", cwd=tmp_path)
    assert settled.code == 0, settled.out


def test_a_wrong_column_does_not_pass_as_a_package(tmp_path):
    rows = [{"problem": f"Why {i}?", "solution": "because"} for i in range(20)]
    ran = run_script("new_environment", "no-numbers", "--profile", profile(tmp_path, rows), "--json", cwd=tmp_path)
    assert ran.code == 1
    assert "no readable gold in 'solution'" in ran.finding("scaffold.tasks_load")["evidence"]


@pytest.mark.parametrize(
    ("content", "id"),
    [(None, "input.missing_file"), ("{", "input.invalid_json"), ("[]", "input.profile"), ('{"tool": "x", "facts": {}}', "input.profile")],
)
def test_what_is_not_a_profile_is_named(tmp_path, content, id):
    path = tmp_path / "p.json"
    if content is not None:
        path.write_text(content)
    ran = run_script("new_environment", "some-env", "--profile", path, "--json", cwd=tmp_path)
    assert ran.code == 2
    assert "inspect_dataset.py" in ran.finding(id)["fix"]


def test_a_pattern_that_does_not_exist_lists_those_that_do(tmp_path):
    ran = run_script("new_environment", "some-env", "--pattern", "telepathy", "--json", cwd=tmp_path)
    assert ran.code == 2
    assert "numeric" in ran.finding("input.pattern")["fix"]


@pytest.mark.parametrize("pattern", patterns())
def test_every_template_can_be_renamed_completely(tmp_path, pattern):
    place = Scaffold(pattern, "my-own-env", tmp_path / "environments").finish(replace=False)
    names = [p.name for p in place.rglob("*")]
    assert "my_own_env" in names
    assert not [name for name in names if "template" in name]
    for path in place.rglob("*.py"):
        assert "_template" not in path.read_text()
        compile(path.read_text(), path.name, "exec")


def test_defaults_are_written_as_python_literals(tmp_path):
    scaffold = Scaffold("numeric", "quoted", tmp_path)
    done = scaffold.set_defaults({"question_field": 'a"b\\c', "eval_split": None, "unknown_field": 1})
    assert done == {"question_field": 'a"b\\c', "eval_split": None}
    source = (scaffold.package / "rows.py").read_text()
    assert 'question_field: str = "a\\"b\\\\c"' in source
    compile(source, "rows", "exec")


def test_module_names():
    assert check_name("word-problems-2") == "word_problems_2"


@pytest.mark.long
def test_what_stands_beside_hidden_tests_travels_with_them(tmp_path):
    rows = [{"prompt": f"def f{i}(x: int) -> int:\n    \"\"\"Add {i} to x.\"\"\"\n", "canonical_solution": f"    return x + {i}\n", "test": f"def check(candidate):\n    assert candidate(1) == {1 + i}\n", "entry_point": f"f{i}", "note": "x"} for i in range(12)]
    columns = dict.fromkeys(rows[0], "string")
    given = profile(tmp_path, rows, prompt_field="prompt", answer_field="test", answer_kind="unit_tests_code", pattern="code", columns=columns)
    ran = run_script("new_environment", "programs", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out
    package = tmp_path / "environments" / "programs" / "programs"
    kept = json.loads((package / "data" / "rows.jsonl").read_text().splitlines()[0])
    assert set(kept) == {"prompt", "test", "canonical_solution", "entry_point"}
    assert 'reference_field: str | None = "canonical_solution"' in (package / "taskset.py").read_text()
    env = Loaded(package.parent, {"eval_share": 0.0})
    program = env.tasks[3]["fields"]["answer"]
    assert program.startswith("def f3") and program.endswith("    return x + 3\n")
    assert env.reward(3, f"```python\n{program}```") == 1.0
    assert env.reward(3, "```python\ndef f3(x):\n    return x\n```") == 0.0


@pytest.mark.long
def test_a_closed_set_of_text_labels_is_listed_in_the_prompt(tmp_path):
    moods = {"joy": "What a lovely day", "anger": "He broke my bike and laughed", "fear": "There is a noise in the cellar"}
    rows = [{"text": f"{text}, number {number}.", "mood": mood} for number in range(20) for mood, text in moods.items()]
    (tmp_path / "moods.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run_script("inspect_dataset", "moods.jsonl", "--answer-field", "mood", "--out", "profile.json", cwd=tmp_path)
    made = run_script("new_environment", "moods", "--profile", "profile.json", "--answer-field", "mood", "--json", cwd=tmp_path)
    assert made.code == 0, made.out
    assert 'labels: list[str] = ["anger", "fear", "joy"]' in (tmp_path / "environments" / "moods" / "moods" / "taskset.py").read_text()


@pytest.mark.long
def test_the_criteria_of_a_judged_dataset_travel_with_it(tmp_path):
    rows = [{"ask": f"Why {n}?", "reference": "Because.", "criteria": [f"Names {n}.", "Is short."], "note": "x"} for n in range(12)]
    given = profile(tmp_path, rows, prompt_field="ask", answer_field="reference", answer_kind="free_text_long", pattern="free_text_judge", columns=dict.fromkeys(rows[0], "string"))
    ran = run_script("new_environment", "judged", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out
    place = tmp_path / "environments" / "judged"
    env = Loaded(place, {"eval_share": 0.0})
    assert env.tasks[3]["fields"]["rubric"] == ["Names 3.", "Is short."]
    assert "field `criteria`" in (place / "README.md").read_text()


def test_a_field_that_the_user_names_is_no_context_and_keeps_nothing_of_the_other_one(tmp_path):
    rows = [{"problem": f"Is {n} odd?", "solution": "no idea", "verdict": ["maybe", "certainly"][n % 2]} for n in range(12)]
    found = {"context_fields": ["verdict"], "labels": ["no idea"], "golds": ["no idea"], "pattern": "exact_match"}
    ran = run_script("new_environment", "renamed", "--profile", profile(tmp_path, rows, **found), "--answer-field", "verdict", "--json", cwd=tmp_path)
    assert ran.code == 0, ran.out
    place = tmp_path / "environments" / "renamed"
    env = Loaded(place, {"eval_share": 0.0})
    assert env.tasks[0]["prompt"] == "Is 0 odd?" and env.tasks[0]["fields"]["answer"] == ["maybe"]
    assert "no idea" not in (place / "README.md").read_text()


def test_a_row_that_says_what_to_check_has_no_template(tmp_path):
    given = profile(tmp_path, ROWS, pattern=None, pattern_reason="the row specifies what to check")
    ran = run_script("new_environment", "checked", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 2 and "--pattern" in ran.finding("input.pattern")["fix"] and "specifies what to check" in ran.finding("input.pattern")["evidence"]
    assert not (tmp_path / "environments").exists()
