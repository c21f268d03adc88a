"""Answers that are paid only after the search tool was asked for what the prompt asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.environment import Task
from lab.reward.formats.prompt import question_of
from lab.reward.interactive.calls import searching

MODULE = """
import re

import verifiers.v1 as vf

FACTS = {
    "quay": ("The north quay is 310 metres long.", "310"),
    "crane": ("The lifting capacity of the old crane is 40 tons.", "40"),
    "lock": ("The lock keepers listen on channel 20.", "20"),
    "ferry": ("Check-in for the ferry closes 35 minutes before it leaves.", "35"),
    "pilot": ("A pilot is ordered 6 hours before arrival.", "6"),
    "shed": ("Waste is weighed at the green shed, up to 250 kilos.", "250"),
}
ASKED = [
    ("How long is the north quay, in metres?", ["quay"]),
    ("What is the lifting capacity of the old crane?", ["crane"]),
    ("On which channel do the lock keepers listen?", ["lock"]),
    ("How many minutes before the ferry leaves does its check-in close?", ["ferry"]),
    ("How many hours before arrival is a pilot ordered?", ["pilot"]),
    ("How many kilos of waste does the green shed take, and who listens on 20?", ["shed", "lock"]),
]
ASK = "Search the handbook; a guess is not paid. Give the number inside <answer></answer> tags."


class Handbook(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = None

    @vf.tool
    def search(self, query: str) -> str:
        \"\"\"Search the handbook with a few words.\"\"\"
        words = set(re.findall(r"[a-z]{4,}", query.lower()))
        def shared(text):
            return len(words & set(re.findall(r"[a-z]{4,}", text.lower())))
        best = max(FACTS.values(), key=lambda fact: shared(fact[0]))
        return best[0] if shared(best[0]) > 1 else "nothing found"


class Config(vf.TaskConfig):
    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class Data(vf.TaskData):
    answer: str
    facts: list[str]


class Lookup(vf.Task[Data, vf.State, Config]):
    @classmethod
    def toolsets(cls, config):
        return [Handbook(config.tools)]

    @vf.reward
    async def backed(self, trace: vf.Trace) -> float:
        told = " ".join(str(message.content) for message in trace.tool_messages)
        if not all(FACTS[name][0] in told for name in self.data.facts):
            return 0.0
        said = re.findall(r"<answer>(.*?)</answer>", trace.last_reply or "")
        return float(bool(said) and COMPARED)


class LookupsConfig(vf.TasksetConfig):
    task: Config = Config()


class Lookups(vf.Taskset[Lookup, LookupsConfig]):
    def load(self):
        for question, facts in ASKED:
            data = Data(prompt=f"{question}\\n\\n{ASK}", answer=FACTS[facts[0]][1], facts=facts)
            yield Lookup(data, self.config.task)


__all__ = ["Lookups"]
"""


@pytest.mark.parametrize(
    ("compared", "status"),
    [
        ("said[-1].strip() == self.data.answer", "pass"),
        ("self.data.answer in said[-1]", "fail"),
    ],
    ids=["whole", "inside"],
)
def test_the_question_is_searched_for(tmp_path: Path, bench, compared: str, status: str) -> None:
    path = tmp_path / f"lookups_{status}.py"
    path.write_text(MODULE.replace("COMPARED", compared), encoding="utf-8")
    found = bench.audit(path, examples=6)
    right = found.audit.brief.right
    # The last task needs a second search: what it takes for its gold is not known to be paid.
    assert right.source == "answer" and right.with_gold == [0, 1, 2, 3, 4] and right.partly
    assert found.status("reward.gold_paid") == found.status("data.golds") == "pass"
    caught = {"reward.hedged", "reward.enumeration", "reward.number_inside"} & {*found.failed}
    assert bool(caught) == (status == "fail"), found.failed


@pytest.mark.parametrize(
    ("prompts", "question"),
    [
        (["How far is it?\nAnswer in km.", "How high?\nAnswer in km."], "How far is it?"),
        (["Find the tower.\nAnswer in km.", "Find the lake.\nAnswer in km."], "Find the tower."),
        (["The same for all."] * 2, "The same for all."),
    ],
)
def test_a_question_is_what_a_prompt_has_of_its_own(prompts: list[str], question: str) -> None:
    tasks = [Task(n, text, text) for n, text in enumerate(prompts)]
    assert question_of(tasks[0], tasks) == question


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ({"properties": {"query": {"type": "string"}}, "required": ["query"]}, "query"),
        ({"properties": {"words": {"type": "string"}}}, "words"),
        ({"properties": {"kind": {"type": "string", "enum": ["a", "b"]}}}, ""),
        ({"properties": {"page": {"type": "integer"}}}, ""),
        ({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}, ""),
        ({}, ""),
    ],
)
def test_a_tool_that_takes_free_words_alone(schema: dict[str, Any], name: str) -> None:
    assert searching(schema) == name
