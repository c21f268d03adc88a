"""`make demo`, as a newcomer runs it after set-up: the whole ladder with loopback only."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ladder import SHARED
from run_script import ROOT

OFFLINE = ["unshare", "-rn", "bash", "-c", 'ip link set lo up && exec "$@"', "offline"]


def namespaces() -> bool:
    if not shutil.which("unshare") or not shutil.which("ip"):
        return False
    return subprocess.run([*OFFLINE, "true"], capture_output=True, check=False).returncode == 0


def walk(work: Path, *args: object) -> subprocess.CompletedProcess[str]:
    prefix = OFFLINE if namespaces() else []
    line = [
        *prefix,
        sys.executable,
        str(ROOT / "demo" / "walk.py"),
        "--work",
        str(work),
        *map(str, args),
    ]
    return subprocess.run(
        line, cwd=work.parent, capture_output=True, text=True, timeout=800, check=False
    )


def assert_walked(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    reports = [json.loads(path.read_text()) for path in sorted((folder / "reports").glob("*.json"))]
    assert len(reports) == 10
    assert {report["verdict"] for report in reports} <= {"pass", "warn", "rehearsed"}
    config = next((folder / "configs" / "rl").glob("*.toml"))
    training = tomllib.loads(config.read_text())
    assert {"trainer", "orchestrator", "inference"} <= set(training)
    assert not isinstance(training["model"], str) and "env" not in training, "the flat form is dead"
    assert str(config) in done.stdout
    assert "nothing was published, uploaded or submitted" in done.stdout
    assert "next:" in done.stdout


@pytest.mark.soak
@pytest.mark.skipif(not namespaces(), reason="no network namespaces here: unshare -rn is refused")
def test_the_bundled_dataset_without_a_network(tmp_path):
    work = tmp_path / "work"
    done = walk(work)
    assert_walked(done, work / "demo-word-problems")


@pytest.mark.soak
@pytest.mark.skipif(
    not (SHARED / "gsm8k_test.jsonl").is_file(),
    reason="the GSM8K test split is not beside the project",
)
def test_the_gsm8k_test_split(tmp_path):
    work = tmp_path / "work"
    done = walk(work, "--data", SHARED / "gsm8k_test.jsonl")
    assert_walked(done, work / "demo-gsm8k-test")
    profile = json.loads((work / "demo-gsm8k-test" / "profile.json").read_text())
    assert profile["facts"]["rows"] == 1319


def test_a_dataset_that_is_not_there(tmp_path):
    done = walk(tmp_path / "work", "--data", tmp_path / "nothing.jsonl")
    assert done.returncode == 2
    assert "does not exist" in done.stderr and "make demo DATA=" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_step_that_fails_stops_the_walk_and_names_its_fix(tmp_path):
    data = tmp_path / "empty.jsonl"
    data.touch()
    done = walk(tmp_path / "work", "--data", data)
    assert done.returncode == 2
    assert "stopped at inspect_dataset with exit code 2" in done.stdout
    assert "new_environment" not in done.stdout
