"""All formats to try on an environment, the best hints first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lab.environment import Task
from lab.reward.formats.answer_format import PLAIN, AnswerFormat, tagged
from lab.reward.formats.prompt import bare_marks, prompt_formats


def usual() -> list[AnswerFormat]:
    """The ways that people know."""
    return [
        PLAIN,
        *tagged("answer"),
        *tagged("answer", "think"),
        *tagged("answer", "reasoning"),
        AnswerFormat("in \\boxed{}", "\\boxed{", "}"),
        AnswerFormat("after ####", "#### "),
        AnswerFormat("after Answer:", "Answer: "),
        AnswerFormat("after Final answer:", "Final answer: "),
        AnswerFormat("plain, after reasoning"),
        AnswerFormat("as JSON answer", '{"answer": ', "}", lead="", escape=json.dumps),
        AnswerFormat("in double brackets", "[[", "]]"),
        AnswerFormat("in a code block", "```python\n", "\n```"),
    ]


def all_formats(
    tasks: Sequence[Task],
    first: Iterable[AnswerFormat] = (),
    code: Iterable[AnswerFormat] = (),
    *,
    judged: bool = False,
) -> list[AnswerFormat]:
    """`first` (declared ones), then what prompts hint at, what the code looks for, what is usual.

    `judged`: a judge reads the reply, so what the code looks for may be in the judge's reply.
    """
    unique: dict[tuple[str, ...], AnswerFormat] = {}
    known = [*usual(), *bare_marks(tasks)]
    later = [replace(one, hint="") for one in code]
    ways = [*first, *prompt_formats(tasks), *([*known, *later] if judged else [*code, *known])]
    for one in ways:
        slots = str(one.slots) + str(one.escape is not None)
        unique.setdefault((one.before, one.after, one.lead, *one.think, one.end, slots), one)
    return list(unique.values())


def likeliest(formats: Sequence[AnswerFormat], code: Iterable[str]) -> AnswerFormat:
    """The first format that a contract names, or that the prompt names and whose marks are in the
    texts of the code."""
    texts = "\n".join(code)
    for one in formats:
        marks = [mark for mark in (one.before.strip(), one.after.strip()) if mark]
        known = all(mark in texts or re.escape(mark) in texts for mark in marks)
        if one.hint == "contract" or (one.hint == "prompt" and marks and known):
            return one
    return formats[0]
