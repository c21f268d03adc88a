"""Where the first golds are refused, others show how they are written; and a form in which anything
is paid is the one in which nothing is tried."""

from __future__ import annotations

import pytest

TEMPERATURES = """
import re
import verifiers.v1 as vf

COLD = [-30, -25, -22, -18, -12, -9, 4, 11, 17, 23]

class ReadingData(vf.TaskData):
    target: float
    unit: str

class ReadingTask(vf.Task[ReadingData]):
    @vf.reward
    async def value(self, trace: vf.Trace) -> float:
        found = re.findall(r"(?m)^Answer: (-?[\\d.]+) (\\S+)$", trace.last_reply)
        if not found or found[-1][1] != self.data.unit:
            return 0.0
        return float(abs(float(found[-1][0]) - self.data.target) <= 0.005 * SIZE)

class ReadingTaskset(vf.Taskset[ReadingTask, vf.TasksetConfig]):
    def load(self):
        for n, value in enumerate(COLD):
            prompt = f"Station {n}: {value * 1.8 + 32:.1f} °F. What is that in °C?"
            prompt += " End with one line: `Answer: <number> <unit>`."
            yield ReadingTask(ReadingData(prompt=prompt, target=value, unit="°C"))

__all__ = ["ReadingTaskset"]
"""
KNIGHTS = """
import re
import verifiers.v1 as vf

SYSTEM = '''Think inside <reasoning> tags, then answer inside <answer> tags, a line for each:

<answer>
Name: knight
Name: knave
</answer>'''
ROWS = [("Abel", "knave", "Berta", "knight"), ("Cyril", "knight", "Delia", "knave"),
        ("Egon", "knave", "Flora", "knave"), ("Igor", "knight", "Jonna", "knight")]

class IslandData(vf.TaskData):
    roles: dict[str, str]

class IslandTask(vf.Task[IslandData]):
    @vf.reward
    async def correct(self, trace: vf.Trace) -> float:
        found = re.findall(r"<answer>(.*?)</answer>", trace.last_reply, re.DOTALL)
        if not found or not found[-1].strip():
            return 0.0
        said = dict(re.findall(r"(?m)^\\s*(\\w+): (knight|knave)\\s*$", found[-1]))
        return float(all(self.data.roles.get(name) == role for name, role in said.items())LENGTH)

class IslandTaskset(vf.Taskset[IslandTask, vf.TasksetConfig]):
    def load(self):
        for one, first, two, second in ROWS:
            yield IslandTask(IslandData(prompt=f"{one} and {two} talk. Who is what?",
                system_prompt=SYSTEM, roles={one: first, two: second}))

__all__ = ["IslandTaskset"]
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "status"), [("self.data.target", "fail"), ("abs(self.data.target)", "pass")]
)
def test_a_tolerance_that_is_negative_for_negative_golds(tmp_path, bench, size, status):
    path = tmp_path / f"readings_{status}.py"
    path.write_text(TEMPERATURES.replace("SIZE", size), encoding="utf-8")
    found = bench.audit(path, examples=10).findings["reward.gold_paid"]
    assert found.status == status, found
    assert status == "pass" or "6 of 10 golds are not paid" in found.evidence


@pytest.mark.long
@pytest.mark.parametrize(
    ("length", "sound"),
    [
        (" and len(said) == len(found[-1].strip().splitlines()) == len(self.data.roles)", True),
        ("", False),
    ],
)
def test_nothing_readable_in_the_form_is_not_all_right(tmp_path, bench, length, sound):
    path = tmp_path / f"island_{'sound' if sound else 'empty'}.py"
    path.write_text(KNIGHTS.replace("LENGTH", length), encoding="utf-8")
    failed = bench.audit(path, examples=4).failed
    assert (not failed) == sound, failed


UNANSWERABLE = """
import verifiers.v1 as vf

ROWS = [("the mill", "1790"), ("the bridge", "1854"), ("the school", ""), ("the church", "1612"),
        ("the pier", ""), ("the inn", "1731"), ("the tower", ""), ("the barn", "1820")]

class PassageData(vf.TaskData):
    answer: str

class PassageTask(vf.Task[PassageData]):
    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        _, label, said = trace.last_reply.rpartition("Answer:")
        said = said.strip().lower() if label else MISSING
        return float(said == self.data.answer or (said == "unanswerable" and not self.data.answer))

class PassageTaskset(vf.Taskset[PassageTask, vf.TasksetConfig]):
    def load(self):
        for name, year in ROWS:
            prompt = f"When was {name} built? End with `Answer: ...`, or `Answer: unanswerable`."
            yield PassageTask(PassageData(prompt=prompt, answer=year))

