"""Bad input through the whole check: each kind is named and counted, and the rest is still used."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from check_reward_distribution import COMMAND
from distribution import check, simulated
from lab.cli.command import Progress
from lab.cli.report import Finding, LabError, Report
from rollout_logs import classic_row, draws, episode, old_row, write
from run_script import run_script
from test_rollouts_damage import LAYOUTS, damaged


def run(*paths: Path, options: tuple[str, ...] = ()) -> Report:
    report = Report("check_reward_distribution")
    COMMAND.main(
        COMMAND.parser().parse_args(
            ["--results", *map(str, paths), "--quiet", "--verbose", *options]
        ),
        report,
        Progress(quiet=True),
    )
    json.loads(report.as_json())
    return report


def finding(report: Report, id: str) -> Finding:
    (found,) = [f for f in report.findings if f.id == id]
    return found


def rows(tasks: int = 40, rollouts: int = 4) -> list[dict]:
    return [classic_row(t, r, v) for t, r, v in draws(tasks, rollouts, lambda t: 0.5)]


def test_rewards_that_are_no_numbers_are_left_out_and_counted(tmp_path):
    log = rows()
    for place, bad in enumerate([math.nan, math.inf, None, "high", [1], "1.0"]):
        log[place * 9] = classic_row(place * 9 // 4, place * 9 % 4, bad)
    report = run(write(tmp_path / "results.jsonl", log))
    values = finding(report, "reward.values")
    assert (values.status, values.measured) == ("fail", 5)
    assert (
        "not finite" in values.evidence
        and "missing" in values.evidence
        and "as string" in values.evidence
    )
    assert report.facts["rollouts"] == 155


def test_negative_and_unbounded_rewards_are_a_warning_with_their_range(tmp_path):
    report = run(
        write(
            tmp_path / "results.jsonl",
            [classic_row(t, r, v * 250.0 - 50.0) for t, r, v in draws(40, 4, lambda t: 0.5)],
        )
    )
    found = finding(report, "reward.observed_range")
    assert (found.status, found.measured) == ("warn", [-50.0, 200.0])
    assert finding(report, "reward.scale").status == "fail"
    assert finding(report, "signal.informative_groups").status == "pass"


def test_missing_metrics_cost_only_what_stands_on_them(tmp_path):
    log = rows()
    for row in log[:100]:
        del row["metrics"], row["correct"]
    report = run(write(tmp_path / "results.jsonl", log))
    assert report.facts["rollouts"] == 160
    assert finding(report, "signal.informative_groups").status == "pass"


def test_runs_whose_numbers_mean_other_tasks_are_told(tmp_path):
    """Two runs of different environments, in one file or in two, count their tasks from 0."""
    one = rows(30)
    two = [
        {**row, "prompt": [{"role": "user", "content": f"Translate word {row['example_id']}"}]}
        for row in rows(30)
    ]
    together = write(tmp_path / "both.jsonl", one + two)
    apart = [
        write(tmp_path / name / "results.jsonl", part) for name, part in (("a", one), ("b", two))
    ]
    for paths in ([together], apart):
        grouping = finding(run(*paths), "rollouts.grouping")
        assert grouping.status in ("warn", "fail", "inconclusive")
        assert "30 of 30 tasks hold more than one prompt" in grouping.evidence


def test_other_models_resumed_rows_and_uneven_groups_are_named(tmp_path):
    log = rows() + [classic_row(t, 9, 1.0, model="another") for t in range(5)]
    for row in log[:160]:
        row["model"] = "one"
    log += [*log[:6], classic_row(7, 5, 1.0, model="one")]
    report = run(write(tmp_path / "results.jsonl", log))
    assert finding(report, "rollouts.one_model").status == "warn"
    assert finding(report, "rollouts.written_once").measured == 6
    assert finding(report, "rollouts.group_sizes").status == "warn"
    assert report.facts["rollouts"] == 161


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"]
)
def test_torn_foreign_and_very_long_lines_cost_only_themselves(tmp_path, pack):
    log = [json.dumps(row) for row in rows()]
    log[5:5] = ["{torn", '"text"', json.dumps(classic_row(3, 7, 1.0, text="x" * (20 << 20)))]
    path = tmp_path / "results.jsonl"
    path.write_bytes(pack("\n".join([*log, log[0][:50]]).encode()))
    report = run(path)
    assert report.facts["rollouts"] == 161
    assert report.facts["reading"] == {"line_not_json": 1, "not_an_object": 1, "line_torn": 1}
    assert finding(report, "rollouts.readable").measured == 3


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
@given(data=st.data())
def test_whatever_stands_in_a_log_nothing_crashes_and_nothing_passes_without_data(
    tmp_path, layout, data
):
    path = tmp_path / "log.jsonl"
    path.write_bytes(data.draw(damaged(layout)))
    try:
        report = run(path)
    except LabError as error:
        assert error.code == 2
        return
    # A damaged log here has at most four tasks.
    assert report.verdict in ("fail", "inconclusive")


def test_ids_that_name_several_tasks_select_none(tmp_path):
    """The oldest logs number the rollouts of a task apart and several tasks alike."""
    log = [old_row(i % 30, i // 4, float(i % 7 < 3)) for i in range(120)]
    path = write(tmp_path / "results.jsonl", log)
    report = run(path)
    assert finding(report, "rollouts.grouping").status == "warn"
    assert not any("--keep-tasks" in part for part in (report.next or "").split())
    with pytest.raises(LabError, match="does not say which task is which"):
        run(path, options=("--keep-tasks", str(tmp_path / "keep.toml")))
    assert not (tmp_path / "keep.toml").exists()


def test_a_log_with_errors_alone_and_one_with_answers_lost_do_not_pass(tmp_path):
    with pytest.raises(LabError, match="none has a usable reward"):
        run(
            write(
                tmp_path / "errors.jsonl",
                [episode(t, r, error="ProviderError") for t in range(30) for r in range(4)],
            )
        )
    lost = run(
        write(
            tmp_path / "lost.jsonl",
            [classic_row(t, r, 0.0, completion=[]) for t in range(30) for r in range(4)],
        )
    )
    assert lost.verdict == "fail"
    assert lost.facts["outcomes"]["not_recorded"] == 120


@pytest.mark.parametrize(
    "args, message",
    [
        (("--results", "absent.jsonl"), "does not exist"),
        (("--results", "empty.jsonl"), "is empty"),
        (("--results", "other.jsonl"), "no rollout could be read"),
        (("--results", "a.jsonl", "--columns", "reward"), "is not PART=COLUMN"),
        (("--results", "a.jsonl", "--columns", "reward=nope"), "no column 'nope'"),
        (("--results", "a.jsonl", "--group-size", "0"), "group-size"),
        (("--results", "a.jsonl", "--fpr", "2"), "--fpr"),
        (("--results", "a.jsonl", "--training", "absent.toml"), "absent.toml"),
        (("--results", "a.jsonl", "--compare", "absent.jsonl"), "does not exist"),
        (("--results", "a.jsonl", "--env", "absent"), "does not exist"),
        (("--results", "errors.jsonl"), "none has a usable reward"),
        ((), "no evaluation under outputs"),
    ],
)
def test_wrong_input_is_one_message_and_exit_2(tmp_path, args, message):
    simulated(tmp_path / "a.jsonl", 4, 2, lambda t: 0.5)
    write(tmp_path / "errors.jsonl", [episode(0, i, error="ProviderError") for i in range(3)])
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    ran = run_script("check_reward_distribution", *args, "--json", "--quiet", cwd=tmp_path)
    assert ran.code == 2, ran.out
    (problem,) = [f for f in ran.report["findings"] if f["status"] == "fail"]
    assert message in problem["evidence"] and problem["fix"]
    assert "Traceback" not in ran.err


def test_mixed_and_damaged_runs_are_named_counted_and_used(tmp_path):
    rows = [episode(t, r, v) for t, r, v in draws(40, 4, lambda t: 0.5)]
    rows += (
        [episode(t, 9, 1.0, model="other") for t in range(5)]
        + rows[:7]
        + [episode(0, 8, error="ProviderError")]
    )
    path = write(tmp_path / "traces.jsonl", rows)
    with path.open("a") as file:
        file.write('{"id": "torn", "traces": [')
    ran = check(path)
    assert ran.finding("rollouts.readable")["measured"] == 1
    assert ran.finding("rollouts.one_model")["status"] == "warn"
    assert ran.finding("rollouts.written_once")["measured"] == 7
    assert ran.finding("rollouts.group_sizes")["status"] == "warn"
    assert ran.report["facts"]["rollouts"] == 160
    assert ran.report["facts"]["outcomes"]["error"] == 1


@pytest.mark.long
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 30),
            st.sampled_from([0.0, 1.0, 0.5, -3.0, 1e9, float("nan"), "1", None]),
            st.sampled_from(["", "a", " ", "\x1b[31m"]),
        ),
        min_size=1,
        max_size=60,
    ),
    kind=st.sampled_from(["classic", "old", "traces"]),
)
def test_no_log_makes_it_crash_or_pass_without_data(tmp_path, rows, kind):
    from argparse import Namespace

    from check_reward_distribution import COMMAND
    from lab.cli.command import Progress
    from lab.cli.report import LabError, Report

    make = {
        "classic": lambda t, i, v, x: classic_row(t, i, v, text=x),
        "old": lambda t, i, v, x: old_row(t, t, v, x),
        "traces": lambda t, i, v, x: episode(t, i, v, text=x),
    }[kind]
    path = write(tmp_path / "log.jsonl", [make(t, i, v, x) for i, (t, v, x) in enumerate(rows)])
    report = Report("check_reward_distribution")
    args: Namespace = COMMAND.parser().parse_args(["--results", str(path), "--quiet", "--verbose"])
    try:
        COMMAND.main(args, report, Progress(quiet=True))
    except LabError as error:
        assert error.code == 2
        return
    tasks = {t for t, _, _ in rows}
    if len(tasks) < 20 or len(rows) == len(tasks):
        assert report.verdict in ("fail", "inconclusive")
    json.loads(report.as_json())
