"""new_environment.py writes packages that load, and refuses what would go wrong later."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from benchmarks.dataset_teaching.faulty import reshuffled_options
from benchmarks.dataset_teaching.sound import forty_held_out
from lab.platform.package import check_folder, open_folder
from lab.scaffold import Scaffold, check_name, patterns
from lab.scaffold.profile import settled
from profiles import profile
from run_script import Ran, run_script
from scoring import Loaded

ROWS = [
    {"problem": f"What is {i} + 3?", "solution": f"{i} + 3 = {i + 3}\n#### {i + 3}", "id": i}
    for i in range(40)
]


def test_a_package_from_a_local_file_loads_and_carries_only_the_needed_columns(tmp_path):
    ran = run_script(
        "new_environment", "sum-three", "--profile", profile(tmp_path, ROWS), "--json", cwd=tmp_path
    )
    assert ran.code == 0, ran.err
    assert ran.finding("scaffold.tasks_load")["status"] == "pass"
    place = tmp_path / "environments" / "sum_three"
    rows = [
        json.loads(line)
        for line in (place / "sum_three" / "data" / "rows.jsonl").read_text().splitlines()
    ]
    assert rows == [{"problem": row["problem"], "solution": row["solution"]} for row in ROWS]
    assert ran.report["facts"]["tasks"] == 28, "of 40 questions twelve are held out"
    project = tomllib.loads((place / "pyproject.toml").read_text())["project"]
    assert project["name"] == "sum-three" and project["license"] == "Apache-2.0"
    assert "verifiers>=0.4.0,<0.5" in project["dependencies"]
    everything = "".join(p.read_text() for p in place.rglob("*") if p.is_file())
    assert "template" not in everything.lower()
    assert not any(p.is_symlink() for p in place.rglob("*")), "the hub leaves links out"
    assert "rows.jsonl" in (place / "README.md").read_text()
    assert (place / ".prime-lab" / "profile.json").is_file()
    assert "test_reward.py" in ran.report["next"]


@pytest.mark.soak
def test_options_inside_the_question_are_read_from_there(tmp_path):
    rows = [
        {"problem": f"Which is {i}?\nA. {i + 1}\nB. {i}\nC. {i + 2}", "solution": "B"}
        for i in range(20)
    ]
    facts = {
        "pattern": "multiple_choice",
        "answer_kind": "choice_letter",
        "choices_field": None,
        "choices_style": "inside_prompt",
        "golds": ["B"],
    }
    ran = run_script(
        "new_environment",
        "asked-inside",
        "--profile",
        profile(tmp_path, rows, **facts),
        "--json",
        cwd=tmp_path,
    )
    assert ran.code == 0, ran.out + ran.err
    assert ran.finding("scaffold.tasks_load")["status"] == "pass"


def test_an_existing_package_is_kept_without_force_and_its_licence_is_the_one_named(tmp_path):
    given = profile(tmp_path, ROWS)
    mine = tmp_path / "environments" / "sum_three"
    mine.mkdir(parents=True)
    (mine / "notes.txt").write_text("mine")
    ran = run_script("new_environment", "sum-three", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.finding("input.exists")
    assert (mine / "notes.txt").read_text() == "mine"
    assert [p.name for p in (tmp_path / "environments").iterdir()] == ["sum_three"], (
        "nothing half-written"
    )
    unsure = {"prompt_field": 0.99, "answer_field": 0.5, "answer_kind": 0.9}
    given = profile(tmp_path, ROWS, confidence=unsure)
    words = ("sum-three", "--profile", given, "--overwrite", "--license", "MIT")
    words += ("--answer-field", "solution")  # the answer to what would be a question
    assert run_script("new_environment", *words, cwd=tmp_path).code == 0
    assert not (mine / "notes.txt").exists()
    (licence,) = [one for one in check_folder(open_folder(mine)) if one.id == "package.license"]
    assert licence.status == "pass" and licence.measured == "MIT"


@pytest.mark.parametrize(
    "name", ["math", "datasets", "harbor", "Bad Name", "1st", "../up", "x", "verifiers", "class"]
)
def test_a_name_that_would_import_something_else_is_refused(tmp_path, name):
    ran = run_script("new_environment", name, "--pattern", "numeric", "--json", cwd=tmp_path)
    assert ran.code == 2
    assert ran.finding("input.name")["fix"]
    assert not (tmp_path / "environments").exists() or not any(
        (tmp_path / "environments").iterdir()
    )


def test_an_uncertain_field_is_a_question(tmp_path):
    unsure = {"prompt_field": 0.99, "answer_field": 0.5, "answer_kind": 0.9}
    given = profile(tmp_path, ROWS, confidence=unsure)
    ran = run_script("new_environment", "asked", "--profile", given, "--json", cwd=tmp_path)
    assert ran.code == 2
    assert "--answer-field solution" in ran.finding("input.open_question")["fix"]


def test_what_was_said_of_another_field_does_not_hold_for_the_one_that_is_named():
    facts = {"answer_field": "tests", "answer_kind": "list_of_tests", "answer_type": "tests"}
    named = {"prompt_field": "question", "answer_field": "solution"}
    assert settled(facts, named).status == "pass"
    assert facts["answer_field"] == "solution"
    assert not {"answer_kind", "answer_type"} & set(facts)


def made(tmp_path: Path, files: dict[str, list[dict]], *flags: str) -> tuple[Ran, Path]:
    """A package of a dataset, by the profile that the inspector writes of it."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name, rows in files.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    run_script("inspect_dataset", folder, "--out", "profile.json", "--quiet", cwd=tmp_path)
    ran = run_script(
        "new_environment", "made-env", "--profile", "profile.json", *flags, "--json", cwd=tmp_path
    )
    assert ran.code == 0, ran.out + ran.err
    return ran, tmp_path / "environments" / "made_env"


