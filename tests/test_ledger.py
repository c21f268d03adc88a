"""Records of the steps: kept apart from the environment, signed, locked, bound to a content."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lab.cli.places import VARIABLE, state_folder
from lab.cli.report import LabError, Report
from lab.ledger.index import find
from lab.ledger.records import Ledger
from run_script import SCRIPTS, run_script

PROJECT = '[project]\nname = "{name}"\nversion = "0.1.0"\n'


pytestmark = pytest.mark.usefixtures("fresh_state")


@pytest.fixture
def place(tmp_path) -> Path:
    return written(tmp_path / "environments" / "sums", "sums")


def written(folder: Path, name: str, code: str = "class Sums(vf.Taskset): x = 1\n") -> Path:
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT.format(name=name))
    (folder / "sums.py").write_text(code)
    return folder


def passed(place: Path, step: str = "test_reward") -> Ledger:
    ledger = Ledger(place)
    ledger.record(Report(step))
    return ledger


def refused(place: Path) -> str:
    finding = Ledger(place).gate("run_eval", None, "the command")
    assert finding.status == "fail"
    return finding.evidence


def test_nothing_is_written_into_the_environment(place, fresh_state):
    before = sorted(place.rglob("*"))
    assert passed(place).step("test_reward").state == "passed"
    assert sorted(place.rglob("*")) == before
    assert fresh_state.stat().st_mode & 0o777 == 0o700
    assert (fresh_state / "key").stat().st_mode & 0o777 == 0o600


def test_the_folder_is_the_users_state_folder(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert state_folder() == tmp_path / ".local" / "state" / "prime-lab-trainer"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "x"))
    assert state_folder() == tmp_path / "x" / "prime-lab-trainer"


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_an_edited_record_is_not_believed_and_the_gate_says_so(place):
    report = Report("test_reward")
    report.facts["share"] = 0.25
    ledger = Ledger(place)
    ledger.record(report)
    edited(ledger.path, "0.25", "0.75")
    assert "edited" in refused(place)
    status = run_script("workflow", "status", place, "--json", cwd=place.parent)
    assert status.report["facts"]["steps"]["test_reward"]["state"] == "unsigned"
    passed(place)
    assert Ledger(place).step("test_reward").state == "passed", "the step was run again"


def test_a_record_written_by_hand_is_not_believed(place, fresh_state):
    ledger = passed(place)
    forged = json.loads(ledger.path.read_text())
    forged["seal"] = "0" * 64
    for text in (json.dumps(forged), "{}", '{"content": {"steps": {}}}', "[" * 100_000, "\0"):
        ledger.path.write_text(text)
        assert "not believed" in refused(place), text[:40]


def test_a_record_of_another_environment_or_key_is_not_believed(place, tmp_path, fresh_state):
    other = written(tmp_path / "other", "other", "x = 2\n")
    ledger = passed(place)
    shutil.copyfile(ledger.path, Ledger(other).path)
    assert "not believed" in refused(other)
    (fresh_state / "key").write_text("1" * 64)
    assert "not believed" in refused(place)


def test_what_is_no_plain_file_is_not_waited_for(place):
    ledger = passed(place)
    ledger.path.unlink()
    os.mkfifo(ledger.path)
    assert "not believed" in refused(place)


def test_a_file_of_an_older_version_is_ignored_and_named(place):
    (place / ".prime-lab").mkdir()
    (place / ".prime-lab" / "ledger.json").write_text(
        json.dumps(
            {"steps": {"test_reward": {"verdict": "pass", "content": Ledger(place).content}}}
        )
    )
    assert ".prime-lab/ledger.json is of an older version and is not read" in refused(place)
    status = run_script("workflow", "status", place, cwd=place.parent)
    assert "ledger.json was written by an older version" in status.out


def test_no_record_is_lost_when_many_are_made_at_once(place, fresh_state):
    code = (
        "import sys; from pathlib import Path; from lab.cli.report import Report; "
        "from lab.ledger.records import Ledger\n"
        "for n in range(15): Ledger(Path(sys.argv[1])).record(Report(f'{sys.argv[2]}-{n}'))"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(place), str(number)],
            env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        )
        for number in range(4)
    ]
    assert [process.wait(120) for process in started] == [0] * 4
    ledger = Ledger(place)
    wanted = [f"{process}-{n}" for process in range(4) for n in range(15)]
    assert [name for name in wanted if not ledger.report_of(name)] == []


def test_a_content_that_changes_during_the_run_is_a_finding_and_no_pass(place):
    ledger = Ledger(place)
    (place / "sums.py").write_text("class Sums(vf.Taskset): x = 2\n")
    report = Report("test_reward")
    ledger.record(report)
    (finding,) = report.findings
    assert (finding.id, finding.status) == ("gate.content_unchanged", "fail")
    assert report.exit_code == 1
    assert Ledger(place).step("test_reward").state == "stale"
    (place / "sums.py").write_text("class Sums(vf.Taskset): x = 1\n")
    assert Ledger(place).step("test_reward").state == "failed"


def test_a_step_is_stale_only_when_an_aspect_that_it_rests_on_changed(place, monkeypatch):
    def two(environment: Path) -> dict[str, str]:
        text = (environment / "README.md").read_text()
        return {"content": text, "package": text, "reward": "same"}

    monkeypatch.setattr("lab.ledger.records.aspects", two)
    monkeypatch.setattr(
        "lab.ledger.records.RESTS_ON",
        {"test_reward": ("reward",), "push_environment": ("package",)},
    )
    (place / "README.md").write_text("first")
    passed(place)
    passed(place, "push_environment")
    (place / "README.md").write_text("second")
    ledger = Ledger(place)
    assert ledger.step("test_reward").state == "passed"
    assert ledger.step("push_environment").state == "stale"


def test_a_renamed_folder_keeps_its_records_and_is_found_by_name_and_content(
    place, tmp_path, monkeypatch
):
    content = passed(place).content
    moved = place.rename(place.with_name("renamed"))
    monkeypatch.chdir(tmp_path)
    for found in (find(name="someone/Sums@0.1.0"), find(content=content)):
        assert [known.folder for known in found] == [moved]
    assert Ledger(moved).gate("run_eval", None, "the command").status == "pass"
    passed(moved, "run_eval")
    (known,) = find(name="sums")
    assert known.path == moved and set(known.records) == {"test_reward", "run_eval"}


def test_a_copy_has_passed_what_its_content_has_passed(place, tmp_path):
    passed(place)
    copy = shutil.copytree(place, tmp_path / "copy")
    assert Ledger(copy).step("test_reward").state == "passed"
    (copy / "sums.py").write_text("x = 3\n")
    assert Ledger(copy).step("test_reward").open
    assert Ledger(place).step("test_reward").state == "passed"


def test_an_environment_that_is_gone_is_known_and_has_no_folder(place):
    passed(place)
    shutil.rmtree(place)
    (known,) = find(name="sums")
    assert known.folder is None and known.path == place
    assert find(name="another") == []


def test_an_environment_is_known_before_any_step(place):
    Ledger(place).register()
    (known,) = find(name="sums")
    assert known.folder == place and known.records == {}


def test_a_report_that_was_changed_is_not_the_steps_report(place):
    ledger = passed(place)
    assert ledger.report_of("test_reward")["tool"] == "test_reward"
    edited(Path(ledger.step("test_reward").report), "test_reward", "test_others")
    assert ledger.report_of("test_reward") == {}


def test_an_outcome_that_cannot_be_written_is_said_and_the_findings_are_kept(
    place, tmp_path, monkeypatch
):
    monkeypatch.setenv(VARIABLE, "/dev/full/state")
    report = Report("test_reward")
    with pytest.raises(LabError) as raised:
        Ledger(place).record(report)
    assert raised.value.code == 3 and raised.value.id == "ledger.not_written"
    assert VARIABLE in raised.value.fix


def test_two_evaluations_in_one_second_have_folders_of_their_own(tmp_path):
    code = (
        "import sys; from pathlib import Path; from lab.evaluation.runs import run_folder\n"
        "print(*(run_folder(Path(sys.argv[1]), 'env', 'model') for _ in range(20)), sep='\\n')"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "outputs")],
            env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    made = [line for process in started for line in process.communicate(timeout=600)[0].split()]
    assert len(made) == len(set(made)) == 60
