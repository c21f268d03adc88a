"""What is asked of rows that do not ask it themselves: one sentence for the system prompt.

    instruction({"prompt_field": "review", "answer_field": "sentiment", "questions": [...]})
    # "Give the sentiment of the review."

A review or a ticket alone says nothing of what is wanted; the names of its columns do. "" where the
rows ask, or the names say nothing.
"""

from __future__ import annotations

import re
from typing import Any

from lab.data.schema.words import ANSWER, PROMPT, weight

ASKING = 0.8
"""Weight from which on the name of a column says that a question or a request is in it."""
MOST = 0.5
"""Share of the rows with a question mark from which on the rows ask."""
SAYING_NOTHING = 1.0
"""Weight from which on a name says that the answer is there, and not of what: `answer`, `gold`."""


def instruction(facts: dict[str, Any]) -> str:
    asked, given = (_words(facts.get(f"{side}_field") or "") for side in ("prompt", "answer"))
    questions = [str(text) for text in facts.get("questions") or []]
    if sum("?" in text for text in questions) > MOST * len(questions):
        return ""
    if not (asked and given) or weight(PROMPT, asked) >= ASKING:
        return ""
    if weight(ANSWER, given) >= SAYING_NOTHING:
        return ""
    shown = [*filter(None, map(_words, facts.get("context_fields") or [])), asked]
    named = " and the ".join(" ".join(words) for words in shown)
    if given[0] in ("is", "has") and len(given) > 1:
        return f"Say whether the {named} {' '.join(given)}."
    return f"Give the {' '.join(given)} of the {named}."


def _words(path: str) -> tuple[str, ...]:
    """The words of a column's name; none where it is no plain name."""
    name = re.split(r"[.\[\]]", path)[-1]
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    plain = re.fullmatch(r"[A-Za-z]+([_ -][A-Za-z0-9]+){0,3}", spaced)
    return tuple(re.split(r"[_ -]", spaced.lower())) if plain else ()
