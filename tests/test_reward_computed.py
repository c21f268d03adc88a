"""Answers that no field holds: computed by the package's own functions, one for each turn."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lab.environment import Environment, Task, locate
from lab.process.views import code_of
from lab.reward.contract import Contract
from lab.reward.formats.source import read_source
from lab.reward.plan import _lacking, near_answers
from lab.reward.reading.answer_type import answer_type
from lab.reward.reading.candidates import candidates
from lab.reward.reading.find_right import Finder
from lab.reward.reading.found import Found
from lab.reward.reading.worked_out import MATCHES, PRINTS
from lab.reward.scale import graded_by
from marks import soak
from reward_briefs import World

HEAD = """
import json
import json
import re
import verifiers.v1 as vf
"""

ROOMS = (
    HEAD
    + """
def clock(slot: int) -> str:
    return f"{slot // 2:02d}:{30 * (slot % 2):02d}"

class RoomData(vf.TaskData):
    plan: dict[str, int]

class RoomTask(vf.Task[RoomData]):
    @vf.reward
    async def fits(self, trace: vf.Trace) -> float:
        found = re.findall(r"```json\\n(.*?)```", trace.last_reply, re.S)
        try:
            said = json.loads(found[-1])
        except (IndexError, ValueError):
            return 0.0
        return float(said == {name: clock(slot) for name, slot in self.data.plan.items()})

class RoomTaskset(vf.Taskset[RoomTask, vf.TasksetConfig]):
    def load(self):
        for n in range(8):
            prompt = f"Plan day {n}. Answer with a ```json block of names and times HH:MM."
            yield RoomTask(RoomData(prompt=prompt, plan={"talk": 18 + n, "lunch": 24 + n}))

__all__ = ["RoomTaskset"]
"""
)
DESK = (
    HEAD
    + """
def ruling(days: int, worn: bool) -> str:
    if worn or days > 90:
        return "REJECT"
    return "REFUND" if days <= 30 else "EXCHANGE"

class DeskData(vf.TaskData):
    days: int
    worn: bool

