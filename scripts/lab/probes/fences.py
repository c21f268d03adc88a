"""Golds that stand in a fence: the fence, and what is always around it, belong to how an answer is written.

    "### FILE: solution.py\\n```python\\ndef f(): ...\\n```"  ->  the answer "def f(): ...", in that frame
"""

from __future__ import annotations

import re
from dataclasses import replace

from lab.probes.golds import Candidate
from lab.probes.style import Style

FENCED = re.compile(r"\A([^`]*```([\w+-]*)[ \t]*\n)(.*?)(\n?```[^`]*)\Z", re.DOTALL)


def inside(candidate: Candidate, style: Style) -> tuple[Candidate, Style]:
    """The answers in the fence, and the style with the frame; both unchanged where the golds do not share one."""
    found = [FENCED.match(gold) if gold else None for gold in candidate.golds]
    frames = {(match[1], match[2], match[4].rstrip()) for match, gold in zip(found, candidate.golds, strict=True) if gold and match}
    if len(frames) != 1 or not all(match for match, gold in zip(found, candidate.golds, strict=True) if gold):
        return candidate, style
    (before, language, after) = frames.pop()
    bodies = [match[3] if match else None for match in found]
    accepted = [[body or ""] if gold else [] for body, gold in zip(bodies, candidate.golds, strict=True)]
    framed = replace(style, name=f"{style.name}, in the frame of the golds", before=style.before + before, after=after + style.after, language=language.lower())
    return replace(candidate, golds=bodies, accepted=accepted), framed
