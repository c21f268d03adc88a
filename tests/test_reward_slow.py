"""Where scoring is slow, the time goes to what says most."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from lab.cli.report import Finding
from lab.environment import Score, Task
from lab.reward import plan
from lab.reward.formats.known import all_formats
from lab.reward.judges import opening
from lab.reward.judges.server import ScriptedJudge
from lab.reward.observation import Observation, Table
from lab.reward.productions.base import PRODUCTIONS
from lab.reward.rules import paid
from lab.reward.session import Session
from reward_briefs import World
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.rows import ROWS


def test_each_sort_of_completion_comes_once_before_any_comes_again():
    world = World(ROWS["numbers"], "#### {answer}", lambda text, row: float(row["answer"] in text))
    probes = plan.main(world.brief, {}, constant_tasks=4)
    sorts = list(dict.fromkeys(probe.production for probe in probes))
    first = [probe.production for probe in probes[: len(sorts)]]
    once = [name for name in first if first.count(name) == 1]
    assert len(once) > 15 and first[: len(once)] == once
    assert len({(p.production, p.variant, p.key) for p in probes}) == len(probes)


def test_what_was_paid_on_one_task_comes_first_on_the_others():
    world = World(ROWS["numbers"], "#### {answer}", lambda text, row: float(row["answer"] in text))
    first, rest = plan.each_sort_once(plan.main(world.brief, {}, constant_tasks=4))
    assert len({probe.production for probe in first}) == len(first) > 15
    hedge = next(probe for probe in first if probe.production == "hedged")
    again = plan.paid_first(rest, [hedge])
    assert len(again) == len(rest)
    same = [p for p in rest if (p.production, p.variant) == ("hedged", hedge.variant)]
    assert again[: len(same)] == same and {p.task for p in same} >= {1, 2}
    assert again[len(same) :] == [probe for probe in rest if probe not in same]


@pytest.mark.parametrize(("seconds", "tried"), [(60.0, opening.MOST_TRIED), (-1.0, 8)])
def test_a_slow_reward_without_a_judge_is_not_asked_for_one_for_long(monkeypatch, seconds, tried):
    monkeypatch.setattr(opening, "SECONDS", seconds)
    tasks = [Task(0, "0", "Say what six times seven is.", fields={"answer": "42", "note": "ab"})]
    said: list[str] = []
    env = SimpleNamespace(
        description=SimpleNamespace(tasks=tasks),
        expect=lambda *_: None,
        score=lambda task, text: said.append(text) or Score(0.0),
    )
    with ScriptedJudge("") as judge:
        formats = all_formats(tasks, judged=True)
        assert opening.find_opening(env, judge, formats) is None  # type: ignore[arg-type]
    assert len(said) == min(tried, 8 * len(list(opening.bodies(tasks))))


def test_the_scores_of_the_golds_tell_how_slow_a_reward_is():
    session = Session(None, seconds=60.0)  # type: ignore[arg-type]
    assert not session.slow
    session.timed([Score(1.0, seconds=0.9)] * 4 + [Score(None, kind="timeout", seconds=20.0)])
    assert session.slow and session.latency == 0.9
    assert not Session(None, seconds=600.0).slow  # type: ignore[arg-type]


def _in_time(world: World, id: str, tasks: set[int]) -> Finding:
    """The finding where only the completions of these tasks had time."""
    one = next(one for one in PRODUCTIONS if one.id == id)
    probes = [p for each in plan.of_production(world.brief, one) for p in each]
    table = Table(
        Observation(p, world.score(p.task, p.completion) if p.task in tasks else None)
        for p in probes
    )
    return paid.finding(world.brief, paid.result(world.brief, table, one))


def test_where_time_ends_what_was_paid_decides_only_if_it_is_enough():
    loose = World(ROWS["numbers"], "#### {answer}", lambda text, row: float(row["answer"] in text))
    strict = World(ROWS["numbers"], "#### {answer}", lambda text, row: float(text == row["answer"]))
    on = loose.brief.sample(3, gold=True)
    assert _in_time(loose, "hedged", {on[0], on[1]}).status == "fail"
    found = _in_time(loose, "hedged", {on[0]})
    assert found.status == "inconclusive" and "earns 1" in found.evidence
    found = _in_time(strict, "hedged", {on[0]})
    assert found.status == "inconclusive" and "earns" not in found.evidence
    one = World(ROWS["numbers"][:1], "#### {answer}", lambda text, row: 1.0)
    probe = {one.brief.with_gold[0]}
    assert _in_time(one, "empty", probe).status == "fail"
