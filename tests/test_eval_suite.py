"""Suites of evaluations: what a file may say, budgets, kills and resumes, retries, and stopping
early."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from lab.cli.report import LabError
from lab.evaluation.budget import Price, estimate, used
from lab.evaluation.suite import read_suite
from ladder import processes_naming, start_script
from marks import soak
from run_script import ROOT, run_script
from servers.prime_api import PrimeApi
from traces import episode, node, task, write_run

KILLS = int(os.environ.get("LAB_KILLS", "1"))
"""Kills in the middle of the suite; ten in a longer run: LAB_KILLS=10."""
KILLS_SEED = int(os.environ.get("LAB_KILLS_SEED", "0"))
TASKS, ROLLOUTS = 8, 4
SUITE = f"""
name = "pair"
tasks = {TASKS}
rollouts = {ROLLOUTS}
concurrency = 2
simulate = "skill=0.5,spread=0.3,seed=3"

[[eval]]
env = "problems"
split = "train"

[[eval]]
env = "problems"
name = "again"
"""


@pytest.fixture
def place(tmp_path, word_problems) -> Path:
    shutil.copytree(word_problems, tmp_path / "problems")
    (tmp_path / "suite.toml").write_text(SUITE)
    return tmp_path


def written(folder: Path) -> int:
    return sum(
        path.read_bytes().count(b"\n") for path in folder.glob("outputs/pair/*/traces.jsonl")
    )


def reached(folder: Path) -> int:
    """Rollouts on disk; -1 with no more than the note of the first run, 0 with its settings."""
    if not (folder / "outputs" / "pair" / "problems--simulated" / "prime_lab.json").exists():
        return -2
    return written(folder) if list(folder.glob("outputs/pair/*/configs/resolved/eval.json")) else -1


@pytest.mark.timeout(1800)
@pytest.mark.soak
def test_a_suite_that_is_killed_goes_on_and_each_task_has_exactly_its_rollouts(place):
    draw = random.Random(f"{KILLS} {KILLS_SEED}")
    arguments = ("--suite", "suite.toml", "--force", "the kill is tested", "--quiet")
    targets = sorted(draw.randint(-1, 2 * TASKS * ROLLOUTS - 1) for _ in range(KILLS))
    for target in targets:
        process = start_script("run_eval", *arguments, cwd=place)
        while process.poll() is None and reached(place) < target:
            time.sleep(0.02)  # the condition is what is on disk
        process.send_signal(signal.SIGKILL)
        process.communicate()
    ran = run_script("run_eval", *arguments, "--json", cwd=place)
    assert ran.code == 0, ran.out + ran.err
    assert ran.report["facts"]["rollouts"] == 2 * TASKS * ROLLOUTS
    for name in ("problems--simulated", "again--simulated"):
        lines = [
            json.loads(line)
            for line in (place / "outputs" / "pair" / name / "traces.jsonl")
            .read_text()
            .splitlines()
        ]
        per_task = Counter(line["task"]["key"] for line in lines)
        assert len(per_task) == TASKS and set(per_task.values()) == {ROLLOUTS}
        assert len({line["id"] for line in lines}) == len(lines)
        assert all(line["ok"] for line in lines)
    assert not processes_naming(str(place / "outputs"))
    before = {path: path.read_bytes() for path in place.glob("outputs/pair/*/traces.jsonl")}
    assert run_script("run_eval", *arguments, cwd=place).code == 0
    assert {path: path.read_bytes() for path in before} == before, "what is complete is left alone"
    suite = place / "suite.toml"
    suite.write_text(
        suite.read_text().replace(f"rollouts = {ROLLOUTS}", f"rollouts = {ROLLOUTS + 1}")
    )
    ran = run_script("run_eval", *arguments, "--json", cwd=place)
    assert ran.code == 2 and ran.finding("input.suite_changed"), (
        "rollouts of two settings are not mixed"
    )
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.soak
def test_until_decided_stops_before_all_tasks_and_failed_requests_are_tried_again_and_counted(
    place,
):
    ran = run_script(
        "run_eval",
        "problems",
        "--simulate",
        "skill=0.5,spread=0.1,error=0.1,seed=2",
        "-n",
        200,
        "-r",
        4,
        "--until-decided",
        "--retries",
        6,
        "--force",
        "early stop is tested",
        "--json",
        "--quiet",
        cwd=place,
    )
    facts = ran.report["facts"]
    assert ran.code == 0, ran.out + ran.err
    assert facts["looks"][-1]["decided"] and facts["looks"][-1]["low"] >= 0.30
    assert facts["tasks"] == facts["looks"][-1]["tasks"] < 200
    assert facts["rollouts"] == 4 * facts["tasks"]
    assert facts["outcomes"]["error"] == 0
    assert facts["used"]["retries"] > 0
    assert facts["used"]["output_tokens"] > 0


@pytest.mark.parametrize(
    "flags", [("--max-cost", "0.001", "--price", "1,2"), soak(("--budget-tokens", "1000"))]
)
def test_nothing_starts_above_the_budget(place, flags):
    ran = run_script(
        "run_eval",
        "problems",
        "-m",
        "some/model",
        *flags,
        "--force",
        "the budget is tested",
        "--json",
        "--quiet",
        cwd=place,
    )
    assert ran.code == 1
    assert ran.finding("eval.cost")["status"] == "fail"
    assert ran.report["facts"]["estimate"]["rollouts"] == 200
    assert not (place / "outputs").exists()


@pytest.mark.long
def test_prices_come_from_the_platform_and_what_has_none_is_said(place):
    def asked(api: PrimeApi, *more: object):
        return run_script(
            "run_eval",
            "problems",
            "-m",
            "some/model",
            *more,
            "--force",
            "prices",
            "--json",
            "--quiet",
            cwd=place,
            env=api.environ(place / "home"),
        )

    with PrimeApi(models=("some/model", "Qwen/Qwen3-0.6B")) as api:
        ran = asked(api, "--max-cost", 0.5)
        assert ran.code == 3 and "--price" in ran.finding("eval.no_price")["fix"]
        api.prices = {"some/model": {"input_usd_per_mtok": 1.0, "output_usd_per_mtok": 2.0}}
        ran = asked(api, "--max-cost", 0.5)
        assert ran.code == 1 and "0.512 USD > 0.5" in str(ran.finding("eval.cost")["measured"])
        assert ran.report["facts"]["estimate"]["usd"] == pytest.approx(
            [200 * (512 + 1024) / 1e6, 200 * (512 + 2048) / 1e6]
        )
        assert [request.path for request in api.requests] == ["/inference/v1/models"] * 2
        ran = asked(api, "--max-cost", 0.5, "--base-url", "http://127.0.0.1:9/v1")
        assert ran.code == 3 and "at http://127.0.0.1:9/v1" in ran.out, (
            "an endpoint of one's own has prices of its own"
        )
        api.fault("GET", "/inference/v1/models", status=500)
        ran = asked(api, "--max-cost", 0.5)
        assert ran.code == 3 and "prices of the models are not known" in ran.out
    assert not (place / "outputs").exists()


def test_a_suite_above_the_budget_starts_nothing(place):
    ran = run_script(
        "run_eval", "--suite", "suite.toml", "--budget-tokens", 1000, "--json", "--quiet", cwd=place
    )
    assert ran.code == 1
    assert ran.finding("eval.cost")["status"] == "fail"
    assert not (place / "outputs").exists()


def test_the_estimate_is_an_upper_bound_over_all_turns():
    one = estimate(tasks=10, rollouts=4, max_tokens=1000, prompt=500, price=Price(1.0, 2.0))
    assert (one.sent, one.written) == (40 * 500, 40 * 1000)
    assert one.usd == pytest.approx((0.02 + 0.04, 0.02 + 0.08))
    three = estimate(tasks=10, rollouts=4, max_tokens=1000, prompt=500, turns=3)
    assert three.written == 3 * one.written
    assert three.sent == 40 * (500 + (500 + 1000) + (500 + 2000))
    assert three.usd is None


def test_what_was_used_counts_calls_failures_and_retries(tmp_path):
    good = episode(task(1), "x", correct=1.0)
    again = episode(task(2), "y", correct=1.0)
    again["traces"][0]["errors"] = [{"type": "ProviderError", "status_code": 429}]
    again["traces"][0]["calls"].insert(0, {"error": {"type": "ProviderError"}})
    failed = episode(task(3), error="ProviderError", nodes=[node("user", "q")])
    write_run(tmp_path / "run", [good, again, failed])
    found = used(tmp_path / "run")
    assert found == {"input_tokens": 20, "output_tokens": 10, "failed_requests": 1, "retries": 1}
    assert used(tmp_path / "nothing") == dict.fromkeys(found, 0)


def test_every_environment_meets_every_model(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(
        'models = ["a/x", "b"]\nrollouts = 2\n[[eval]]\nenv = "environments/one"\n[[eval]]\n'
        'env = "two"\nrollouts = 32\nmodels = ["c"]\n'
    )
    suite = read_suite(file)
    assert [(e.env, e.model, e.values["rollouts"]) for e in suite.entries] == [
        ("environments/one", "a/x", 2),
        ("environments/one", "b", 2),
        ("two", "c", 32),
    ]
    assert [e.folder for e in suite.entries] == ["one--a-x", "one--b", "two--c"]
    assert {e.model for e in read_suite(file, model="mine").entries} == {"mine"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[eval]]\n", "has no env"),
        ('models = ["m"]\n', "no [[eval]]"),
        ('[[eval]]\nenv = "x"\n', "has no model"),
        ('model = "m"\n[[eval]]\nenv = "x"\nrollout = 2\n', "unknown key 'rollout'"),
        ('model = "m"\n[[eval]]\nenv = "x"\nrollouts = 0\n', "rollouts = 0"),
        ('model = "m"\n[[eval]]\nenv = "x"\nrollouts = "2"\n', "rollouts = 2"),
        ('model = "m"\n[[eval]]\nenv = "x"\n[[eval]]\nenv = "y/x"\n', "two entries are called"),
        ("model = \n", "not valid TOML"),
    ],
)
def test_a_suite_that_cannot_be_meant_is_refused_with_what_is_legal(tmp_path, text, told):
    file = tmp_path / "s.toml"
    file.write_text(text)
    with pytest.raises(LabError) as refused:
        read_suite(file)
    assert refused.value.code == 2
    assert told in refused.value.message
    assert refused.value.fix


@pytest.mark.parametrize(
    "path", sorted((ROOT / "configs" / "eval").glob("*.toml")), ids=lambda p: p.name
)
def test_the_worked_suites_are_read_and_their_environments_exist(path):
    suite = read_suite(path)
    assert suite.entries
    assert all((ROOT / entry.env).is_dir() for entry in suite.entries)