@pytest.mark.long
def test_what_cannot_teach_is_left_out_counted_and_can_be_taken_back(tmp_path):
    rows = [
        *({"question": f"How many are {n} and {n}?", "answer": str(2 * n)} for n in range(40)),
        {"question": "How many are 3 and 3?", "answer": "6"},
        {"question": "How many are 5 and 5?", "answer": "11"},
        {"question": "How many are 90 and 90?", "answer": "see above"},
        {"question": "How many are 91 and 91?", "answer": ""},
    ]
    ran, place = made(tmp_path, {"rows.jsonl": rows})
    chosen = ran.report["facts"]["selection"]
    left_out = {"repeated": 1, "contradictory": 2, "no usable question or gold": 2}
    assert chosen["left_out"] == left_out
    assert (chosen["kept"], chosen["held_out"]) == (39, 11)
    assert ran.report["facts"]["tasks"] == 28
    readme = (place / "README.md").read_text()
    assert "1 rows whose question (and options, in any order) came before" in readme
    kept = json.loads((place / "made_env" / "data" / "selection.json").read_text())
    assert kept["left_out"]["repeated"] == [40]
    assert kept["left_out"]["contradictory"] == [5, 41]
    config = {"selection": None, "eval_share": 0.0, "max_unusable": 0.1}
    assert len(Loaded(place, config).tasks) == 42, "all that have a readable gold"


@pytest.mark.soak
def test_rows_of_few_questions_are_reduced_to_their_questions(tmp_path):
    ran, place = made(tmp_path, reshuffled_options())
    chosen = ran.report["facts"]["selection"]
    rows = [json.loads(line) for line in (place / "made_env" / "data" / "rows.jsonl").open()]
    kept = json.loads((place / "made_env" / "data" / "selection.json").read_text())
    left = {place for places in kept["left_out"].values() for place in places}
    held = set(kept["held_out"])
    asked = [
        {row["question"] for place, row in enumerate(rows) if place not in left and part(place)}
        for part in (held.__contains__, lambda place: place not in held)
    ]
    assert chosen["held_out"] >= 1 and not asked[0] & asked[1], "a question is on one side only"
    assert ran.finding("scaffold.rows")["status"] == "warn"


