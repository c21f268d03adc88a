"""test_reward.py and the contract: the observed one comes first, a draft is kept, and one example
is enough where nothing is paid."""

from __future__ import annotations

import json
import re

import pytest

from lab.reward.contract import CLAUSES
from lab.reward.contract_file import read
from reward_environments import RIGHT, environment
from run_script import run_script

HIDDEN = """
import hashlib

def score(text, row):
    said = hashlib.sha256(f"{number(last_hash(text))}".encode()).digest()
    return float(said == hashlib.sha256(f"{37 * len(row['question']) + 11}".encode()).digest())
"""
"""What is right is compared by its digest, so that neither a variable nor a comparison tells it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("contract")


@pytest.fixture(scope="module")
def drafted(folder):
    """A sound environment, and the draft for it where a policy of earlier releases is there."""
    path = environment(folder, "sums", RIGHT)
    policy = folder / "named" / "policy.toml"
    policy.parent.mkdir()
    policy.write_text("[reward]\nrange = [-1, 1]\n", encoding="utf-8")
    named = ("--examples", 4, "--contract-file", policy, "--contract")
    return path, run_script("test_reward", path, *named, cwd=folder)


@pytest.fixture(scope="module")
def declared(folder, drafted):
    """The same environment, held to the draft: as a page."""
    path, draft = drafted
    kept = folder / "kept.toml"
    kept.write_text(draft.out, encoding="utf-8")
    named = ("--examples", 4, "--contract-file", kept, "--verbose")
    return run_script("test_reward", path, *named, cwd=folder)


def test_the_draft_parses_and_says_what_was_found(folder, drafted):
    _, ran = drafted
    assert ran.code == 0
    kept = folder / "draft.toml"
    kept.write_text(ran.out, encoding="utf-8")
    contract = read(kept)
    assert (contract.gold, contract.answer_type) == ("answer", "number")
    assert contract.says == ("#### {answer}",)
    assert contract.range == (-1, 1), "what the policy declared is a clause"
    assert contract.examples and all(one.earns == 1.0 for one in contract.examples)


def test_an_undecided_clause_is_a_comment_with_the_legal_values(drafted):
    lines = drafted[1].out.partition("Most rules of a reward")[0].splitlines()
    for name, clause in CLAUSES.items():
        (line,) = [one for one in lines if one.lstrip("# ").startswith((f"{name} =", f"{name}:"))]
        if line.startswith("#"):
            assert all(value in line for value in clause.values), line
    assert len(lines) < 25, "short enough to be checked in two minutes"
    (forms,) = [line for line in lines if "accepts =" in line]
    assert re.search(r"paid: .*\btrailing period\b.*; refused: \w+", forms), forms


def test_the_observed_contract_is_the_first_thing_on_the_page(declared):
    assert declared.code == 0, declared.out
    lines = [line for line in declared.out.splitlines() if line.strip()]
    assert "what this reward does" in lines[1]
    sheet = lines[2 : next(i for i, line in enumerate(lines) if "in numbers" in line)]
    names = [line.split()[0] for line in sheet if not line.lstrip().startswith("such as")]
    assert names[:3] == ["gold", "says", "right"] and {"wrong", "counts", "accepts"} <= set(names)
    gold = next(line for line in sheet if line.split()[0] == "gold")
    assert "[declared]" in gold and "`answer`" in gold
    assert any("such as task" in line and "earns" in line for line in sheet)


@pytest.mark.long
def test_nothing_paid_is_one_question_and_one_example_answers_it(folder):
    path = environment(folder, "hidden", HIDDEN, rows="hidden")
    named = ("--examples", 4, "--json", "--quiet")
    ran = run_script("test_reward", path, *named, cwd=folder)
    assert (ran.code, ran.report["verdict"]) == (4, "inconclusive")
    open_ones = [f for f in ran.report["findings"] if f["status"] == "inconclusive"]
    assert [f["id"] for f in open_ones] == ["reward.gold_paid"]
    assert "--example FILE" in open_ones[0]["fix"]
    assert not [f["id"] for f in ran.report["findings"] if f["status"] == "fail"]
    prompts = [row["question"] for row in _rows(path)]
    example = [
        {"task": i, "completion": f"I count.\n#### {37 * len(prompt) + 11}", "earns": 1}
        for i, prompt in enumerate(prompts)
    ]
    (folder / "examples.json").write_text(json.dumps(example), encoding="utf-8")
    again = run_script("test_reward", path, *named, "--example", "examples.json", cwd=folder)
    assert again.finding("reward.gold_paid")["status"] == "pass", again.out
    assert again.finding("reward.examples")["status"] == "pass"
    assert again.code in (0, 1), "decided"


def _rows(path):
    space: dict = {}
    line = next(one for one in path.read_text().splitlines() if one.startswith("ROWS = "))
    exec(line, space)
    return space["ROWS"]
