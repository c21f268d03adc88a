"""Values that are compared with others of another type while tasks are made: `data.mixed_types`."""

from __future__ import annotations

from pathlib import Path
from string import Template

import pytest

MODULE = Template("""
import json
from datetime import date, timedelta

import verifiers.v1 as vf

CLOSED = json.loads('["2025-03-04", "2025-03-11", "2025-03-13", "2025-03-20"]')
PRICES = json.loads('{"1": 5, "2": 7, "3": 11, "4": 2, "5": 6, "6": 9, "7": 3, "8": 1}')
NOTHING = None


def open_days(first, last):
    days = [first + timedelta(days=n) for n in range((last - first).days)]
    return sum($closed for day in days)


def price(n):
    return $price


class Data(vf.TaskData):
    answer: str


class Task(vf.Task[Data]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        return float(trace.last_reply.strip() == self.data.answer)


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for n in range(1, 9):
            first, last = date(2025, 3, n), date(2025, 3, 12 + n)
            prompt = f"Days from {first} to {last} without {CLOSED}, plus the price of {n}?"
            answer = str(open_days(first, last) + price(n))
            yield Task(Data(prompt=prompt + " The number alone.", answer=answer), self.config.task)


__all__ = ["Tasks"]
""")
CLASSIC = """
import json
import verifiers as vf
from datasets import Dataset

PRICES = json.loads('{"1": 5, "2": 7, "3": 11, "4": 2, "5": 6}')

def load_environment():
    rows = [{"question": f"{n}?", "answer": str(PRICES.get(n, 0) + n)} for n in range(1, 6)]

    def correct(completion, answer, **kwargs) -> float:
        return float(completion[-1]["content"] == answer)

    return vf.SingleTurnEnv(dataset=Dataset.from_list(rows), rubric=vf.Rubric(funcs=[correct]))
"""
RIGHT = {"closed": "day.isoformat() not in CLOSED", "price": "PRICES[str(n)]"}


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({}, ""),
        ({"price": "PRICES.get(n, PRICES.get(str(n), 0))"}, ""),  # it takes both
        ({"price": "int([str(k) for k in range(12)].pop(n))"}, ""),  # a position
        ({"price": "5 if None != NOTHING <= NOTHING + n else 10**5000 == n or 2"}, ""),
        ({"closed": "day not in CLOSED"}, "'2025-03-04' as date"),
        ({"price": "PRICES.get(n, 0)"}, "'1' as int"),
        ({"price": "next((p for k, p in PRICES.items() if k == n), 0)"}, "'1' as str"),
    ],
    ids=[
        "one type",
        "both types",
        "positions",
        "never worked out",
        "days among texts",
        "numbers as keys",
        "one by one",
    ],
)
def test_what_is_never_the_same_is_told_with_its_place(
    tmp_path: Path, bench, parts: dict[str, str], said: str
) -> None:
    source = MODULE.substitute(RIGHT | parts)
    path = tmp_path / f"days_{len(source)}.py"
    path.write_text(source, encoding="utf-8")
    found = bench.audit(path, examples=8).findings["data.mixed_types"]
    assert found.status == ("fail" if said else "pass"), found
    if said:
        (changed,) = parts.values()
        line = next(n for n, one in enumerate(source.splitlines(), 1) if changed in one)
        assert said in found.evidence and f"{path.name}, line {line}" in found.evidence


def test_rows_of_the_classic_api_are_made_under_watch_too(tmp_path: Path, bench) -> None:
    (tmp_path / "keys_of_json.py").write_text(CLASSIC, encoding="utf-8")
    found = bench.audit(tmp_path / "keys_of_json.py").findings["data.mixed_types"]
    assert found.status == "fail" and "as int is held against the same as str" in found.evidence
