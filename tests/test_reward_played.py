"""Environments that take turns of their own are played with scripted replies, without a model."""

from __future__ import annotations

import json
import re
import sys

import pytest

from lab.reward.audit import audit
from lab.reward.contract import Contract, Example
from lab.reward.formats.source import read_source
from lab.reward.interactive.messages import conversation
from lab.reward.reading.find_right import Finder
from lab.reward.reading.found import Found
from marks import soak
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.build import write
from benchmarks.reward_defects.measure import cases


@pytest.fixture
def opened(bench, tmp_path):
    """Opens a case of the benchmark, with parts of its source replaced."""
    running = []

    def make(name, *pairs, as_name=""):
        (case,) = cases([name])
        bench.worker(case.api)
        path = write(case, tmp_path)
        source = path.read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in source
            source = source.replace(old, new)
        path = path.rename(path.with_name(f"{as_name or name}.py"))
        path.write_text(source, encoding="utf-8")
        env = bench.open(path).__enter__()
        running.append(env)
        return env

    yield make
    for env in running:
        env.__exit__()


def audited(env, seconds=300.0):
    """The findings of the whole test by their ids."""
    return {finding.id: finding for finding in audit(env, seconds=seconds).findings}


def found_right(env) -> Found:
    """What is right, as the test finds it."""
    return Finder(env, Contract(), read_source(env.location.path)).find()


