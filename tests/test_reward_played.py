"""Environments that take turns of their own are played: with scripted replies, and without a model."""

from __future__ import annotations

import re
import sys

import pytest

from lab.environment import CLASSIC, Environment, locate
from lab.environment.host import interpreter
from lab.environment.worker import Worker
from lab.probes import audit, faults  # noqa: F401 - audit declares the families
from lab.probes.audit import audit as audited
from lab.probes.families import FAMILIES, decide, run
from lab.probes.policy import Policy
from lab.probes.style import learn
from lab.probes.subject import Subject
from lab.report import LabError
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.build import write
from benchmarks.reward_defects.measure import cases


@pytest.fixture(scope="module")
def workers():
    try:
        classic = interpreter(CLASSIC)
    except LabError:
        classic = ""
    with Worker("taskset") as taskset:
        if not classic:
            yield {"taskset": taskset}
            return
        with Worker(CLASSIC, python=classic) as other:
            yield {"taskset": taskset, CLASSIC: other}


@pytest.fixture
def opened(workers, tmp_path):
    """Opens a case of the benchmark, with parts of its source replaced."""
    running = []

    def make(name, *pairs, as_name=""):
        (case,) = cases([name])
        if case.api not in workers:
            pytest.skip("a classic environment, and no interpreter with a classic verifiers (make classic)")
        path = write(case, tmp_path)
        source = path.read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in source
            source = source.replace(old, new)
        path = path.rename(path.with_name(f"{as_name or name}.py"))
        path.write_text(source, encoding="utf-8")
        env = Environment(locate(str(path)), worker=workers[case.api], examples=6).__enter__()
        running.append(env)
        return env

    yield make
    for env in running:
        env.__exit__()


def subject(env) -> Subject:
    s = Subject(env, learn(env), Policy())
    s.adopt()
    return s


def finding(s: Subject, family: str):
    return decide(s, run(s, next(one for one in FAMILIES if one.id == family)))


def test_a_tasksets_env_takes_its_own_turns_and_ends_when_it_wants(opened):
    env = opened("hints_cost")
    (played,) = env.play(0, [["HINT", "HINT", "Answer: platypus", "and more"]])
    assert [m["role"] for m in played.messages] == ["assistant", "user", "assistant", "user", "assistant"]
    assert played.messages[1]["content"] == "It lives in Australia." and not played.open
    assert played.reward == pytest.approx(0.6)


def test_a_classic_stop_comes_one_reply_after_the_turn_that_prepares_it(opened):
    env = opened("twenty_questions")
    (played,) = env.play(0, [["letter o", "my guess: otter", "one more", "and another"]])
    assert [m["content"] for m in played.messages] == ["letter o", "yes", "my guess: otter", "The game is over.", "one more"]
    assert played.reward == 1.0 and not played.open


def test_an_environment_without_turns_is_not_played(opened):
    assert opened("clock_times").play(0, [["anything"]]) == []


def test_a_user_is_played_with_the_words_of_the_prompt(opened):
    env = opened("helpful_clerk")
    (played,) = env.play(0, [["How can I help?", "Fee: 60"]])
    assert [m["role"] for m in played.messages] == ["user", "assistant", "user", "assistant"]
    assert "town hall" in played.messages[0]["content"] and played.reward == 1.0


@pytest.mark.parametrize(("last", "status"), [("max_turns=TRIES + 1", "fail"), ("max_turns=TRIES", "skip")])
def test_what_a_lost_game_tells_is_paid_only_where_one_more_reply_is_taken(opened, last, status):
    s = subject(opened("riddle_revealed", ("max_turns=TRIES + 1", last), as_name=f"riddle_{status}"))
    assert s.playable
    assert finding(s, "after_the_end").status == status


@pytest.mark.parametrize("status", ["fail", "pass"])
def test_trying_each_label_in_its_turn(opened, status):
    only_first = [] if status == "fail" else [('float(any(verdict(m) == answer for m in completion if m["role"] == "assistant"))', 'float(next((verdict(m) for m in completion if m["role"] == "assistant" and verdict(m)), None) == answer)')]
    s = subject(opened("until_it_is_right", *only_first, as_name=f"claims_{status}"))
    found = finding(s, "enumeration")
    assert found.status == status
    assert status == "pass" or "in a turn of its own" in found.evidence


@pytest.mark.parametrize(("recorded", "status"), [("best", "fail"), ("trace.reward", "warn")])
def test_what_an_env_records_is_played_with_a_right_and_wrong_attempts(opened, recorded, status):
    s = subject(opened("best_attempt_for_all", ('record_reward("team", best', f'record_reward("team", {recorded}'), as_name=f"team_{status}"))
    (found,) = [f for f in faults.findings(s) if f.id == "reward.recorded_by_env"]
    assert found.status == status
    assert status == "warn" or re.search(r"earns 0 among wrong ones and 0.5 beside a right one", found.evidence)


def test_a_gold_that_a_tool_is_called_with_is_acted_out(opened):
    right = ('            if name == "book_flight":\n                return 1.0', '            said = function["arguments"] if isinstance(function, dict) else function.arguments\n            if name == "book_flight":\n                return float(answer in str(said))')
    found = audited(opened("any_booking", right, as_name="that_booking"), Policy(), seconds=20)
    status = {f.id: f.status for f in found.findings}
    assert status["reward.gold_paid"] == status["reward.tells_apart"] == "pass"
    assert not [id for id, one in status.items() if one == "fail"]
    assert found.facts["ceiling"] == 1.0