@pytest.mark.soak
def test_whole_templates_are_held_out_where_there_are_enough(tmp_path):
    rows = [
        {"question": f"{form} {n} {thing}?", "answer": str(n * size)}
        for size, (form, thing) in enumerate(
            [
                ("How many wheels have", "tricycles parked at the gate"),
                ("What is the price in coins of", "loaves from the baker on the hill"),
                ("Count the legs under", "stools of the inn by the river"),
                ("How much weigh, in grams,", "beads out of the blue box"),
                ("How long, in steps, are", "planks laid in a row"),
                ("How many pages fill", "notebooks of the younger class"),
                ("How many seats are in", "rows of the new theatre"),
                ("Of how many eggs are", "cakes for the feast made"),
                ("What do they weigh in stone,", "sacks of barley together"),
                ("How many hours take", "walks round the northern lake"),
                ("How many strings need", "violins for the school band"),
                ("How many petals have", "daisies picked this morning"),
            ],
            start=3,
        )
        for n in range(10, 30)
    ]
    _, place = made(tmp_path, {"rows.jsonl": rows})
    kept = json.loads((place / "made_env" / "data" / "selection.json").read_text())
    assert kept["split_by"] == "template"
    held = {
        rows[at]["question"].split(" ", 1)[0] + rows[at]["question"][-6:] for at in kept["held_out"]
    }
    others = [row for at, row in enumerate(rows) if at not in set(kept["held_out"])]
    assert len(held) >= 3
    assert not held & {row["question"].split(" ", 1)[0] + row["question"][-6:] for row in others}


@pytest.mark.soak
def test_the_datasets_own_held_out_part_stays_held_out(tmp_path):
    ran, place = made(tmp_path, forty_held_out())
    kept = json.loads((place / "made_env" / "data" / "selection.json").read_text())
    assert kept["split_by"] == "dataset"
    assert kept["held_out"] == list(range(260, 300))
    assert ran.report["facts"]["tasks"] == 260


def test_a_wrong_column_does_not_pass_as_a_package(tmp_path):
    rows = [{"problem": f"Why {i}?", "solution": "because"} for i in range(20)]
    ran = run_script(
        "new_environment",
        "no-numbers",
        "--profile",
        profile(tmp_path, rows),
        "--json",
        cwd=tmp_path,
    )
    assert ran.code == 1
    assert "no readable gold in 'solution'" in ran.finding("scaffold.tasks_load")["evidence"]


@pytest.mark.parametrize(
    ("content", "id"),
    [
        (None, "input.missing_file"),
        ("{", "input.invalid_json"),
        ("[]", "input.profile"),
        ('{"tool": "x", "facts": {}}', "input.profile"),
    ],
)
def test_what_is_not_a_profile_is_named(tmp_path, content, id):
    path = tmp_path / "p.json"
    if content is not None:
        path.write_text(content)
    ran = run_script("new_environment", "some-env", "--profile", path, "--json", cwd=tmp_path)
    assert ran.code == 2
    assert "inspect_dataset.py" in ran.finding(id)["fix"]


def test_a_pattern_that_does_not_exist_lists_those_that_do(tmp_path):
    ran = run_script(
        "new_environment", "some-env", "--pattern", "telepathy", "--json", cwd=tmp_path
    )
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
    done = scaffold.set_defaults(
        {"question_field": 'a"b\\c', "eval_split": None, "unknown_field": 1}
    )
    assert done == {"question_field": 'a"b\\c', "eval_split": None}
    source = (scaffold.package / "rows.py").read_text()
    assert 'question_field: str = "a\\"b\\\\c"' in source
    compile(source, "rows", "exec")


def test_module_names():
    assert check_name("word-problems-2") == "word_problems_2"
