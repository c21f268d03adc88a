"""Golds that are a list of objects: JSON, in whatever a reply encloses it."""

from __future__ import annotations

import json

from lab.environment import Task
from lab.reward.reading.answer_type import settled_type
from lab.reward.reading.candidates import candidates


def test_objects_are_no_list_with_commas() -> None:
    ask = "List the items as JSON."
    rows = [{"items": [{"line": n, "owner": "Jo"}, {"line": n + 2, "owner": "Al"}]} for n in (1, 4)]
    found = [
        one.reading for one in candidates([Task(n, ask, ask, fields=r) for n, r in enumerate(rows)])
    ]
    assert "all of the list, as JSON" in found and "all of the list, with commas" not in found


ACTIONS = """
import json
import verifiers.v1 as vf

ASK = 'List the actions of meeting {n} as a JSON array of {"line": 4, "owner": "Lena"}.'
NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve"]


class Data(vf.TaskData):
    items: list[dict]


class Task(vf.Task[Data]):
    @vf.reward
    async def listed(self, trace: vf.Trace) -> float:
        text, said = trace.last_reply or "", None
        for at in [n for n, sign in enumerate(text) if sign in "[{"]:
            try:
                said, _ = json.JSONDecoder().raw_decode(text[at:])
            except ValueError:
                continue
            break
        if isinstance(said, dict):  # one enclosing object is fine
            said = next((one for one in said.values() if isinstance(one, list)), None)
        return float(said == self.data.items)


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for n in range(12):
            items = [{"line": n + k, "owner": NAMES[(n + k) % 5]} for k in range(2 + n % 2)]
            prompt = ASK.replace("{n}", str(n))
            yield Task(Data(prompt=prompt, items=items), self.config.task)


__all__ = ["Tasks"]
"""


def test_the_object_of_one_member_is_not_the_form_of_a_list(tmp_path, bench) -> None:
    path = tmp_path / "actions_of_meetings.py"
    path.write_text(ACTIONS, encoding="utf-8")
    right = bench.audit(path, examples=12).audit.brief.right
    assert right.with_gold and right.answer_type == "json"
    assert json.loads(right.format.write(right.golds[0] or "")) == json.loads(right.golds[0] or "")


def test_a_list_of_objects_is_json_whatever_a_contract_calls_it() -> None:
    assert settled_type("list", "json") == "json"
    assert settled_type("list", "text") == settled_type(None, "list") == "list"
