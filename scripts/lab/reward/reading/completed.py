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

from lab.reward.reading.fields import usable

ENTRY = re.compile(r"[ \t]*(?:[-*•]|\d+[.)])[ \t]+[`*]*(\w[\w -]{0,40}?)[`*]*[ \t]*[:：]")
LINE = re.compile(r"(?m)^[ \t]*(\w[\w -]{0,40}?)[ \t]*[:：]")
OPTIONAL = re.compile(
    r"\b(?:optional|omit|skip|if (?:any|given|stated|present|known)|where (?:given|stated|known))\b"
    r"|\bleave\b[^.\n]{0,40}\bout\b",
    re.IGNORECASE,
)
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
    """The reply with the lines that cost something while they are wrong; "" where there are none,
    or where the prompt says that some may be left out. `mended` makes a reply earn all of it again:
    the reply itself where it does already, None where nothing helps."""
    whole = reply
    for label in () if OPTIONAL.search(prompt) else left_out(prompt, reply):
        line = f"{whole}\n{label}:"
        made = mended(f"{line} x")
        if made is not None and made.startswith(line) and usable(made[len(line) :]):
            whole = made if made != f"{line} x" else whole
    return "" if whole == reply else whole
