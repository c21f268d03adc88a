"""Whether sorted golds stand in the order of a dictionary, and not in that of the code points.

sorted(["água", "azeite"])     # ["azeite", "água"]: á comes after z
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from lab.answers.target import members
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.formats.prompt import shared_text
from lab.reward.productions.base import DESIGN

ORDER = Check(
    "data.alphabetical",
    title="golds in alphabetical order are in a dictionary's",
    expected="letters with accents beside those without",
    reason="Sorting by code points puts every accented letter after z: the right order is refused.",
    source="unicode: Technical Standard 10, collation",
)
NORDIC = set("åäöæøÅÄÖÆØ")
"""Letters that stand after z in some alphabets."""
OTHERWISE = re.compile(
    r"code ?points?|unicode|\bascii\b|lexicographic|byte order|ordinal|collation", re.IGNORECASE
)
LEAST_TASKS, LEAST_MEMBERS, LEAST_OFF = 4, 3, 2


def finding(b: Brief) -> Finding:
    lists = {i: found[0] for i in b.with_gold if (found := members(b.target(i)))}
    texts = {i: items for i, items in lists.items() if len(items) >= LEAST_MEMBERS}
    wanted = {i: _in_a_dictionary(items) for i, items in texts.items()}
    if len(texts) < max(LEAST_TASKS, len(b.with_gold) / 2) or not all(wanted.values()):
        return ORDER.skip("the golds are no texts in order")
    if match := OTHERWISE.search(f"{shared_text(b.tasks)}\n{b.readme}"):
        return ORDER.skip(f"another order is asked for: '{match[0]}'")
    off = [i for i, items in texts.items() if items != wanted[i]]
    if len(off) < LEAST_OFF:
        return ORDER.ok(measured=len(off))
    i = off[0]
    return ORDER.fail(
        measured=f"{len(off)} of {len(texts)} golds",
        evidence=f"task {b.tasks[i].index}: '{excerpt(', '.join(texts[i]), 120)}', in a dictionary "
        f"'{excerpt(', '.join(wanted[i]), 120)}'",
        fix=f"sort by the letters without their accents, or with a collator ({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )


def _in_a_dictionary(items: Sequence[str]) -> list[str]:
    """Words that are sorted by the numbers of their characters, as a dictionary has them; [] for
    other lists. Large and small letters stay as they are sorted."""
    if not all(any(char.isalpha() for char in item) for item in items):
        return []
    if list(items) == sorted(items, key=str.casefold):
        return sorted(items, key=lambda item: _plain(item).casefold())
    return sorted(items, key=_plain) if list(items) == sorted(items) else []


def _plain(text: str) -> str:
    """The letters without their accents."""
    return "".join(
        char if char in NORDIC else unicodedata.normalize("NFKD", char)[0]
        for char in unicodedata.normalize("NFC", text)
    )
