"""Other right answers that the code itself lists beside the gold."""

from __future__ import annotations

from pathlib import Path

import pytest

MODULE = """
import re
import verifiers.v1 as vf

ROWS = [
    ("Who leads the league?", "United Nations", "UN; United Nations Organization"),
    ("Who sings?", "Maria Anna Callas", "Maria Callas; Callas"),
    ("Where is the tower?", "Republic of Chile", "Chile; Chili"),
    ("Who painted it?", "Vincent van Gogh", "van Gogh; Gogh"),
    ("Which sea is it?", "Adriatic Sea", "Adriatic; Mare Adriatico"),
    ("Which stone?", "Rose Quartz", "pink quartz; quartz of Bohemia"),
]
LAST = re.compile(r"^Answer:(.*)$", re.MULTILINE)

class Data(vf.TaskData):
    answer: str
    variants: str

class Task(vf.Task[Data]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        found = LAST.findall(trace.last_reply)
        said = found[-1].strip().lower() if found else ""
        known = {self.data.answer.lower(), *KNOWN}
        return float(said in known)

class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for question, answer, variants in ROWS:
            prompt = f"{question} End with a line 'Answer: ...'"
            yield Task(Data(prompt=prompt, answer=answer, variants=variants), self.config.task)

__all__ = ["Tasks"]
"""
STRIPPED = "(one.strip().lower() for one in self.data.variants.split(';'))"
RAW = "self.data.variants.lower().split(';')"
CASED = "(one.strip() for one in self.data.variants.split(';'))"


@pytest.mark.parametrize(
    ("name", "known", "status"),
    [
        ("stripped", STRIPPED, "pass"),
        ("with_blanks", RAW, "fail"),
        ("with_capitals", CASED, "fail"),
    ],
)
def test_what_the_code_lists_as_right_is_paid(tmp_path: Path, bench, name, known, status) -> None:
    path = tmp_path / f"listed_{name}.py"
    path.write_text(MODULE.replace("*KNOWN", f"*{known}"), encoding="utf-8")
    found = bench.audit(path)
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert found.status("reward.forms_core") == status, found.failed


OPTIONS = """
        if said not in [one.strip().lower() for one in self.data.variants.split(";")]:
            return 0.0
        return float(said == self.data.answer.lower())
"""


def test_a_list_of_valid_answers_is_no_list_of_right_ones(tmp_path: Path, bench) -> None:
    text = MODULE.replace("        known = {self.data.answer.lower(), *KNOWN}\n", "")
    text = text.replace("        return float(said in known)\n", OPTIONS.lstrip("\n"))
    text = text.replace("variants=variants)", "variants=f'{answer}; {variants}')")
    path = tmp_path / "valid_answers.py"
    path.write_text(text, encoding="utf-8")
    found = bench.audit(path)
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert "reward.forms_core" not in found.failed, found.failed


UNITS = """
import re
import verifiers.v1 as vf

ROWS = [(n, f"How cold is it in room {n}, in degrees?", str(-n - 3), [f"c{n}", "°" * (n + 1)])
        for n in range(8)]

class Data(vf.TaskData):
    answer: str
    units: list

class Task(vf.Task[Data]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        found = re.search(r"####\\s*(-?\\d+)?\\s*(\\S*)\\s*$", trace.last_reply.lower())
        if found is None or found[1] is None or int(found[1]) != int(self.data.answer):
            return 0.0
        return float(found[2] in ["", *self.data.units])

class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for n, prompt, answer, units in ROWS:
            prompt = f"{prompt} End with '#### ' and the number; a unit may follow it."
            yield Task(Data(prompt=prompt, answer=answer, units=units), self.config.task)

__all__ = ["Tasks"]
"""


def test_what_may_follow_an_answer_is_no_other_one(tmp_path: Path, bench) -> None:
    path = tmp_path / "listed_units.py"
    path.write_text(UNITS, encoding="utf-8")
    found = bench.audit(path)
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    core = found.findings["reward.forms_core"]
    assert "alias" not in core.evidence, core
