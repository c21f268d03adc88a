"""A tampered reward stops the ladder at its test, and everything after it refuses."""

from __future__ import annotations

import json

import pytest

from lab.cli.report import Report
from lab.ledger.records import Ledger
from ladder import (
    copy_of,
    interrupt,
    processes_naming,
    replace_once,
    start_script,
)
from run_script import run_script

pytestmark = pytest.mark.usefixtures("fresh_state")


CORRECT = "return float(given is not None and given == read_number(self.data.answer))"
TAMPERED = {
    "constant 1.0": (
        CORRECT,
        "return 1.0",
        {"reward.wrong_unpaid", "reward.tells_apart", "reward.wrong_low"},
    ),
    "always 0": (CORRECT, "return 0.0", {"reward.gold_paid", "reward.tells_apart"}),
    "paid for an empty answer": (
        CORRECT,
        f"if not (trace.last_reply or '').strip():\n            return 1.0\n        {CORRECT}",
        {"reward.empty"},
    ),
    "compares with the question": (
        CORRECT,
        "return float(str(given) in self.data.prompt_text)",
        {"reward.gold_paid", "reward.tells_apart"},
    ),
}


@pytest.mark.soak
@pytest.mark.parametrize("how", TAMPERED)
def test_a_tampered_reward_stops_the_ladder(word_problems, tmp_path, how):
    old, new, expected = TAMPERED[how]
    place = copy_of(word_problems, tmp_path)
    replace_once(place / "word_problems" / "taskset.py", old, new)
    ran = run_script("test_reward", place, "--json", "--quiet", cwd=tmp_path)
    assert ran.code == 1, ran.out
    failed = {f["id"] for f in ran.report["findings"] if f["status"] == "fail"}
    assert failed & expected, f"{failed} instead of one of {expected}"
    for finding in ran.report["findings"]:
        if finding["status"] == "fail":
            assert finding["evidence"] and finding["fix"] and finding["measured"] is not None
    refused = run_script(
        "submit_training",
        "--env",
        "someone/word-problems",
        "--local",
        place,
        "--yes",
        "--json",
        cwd=tmp_path,
    )
    assert refused.code == 1
    assert "test_reward" in refused.finding("gate.earlier_steps")["measured"]
    assert not (tmp_path / "configs").exists() or not refused.report["facts"].get("run_id")
    evaluated = run_script("run_eval", place, "--simulate", "skill=0.4", "--json", cwd=tmp_path)
    assert evaluated.code == 1
    assert not (tmp_path / "outputs").exists()


@pytest.mark.soak
def test_a_wrong_column_is_found_even_when_the_environment_agrees_with_itself(
    word_problems, tmp_path
):
    """The gold is read from the question: its last number, so the reward is consistent and
    wrong."""
    place = copy_of(word_problems, tmp_path)
    replace_once(
        place / "word_problems" / "rows.py",
        'answer_field: str = "answer"',
        'answer_field: str = "question"',
    )
    replace_once(
        place / "word_problems" / "number.py",
        "text = str(cell) if isinstance(cell, (int, float, str)) and not isinstance(cell, "
        'bool) else ""',
        'text = (re.findall(r"[0-9]+", str(cell)) or [""])[-1]',
    )
    ran = run_script("test_reward", place, "--json", "--quiet", cwd=tmp_path)
    assert ran.code == 1
    finding = ran.finding("data.gold_matches_profile")
    assert finding["status"] == "fail" and finding["evidence"] and finding["fix"]


def test_a_change_to_the_environment_makes_its_results_stale(word_problems, tmp_path):
    place = copy_of(word_problems, tmp_path)
    Ledger(place).record(Report("test_reward"))
    assert Ledger(place).step("test_reward").state == "passed"
    (place / "README.md").write_text("a new description")
    replace_once(place / "pyproject.toml", 'version = "0.1.0"', 'version = "0.2.0"')
    assert Ledger(place).step("test_reward").state == "passed", (
        "neither the README nor the version changes a reward"
    )
    replace_once(place / "word_problems" / "taskset.py", "weight=0.25", "weight=0.9")
    assert Ledger(place).step("test_reward").state == "stale"
    status = run_script("workflow", "status", place, "--json", cwd=tmp_path)
    assert status.report["facts"]["steps"]["test_reward"]["state"] == "stale"
    assert "test_reward.py" in status.report["next"]
    refused = run_script("run_eval", place, "--simulate", "skill=0.4", "--json", cwd=tmp_path)
    assert refused.code == 1
    assert "stale" in refused.finding("gate.earlier_steps")["evidence"]


@pytest.mark.soak
def test_a_forced_step_keeps_its_reason(word_problems, tmp_path):
    place = copy_of(word_problems, tmp_path)
    ran = run_script(
        "run_eval",
        place,
        "--simulate",
        "skill=0.5",
        "-n",
        4,
        "-r",
        2,
        "--force",
        "a trial run",
        "--json",
        cwd=tmp_path,
    )
    assert ran.code == 0, ran.out
    assert "a trial run" in ran.finding("gate.earlier_steps")["evidence"]
    assert Ledger(place).step("run_eval").forced == "a trial run"
    status = run_script("workflow", "status", place, cwd=tmp_path)
    assert "forced: a trial run" in status.out


@pytest.mark.long
def test_an_interrupted_evaluation_leaves_no_process_and_says_how_to_go_on(word_problems, tmp_path):
    place = copy_of(word_problems, tmp_path)
    process = start_script(
        "run_eval",
        place,
        "--simulate",
        "skill=0.5",
        "-n",
        50,
        "-r",
        8,
        "--force",
        "a trial run",
        "--json",
        cwd=tmp_path,
    )
    for line in process.stderr:
        if line.startswith("rollouts"):
            break
    code, out, err = interrupt(process)
    assert code == 3, out + err
    report = json.loads(out)
    assert report["verdict"] == "error"
    assert report["findings"][-1]["id"] == "run.interrupted"
    assert "run_eval.py" in report["next"]
    assert "Traceback" not in err
    assert processes_naming(str(tmp_path)) == []
    assert Ledger(place).step("run_eval").state == "missing"


def test_a_damaged_ledger_counts_as_nothing_passed(word_problems, tmp_path):
    place = copy_of(word_problems, tmp_path)
    ledger = Ledger(place)
    ledger.record(Report("test_reward"))
    assert ledger.step("test_reward").state == "passed"
    ledger.path.write_text('{"steps": [')
    assert Ledger(place).step("test_reward").state == "unsigned"
    assert Ledger(place).gate("run_eval", None, "the command").status == "fail"
