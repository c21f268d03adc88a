"""Tools that are read page by page and never show some records: `reward.pages`."""

from __future__ import annotations

from itertools import pairwise
from string import Template

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.environment.records import LEAST, MOST_ROWS, records
from lab.reward.rules.pages import between

MODULE = Template('''
from dataclasses import dataclass

import verifiers.v1 as vf

@dataclass
class Loan:
    number: str
    title: str
    year: int

def loans(letter, count):
    titles = ["Tides", "Letters", "Bridges", "Winters", "Harbours"]
    return [Loan(f"{letter}-{n:03}", f"{titles[n % 5]} of {letter}", 1900 + 3 * n)
            for n in range(count)]

SHELVES = {letter: loans(letter, 11 + n) for n, letter in enumerate(["North", "South"])}
EVERY = [loan for each in SHELVES.values() for loan in each]
SIZE = 4

def line(loan):
    return f"{loan.number} | {loan.title} | {loan.year}"

class Desk(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = None

    @vf.tool
    async def browse(self, $parameters) -> str:
        """Loans, page by page."""
        $body

class DeskData(vf.TaskData):
    answer: str

class DeskTask(vf.Task[DeskData]):
    @classmethod
    def toolsets(cls, config):
        return [Desk(vf.ToolsetConfig())]

    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        return float(trace.last_reply.strip() == self.data.answer)

class DeskTaskset(vf.Taskset[DeskTask, vf.TasksetConfig]):
    def load(self):
        for shelf, own in SHELVES.items():
            for loan in own[:4]:
                yield DeskTask(DeskData(prompt=f"In which year was {loan.title} ({loan.number}, "
                                        f"shelf {shelf}) printed? Reply with the year alone.",
                                        answer=str(loan.year)))

__all__ = ["DeskTaskset"]
''')
BY_SHELF, BY_PAGE, BY_OFFSET = "shelf: str, page: int", "page: int = 1", "start: int"


def body(rows: str, where: str = "True", line: str = "line(one)") -> str:
    return f"""
        rows = {rows}
        return "\\n".join({line} for one in rows if {where}) or "nothing here"
"""


OF_SHELF = "SHELVES.get(shelf, [])"
PAGE = "[(page - 1) * SIZE : page * SIZE] if page > 0 else []"
SHORT = "[(page - 1) * SIZE : page * SIZE - 1] if page > 0 else []"
FLOOR = "[(page - 1) * SIZE : page * SIZE] if 0 < page <= len(EVERY) // SIZE else []"
CASES = {
    "every record": (BY_SHELF, body(OF_SHELF + PAGE), "pass"),
    "pages from 0": (BY_SHELF, body(OF_SHELF + "[page * SIZE : (page + 1) * SIZE]"), "pass"),
    "a list of all": (BY_PAGE, body("EVERY" + PAGE), "pass"),
    "several lines each": (
        BY_PAGE,
        body("EVERY" + PAGE, line="line(one).replace(' | ', chr(10))"),
        "pass",
    ),
    "from an offset": (BY_OFFSET, body("EVERY[start : start + SIZE]"), "pass"),
    "left out on purpose": (
        BY_SHELF,
        body(OF_SHELF + PAGE, where="one.year % 2"),
        "skip",
    ),
    "the last of each page": (BY_SHELF, body(OF_SHELF + SHORT), "fail"),
    "the last of each page of all": (BY_PAGE, body("EVERY" + SHORT), "fail"),
    "the last page": (BY_PAGE, body("EVERY" + FLOOR), "fail"),
    "the first pages on purpose": (
        BY_PAGE,
        body("EVERY[(page - 1) * SIZE : page * SIZE] if 0 < page <= 3 else []"),
        "pass",
    ),
    "no pages": ("number: str", body("[one for one in EVERY if one.number == number]"), "skip"),
}


@pytest.mark.parametrize("case", CASES)
def test_pages_that_leave_records_out_are_named(tmp_path, bench, case):
    parameters, code, status = CASES[case]
    path = tmp_path / f"desk_{list(CASES).index(case)}.py"
    path.write_text(MODULE.substitute(parameters=parameters, body=code.strip()), encoding="utf-8")
    finding = bench.audit(path).findings["reward.pages"]
    assert finding.status == status, finding
    if status == "fail":
        assert "browse" in finding.evidence and " of " in finding.evidence


def test_records_of_modules_are_told_with_their_keys(tmp_path, monkeypatch):
    (tmp_path / "held_rows.py").write_text(
        "ROWS = [('a', 1, None), ('b', 2, []), ('c', 3, {}), ('d', 4, '')]\n"
        "SAME = ROWS\n"
        "KEYED = {'x': [{'n': 1, 'm': 2.5}] * 4, 'y': 7}\n"
        "TABLE = {n: {'name': f'no. {n}'} for n in range(4)}\n"
        "FEW = [(1, 2)] * 3\nNAMES = ['a', 'b', 'c', 'd']\n"
        f"LONG = [(n, 'q' * 500) for n in range({2 * MOST_ROWS})]\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    __import__("held_rows")
    found = {(name, key): rows for name, key, rows in records([str(tmp_path / "held_rows.py")])}
    assert set(found) == {("ROWS", ""), ("KEYED", "x"), ("TABLE", ""), ("LONG", "")}
    assert found["ROWS", ""][:1] == [["a", "1"]] and found["KEYED", "x"][0] == ["1", "2.5"]
    assert found["TABLE", ""][3] == ["3", "no. 3"]
    assert len(found["LONG", ""]) == MOST_ROWS and max(map(len, found["LONG", ""][0])) == 200
    assert all(len(rows) >= LEAST for rows in found.values())


@given(st.lists(st.integers(1, 6), min_size=2, max_size=8), st.data())
def test_what_lies_between_pages_is_what_is_left_out(sizes, data):
    ends = [0]
    for size in sizes:
        ends.append(ends[-1] + size)
    pages = [list(range(a, b)) for a, b in pairwise(ends)]
    assert between(pages, ends[-1]) == []
    assert between([], ends[-1]) is between(pages[:1], ends[-1]) is None
    left_out = [page[-1] for page in pages if len(page) > 1 and data.draw(st.booleans())]
    shown = [[n for n in page if n not in left_out] for page in pages]
    found = between(data.draw(st.permutations(shown)), ends[-1])
    assert found == (left_out if 2 * len(left_out) <= ends[-1] else None)
