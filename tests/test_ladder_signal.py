"""Two policies with the same mean: one can teach something, the other cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.cli.report import Report
from lab.ledger.records import Ledger
from ladder import copy_of
from run_script import run_script


@pytest.fixture(scope="module")
def folder(tmp_path_factory, word_problems) -> Path:
    folder = tmp_path_factory.mktemp("signal")
    Ledger(copy_of(word_problems, folder)).record(Report("test_reward"))
    return folder


def evaluated(folder: Path, spec: str) -> tuple[dict, dict]:
    ran = run_script(
        "run_eval",
        "environments/word_problems",
        "--simulate",
        spec,
        "--json",
        "--quiet",
        cwd=folder,
    )
    assert ran.code == 0, ran.out
    assert ran.report["verdict"] == "rehearsed"
    checked = run_script(
        "check_reward_distribution",
        "--results",
        ran.report["facts"]["results"],
        "--json",
        "--quiet",
        cwd=folder,
    )
    assert checked.code == 0, checked.out
    return ran.report, checked.report


def asked(folder: Path, spec: str) -> dict:
    """The same by --what-if, which keeps and records nothing."""
    before = sorted(folder.rglob("*"))
    states = Ledger(folder / "environments/word_problems").steps()
    ran = run_script(
        "check_reward_distribution", "--what-if", spec, "--json", "--quiet", cwd=folder
    )
    assert ran.code == 0, ran.out
    assert "what if" in ran.report["facts"]["rehearsed"]
    assert [path for path in sorted(folder.rglob("*")) if path not in before] == []
    assert Ledger(folder / "environments/word_problems").steps() == states
    return ran.report


@pytest.mark.soak
def test_the_same_mean_reacts_well_with_variance_within_tasks_and_badly_without(folder):
    _, learnable = evaluated(folder, "skill=0.4,spread=0,format=1")
    dead = asked(folder, "skill=0.4,spread=1,format=1")
    even, split = (report["facts"]["mean_reward"] for report in (learnable, dead))
    assert even == pytest.approx(split, abs=0.08)
    assert learnable["facts"]["reaction"] in ("pass", "warn")
    assert learnable["facts"]["live_group_share"]["low"] > 0.8
    assert dead["facts"]["reaction"] == "fail"
    assert dead["facts"]["live_group_share"]["high"] < 0.1
    failed = {f["id"] for f in dead["findings"] if f["status"] == "fail"}
    assert "signal.informative_groups" in failed
    for report in (learnable, dead):
        classic = {
            f["id"]: f["status"]
            for f in report["findings"]
            if f["id"].startswith("rollouts.classic")
        }
        assert set(classic.values()) == {"pass"}, "the naive thresholds see no difference"


@pytest.mark.soak
def test_the_newest_run_is_taken_and_named_when_none_is_given(folder):
    ran = run_script(
        "run_eval",
        "environments/word_problems",
        "--simulate",
        "skill=0.5",
        "-n",
        6,
        "-r",
        1,
        "--json",
        "--quiet",
        cwd=folder,
    )
    newest = Path(ran.report["facts"]["results"]).name
    checked = run_script("check_reward_distribution", "--json", "--quiet", cwd=folder)
    assert newest in str(checked.report["subject"])
    assert checked.report["facts"]["reaction"] == "inconclusive", (
        "one rollout per task says nothing about groups"
    )


@pytest.mark.soak
def test_outcomes_are_counted_apart(folder):
    ran = run_script(
        "run_eval",
        "environments/word_problems",
        "--simulate",
        "skill=0.5,error=0.15,empty=0.1,truncated=0.2,format=1",
        "--json",
        "--quiet",
        cwd=folder,
    )
    outcomes, total = ran.report["facts"]["outcomes"], 200
    assert outcomes["error"] / total == pytest.approx(0.15, abs=0.08)
    assert outcomes["empty"] / total == pytest.approx(0.1, abs=0.07)
    assert outcomes["truncated"] / total == pytest.approx(0.2, abs=0.08)
    assert ran.finding("eval.errors")["status"] == "warn"
    assert ran.finding("eval.truncated")["status"] == "warn"


def test_without_a_key_prime_inference_is_not_asked(folder, tmp_path):
    ran = run_script(
        "run_eval",
        "environments/word_problems",
        "-m",
        "some/model",
        "--json",
        cwd=folder,
        env={"HOME": str(tmp_path), "PRIME_API_KEY": "", "PRIME_INFERENCE_URL": ""},
    )
    assert ran.code == 3 and ran.report["findings"][-1]["id"] == "prime.not_logged_in"
    assert "prime login" in ran.report["next"] and "--base-url" in ran.report["next"]
    assert not list(folder.glob("outputs/*some*model*")), "nothing was begun"


@pytest.mark.long
def test_a_model_endpoint_that_is_down_is_no_result(folder):
    ran = run_script(
        "run_eval",
        "environments/word_problems",
        "-m",
        "some/model",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "-n",
        2,
        "-r",
        1,
        "--json",
        cwd=folder,
    )
    assert ran.code == 3
    assert ran.report["findings"][-1]["id"] == "eval.all_failed"
    assert "endpoint" in ran.report["next"]
    assert "Traceback" not in ran.out + ran.err
