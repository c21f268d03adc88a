"""One request starts one run, whatever is cut off, lost, repeated or late."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lab.platform.submission.journal import UNSEEN_SECONDS, Journal
from marks import soak
from run_script import ROOT, run_script
from servers.prime_api import OWNER, PrimeApi
from training_files import HOSTED, example

SLUG = f"{OWNER}/little-sums"
FILE = example(steps=20, ckpt=None).replace("owner/my-env", SLUG)
CREATE = "/training/runs"


@pytest.fixture
def api() -> Iterator[PrimeApi]:
    with PrimeApi() as running:
        running.publish(SLUG)
        yield running
        assert running.complaints == []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state of this user; the journal is read here as the script reads it."""
    monkeypatch.setenv("PRIME_LAB_STATE", str(tmp_path / "state"))
    return tmp_path / "home"


def environ(api: PrimeApi, home: Path) -> dict[str, str]:
    path = os.pathsep.join((str(ROOT / "scripts"), str(ROOT / "tests")))
    return {**os.environ, **api.environ(home), "PYTHONPATH": path}


def start(api: PrimeApi, home: Path, file: Path, *flags: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "one_submission.py"), str(file), *flags],
        env=environ(api, home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def once(api: PrimeApi, home: Path, file: Path, *flags: str) -> tuple[int, str]:
    process = start(api, home, file, *flags)
    out, err = process.communicate(timeout=600)
    assert "Traceback" not in err, err
    return process.returncode, out.strip()


def submit(api: PrimeApi, home: Path, cwd: Path, *args: object):
    return run_script("submit_training", *args, "--json", cwd=cwd, env=api.environ(home))


def written(folder: Path, text: str = FILE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.toml").write_text(text)
    return folder / "mine.toml"


def journals() -> list[Journal]:
    folder = Journal("x").folder.parent
    return [Journal(path.name) for path in folder.iterdir()] if folder.is_dir() else []


def let_time_pass() -> None:
    """As if the last request had been made longer ago than a run may stay unlisted."""
    for journal in journals():
        entry = json.loads(journal.path.read_text())
        entry["at"] = (datetime.now(UTC) - timedelta(seconds=UNSEEN_SECONDS + 1)).isoformat()
        journal.path.write_text(json.dumps(entry))


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition never came true"
        time.sleep(0.01)


def state() -> str:
    found = [journal.read().get("state", "") for journal in journals()]
    return found[0] if found else ""


def waits_for_the_lock(process: subprocess.Popen[str]) -> bool:
    """Whether it has opened the lock of its submission: it has it, or asks until it has it."""
    opened = set()
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            opened.add(link.readlink())
    return bool(opened & {journal.folder / "lock" for journal in journals()})


def answer_size() -> int:
    found = [journal.answer for journal in journals() if journal.answer.exists()]
    return found[0].stat().st_size if found else -1


class TestStopped:
    """The process is ended at a point of its way, and the command is repeated."""

    WAYS = ("KILL", "HUP", "TERM", "INT")

    def stop_and_repeat(
        self, api: PrimeApi, home: Path, file: Path, way: str, ready: Callable[[], bool]
    ) -> None:
        process = start(api, home, file)
        until(lambda: ready() or process.poll() is not None)
        with suppress(ProcessLookupError):  # it may have gone on to its end meanwhile
            os.killpg(process.pid, getattr(signal, f"SIG{way}"))
        for fault in api.faults:
            fault.release.set()
        process.communicate(timeout=600)
        code, out = once(api, home, file)
        assert len(api.runs) <= 1
        if code == 3:
            assert out == "run.unknown"
            let_time_pass()
            code, out = once(api, home, file)
        assert code == 0 and list(api.runs) == [out]
        assert once(api, home, file) == (0, out) and len(api.runs) == 1

    @pytest.mark.parametrize(
        "way",
        ["KILL", "INT", soak("HUP"), soak("TERM")],
    )
    def test_while_the_request_is_under_way(self, api, home, tmp_path, way):
        held = api.fault("POST", CREATE, hold="before", times=1)
        self.stop_and_repeat(api, home, written(tmp_path), way, held.reached.is_set)
        assert len(api.sent("POST", CREATE)) == 1, "the client finished what it had begun"

    @pytest.mark.soak
    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize(
        ("method", "path", "place"),
        [
            ("GET", "/rft/runs", "before"),
            ("POST", "/training/runs/prepare", "before"),
            ("POST", "/training/runs/prepare", "after"),
            ("POST", CREATE, "after"),
        ],
    )
    def test_at_each_request(self, api, home, tmp_path, way, method, path, place):
        held = api.fault(method, path, hold=place, times=1)
        self.stop_and_repeat(api, home, written(tmp_path), way, held.reached.is_set)

    @pytest.mark.soak
    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize(
        "ready",
        [
            lambda: state() == "prepared",
            lambda: state() == "sending",
            lambda: answer_size() >= 0,
            lambda: answer_size() > 0,
            lambda: state() == "started",
        ],
        ids=["prepared", "sending", "client started", "answered", "recorded"],
    )
    def test_at_each_state_of_the_journal(self, api, home, tmp_path, way, ready):
        self.stop_and_repeat(api, home, written(tmp_path), way, ready)


class TestRepeated:
    def test_two_calls_at_once_start_one_run(self, api, home, tmp_path):
        held = api.fault("POST", CREATE, hold="before", times=1)
        file = written(tmp_path)
        first, second = start(api, home, file), start(api, home, file)
        until(held.reached.is_set)
        until(lambda: all(waits_for_the_lock(process) for process in (first, second)))
        held.release.set()
        outs = [process.communicate(timeout=600)[0].strip() for process in (first, second)]
        assert len(api.sent("POST", CREATE)) == 1 and outs == [*api.runs] * 2

    @pytest.mark.long
    def test_an_error_after_the_creation_and_a_list_that_lags(self, api, home, tmp_path):
        api.lagging = True
        api.fault("POST", CREATE, status=500, acts=True, times=1)
        file = written(tmp_path)
        assert once(api, home, file) == (3, "run.unknown")
        assert once(api, home, file) == (3, "run.unknown"), "it may still show up"
        assert once(api, home, file, "--new-run") == (3, "run.unknown")
        api.unlisted.clear()
        assert once(api, home, file) == (0, *api.runs) and len(api.sent("POST", CREATE)) == 1

    def test_a_run_that_is_not_listed_yet_is_not_started_again(self, api, home, tmp_path):
        api.lagging = True
        file = written(tmp_path)
        code, run = once(api, home, file)
        assert code == 0 and once(api, home, file) == (0, run) and len(api.runs) == 1

    @pytest.mark.parametrize("statuses", [(402,), soak((400, 403, 409, 422))])
    def test_a_refusal_is_certain_and_the_next_call_sends(self, api, home, tmp_path, statuses):
        file = written(tmp_path)
        for status in statuses:
            api.faults.clear()
            api.fault("POST", CREATE, status=status, detail="no capacity for you")
            code, out = once(api, home, file)
            assert code == 3 and out.startswith("prime."), (status, out)
        api.faults.clear()
        assert once(api, home, file) == (0, *api.runs) and len(api.runs) == 1

    @pytest.mark.long
    def test_after_a_failure_that_started_nothing_it_waits_before_it_sends(
        self, api, home, tmp_path
    ):
        api.fault("POST", CREATE, status=503, times=1)
        file = written(tmp_path)
        assert once(api, home, file) == (3, "run.unknown")
        assert once(api, home, file) == (3, "run.unknown") and api.runs == {}
        let_time_pass()
        assert once(api, home, file) == (0, *api.runs) and len(api.runs) == 1

    @pytest.mark.soak
    def test_from_another_folder_with_many_newer_runs(self, api, home, tmp_path, monkeypatch):
        _, run = once(api, home, written(tmp_path / "here"))
        other = dict(api.runs[run])
        for number in range(230):
            api.runs[f"x{number}"] = {**other, "id": f"x{number}", "name": f"other-{number}"}
            api.runs[f"x{number}"]["runConfig"] = {"max_steps": number}
        monkeypatch.setenv("PRIME_LAB_STATE", str(tmp_path / "another machine"))
        assert once(api, home, written(tmp_path / "there")) == (0, run)
        assert len(api.sent("POST", CREATE)) == 1

    def test_new_run_starts_one_more_each_time(self, api, home, tmp_path):
        file = written(tmp_path)
        ids = [once(api, home, file)[1]] + [once(api, home, file, "--new-run")[1] for _ in "ab"]
        names = [api.runs[id]["name"] for id in ids]
        assert len(set(ids)) == len(api.runs) == 3 and names[2] == f"{names[0]}-3"

    @pytest.mark.long
    def test_another_model_and_an_edited_file_of_the_same_name_are_other_runs(
        self, api, home, tmp_path
    ):
        model = "Qwen/Qwen3-4B-Instruct-2507"
        named = HOSTED.replace("owner/my-env", SLUG)
        for text in (
            FILE,
            FILE.replace(model, "Qwen/Qwen3-0.6B"),
            named,
            named.replace("max_steps = 100", "max_steps = 60"),
        ):
            assert once(api, home, written(tmp_path, text))[0] == 0
        assert [(run["baseModel"], run["maxSteps"]) for run in api.runs.values()] == [
            (model, 20),
            ("Qwen/Qwen3-0.6B", 20),
            (model, 100),
            (model, 60),
        ]

    @pytest.mark.soak
    def test_a_new_run_that_was_cut_off_is_not_started_twice(self, api, home, tmp_path):
        file = written(tmp_path)
        once(api, home, file)
        held = api.fault("POST", CREATE, hold="after", times=1)
        process = start(api, home, file, "--new-run")
        until(held.reached.is_set)
        os.killpg(process.pid, signal.SIGKILL)
        held.release.set()
        process.communicate()
        code, second = once(api, home, file, "--new-run")
        assert code == 0 and list(api.runs)[1] == second and len(api.runs) == 2

    def test_a_run_that_was_sent_by_hand_is_found_by_its_file(self, api, home, tmp_path):
        file = written(tmp_path, 'name = "by-hand"\n' + FILE)
        environment = environ(api, home)
        prime = Path(sys.executable).with_name("prime")
        subprocess.run(
            [prime, "train", file, "--yes"], env=environment, check=True, capture_output=True
        )
        assert once(api, home, file) == (0, *api.runs) and len(api.runs) == 1


class TestOnTheCommandLine:
    @pytest.mark.long
    @pytest.mark.parametrize(
        ("status", "code", "words"),
        [
            soak("RUNNING", 0, "already"),
            soak("PAUSED", 1, "prime train resume"),
            ("COMPLETED", 1, "--new-run"),
        ],
    )
    def test_a_repeated_call_by_the_state_of_its_run(
        self, api, home, tmp_path, status, code, words
    ):
        written(tmp_path)
        first = submit(api, home, tmp_path, "--config", "mine.toml", "--yes")
        run = first.report["facts"]["run_id"]
        assert first.code == 0 and list(api.runs) == [run], first.out
        api.runs[run]["status"] = status
        again = submit(api, home, tmp_path, "--config", "mine.toml", "--yes")
        found = again.finding("run.submitted")
        assert again.code == code and words in found["evidence"] + found["fix"], again.out
        assert again.report["facts"]["run_id"] == run and len(api.sent("POST", CREATE)) == 1

    @pytest.mark.long
    def test_a_new_version_of_the_environment_is_another_run(self, api, home, tmp_path):
        flags = ("--env", SLUG, "--steps", 20, "--yes")
        assert submit(api, home, tmp_path, *flags).code == 0
        api.publish(SLUG, content_hash="1" * 64, number="0.2.0")
        assert submit(api, home, tmp_path, *flags).code == 0 and len(api.runs) == 2

    @pytest.mark.long
    def test_what_is_sent_is_what_was_shown(self, api, home, tmp_path):
        import tomllib

        text = 'env_files = ["keys/wandb.env"]\n' + HOSTED.replace("owner/my-env", SLUG)
        written(tmp_path, text)
        (tmp_path / "keys").mkdir()
        (tmp_path / "keys" / "wandb.env").write_text("WANDB_API_KEY=of-the-user\n")
        ran = submit(api, home, tmp_path, "--config", "mine.toml", "--yes")
        assert ran.code == 0, ran.out
        [sent] = api.sent("POST", CREATE)
        shown = {key: value for key, value in tomllib.loads(text).items() if key != "env_files"}
        assert {**sent.body["config"], "name": "my-env-run"} == shown
        assert sent.body["name"].startswith("my-env-run-") and sent.body["wandbApiKey"]
        assert (tmp_path / "mine.toml").read_text() == text
        assert "of-the-user" not in ran.out + ran.err

    @pytest.mark.parametrize(
        ("flags", "key"),
        [
            (("--steps", "5"), "max_steps"),
            (("--model", "M"), "model.name"),
            (("--batch", "32"), "orchestrator.batch_size"),
            (("--gpu-type", "G"), "gpu_type"),
            (("--lora", "16"), "trainer.model.lora.rank"),
        ],
    )
    def test_a_flag_that_the_file_decides_is_an_error(self, api, home, tmp_path, flags, key):
        written(tmp_path)
        ran = submit(api, home, tmp_path, "--config", "mine.toml", "--yes", *flags)
        assert ran.code == 2 and key in ran.finding("input.arguments")["fix"]
        assert api.requests == []
