"""workflow.py is enough for whoever remembers nothing: it names the state and the one next
command."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from lab.cli.command import script
from lab.cli.report import Check, Report
from lab.ledger.records import NEEDS, Ledger
from ladder import WORD_PROBLEMS
from publishable import pass_the_ladder, write_environment
from run_script import SCRIPTS, run_script
from submissions import submit

pytestmark = pytest.mark.usefixtures("fresh_state")

CHECK = Check("example.check", title="an example", expected="", reason="a test")


@pytest.fixture
def environment(tmp_path) -> Path:
    place = tmp_path / "environments" / "tiny"
    (place / "tiny").mkdir(parents=True)
    (place / "pyproject.toml").write_text('[project]\nname = "tiny"\nversion = "0.1.0"\n')
    (place / "tiny" / "__init__.py").write_text(
        "import verifiers.v1 as vf\nclass Tiny(vf.Taskset): ...\n"
    )
    return place


def record(place: Path, tool: str, status: str = "pass", then: str = "", **extra) -> None:
    report = Report(tool, next=then)
    report.add({"pass": CHECK.ok(1), "fail": CHECK.fail(0, "seen", "correct it")}[status])
    Ledger(place).record(report, **extra)


def next_of(folder: Path, *args: object, key: str = "") -> list[str]:
    """The words of the next command, the script's name first; of an edit, of what comes after."""
    login = {"PRIME_API_KEY": key} if key else {}
    ran = run_script("workflow", "next", *args, "--json", cwd=folder, env=login)
    assert ran.code == 0, ran.out
    edit, _, after = ran.report["next"].rpartition(", then: ")
    words = shlex.split(after)
    assert (folder / words[1]).is_file() or Path(words[1]).is_file(), (
        "the script it names is there from here"
    )
    return [*([edit] if edit else []), Path(words[1]).stem, *words[2:]]


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


@pytest.mark.parametrize("step", ["test_reward", "push_environment"])
def test_after_a_failed_check_of_the_environment_an_edit_comes_first(environment, tmp_path, step):
    for earlier in list(NEEDS)[: list(NEEDS).index(step)]:
        record(environment, earlier)
    record(environment, step, "fail")
    edit, *command = next_of(tmp_path)
    assert edit.startswith("edit environments/tiny as the fix above says") and command[0] == step
    status = run_script("workflow", "status", environment, cwd=tmp_path)
    assert "FAILED" in status.out and f"{step}.json" in status.out
    assert "fix: correct it" in status.out, "the fix above is there"


def test_after_a_failed_distribution_comes_what_that_check_named(environment, tmp_path):
    """Not the check again, and not the reward test, which has passed."""
    for earlier in ("test_reward", "run_eval"):
        record(environment, earlier)
    named = script("run_eval.py", "environments/tiny", "-m", "ANOTHER_MODEL")
    record(environment, "check_reward_distribution", "fail", then=named)
    assert next_of(tmp_path) == ["run_eval", "environments/tiny", "-m", "ANOTHER_MODEL"]


REHEARSAL = {"rehearsal": "a simulated policy"}


def test_a_rehearsal_makes_no_step_pass_and_is_followed_by_the_real_thing(
    environment, tmp_path, monkeypatch
):
    record(environment, "test_reward")
    record(environment, "run_eval", results="outputs/x", **REHEARSAL)
    record(environment, "check_reward_distribution", **REHEARSAL)
    env = str(environment.relative_to(tmp_path))
    assert next_of(tmp_path) == ["push_environment", env, "--check-only"], (
        "without a key to its end"
    )
    monkeypatch.setenv("PRIME_API_KEY", "a-key")
    assert next_of(tmp_path) == ["run_eval", env, "-m", "MODEL"]
    status = run_script("workflow", "status", "--json", cwd=tmp_path).report["facts"]["steps"]
    assert status["run_eval"]["state"] == "rehearsed"
    assert status["run_eval"]["rehearsal"] == "a simulated policy"
    gate = Ledger(environment).gate("push_environment", None, "the command")
    assert gate.status == "fail" and gate.measured == ["run_eval", "check_reward_distribution"]
    assert "only rehearsed (a simulated policy)" in gate.evidence
    trial = Ledger(environment).gate("submit_training", None, "the command", rehearsing=True)
    assert trial.status == "warn", "a dry run may follow a rehearsal"


def test_a_rehearsal_never_replaces_a_real_result(environment, tmp_path):
    record(environment, "test_reward")
    record(environment, "run_eval", results="outputs/real")
    record(environment, "run_eval", results="outputs/simulated", **REHEARSAL)
    ledger = Ledger(environment)
    assert ledger.step("run_eval").state == "passed"
    assert ledger.entry("run_eval")["results"] == "outputs/real"
    (environment / "tiny" / "__init__.py").write_text("import verifiers.v1 as vf\n")
    assert Ledger(environment).step("run_eval").state == "stale"


