"""Evaluations that do not end, and what an environment puts where their log should be."""

from __future__ import annotations

import json
import os
import time

import pytest

from lab.evaluation import runs
from lab.rollouts.find import newest_run
from publishable import pass_the_ladder, write_environment
from run_script import run_script
from servers.scripted import Scripted
from test_hostile_environments import INIT

pytestmark = pytest.mark.usefixtures("fresh_state")

HANGS = "import time\ntime.sleep(600)\n"


def test_an_evaluation_that_does_nothing_is_ended(tmp_path):
    place = write_environment(tmp_path, **{"little_sums/__init__.py": HANGS + INIT})
    pass_the_ladder(place)
    with Scripted(lambda messages: "#### 1") as model:
        ran = run_script(
            *("run_eval", place, "-m", "a-model", "--base-url", model.url, "-n", 2, "-r", 1),
            *("--stall", 4, "--json", "--quiet"),
            cwd=tmp_path,
            timeout=600,
        )
    assert ran.code == 3 and ran.finding("eval.stalled"), ran.out


SWAPS = """
import atexit, json, os, sys
if "--run.name" in sys.argv:
    given = dict(zip(sys.argv, sys.argv[1:]))
    run = given["--output-dir"] + "/" + given["--run.name"]

    def swap():
        os.remove(run + "/prime_lab.json")
        os.symlink({victim!r}, run + "/prime_lab.json")
        os.symlink("/dev/zero", run + "/zero")
        os.mkfifo(run + "/results.jsonl")
        os.makedirs(run + "/better")
        with open(run + "/traces.jsonl") as log, open(run + "/better/traces.jsonl", "w") as other:
            other.write(log.read())
        open(run + "/better/prime_lab.json", "w").write(json.dumps({{"model": "a-better-one"}}))
        for name in ("/traces.jsonl", "/better/traces.jsonl"):
            os.utime(run + name, (4102444800, 4102444800))

    atexit.register(swap)
"""


@pytest.mark.long
def test_what_an_environment_puts_beside_the_log_is_neither_followed_nor_believed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    code = SWAPS.format(victim=str(victim))
    place = write_environment(tmp_path, **{"little_sums/__init__.py": code + INIT})
    pass_the_ladder(place)
    with Scripted(lambda messages: "#### 1") as model:
        ran = run_script(
            *("run_eval", place, "-m", "a-model", "--base-url", model.url, "-n", 2, "-r", 1),
            *("--json", "--quiet"),
            cwd=tmp_path,
            timeout=600,
        )
    assert ran.code in (0, 1, 4), ran.out
    assert victim.read_text() == "mine"
    (run,) = (tmp_path / "outputs").iterdir()
    assert not (run / "prime_lab.json").is_symlink()
    assert json.loads((run / "prime_lab.json").read_text())["model"] == "a-model"
    assert not [*run.glob("zero"), *run.glob("results.jsonl"), *run.glob("better/*")]
    assert newest_run(tmp_path / "outputs") == run
    assert (run / "traces.jsonl").stat().st_mtime <= time.time()


@pytest.mark.parametrize("put", ["a pipe", "a device", "a line without an end", "a link"])
def test_a_log_that_is_none_is_not_waited_for(tmp_path, put, monkeypatch):
    log = tmp_path / "traces.jsonl"
    monkeypatch.setattr(runs, "LONGEST_LINE", 1 << 10)
    good = '{"ok": true, "traces": [{"calls": [{}]}]}\n'
    if put == "a pipe":
        os.mkfifo(log)
    elif put == "a device":
        log.symlink_to("/dev/zero")
    elif put == "a link":
        (tmp_path / "other").write_text(good)
        log.symlink_to(tmp_path / "other")
    else:
        log.write_text("x" * (5 << 10) + "\n" + good + "x" * (5 << 10))
    found = int(put == "a line without an end")
    assert runs.well(tmp_path) == runs.calls(tmp_path) == found
    assert runs.count_lines(log) == 2 * found
    log.unlink()
    log.write_text('{"ok": true, "traces": 7, "task": []}\n{"traces": [{"calls": 1}], "task": 1}\n')
    assert runs.calls(tmp_path) == 0 and runs.prompts(tmp_path) == []
