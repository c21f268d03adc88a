"""What spends, publishes or uploads does so through one place each, behind its gate and its yes.

The table "What spends, publishes or uploads" of SKILL.md is the list; each row has its tests here
or in `test_guards_training.py`, and `test_guards_source.py` holds that there is one place each. The
real client runs against a platform on loopback, and what counts is what that one was sent.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ladder import WORD_PROBLEMS
from marks import soak
from publishable import pass_the_ladder, record_failed_or_stale, write_environment
from run_script import ROOT, SCRIPTS, run_script
from servers.prime_api import OWNER, PrimeApi
from servers.scripted import Scripted

SLUG = f"{OWNER}/little-sums"
GUARDED = {
    "run_eval.py -m MODEL": "test_no_model_is_called_before_the_reward_was_tested",
    "run_eval.py --push": "test_nothing_of_an_evaluation_is_uploaded_unless_asked",
    "run_eval.py --hosted --yes": "test_no_hosted_evaluation_is_started_without_a_yes",
    "run_eval.py --runtime prime": "test_rollouts_run_on_this_machine_unless_said",
    "push_environment.py --visibility V --yes": "test_nothing_is_published_without_gates_and_a_yes",
    "submit_training.py --yes": "test_no_run_is_started_past_a_gate",
}


def rows_of_the_table() -> list[str]:
    section = (
        (ROOT / "SKILL.md")
        .read_text()
        .partition("## What spends, publishes or uploads")[2]
        .partition("\n## ")[0]
    )
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)


def test_every_row_of_the_table_has_its_test():
    assert set(rows_of_the_table()) == set(GUARDED)
    here = [path.read_text() for path in Path(__file__).parent.glob("test_guards*.py")]
    assert set(GUARDED.values()) <= set(re.findall(r"^def (test_\w+)", "".join(here), re.M))


SPENDING = {"--yes", "--push", "--runtime", "--hosted"}
"""Flags that let something be spent, published or uploaded."""


def test_no_script_has_such_a_flag_outside_the_table():
    table = " ".join(rows_of_the_table())
    for path in SCRIPTS.glob("*.py"):
        known = subprocess.run(
            [sys.executable, str(path), "--help"], capture_output=True, text=True, check=True
        ).stdout
        for flag in SPENDING & set(re.findall(r"^ {2,}(--[a-z-]+)", known, re.MULTILINE)):
            assert path.name in table and flag in table, (
                f"{path.name} {flag} is not in SKILL.md's table"
            )


# -- evaluation -------------------------------------------------------------------------------


@pytest.fixture
def environment(tmp_path) -> Path:
    return write_environment(tmp_path / "environments")


@pytest.mark.parametrize("ladder", ["nothing ran", "failed", "stale"])
def test_no_model_is_called_before_the_reward_was_tested(environment, tmp_path, ladder):
    if ladder != "nothing ran":
        record_failed_or_stale(environment, ladder)
    with PrimeApi() as api, Scripted(lambda body: "1") as model:
        for endpoint in (["--base-url", model.url], []):
            ran = run_script(
                "run_eval",
                environment,
                "-m",
                "a-model",
                *endpoint,
                "--json",
                cwd=tmp_path,
                env=api.environ(tmp_path / "home"),
            )
            assert ran.code == 1, ran.out
            assert ran.finding("gate.earlier_steps")["status"] == "fail"
            assert "test_reward.py" in ran.report["next"]
        assert model.seen == [] and api.requests == []
    assert not (tmp_path / "outputs").exists()


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """Two evaluations with a login at hand: one as it is, one with --push; what the platform
    saw."""
    folder = tmp_path_factory.mktemp("uploads")
    environment = write_environment(folder / "environments")
    pass_the_ladder(environment)
    told = {}
    for name, flags in {"plain": [], "pushed": ["--push"]}.items():
        with PrimeApi() as api:
            variables = {**api.environ(folder / "home"), "PRIME_RUNS_MODE": ""}
            ran = run_script(
                "run_eval",
                environment,
                "--simulate",
                "skill=0.5",
                "-n",
                2,
                "-r",
                2,
                *flags,
                "--output-dir",
                name,
                "--json",
                cwd=folder,
                env=variables,
            )
            assert ran.code == 0, ran.out
            told[name] = [(request.method, request.path) for request in api.requests]
    return folder, told


def test_nothing_of_an_evaluation_is_uploaded_unless_asked(evaluated, environment, tmp_path):
    _, told = evaluated
    assert told["plain"] == []
    assert ("POST", "/evaluations/") in told["pushed"]
    pass_the_ladder(environment)
    ran = run_script(
        "run_eval",
        environment,
        "--simulate",
        "skill=0.5",
        "--push",
        "--json",
        cwd=tmp_path,
        env={"HOME": str(tmp_path)},
    )
    assert ran.code == 3 and ran.finding("prime.not_logged_in")
    assert not (tmp_path / "outputs").exists(), (
        "an upload that cannot happen is said before the evaluation"
    )


def test_no_hosted_evaluation_is_started_without_a_yes(hub, tmp_path):
    ran = run_script(
        "run_eval",
        SLUG,
        "-m",
        "a-model",
        "--hosted",
        "--json",
        cwd=tmp_path,
        env=hub.environ(tmp_path / "home"),
    )
    assert ran.code == 2 and ran.finding("input.not_confirmed"), ran.out
    assert hub.changes() == []


def test_rollouts_run_on_this_machine_unless_said(evaluated):
    folder, _ = evaluated
    resolved = json.loads(next(folder.glob("plain/*/configs/resolved/eval.json")).read_text())
    assert resolved["env"]["agent"]["runtime"]["type"] == "subprocess"
    assert resolved["env"]["agent"]["harness"]["id"] in ("inline-chat", "null")
    assert resolved["push"] is False


# -- publishing -------------------------------------------------------------------------------


@pytest.fixture
def hub():
    with PrimeApi() as api:
        yield api
        assert api.complaints == []


@pytest.fixture
def push(tmp_path, hub, monkeypatch, capsys):
    """push_environment.py in this process with the clean installation left out: only gates, yes
    and the real client's request are looked at here."""
    import lab.platform.package
    import push_environment

    monkeypatch.chdir(tmp_path)
    for name, value in {
        **hub.environ(tmp_path / "home"),
        "UV_NO_BUILD_ISOLATION": "1",
        "UV_PYTHON": sys.executable,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(lab.platform.package, "check_clean", lambda *_: [])
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def run(*args: object) -> tuple[int, dict]:
        code = push_environment.COMMAND.run([*map(str, args), "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run


@pytest.mark.usefixtures("fresh_state")
def test_nothing_is_published_without_gates_and_a_yes(environment, hub, push, monkeypatch):
    ready = ("--visibility", "PRIVATE", "--yes")
    assert push(environment, *ready)[0] == 1, "no step of the ladder has passed"
    record_failed_or_stale(environment, "stale")
    assert push(environment, *ready)[0] == 1, "the passed step is of other content"
    pass_the_ladder(environment)
    assert push(environment, "--visibility", "PRIVATE")[0] == 2, "no yes, and nobody to ask"
    assert push(environment, "--yes")[0] == 2, "the visibility was not chosen"
    assert push(environment, "--check-only", *ready)[0] == 0, "a check publishes nothing"
    monkeypatch.delenv("PRIME_API_KEY")
    assert push(environment, *ready)[0] == 3, "no login"
    assert hub.changes() == []
    monkeypatch.setenv("PRIME_API_KEY", hub.key)
    keyed = environment / "little_sums" / "settings.py"
    keyed.write_text(f'KEY = "hf_{"a1" * 20}"\n')
    pass_the_ladder(environment)
    assert push(environment, *ready)[0] == 1, "a check of the package failed"
    assert push(environment, *ready, "--force", "the user said so")[0] == 1, (
        "a reason opens the ladder's gate, not the package's checks"
    )
    assert hub.changes() == []
    keyed.unlink()
    pass_the_ladder(environment)
    code, report = push(environment, *ready)
    assert code == 0 and report["facts"]["pushed"], report
    assert [method for method, path in hub.changes() if path.endswith("/versions")] == ["POST"], (
        "with its gates and its yes it is published, once"
    )


OTHERS = {
    "preflight": ["--online"],
    "inspect_dataset": ["{data}"],
    "new_environment": ["another", "--pattern", "numeric"],
    "test_reward": ["{env}", "--examples", 4],
    "workflow": ["next", "{env}"],
}


@pytest.mark.parametrize(
    "name", [soak(name) if name in ("new_environment", "test_reward") else name for name in OTHERS]
)
def test_the_other_scripts_send_nothing_that_changes_anything(environment, hub, tmp_path, name):
    args = [str(part).format(env=environment, data=WORD_PROBLEMS) for part in OTHERS[name]]
    run_script(name, *args, "--json", cwd=tmp_path, env=hub.environ(tmp_path / "home"))
    assert hub.changes() == []