def test_a_tasksets_env_takes_its_own_turns_and_ends_when_it_wants(opened):
    env = opened("hints_cost")
    (played,) = env.play(0, [["HINT", "HINT", "Answer: platypus", "and more"]])
    assert [m["role"] for m in played.messages] == [
        "assistant",
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert played.messages[1]["content"] == "It lives in Australia." and not played.open
    assert played.reward == pytest.approx(0.6)


@pytest.mark.long
def test_a_classic_stop_comes_one_reply_after_the_turn_that_prepares_it(opened):
    env = opened("twenty_questions")
    (played,) = env.play(0, [["letter o", "my guess: otter", "one more", "and another"]])
    assert [m["content"] for m in played.messages] == [
        "letter o",
        "yes",
        "my guess: otter",
        "The game is over.",
        "one more",
    ]
    assert played.reward == 1.0 and not played.open


def test_an_environment_without_turns_is_not_played(opened):
    assert opened("clock_times").play(0, [["anything"]]) == []


def test_a_user_is_played_with_the_words_of_the_prompt(opened):
    env = opened("helpful_clerk")
    (played,) = env.play(0, [["How can I help?", "Fee: 60"]])
    assert [m["role"] for m in played.messages] == ["user", "assistant", "user", "assistant"]
    assert "town hall" in played.messages[0]["content"] and played.reward == 1.0


@pytest.mark.soak
@pytest.mark.parametrize(
    ("last", "status"),
    [
        ("max_turns=TRIES + 1", "fail"),
        ("max_turns=TRIES", "skip"),
    ],
)
def test_what_a_lost_game_tells_is_paid_only_where_one_more_reply_is_taken(opened, last, status):
    env = opened("riddle_revealed", ("max_turns=TRIES + 1", last), as_name=f"riddle_{status}")
    assert audited(env)["reward.after_the_end"].status == status


@pytest.mark.parametrize(
    ("hint", "status"),
    [
        pytest.param('"Higher."', "skip", marks=pytest.mark.soak),
        ('f"No, it is {secret}."', "fail"),
        pytest.param(
            "f\"No. It is between 1 and 100, and you have {8 - state['tries']} tries.\"",
            "skip",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_a_number_that_is_told_is_found_though_it_is_short(opened, hint, status):
    told = ('"Higher." if int(found[0]) < secret else "Lower."', hint)
    env = opened("guess_number_fair", told, as_name=f"told_{len(hint)}")
    assert audited(env)["reward.after_the_end"].status == status


ANY_TURN = 'float(any(verdict(m) == answer for m in completion if m["role"] == "assistant"))'
FIRST_TURN = """float(next((verdict(m) for m in completion
                  if m["role"] == "assistant" and verdict(m)), None) == answer)"""


@pytest.mark.parametrize("status", ["fail", pytest.param("pass", marks=pytest.mark.soak)])
def test_trying_each_label_in_its_turn(opened, status):
    only_first = [] if status == "fail" else [(ANY_TURN, FIRST_TURN)]
    env = opened("until_it_is_right", *only_first, as_name=f"claims_{status}")
    found = audited(env)["reward.enumeration"]
    assert found.status == status
    assert status == "pass" or "in a turn of its own" in found.evidence


@pytest.mark.parametrize(
    ("recorded", "status"),
    [("best", "fail"), pytest.param("trace.reward", "warn", marks=pytest.mark.soak)],
)
def test_what_an_env_records_is_played_with_a_right_and_wrong_attempts(opened, recorded, status):
    record = ('record_reward("team", best', f'record_reward("team", {recorded}')
    env = opened("best_attempt_for_all", record, as_name=f"team_{status}")
    found = audited(env)["reward.recorded_by_env"]
    assert found.status == status
    beside = r"earns 0 among wrong ones and 0.5 beside a right one"
    assert status == "warn" or re.search(beside, found.evidence)


def test_what_an_env_records_by_the_clock_is_no_state_that_is_kept(opened):
    """Attempts that race each other are paid otherwise each time."""
    clock = 'record_reward("team", __import__("time").perf_counter() % 1 + best'
    env = opened("best_attempt_for_all", ('record_reward("team", best', clock), as_name="race")
    found = audited(env)
    assert found["reward.deterministic"].status == "warn"
    assert found["reward.independent"].status == "pass"


CALLED = '            if name == "book_flight":\n                return 1.0'
WITH_GOLD = """            plain = isinstance(function, dict)
            said = function["arguments"] if plain else function.arguments
            if name == "book_flight":
                return float(answer in str(said))"""


@pytest.mark.long
def test_a_gold_that_a_tool_is_called_with_is_acted_out(opened):
    found = audit(opened("any_booking", (CALLED, WITH_GOLD), as_name="that_booking"), seconds=60)
    status = {f.id: f.status for f in found.findings}
    assert status["reward.gold_paid"] == status["reward.tells_apart"] == "pass"
    assert not [id for id, one in status.items() if one == "fail"]
    assert found.facts["ceiling"] == 1.0


def test_the_best_first_move_is_a_value_that_is_found_or_comes_of_trying(opened):
    found = found_right(opened("surplus_or_nothing"))
    assert max(found.right.margin, found.reward or 0.0) > 0.5


def test_tools_of_a_taskset_are_called_and_write_the_state_that_is_scored(opened):
    env = opened("bookings_in_the_state")
    free = ("free_times", {"restaurant": "Trattoria Lina"})
    booked = ("book_table", {"restaurant": "Trattoria Lina", "time": "20:30", "guests": 2})
    said = conversation([free, booked])
    (played,) = env.play(0, [[m for m in said if m["role"] == "assistant"]])
    assert [m["content"] for m in played.messages if m["role"] == "tool"] == [
        "18:00, 20:30",
        "booked Trattoria Lina at 20:30",
    ]
    assert played.reward == env.score(0, conversation([booked])).reward == 1.0
    assert env.score(0, conversation([("book_table", {**booked[1], "guests": 3})])).reward == 0.0
    assert env.score(0, conversation([booked, booked])).reward == 0.0
    assert env.score(0, "I have booked it.").reward == 0.0
    assert "guests" in env.description.schemas["book_table"]["required"]


@pytest.mark.parametrize(
    ("case", "said"),
    [
        soak("bookings_in_the_state", "calls of book_table with booking"),
        ("hangman_solved_first", "the letters of word, one a turn"),
    ],
)
def test_a_gold_is_acted_out_by_the_fields(opened, case, said):
    env = opened(case)
    found = found_right(env)
    assert not found.right.source and said in found.right.evidence
    assert (found.reward or 0) > 0.5 and found.right.whole
    assert all((env.score(i, one).reward or 0) > found.idle for i, one in found.right.whole.items())


def test_an_answer_that_is_wanted_after_some_turns_is_written_there(opened):
    env = opened("told_over_turns")
    right = found_right(env).right
    assert right.format.before == "<recall>" and right.margin == 1.0
    assert len(env.prelude[0]) == 3
    assert env.score(0, right.write(right.gold(0))).reward == 1.0
    assert [m["role"] for m in env.said(0, "x")] == ["assistant"] * 4


@pytest.mark.long
def test_an_example_is_read_after_the_turns_or_as_the_only_reply(opened):
    env = opened("told_over_turns")
    right = found_right(env).right
    answer = right.write(right.gold(0))
    for earns in (1.0, 0.0):
        contract = Contract(examples=(Example(0, answer, earns), Example(1, "?", 0.0)))
        found = {one.id: one for one in audit(env, contract).findings}
        assert found["reward.examples"].status == "pass", found["reward.examples"].evidence


@pytest.mark.parametrize(
    ("case", "id"),
    [
        pytest.param("any_amount", "reward.other_arguments", marks=pytest.mark.soak),
        pytest.param("refunds_for_everybody", "reward.every_call", marks=pytest.mark.soak),
        ("hangman_lives", "reward.played_out"),
        pytest.param("wordle_out_of_guesses", "reward.played_out", marks=pytest.mark.soak),
    ],
)
def test_what_is_done_beside_the_right_thing_is_found_where_it_is_paid(opened, case, id):
    assert audited(opened(case))[id].status == "fail"


def test_luck_in_the_turns_is_no_fault_of_the_reward(opened):
    found = audited(opened("high_card"))
    assert found["reward.deterministic"].status in ("pass", "warn")
    assert found["reward.independent"].status in ("pass", "skip")


def test_a_tool_server_that_does_not_start_here_is_no_fault_of_the_reward(opened):
    own = "    TOOL_PREFIX = None\n"
    broken = f"{own}\n    async def setup(self):\n        raise OSError('no database')\n"
    env = opened("bookings_in_the_state", (own, broken), as_name="bookings_without_a_server")
    call = {
        "id": "a",
        "type": "function",
        "function": {"name": "free_times", "arguments": '{"restaurant": "Noodle Bar"}'},
    }
    scored = env.score(
        0,
        [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "assistant", "content": "Done."},
        ],
    )
    assert (scored.reward, scored.kind) == (0.0, "")


def test_a_completion_that_tells_what_its_calls_gave_is_scored_as_it_stands(opened):
    env = opened("bookings_in_the_state")
    booking = env.description.tasks[0].fields["booking"]
    call = {
        "id": "a",
        "type": "function",
        "function": {"name": "book_table", "arguments": json.dumps(booking)},
    }
    made = {"role": "assistant", "content": "", "tool_calls": [call]}
    assert env.score(0, [made, {"role": "assistant", "content": "Done."}]).reward == 1.0
    told = {"role": "tool", "tool_call_id": "a", "content": "not free"}
    assert env.score(0, [made, told, {"role": "assistant", "content": "Done."}]).reward == 0.0


DESK = '''
import json

import verifiers as vf
from datasets import Dataset

SYSTEM = "You are a night clerk. Do what is asked with the tools, then say what you did."
GUESTS = ("Novak", "Haddad", "Tanaka", "Weiss")


def cancel(booking: str, db: dict) -> str:
    """Cancel a booking.

    Args:
        booking: such as N12
    """
    return "ok" if db.pop(booking, None) else "error: unknown booking"


class Desk(vf.StatefulToolEnv):
    def __init__(self, **kwargs):
        super().__init__(max_turns=8, **kwargs)
        self.add_tool(cancel, args_to_skip=["db"])

    async def setup_state(self, state, **kwargs):
        state["db"] = json.loads(state["info"]["db"])
        return await super().setup_state(state, **kwargs)

    def update_tool_args(self, name, args, messages, state, **kwargs):
        return {**args, "db": state["db"]}


def as_asked(state, info, **kwargs) -> float:
    return float(sorted(state["db"]) == json.loads(info["left"]))


def load_environment(**kwargs):
    rows = []
    for n, guest in enumerate(GUESTS):
        db = {f"{other[0]}{n}{k}": other for k, other in enumerate(GUESTS)}
        gone = f"{guest[0]}{n}{n}"
        left = sorted(set(db) - {gone})
        info = {"db": json.dumps(db), "left": json.dumps(left), "gone": gone}
        rows.append({"question": f"{guest} will not come.", "answer": "", "info": info})
    rubric = vf.Rubric(funcs=[as_asked])
    return Desk(dataset=Dataset.from_list(rows), system_prompt=SYSTEM, rubric=rubric)
'''


@pytest.mark.long
def test_calls_of_other_tasks_that_do_nothing_in_this_one_are_no_other_calls(bench, tmp_path):
    """A booking that another task cancels is not in this task's book: cancelling it is no error."""
    path = tmp_path / "desk_of_bookings.py"
    path.write_text(DESK, encoding="utf-8")
    found = bench.audit(path)
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert found.status("reward.every_call") in ("pass", "skip"), found.failed


TWO_TURNS = """
import verifiers as vf
from datasets import Dataset

WORDS = ("elm", "oak", "fir", "yew", "ash", "box", "bay", "fig")


class Sorting(vf.MultiTurnEnv):
    async def env_response(self, messages, state, **kwargs):
        return [{"role": "user", "content": "Now all of them from the end, in the same tags."}]


def sorted_so(completion, answer, info, **kwargs) -> float:
    said = [m["content"] for m in completion if m["role"] == "assistant"]
    right = [
        text.split("<list>")[-1].split("</list>")[0].strip() == wanted
        for text, wanted in zip(said, info["wanted"])
    ]
    return sum(share * one for share, one in zip((0.6, 0.4), right))


def load_environment(**kwargs):
    rows = []
    for n in range(8):
        three = [WORDS[n], WORDS[(n + 3) % 8], WORDS[(n + 5) % 8]]
        wanted = ["\\n".join(sorted(three)), "\\n".join(sorted(three, reverse=True))]
        question = f"Sort {', '.join(three)} by letter, a line each: <list>...</list>"
        rows.append({"question": question, "answer": wanted[0], "info": {"wanted": wanted}})
    rubric = vf.Rubric(funcs=[sorted_so])
    return Sorting(dataset=Dataset.from_list(rows), rubric=rubric, max_turns=2)
"""


def test_what_earns_most_of_it_at_once_is_not_all_where_each_turn_has_its_own(bench, tmp_path):
    path = tmp_path / "two_turns.py"
    path.write_text(TWO_TURNS, encoding="utf-8")
    with bench.open(path) as env:
        found = found_right(env)
        assert (
            env.score(0, f"<list>{env.description.tasks[0].fields['answer']}</list>").reward == 0.6
        )
        assert found.reward == 1.0 and "one a turn" in found.right.evidence, found.right.evidence
