"""No training run is started past a gate or without a yes; one is, with all of them."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from lab.platform.prime.archive import hub_hash
from publishable import pass_the_ladder, record_failed_or_stale, write_environment
from run_script import SCRIPTS
from servers.prime_api import PrimeApi
from submissions import SLUG, submit


@pytest.fixture
def hub():
    with PrimeApi() as api:
        yield api
        assert api.complaints == []


@pytest.fixture
def published(tmp_path, hub, fresh_state) -> Path:
    """An environment for which everything is in order: passed, by a real model, and on the hub."""
    environment = write_environment(tmp_path / "environments")
    pass_the_ladder(environment)
    hub.publish(SLUG, hub_hash(environment))
    return environment


def break_ladder(environment, api):
    record_failed_or_stale(environment, "failed")


def break_freshness(environment, api):
    (environment / "little_sums" / "more.py").write_text("MORE = 1\n")
    api.environments[SLUG].versions[-1].content_hash = hub_hash(environment)


def break_model(environment, api):
    break_freshness(environment, api)
    pass_the_ladder(environment, simulated=True)


def break_review(environment, api):
    break_freshness(environment, api)
    pass_the_ladder(environment, reviewed=False)


def break_hub(environment, api):
    del api.environments[SLUG]


def break_content(environment, api):
    api.environments[SLUG].versions[-1].content_hash = "1" * 64


SPEND = ("--env", SLUG, "--yes")


CASES = {
    "an earlier step failed": (break_ladder, SPEND, 1, "gate.earlier_steps"),
    "the content changed since": (break_freshness, SPEND, 1, "gate.earlier_steps"),
    "only a simulated policy was evaluated": (break_model, SPEND, 1, "gate.simulated_only"),
    "nobody has reviewed this content": (break_review, SPEND, 1, "gate.blind_review"),
    "the environment is not on the hub": (break_hub, SPEND, 1, "hub.environment"),
    "the hub has other content": (break_content, SPEND, 1, "hub.same_content"),
    "the estimate is above the limit": (None, (*SPEND, "--max-cost", "0.01"), 1, "cost.estimate"),
    "the training file is wrong": (None, (*SPEND, "--rollouts", 1), 1, "config.group_size"),
    "nobody said yes": (None, ("--env", SLUG), 2, "input.not_confirmed"),
    "a dry run with a yes": (None, (*SPEND, "--dry-run"), 0, ""),
    "a conversion with a yes": (None, ("--convert", "old.toml", "--yes"), None, ""),
    "self-hosted files with a yes": (None, (*SPEND, "--self-hosted", "own"), None, ""),
}


@pytest.mark.parametrize("case", CASES)
def test_no_run_is_started_past_a_gate(published, hub, tmp_path, case):
    breaks, args, code, id = CASES[case]
    if breaks:
        breaks(published, hub)
    (tmp_path / "old.toml").write_text(
        'model = "Qwen/Qwen3-4B"\nmax_steps = 10\nbatch_size = 64\nrollouts_per_example = 8\n'
        '[[env]]\nid = "someone/little-sums"\n'
    )
    ran = submit(tmp_path, hub, *args)
    assert hub.changes() == [], f"{case}: {hub.changes()}"
    if code is not None:
        assert ran.code == code, ran.out
    if id:
        assert ran.finding(id)["status"] == "fail", ran.out
    assert not ran.report["facts"].get("run_id")


@pytest.mark.long
def test_with_every_gate_open_a_yes_starts_one_run_and_no_login_starts_none(
    published, hub, tmp_path
):
    ran = submit(tmp_path, hub, *SPEND, PRIME_API_KEY="")
    assert ran.code == 3 and ran.finding("prime.not_logged_in") and hub.requests == []
    ran = submit(tmp_path, hub, *SPEND)
    assert ran.code == 0 and ran.report["facts"]["run_id"], ran.out
    assert submit(tmp_path, hub, *SPEND).code == 0
    assert len(hub.sent("POST", "/training/runs")) == 1, (
        "a second yes for the same file finds the run that is under way"
    )


def on_a_terminal(folder: Path, api: PrimeApi, answer: str) -> int:
    """submit_training.py with a terminal for stdin and stderr: questions about the run get their
    default, the one about starting it gets `answer`."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(SCRIPTS / "submit_training.py"), "--env", SLUG],
        cwd=folder,
        env={**os.environ, **api.environ(folder / "home")},
        stdin=slave,
        stdout=subprocess.DEVNULL,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    shown = b""
    try:
        while b"[y/N]" not in shown:
            shown += os.read(master, 4096)
            if shown.endswith(b"]: "):
                os.write(master, b"\n")
        os.write(master, answer.encode())
        while True:
            os.read(master, 4096)
    except OSError:  # the other side is closed: the script has ended
        pass
    finally:
        os.close(master)
    return process.wait(timeout=600)


def test_on_a_terminal_only_a_typed_yes_starts_a_run(published, hub, tmp_path):
    for answer in ("yess\n",):  # test_terminal_questions.py has the other words
        assert on_a_terminal(tmp_path, hub, answer) == 2
    assert hub.sent("POST", "/training/runs") == []
    assert on_a_terminal(tmp_path, hub, "y\n") == 0
    assert len(hub.sent("POST", "/training/runs")) == 1
