"""The list of public environments: its facts hold together, and it can be fetched and audited."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.public_environments import (
    KINDS,
    PAGE,
    Public,
    Seen,
    entries,
    fetch,
    main,
    page,
    read,
    sums,
)
from lab.audits.entries import read_entries

SOUND = Public("one", "owner/name", "a" * 40, "environments/one", "v1", 0, "pays the right answer")
BROKEN = replace(
    SOUND,
    name="two",
    path="environments/two",
    right=1,
    kind="misread",
    completion="a thing | `x`",
    earns=1.0,
    tried=True,
    new=True,
    first=Seen(1, {"reward.echo": "true", "reward.empty": "false"}),
)


def test_every_environment_of_the_list_names_one_commit_and_says_what_it_pays():
    listed = read()
    assert len(listed) >= 90
    assert all(re.fullmatch(r"[0-9a-f]{40}", p.commit) for p in listed)
    assert all(p.says and p.right in (0, 1, 3, 4) for p in listed)
    places = [(p.repository, p.commit, p.path) for p in listed]
    assert len(set(places)) == len(places)


def test_a_defect_is_shown_by_a_completion_that_was_scored():
    shown = [p for p in read() if p.kind]
    assert shown
    assert all(p.right == 1 and p.tried and p.earns is not None for p in shown)


def test_the_page_is_what_the_list_says():
    assert PAGE.read_text(encoding="utf-8") == page(read())


def test_sums_keep_first_contact_apart_and_count_labels():
    told = "\n".join(sums([SOUND, BROKEN, replace(SOUND, name="three", first=Seen(4))]))
    first, known = told.split("known from earlier work: 1")
    assert "a defect that such a completion shows: at least 1 of 3" in first
    assert "first contact, never met before: 1" in first
    assert "failing findings: 2, of them 1 true, 0 policy, 1 false" in first
    assert "the verdict is right: 1 of 1" in first
    assert "a verdict is given: 0 of 1" in known
    assert KINDS["misread"] in told


def test_a_contract_counts_where_one_was_written():
    asked = replace(SOUND, first=Seen(4), contract=Seen(0))
    told = "\n".join(sums([asked, BROKEN]))
    assert "those with a contract, bare: 1" in told
    held = told.split("with a contract where one was written, else bare: 2")[1]
    assert "the verdict is right: 2 of 2" in held
    assert "with a contract" not in "\n".join(sums([SOUND, BROKEN]))
    assert "| no verdict |  | holds |" in page([asked])
    broken = replace(SOUND, first=Seen(0), contract=Seen(1, right=1))
    told = "\n".join(sums([broken]))
    assert "the verdict is right: 0 of 1" not in told  # by the contract another one than bare


def test_a_completion_cannot_break_the_table():
    row = next(line for line in page([BROKEN]).splitlines() if line.startswith("| owner"))
    assert row.count(" | ") == 8
    assert "a thing \\| 'x'" in row


@pytest.mark.parametrize(
    "wrong", ['kind = "odd"', 'first = { exit = 1, findings = { a = "odd" } }']
)
def test_a_word_outside_the_vocabulary_is_named(tmp_path, wrong):
    path = tmp_path / "list.toml"
    path.write_text(
        '[[environment]]\nname = "x"\nrepository = "o/n"\ncommit = "c"\npath = ""\n'
        f'api = "v1"\nright = 1\nsays = "s"\n{wrong}\n'
    )
    with pytest.raises(ValueError, match="choose from"):
        read(path)


def test_a_commit_is_fetched_and_becomes_an_entry_that_the_audit_reads(tmp_path):
    origin = tmp_path / "owner" / "name"
    (origin / "environments" / "one").mkdir(parents=True)
    (origin / "environments" / "one" / "one.py").write_text("def load_environment(): ...\n")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(origin))
    for step in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *step], check=True)
    commit = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    one = replace(SOUND, commit=commit, args={"split": "test"}, requirements=("nltk",))
    gone = replace(SOUND, name="gone", repository="owner/gone")
    checkouts = tmp_path / "checkouts"
    refused = fetch([one, gone], checkouts, f"file://{tmp_path}/{{repository}}")
    assert [line.split(":")[0] for line in refused] == [gone.folder]
    asked = entries([one, gone], checkouts)
    assert [entry["name"] for entry in asked] == ["one"]
    contracts = tmp_path / "contracts"
    assert entries([one, gone], checkouts, contracts) == []
    (contracts / "one").mkdir(parents=True)
    (contracts / "one" / "contract.toml").write_text("")
    (held,) = entries([one, gone], checkouts, contracts)
    assert held == {**asked[0], "contract": str(contracts / "one" / "contract.toml")}
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps({"environments": asked}))
    (entry,) = read_entries(str(listed))
    assert (entry.args, entry.requirements) == ({"split": "test"}, ("nltk",))
    assert entry.about["commit"] == commit


def test_without_checkouts_the_command_says_what_to_do(tmp_path, capsys):
    assert main(["--checkouts", str(tmp_path)]) == 3
    assert "--fetch" in capsys.readouterr().out
