"""Every template and worked environment goes through the whole test of its reward without a failure."""

from __future__ import annotations

import pytest

from lab.environment import CLASSIC, Environment, Limits, locate
from lab.environment.host import interpreter
from lab.environment.worker import Worker
from lab.probes.audit import audit
from lab.probes.judge import ScriptedJudge
from lab.probes.policy import Policy
from lab.report import LabError, Report
from run_script import ROOT

KINDS = {
    "code": "code", "exact_match": "text", "free_text_judge": "text", "math": "math", "multi_turn": "text", "multiple_choice": "choice",
    "numeric": "number", "structured_output": "json", "tool_use": "text", "gsm8k": "number", "gsm8k_classic": "number",
    "math_python": "number", "mmlu": "choice", "sentiment": "label", "wordle": "text", "toolbelt_agent": "unknown",
}  # fmt: skip
"""The kind of answer that the tool must see in each: a kind mistaken is a test not made."""
ACTED = {"toolbelt_agent"}
"""Golds that are acted out with tools: what can be tested passes, and the rest is said to be untested."""
SLOW = {"code": 2, "free_text_judge": 2, "toolbelt_agent": 2}
"""Seconds for all probes, where scoring starts programs or asks a judge: the rest is cut short, and said to be."""
FIRST = ("gsm8k", "gsm8k_classic", "wordle", "toolbelt_agent")
"""One of each API and way of answering; the others are long."""
FOLDERS = sorted(path.parent for parent in ("templates", "environments") for path in (ROOT / parent).glob("*/pyproject.toml"))


@pytest.fixture(scope="module")
def opened():
    """A judge, and one worker per API for all environments: importing the library takes longer than a test."""
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
            env = Environment(location, worker=workers[location.api], examples=6, limits=Limits(score=30), judge_base_url=judge.url)
            return env, judge

        yield open_
        for worker in workers.values():
            worker.close()


def test_each_shipped_environment_is_named():
    assert {folder.name for folder in FOLDERS} == set(KINDS)


@pytest.mark.parametrize("folder", [pytest.param(one, marks=[] if one.name in FIRST else [pytest.mark.long]) for one in FOLDERS], ids=lambda folder: folder.name)
def test_a_shipped_environment_passes_its_own_test(folder, opened):
    env, judge = opened(folder)
    with env:
        found = audit(env, Policy.beside(folder), judge=judge, seconds=SLOW.get(folder.name, 60))
    report = Report("test_reward")
    report.add(found.findings)
    assert not report.with_status("fail"), [(f.id, f.evidence) for f in report.with_status("fail")]
    assert found.facts["answer_kind"] == KINDS[folder.name]
    if folder.name in ACTED:
        assert report.verdict in ("pass", "warn")
        (paid,) = [f for f in report.findings if f.id == "reward.gold_paid"]
        assert paid.status == "pass" and "acted out" in paid.evidence
        assert paid.measured["gold"] > 0.5 and paid.measured["nothing done"] == paid.measured["a claim without deeds"] == 0
    else:
        assert report.verdict in ("pass", "warn")
        assert found.facts["ceiling"] >= 1.0 > 0.5 >= found.facts["floor"]
    if env.location.api != CLASSIC:
        assert next(f for f in report.findings if f.id == "data.gold_validates").status == "pass"
