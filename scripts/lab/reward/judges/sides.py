"""In which of two places a judge of pairs is shown the reply: its verdict names the place.

    second("<answer_a>Rome</answer_a> <answer_b>Oslo</answer_b> Reply with A or B.", ["Oslo"])

A judge that is asked in both orders, as is usual against its bias for a place (arXiv 2306.05685),
says A once and B once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape

PAIRS = (("A", "B"), ("1", "2"), ("first", "second"), ("one", "two"))
LONGEST = 60
"""Characters of a line that heads a text."""
MARKS = r"(?:<[^<>\n]*>|<(?![^<>\n]*>)|[^\w<])*?"
"""Tags and marks between a heading and its text, each read in one way only."""
NOTHING = r"\s*(?:<|\n[ \t]*\n|$)"
"""What follows a heading without a text."""


def second(prompt: str, reply: Iterable[str]) -> bool:
    """Whether a reply, or what is shown of it, stands below the second of two headings: `Answer B`,
    `<response_2>`, `[The Start of Assistant B's Answer]`."""
    prompt = unescape(prompt)  # the tags of what is quoted are often made harmless
    for pair in PAIRS:
        headings = list(_headings(prompt, pair))
        if len({place for _, place in headings}) == len(pair):
            starts = (rf"{MARKS}{re.escape(text)}(?!\w)" if text else NOTHING for text in reply)
            texts = map(re.compile, starts)
            below = (place for text in texts for end, place in headings if text.match(prompt, end))
            return next(below, pair[0]) == pair[1].lower()
    return False


def _headings(prompt: str, pair: tuple[str, str]) -> Iterator[tuple[int, str]]:
    """(end, which) of the tags and short lines that name one place of the pair, not the other."""
    one = f"({'|'.join(pair)})"
    label = re.compile(
        rf"(?i:[^\W\d_][_-]{one}(?![^\W_]))|[^\W\d_] {one}\b(?! [a-z])|^\W*{one}[).:\]*]",
        re.IGNORECASE if len(pair[0]) > 1 else 0,
    )
    for part in re.finditer(r"</?[^<>\n]+>|[^<>\n:]+:?", prompt):
        named = {"".join(found).lower() for found in label.findall(part[0])}
        if len(part[0]) <= LONGEST and len(named) == 1 and part[0][:2] != "</":
            yield part.end(), named.pop()
