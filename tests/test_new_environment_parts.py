"""The training and the held-out part of a written package are tested as they are loaded."""

from __future__ import annotations

import json
import re

import pytest

from lab.environment import Task
from lab.reward.contract import Contract, Example
from lab.reward.contract_file import read
from lab.reward.examples import bound, piece_of
from lab.scaffold import Scaffold, patterns
from lab.scaffold.form_reward import form_reward
from profiles import profile
from run_script import run_script

ROWS = [
    {
        "problem": f"A train has {i} cars of {i + 7} seats. How many?",
        "solution": f"#### {i * i}",
        "meta": {"id": i},
    }
    for i in range(3, 83)
]


@pytest.mark.long
def test_both_parts_are_tested_with_the_contract_that_is_written(tmp_path):
    columns = dict.fromkeys(ROWS[0], "")
    made = run_script(
        "new_environment",
        "seats",
        *("--profile", profile(tmp_path, ROWS, columns=columns), "--format-reward", "0"),
        cwd=tmp_path,
    )
    assert "; more than 10%: below 30 questions a difference is noise" in made.out
    assert "  columns left out: meta\n" in made.out
    held = 24
    assert f"held out {held} of the 80 rows left" in made.out
    rows = (tmp_path / "environments/seats/seats/rows.py").read_text()
    assert f"eval_share: float = {held / 80}\n" in rows, "what is configured is what is done"
    found = {}
    for split in ("train", "eval"):
        flags = [] if split == "train" else ["--env-args", json.dumps({"split": split})]
        ran = run_script("test_reward", "environments/seats", *flags, "--json", cwd=tmp_path)
        assert ran.code == 0, ran.report["findings"]
        found[split] = ran
    assert found["train"].report["facts"]["ceiling"] == 1.0, "the right answer and nothing else"
    assert found["train"].report["facts"]["floor"] == 0.0
    assert found["train"].finding("reward.examples")["measured"] == "2 as expected"
    skipped = found["eval"].finding("reward.examples")
    assert skipped["status"] == "skip" and "another split" in skipped["evidence"]
    overlap = found["train"].finding("data.overlap")
    assert overlap["status"] == "pass" and f"of {held} held-out questions" in overlap["evidence"]


def test_an_example_is_of_the_task_that_has_its_piece_and_of_no_other():
    tasks = [Task(i, str(i), f"How many are\n{i} and {i}?", fields={"word": w}) for i, w in WORDS]

    def places(task: int, piece: str) -> tuple[list[int], int]:
        given = Contract(examples=(Example(task, "x", 1.0, "", piece),))
        here, others = bound(given, tasks)
        return [one.task for one in here.examples], len(others)

    assert piece_of(tasks[2]) == "How many are 4 and 4?"
    assert places(4, piece_of(tasks[2])) == ([4], 0)
    assert places(2, piece_of(tasks[2])) == ([4], 0), "moved by a filter or another order"
    assert places(2, "How many are 5 and 5?") == ([], 1)
    assert places(3, "How many are") == ([3], 0), "in several, so its own number decides"
    assert places(7, "How many are") == ([], 1)
    assert places(2, "pear") == ([3], 0), "where all prompts are alike, a field tells them apart"
    assert places(7, "") == ([7], 0)


@pytest.mark.parametrize("pattern", patterns())
def test_what_the_form_earns_is_said_alike_in_code_readme_and_contract(tmp_path, pattern):
    packages = {}
    for weight in (0.0, 0.0625):
        scaffold = Scaffold(pattern, f"words-{weight:g}".replace(".", "-"), tmp_path)
        name = form_reward(scaffold.package)
        if name is None:
            scaffold.set_form_reward(0.0)
            scaffold.discard()
            return
        scaffold.set_form_reward(weight)
        packages[weight] = scaffold.finish(False)
    for weight, place in packages.items():
        code = (place / place.name / "taskset.py").read_text()
        readme = (place / "README.md").read_text()
        contract = read(place / "contract.toml")
        assert (contract.wrong, contract.range) == (weight, (0.0, 1 + weight))
        told = [f"`{name}`" in code, f"`{name}`" in readme, f"def {name}(" in code]
        assert told == [bool(weight)] * 3, "its words go with it"
        assert (f"weight={weight})" in code) == bool(weight)
        worth = re.findall(r"worth\s(1[\d.]*),", code + readme)
        assert set(worth) <= {f"{1 + weight:g}"}
        assert not re.search(r"0\.125|0\.25|1\.125|1\.25", code + readme)
        assert weight or max(map(len, code.splitlines())) <= 100
        compile(code, "taskset.py", "exec")


@pytest.mark.parametrize(
    ("weight", "why"),
    [("0.1", "no exact float32 value"), ("0.5", "learns the form"), ("x", "not a number")],
)
def test_a_part_for_the_form_that_would_do_harm_is_refused_with_the_reason(tmp_path, weight, why):
    ran = run_script(
        "new_environment", "sums", "--pattern", "numeric", "--format-reward", weight, cwd=tmp_path
    )
    assert ran.code == 2 and why in " ".join(ran.out.split())


WORDS = [(2, "plum"), (3, "pear"), (4, "fig")]