def test_a_checked_package_is_published_next_and_a_dry_run_is_sent_next(environment, tmp_path):
    for tool in list(NEEDS)[:3]:
        record(environment, tool)
    record(environment, "push_environment", rehearsal="package checked, not published")
    words = next_of(tmp_path, key="worthless")
    assert words[0] == "push_environment" and "--visibility" in words
    words = next_of(tmp_path)
    assert words[0] == "submit_training" and "--dry-run" in words, "all that goes without a key"
    record(environment, "push_environment")
    sent = script("submit_training.py", "--env", "me/tiny", "--steps", 40)
    record(environment, "submit_training", then=sent, rehearsal="nothing sent")
    assert next_of(tmp_path) == ["review_reward", "environments/tiny"], "before a paid run"
    record(environment, "review_reward")
    status = run_script("workflow", "status", cwd=tmp_path)
    assert "rehearsed: nothing sent" in status.out
    assert next_of(tmp_path) == ["submit_training", "--env", "me/tiny", "--steps", "40"]


def test_the_dry_run_and_the_ladder_name_one_next_command(tmp_path):
    """The review first, then the evaluation of what would be trained, in its groups; a gate names
    what closes it, and not the command that was run."""
    place = write_environment(tmp_path / "environments")
    pass_the_ladder(place, simulated=True, reviewed=False)
    record(place, "push_environment", rehearsal="package checked, not published")
    env = "environments/little_sums"
    asked = ("--env", "OWNER/little-sums", "--model", "Qwen/Qwen3-8B", "--rollouts", 12)
    evaluation = ["run_eval", env, "-m", "Qwen/Qwen3-8B", "-r", "12"]
    dry = submit(tmp_path, None, *asked, "--dry-run")
    for gate in ("gate.earlier_steps", "gate.simulated_only"):
        assert dry.finding(gate)["fix"].endswith(f"run_eval.py {' '.join(evaluation[1:])}")
    assert dry.report["next"].endswith(f"review_reward.py {env}")
    assert next_of(tmp_path) == ["review_reward", env]
    record(place, "review_reward")
    again = submit(tmp_path, None, *asked, "--dry-run")
    assert again.report["next"].endswith(f"run_eval.py {' '.join(evaluation[1:])}")
    assert next_of(tmp_path) == evaluation


def test_the_dry_run_is_of_the_model_that_was_evaluated(environment, tmp_path):
    for tool in list(NEEDS)[:3]:
        record(environment, tool, model="someone/small")
    record(environment, "push_environment", rehearsal="package checked, not published")
    assert next_of(tmp_path)[-3:] == ["--model", "someone/small", "--dry-run"]


def test_without_a_key_the_rehearsal_is_named_beside_the_evaluation(environment, tmp_path):
    record(environment, "test_reward")
    ran = run_script("workflow", "next", cwd=tmp_path)
    assert "run_eval.py environments/tiny --simulate skill=" in ran.out
    assert ran.out.splitlines()[-1].endswith("run_eval.py environments/tiny -m MODEL")
    with_key = run_script("workflow", "next", cwd=tmp_path, env={"PRIME_API_KEY": "a-key"})
    assert "--simulate" not in with_key.out


def test_the_training_file_gives_the_distribution_check_its_group_size(environment, tmp_path):
    record(environment, "test_reward")
    record(environment, "run_eval", results="outputs/x")
    assert "--training" not in next_of(tmp_path)
    (tmp_path / "configs" / "rl").mkdir(parents=True)
    (tmp_path / "configs" / "rl" / "tiny.toml").write_text("")
    assert next_of(tmp_path)[-2:] == ["--training", "configs/rl/tiny.toml"]


def test_a_classic_environment_is_evaluated_by_its_own_program_and_then_migrated(tmp_path):
    """run_eval.py refuses it, so no step names that: its vf-eval is next, and after it the
    taskset."""
    module = tmp_path / "old_words.py"
    module.write_text(
        "import verifiers as vf\n\ndef load_environment(**kwargs):\n"
        "    return vf.SingleTurnEnv(**kwargs)\n"
    )
    assert next_of(tmp_path, module.name) == ["test_reward", module.name]
    record(module, "test_reward")
    told = run_script("workflow", "next", module.name, "--json", cwd=tmp_path).report["next"]
    refused = run_script("run_eval", module.name, "-m", "M", "--json", cwd=tmp_path)
    assert refused.code == 2 and told in refused.report["findings"][-1]["fix"]
    path, program, name, *words = shlex.split(told)
    assert (
        path == f"PYTHONPATH={tmp_path}"
        and Path(program).name == "vf-eval"
        and name == "old_words"
        and "-s" in words
    )
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
