"""The first steps of the ladder, run once for several tests: a profile and a written
environment."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from run_script import ROOT, SCRIPTS, run_script

WORD_PROBLEMS = ROOT / "demo" / "word_problems.jsonl"
SHARED = Path(os.environ.get("LAB_SHARED_DATA") or ROOT.parent / "shared" / "data")


def write_environment(
    folder: Path, data: Path = WORD_PROBLEMS, name: str = "word-problems"
) -> Path:
    """Inspect `data` and write the environment, through the scripts; returns its folder."""
    assert (
        run_script("inspect_dataset", data, "--out", "profile.json", "--quiet", cwd=folder).code
        == 0
    )
    ran = run_script("new_environment", name, "--profile", "profile.json", "--json", cwd=folder)
    assert ran.code == 0, ran.out
    return folder / "environments" / name.replace("-", "_")


def copy_of(environment: Path, folder: Path) -> Path:
    """A copy to tamper with, at the same relative place under `folder`."""
    place = folder / "environments" / environment.name
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(environment, place)
    return place


def replace_once(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} is in {path.name} {text.count(old)} times"
    path.write_text(text.replace(old, new))


def start_script(name: str, *args: object, cwd: Path) -> subprocess.Popen[str]:
    """A script in a process group of its own, so that it can be interrupted like on a terminal."""
    return subprocess.Popen(
        [sys.executable, str(SCRIPTS / f"{name}.py"), *map(str, args)],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def interrupt(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Ctrl-C, and what the script then says."""
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


def processes_naming(text: str) -> list[str]:
    """Command lines of running processes that mention `text`, read from /proc."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line and str(os.getpid()) != path.parent.name:
            found.append(line)
    return found
