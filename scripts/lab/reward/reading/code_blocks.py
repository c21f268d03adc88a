"""Golds inside a code block: the block, and what is always around it, belong to the format.

"### FILE: solution.py\\n```python\\ndef f(): ...\\n```"  ->  "def f(): ..." in that frame
"""

from __future__ import annotations

import re
from dataclasses import replace

from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.reading.candidate import Candidate

BLOCK = re.compile(r"\A([^`]*```([\w+-]*)[ \t]*\n)(.*?)(\n?```[^`]*)\Z", re.DOTALL)


def inside_block(candidate: Candidate, one: AnswerFormat) -> tuple[Candidate, AnswerFormat]:
    """The answers in the block, and the format with the frame; both unchanged where the golds do
    not share one frame."""
    found = [BLOCK.match(gold) if gold else None for gold in candidate.golds]
    frames = {(match[1], match[2], match[4].rstrip()) for match in found if match}
    framed = [bool(match) == bool(g) for match, g in zip(found, candidate.golds, strict=True)]
    if len(frames) != 1 or not all(framed):
        return candidate, one
    before, language, after = frames.pop()
    bodies = [match[3] if match else None for match in found]
    outer = replace(
        one,
        name=f"{one.name}, in the frame of the golds",
        before=one.before + before,
        after=after + one.after,
        language=language.lower(),
    )
    accepted = [[body] if body is not None else [] for body in bodies]
    return replace(candidate, golds=bodies, accepted=accepted), outer
