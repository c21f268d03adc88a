"""What the prompt gives to be changed, given back as it stands.

Corrections and conversions start from a text of the prompt. Where the comparison folds away what is
to be changed (an accent, an ending), or the tests of a program do not tell it apart, that text is
paid. Of texts a change of letters is looked for, of programs any.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from heapq import nlargest

from lab.reward.brief import Brief
from lab.reward.formats.prompt import quoted
from lab.reward.productions.base import Variant, Variants, production

VALUE_LINE = re.compile(r"(?m)^[ \t*>#-]*[^\W\d_][^\n:：]{0,40}[:：]\**[ \t]+(\S[^\n]*)$")
FENCED = re.compile(r"```[^\n]*\n(.*?)\n```", re.DOTALL)
CHANGE = re.compile(
    r"\b(?:correct|corre[gt]|korri|fix|repair|mend|rewrit|rephras|reword|convert|translat|normali[sz]"
    r"|mistake|error|fehler|errat|bug|typo|misspel|change|replace|proofread)",
    re.IGNORECASE,
)
"""What says that something is to be changed, in English and as other languages begin it."""
LEAST, MOST = 8, 600
"""Characters of a gold that is compared with the prompt."""
CLOSEST = 4
"""Parts of a prompt that are compared in their order, after a look at their letters alone."""
ALIKE = 0.7
"""Share of the letters that both have in one order (Ratcliff and Obershelp), from which on a text
of the prompt is what the gold was made from."""


@production(
    "unchanged",
    title="what is to be changed is not paid as the prompt has it",
    severity="critical",
    types=("text", "code"),
    whole=True,
    all_of_it=True,
    section="echo",
    judgement=lambda b: not CHANGE.search(f"{b.tasks[0].shown}\n{b.readme}"),
    reason="A comparison that folds away the very thing that is asked for pays for copying.",
    source="own cases: corrections",
    fix="compare with what is to be changed left in; see that the unchanged text earns nothing",
)
def unchanged(b: Brief, task: int) -> Variants:
    right = [b.gold(task), *b.target(task).accepted]
    for text in given_to_change(b.tasks[task].prompt, right, program=b.programs):
        yield Variant("the prompt's own text, unchanged", b.write(text))


def given_to_change(prompt: str, right: list[str], *, program: bool = False) -> list[str]:
    """The line, labelled text, quotation or block of a prompt that is nearly the first of the right
    answers, and that has other letters than each of them; [] without one, or where a right answer
    itself stands there. `program`: other characters than letters count, too."""
    told = _closely if program else _letters
    wanted = {told(answer) for answer in right}
    first = told(right[0])
    found = {text: told(text) for text in _parts(prompt)}
    if not LEAST <= len(first) <= MOST or wanted & {*found.values()}:
        return []
    matcher = SequenceMatcher(None, "", first, autojunk=False)

    def alike(text: str, *, quick: bool = False) -> float:
        if not ALIKE * len(first) / 2 <= len(found[text]) <= 2 * len(first) / ALIKE:
            return 0.0
        matcher.set_seq1(found[text])
        return matcher.quick_ratio() if quick else matcher.ratio()

    closest = nlargest(CLOSEST, found, key=lambda text: alike(text, quick=True))
    best = max(closest, key=alike, default="")
    return [best] if best and alike(best) >= ALIKE else []


def _parts(prompt: str) -> Iterator[str]:
    yield from (line.strip() for line in prompt.splitlines())
    for texts in (VALUE_LINE.findall(prompt), quoted(prompt), FENCED.findall(prompt)):
        yield from (text.strip() for text in texts)


def _letters(text: str) -> str:
    """The letters and digits of a text with their accents, whatever their case."""
    composed = unicodedata.normalize("NFC", text).casefold()
    return "".join(char for char in composed if char.isalnum())


def _closely(text: str) -> str:
    """A program without its blanks."""
    return "".join(text.split())
