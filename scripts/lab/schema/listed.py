"""Answers that the row's own instruction lists: `choose from {negative/neutral/positive}`.

Such answers are classes, whatever their column is called and however few rows are in sight.
"""

from __future__ import annotations

import re

from lab.schema.fields import Field

_ASKED = r"(?:choose|select|pick|answer with|reply with|classif\w+|label\w*|options?|one of|either|categor\w+|from)\b[^.?!\n]{0,60}?"
_SLASHED = re.compile(_ASKED + r"[{\[(\"']?((?:[\w-]+(?: [\w-]+){0,3}\s*[/|]\s*)+[\w-]+(?: [\w-]+){0,3})", re.IGNORECASE)
_WORDED = re.compile(_ASKED + r"\b((?:\w+, )+(?:or |and )?\w+|\w+(?:, \w+)*,? or \w+)", re.IGNORECASE)


def lists_answers(target: Field, fields: list[Field]) -> bool:
    """True when in nearly every row some other text lists the answer among the ones to choose from."""
    texts = [field for field in fields if field.depth == 0 and field.kind == "string" and field is not target]
    if target.kind != "string" or target.longest > 40:
        return False
    rows = [(str(cell).strip().rstrip(".").lower(), [str(field.cells[index] or "") for field in texts]) for index, cell in enumerate(target.cells[:60]) if cell]
    return bool(rows) and sum(any(answer in _listed(text) for text in beside) for answer, beside in rows) >= 0.9 * len(rows)


def _listed(text: str) -> set[str]:
    if len(text) > 20_000:
        return set()
    found = [re.split(r"\s*[/|]\s*", match[1]) for match in _SLASHED.finditer(text)]
    found += [re.split(r",? (?:or|and) |, ", match[1]) for match in _WORDED.finditer(text)]
    return {item.strip().lower() for group in found for item in group}
