"""An answer that earns nothing alone: what has to come before it, where the gold is declared."""

from __future__ import annotations

from lab.reward.contract import Contract, Example
from lab.reward.formats.source import read_source
from lab.reward.interactive.messages import conversation
from lab.reward.reading.find_right import Finder

STOCK = '''
import verifiers.v1 as vf

PIECES = {f"SKU-{1000 + 37 * n}": str(12 + 5 * n) for n in range(6)}

class Desk(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = None

    @vf.tool
    async def stock(self, sku: str) -> str:
        """The record of an article."""
        return f"{sku}: {PIECES.get(sku, 'no')} pieces"

class Data(vf.TaskData):
    answer: str
    sku: str

class Article(vf.Task[Data]):
    @classmethod
    def toolsets(cls, config):
        return [Desk(vf.ToolsetConfig())]

    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        shown = any(f"{self.data.sku}: " in str(m.content) for m in trace.tool_messages)
        slot = (trace.last_reply or "").rpartition("<answer>")[2].partition("</answer>")[0]
        return float(shown and slot.strip() == self.data.answer)

class Articles(vf.Taskset[Article, vf.TasksetConfig]):
    def load(self):
        for sku, pieces in PIECES.items():
            yield Article(Data(prompt=f"How many pieces of {sku} are there? Look it up, then "
                               "reply with <answer>number</answer>.", answer=pieces, sku=sku))

__all__ = ["Articles"]
'''


def test_a_declared_gold_is_read_after_the_calls_that_examples_show(bench, tmp_path):
    """Alone the answer earns nothing, and the examples do not say what other tasks' calls are."""
    path = tmp_path / "stock_desk.py"
    path.write_text(STOCK, encoding="utf-8")
    examples = (
        Example(0, conversation([("stock", {"sku": "SKU-1000"})], "<answer>12</answer>"), 1.0),
        Example(1, conversation([("stock", {"sku": "SKU-1037"})], "<answer>17</answer>"), 1.0),
        Example(0, "<answer>12</answer>", 0.0),
    )
    declared = Contract(gold="answer", says=("<answer>{answer}</answer>",), examples=examples)
    with bench.open(path) as env:
        found = Finder(env, declared, read_source(path)).find()
        assert found.right.source == "answer" and found.right.margin == 1.0
        assert len(found.right.with_gold) == len(env.prelude) == 6
