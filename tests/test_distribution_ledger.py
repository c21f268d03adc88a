"""What check_reward_distribution.py records, and for which content of which environment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distribution import check, simulated
from run_script import run_script


def environment(folder: Path) -> Path:
    place = folder / "env"
    place.mkdir()
    (place / "pyproject.toml").write_text('[project]\nname = "env"\nversion = "0.1.0"\n')
    (place / "env.py").write_text("x = 1\n")
    return place


@pytest.mark.usefixtures("fresh_state")
def test_the_outcome_is_kept_for_the_content_that_was_evaluated(tmp_path):
    from lab.ledger.content import content_hash
    from lab.ledger.records import Ledger

    place = environment(tmp_path)
    run = simulated(tmp_path / "run" / "traces.jsonl", 50, 4, lambda t: 0.5).parent
    note = {
        "environment": str(place),
        "content": content_hash(place),
        "simulated": False,
        "model": "small",
    }
    (run / "prime_lab.json").write_text(json.dumps(note))
    ran = check(run)
    assert ran.code == 0
    assert "push_environment.py" in ran.report["next"]
    assert Ledger(place).step("check_reward_distribution").state == "passed"
    (place / "env.py").write_text("x = 2\n")
    changed = check(run)
    assert changed.finding("rollouts.environment_changed")["status"] == "warn"
    assert changed.finding("rollouts.environment_changed")["fix"].endswith("-m small")
    assert "test_reward.py" in changed.report["next"], "what is stale is not published next"
    assert Ledger(place).step("check_reward_distribution").state == "stale"


@pytest.mark.long
@pytest.mark.usefixtures("fresh_state")
def test_rollouts_of_a_simulated_policy_are_a_rehearsal(tmp_path):
    """Whatever its findings say: nothing passes, nothing fails, and a real run comes next."""
    from lab.ledger.content import content_hash
    from lab.ledger.records import Ledger

    place = environment(tmp_path)
    note = {"environment": str(place), "content": content_hash(place), "simulated": True}
    for name, chance, reaction in (("a", 0.5, "pass"), ("b", 1.0, "fail")):
        run = simulated(tmp_path / name / "traces.jsonl", 50, 4, lambda t, p=chance: p).parent
        (run / "prime_lab.json").write_text(json.dumps(note))
        ran = check(run)
        assert ran.code == 0 and ran.report["verdict"] == "rehearsed"
        assert ran.report["facts"]["rehearsed"] == "a simulated policy"
        assert ran.report["facts"]["reaction"] == reaction
        assert ran.report["next"].endswith("--check-only"), "without a key to the ladder's end"
        page = run_script(
            "check_reward_distribution",
            "--results",
            run,
            "--html",
            tmp_path / "page.html",
            cwd=tmp_path,
        )
        assert "verdict: rehearsed (a simulated policy" in page.out
        assert "is useful at group size" not in page.out
        assert 'class="rehearsed"' in (tmp_path / "page.html").read_text()
        step = Ledger(place).step("check_reward_distribution")
        assert (step.state, step.rehearsal) == ("rehearsed", "a simulated policy")


def test_without_an_environment_nothing_is_recorded_and_that_is_said(tmp_path):
    ran = run_script(
        "check_reward_distribution",
        "--results",
        simulated(tmp_path / "a.jsonl", 30, 4, lambda t: 0.5),
        cwd=tmp_path,
    )
    assert "nothing was recorded" in ran.out
