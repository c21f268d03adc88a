"""`monitor_training.py RUN --watch --html`: the page follows the run, and watching ends with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from run_script import SCRIPTS
from servers.prime_api import PrimeApi
from trained import started_run


def records(steps: int) -> list[dict]:
    return [
        {
            "step": i,
            "train/agg/effective/agent/reward/mean": 0.3 + 0.01 * i,
            "entropy/all/mean": 0.5,
            "mismatch_kl/all/mean": 0.002,
        }
        for i in range(steps)
    ]


@pytest.mark.long
def test_the_page_follows_until_the_run_ends(tmp_path):
    page = tmp_path / "run.html"
    with PrimeApi() as api:
        run = started_run(api, "RUNNING", metrics=records(10))
        process = subprocess.Popen(
            [
                sys.executable,
                str(SCRIPTS / "monitor_training.py"),
                run,
                "--watch",
                "--every",
                "1",
                "--html",
                str(page),
            ],
            cwd=tmp_path,
            env={**os.environ, **api.environ(tmp_path / "home")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        deadline = time.monotonic() + 120
        while not page.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        early = page.read_text()
        assert process.poll() is None and "status RUNNING" in early and "step 9 of 100" in early
        assert "entropy by step" in early and "mismatch of trainer and sampler by step" in early, (
            "two scales, two pictures"
        )
        api.metrics[run] = records(40)
        api.runs[run]["status"] = "COMPLETED"
        out, _ = process.communicate(timeout=600)
        assert process.returncode in (0, 1, 4) and "status COMPLETED" in out
        assert "status COMPLETED" in page.read_text() and "step 39 of 100" in page.read_text()
        assert api.sent("PUT", "*") == [] and api.sent("POST", "*") == []
