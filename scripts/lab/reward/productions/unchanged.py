"""What the prompt gives to be changed, given back as it stands.

Corrections, conversions and rearrangements start from a text of the prompt. Where the comparison
folds away what is to be changed (accents, order, signs), that text is paid.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher

from lab.reward.brief import Brief
from lab.reward.formats.prompt import quoted
from lab.reward.productions.base import Variant, Variants, production

LABELLED = re.compile(r"(?m)^[ \t*>#-]*[^\W\d_][^\n:：]{0,40}[:：]\**[ \t]+(\S[^\n]*)$")
FENCED = re.compile(r"```\w*\n(.*?)\n```", re.DOTALL)
LEAST, MOST = 8, 2_000
"""Letters of a gold that is compared with the prompt."""
ALIKE = 0.7
"""Share of the letters that both have in one order (Ratcliff and Obershelp), from which on a text
of the prompt is what the gold was made from."""


@production(
    "unchanged",
    title="what is to be changed is not paid as the prompt has it",
    severity="critical",
    types=("text", "code"),
    whole=True,
    section="echo",
    reason="A comparison that folds away the very thing that is asked for pays for copying.",
    source="own cases: corrections",
    fix="compare with what is to be changed left in; see that the unchanged text earns nothing",
)
def unchanged(b: Brief, task: int) -> Variants:
    for text in given_to_change(b.tasks[task].prompt, b.gold(task)):
        yield Variant("the prompt's own text, unchanged", b.write(text))


def given_to_change(prompt: str, gold: str) -> list[str]:
    """The line, labelled text, quotation or block of a prompt that is nearly the gold, and that has
    other letters than it; [] without one, or where the gold itself stands there."""
    wanted = _letters(gold)
    if not LEAST <= len(wanted) <= MOST:
        return []
    found = {text: _letters(text) for text in _parts(prompt)}
    if wanted in found.values():
        return []
    alike = {text: _alike(letters, wanted) for text, letters in found.items()}
    best = max(alike, key=lambda text: alike[text], default="")
    return [best] if best and alike[best] >= ALIKE else []


def _parts(prompt: str) -> Iterator[str]:
    yield from (line.strip() for line in prompt.splitlines())
    for texts in (LABELLED.findall(prompt), quoted(prompt), FENCED.findall(prompt)):
        yield from (text.strip() for text in texts)


def _alike(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    least = matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE
    return matcher.ratio() if least else 0.0


def _letters(text: str) -> str:
    """The letters and digits of a text with their accents, whatever their case."""
    composed = unicodedata.normalize("NFC", text).casefold()
    return "".join(char for char in composed if char.isalnum())
