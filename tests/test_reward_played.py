"""Environments that take turns of their own are played: with scripted replies, and without a model."""

from __future__ import annotations

import json
import re
import sys

import pytest

from lab.environment import CLASSIC, Environment, locate
from lab.environment.host import interpreter
from lab.environment.worker import Worker
from lab.probes import audit, faults, invariants  # noqa: F401 - audit declares the families
from lab.probes.acted import Acted, learned
from lab.probes.acting import calls_of
from lab.probes.audit import audit as audited
from lab.probes.exploits_talk import conversation
from lab.probes.families import FAMILIES, decide, run
from lab.probes.learn import learn
from lab.probes.policy import Policy
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


@pytest.mark.parametrize(("hint", "status"), [('"Higher."', "skip"), ('f"No, it is {secret}."', "fail"), ('f"No. It is between 1 and 100, and you have {8 - state[\'tries\']} tries."', "skip")])
def test_a_number_that_is_told_is_found_though_it_is_short(opened, hint, status):
    s = subject(opened("guess_number_fair", ('"Higher." if int(found[0]) < secret else "Lower."', hint), as_name=f"told_{len(hint)}"))
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


def test_tools_of_a_taskset_are_called_and_write_the_state_that_is_scored(opened):
    env = opened("bookings_in_the_state")
    free = ("free_times", {"restaurant": "Trattoria Lina"})
    booked = ("book_table", {"restaurant": "Trattoria Lina", "time": "20:30", "guests": 2})
    (played,) = env.play(0, [[m for m in conversation([free, booked]) if m["role"] == "assistant"]])
    assert [m["content"] for m in played.messages if m["role"] == "tool"] == ["18:00, 20:30", "booked Trattoria Lina at 20:30"]
    assert played.reward == env.score(0, conversation([booked])).reward == 1.0
    assert env.score(0, conversation([("book_table", {**booked[1], "guests": 3})])).reward == 0.0
    assert env.score(0, conversation([booked, booked])).reward == 0.0 == env.score(0, "I have booked it.").reward
    assert "guests" in env.description.schemas["book_table"]["required"]


@pytest.mark.parametrize(("case", "said"), [("bookings_in_the_state", "calls of book_table with booking"), ("hangman_solved_first", "the letters of word, one a turn"), ("surplus_or_nothing", "the best of some hundred playouts")])
def test_a_gold_is_acted_out_by_the_fields_or_by_trying(opened, case, said):
    env = opened(case)
    acted = Acted()
    one = learned(env, learn(env), acted)
    assert one.gold_field is None and said in one.evidence
    assert acted.reward > 0.5 and acted.shown
    assert all(env.score(i, said).reward > acted.idle for i, said in acted.way.right.items())


def test_an_answer_that_is_wanted_after_some_turns_is_written_there(opened):
    env = opened("told_over_turns")
    one = learned(env, learn(env), Acted())
    assert one.style.before == "<recall>" and one.told_apart == 1.0
    assert len(env.prelude[0]) == 3
    assert env.score(0, one.style.write(one.golds[0])).reward == 1.0
    assert [m["role"] for m in env.said(0, "x")] == ["assistant"] * 4


@pytest.mark.parametrize(("case", "family"), [("any_amount", "other_arguments"), ("refunds_for_everybody", "every_call")])
def test_calls_beside_the_right_ones_are_found_where_they_are_paid(opened, case, family):
    env = opened(case)
    s = Subject(env, learn(env, budget=0).without_gold("calls"), Policy())
    calls = [calls_of(task.fields["info"]["actions"], env.description.schemas) for task in env.description.tasks]
    assert calls[0] == [("issue_refund", {"order_id": "B2001", "amount": 39.0})]
    s.acted = {i: conversation(made) for i, made in enumerate(calls)}
    assert all(env.score(i, said).reward == 1.0 for i, said in s.acted.items())
    assert finding(s, family).status == "fail"


@pytest.mark.parametrize("case", ["hangman_lives", "wordle_out_of_guesses"])
def test_an_exchange_that_is_sat_out_is_found_where_it_is_paid(opened, case):
    env = opened(case)
    assert finding(Subject(env, learn(env, budget=0).without_gold("a game"), Policy()), "played_out").status == "fail"


def test_luck_in_the_turns_is_no_fault_of_the_reward(opened):
    env = opened("high_card")
    s = Subject(env, learn(env, budget=0).without_gold("cards"), Policy())
    s.acted = {i: [{"role": "assistant", "content": "<move>draw</move>"}, {"role": "assistant", "content": "<move>stand</move>"}] for i in range(3)}
    status = {f.id: f.status for f in invariants.findings(s)}
    assert status["reward.deterministic"] in ("pass", "warn") and status["reward.independent"] == "skip"


def test_a_tool_server_that_does_not_start_here_is_no_fault_of_the_reward(opened):
    broken = "    TOOL_PREFIX = None\n\n    async def setup(self):\n        raise OSError('no database')\n"
    env = opened("bookings_in_the_state", ("    TOOL_PREFIX = None\n", broken), as_name="bookings_without_a_server")
    call = {"id": "a", "type": "function", "function": {"name": "free_times", "arguments": '{"restaurant": "Noodle Bar"}'}}
    scored = env.score(0, [{"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "assistant", "content": "Done."}])
    assert (scored.reward, scored.kind) == (0.0, "")


def test_a_completion_that_tells_what_its_calls_gave_is_scored_as_it_stands(opened):
    env = opened("bookings_in_the_state")
    booking = env.description.tasks[0].fields["booking"]
    call = {"id": "a", "type": "function", "function": {"name": "book_table", "arguments": json.dumps(booking)}}
    made = {"role": "assistant", "content": "", "tool_calls": [call]}
    assert env.score(0, [made, {"role": "assistant", "content": "Done."}]).reward == 1.0
    told = {"role": "tool", "tool_call_id": "a", "content": "not free"}
    assert env.score(0, [made, told, {"role": "assistant", "content": "Done."}]).reward == 0.0
