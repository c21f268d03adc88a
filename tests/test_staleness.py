"""Which steps an edit of an environment makes stale: those whose result it can change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lab.cli.report import Report
from lab.ledger.records import NEEDS, Ledger

pytestmark = pytest.mark.usefixtures("fresh_state")

STEPS = (*NEEDS, "review_reward")
EVERYTHING = set(STEPS)
PUBLISHED = {"push_environment"}
FILES = {
    "pyproject.toml": """
[project]
name = "sums"
version = "0.1.0"
description = "Sums."
readme = "README.md"
dependencies = ["verifiers>=0.4.0,<0.5", "pyyaml>=6", "rich>=13", "beautifulsoup4>=4"]

[tool.hatch.build.targets.wheel]
packages = ["sums"]

[tool.ruff]
line-length = 100
""",
    "README.md": "# Sums\n",
    "LICENSE": "Apache-2.0\n",
    "uv.lock": "version = 1\n",
    "rules.txt": "a rule of the game\n",
    "contract.toml": 'answer = "number"\n',
    "sums/__init__.py": "from sums.taskset import Sums\n",
    "sums/taskset.py": (
        "import json\nimport yaml\nimport verifiers.v1 as vf\nclass Sums(vf.Taskset):\n    pass\n"
    ),
    "sums/rows.jsonl": '{"question": "1 + 1", "answer": "2"}\n',
    "sums/prompt.md": "Add the numbers.\n",
    "tests/test_sums.py": "def test_sums(): ...\n",
    "docs/notes.md": "why\n",
}


def change(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(place: Path) -> None:
        text = (place / name).read_text()
        assert text.count(old) == 1
        (place / name).write_text(text.replace(old, new))

    edit.__name__ = f"{name}: {old.strip()!r} becomes {new.strip()!r}"
    return edit


def add(name: str, text: str) -> Callable[[Path], None]:
    def edit(place: Path) -> None:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)

    edit.__name__ = f"{name} is added"
    return edit


def remove(name: str) -> Callable[[Path], None]:
    def edit(place: Path) -> None:
        (place / name).unlink()

    edit.__name__ = f"{name} is removed"
    return edit


EDITS: list[tuple[Callable[[Path], None], set[str]]] = [
    # what people read
    (change("README.md", "Sums", "Sums of two numbers"), PUBLISHED),
    (change("LICENSE", "Apache-2.0", "MIT"), PUBLISHED),
    (change("docs/notes.md", "why", "because"), PUBLISHED),
    (add("CHANGELOG.md", "0.1.0\n"), PUBLISHED),
    (remove("README.md"), PUBLISHED),
    # what is published and decides no rollout
    (change("pyproject.toml", '"Sums."', '"Sums of two numbers."'), PUBLISHED),
    (change("pyproject.toml", '"0.1.0"', '"0.2.0"'), PUBLISHED),
    (change("pyproject.toml", 'readme = "README.md"\n', 'license = "MIT"\n'), PUBLISHED),
    (change("pyproject.toml", 'packages = ["sums"]', 'only-include = ["sums"]'), PUBLISHED),
    (change("pyproject.toml", "line-length = 100", "line-length = 80"), PUBLISHED),
    (change("tests/test_sums.py", "...", "assert True"), PUBLISHED),
    (change("uv.lock", "1", "2"), PUBLISHED),
    # dependencies: imported or not, also where the module has another name
    (change("pyproject.toml", "rich>=13", "rich>=14"), PUBLISHED),
    (change("pyproject.toml", "beautifulsoup4>=4", "beautifulsoup4>=4.12"), PUBLISHED),
    (change("pyproject.toml", ', "rich>=13"', ""), PUBLISHED),
    (change("pyproject.toml", "pyyaml>=6", "pyyaml>=7"), EVERYTHING),
    (change("pyproject.toml", "verifiers>=0.4.0,<0.5", "verifiers>=0.4.1,<0.5"), EVERYTHING),
    (change("pyproject.toml", "[tool.ruff]", "[tool.sums]"), EVERYTHING),
    # source and data
    (change("sums/taskset.py", "pass", "weight = 1"), EVERYTHING),
    (change("sums/rows.jsonl", '"2"', '"3"'), EVERYTHING),
    (change("sums/prompt.md", "Add", "Sum"), EVERYTHING),
    (change("rules.txt", "a rule", "another rule"), EVERYTHING),
    (add("sums/more.jsonl", '{"question": "2 + 2", "answer": "4"}\n'), EVERYTHING),
    (remove("sums/prompt.md"), EVERYTHING),
    # what only the test of the reward reads
    (change("contract.toml", '"number"', '"text"'), {"test_reward", *PUBLISHED}),
    (add("sums/policy.toml", "ignore_case = true\n"), {"test_reward", *PUBLISHED}),
    # what tools write
    (add("dist/sums-0.1.0.whl", "built"), set()),
    (add("sums/__pycache__/taskset.cpython-312.pyc", "built"), set()),
    (add(".cache/x", "hidden"), set()),
]


@pytest.fixture
def place(tmp_path) -> Path:
    folder = tmp_path / "sums"
    for name, text in FILES.items():
        add(name, text)(folder)
    ledger = Ledger(folder)
    for step in STEPS:
        ledger.record(Report(step))
    return folder


def stale(place: Path) -> set[str]:
    ledger = Ledger(place)
    return {name for name in STEPS if ledger.step(name).state == "stale"}


@pytest.mark.parametrize(("edit", "expected"), EDITS, ids=[edit.__name__ for edit, _ in EDITS])
def test_an_edit_makes_stale_what_it_can_change(place, edit, expected):
    assert stale(place) == set()
    edit(place)
    assert stale(place) == expected


@pytest.mark.parametrize(
    ("file", "reader"),
    [
        ("README.md", 'TEXT = (ROOT / "README.md").read_text()\n'),
        ("docs/notes.md", "NOTES = open('docs/notes.md').read()\n"),
        ("tests/test_sums.py", "from tests import test_sums\n"),
    ],
)
def test_what_the_source_reads_counts_wherever_it_lies(tmp_path, file, reader):
    folder = tmp_path / "sums"
    for name, text in {**FILES, "sums/more.py": reader}.items():
        add(name, text)(folder)
    for step in STEPS:
        Ledger(folder).record(Report(step))
    (folder / file).write_text("something else\n")
    assert stale(folder) == EVERYTHING


def test_an_import_that_no_known_name_explains_keeps_every_dependency(place):
    """`import cairo` may come from any distribution whose name says nothing of it."""
    add("sums/draw.py", "import cairo\n")(place)
    for step in STEPS:
        Ledger(place).record(Report(step))
    change("pyproject.toml", "rich>=13", "rich>=14")(place)
    assert stale(place) == EVERYTHING


def test_a_module_file_rests_on_itself_and_on_the_contract_beside_it(tmp_path):
    module = tmp_path / "old_words.py"
    module.write_text("def load_environment(): ...\n")
    for step in STEPS:
        Ledger(module).record(Report(step))
    (tmp_path / "other.py").write_text("x = 1\n")
    assert stale(module) == set()
    (tmp_path / "contract.toml").write_text('answer = "text"\n')
    assert stale(module) == {"test_reward"}
    module.write_text("def load_environment(): return 1\n")
    assert stale(module) == EVERYTHING
