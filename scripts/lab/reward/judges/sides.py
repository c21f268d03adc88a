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
COMPARES = re.compile(
    r"\b(?:better|best|prefer\w*|win(?:s|ner)?|stronger|superior|besser\w*|meilleur\w*|mejor|migliore"
    r"|melhor|beter)\b",
    re.IGNORECASE,
)
"""Words of a prompt that asks which of two texts is the better one."""
LONGEST = 60
"""Characters of a line that heads a text."""
MARKS = r"(?:<(?!/)[^<>\n]*>|<(?![^<>\n]*>)|[^\w<])*?"
"""Tags and marks between a heading and its text, each read in one way only; a tag that closes what
the heading is of ends its place."""
NOTHING = r"\s*(?:<|\n[ \t]*\n|$)"
"""What follows a heading without a text."""


def second(prompt: str, reply: Iterable[str]) -> bool:
    """Whether a reply, or what is shown of it, stands below the second of two headings: `Answer B`,
    `<response_2>`, `[The Start of Assistant B's Answer]`."""
    return place(prompt, reply) == 1


def rival(prompt: str, text: str) -> bool:
    """Whether a text stands in one of the two places of a prompt that asks which is better: then it
    is what a reply is compared with, and no reference."""
    return COMPARES.search(prompt) is not None and place(prompt, [text]) is not None


def place(prompt: str, reply: Iterable[str]) -> int | None:
    """0 or 1 for the heading below which a reply stands; None where it stands below neither."""
    prompt = unescape(prompt)  # the tags of what is quoted are often made harmless
    for pair in PAIRS:
        headings = list(_headings(prompt, pair))
        if len({which for _, which in headings}) == len(pair):
            starts = (rf"{MARKS}{re.escape(text)}(?!\w)" if text else NOTHING for text in reply)
            texts = map(re.compile, starts)
            below = (which for text in texts for end, which in headings if text.match(prompt, end))
            found = next(below, None)
            return None if found is None else int(found == pair[1].lower())
    return None


def _headings(prompt: str, pair: tuple[str, str]) -> Iterator[tuple[int, str]]:
    """(end, which) of the tags and short lines that name one place of the pair, not the other."""
    one = f"({'|'.join(pair)})"
    label = re.compile(
        rf"(?i:[^\W\d_][_-]{one}(?![^\W_]))|[^\W\d_] {one}\b(?! [a-z]+\b)|^\W*{one}[).:\]*>]",
        re.IGNORECASE if len(pair[0]) > 1 else 0,
    )
    for part in re.finditer(r"</?[^<>\n]+>|[^<>\n:]+:?", prompt):
        named = {"".join(found).lower() for found in label.findall(part[0])}
        if len(part[0]) <= LONGEST and len(named) == 1 and part[0][:2] != "</":
            yield part.end(), named.pop()
