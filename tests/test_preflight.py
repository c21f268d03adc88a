"""Preflight says what is there and what is missing, on any Python, without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from lab.cli import requirements
from lab.cli.interpreter import installed, lacking
from lab.cli.report import LabError
from lab.platform.prime.commands import REPLACED, check_command, replacement
from lab.setup import checks, interpreter
from lab.setup.install import install
from lab.setup.interpreter import Interpreter
from run_script import ROOT, SCRIPTS, run_script
from servers.prime_api import PrimeApi


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """An interpreter with nothing installed."""
    subprocess.run(
        [
            Path(sys.executable).parent / "uv",
            "venv",
            "-q",
            "--python",
            sys.executable,
            tmp_path / "bare",
        ],
        check=True,
    )
    return tmp_path / "bare" / "bin" / "python"


def found(python: Interpreter) -> dict[str, str]:
    return {finding.id: finding.status for finding in checks.inspect(python)}


def test_the_list_of_packages_is_the_one_in_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [need.requirement for need in requirements.needs()] == project["dependencies"]
    assert project["requires-python"] == checks.PYTHON.expected


def test_what_folders_of_packages_hold_is_what_python_finds():
    """Read without importing anything, and the same as the library's own reader says."""
    told = {
        re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower(): found.version
        for found in metadata.distributions()
    }
    assert {name: told[name] for name in installed(sys.path)} == installed(sys.path)
    assert lacking(sys.path) == []


@pytest.mark.parametrize(
    ("version", "accepted"),
    [
        ("0.4.0", True),
        ("0.4.1.dev86", True),
        ("0.4.12", True),
        ("0.5.0", False),
        ("0.3.1", False),
        ("0.3.10", False),
        ("1.0", False),
    ],
)
def test_a_range_is_compared_by_numbers_not_by_letters(version, accepted):
    assert requirements.need("verifiers").accepts(version) is accepted


def test_this_environment_is_ready(tmp_path):
    ran = run_script(
        "preflight",
        "--json",
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
    )
    assert ran.code == 0, ran.out
    assert ran.finding("setup.verifiers")["measured"].startswith("0.4")
    assert ran.finding("setup.prime")["status"] == "pass"
    assert ran.finding("setup.login")["status"] == "warn"
    assert ran.report["facts"]["api"] == "taskset" and ran.report["facts"]["logged_in"] is False


