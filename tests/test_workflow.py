"""workflow.py is enough for whoever remembers nothing: it names the state and the one next command."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from lab.ledger import NEEDS, Ledger
from lab.report import Check, Report
from ladder import WORD_PROBLEMS
from run_script import SCRIPTS, run_script

CHECK = Check("example.check", title="an example", expected="", reason="a test")


@pytest.fixture
def environment(tmp_path) -> Path:
    place = tmp_path / "environments" / "tiny"
    (place / "tiny").mkdir(parents=True)
    (place / "pyproject.toml").write_text('[project]\nname = "tiny"\nversion = "0.1.0"\n')
    (place / "tiny" / "__init__.py").write_text("import verifiers.v1 as vf\nclass Tiny(vf.Taskset): ...\n")
    return place


def record(place: Path, tool: str, status: str = "pass", **extra) -> None:
    report = Report(tool)
    report.add({"pass": CHECK.ok(1), "fail": CHECK.fail(0, "seen", "mend it")}[status])
    Ledger(place).record(report, **extra)


def next_of(folder: Path, *args: object) -> list[str]:
    ran = run_script("workflow", "next", *args, "--json", cwd=folder)
    assert ran.code == 0, ran.out
    words = shlex.split(ran.report["next"])
    assert (folder / words[1]).is_file() or Path(words[1]).is_file(), "the script it names is there from here"
    return [Path(words[1]).stem, *words[2:]]


def test_an_empty_folder_starts_with_the_dataset_and_then_its_profile(tmp_path):
    assert next_of(tmp_path)[0] == "inspect_dataset"
    run_script("inspect_dataset", WORD_PROBLEMS, "--out", "profile.json", cwd=tmp_path)
    assert next_of(tmp_path)[:1] == ["new_environment"]


def test_the_steps_follow_one_another(environment, tmp_path):
    order = list(NEEDS)
    for tool, expected in zip(order, [*order[1:], None], strict=True):
        assert next_of(tmp_path)[0] == tool
        record(environment, tool)
        if expected:
            assert next_of(tmp_path, "environments/tiny")[0] == expected


def test_a_failed_step_comes_again(environment, tmp_path):
    record(environment, "test_reward", "fail")
    assert next_of(tmp_path)[0] == "test_reward"
    status = run_script("workflow", "status", environment, cwd=tmp_path)
    assert "FAILED" in status.out and "reports/test_reward.json" in status.out


def test_a_simulated_evaluation_is_followed_by_a_real_one(environment, tmp_path):
    record(environment, "test_reward")
    record(environment, "run_eval", simulated=True, results="outputs/x")
    record(environment, "check_reward_distribution", simulated=True)
    assert next_of(tmp_path)[:2] == ["run_eval", str(environment.relative_to(tmp_path))]


def test_a_checked_package_is_pushed_next(environment, tmp_path):
    for tool in list(NEEDS)[:3]:
        record(environment, tool)
    record(environment, "push_environment", checked_only=True)
    words = next_of(tmp_path)
    assert words[0] == "push_environment" and "--visibility" in words


def test_a_classic_environment_is_evaluated_by_its_own_program_and_then_migrated(tmp_path):
    """run_eval.py refuses it, so no step names that: its vf-eval is next, and after it the taskset."""
    module = tmp_path / "old_words.py"
    module.write_text("import verifiers as vf\n\ndef load_environment(**kwargs):\n    return vf.SingleTurnEnv(**kwargs)\n")
    assert next_of(tmp_path, module.name) == ["test_reward", module.name]
    record(module, "test_reward")
    told = run_script("workflow", "next", module.name, "--json", cwd=tmp_path).report["next"]
    refused = run_script("run_eval", module.name, "-m", "M", "--json", cwd=tmp_path)
    assert refused.code == 2 and told in refused.report["findings"][-1]["fix"]
    path, program, name, *words = shlex.split(told)
    assert path == f"PYTHONPATH={tmp_path}" and Path(program).name == "vf-eval" and name == "old_words" and "-s" in words
    assert "check_reward_distribution.py" in told and "run_eval.py" not in told
    record(module, "check_reward_distribution")
    told = run_script("workflow", "next", module.name, "--json", cwd=tmp_path).report["next"]
    assert "references/migration.md" in told and told.endswith(f"--against {module.name}")


def test_several_environments_must_be_named(environment, tmp_path):
    other = tmp_path / "environments" / "other"
    other.mkdir()
    (other / "pyproject.toml").write_text("")
    ran = run_script("workflow", "next", "--json", cwd=tmp_path)
    assert ran.code == 2
    assert "other, tiny" in ran.finding("input.several_environments")["evidence"]


def test_the_next_command_works_from_another_folder_and_with_spaces(tmp_path):
    folder = tmp_path / "a folder with spaces"
    folder.mkdir()
    ran = run_script("workflow", "next", cwd=folder)
    words = shlex.split(ran.out.split("next: ")[1])
    assert Path(words[1]) == SCRIPTS / "inspect_dataset.py"