class DeskTask(vf.Task[DeskData]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        said = re.findall(r"^DECISION: (REFUND|EXCHANGE|REJECT)$", trace.last_reply, re.M)
        return float(bool(said) and said[-1] == ruling(self.data.days, self.data.worn))

class DeskTaskset(vf.Taskset[DeskTask, vf.TasksetConfig]):
    def load(self):
        for n, (days, worn) in enumerate([(3, False), (40, False), (9, True), (95, False)] * 2):
            prompt = (f"Item {n}, bought {days} days ago{', worn' if worn else ''}. End with the "
                      "line `DECISION: <REFUND, EXCHANGE or REJECT>`.")
            yield DeskTask(DeskData(prompt=prompt, days=days, worn=worn))

__all__ = ["DeskTaskset"]
"""
)
SORTED = (
    HEAD
    + """
WORDS = ["pear fig kiwi", "oak elm ash", "red tan blue", "cat ant bee"]

class SortData(vf.TaskData):
    info: dict

class SortTask(vf.Task[SortData]):
    @vf.reward
    async def each_turn(self, trace: vf.Trace) -> float:
        said = [message.content or "" for message in trace.assistant_messages]
        paid = 0
        for turn, wanted in enumerate(self.data.info["sorted_lists"]):
            tag = "first" if turn == 0 else "combined"
            reply = said[turn] if turn < len(said) else ""
            found = re.findall(f"<{tag}>(.*?)</{tag}>", reply, re.S)
            paid += bool(found) and found[-1].split() == wanted
        return paid / len(self.data.info["sorted_lists"])

class SortEnv(vf.SingleAgentEnv):
    async def run(self, task, agents):
        async with agents.agent.interaction(task) as talk:
            for asked in task.data.info["asked"]:
                if (await talk.turn(asked)).terminated:
                    break

class SortTaskset(vf.Taskset[SortTask, vf.TasksetConfig]):
    def load(self):
        for n in range(4):
            one, two = WORDS[n].split(), WORDS[(n + 1) % 4].split()
            asked = [f"Sort {' '.join(one)}, a line each, in <first></first>.",
                     f"And with {' '.join(two)}, now in <combined></combined>."]
            info = {"asked": asked, "sorted_lists": [sorted(one), sorted(one + two)]}
            yield SortTask(SortData(prompt=None, info=info))

__all__ = ["SortTaskset", "SortEnv"]
"""
)


def found_right(folder: Path, source: str) -> Found:
    path = folder / "asked.py"
    path.write_text(source, encoding="utf-8")
    with Environment(locate(str(path)), examples=8) as env:
        return Finder(env, Contract(), read_source(path)).find()


@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "gold"),
    [
        pytest.param(ROOMS, '{"talk": "09:00", "lunch": "12:00"}', id="written by a function"),
        soak(DESK, "REFUND", id="computed from fields"),
    ],
)
def test_what_the_packages_own_functions_make_of_the_fields_can_be_the_gold(tmp_path, source, gold):
    right = found_right(tmp_path, source).right
    assert right.gold(0) == gold
    assert all((score.reward or 0.0) == 1.0 for score in right.scores.values())


@pytest.mark.long
def test_a_list_with_an_item_per_turn_is_written_in_the_form_of_each_turn(tmp_path):
    found = found_right(tmp_path, SORTED)
    assert found.reward == 1.0 and found.graded
    first, second = (message["content"] for message in found.right.whole[0])
    assert re.search(r"<first>\s*fig\nkiwi\npear\s*</first>", first)
    assert "<combined>" in second and "<first>" not in second


def test_a_hidden_folder_of_data_is_part_of_the_package_and_no_other_one(tmp_path):
    for name in (".cache", ".git", ".ssh", ".secrets", "package"):
        (tmp_path / name).mkdir()
    (tmp_path / ".env").write_text("KEY=1")
    (tmp_path / ".data").symlink_to(tmp_path / ".ssh")
    assert [path.name for path in code_of(tmp_path)] == [".cache", "package"]


def test_a_list_lacking_is_a_near_answer():
    two = ["06:00-07:00", "09:00-10:00", "x, 09:00-10:00"]
    assert _lacking("06:00-07:00, 09:00-10:00") == two
    assert _lacking("a\nb\nc\nd\ne")[2:] == ["x\nb\nc\nd\ne", "x\nx\nc\nd\ne", "x\nx\nx\nd\ne"]
    assert _lacking("42") == []


def test_one_value_in_between_is_a_scale_only_where_it_is_stated():
    right, near = {0: 1.0, 1: 1.0}, {0: [0.5], 1: [0.5]}
    assert not graded_by(right, near, 0.0, 1.0)
    assert graded_by(right, near, 0.0, 1.0, stated=True)
    assert not graded_by(right, {0: [0.0], 1: [1.0]}, 0.0, 1.0, stated=True)


def test_a_program_is_written_that_prints_what_it_must_print():
    tasks = [
        Task(n, str(n), f"Write a Python program that prints {what}.", fields={"expected": gold})
        for n, (what, gold) in enumerate([("the sum of 1 to 100", "5050"), ("HELLO", "HELLO")])
    ]
    (found,) = (one for one in candidates(tasks) if one.reading == PRINTS)
    assert found.golds == ["print('5050')", "print('HELLO')"]
    assert answer_type(found, tasks) == "code"


def test_a_pattern_is_written_that_matches_the_texts_of_a_list():
    fields = [{"yes": ["a.b", "c"], "no": ["ab"]}, {"yes": ["12"], "no": ["1"]}]
    tasks = [
        Task(n, str(n), "Give one Python regular expression in a ```regex block.", fields=row)
        for n, row in enumerate(fields)
    ]
    golds = {one.field: one.golds for one in candidates(tasks) if one.reading == MATCHES}
    assert golds["yes"] == ["(?:a\\.b|c)", "(?:12)"]


RECORDS = [
    {
        "question": f"Describe parcel {n} as JSON.",
        "answer": json.dumps({"to": f"Town {n}", "weight": n, "boxes": n + 1, "day": f"Day {n}"}),
    }
    for n in range(1, 7)
]
WEIGHTS = {"to": 0.3, "weight": 0.3, "boxes": 0.2, "day": 0.2}


def by_field(text: str, row: dict[str, Any]) -> float:
    try:
        said, gold = json.loads(text), json.loads(row["answer"])
    except ValueError:
        return 0.0
    if not isinstance(said, dict) or set(said) != set(gold):
        return 0.0
    return sum(weight for key, weight in WEIGHTS.items() if said[key] == gold[key])


def test_a_record_that_is_paid_field_by_field_is_graded():
    one = World(RECORDS, "{answer}", by_field)
    near = {i: [] for i in range(len(RECORDS))}
    for probe in near_answers(one.brief):
        near[probe.task].append(by_field(str(probe.completion), RECORDS[probe.task]))
    right = dict.fromkeys(near, 1.0)
    assert graded_by(right, near, 0.0, 1.0)
