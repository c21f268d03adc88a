"""What follows from a review: it holds for one content, and decides on a paid run and contract."""

from __future__ import annotations

import shlex
import tomllib

import pytest

from headlines_environment import answers_of, compare, make_sheet, write
from lab.cli.report import Report
from lab.ledger.records import Ledger
from lab.review.state import reviewed
from lab.review.verdicts import GOLDS_RIGHT, READ
from reviewing import filled, noted
from run_script import run_script


@pytest.mark.long
def test_a_changed_environment_makes_a_sheet_stale(tmp_path):
    place = write(tmp_path)
    assert "fill in" not in reviewed(Ledger(place), str(place)).fix
    make_sheet(place)
    waits = reviewed(Ledger(place), str(place)).fix
    assert f"fill in {answers_of(place)}, then: " in waits and "--answers" in waits
    filled(place, answers_of(place))
    compare(place)
    source = place / "headlines" / "taskset.py"
    source.write_text(source.read_text().replace("WHICH = -1", "WHICH = 0"))
    ran = compare(place)
    assert ran.code == 2
    assert ran.report["findings"][-1]["id"] == "input.stale_review"
    assert "--overwrite" in ran.report["next"], "the old answers are in its way"
    finding = reviewed(Ledger(place), str(place))
    assert finding.measured == "stale" and "--overwrite" in finding.fix
    command = shlex.split(finding.fix.partition(": ")[2])
    assert run_script("review_reward", *command[2:], "--quiet", cwd=place.parent).code == 0


@pytest.mark.long
def test_accept_writes_what_was_decided_and_keeps_the_rest(tmp_path):
    place = write(tmp_path)
    contract = place / "contract.toml"
    contract.write_text('# mine\n[reward]\npartial = "none"   # as the README says\n')
    make_sheet(place)
    filled(place, answers_of(place))
    answers_of(place).write_text(answers_of(place).read_text() + '\n[decided]\ncounts = "last"\n')
    ran = compare(place, "--accept")
    assert ran.code == 0, ran.out
    text = contract.read_text()
    assert "# mine" in text and "# as the README says" in text
    data = tomllib.loads(text)
    assert data["reward"] == {"partial": "none", "counts": "last"}
    assert data["example"] and {e["earns"] for e in data["example"]} == {0, 1}
    tested = run_script("test_reward", place, "--json", "--quiet", cwd=place.parent)
    assert tested.code == 0 and tested.finding("reward.examples")["status"] == "pass"
    again = compare(place, "--accept")
    assert again.report["facts"]["accepted"] == [] and contract.read_text() == text


def test_an_open_review_refuses_a_paid_run_and_publishing_is_warned_of(tmp_path, fresh_state):
    place = write(tmp_path)
    ledger = Ledger(place)
    assert reviewed(ledger, str(place)).status == "warn"
    refused = reviewed(ledger, str(place), paying=True)
    assert refused.status == "fail" and "review_reward.py" in refused.fix
    assert "--force REASON" in refused.fix
    report = Report("review_reward", next="complete the review, then: the same command")
    report.add(READ.inconclusive("3 of 20 without an answer", "no answer for 1, 2, 3", "judge"))
    ledger.record(report)
    left = reviewed(ledger, str(place), paying=True)
    assert left.status == "fail" and "complete the review, then:" in left.fix
    report = Report("review_reward")
    report.add(GOLDS_RIGHT.fail(1, "a gold", "repair it"))
    ledger.record(report)
    assert reviewed(ledger, str(place)).status == "warn", "publishing is warned of"
    assert reviewed(ledger, str(place), paying=True).status == "fail"
    forced = reviewed(ledger, str(place), paying=True, force="the reader was wrong")
    assert forced.status == "warn" and "the reader was wrong" in forced.evidence
    noted(place)
    assert reviewed(Ledger(place), str(place), paying=True).status == "pass"