__all__ = ["PassageTaskset"]
"""


@pytest.mark.long
@pytest.mark.parametrize(("missing", "status"), [("''", "fail"), ("None", "pass")])
def test_silence_is_not_paid_where_the_gold_is_empty(tmp_path, bench, missing, status):
    path = tmp_path / f"passages_{status}.py"
    path.write_text(UNANSWERABLE.replace("MISSING", missing), encoding="utf-8")
    found = bench.audit(path, examples=8).findings["reward.empty_gold"]
    assert found.status == status, found


def test_what_the_prompt_asks_for_is_the_answer_where_the_gold_is_empty(tmp_path, bench):
    asked = UNANSWERABLE.replace("MISSING", "None")
    asked = asked.replace('"unanswerable"', '"not stated"').replace("unanswerable", "NOT STATED")
    asked = asked.replace("said == self.data.answer", "said and said == self.data.answer")
    path = tmp_path / "passages_not_stated.py"
    path.write_text(asked, encoding="utf-8")
    found = bench.audit(path, examples=8)
    assert found.status("data.golds") == "pass", found.findings["data.golds"]


RETURNS = """
import re
import unicodedata
import verifiers.v1 as vf

ROWS = [("sealed", "受付可", 1), ("opened", "不可（対象外）", 2), ("old", "交換のみ", 3),
        ("lost", "保留（要確認）", 2)]

class ClaimData(vf.TaskData):
    article: int
    verdict: str

class ClaimTask(vf.Task[ClaimData]):
    @vf.reward
    async def judged(self, trace: vf.Trace) -> float:
        lines = (trace.last_reply or "").strip().splitlines() or [""]
        said = unicodedata.normalize("NFKC", lines[-1]).removeprefix("判定:").strip()
        return float(said == GOLD)

class ClaimTaskset(vf.Taskset[ClaimTask, vf.TasksetConfig]):
    def load(self):
        for n in range(16):
            state, verdict, article = ROWS[n % 4]
            prompt = f"Claim {n}, {state}. 最後の行は次の形にしてください。\\n判定：○○"
            yield ClaimTask(ClaimData(prompt=prompt, article=article, verdict=verdict))

__all__ = ["ClaimTaskset"]
"""


@pytest.mark.parametrize(
    ("gold", "status"),
    [
        ("self.data.verdict", "fail"),
        ('unicodedata.normalize("NFKC", self.data.verdict)', "pass"),
    ],
)
def test_golds_of_another_width_than_what_is_read(tmp_path, bench, gold, status):
    """All of article 2 are refused, and are no other kind of task."""
    path = tmp_path / f"claims_{status}.py"
    path.write_text(RETURNS.replace("GOLD", gold), encoding="utf-8")
    found = bench.audit(path, examples=16).findings["reward.gold_paid"]
    assert found.status == status, found
    assert status == "pass" or "written alike" in found.evidence


REVIEWS = """
import re
import verifiers.v1 as vf

ASPECTS = [("prix", "bon"), ("\u00e9cran", "mauvais"), ("son", "bon"), ("accueil", "mauvais"),
           ("taille", "bon")]
ASK = "Une ligne par aspect, sous la forme \u00ab aspect : avis \u00bb, dans <avis></avis>."

class ReviewData(vf.TaskData):
    pairs: list[list[str]]

class ReviewTask(vf.Task[ReviewData]):
    @vf.reward
    async def listed(self, trace: vf.Trace) -> float:
        found = re.findall(r"<avis>(.*?)</avis>", trace.last_reply, re.DOTALL)
        lines = found[-1].split("\\n") if found else []
        said = [[part.strip() for part in line.split(":")] for line in lines]
        return float(sorted(map(ORDER, said)) == [ORDER(pair) for pair in self.data.pairs])

class ReviewTaskset(vf.Taskset[ReviewTask, vf.TasksetConfig]):
    def load(self):
        for n in range(20):
            pairs = [ASPECTS[(n + 1) % 5], ASPECTS[n % 5]]
            said = "; ".join(" ".join(pair) for pair in pairs)
            prompt = f"Avis {n}: {said}. {ASK}"
            yield ReviewTask(ReviewData(prompt=prompt, pairs=sorted(map(list, pairs))))

__all__ = ["ReviewTaskset"]
"""


@pytest.mark.parametrize(
    ("order", "status"),
    [("lambda pair: [pair[0].replace('\u00e9', 'e'), *pair[1:]]", "fail"), ("list", "pass")],
)
def test_the_only_field_is_tried_on_other_tasks(tmp_path, bench, order, status):
    """Golds that were sorted with their accents, held against replies sorted without."""
    path = tmp_path / f"reviews_{status}.py"
    path.write_text(REVIEWS.replace("ORDER", f"({order})"), encoding="utf-8")
    found = bench.audit(path, examples=20).findings["reward.gold_paid"]
    assert found.status == status, found
