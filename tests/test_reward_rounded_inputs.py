"""Golds that need a number more exact than the prompt has it: `data.rounded_inputs`."""

from __future__ import annotations

from pathlib import Path
from string import Template
from zlib import crc32

import pytest

MODULE = Template("""
import random
import re
from decimal import Decimal

import verifiers.v1 as vf

ASK = "Give the number alone, rounded to $places decimals, in <answer></answer> tags."


def interest(rng):
    rate, amount = $rate, 100 * rng.randint(20, 90)
    gold = amount * $used
    text = f"A loan of {amount} euros is taken up at {$shown} a year. How much is the interest?"
    return text, f"{gold:.${places}f}"


class Data(vf.TaskData):
    answer: str


class Task(vf.Task[Data]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        found = re.findall(r"<answer>\\s*([0-9.]+)\\s*</answer>", trace.last_reply)
        gold = float(self.data.answer)
        return float(bool(found) and abs(float(found[-1]) - gold) <= $tolerance * gold)


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        rng = random.Random(11)
        made = [interest(rng) for _ in range(20)]
        for text, gold in made:
            yield Task(Data(prompt=f"{text} {ASK}", answer=gold), self.config.task)


__all__ = ["Tasks"]
""")
ROUNDED = {
    "rate": "rng.uniform(0.02, 0.09)",
    "used": "rate",
    "shown": "format(rate, '.1%')",
    "places": "2",
    "tolerance": "1e-9",
}


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ({}, "fail"),
        ({"rate": "Decimal(rng.randint(200, 900)) / 10000"}, "fail"),
        ({"rate": "round(rng.uniform(0.02, 0.09), 3)"}, "pass"),
        ({"shown": "format(rate, '.8%')", "rate": "round(rng.uniform(0.02, 0.09), 6)"}, "pass"),
        ({"tolerance": "0.03"}, "pass"),
        # What is rounded is held as a number, too, and is what the gold is made of.
        (
            {
                "used": "short",
                "rate": "rng.uniform(0.02, 0.09)",
                "shown": "format(short, '.1%')",
                "short": "round(rate, 3)",
            },
            "pass",
        ),
        # Whole numbers are counts, and the gold itself is no input.
        ({"shown": "format(100 * rate, '.0f')"}, "pass"),
        ({"shown": "format(gold, '.1f')", "used": "rate"}, "pass"),
    ],
    ids=[
        "exact",
        "decimals",
        "rounded first",
        "all digits",
        "tolerant",
        "both held",
        "whole",
        "gold",
    ],
)
def test_a_gold_is_made_of_the_numbers_that_are_shown(
    tmp_path: Path, bench, parts: dict[str, str], status: str
) -> None:
    parts = {**ROUNDED, **parts}
    source = MODULE.substitute(parts)
    if short := parts.get("short"):
        source = source.replace("    gold = amount", f"    short = {short}\n    gold = amount")
    path = tmp_path / f"interest_{crc32(source.encode())}.py"
    path.write_text(source, encoding="utf-8")
    found = bench.audit(path)
    one = found.findings["data.rounded_inputs"]
    assert one.status == status, one
    if status == "fail":
        assert "%" in one.evidence and "its code holds 0.0" in one.evidence
        assert one.severity == "critical"


SUMMARIES = """
import random
import re
from statistics import fmean, median

import verifiers.v1 as vf

ASK = "Reply with a line for each, such as `mean: 12.34`: mean, median, range."


class Data(vf.TaskData):
    exact: dict[str, float]


class Task(vf.Task[Data]):
    @vf.reward
    async def share(self, trace: vf.Trace) -> float:
        said = dict(re.findall(r"(?m)^(mean|median|range): (-?[0-9.]+)$", trace.last_reply))
        right = [abs(float(said.get(k, "inf")) - v) <= 0.01 for k, v in self.data.exact.items()]
        return sum(right) / len(right)


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        rng = random.Random(3)
        for n in range(24):
            values = [rng.randint(3, 60) if n % 2 else KEPT for _ in range(7)]
            data = ", ".join(format(value, "d" if n % 2 else ".1f") for value in values)
            exact = {"mean": fmean(values), "median": median(values)}
            exact["range"] = max(values) - min(values)
            yield Task(Data(prompt=f"Data: {data}. {ASK}", exact=exact), self.config.task)


__all__ = ["Tasks"]
"""


@pytest.mark.parametrize(
    ("kept", "status"),
    [("rng.uniform(8, 30)", "fail"), ("round(rng.uniform(8, 30), 1)", "pass")],
)
def test_half_of_the_tasks_and_a_share_of_the_gold_are_enough(
    tmp_path: Path, bench, kept: str, status: str
) -> None:
    path = tmp_path / f"summaries_{status}.py"
    path.write_text(SUMMARIES.replace("KEPT", kept), encoding="utf-8")
    assert bench.audit(path).findings["data.rounded_inputs"].status == status
