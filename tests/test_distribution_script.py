"""check_reward_distribution.py through its command line: verdicts, facts, thresholds."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path

import pytest

from distribution import check, simulated
from rollout_logs import classic_row, draws, episode, shared, write
from run_script import run_script


def test_the_same_mean_with_and_without_a_signal(tmp_path):
    learnable = check(simulated(tmp_path / "a.jsonl", 50, 4, lambda t: 0.4, format=0.95))
    dead = check(simulated(tmp_path / "b.jsonl", 50, 4, lambda t: float(t % 5 < 2), format=0.95))
    assert learnable.code == 0, learnable.out
    assert dead.code == 1
    assert learnable.report["facts"]["pass_rate"] == pytest.approx(
        dead.report["facts"]["pass_rate"], abs=0.06
    )
    assert dead.finding("signal.correct_groups")["status"] == "fail", (
        "what is live is live through the format"
    )
    assert (
        dead.report["facts"]["live_group_share"]["estimate"]
        > dead.report["facts"]["live_group_share_correct"]["high"]
    )
    for ran in (learnable, dead):
        assert ran.finding("rollouts.classic_spread")["status"] == "pass"


@pytest.mark.parametrize("tasks, rollouts", [(100, 1), (12, 8), (1, 1)])
def test_too_little_is_inconclusive_never_a_pass(tmp_path, tasks, rollouts):
    ran = check(simulated(tmp_path / "a.jsonl", tasks, rollouts, lambda t: 0.5))
    assert ran.report["verdict"] in ("inconclusive", "fail")
    assert ran.finding("signal.enough_data")["status"] == "inconclusive"
    if tasks > 1:
        assert ran.code == 4
        assert "run_eval.py" in ran.report["next"]


def test_the_facts_that_others_read(tmp_path):
    facts = check(simulated(tmp_path / "a.jsonl", 30, 4, lambda t: 0.5), "--group-size", 16).report[
        "facts"
    ]
    assert (facts["tasks"], facts["rollouts"], facts["rollouts_per_task"], facts["group_size"]) == (
        30,
        120,
        4,
        16,
    )
    assert set(facts["live_group_share"]) == {"estimate", "low", "high"}
    assert set(facts["outcomes"]) == {
        "right",
        "wrong",
        "truncated",
        "empty",
        "error",
        "not_recorded",
    }
    assert set(facts["live_group_share_by_group_size"]) == {"4", "8", "16", "32"}
    assert facts["grouped_by"] == "key"
    assert facts["plan"]["steps"]


def test_the_saturated_math_set_passes_the_classic_thresholds_and_not_ours():
    ran = check(shared("math_100x8.jsonl"), cwd=Path.cwd())
    facts = ran.report["facts"]
    assert {
        f["status"] for f in ran.report["findings"] if f["id"].startswith("rollouts.classic")
    } <= {"pass", "skip"}
    assert ran.finding("signal.informative_groups")["status"] in ("warn", "fail")
    assert facts["live_group_share"]["estimate"] == pytest.approx(0.10, abs=0.005)
    assert facts["learnability"] == pytest.approx(0.023, abs=0.001)
    assert facts["icc"] == pytest.approx(0.723, abs=0.005)
    assert facts["standard_error"]["clustered"] / facts["standard_error"]["naive"] == pytest.approx(
        2.5, abs=0.1
    )
    assert (round(facts["pass_rate"], 2), round(facts["pass_at_r"], 2)) == (0.91, 0.96)


@pytest.mark.long
def test_every_public_log_gets_a_report_that_names_what_is_wrong():
    folder = shared("eval_logs_v0")
    statuses = {}
    for file in sorted(folder.glob("*.jsonl"))[::3]:
        ran = check(file, cwd=Path.cwd())
        assert ran.code in (0, 1, 4), (file.name, ran.err)
        assert "Traceback" not in ran.err
        statuses[file.name] = {f["id"]: f["status"] for f in ran.report["findings"]}
    gsm8k = check(next(folder.glob("gsm8k*")), cwd=Path.cwd())
    assert gsm8k.finding("rollouts.recorded")["status"] == "warn"
    assert gsm8k.report["facts"]["outcomes"]["not_recorded"] == 150
    nano = check(next(folder.glob("simpleqa*nano*")), cwd=Path.cwd())
    assert nano.finding("rollouts.empty")["status"] == "fail"
    assert nano.report["facts"]["outcomes"]["empty"] == 49
    assert "mix different prompts" in nano.finding("rollouts.grouping")["evidence"]


def test_answers_lost_to_the_format_are_counted(tmp_path):
    rows = []
    for t, r, v in draws(30, 4, lambda t: 0.5):
        lost = (t + r) % 3 == 0
        rows.append(
            episode(
                t,
                r,
                0.0 if lost else v,
                format=float(not lost),
                text=f"Thinking about {t} for a while.\nIt is {2 * t}." if lost else None,
            )
        )
    ran = check(write(tmp_path / "traces.jsonl", rows))
    assert ran.finding("reward.format")["status"] == "warn"
    assert (
        "33% of all rollouts end with the gold answer" in ran.finding("reward.format")["evidence"]
    )


def test_a_larger_group_is_suggested_only_where_it_pays(tmp_path):
    hard = check(simulated(tmp_path / "a.jsonl", 100, 8, lambda t: 0.04)).report["facts"]["plan"]
    split = check(
        simulated(tmp_path / "b.jsonl", 100, 8, lambda t: 0.5 if t % 8 == 0 else float(t % 2))
    ).report["facts"]["plan"]
    assert hard["suggested_group_size"] > 8
    assert split["suggested_group_size"] == 8
    assert split["keep_tasks"] < 20


@pytest.mark.parametrize(
    ("solved", "helps"), [(0.0, "easier tasks or a stronger model"), (1.0, "harder tasks")]
)
def test_where_no_group_would_live_the_plan_says_what_helps_instead(tmp_path, solved, helps):
    ran = check(simulated(tmp_path / "dead.jsonl", 60, 4, lambda t: solved))
    plan = ran.report["facts"]["plan"]
    assert plan["suggested_group_size"] == plan["group_size"] == 8
    said = next(step for step in plan["steps"] if "group size" in step and "no " in step)
    assert said.startswith("no group size helps") and helps in said
    assert not [step for step in plan["steps"] if "instead of" in step]


def test_a_run_may_be_named_without_the_flag(tmp_path):
    first = simulated(tmp_path / "a.jsonl", 30, 4, lambda t: 0.4)
    rows = [episode(t + 30, r, v) for t, r, v in draws(30, 4, lambda t: 0.7)]
    second = write(tmp_path / "b.jsonl", rows)
    named = [
        run_script("check_reward_distribution", *words, "--json", cwd=tmp_path)
        for words in (
            ("--results", first, second),
            (first, second),
            (first, "--results", second),
        )
    ]
    assert named[0].report["facts"]["rollouts"] == 240
    assert all(ran.report["facts"] == named[0].report["facts"] for ran in named)


def test_an_environments_folder_in_place_of_a_run_is_told_its_flag(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'sums'\n")
    ran = run_script("check_reward_distribution", tmp_path, "--json", cwd=tmp_path)
    assert ran.code == 2 and f"--env {tmp_path}" in ran.report["findings"][0]["fix"]


def test_paid_empty_answers_are_named(tmp_path):
    rows = [
        classic_row(t, r, v, text="" if (t + r) % 3 == 0 else None)
        for t, r, v in draws(30, 4, lambda t: 0.5)
    ]
    ran = check(write(tmp_path / "results.jsonl", rows))
    assert ran.finding("reward.empty_paid")["status"] == "fail"
    assert ran.code == 1


def test_the_group_size_model_and_limits_come_from_the_training_file(tmp_path):
    training = tmp_path / "rl.toml"
    training.write_text(
        '[model]\nname = "big-model"\n[orchestrator]\nbatch_size = 128\n'
        "[orchestrator.train.sampling]\ntemperature = 1.0\nmax_completion_tokens = 512\n"
        '[[orchestrator.train.source]]\nname = "sums"\ngroup_size = 32\nenv.taskset.id = "sums"\n'
    )
    ran = check(simulated(tmp_path / "a.jsonl", 30, 4, lambda t: 0.5), "--training", training)
    assert ran.report["facts"]["group_size"] == 32
    assert ran.finding("rollouts.same_setting")["status"] == "warn"
    assert (
        "small-model here, big-model in training"
        in ran.finding("rollouts.same_setting")["evidence"]
    )


def test_the_error_rates_of_the_reward_meet_the_pass_rate(tmp_path):
    hard = simulated(tmp_path / "a.jsonl", 100, 8, lambda t: 0.06)
    assert check(hard, "--fpr", 0.05, "--tpr", 1).finding("reward.precision")["status"] == "fail"
    assert check(hard, "--fpr", 0.001, "--tpr", 1).finding("reward.precision")["status"] == "pass"
    assert check(hard).finding("reward.precision")["status"] == "skip"


def test_keys_of_the_tasks_worth_training_on(tmp_path):
    path = simulated(tmp_path / "a.jsonl", 40, 8, lambda t: 0.5 if t < 10 else float(t % 2))
    for name in ("keep.toml", "keep.json", "keep.txt"):
        assert (
            check(path, "--keep-tasks", tmp_path / name).report["facts"]["plan"]["keep_tasks"] == 10
        )
    keys = tomllib.loads((tmp_path / "keep.toml").read_text())["select"]["include"]["keys"]
    assert sorted(keys) == sorted(f"{t:064x}" for t in range(10))
    assert json.loads((tmp_path / "keep.json").read_text()) == keys
    from verifiers.v1.configs.select import SelectConfig

    assert (
        SelectConfig.model_validate(
            tomllib.loads((tmp_path / "keep.toml").read_text())["select"]
        ).include.keys
        == keys
    )


def test_last_n_compare_and_verbose(tmp_path):
    path = simulated(tmp_path / "a.jsonl", 40, 4, lambda t: 0.5)
    ran = check(
        path, "--last-n", 40, "--compare", simulated(tmp_path / "b.jsonl", 40, 4, lambda t: 0.9)
    )
    assert ran.report["facts"]["rollouts"] == 40
    assert ran.report["facts"]["compare"]["pass rate"]["there"]["estimate"] > 0.8
    page = run_script("check_reward_distribution", "--results", path, "--verbose", cwd=tmp_path)
    assert "--- data (not instructions) ---" in page.out
    assert "classic thresholds, for comparison" in page.out
    assert page.err.startswith("reading ")


def test_the_newest_run_is_taken_and_named(tmp_path):
    import os

    for i, name in enumerate(("old", "new")):
        simulated(tmp_path / "outputs" / name / "traces.jsonl", 20, 2, lambda t: 0.5)
        os.utime(tmp_path / "outputs" / name / "traces.jsonl", (1_000_000 + i, 1_000_000 + i))
    # What vf-validate writes there holds verdicts on tasks and no rollouts.
    validated = tmp_path / "outputs" / "env--validate--1" / "configs" / "resolved"
    validated.mkdir(parents=True)
    (validated / "validate.json").write_text("{}")
    (validated.parents[1] / "results.jsonl").write_text('{"index": 0, "valid": true}\n')
    ran = run_script("check_reward_distribution", "--json", "--quiet", cwd=tmp_path)
    assert ran.report["subject"]["results"] == "outputs/new"


def test_a_judge_whose_second_verdict_differs_is_found_by_scoring_again(tmp_path):
    def log(name: str, seed: int, noise: float) -> Path:
        chance = random.Random(seed)
        return write(
            tmp_path / name,
            [
                episode(
                    t, r, min(1.0, max(0.0, 0.5 + 0.1 * (r % 2) + chance.uniform(-noise, noise)))
                )
                for t in range(30)
                for r in range(4)
            ],
        )

    steady = check(log("a.jsonl", 1, 0.0), "--compare", log("b.jsonl", 2, 0.0)).finding(
        "reward.judge_noise"
    )
    assert (steady["status"], steady["measured"]["scored_again"]) == ("pass", 120)
    shaky = check(log("c.jsonl", 3, 0.5), "--compare", log("d.jsonl", 4, 0.5)).finding(
        "reward.judge_noise"
    )
    assert shaky["status"] == "fail"
    assert shaky["measured"]["between_scorings"] == pytest.approx(0.3, abs=0.06)
    assert check(tmp_path / "a.jsonl").finding("reward.judge_noise")["status"] == "skip"


def test_tasks_that_are_held_out_and_trained_on_are_counted(tmp_path):
    def story(t: int) -> str:
        words = "anna has some apples and gives half of them to her friend before lunch today"
        return " ".join(f"{word}{t}" for word in words.split())

    train = write(
        tmp_path / "train.jsonl",
        [episode(t, r, float(r % 2), prompt=story(t)) for t in range(60) for r in range(2)],
    )
    # 100..119 are new, 5 stands there word for word, 7 with other case and another beginning.
    prompts = {
        **{t: story(t) for t in range(100, 120)},
        5: story(5),
        7: "Here is a riddle: " + story(7).upper(),
    }
    held = write(
        tmp_path / "held.jsonl", [episode(t, 0, 1.0, prompt=p) for t, p in prompts.items()]
    )
    found = check(train, "--held-out", held).finding("data.overlap")
    assert found["status"] == "fail"
    assert (
        "of 22 held-out questions 1 are word for word in 60 tasks, 2 by half" in found["evidence"]
    )
    assert (
        check(
            train,
            "--held-out",
            write(tmp_path / "new.jsonl", [episode(200, 0, 1.0, prompt=story(200))]),
        ).finding("data.overlap")["status"]
        == "pass"
    )
    assert check(train).finding("data.overlap")["status"] == "skip"
