"""Planted defects are found and sound rewards are let through: a part of the benchmark."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.measure import cases, measure
from lab.cli.report import LabError
from lab.environment import CLASSIC
from lab.environment.locate import interpreter
from lab.upkeep.catalogue import declared

pytestmark = pytest.mark.xdist_group("reward_defects")
PLANTED = [
    "answer_in_gold",
    "nan_passes",
    "style_outweighs",
    "remembers",
    "exits_on_empty",
    "verdict_from_the_text",
]
SOUND = ["format_bonus", "abstaining_is_allowed", "token_f1", "calls_as_data"]
"""The whole benchmark is `python -m benchmarks.reward_defects`."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    chosen = cases([*PLANTED, *SOUND])
    try:
        interpreter(CLASSIC)
    except LabError:
        chosen = [case for case in chosen if case.api == "taskset"]
    return {
        outcome.case.name: outcome
        for outcome in measure(chosen, tmp_path_factory.mktemp("defects"))
    }


def outcome_of(outcomes, name):
    if name not in outcomes:
        pytest.skip(
            "a classic environment, and no interpreter with a classic verifiers (make classic)"
        )
    assert not outcomes[name].error
    return outcomes[name]


@pytest.mark.long
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(outcomes, name):
    outcome = outcome_of(outcomes, name)
    assert outcome.found, (
        f"expected one of {outcome.case.expects}, got {outcome.verdict}: {outcome.stood_out}"
    )


@pytest.mark.long
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_reward_passes(outcomes, name):
    outcome = outcome_of(outcomes, name)
    assert not outcome.failed, f"tempting because {outcome.case.tempts}"


@pytest.mark.long
def test_several_hundred_completions_are_scored(outcomes):
    assert outcome_of(outcomes, "format_bonus").completions > 500


def test_the_benchmark_is_as_large_as_it_says():
    every = cases()
    assert sum(not case.sound for case in every) >= 45
    assert sum(case.sound for case in every) >= 30
    assert {case.api for case in every} == {"taskset", "classic"}
    assert len({case.name for case in every}) == len(every)
    assert Path(ROOT / "benchmarks" / "reward_defects").is_dir()


def test_every_expected_finding_exists():
    known = {check.id for check in declared()}
    unknown = {case.name: set(case.expects) - known for case in cases()}
    assert {name: ids for name, ids in unknown.items() if ids} == {}
