"""Calls that turn one state of a store into another, and whole rollouts that are found by them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.environment import Task
from lab.reward.formats.known import all_formats
from lab.reward.interactive.messages import calls_made, last_said
from lab.reward.interactive.reaching import calls_for, edits, named_calls, with_word
from lab.reward.reading.solved_calls import CallSolver

TEXT = {"type": "string"}
SCHEMAS = {
    "move": {
        "properties": {"booking_id": TEXT, "day": TEXT, "room": TEXT},
        "required": ["booking_id"],
    },
    "cancel": {"properties": {"booking_id": TEXT}, "required": ["booking_id"]},
    "book": {
        "properties": {"guest": TEXT, "day": TEXT, "at": TEXT, "seats": {"type": "integer"}},
        "required": ["guest", "day", "at", "seats"],
    },
}
PLACES = {"what": TEXT, "source": TEXT, "target": TEXT, "units": {"type": "integer"}}
SCHEMAS["bring"] = {"properties": PLACES, "required": list(PLACES)}
MONDAY = {"id": "B1", "guest": "Ines", "day": "Monday", "at": 600, "seats": 2}
FRIDAY = {**MONDAY, "id": "B2", "guest": "Karl", "day": "Friday"}
NEW = {"guest": "Mei", "day": "Friday", "at": 615, "seats": 4}
TASK = Task(0, "0", "Book Friday for Mei.", fields={"bookings": [MONDAY, FRIDAY]})


def _row(record):
    return [record[name] for name in ("guest", "day", "at", "seats")]


@pytest.mark.parametrize(
    "ours, theirs, call",
    [
        ([MONDAY], [{**MONDAY, "day": "Friday"}], ("move", {"booking_id": "B1", "day": "Friday"})),
        (
            {"B1": {"day": "Monday"}},
            {"B1": {"day": "Friday"}},
            ("move", {"booking_id": "B1", "day": "Friday"}),
        ),
        ([MONDAY, FRIDAY], [MONDAY], ("cancel", {"booking_id": "B2"})),
        # Rows without names are those of the task's objects, whatever their case.
        (
            [["ines", "monday", 600, 2], _row(FRIDAY)],
            [_row(FRIDAY)],
            ("cancel", {"booking_id": "B1"}),
        ),
        (
            [_row(MONDAY)],
            [["mei", "Friday", 615, 4], _row(MONDAY)],
            ("book", {"guest": "Mei", "day": "Friday", "at": "10:15", "seats": 4}),
        ),
        ([MONDAY], [MONDAY, NEW], ("book", {**NEW, "at": "615"})),
        ({}, {"('B2', 'Karl')": {"day": "Friday"}}, ("cancel", {"booking_id": "B2"})),
        (
            {"lamp": {"P-1": 0, "R-1": 9}, "cup": {"P-1": 4}},
            {"lamp": {"P-1": 5, "R-1": 4}, "cup": {"P-1": 4}},
            ("bring", {"what": "lamp", "source": "R-1", "target": "P-1", "units": 5}),
        ),
    ],
)
def test_a_difference_is_a_call_of_what_its_parameters_fit(ours, theirs, call) -> None:
    assert call in calls_for(ours, theirs, TASK, SCHEMAS)
    assert not calls_for(theirs, theirs, TASK, SCHEMAS)


@pytest.mark.parametrize(
    "value",
    [
        ["cancel", ["booking_id", "b1"]],
        ["cancel", [["booking_id", "b1"]]],
        ["cancel", "b1"],
        ["can", ["cancel", "b1"]],
        {"name": "cancel", "arguments": {"booking_id": "b1"}},
        [["nothing", 1], ["cancel", {"booking_id": "b1"}]],
    ],
)
def test_a_compared_call_is_made_in_the_case_of_the_prompt(value) -> None:
    task = Task(0, "0", "Please cancel B1.")
    assert list(named_calls(value, SCHEMAS, task)) == [("cancel", {"booking_id": "B1"})]


def test_a_word_that_is_wanted_is_what_a_tool_with_one_text_gets() -> None:
    assert list(with_word("B1", SCHEMAS)) == [
        ("move", {"booking_id": "B1"}),
        ("cancel", {"booking_id": "B1"}),
    ]
    assert list(named_calls(["bri", 1], SCHEMAS, TASK)) == []
    begun = {"cancel_order": SCHEMAS["cancel"], "close": SCHEMAS["cancel"]}
    named = ("cancel_order", {"booking_id": "B1"})
    assert list(named_calls(["cancel", "B1"], begun, TASK)) == [named]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["cancel", "move", "booking_id"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "row", [["b1", "day", "Monday"], ["b1", "seats", 2], ["day", "Monday", "b1"], "b1"]
)
def test_a_row_that_a_set_lacks_is_an_edit(row) -> None:
    task = Task(0, "0", "Please put B1 on Monday.")
    set_day = {"properties": {"code": TEXT, "day": TEXT}, "required": ["code", "day"]}
    made = list(edits([], [row], task, {"set_day": set_day}))
    day = [("set_day", {"code": "B1", "day": "Monday"})]
    assert made == (day if isinstance(row, list) and "day" in row else [])
    assert list(edits([row], [row], task, {"set_day": set_day})) == []


@given(json_values, json_values)
def test_whatever_is_compared_each_call_has_what_its_tool_wants(ours, theirs) -> None:
    made = [*calls_for(ours, theirs, TASK, SCHEMAS), *named_calls(ours, SCHEMAS, TASK)]
    for tool, arguments in made:
        assert set(SCHEMAS[tool]["required"]) <= set(arguments) <= set(SCHEMAS[tool]["properties"])


LOCKERS = '''
import json
import re

import verifiers.v1 as vf

NAMES = ["Abel", "Bruno", "Clara", "Dora", "Emil", "Frida", "Gustav", "Hilde"]
LINE = re.compile(r"^CLOSED: ([A-Z0-9, ]+)$", re.MULTILINE)


class Lockers(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = None

    @vf.tool
    async def look(self, holder: str) -> str:
        """Lockers of a person."""
        return "in the book"

    @vf.tool
    async def hand_over(self, locker: str, holder: str) -> str:
        """Give a locker to a person."""
        return "done"

    @vf.tool
    async def clear(self, locker: str) -> str:
        """Nobody has the locker any more."""
        return "done"


class Data(vf.TaskData):
    lockers: dict[str, str]
    wanted: dict[str, str]
    names: list[str]


class LockerTask(vf.Task[Data]):
    @classmethod
    def toolsets(cls, config):
        return [Lockers(vf.ToolsetConfig())]

    @vf.reward
    async def as_wanted(self, trace: vf.Trace) -> float:
        found = LINE.findall(trace.last_reply or "")
        if not found or set(re.split(r"[, ]+", found[-1].strip())) != set(self.data.names):
            return 0.0
        book = dict(self.data.lockers)
        for message in trace.assistant_messages:
            for call in message.tool_calls or []:
                given = json.loads(call.arguments or "{}")
                if call.name == "hand_over":
                    book[given["locker"]] = given["holder"]
                elif call.name == "clear":
                    book.pop(given["locker"], None)
        return float(book == self.data.wanted)


class LockerTaskset(vf.Taskset[LockerTask, vf.TasksetConfig]):
    def load(self):
        for n in range(8):
            book = {f"L{n}{k}": NAMES[(n + k) % 8] for k in range(4)}
            wanted, gone, other = dict(book), f"L{n}{n % 4}", f"L{n}{(n + 2) % 4}"
            names = [gone]
            if n % 2:
                wanted[gone] = NAMES[(n + 5) % 8]
                text = f"{book[gone]} gives a locker to {wanted[gone]}."
            else:
                del wanted[gone], wanted[other]
                names.append(other)
                text = f"{book[gone]} and {book[other]} have left."
            yield LockerTask(
                Data(
                    prompt=text,
                    system_prompt="Keep the book of lockers. End with CLOSED: <the lockers>",
                    lockers=book,
                    wanted=wanted,
                    names=names,
                ),
                self.config.task,
            )


if __name__ == "__main__":
    Lockers.run()

__all__ = ["LockerTaskset"]
'''


def _written(tmp_path, name, text):
    path = tmp_path / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_store_is_brought_into_the_state_it_is_compared_with(tmp_path, bench) -> None:
    """No field writes out a call, nor the line that the last reply has to end with."""
    with bench.open(_written(tmp_path, "lockers", LOCKERS)) as env:
        found = CallSolver(env, all_formats(env.description.tasks), 1.0).solve()
        made = {len(calls_made(one)) for one in found.values()}
        assert made == {1, 2} and all("CLOSED" in last_said(one) for one in found.values())
        assert all(env.score(i, one).reward == 1.0 for i, one in found.items())


def test_one_rollout_that_is_paid_on_every_task_is_right_on_none(tmp_path, bench) -> None:
    text = LOCKERS.replace("book == self.data.wanted", "True").replace(
        "set(self.data.names)", '{"ALL"}'
    )
    with bench.open(_written(tmp_path, "lockers_for_all", text)) as env:
        assert CallSolver(env, all_formats(env.description.tasks), 1.0).solve() == {}


@pytest.mark.long
@pytest.mark.parametrize("status", ["pass", "fail"])
def test_a_rollout_that_was_found_is_held_against_others(tmp_path, bench, status) -> None:
    """A reward that compares the named lockers only pays for handing out all the others."""
    named = "{one: book.get(one) for one in self.data.names}"
    wanted = named.replace("book", "self.data.wanted")
    text = LOCKERS.replace("book == self.data.wanted", f"{named} == {wanted}")
    text = text if status == "fail" else LOCKERS
    found = bench.audit(_written(tmp_path, f"lockers_{status}", text))
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert found.status("reward.every_call") == status, found.failed
