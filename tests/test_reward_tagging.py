"""A tag for each word: two lists of one length, written as the prompt's example, of which some
earn all and others a part."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from lab.environment import Task
from lab.reward.contract import Contract, Example
from lab.reward.reading.keyed_rows import side_by_side
from reward_briefs import World

TAGGED = """
import re
import verifiers.v1 as vf

LINES = [
    "the/D cat/N saw/V the/N dog/N", "a/D cook/N can/V cook/V", "we/P fish/V fish/N",
    "the/D saw/N can/V saw/V", "rain/N falls/V", "dogs/N see/V cats/N", "we/P sing/V a/D song/N",
    "her/D plan/N saw/V her/P leave/V", "they/P walk/V a/D walk/N", "birds/N fly/V",
]

class TagData(vf.TaskData):
    words: list[str]
    tags: list[str]

class TagTask(vf.Task[TagData]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        found = re.findall(r"<tags>(.*?)</tags>", trace.last_reply or "", re.S)
        pairs = [tuple(one.split("/")) for one in found[-1].split()] if found else []
        words, tags = self.data.words, self.data.tags
        if any(len(pair) != 2 for pair in pairs) or [pair[0] for pair in pairs] != words:
            return 0.0
        hits = sum(HIT for (word, said), tag in zip(pairs, tags))
        return 1.0 if hits == len(tags) else 0.5 * hits / len(tags)

class TagTaskset(vf.Taskset[TagTask, vf.TasksetConfig]):
    def load(self):
        for line in LINES:
            words, tags = zip(*(one.split("/") for one in line.split()))
            prompt = (f"Tag each word as D, N, V or P: {' '.join(words)}\\n"
                      "Such as <tags>she/P left/V</tags> for: she left")
            yield TagTask(TagData(prompt=prompt, words=list(words), tags=list(tags)))

__all__ = ["TagTaskset"]
"""
LAST_ALONE = "dict(pairs)[word] == tag"
"""Of a word that comes twice the last tag is held against both."""


def written(folder, hit: str):
    path = folder / f"tagged_{len(hit)}.py"
    path.write_text(TAGGED.replace("HIT", hit), encoding="utf-8")
    return path


def test_a_tag_for_each_word_is_written_as_the_prompt_shows(tmp_path, bench):
    found = bench.audit(written(tmp_path, "said == tag"), examples=10)
    assert found.audit.brief.right.source == "words+tags"
    assert found.status("reward.gold_paid") == "pass" and not found.failed, found.failed


def test_golds_that_earn_a_part_where_others_earn_all_are_asked_about(tmp_path, bench):
    path = written(tmp_path, LAST_ALONE)
    asked = bench.audit(path, examples=10).findings["reward.gold_paid"]
    assert asked.status == "inconclusive" and "earns 0.4;" in asked.evidence, asked
    assert "the right completion of task 0" in asked.fix
    told = Contract(examples=(Example(0, "<tags>the/D cat/N saw/V the/N dog/N</tags>", "right"),))
    failed = bench.audit(path, told, examples=10).findings["reward.gold_paid"]
    assert failed.status == "fail" and "task 0" in failed.evidence, failed
    (right,) = told.examples
    part = Contract(examples=(replace(right, earns="part"),))
    assert bench.audit(path, part, examples=10).status("reward.gold_paid") == "pass"
    wrong = Contract(examples=(Example(0, "<tags>the/N</tags>", "wrong"),))
    assert bench.audit(path, wrong, examples=10).status("reward.gold_paid") == "inconclusive"


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("Such as `Hij/VNW lacht/WW`.", "a/VNW b/WW"),
        ("Hij: VNW, lacht: WW", "a: VNW, b: WW"),
        ("Hij\tVNW\nlacht\tWW", "a\tVNW\nb\tWW"),
    ],
)
def test_what_stands_between_pairs_is_read_off_the_example(shown, text):
    lists = ({"w": ["a", "b"], "t": ["VNW", "WW"]}, {"w": ["c"] * 3, "t": ["WW"] * 3})
    made = side_by_side([Task(i, str(i), shown, fields=one) for i, one in enumerate(lists)])
    assert text in {one.golds[0] for one in made if one.field == "w+t"}


@pytest.mark.parametrize(("counted", "status"), [(True, "fail"), (False, "pass")])
def test_labels_that_are_empty_on_both_sides_pay_for_an_empty_object(counted, status):
    """Near answers earn a part here, and an object without anything in it is near to none."""
    labels = ("who", "part", "due", "cost", "plate", "place")
    rows = [
        {"question": f"Tag this: value {n}.", "answer": json.dumps({labels[n % 6]: [f"value {n}"]})}
        for n in range(8)
    ]

    def tagged(text: str, row: dict) -> float:
        found = re.findall(r"\{.*\}", text)
        said, wanted = json.loads(found[-1]) if found else None, json.loads(row["answer"])
        if said is None or not all(v in row["question"] for each in said.values() for v in each):
            return 0.0  # each value is copied from the note
        used = [one for one in labels if counted or one in said or one in wanted]
        return sum(said.get(one, []) == wanted.get(one, []) for one in used) / len(used)

    world = World(rows, "{answer}", tagged, graded=True)
    assert world.production("empty").status == status
