"""A disk that is full or read-only: the machine is blamed and no defect, what was found is said all
the same, and nothing is left half-written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ladder import WORD_PROBLEMS
from marks import soak
from rollout_logs import episode, write
from run_script import SCRIPTS

OWN_MOUNTS = ["unshare", *([] if os.getuid() == 0 else ["--map-root-user"]), "--mount"]
MOUNTED = (
    "mount -t tmpfs -o size=32k none disk && {{ {prepare}; }} && "
    '"$@"; code=$?; echo; ls -A1 disk; exit $code'
)
DISKS = {
    "full": ("head -c 1M /dev/zero > disk/filler 2> /dev/null; true", "No space left on device"),
    "read-only": ("touch disk/filler; mount -o remount,ro disk", "Read-only file system"),
}
COMMANDS = {
    "inspect_dataset": ("rows.jsonl", "--out", "disk/profile.json"),
    "new_environment": ("sums", "--pattern", "numeric", "--into", "disk"),
    "export_sft": ("run", "--out", "disk/warm", "--config", "warm.toml", "--min-reward", "1"),
    "check_reward_distribution": ("--results", "run", "--keep-tasks", "disk/keep.toml"),
    "compare_evals": ("run", "run", "--markdown", "disk/table.md"),
    "submit_training": ("--env", "someone/sums", "--self-hosted", "disk/sums"),
}
"""What each writes where there is no room."""
FIRST = "new_environment"


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "disk").mkdir()
    line = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", str(tmp_path / "disk")]
    mounted = shutil.which("unshare") and subprocess.run(line, capture_output=True, check=False)
    if not mounted or mounted.returncode:
        pytest.skip("this user may mount nothing")
    shutil.copyfile(WORD_PROBLEMS, tmp_path / "rows.jsonl")
    rollouts = [episode(i, r, float((i + r) % 4 < 2)) for i in range(12) for r in range(4)]
    write(tmp_path / "run" / "traces.jsonl", rollouts)
    return tmp_path


def ran(folder: Path, disk: str, name: str, *words: str) -> tuple[int, dict, str, list[str]]:
    """Exit code, report, stderr, and what lies on the disk afterwards."""
    line = [sys.executable, str(SCRIPTS / f"{name}.py"), *words, "--json", "--quiet"]
    done = subprocess.run(
        [*OWN_MOUNTS, "bash", "-c", MOUNTED.format(prepare=DISKS[disk][0]), "bash", *line],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    out, _, there = done.stdout.rpartition("\n}\n")
    return done.returncode, json.loads(out + "}"), done.stderr, there.split()


@pytest.mark.parametrize("disk", DISKS)
@pytest.mark.parametrize("name", [FIRST, *(soak(name) for name in COMMANDS if name != FIRST)])
def test_what_cannot_be_written_is_the_machines_fault_and_leaves_nothing(folder, disk, name):
    code, report, err, there = ran(folder, disk, name, *COMMANDS[name])
    error = report["findings"][-1]
    assert (code, error["id"]) == (3, "run.files"), report
    assert DISKS[disk][1] in error["evidence"] and "defect" not in error["fix"]
    assert there == ["filler"] and "Traceback" not in err


@pytest.mark.parametrize("disk", DISKS)
def test_a_verdict_is_said_where_its_page_cannot_be_written(folder, disk):
    words = ("rows.jsonl", "--html", "disk/page.html")
    code, report, err, there = ran(folder, disk, "inspect_dataset", *words)
    assert code == 3 and report["verdict"] in ("pass", "warn") and len(report["findings"]) > 10
    assert DISKS[disk][1] in err and there == ["filler"]


def test_a_place_that_leads_through_a_file_is_wrong_input(tmp_path):
    shutil.copyfile(WORD_PROBLEMS, tmp_path / "rows.jsonl")
    line = [sys.executable, str(SCRIPTS / "inspect_dataset.py"), "rows.jsonl", "--json", "--out"]
    line.append("rows.jsonl/profile.json")
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and json.loads(done.stdout)["findings"][-1]["id"] == "input.files"


WAITS = """
import sys
from pathlib import Path
from lab.process.sandbox import Sandbox
line = [sys.executable, "-c", "import time; time.sleep(600)"]
with Sandbox(write=[Path("disk").absolute()]).start(line) as running:
    print(running.process.communicate(timeout=300)[0].decode())
"""


@pytest.mark.parametrize(("size", "ends"), [("200m", True), ("900m", False)])
def test_foreign_code_is_ended_before_the_disk_that_it_writes_to_is_full(folder, size, ends):
    mount = f'mount -t tmpfs -o size={size} none disk && "$@"'
    code = WAITS if ends else WAITS.replace("sleep(600)", "sleep(2)")
    done = subprocess.run(
        [*OWN_MOUNTS, "sh", "-c", mount, "sh", sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert ("the disk is nearly full" in done.stdout) is ends
