"""Every template and worked environment passes the whole test of its reward."""

from __future__ import annotations

import pytest

from lab.cli.report import LabError, Report
from lab.environment import CLASSIC, Environment, Limits, locate
from lab.environment.locate import interpreter
from lab.environment.worker import Worker
from lab.reward.audit import audit
from lab.reward.contract_file import beside
from lab.reward.judges.server import ScriptedJudge
from run_script import ROOT

KINDS = {
    "code": "code",
    "exact_match": "text",
    "free_text_judge": "text",
    "math": "math",
    "multi_turn": "text",
    "multiple_choice": "choice",
    "numeric": "number",
    "structured_output": "json",
    "tool_use": "text",
    "gsm8k": "number",
    "gsm8k_classic": "number",
    "math_python": "math",
    "mmlu": "choice",
    "sentiment": "label",
    "wordle": "text",
    "toolbelt_agent": "unknown",
}
"""The kind of answer that the tool must see in each: a kind mistaken is a test not made."""
ACTED = {"toolbelt_agent"}
"""Golds that are acted out with tools: what can be tested passes, the rest is untested."""
SLOW = {"code": 2, "free_text_judge": 2, "toolbelt_agent": 2}
"""Seconds for all completions, where scoring starts programs or asks a judge: the rest is cut
short, and said to be."""
FIRST = ("gsm8k", "gsm8k_classic", "wordle")
"""One of each API and way of answering; the others are long."""
FOLDERS = sorted(
    path.parent
    for parent in ("templates", "environments")
    for path in (ROOT / parent).glob("*/pyproject.toml")
)


@pytest.fixture(scope="module")
def opened():
    """A judge, and one process per API for all environments."""
    workers: dict[str, Worker] = {}
    with ScriptedJudge() as judge:

        def open_(folder):
            location = locate(str(folder))
            if location.api not in workers:
                try:
                    python = interpreter(location.api)
                except LabError as error:
                    pytest.skip(f"{error.message}: {error.fix}")
                workers[location.api] = Worker(location.api, python=python)
            judge.calls = 0
            env = Environment(
                location,
                worker=workers[location.api],
                examples=6,
                limits=Limits(score=30),
                judge_base_url=judge.url,
            )
            return env, judge

        yield open_
        for worker in workers.values():
            worker.close()


def test_without_time_a_sound_reward_is_undecided(opened):
    env, judge = opened(ROOT / "templates" / "numeric")
    env.limits = Limits(total=0.0)
    with env:
        found = audit(env, beside(ROOT / "templates" / "numeric"), judge=judge)
    status = {finding.id: finding.status for finding in found.findings}
    assert status["reward.gold_paid"] == status["reward.examples"] == "inconclusive"
    assert "fail" not in status.values()


def test_each_shipped_environment_is_named():
    assert {folder.name for folder in FOLDERS} == set(KINDS)


@pytest.mark.long
@pytest.mark.parametrize(
    "folder",
    [pytest.param(one, marks=[] if one.name in FIRST else [pytest.mark.soak]) for one in FOLDERS],
    ids=lambda folder: folder.name,
)
def test_a_shipped_environment_passes_its_own_test(folder, opened):
    env, judge = opened(folder)
    with env:
        found = audit(env, beside(folder), judge=judge, seconds=SLOW.get(folder.name, 60))
    report = Report("test_reward")
    report.add(found.findings)
    assert not report.with_status("fail"), [(f.id, f.evidence) for f in report.with_status("fail")]
    assert found.facts["answer_kind"] == KINDS[folder.name]
    undecided = report.with_status("inconclusive")
    if folder.name in SLOW:
        assert all("time" in finding.evidence for finding in undecided)
    else:
        assert not undecided
    if folder.name in ACTED:
        (paid,) = [f for f in report.findings if f.id == "reward.gold_paid"]
        assert paid.status == "pass" and "acted out" in paid.evidence
        assert (
            paid.measured["right"] > 0.5
            and paid.measured["nothing done"] == paid.measured["a claim"] == 0
        )
    else:
        assert found.facts["ceiling"] >= 1.0 > 0.5 >= found.facts["floor"]
    if env.location.api != CLASSIC:
        assert next(f for f in report.findings if f.id == "data.gold_validates").status == "pass"
