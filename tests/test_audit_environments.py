"""Several environments in one go: the table, what is installed for them, a kill, and the exit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import small_environments
from lab.audits import rows
from lab.audits.entries import read_entries
from lab.audits.records import Record
from lab.cli.report import LabError
from lab.environment import CLASSIC
from lab.environment.locate import interpreter
from ladder import interrupt, processes_naming, start_script
from run_script import ROOT, SCRIPTS, run_script
from servers.hub import Hub
from small_environments import BROKEN, NAMES

QUICK = ("--examples", 3, "--budget", 1)


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    small_environments.write(folder)
    return folder


@pytest.fixture(scope="module")
def classic() -> None:
    try:
        interpreter(CLASSIC)
    except LabError as error:
        pytest.skip(f"{error.message}: {error.fix}")


def record_of(output: Path, name: str) -> Path:
    return output / "environments" / f"{name}.json"


@pytest.mark.long
@pytest.mark.usefixtures("classic", "fresh_state")
def test_a_killed_audit_goes_on_and_says_which_reward_does_not_hold(written, tmp_path):
    """A module whose reward pays everything, one that needs a package from uv, one that does not
    parse: killed after the first, started again."""
    output = tmp_path / "results"
    line = (written / "list.toml", "--output-dir", output, "--envs", tmp_path / "envs", *QUICK)
    line += ("--only", "module", "--only", "asking", "--only", "broken_taskset")
    variables = {**os.environ, **small_environments.variables(written)}
    process = subprocess.Popen(
        [sys.executable, str(SCRIPTS / "audit_environments.py"), *map(str, line)],
        cwd=tmp_path,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while process.poll() is None and not record_of(output, "module").is_file():
        time.sleep(0.02)  # the condition is what is on disk
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = record_of(output, "module").read_bytes()
    page = tmp_path / "page.html"
    ran = run_script(
        "audit_environments", *line, "--json", "--html", page, cwd=tmp_path, env=variables
    )
    assert ran.code == 1, ran.out + ran.err
    assert "module fail (as before)" in ran.err
    assert record_of(output, "module").read_bytes() == before, "what is done is left alone"
    found = {row["name"]: row for row in ran.report["facts"]["environments"]}
    bad, asking, broken = found["module"], found["asking"], found["broken_taskset"]
    assert (bad["verdict"], bad["severity"]) == ("fail", "critical")
    assert (bad["completion"], bad["earns"]) == ("", 0.5), "the smallest completion that shows it"
    assert (asking["loads"], asking["speaks"], asking["verdict"]) == (True, True, "pass"), asking
    assert (broken["loads"], broken["verdict"]) == (False, "error")
    assert "does not parse" in broken["why"]
    assert ran.finding("audit.rewards")["measured"] == 1
    assert ran.finding("audit.loads")["status"] == "fail"
    layer = next((tmp_path / "envs").glob("over-*/new.txt")).read_text()
    assert layer == f"{small_environments.WHEEL.replace('_', '-')}==1.0\n", "only what is new"
    text = page.read_text()
    assert 'id="module"' in text and "What this reward does" in text
    assert "a right answer earns" in text, "the observed contract of each"


@pytest.mark.usefixtures("classic", "fresh_state")
@pytest.mark.soak
def test_ctrl_c_ends_the_test_that_runs_and_says_how_to_go_on(written, tmp_path):
    line = (written / "list.toml", "--only", "module", "--no-install", "--output-dir", "results")
    process = start_script("audit_environments", *line, cwd=tmp_path)
    named = str(written / "module.py")
    while process.poll() is None and not processes_naming(named):
        time.sleep(0.02)  # the condition is the process of the test
    code, out, _ = interrupt(process)
    assert code == 3 and "run it again" in out
    assert not processes_naming(named)
    assert not record_of(tmp_path / "results", "module").exists()


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("classic", "fresh_state")
def test_six_ways_to_load_and_one_broken_twin_of_each(written, tmp_path):
    with Hub(small_environments.repositories()) as hub:
        ran = run_script(
            "audit_environments",
            written / "list.toml",
            *("--output-dir", tmp_path / "results", "--envs", tmp_path / "envs", *QUICK, "--json"),
            cwd=tmp_path,
            env={**hub.env, **small_environments.variables(written), "HF_HOME": str(tmp_path)},
            timeout=1500,
        )
    found = {row["name"]: row for row in ran.report["facts"]["environments"]}
    assert ran.code == 1, ran.err
    assert {name for name, row in found.items() if row["loads"]} == set(NAMES)
    assert {name for name, row in found.items() if not row["loads"]} == set(BROKEN)
    assert {name for name, row in found.items() if row["verdict"] == "fail"} == {"module"}
    assert {name for name, row in found.items() if row["verdict"] == "warn"} == {
        "relative",
        "keyed",
    }
    why = {
        "broken_taskset": "does not parse",
        "broken_module": "'rows'",
        "broken_relative": "its own file frame.py",
        "broken_asking": "lab_test_units_that_is_nowhere is not installed",
        "broken_revision": "nobody/nothing is not on the hub",
        "broken_keyed": "the credential SEARCH_API_KEY",
    }
    assert {
        name: row["why"] for name, row in found.items() if not row["loads"]
    }.keys() == why.keys()
    for name, words in why.items():
        assert words in found[name]["why"], found[name]["why"]
    assert "cannot be installed" in " ".join(found["broken_asking"]["notes"])


# -- what is audited ---------------------------------------------------------------------------


def row_of(verdict: str, **more: object) -> rows.Row:
    finding = {"id": "reward.x", "status": "fail", "evidence": "e", "fix": "f", "severity": None}
    findings = [] if verdict == "pass" else [{**finding, "status": verdict, **more}]
    if verdict == "error":
        findings[0]["status"] = "fail"
    return rows.row(
        Record("one", "one", report={"verdict": verdict, "findings": findings, "facts": {}})
    )


@pytest.mark.parametrize(
    "verdicts, code",
    [
        (("pass", "warn"), 0),
        (("pass", "fail", "error", "inconclusive"), 1),
        (("pass", "error", "inconclusive"), 3),
        (("pass", "inconclusive"), 4),
    ],
)
def test_the_exit_code_is_the_worst_of_the_rows(verdicts, code):
    from lab.cli.report import Report

    found, error = rows.findings([row_of(verdict) for verdict in verdicts])
    report = Report("audit_environments", findings=found, error=error)
    assert report.exit_code == code


def test_an_environment_that_took_too_long_is_inconclusive_and_loads_is_not_claimed():
    one = rows.row(Record("slow", "slow", state="limit", error="it took longer than 9 s"))
    assert (one.verdict, one.loads, one.speaks) == ("inconclusive", False, False)
    assert "longer" in one.why


def test_nothing_tested_is_no_pass():
    found, error = rows.findings([row_of("error")])
    assert {finding.id: finding.status for finding in found} == {
        "audit.rewards": "skip",
        "audit.speaks": "skip",
    }
    assert error is not None and error.code == 3


def test_a_row_of_earlier_rules_says_so():
    record = Record("one", "one", report={"verdict": "pass", "findings": [], "facts": {}})
    assert rows.OLD in rows.row(record).notes


def test_hostile_text_of_an_environment_stays_text_on_the_page():
    from lab.audits.page import body

    evil = "<script>alert(1)</script>\x1b[31m"
    report = {
        "verdict": "fail",
        "findings": [
            {
                "id": "reward.x",
                "status": "fail",
                "evidence": evil,
                "fix": evil,
                "severity": "critical",
            }
        ],
        "facts": {"contract": {"wrong": {"words": evil, "status": "undeclared"}}},
    }
    record = Record("evil", evil, report=report, notes=[evil], about={"commit": evil})
    row = rows.row(record)
    page = body([row], {"evil": record})
    assert "<script" not in page and "\x1b" not in page
    assert not any("\x1b" in line for line in rows.lines([row]))


def test_the_documents_name_a_list_that_can_be_read(tmp_path):
    text = (ROOT / "references" / "security.md").read_text()
    block = next(
        part.split("```")[0] for part in text.split("```toml\n")[1:] if "[[environment]]" in part
    )
    (tmp_path / "list.toml").write_text(block)
    entries = read_entries(str(tmp_path / "list.toml"))
    assert [entry.name for entry in entries] == ["gsm8k", "search"]
    assert entries[0].about == {"repository": "PrimeIntellect-ai/verifiers", "commit": "2fbd2b7"}
    assert (entries[1].args, entries[1].extras) == ({"split": "test"}, ("judge",))
