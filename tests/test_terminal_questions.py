"""Questions on a terminal: answers count, and an empty line never publishes or launches."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest

from lab.cli.command import Progress, confirm
from lab.cli.report import LabError, Report
from lab.ledger.records import Ledger
from lab.platform.package import open_folder
from lab.platform.package.publish import publish
from lab.platform.package.smoke import check_smoke
from publishable import TASKSET, pass_the_ladder, write_environment
from run_script import SCRIPTS
from servers.prime_api import OWNER, PrimeApi

SLUG = f"{OWNER}/little-sums"


@pytest.fixture
def api():
    with PrimeApi() as running:
        yield running
        assert running.complaints == []


def posted(api: PrimeApi) -> list[str]:
    return [request.path for request in api.requests if request.method != "GET"]


class Terminal:
    """A terminal of our own in place of stdin and stderr; what is typed waits in it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: str):
        self.master, slave = pty.openpty()
        monkeypatch.setattr(sys, "stdin", os.fdopen(slave, "r", closefd=False))
        monkeypatch.setattr(sys, "stderr", os.fdopen(slave, "w", closefd=False))
        os.write(self.master, "".join(f"{line}\n" for line in lines).encode())

    def shown(self) -> str:
        text = b""
        while select.select([self.master], [], [], 0.05)[0]:
            text += os.read(self.master, 4096)
        return text.decode()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("", False), ("n", False), ("yess", False), ("ja", False), ("y", True), (" YES ", True)],
)
def test_only_a_yes_is_a_yes(monkeypatch, typed, meant):
    terminal = Terminal(monkeypatch, typed)
    assert confirm("Is it meant?") is meant
    assert "Is it meant? [y/N] " in terminal.shown()


class TestPublishing:
    """The real client; the build of the clean environment has its own tests."""

    def ask(self, api, tmp_path, monkeypatch, *lines: str) -> tuple[Report, str]:
        folder = write_environment(tmp_path)
        pass_the_ladder(folder)
        for key, value in {
            **api.environ(tmp_path / "home"),
            "UV_NO_BUILD_ISOLATION": "1",
            "UV_PYTHON": sys.executable,
        }.items():
            monkeypatch.setenv(key, value)
        report = Report("push_environment")
        report.facts = {"pushed": False}
        flags = Namespace(
            visibility=None,
            owner=None,
            team=None,
            bump=None,
            force=None,
            yes=False,
            env=str(folder),
        )
        terminal = Terminal(monkeypatch, *lines)
        try:
            publish(
                flags, report, Progress(quiet=True), open_folder(folder), Ledger(folder), confirm
            )
        except LabError as error:
            report.error = error
        return report, terminal.shown()

    @pytest.mark.parametrize(
        ("lines", "id"),
        [
            (("",), "input.visibility"),
            (("yes",), "input.visibility"),
            (("PRIVATE", ""), "input.not_confirmed"),
            (("public", "sure"), "input.not_confirmed"),
        ],
    )
    def test_nothing_but_both_answers_publishes(self, api, tmp_path, monkeypatch, lines, id):
        report, shown = self.ask(api, tmp_path, monkeypatch, *lines)
        assert report.exit_code == 2 and report.error.id == id and "PUBLIC or PRIVATE?" in shown
        assert posted(api) == [] and api.environments == {}

    def test_both_answers_publish_what_was_asked_for(self, api, tmp_path, monkeypatch):
        report, shown = self.ask(api, tmp_path, monkeypatch, "private", "y")
        assert report.exit_code == 0 and api.environments[SLUG].visibility == "PRIVATE"
        assert f"publish {SLUG} 0.1.0" in shown and "as PRIVATE" in shown, (
            "the question names what, which version and for whom"
        )


def converse(folder: Path, api: PrimeApi, answers: dict[str, str], *args: str) -> tuple[int, str]:
    """submit_training.py on a terminal; each question that contains a key gets its answer, the
    others an empty line. Returns the exit code and what the terminal showed."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(SCRIPTS / "submit_training.py"), *args],
        cwd=folder,
        env={**os.environ, **api.environ(folder / "home")},
        stdin=slave,
        stdout=subprocess.DEVNULL,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    shown, asked, deadline = "", 0, time.monotonic() + 120
    try:
        while time.monotonic() < deadline:
            shown += os.read(master, 4096).decode(errors="replace")
            last = shown[asked:].rstrip("\r").rpartition("\n")[2]
            if last.endswith((": ", "[y/N] ")):
                asked = len(shown)
                os.write(
                    master,
                    (
                        next((answer for key, answer in answers.items() if key in last), "") + "\n"
                    ).encode(),
                )
    except OSError:  # the other side is closed: the script has ended
        pass
    finally:
        os.close(master)
    return process.wait(timeout=600), shown


@pytest.mark.usefixtures("fresh_state")
class TestFastPath:
    @pytest.mark.long
    def test_by_questions_alone_and_only_a_yes_starts_it(self, api, tmp_path):
        api.publish(SLUG)
        answers = {
            "environment on the hub": SLUG,
            "model to train": "Qwen/Qwen3-0.6B",
            "training steps": "30",
            "rollouts per task": "8",
            "completion tokens": "256",
        }
        code, shown = converse(tmp_path, api, answers)
        assert (
            code == 2
            and "start this run of 30 steps" in shown
            and "USD" in shown
            and api.sent("POST", "/training/runs") == []
        )
        code, shown = converse(tmp_path, api, {**answers, "start this run": "y"})
        assert code == 0, shown
        [sent] = [request.body["config"] for request in api.sent("POST", "/training/runs")]
        source = sent["orchestrator"]["train"]["source"][0]
        assert (
            sent["model"]["name"] == "Qwen/Qwen3-0.6B"
            and sent["max_steps"] == 30
            and source["group_size"] == 8
        )
        assert (
            source["env"]["taskset"]["id"] == SLUG
            and sent["orchestrator"]["train"]["sampling"]["max_completion_tokens"] == 256
        )

    @pytest.mark.parametrize(
        "answers",
        [{}, {"environment on the hub": SLUG, "training steps": "many"}],
        ids=["no environment", "steps in words"],
    )
    def test_what_makes_no_sense_ends_before_anything_is_asked_of_the_platform(
        self, api, tmp_path, answers
    ):
        code, _ = converse(tmp_path, api, answers)
        assert code == 2 and api.requests == [] and not (tmp_path / "configs").exists()


class TestSmoke:
    @pytest.mark.long
    def test_two_tasks_go_through_vf_eval_and_nothing_is_left_behind(self, tmp_path):
        folder = write_environment(tmp_path)
        before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
        found = check_smoke(open_folder(folder))
        assert found.status == "pass" and found.measured == "2 rollouts", found
        assert (
            sorted(
                path.relative_to(tmp_path)
                for path in tmp_path.rglob("*")
                if "__pycache__" not in path.parts
            )
            == before
        )

    @pytest.mark.long
    def test_a_reward_that_raises_in_the_first_rollout_is_found(self, tmp_path):
        broken = TASKSET.replace(
            "        return float((trace.last_reply",
            "        raise RuntimeError('no judge here')\n        return float((trace.last_reply",
        )
        found = check_smoke(
            open_folder(write_environment(tmp_path, **{"little_sums/taskset.py": broken}))
        )
        assert found.status == "fail" and found.fix and "run_eval.py" in found.fix, found
