"""references/migration.md: its commands, run on a single-turn and a multi-turn pair, agree."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from lab.cli.report import LabError
from lab.environment import CLASSIC
from lab.environment.locate import interpreter
from run_script import ROOT, run_script

GUIDE = (ROOT / "references" / "migration.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
def _classic():
    try:
        interpreter(CLASSIC)
    except LabError as error:
        pytest.skip(f"{error.message}: {error.fix}")


def commands() -> list[list[str]]:
    """Every `--against` command of the guide that names environments and not placeholders."""
    lines = re.findall(r"^ *python (scripts/test_reward\.py .*--against .*)$", GUIDE, re.MULTILINE)
    return [shlex.split(line) for line in lines if "OLD" not in line]


def against(words: list[str], cwd: Path) -> dict:
    assert words[0] == "scripts/test_reward.py"
    ran = run_script("test_reward", *words[1:], "--budget", "20", "--json", "--quiet", cwd=cwd)
    assert ran.code == 0, ran.out + ran.err
    return ran.report["facts"]["parity"] | {"status": ran.finding("reward.parity")["status"]}


def copied(name: str, folder: Path) -> Path:
    return Path(
        shutil.copytree(
            ROOT / "environments" / name,
            folder / "environments" / name,
            ignore=shutil.ignore_patterns(".prime-lab", "__pycache__"),
        )
    )


def wordle_classic(folder: Path) -> Path:
    """The classic package, complete with the game's own engine and words."""
    game = ROOT / "environments" / "wordle" / "wordle"
    package = folder / "environments" / "wordle_classic" / "wordle_classic"
    shutil.copytree(ROOT / "tests" / "data" / "wordle_classic", package)
    for file in (game / "engine.py", game / "slots.py", game / "data" / "words.txt"):
        shutil.copy(file, package)
    (package.parent / "pyproject.toml").write_text(
        '[project]\nname = "wordle-classic"\nversion = "0.1.0"\n'
        'dependencies = ["verifiers>=0.1.14,<0.4"]\n'
    )
    return package


def test_the_guide_shows_both_pairs():
    assert [
        next(Path(word).name for word in words if word.startswith("environments/"))
        for words in commands()
    ] == ["gsm8k", "wordle"]


@pytest.mark.soak
def test_a_single_turn_pair_pays_every_completion_alike(tmp_path):
    copied("gsm8k", tmp_path), copied("gsm8k_classic", tmp_path)
    found = against(commands()[0], tmp_path)
    assert found["status"] == "pass" and found["differ"] == 0
    assert found["tasks"] >= 20 and found["completions"] > 1000


@pytest.mark.soak
def test_a_multi_turn_pair_pays_every_completion_alike(tmp_path):
    copied("wordle", tmp_path), wordle_classic(tmp_path)
    found = against(commands()[1], tmp_path)
    assert found["status"] == "pass" and found["differ"] == 0
    assert found["tasks"] >= 10 and found["completions"] > 500


@pytest.mark.long
def test_a_migration_that_pays_less_is_found(tmp_path):
    copied("wordle", tmp_path)
    package = wordle_classic(tmp_path)
    source = package / "__init__.py"
    source.write_text(source.read_text().replace("weights=[1.0, 0.5]", "weights=[1.0, 0.25]"))
    words = (*commands()[1][1:], "--examples", "3", "--budget", "5", "--json", "--quiet")
    ran = run_script("test_reward", *words, cwd=tmp_path)
    assert ran.code == 1 and ran.finding("reward.parity")["status"] == "fail"
    report = ran.report
    told = report["facts"]["parity"]
    assert len(told["differences"]) == told["differ"] > 0, "every one, not only those shown"
    missed, kept = told["differences"][0]["key"], told["differences"]
    told["differences"] = [one for one in kept if one["key"] != missed]
    (tmp_path / "looked_at.json").write_text(json.dumps(report))
    named = ("--accept-differences", "looked_at.json")
    again = run_script("test_reward", *words, *named, cwd=tmp_path)
    assert again.finding("reward.parity")["status"] == "fail", "one was not accepted"
    left = [one for one in again.report["facts"]["parity"]["differences"] if one["key"] == missed]
    assert left and again.report["facts"]["parity"]["accepted"] > 0, "the others were"
