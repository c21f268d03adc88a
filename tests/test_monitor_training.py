"""monitor_training.py: how runs fail, as findings; from the platform and from a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.platform.monitoring.series import collect
from lab.platform.monitoring.signatures import signatures
from marks import soak
from run_script import run_script
from servers.prime_api import PrimeApi
from trained import started_run

STEPS = 40


def metrics(steps: int = STEPS, **curves) -> list[dict[str, float]]:
    """Records with prime-rl's names; a curve is a constant or a function of the way's share."""
    names = {
        "reward": "train/agg/effective/agent/reward/mean",
        "trainable": "train/agg/all/agent/is_trainable/mean",
        "solved_none": "train/agg/all/agent/solved_none",
        "solved_all": "train/agg/all/agent/solved_all",
        "truncated": "train/agg/all/agent/is_truncated/mean",
        "errors": "train/agg/all/agent/has_error/mean",
        "entropy": "entropy/all/mean",
        "mismatch": "mismatch_kl/all/mean",
        "grad_norm": "optim/grad_norm",
        "dropped": "off_policy/dropped",
        "step_time": "time/step",
        "wait_for_batch": "time/wait_for_batch",
        "wait_for_policy": "time/wait_for_policy",
        "eval": "eval/held-out/all/agent/reward/mean",
    }
    healthy = {
        "reward": lambda x: 0.3 + 0.4 * x,
        "trainable": 0.6,
        "solved_none": 0.2,
        "solved_all": 0.2,
        "truncated": 0.05,
        "errors": 0.01,
        "entropy": lambda x: 0.5 - 0.1 * x,
        "mismatch": 0.002,
        "grad_norm": 0.3,
        "dropped": 0,
        "step_time": 60,
        "wait_for_batch": 10,
        "wait_for_policy": 5,
        "eval": lambda x: 0.3 + 0.3 * x,
    }
    records = []
    for step in range(steps):
        x = step / max(1, steps - 1)
        records.append(
            {"step": step}
            | {
                names[name]: float(curve(x) if callable(curve) else curve)
                for name, curve in {**healthy, **curves}.items()
            }
        )
    return records


def statuses(records) -> dict[str, str]:
    return {finding.id: finding.status for finding in signatures(collect(records))}


def test_a_healthy_run_has_nothing_to_say():
    assert set(statuses(metrics()).values()) == {"pass"}


FAILURES = [
    ("every reward the same", {"reward": 0.4}, "run.reward", "fail"),
    ("reward falls", {"reward": lambda x: 0.6 - 0.4 * x}, "run.reward", "fail"),
    (
        "reward flat with noise",
        {"reward": lambda x: 0.4 + 0.005 * ((x * 997) % 1)},
        "run.reward",
        "warn",
    ),
    ("dead groups", {"trainable": lambda x: 0.4 - 0.38 * x}, "run.live_groups", "fail"),
    ("few live groups", {"trainable": 0.15}, "run.live_groups", "warn"),
    ("never solved", {"solved_none": 0.99}, "run.too_hard", "fail"),
    ("always solved", {"solved_all": lambda x: min(1.0, 0.3 + x)}, "run.too_easy", "fail"),
    ("most replies cut", {"truncated": 0.7}, "run.truncation", "fail"),
    (
        "truncation rises, reward falls",
        {"truncated": lambda x: 0.05 + 0.4 * x, "reward": lambda x: 0.5 - 0.3 * x},
        "run.truncation",
        "fail",
    ),
    ("rollouts fail", {"errors": 0.9}, "run.errors", "fail"),
    ("some rollouts fail", {"errors": 0.1}, "run.errors", "warn"),
    ("entropy collapses", {"entropy": lambda x: 0.5 * (1 - x) ** 3}, "run.entropy", "fail"),
    ("mismatch grows", {"mismatch": lambda x: 0.001 + 0.2 * x * x}, "run.mismatch", "fail"),
    (
        "gradient spike",
        {"grad_norm": lambda x: 50.0 if 0.5 < x < 0.53 else 0.3},
        "run.gradient",
        "warn",
    ),
    ("rollouts too old", {"dropped": 3}, "run.stale_rollouts", "warn"),
    ("trainer waits", {"wait_for_batch": 50}, "run.balance", "warn"),
    ("rollouts wait", {"wait_for_policy": 50}, "run.balance", "warn"),
    (
        "held-out falls while training rises",
        {"eval": lambda x: 0.5 - 0.3 * x},
        "run.reward_exploit",
        "fail",
    ),
]


@pytest.mark.parametrize(
    ("name", "curves", "id", "status"), FAILURES, ids=[row[0] for row in FAILURES]
)
def test_each_signature_of_failure_is_found_with_a_remedy(name, curves, id, status):
    found = {finding.id: finding for finding in signatures(collect(metrics(**curves)))}
    assert found[id].status == status, found[id]
    assert found[id].fix
    assert ("stop it" in found[id].fix) == (status == "fail")


def test_a_young_run_is_not_judged_by_its_trend():
    young = statuses(metrics(steps=2, reward=0.4))
    assert young["run.reward"] == "inconclusive" and young["run.entropy"] == "inconclusive"
    assert "fail" not in young.values()


def test_what_a_run_does_not_report_is_skipped_by_name():
    found = {
        finding.id: finding
        for finding in signatures(collect([{"step": i, "reward/mean": 0.1 * i} for i in range(6)]))
    }
    assert (
        found["run.reward"].status == "pass"
        and found["run.entropy"].status == "skip"
        and "entropy" in found["run.entropy"].evidence
    )


def test_records_of_trainer_and_orchestrator_are_joined_and_odd_values_passed_over():
    series = collect(
        [
            {"step": 1, "entropy/all/mean": 0.4},
            {"step": 0, "entropy/all/mean": 0.5},
            {"step": 1, "reward/mean": float("nan")},
            {"step": "x"},
            {"reward/mean": True},
        ]
    )
    assert series.values["entropy"] == [(0, 0.5), (1, 0.4)] and "reward" not in series.values


class TestPlatform:
    @pytest.fixture
    def api(self):
        with PrimeApi() as running:
            yield running

    def start(self, api: PrimeApi, status: str = "RUNNING", **curves) -> str:
        return started_run(api, status, metrics=metrics(**curves))

    def monitor(self, api, cwd: Path, *args):
        return run_script(
            "monitor_training", *args, "--json", cwd=cwd, env=api.environ(cwd / "home")
        )

    def test_a_look_gives_status_numbers_money_and_a_step_to_browse(self, api, tmp_path):
        run = self.start(api)
        ran = self.monitor(api, tmp_path, run, "--step", 30, "--html", "run.html")
        assert ran.code == 0, ran.out + ran.err
        facts = ran.report["facts"]
        assert (
            facts["step"] == STEPS - 1
            and facts["usd"] == 2.5
            and facts["stop"] == []
            and facts["sampled_steps"] == [30]
        )
        assert "RUNNING" in facts["line"] and "2.50 USD" in facts["line"]
        assert api.sent("PUT", "*") == [] and api.sent("POST", "*") == [], "it never acts on a run"
        saved = json.loads((tmp_path / f"outputs/{run}/step_30.json").read_text())
        assert len(saved["samples"]) == 8 and "check_reward_distribution.py" in ran.report["next"]
        page = (tmp_path / "run.html").read_text()
        assert "<svg" in page and "id=browser" in page and "<script>alert(1)" not in page

    @pytest.mark.long
    def test_a_failing_run_is_told_and_not_stopped(self, api, tmp_path):
        run = self.start(api, errors=0.95, trainable=0.0)
        ran = self.monitor(api, tmp_path, run)
        assert ran.code == 1 and set(ran.report["facts"]["stop"]) == {
            "run.errors",
            "run.live_groups",
        }
        assert api.runs[run]["status"] == "RUNNING"

    @pytest.mark.long
    def test_what_does_not_answer_is_named(self, api, tmp_path):
        run = self.start(api)
        api.fault("GET", "/billing/*", status=503)
        ran = self.monitor(api, tmp_path, run)
        assert (
            ran.code == 0
            and "usage" in ran.report["facts"]["not_answered"]
            and ran.report["facts"]["usd"] is None
        )

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("status", "code"), [("FAILED", 1), soak("QUEUED", 4), soak("PAUSED", 0)]
    )
    def test_other_statuses(self, api, tmp_path, status, code):
        run = self.start(api, status)
        assert self.monitor(api, tmp_path, run).code == code

    @pytest.mark.long
    def test_watching_ends_with_the_run(self, api, tmp_path):
        run = self.start(api, "COMPLETED")
        ran = self.monitor(api, tmp_path, run, "--watch", "--every", "1")
        assert ran.code == 0 and "compare_evals.py" in ran.report["next"]

    @pytest.mark.long
    def test_an_unknown_run_and_a_missing_step(self, api, tmp_path):
        assert self.monitor(api, tmp_path, "run999").code == 2
        run = self.start(api)
        assert (
            self.monitor(api, tmp_path, run, "--step", 7)
            .finding("input.step")["fix"]
            .endswith("30")
        )


def test_a_run_folder_with_a_torn_last_line(tmp_path):
    folder = tmp_path / "outputs" / "mine"
    folder.mkdir(parents=True)
    lines = [json.dumps(record) for record in metrics()]
    (folder / "metrics.jsonl").write_text("\n".join(lines) + '\n{"step": 40, "entr')
    ran = run_script("monitor_training", "outputs/mine", "--json", cwd=tmp_path)
    assert ran.code == 0 and ran.report["facts"]["step"] == STEPS - 1
    assert ran.finding("run.status")["status"] == "skip"


@pytest.mark.parametrize("make", ["empty folder", "empty file", "slash"])
def test_bad_input(tmp_path, make):
    target = "a/b"
    if make == "empty folder":
        (tmp_path / "run").mkdir()
        target = "run"
    if make == "empty file":
        (tmp_path / "metrics.jsonl").write_text("")
        target = "metrics.jsonl"
    ran = run_script("monitor_training", target, "--json", cwd=tmp_path)
    assert ran.code == 2 and "Traceback" not in ran.err and ran.finding("input.run")["fix"]
