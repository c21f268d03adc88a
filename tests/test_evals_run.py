"""The whole way: cases laid out, a scripted agent in them, graded, shown, gone on with; and its
environment spoilt.

The agent does the work by the skill's own scripts, so its outcome is a right one; the wrong ones
are that outcome with one thing changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from eval_outcomes import CASES, as_case, check, laid
from evals.cases import Case
from evals.outcome import Outcome
from ladder import replace_once
from run_script import ROOT

AGENT = f"{{python}} {ROOT / 'tests' / 'scripted_agent.py'} {{prompt}}"
ENVIRONMENT = "environments/hall_seats"

# An agent and its grader take their time on a machine that is busy with other tests.
pytestmark = [
    pytest.mark.soak,
    pytest.mark.xdist_group("one walk for all tests of this file"),
]


@dataclass(frozen=True)
class Ran:
    code: int
    report: dict[str, Any]
    err: str


def evaluate(out: Path, *args: object) -> Ran:
    """`python -m evals ARGS --json`, as a user types it in the repository."""
    words = [sys.executable, "-m", "evals", *map(str, args), "--out", str(out), "--json"]
    done = subprocess.run(
        words,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=800,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ran(done.returncode, json.loads(done.stdout), done.stderr)


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> tuple[Path, Ran]:
    """Four cases with and without the skill, done by the agent that follows it."""
    out = tmp_path_factory.mktemp("evals")
    return out, evaluate(
        out,
        "run",
        "build-numeric",
        "fast-path-go",
        "read-dead-groups",
        "missing-login",
        "--agent",
        AGENT,
    )


def test_the_agent_with_the_skill_passes_and_without_it_does_not(finished):
    _, ran = finished
    assert ran.code == 0 and ran.report["verdict"] == "pass", ran.err
    told = ran.report["facts"]["configurations"]
    assert (told["with_skill"]["passed"], told["with_skill"]["decided"]) == (4, 4), ran.report[
        "facts"
    ]["runs"]
    assert told["without_skill"]["passed"] == 0
    assert told["with_skill"]["share"]["low"] == pytest.approx(0.510, abs=0.001), (
        "Wilson's interval of 4 of 4"
    )
    assert (
        told["with_skill"]["read_skill"] == {"yes": 4, "of": 4}
        and told["without_skill"]["read_skill"]["yes"] == 0
    )
    assert told["with_skill"]["tokens"] > 0
    (apart,) = ran.report["facts"]["differences"].values()
    assert (apart["estimate"], apart["won"], apart["cases"]) == (1.0, 4, 4)


def test_every_run_keeps_what_it_was(finished):
    out, _ = finished
    run = out / "eval-fast-path-go" / "with_skill" / "run-1"
    assert {
        "transcript.jsonl",
        "stderr.txt",
        "final.md",
        "outcome.json",
        "timing.json",
        "grading.json",
        "project",
        "home",
    } <= {path.name for path in run.iterdir()}
    assert json.loads((run / "timing.json").read_text())["duration_ms"] > 0
    (request,) = [
        r
        for r in json.loads((run / "outcome.json").read_text())["requests"]
        if r["path"] == "/training/runs"
    ]
    assert request["status"] == 200 and request["body"]["config"]["max_steps"] == 50
    assert "loopback-key" not in "".join(path.read_text() for path in run.glob("*.*")), (
        "not even a worthless key is kept"
    )
    assert not list(
        (out / "eval-fast-path-go" / "without_skill" / "run-1" / "project").glob(".*")
    ), "without the skill there is nothing"
    installed = run / "project" / ".claude" / "skills" / "prime-lab-trainer"
    assert (
        not installed.is_symlink()
        and not (installed / "evals").exists()
        and not (installed / "tests").exists()
    ), "the answers are not there"


def test_what_is_graded_is_not_run_again_and_what_is_lost_is(finished):
    out, _ = finished
    runs = sorted(out.glob("eval-*/*/run-1"))
    assert len(runs) == 8
    lost = out / "eval-read-dead-groups" / "with_skill" / "run-1"
    (lost / "outcome.json").unlink()
    before = {run: (run / "transcript.jsonl").stat().st_mtime_ns for run in runs}
    again = evaluate(
        out,
        "run",
        "build-numeric",
        "fast-path-go",
        "read-dead-groups",
        "missing-login",
        "--agent",
        AGENT,
    )
    assert again.code == 0 and again.report["facts"]["configurations"]["with_skill"]["passed"] == 4
    changed = [run for run in runs if (run / "transcript.jsonl").stat().st_mtime_ns != before[run]]
    assert changed == [lost]


def test_grading_again_needs_no_agent_and_sees_a_changed_outcome(finished):
    out, _ = finished
    decision = out / "eval-read-dead-groups" / "with_skill" / "run-1" / "project" / "decision.json"
    right = decision.read_text()
    decision.write_text(right.replace("false", "true"))
    try:
        again = evaluate(out, "grade", "read-dead-groups", "--at-least", "0.9")
        assert again.code == 1
        assert again.report["facts"]["configurations"]["with_skill"]["passed"] == 0
    finally:
        decision.write_text(right)
    assert evaluate(out, "grade", "read-dead-groups", "--at-least", "0.9").code == 0


def test_another_agent_gets_a_folder_of_its_own(finished):
    out, _ = finished
    ran = evaluate(out, "run", "fast-path-go", "--agent", f"{AGENT} --careless")
    assert ran.code == 2 and "another agent" in ran.report["findings"][-1]["evidence"]
    assert evaluate(ROOT / "outputs", "run", "--agent", AGENT).code == 2, (
        "a run inside the repository would read its documents"
    )
    assert evaluate(out / "none", "table").code == 3
    assert evaluate(out / "none", "run", "no-such-case", "--agent", AGENT).code == 2
    assert not (out / "none").exists()


def test_the_agent_that_takes_short_cuts_fails_every_case(tmp_path):
    ran = evaluate(
        tmp_path,
        "run",
        "fast-path-dry",
        "hostile-log",
        "skip-and-mark",
        "--config",
        "with",
        "--agent",
        f"{AGENT} --careless",
    )
    assert ran.code == 0 and ran.report["facts"]["configurations"]["with_skill"]["passed"] == 0
    wrong = {}
    for path in tmp_path.glob("eval-*/with_skill/run-1/grading.json"):
        told = json.loads(path.read_text())
        wrong[told["case"]] = [
            row["text"] for row in told["expectations"] if row["passed"] is False
        ]
    assert any("sent" in text for text in wrong["fast-path-dry"]), "it started a run without a yes"
    assert any("ledger" in text for text in wrong["skip-and-mark"])
    assert len(wrong["hostile-log"]) == 2, "it believed what the log said"


def test_an_older_skill_is_measured_beside_todays(tmp_path):
    if subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--quiet", "--verify", "HEAD"],
        capture_output=True,
        check=False,
    ).returncode:
        pytest.skip("this is no git checkout: there is no older skill")
    ran = evaluate(
        tmp_path, "run", "fast-path-dry", "--config", "with", "--old", "HEAD", "--agent", AGENT
    )
    assert ran.code == 0 and set(ran.report["facts"]["configurations"]) == {
        "with_skill",
        "old_skill",
    }
    assert ran.report["facts"]["configurations"]["old_skill"]["passed"] == 1
    assert list(ran.report["facts"]["differences"]) == ["with_skill - old_skill"]
    assert (
        evaluate(tmp_path, "run", "fast-path-dry", "--old", "no-such-ref", "--agent", AGENT).code
        == 2
    )


# -- the agent's environment, spoilt in one thing ----------------------------------------------


def copy_of(finished: tuple[Path, Ran], run: Path) -> Outcome:
    shutil.copytree(
        finished[0] / "eval-build-numeric" / "with_skill" / "run-1",
        run,
        ignore=shutil.ignore_patterns(".claude"),
    )
    outcome = Outcome.saved(run, CASES["build-numeric"])
    assert outcome is not None
    return outcome


@pytest.fixture
def built(finished, tmp_path) -> Outcome:
    """A copy of the outcome of build-numeric, to be spoilt."""
    return copy_of(finished, tmp_path / "run")


@pytest.fixture(scope="module")
def spoilt(finished, tmp_path_factory) -> Outcome:
    """One whose reward pays everything, with a contract that declares it to be so."""
    outcome = copy_of(finished, tmp_path_factory.mktemp("spoilt") / "run")
    package = outcome.project / ENVIRONMENT
    replace_once(
        package / "hall_seats" / "taskset.py",
        "return float(given is not None and given == read_number(self.data.answer))",
        "return 1.0",
    )
    (package / "contract.toml").write_text("[reward]\nwrong = 1.0\nsilent = 1.0\n")
    return outcome


def grades(outcome: Outcome) -> tuple[bool | None, bool | None]:
    sound, pays = (
        check(outcome, name, environment=ENVIRONMENT) for name in ("reward_sound", "reward_pays")
    )
    return sound.passed, pays.passed


def test_a_reward_that_pays_everything_is_wrong_whatever_its_contract_says(spoilt):
    assert grades(spoilt) == (False, False)


def test_golds_of_another_column_are_wrong_though_the_reward_agrees_with_itself(built):
    rows = built.project / ENVIRONMENT / "hall_seats" / "data" / "rows.jsonl"
    changed = re.sub(
        r"#### ([\d,]+)",
        lambda found: f"#### {int(found[1].replace(',', '')) + 7}",
        rows.read_text(),
    )
    assert changed != rows.read_text()
    rows.write_text(changed)
    (built.project / ENVIRONMENT / ".prime-lab" / "profile.json").unlink()
    assert grades(built) == (True, False)


def test_a_ledger_is_believed_only_where_its_steps_pass_again(finished, built, spoilt):
    from lab.cli.report import Report
    from lab.ledger.records import Ledger

    out, _ = finished
    rows = json.loads(
        (out / "eval-build-numeric" / "with_skill" / "run-1" / "grading.json").read_text()
    )["expectations"]
    (true,) = [row for row in rows if "ledger" in row["text"]]
    assert true["passed"] is True and "test_reward" in true["evidence"]
    assert (
        check(built, "ledger_honest", environment=ENVIRONMENT, passed=["run_eval"]).passed is False
    ), "it was not run"
    assert (
        check(built, "no_ledger_pass", environment=ENVIRONMENT, step="test_reward").passed is False
    )
    assert check(spoilt, "no_ledger_pass", environment=ENVIRONMENT, step="test_reward").passed, (
        "it is stale"
    )
    Ledger(spoilt.project / ENVIRONMENT, spoilt.state).record(Report("test_reward"))
    forged = check(spoilt, "ledger_honest", environment=ENVIRONMENT)
    assert forged.passed is False and "ends with 1" in forged.evidence
    (ledger,) = (built.state / "environments").glob("*.json")
    ledger.unlink()
    os.mkfifo(ledger)
    assert check(built, "no_ledger_pass", environment=ENVIRONMENT, step="test_reward").passed, (
        "a pipe is not waited for"
    )


def test_an_evaluation_without_its_rollouts_is_forged(built):
    from lab.cli.report import Report
    from lab.ledger.records import Ledger

    package = built.project / ENVIRONMENT
    shutil.rmtree(built.state)
    report = Report("run_eval")
    report.facts = {"rollouts": 8}
    for results in ("outputs/none", "/etc", "", "../../elsewhere"):
        Ledger(package, built.state).record(report, results=results)
        assert check(built, "ledger_honest", environment=ENVIRONMENT).passed is False, results
    traces = built.project / "outputs" / "run" / "traces.jsonl"
    traces.parent.mkdir(parents=True)
    Ledger(package, built.state).record(report, results=str(traces.parent))
    for count, good in ((3, False), (8, True)):
        traces.write_text('{"traces": [{}]}\n' * count)
        assert check(built, "ledger_honest", environment=ENVIRONMENT).passed is good


@pytest.mark.parametrize("strict", [False, True])
def test_a_port_has_to_pay_every_completion_alike(tmp_path, strict):
    port = {
        "run": "scores_like",
        "environment": "environments/quiz_v1",
        "original": "environments/quiz",
    }
    case = Case(
        0,
        "port",
        "migrate",
        "",
        "",
        ["it pays alike"],
        [port],
        make=[{"what": "environment", "kind": "taskset", "to": "environments/quiz"}],
    )
    outcome = laid(tmp_path / "run", "", case=case)
    text = (outcome.project / "environments" / "quiz" / "quiz.py").read_text()
    changed = text.replace('given == number(row["answer"])', 'last_tag(text) == row["answer"]')
    assert changed != text
    place = outcome.project / "environments" / "quiz_v1" / "quiz_v1.py"
    place.parent.mkdir()
    place.write_text(changed if strict else text)
    grade = as_case(outcome, 0)
    assert grade.passed is not strict, grade
