"""Answers that the row's own instruction lists: `choose from {negative/neutral/positive}`.

Such answers are classes, whatever their column is called and however few rows are in sight.
"""

from __future__ import annotations

import re

from lab.data.schema.fields import Field

ROWS, END = 40, 1000
"""Rows that are looked at, and characters at either end of a text."""
_ASKED = (
    r"(?:choose|select|pick|answer with|reply with|classif\w+|label\w*|options?|one of|either"
    r"|categor\w+|from)\b[^.?!\n]{0,60}?"
)
_SLASHED = re.compile(
    _ASKED + r"[{\[(\"']?((?:[\w-]+(?: [\w-]+){0,3}\s*[/|]\s*)+[\w-]+(?: [\w-]+){0,3})",
    re.IGNORECASE,
)
_WORDED = re.compile(
    _ASKED + r"\b((?:\w+, )+(?:or |and )?\w+|\w+(?:, \w+)*,? or \w+)", re.IGNORECASE
)


def lists_answers(target: Field, fields: list[Field]) -> bool:
    """In nearly every row some other text lists the answer among the ones to choose from."""
    texts = [
        field
        for field in fields
        if field.depth == 0 and field.kind == "string" and field is not target
    ][:8]
    if target.kind != "string" or max(map(len, target.texts), default=0) > 40:
        return False
    rows = [index for index, cell in enumerate(target.cells) if cell][:ROWS]
    missed = 0
    for index in rows:
        answer = str(target.cells[index]).strip().rstrip(".").lower()
        missed += not any(answer in _listed(str(field.cells[index] or "")) for field in texts)
        if missed > 0.1 * len(rows):
            return False
    return bool(rows)


def _listed(text: str) -> set[str]:
    # An instruction is at one end of a long text.
    ends = text if len(text) <= 2 * END else f"{text[:END]}\n{text[-END:]}"
    found = [re.split(r"\s*[/|]\s*", match[1]) for match in _SLASHED.finditer(ends)]
    found += [re.split(r",? (?:or|and) |, ", match[1]) for match in _WORDED.finditer(ends)]
    return {item.strip().lower() for group in found for item in group}
