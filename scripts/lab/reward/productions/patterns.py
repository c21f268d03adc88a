"""Patterns that pass without saying what is asked for: one that matches everything, one of the
beginnings, one that lists what the prompt shows, one that never ends."""

from __future__ import annotations

import re

from lab.answers.forms import WITHOUT_ANCHORS
from lab.answers.shapes import is_pattern
from lab.reward.brief import Brief
from lab.reward.productions.base import Variant, Variants, production
from lab.reward.reading.fields import flat
from lab.reward.reading.worked_out import ANCHORED, MATCHES

HELD_BACK = re.compile(
    r"\bheld[- ]?(?:out|back)\b|\bhidden\b|\bunseen\b|\bnot shown\b"
    r"|\b(?:further|other|more) (?:strings|texts|words|examples|lines|ones)\b",
    re.IGNORECASE,
)
"""What is said of strings that the prompt does not show."""
LEAST_LISTED = 2
LIMITED = re.compile(
    r"\bseconds?\b|\btime[- ]?(?:limit|out)|\btakes? too long\b|\bbacktrack", re.IGNORECASE
)
"""What is said of a limit of time."""
ENDLESS = "(?:.{0,9}){24}(?!)"
"""Tries every way to cut a text of a few characters into 24 parts, and never matches."""


@production(
    "matches_everything",
    title="a pattern that matches every text is not paid",
    severity="critical",
    free=True,
    types=("code",),
    section="patterns",
    reason="A pattern that is tried only on what it should match is right as `.*`.",
    source="own cases: regular expressions",
    fix="also try strings that must not match, near ones among them",
)
def matches_everything(b: Brief, task: int) -> Variants:
    if is_pattern(b.gold(task)):
        for pattern in (".*", "[\\s\\S]+", "(?s).*"):
            yield Variant(pattern, b.write(pattern))


@production(
    "pattern_beginnings",
    title="a pattern of the beginnings only is not paid",
    types=("code",),
    section="patterns",
    reason="`re.match` looks at the beginning of a text: what is wrong behind it is not seen, and "
    "right patterns without an end fail on longer texts.",
    source="own cases: regular expressions that have to cover the whole text",
    fix="use re.fullmatch, as the prompt says",
)
def pattern_beginnings(b: Brief, task: int) -> Variants:
    if b.right.reading not in (MATCHES, ANCHORED) or WITHOUT_ANCHORS not in b.stated:
        return
    members = dict(flat(b.tasks[task].fields)).get(b.right.source)
    cut = [re.escape(one[:-1]) for one in members or () if len(str(one)) > 2]
    if cut and len(cut) == len(members or ()):
        yield Variant("the members without their last character", b.write(f"(?:{'|'.join(cut)})"))


@production(
    "pattern_listed",
    title="a list of the shown strings is not paid where others are to be matched too",
    types=("code",),
    section="patterns",
    reason="Where the strings that are kept back are those of the prompt, nothing has to be "
    "understood.",
    source="own cases: regular expressions, held-back strings drawn with the same seed",
    fix="draw the strings that are kept back from another seed, and leave out the shown ones",
)
def pattern_listed(b: Brief, task: int) -> Variants:
    prompt = b.tasks[task].prompt
    if not is_pattern(b.gold(task)) or not HELD_BACK.search(f"{prompt}\n{b.readme}"):
        return
    for name, members in flat(b.tasks[task].fields):
        texts = (
            [one for one in members if isinstance(one, str)] if isinstance(members, list) else []
        )
        shown = [one for one in dict.fromkeys(texts) if one and one in prompt]
        if len(shown) >= LEAST_LISTED:
            listed = f"(?:{'|'.join(map(re.escape, shown))})"
            yield Variant(f"what is shown of {name}", b.write(listed))


@production(
    "pattern_endless",
    title="a pattern that never ends is not paid",
    severity="critical",
    free=True,
    types=("code",),
    least_golds=1,
    tasks=1,  # it costs the reward's whole time limit, for each text
    section="patterns",
    reason="A time limit that is handled like no difference found pays for waiting.",
    source="own cases: regular expressions, time limits",
    fix="count a pattern that was stopped as one that does not match what it should",
)
def pattern_endless(b: Brief, task: int) -> Variants:
    if is_pattern(b.gold(task)) and LIMITED.search(f"{b.tasks[task].shown}\n{b.readme}"):
        yield Variant("endless", b.write(ENDLESS))