def test_it_needs_nothing_but_python(bare_python, tmp_path):
    done = subprocess.run(
        [bare_python, SCRIPTS / "preflight.py", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    report = json.loads(done.stdout)
    status = {finding["id"]: finding for finding in report["findings"]}
    assert done.returncode == 1 and report["verdict"] == "fail"
    assert status["setup.verifiers"]["measured"] == "not installed"
    assert "--install" in status["setup.verifiers"]["fix"] and "--install" in report["next"]
    assert "scipy is not installed" in status["setup.packages"]["evidence"]
    for id in ("setup.prime", "setup.uv"):
        assert status[id]["status"] == "fail" and "push_environment.py" in status[id]["evidence"]


def test_an_interpreter_that_has_everything_is_the_one_that_is_named(tmp_path, monkeypatch):
    """A container's or conda's Python is no virtual environment, and needs no other one."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    assert interpreter.target(None, None) == sys.executable
    monkeypatch.setattr(interpreter, "this_lacks", lambda: (requirements.need("numpy"),))
    assert interpreter.target(None, None) == str(Path(".venv/bin/python"))


def test_a_script_started_by_the_wrong_interpreter_says_how_to_start_it(bare_python, tmp_path):
    """Before anything is done, in one line; the environment of the working folder is preferred."""

    def said(*line: object, **environ: str) -> dict:
        done = subprocess.run(
            [bare_python, *line, "--json"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", **environ},
        )
        assert done.returncode == 3
        [error] = json.loads(done.stdout)["findings"]
        assert error["id"] == "needs.package" and str(bare_python) in error["evidence"]
        assert "scipy" in error["measured"] and "\n" not in error["fix"]
        return error

    script = SCRIPTS / "inspect_dataset.py"
    assert f"{SCRIPTS / 'preflight.py'} --install" in said(script, "rows.jsonl")["fix"]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").symlink_to(Path(sys.executable).with_name("uv"))
    with_uv = said(script, "rows.jsonl", PATH=f"{tmp_path}/bin:/usr/bin:/bin")
    assert f"uv run {script} rows.jsonl --json" in with_uv["fix"]
    active = said(script, "rows.jsonl", VIRTUAL_ENV=sys.prefix)
    assert f"{sys.prefix}/bin/python {script} rows.jsonl --json" in active["fix"]
    (tmp_path / ".venv").symlink_to(sys.prefix)
    assert f".venv/bin/python {script} rows.jsonl --json" in said(script, "rows.jsonl")["fix"]
    done = subprocess.run(
        [bare_python, SCRIPTS / "workflow.py", "next"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert f"next: .venv/bin/python {script}" in done.stdout, (
        "the next command is for the interpreter that has the packages"
    )


@pytest.mark.parametrize(
    "script", ["preflight", "push_environment", "submit_training", "monitor_training"]
)
def test_help_is_quick(script):
    """Processor time, which other work on the machine does not lengthen."""
    command = [sys.executable, str(SCRIPTS / f"{script}.py"), "--help"]
    assert min(_processor_seconds(command) for _ in range(3)) < 0.2


def _processor_seconds(command: list[str]) -> float:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize(
    ("version", "status", "api"),
    [
        ("0.4.0", "pass", "taskset"),
        ("0.3.1", "warn", "classic"),
        ("0.1.10", "warn", "classic"),
        ("0.1.9", "fail", None),
        ("0.5.0", "fail", None),
    ],
)
def test_classic_releases_are_recognised_with_what_follows(version, status, api):
    python = Interpreter("python", (3, 12, 1), {"verifiers": version}, False, "")
    finding = next(finding for finding in checks.inspect(python) if finding.id == "setup.verifiers")
    assert finding.status == status and python.api == api
    if status == "warn":
        assert "load_environment" in finding.evidence


@pytest.mark.parametrize(
    ("version", "status"),
    [((3, 10, 9), "fail"), ((3, 11, 0), "pass"), ((3, 14, 2), "pass"), ((3, 15, 0), "fail")],
)
def test_the_range_of_python(version, status):
    assert found(Interpreter("python", version, {}, False, ""))["setup.python"] == status


def test_a_managed_interpreter_is_not_touched():
    python = Interpreter("/usr/bin/python3", (3, 12, 0), {}, True, "/usr")
    with pytest.raises(LabError) as error:
        install(python, [requirements.need("tomli-w")])
    assert error.value.code == 3 and "--python" in error.value.fix


def test_whose_prime_it_is(tmp_path, monkeypatch):
    """A client of another interpreter is fine; one whose interpreter is gone is not."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "prime").write_text(f"#!{sys.executable}\n")
    (other / "prime").chmod(0o755)
    monkeypatch.setenv("PATH", str(other))
    elsewhere = Interpreter(str(tmp_path / "python"), (3, 12, 0), {}, False, "")
    finding = next(f for f in checks.inspect(elsewhere) if f.id == "setup.prime")
    assert finding.status == "pass" and sys.executable in finding.evidence
    (other / "prime").write_text("#!/nowhere/python\n")
    finding = next(f for f in checks.inspect(elsewhere) if f.id == "setup.prime")
    assert finding.status == "fail" and "--force" in finding.fix


@pytest.mark.parametrize(
    ("line", "python"),
    [
        ("'''exec' /long/path/python \"$0\" \"$@\"", "/long/path/python"),
        ('\'\'\'exec\' "/a path/python" "$0" "$@"', "/a path/python"),
        ("'''exec' '/a path/python' \"$0\" \"$@\"", "/a path/python"),
        ("exec 'an open quote", None),
    ],
    ids=["long", "pip", "uv", "not a wrapper"],
)
def test_a_shell_wrapper_names_its_interpreter(tmp_path, line, python):
    script = tmp_path / "prime"
    script.write_text(f"#!/bin/sh\n{line}\n' '''\n")
    assert interpreter.shebang(script) == python


def test_online_with_a_good_and_a_bad_key(tmp_path):
    with PrimeApi() as api:
        good = run_script(
            "preflight", "--online", "--json", cwd=tmp_path, env=api.environ(tmp_path / "home")
        )
        assert (
            good.finding("setup.hub_online")["status"] == "pass"
            and good.finding("setup.inference_online")["status"] == "pass"
        )
        bad = run_script(
            "preflight",
            "--online",
            "--json",
            cwd=tmp_path,
            env=api.environ(tmp_path / "home", PRIME_API_KEY="pit-wrong-one"),
        )
        assert bad.code == 1 and bad.finding("setup.hub_online")["measured"] == "refuses the key"
        assert "pit-wrong-one" not in bad.out + bad.err


def test_online_without_a_network_ends_soon(tmp_path):
    with PrimeApi() as api:
        api.fault("GET", "/user/whoami", slow=600)
        slow = run_script(
            "preflight",
            "--online",
            "--json",
            cwd=tmp_path,
            env=api.environ(tmp_path / "home", PRIME_INFERENCE_URL="http://127.0.0.1:9"),
        )
    assert slow.code == 1 and slow.finding("setup.hub_online")["measured"] == "no answer"
    assert slow.finding("setup.inference_online")["status"] == "warn"


@pytest.mark.parametrize(
    ("old", "status", "new"),
    [
        ("prime env init my-env", "fail", "new_environment.py"),
        ("prime lab setup", "fail", "add verifiers"),
        ("prime env build", "fail", "--check-only"),
        ("prime env push my-env --auto-bump", "fail", "--bump"),
        ("prime env push my-env", "warn", "push_environment.py"),
        ("prime eval run my-env -m openai/gpt-5-nano -n 50 --skip-upload", "fail", "run_eval.py"),
        ("prime eval run my-env --hosted --skip-upload", "fail", "drop --skip-upload"),
        ("prime eval tui", "fail", "check_reward_distribution.py"),
        ("prime rl run configs/rl/x.toml", "fail", "submit_training.py"),
        ("uv run prime rl init", "fail", "submit_training.py"),
        ("prime train x.toml --yes -e OPENAI_API_KEY", "fail", "secret"),
        ("prime --plain train get run1", "pass", ""),
        ("prime gepa", "fail", "vf-gepa"),
        ("vf-init my-env", "warn", "new_environment.py"),
        ("ls -la", "skip", ""),
    ],
)
def test_an_old_command_line_is_told_its_replacement(old, status, new):
    [finding] = check_command(old)
    assert finding.status == status and new in finding.fix


LINES = [
    "prime lab doctor",
    "prime env init x",
    "prime env build x",
    "prime env action list o/x",
    "prime env push x --rc",
    "prime env push x",
    "prime env install o/x@1.0",
    "prime eval run x --skip-upload --hosted",
    "prime eval run o/x --hosted -m a/b",
    "prime eval view",
    "prime eval push outputs",
    "prime eval list --mine",
    "prime eval x -m a/b",
    "prime train configs",
    "prime rl models",
    "prime rl x.toml",
    "prime train x.toml --env-var OPENAI_API_KEY",
    "prime train stop run1 -f",
    "prime train x.toml --resume-from run1",
    "prime gepa run x",
    "prime registry list",
    "vf-tui",
    "vf-init x",
    "vf-eval x -m a/b",
]
"""One command line of the kind that people have in their notes for each entry, in its order."""


def test_every_entry_of_the_table_is_reached_by_the_line_it_is_meant_for():
    """An entry behind a wider one would never be told."""
    assert [replacement(line) for line in LINES] == list(REPLACED)
    for line in LINES:
        [finding] = check_command(line)
        assert finding.status in ("pass", "warn", "fail") and (
            finding.fix or finding.status == "pass"
        )


def test_every_replaced_command_of_the_client_is_really_refused():
    """What the table calls gone must be gone in the installed client."""
    gone = [
        "prime env init x",
        "prime env build",
        "prime gepa",
        "prime deployments",
        "prime registry",
    ]
    for command in gone:
        assert replacement(command) is not None
        done = subprocess.run(
            [str(Path(sys.executable).parent / "prime"), *command.split()[1:]],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 2 and "No such command" in done.stdout + done.stderr
    assert len(REPLACED) == len({entry.pattern for entry in REPLACED})


def test_an_old_command_on_the_command_line(tmp_path):
    ran = run_script("preflight", "--command", "prime env init x", "--json", cwd=tmp_path)
    assert ran.code == 1 and ran.finding("setup.command")["evidence"] == "there is no such command"
