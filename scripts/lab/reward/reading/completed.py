"""The other lines of a reply that was found with one line of several: those that the prompt lists,
and that count where they are given.

    Fields:              tenant: Alder Ltd       earns 1
    - landlord: ...      landlord: nobody        beside it earns a half, and landlord: Corvane Inc
    - tenant: ...                                all of it again

So each line counts, and leaving one out costs nothing: a share of what is given, and not of what is
asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby

ENTRY = re.compile(r"[ \t]*(?:[-*•]|\d+[.)])[ \t]+[`*]*(\w[\w -]{0,40}?)[`*]*[ \t]*[:：]")
LINE = re.compile(r"(?m)^[ \t]*(\w[\w -]{0,40}?)[ \t]*[:：]")
LEAST, MOST = 3, 8
"""Entries of a list, and how many are tried."""


def left_out(prompt: str, reply: str) -> list[str]:
    """The labels of a list in the prompt that the reply, which has one of them, leaves out."""
    said = {label.lower() for label in LINE.findall(reply)}
    entries = groupby((ENTRY.match(line) for line in prompt.splitlines()), key=bool)
    lists = [[entry[1] for entry in group if entry] for listed, group in entries if listed]
    for labels in (one for one in lists if len(one) >= LEAST):
        if said & {label.lower() for label in labels}:
            return [label for label in labels if label.lower() not in said][:MOST]
    return []


def completed(prompt: str, reply: str, mended: Callable[[str], str | None]) -> str:
    """The reply with the lines that cost something while they are wrong; "" where there are none.
    `mended` makes a reply earn all of it again: the reply itself where it does already, None where
    nothing helps."""
    whole = reply
    for label in left_out(prompt, reply):
        tried = f"{whole}\n{label}: x"
        made = mended(tried)
        if made is not None and made != tried and made.startswith(f"{whole}\n"):
            whole = made
    return "" if whole == reply else whole
