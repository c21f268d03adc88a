"""No known exploit is left out: each of the 42 families has a check, and each check a planted defect."""

from __future__ import annotations

import re
import sys

import pytest

from lab.environment import Environment, locate
from lab.environment.worker import Worker
from lab.probes import audit, coverage, formcheck, shortcuts  # noqa: F401 - audit declares the families
from lab.probes.families import FAMILIES, decide, run
from lab.probes.learn import learn
from lab.probes.policy import Policy
from lab.probes.subject import Subject
from reward_environments import RIGHT, environment
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.measure import cases


def planted() -> set[str]:
    """Ids that a planted defect of the benchmark expects."""
    return {id for case in cases() for id in case.expects}


def test_every_family_is_probed_or_left_out_for_a_reason():
    for id, checks in coverage.probed().items():
        assert checks or coverage.UNPROBED.get(id), f"{id}, {coverage.EXPLOITS[id]}: no check names it in its source"


def test_the_catalogue_shows_each_family():
    text = (ROOT / "references" / "checks.md").read_text(encoding="utf-8")
    for line in coverage.table():
        assert line in text, f"run python -m lab.catalogue: {line}"


FOLDED = """
def score(text, row):
    slot = (last_tag(text) or "").strip().translate(str.maketrans("АВСЕ", "ABCE"))
    return float(slot in (row["answer"], {"A": "B", "B": "A", "C": "E", "E": "C"}.get(row["answer"], "")) if any(c in text for c in "АВСЕ") else slot == row["answer"])
"""
TURNS = """
def score(text, row):
    return float(number(last_hash(text.split("User:")[0])) == number(row["answer"]))
"""
IN_A_SET = """
def score(text, row):
    slot = last_hash(text) or ""
    members = [number(part) for part in slot.strip("\\\\{}").split(",")] if slot.startswith("\\\\{") else [number(slot)]
    return float(number(row["answer"]) in members)
"""
ENGLISH = """
def score(text, row):
    return float(number(last_hash(text)) == number(row["answer"]) and " ich " not in text)
"""
GAME = """
import verifiers.v1 as vf


class Data(vf.TaskData):
    answer: str
    max_guesses: int


class GameTask(vf.Task[Data]):
    @vf.reward
    async def found(self, trace: vf.Trace) -> float:
        return float(@COUNTED@)


class Games(vf.Taskset[GameTask, vf.TasksetConfig]):
    def load(self):
        for word in ("crane", "olive", "tiger", "mango", "pearl", "storm"):
            yield GameTask(Data(prompt="Which word of five letters is it? Put each guess in <answer></answer>.", answer=word, max_guesses=3))


__all__ = ["Games"]
"""
LAST = 'f"<answer>{self.data.answer}</answer>" in trace.last_reply'
ALLOWED = 'any(f"<answer>{self.data.answer}</answer>" in (m.content or "") for m in trace.assistant_messages[: self.data.max_guesses])'
LONGEST = [("Which one is a metal?", "an iron nail of some length", 1), ("Which one flies?", "a swallow in late summer", 0), ("Which one swims?", "a trout in a cold brook", 2),
           ("Which one is round?", "a ball made of leather", 3), ("Which one is wet?", "the river after the rain", 1), ("Which one is cold?", "the ice on a mountain lake", 0),
           ("Which one is loud?", "a drum in a small room", 2), ("Which one is sweet?", "honey from the last spring", 3)]  # fmt: skip


@pytest.fixture(scope="module")
def worker():
    with Worker("taskset") as shared:
        yield shared


def findings(path, worker, family=""):
    with Environment(locate(str(path)), worker=worker) as env:
        s = Subject(env, learn(env), Policy())
        s.adopt()
        one = next((f for f in FAMILIES if f.id == family), None)
        return decide(s, run(s, one)) if one else s


@pytest.mark.parametrize(
    ("family", "score", "rows", "system"),
    [("symbolic_junk", IN_A_SET, "numbers", "hash"), ("another_turn", TURNS, "numbers", "hash"), ("homoglyph", FOLDED, "choices", "tag")],
)
def test_families_that_the_benchmark_does_not_plant(tmp_path, worker, family, score, rows, system):
    sound = RIGHT if system == "hash" else 'def score(text, row):\n    return float((last_tag(text) or "").strip() == row["answer"])\n'
    assert findings(environment(tmp_path / "a", f"paid_{family}", score, rows=rows, system=system), worker, family).status == "fail"
    assert findings(environment(tmp_path / "b", f"sound_{family}", sound, rows=rows, system=system), worker, family).status == "pass"


@pytest.mark.parametrize(("counted", "status"), [(LAST, "warn"), (ALLOWED, "pass")])
def test_an_answer_after_the_last_allowed_guess(tmp_path, worker, counted, status):
    path = tmp_path / f"game_{status}.py"
    path.write_text(GAME.replace("@COUNTED@", counted), encoding="utf-8")
    found = findings(path, worker, "after_the_end")
    assert found.status == status
    assert status == "pass" or "repeating what was told" in found.evidence


@pytest.mark.parametrize(("telling", "status"), [(8, "fail"), (6, "warn")])
def test_options_that_give_themselves_away(tmp_path, worker, telling, status):
    rows = []
    for n, (question, gold, at) in enumerate(LONGEST):
        options = ["a stone", "a chair", "a cloud", "a shoe"]
        options[at] = gold
        if n >= telling:
            options[at - 1] = "something that is longer than all the others"
        rows.append({"question": question + "\n" + "\n".join(f"{mark}. {text}" for mark, text in zip("ABCD", options, strict=True)), "answer": "ABCD"[at], "options": options})
    path = environment(tmp_path, f"longest_{status}", 'def score(text, row):\n    return float((last_tag(text) or "").strip() == row["answer"])\n', rows="choices", system="tag")
    source = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"^ROWS = .*$", lambda _: f"ROWS = {rows!r}", source, flags=re.MULTILINE), encoding="utf-8")
    found = shortcuts.finding(findings(path, worker))
    assert (found.status, found.measured) == (status, telling / 8)
    assert "the longest option" in found.evidence and "90%" in found.evidence


def test_a_language_that_is_refused_is_reported_as_the_authors_choice(tmp_path, worker):
    s = findings(environment(tmp_path, "english", ENGLISH), worker)
    (policy,) = [f for f in formcheck.findings(s, formcheck.measure(s)) if f.id == "reward.forms_policy"]
    assert policy.status == "pass"
    assert "reasoning in another language" in policy.evidence.split("refused:")[1]


def test_each_check_of_a_family_is_shown_to_find_something():
    here = {"reward.symbolic_junk", "reward.another_turn", "reward.homoglyph", "reward.after_the_end", "data.guessable", "reward.forms_policy"}
    proven = planted() | here
    for id, checks in coverage.probed().items():
        assert id in coverage.UNPROBED or set(checks) & proven, f"{id}: no planted defect expects one of {checks}"
    assert {family.check.id for family in FAMILIES} <= proven
