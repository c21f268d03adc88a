"""Each template, made from a matching profile, passes every step of the ladder untouched.

The steps are the scripts themselves, called in this process; vf-eval is the real one. To keep the
cost low, the children that import verifiers are one (not one per step), and the package check
installs each wheel into the environment that it emptied and filled for the first one.
"""

from __future__ import annotations

import importlib
import io
import json
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import lab.environment
from lab.environment.worker import Worker
from lab.platform.package import build, clean
from lab.process.protection import protection
from servers.scripted import Scripted
from template_rows import rows

TASKS = 20
"""The fewest that the distribution check decides on."""


@pytest.fixture(scope="module")
def worker():
    with Worker("taskset", variables=["JUDGE_BASE_URL"]) as shared:
        yield shared


@pytest.fixture(scope="module")
def installer(tmp_path_factory):
    """clean.install with one environment for all wheels of this file."""
    home, first = tmp_path_factory.mktemp("installed"), clean.install

    def install(wheel: Path, work: Path):
        python = home / "clean" / "bin" / "python"
        if not python.exists():
            return first(wheel, home)
        done = build.run_uv(
            "pip", "install", "--offline", "--python", str(python), str(wheel), cwd=work
        )
        return (
            (str(python), build.INSTALLS.ok("yes"))
            if done.returncode == 0
            else (None, build.INSTALLS.fail("no", done.stderr, "see the message"))
        )

    return install


@pytest.fixture
def step(tmp_path, monkeypatch, worker, installer):
    """Run one script as from `tmp_path`; returns its report after its verdict was looked at."""
    monkeypatch.chdir(tmp_path)
    real, opened = lab.environment.Environment, []

    def shared(*given: object, python: str | None = None, **options: object):
        """The first environment of a command; a second one beside it has a process of its own."""
        opened.append(given)
        return real(*given, worker=worker if len(opened) == 1 else None, **options)

    monkeypatch.setattr(lab.environment, "Environment", shared)
    monkeypatch.setattr("lab.evaluation.simulation.Environment", shared)
    monkeypatch.setattr(clean, "install", installer)

    def run(name: str, *args: object) -> dict:
        out = io.StringIO()
        opened.clear()
        with redirect_stdout(out):
            code = importlib.import_module(name).COMMAND.run([*map(str, args), "--json", "--quiet"])
        report = json.loads(out.getvalue())
        assert code == 0, json.dumps(
            [finding for finding in report["findings"] if finding["status"] not in ("pass", "skip")]
            + [report.get("error")],
            indent=1,
        )
        return report

    return run


PATTERNS = [
    "numeric",
    "exact_match",
    "multiple_choice",
    "structured_output",
    "tool_use",
    "multi_turn",
    "math",
    "free_text_judge",
    "code",
]


@pytest.mark.soak
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_template_made_from_a_profile_passes_the_whole_ladder(
    tmp_path, monkeypatch, step, pattern
):
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows(pattern)))
    name, folder = (
        f"made-{pattern.replace('_', '-')}",
        tmp_path / "environments" / f"made_{pattern}",
    )
    profile = step("inspect_dataset", "data.jsonl", "--out", "profile.json")["facts"]
    # An agent's tools and a dialogue are not seen in a row: there the user names the template.
    led = profile["pattern"] == pattern
    assert led or pattern in ("tool_use", "multi_turn")
    step(
        "new_environment",
        name,
        "--profile",
        "profile.json",
        *([] if led else ["--pattern", pattern]),
    )
    tested = step("test_reward", folder, "--examples", "6", "--budget", "120")["facts"]
    assert tested["ceiling"] >= 1.0 > 2 * tested["floor"]
    if pattern == "tool_use" and not protection().bubblewrap:
        pytest.skip(
            "without bubblewrap an environment has no /tmp here, and verifiers' tool servers write "
            "their port there: no such environment is evaluated by run_eval.py"
        )
    with Scripted(lambda body: 500) as paid:
        monkeypatch.setenv("JUDGE_BASE_URL", paid.url)
        evaluated = step(
            "run_eval", folder, "--simulate", "skill=0.45,spread=0.4,seed=3", "-n", TASKS, "-r", "4"
        )["facts"]
    assert not paid.seen, "a simulated policy is judged by nobody who is paid"
    assert evaluated["rollouts"] == 4 * TASKS and evaluated["outcomes"]["error"] == 0
    assert 0.1 < evaluated["outcomes"]["right"] / evaluated["rollouts"] < 0.9
    signal_found = step("check_reward_distribution", "--results", evaluated["results"])["facts"]
    assert signal_found["live_group_share"]["estimate"] > 0.3
    step("push_environment", folder, "--check-only")
    config = step("submit_training", "--env", f"your-name/{name}", "--local", folder, "--dry-run")[
        "facts"
    ]["config"]
    training = tomllib.loads(Path(config).read_text())
    assert {"trainer", "orchestrator", "inference"} <= set(training) and name in Path(
        config
    ).read_text()
