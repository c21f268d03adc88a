"""Tasks without a gold, whose prompts only say how a text has to look."""

from __future__ import annotations

import re

import pytest

from lab.environment import Environment, Task, locate
from lab.reward.contract import Contract
from lab.reward.formats.source import read_source
from lab.reward.reading.breaches import breaches
from lab.reward.reading.find_right import Finder
from lab.reward.reading.order import Order, write
from lab.reward.reading.ordered import orders

LOOKS = """
import re
import verifiers.v1 as vf

ASKED = [(3, 18, 30, "zand", "zon", "k"), (2, 14, 24, "ketting", "schuur", "p")] * 3

class LookData(vf.TaskData):
    rules: list

class LookTask(vf.Task[LookData]):
    @vf.reward
    async def looks(self, trace: vf.Trace) -> float:
        sentences, low, high, word, last, letter = self.data.rules
        found = re.findall(r"<tekst>(.*?)</tekst>", trace.last_reply, re.S)
        words = re.findall(r"[a-z]+", found[-1].lower()) if found else []
        return float(
            bool(words) and low <= len(words) <= high and words[-1] == last and word in words
            and letter not in found[-1].lower() and found[-1].count(".") == sentences
        )

class LookTaskset(vf.Taskset[LookTask, vf.TasksetConfig]):
    def load(self):
        for s, low, high, word, last, letter in ASKED:
            prompt = (f"Schrijf precies {s} zinnen, {low} tot {high} woorden, met het woord "
                      f"\\"{word}\\", zonder de letter {letter}, en met \\"{last}\\" als laatste "
                      "woord. Zet de tekst tussen <tekst> en </tekst>.")
            yield LookTask(LookData(prompt=prompt, rules=[s, low, high, word, last, letter]))

__all__ = ["LookTaskset"]
"""


@pytest.mark.parametrize(
    ("prompt", "holds"),
    [
        ("Write at least 30 words. Use no commas.", lambda t: len(t.split()) >= 30),
        ("Explain tides in at most 12 words.", lambda t: 0 < len(t.split()) <= 12),
        ("Use exactly five bullet points.", lambda t: len(re.findall(r"(?m)^- ", t)) == 5),
        ("Write exactly 3 paragraphs.", lambda t: len(re.split(r"\n\s*\n", t)) == 3),
        ("Use exactly 2 question marks.", lambda t: t.count("?") == 2),
        ("Between 20 and 30 words, please.", lambda t: 20 <= len(t.split()) <= 30),
        ("Write in all lowercase letters.", lambda t: t == t.lower()),
        ("Begin with exactly this text: Dear all", lambda t: t.startswith("Dear all")),
        ('End your reply with "Thank you!".', lambda t: t.endswith("Thank you!")),
        (
            "Include keywords winter, quiet in your response.",
            lambda t: {"winter", "quiet"} <= set(re.findall(r"\w+", t.lower())),
        ),
        ("Use the word 'moon' at least 3 times.", lambda t: t.lower().count("moon") >= 3),
        (
            "Do not use these words: river, stone.",
            lambda t: not {"river", "stone"} & set(re.findall(r"\w+", t.lower())),
        ),
    ],
)
def test_a_text_is_written_to_the_order_that_a_prompt_gives(prompt, holds):
    assert holds(write(orders(Task(0, "0", prompt))[0]))


def test_orders_can_be_combined():
    text = write(Order(words=20, sentences=2, keywords=(("fog", 2),), end="Good night."))
    assert len(text.split()) == 20 and text.endswith("Good night.")
    assert text.lower().count("fog") == 2


@pytest.mark.long
def test_numbers_and_quoted_words_are_tried_where_the_language_is_not_read(tmp_path):
    path = tmp_path / "looks.py"
    path.write_text(LOOKS, encoding="utf-8")
    with Environment(locate(str(path)), examples=6) as env:
        found = Finder(env, Contract(), read_source(path)).find()
    assert found.reward == 1.0 and len(found.right.whole) >= 2
    assert found.right.whole[0].endswith("zon.</tekst>")


def test_lines_can_spell_a_word_and_words_can_begin_with_a_letter():
    text = write(Order(acrostic="RIVER", keywords=(("meltwater", 1),), avoid=("b",)))
    assert "".join(line[0] for line in text.splitlines()) == "RIVER"
    assert "meltwater" in text and "b" not in text.lower()
    apart = write(Order(acrostic="HELP", paragraphs=4, words=60))
    assert "".join(part[0] for part in apart.split("\n\n")) == "HELP" and len(apart.split()) == 60
    begun = write(Order(lines=3, starting=(("d", 3),), mark="!"))
    assert begun.endswith("!") and len(re.findall(r"\bd", begun.lower())) >= 3
    assert len(begun.splitlines()) == 3


def test_a_title_and_bullets_stand_around_the_text():
    order = Order(paragraphs=2, begin="OSLO:", last_begin="About us", quoted=(2, 4))
    first, last = write(order).split("\n\n")
    assert first.startswith("OSLO:") and last.startswith("About us")
    assert [len(said.split()) for said in re.findall(r'"([^"]+)"', first + last)] == [4, 4]
    text = write(Order(words=90, bullets=3, title=True, questions=1))
    lines = text.splitlines()
    assert lines[0].isupper() and sum(line.startswith("- ") for line in lines) == 3
    assert text.count("?") == 1 and 88 <= len(re.findall(r"\w+", text)) <= 92


