"""Tasks without a gold, whose prompts only say how a text has to look."""

from __future__ import annotations

import re

import pytest

from lab.environment import Environment, Task, locate
from lab.reward.contract import Contract
from lab.reward.formats.source import read_source
from lab.reward.reading.constraints import Order, orders, write
from lab.reward.reading.find_right import Finder

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