POSTS = """
import re
import verifiers.v1 as vf

BRIEFS = [("open on Sundays", "Mill Lane 4", "cheap", "best price"),
          ("bread and soup", "Dock Road 9", "tasty", "must see"),
          ("free entry", "Elm Court 2", "unique", "brand new"),
          ("bring a chair", "Hill Top 7", "great", "act now")]

class PostData(vf.TaskData):
    wanted: list
    refused: list

def counted(text):
    return len(re.findall(r"[\\w']+", text))

class PostTask(vf.Task[PostData]):
    def kept(self, trace):
        found = re.findall(r"<post>(.*?)</post>", trace.last_reply, re.S)
        text = found[-1].strip() if found else ""
        words = set(re.findall(r"[a-z]+", text.lower()))
        return [
            bool(text) and 20 <= counted(text) <= 30,
            all(one.lower() in text.lower() for one in self.data.wanted),
            bool(text) and not any(REFUSED for one in self.data.refused),
            bool(text) and len(text.split("\\n\\n")) == 2,
            text.endswith("See you there!"),
        ]

    @vf.metric
    async def share(self, trace: vf.Trace) -> float:
        return sum(self.kept(trace)) / 5

    @vf.reward
    async def all_kept(self, trace: vf.Trace) -> float:
        return float(all(self.kept(trace)))

class PostTaskset(vf.Taskset[PostTask, vf.TasksetConfig]):
    def load(self):
        for phrase, place, word, two in BRIEFS:
            prompt = (f"Write a post for a street party.\\n- It has 20 to 30 words.\\n"
                      f"- It has exactly two paragraphs.\\n- It contains: {phrase}, {place}\\n"
                      f"- It never uses: {word}, {two}\\n"
                      "- It ends with \\"See you there!\\"\\n"
                      "Put it between <post> and </post>.")
            yield PostTask(PostData(prompt=prompt, wanted=[phrase, place], refused=[word, two]))

__all__ = ["PostTaskset"]
"""


@pytest.mark.parametrize(
    ("refused", "status"),
    [("one in text.lower()", "pass"), ("one in words", "fail")],
)
def test_rules_are_kept_one_after_the_other_and_broken_by_themselves(
    tmp_path, bench, refused, status
):
    path = tmp_path / f"posts_{status}.py"
    path.write_text(POSTS.replace("REFUSED", refused), encoding="utf-8")
    findings = bench.audit(path).findings
    assert findings["reward.gold_paid"].status == "pass"
    assert findings["reward.rule_broken"].status == status
    said = findings["reward.rule_broken"].evidence
    assert ("with 'best price'" in said) == (status == "fail")


def test_a_line_with_a_condition_is_left_alone():
    prompt = (
        'It contains the word "moon".\nThe letter "q" occurs nowhere, small or capital.\n'
        'Use "star" at least twice.\nDo not begin with "Once".\nIt has exactly 3 lines.'
    )
    order = Order(lines=3, keywords=(("moon", 1), ("star", 2)), avoid=("q",))
    named = [name for name, _ in breaches(Task(0, "0", prompt), order)]
    assert named == ["without 'moon'", "with 'quiet'", "with 'QUIET'", "more lines"]


ITEMS = (
    "Checklist (spell the items as here):\n- Old Pier\n- 12 May\n- 3.50 euros\n\nAt most 30 words."
)


def test_the_items_of_a_list_have_to_come():
    for prompt, wanted in (
        (ITEMS, True),
        (ITEMS.replace("Checklist", "Never use the items"), False),
    ):
        text = write(orders(Task(0, "0", prompt))[0])
        assert all(one in text for one in ("Old Pier", "12 May", "3.50 euros")) == wanted


KEPT = """
import re
import verifiers.v1 as vf

PLACES = [["Old Pier", "12 May"], ["North Gate", "3 June"], ["Mill Lane", "9 July"]]
LEFT = {n: list(items) for n, items in enumerate(PLACES)}

class NoteData(vf.TaskData):
    number: int

class NoteTask(vf.Task[NoteData]):
    @vf.reward
    async def states(self, trace: vf.Trace) -> float:
        found = re.findall(r"<note>(.*?)</note>", trace.last_reply or "", re.S)
        words = found[-1].split() if found else []
        if not 10 <= len(words) <= 30:
            return 0.0
        wanted = COPIED(LEFT[self.data.number])
        for item in list(wanted):
            if item in found[-1]:
                wanted.remove(item)
        return 1 - len(wanted) / 2

class NoteTaskset(vf.Taskset[NoteTask, vf.TasksetConfig]):
    def load(self):
        for n in [0, 1, 2] * 2:
            items = "\\n".join(f"- {item}" for item in PLACES[n])
            prompt = ("Write a note of 10 to 30 words between <note> and </note>. State "
                      f"these items, spelled so:\\n{items}\\n")
            yield NoteTask(NoteData(prompt=prompt, number=n))

__all__ = ["NoteTaskset"]
"""


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.long
def test_what_only_earlier_replies_made_right_is_a_state(tmp_path, bench, kept):
    path = tmp_path / f"notes_{int(kept)}.py"
    path.write_text(KEPT.replace("COPIED", "" if kept else "list"), encoding="utf-8")
    found = bench.audit(path, examples=6)
    assert ("reward.independent" in found.failed) == kept, found.failed
