"""Each judgement beside what the reward says: where they differ, and what that means.

A right answer of the data that the reader calls wrong, and a wrong completion that is paid, are
contradictions. Where the difference is about a form, or about which of several answers counts, it
is a question, which one line of the contract answers, unless the reader copied the sentence of
README or prompt that decides it: then it is a contradiction, too. A reward that is more lenient
than the sentence (it takes another form, or the last of two answers) is asked about all the same,
and so is a form that few would write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lab.answers.form import CHOICE
from lab.review.answers import Answer, Answers
from lab.review.items import (
    CONTROL,
    EXPLOIT,
    FORM,
    GOLD,
    PAID,
    PART,
    REFUSED,
    STRUCTURE,
    WRONG,
    Item,
)
from lab.review.sealed import Review
from lab.reward.productions import units
from lab.reward.productions.units import OPEN, Unit

JUDGED, SURE = (PAID, PART, REFUSED), (PAID, REFUSED)
GOLDS, EXPLOITS, RIGHTS, QUESTION = "golds_wrong", "exploits_paid", "right_refused", "questions"
APART = 0.25
"""Difference of two shares from which on reader and reward differ about a part."""
RIGHT_ANSWER, WRONG_ANSWER = (str(Unit(OPEN, one)) for one in (units.RIGHT, units.WRONG))
"""How the name of a structure calls them."""
SHORTEST_QUOTE = 3
"""Words that a quotation must have to decide anything."""


@dataclass(frozen=True)
class Difference:
    """One completion on which reader and reward differ."""

    kind: str
    item: Item
    answer: Answer
    quoted: bool = False
    """Whether the reader's quotation stands in README or prompt."""


def pairs(items: Sequence[Item], answers: Answers) -> list[tuple[str, str]]:
    """(reader, reward) of the completions that were judged, without controls and `unsure`."""
    said = [(answers.of(item.number).label, item) for item in items if item.role != CONTROL]
    return [(label, item.says) for label, item in said if label in JUDGED]


def differences(review: Review, answers: Answers) -> list[Difference]:
    """All of them, less those that follow from a gold that the reader calls wrong."""
    found = [one for item in review.items if (one := _difference(review, answers, item))]
    doubted = {one.item.task for one in found if one.kind == GOLDS}
    every = golds_doubted(review, answers)
    return [
        one
        for one in found
        if one.item.role not in (FORM, STRUCTURE) or not (every or one.item.task in doubted)
    ]


def _difference(review: Review, answers: Answers, item: Item) -> Difference | None:
    answer = answers.of(item.number)
    if item.role == CONTROL or answer.label not in JUDGED:
        return None
    same = answer.label == item.says and not _another_share(item, answer)
    if same and not (item.role == GOLD and answer.label == REFUSED):
        return None
    scripted = review.settings.get("scripted") and item.role in (WRONG, EXPLOIT)
    if scripted and answer.label == PAID:
        return None  # the judge was a script that was told what is wrong
    quoted = in_words(answer.quote, review.shown.words)
    return Difference(kind_of(item, answer.label, quoted), item, answer, quoted)


def _another_share(item: Item, answer: Answer) -> bool:
    """Whether reader and reward both pay a part, and not about as much."""
    if answer.share is None or item.share is None:
        return False
    return abs(answer.share - item.share) >= APART


def unsure(review: Review, answers: Answers) -> list[tuple[Item, str]]:
    """Completions that the reader could not decide, with the reason in the reader's own words."""
    said = [(item, answers.of(item.number)) for item in review.items]
    return [(item, one.quote) for item, one in said if one.label == "unsure" and one.quote]


def kind_of(item: Item, label: str, quoted: bool) -> str:
    """What a difference is. `part` on either side is a question of how much, never a failure."""
    if label not in SURE:
        return QUESTION
    if item.role == GOLD:
        return GOLDS if label == REFUSED else RIGHTS
    if item.says not in SURE:
        return QUESTION
    if label == PAID:
        sure = item.role == WRONG or (quoted and item.level != CHOICE)
        return RIGHTS if sure else QUESTION
    sure = item.role in (WRONG, EXPLOIT) or (quoted and not _lenient(item))
    return EXPLOITS if sure else QUESTION


def _lenient(item: Item) -> bool:
    """Whether what is paid is the right answer, in another form or as the last one."""
    last = item.role == STRUCTURE and item.name.endswith(f"then {RIGHT_ANSWER}")
    return item.role == FORM or last


def in_words(quote: str, text: str) -> bool:
    """Whether a quotation stands in a text, whatever its marks, case and line ends."""
    wanted = _plain(quote)
    return len(wanted.split()) >= SHORTEST_QUOTE and wanted in _plain(text)


def _plain(text: str) -> str:
    kept = re.sub(r"[`*_\"'“”‘’|>#]+", "", text.lower())
    return re.sub(r"[.,;:!?\s]+", " ", kept).strip()


def controls_missed(review: Review, answers: Answers) -> list[tuple[Item, str]]:
    """The controls that were judged otherwise than they must be, with what the reader said."""
    controls = [item for item in review.items if item.role == CONTROL]
    said = [(item, answers.of(item.number).label) for item in controls]
    return [(item, label or "nothing") for item, label in said if label != item.says]


def golds_doubted(review: Review, answers: Answers) -> bool:
    """Whether most right answers of the data were called wrong: then a right control of the same
    data says nothing about the reader."""
    said = [answers.of(item.number).label for item in review.items if item.role == GOLD]
    wrong = said.count(REFUSED)
    return wrong >= 2 and wrong * 2 > len(said)


def contract_lines(difference: Difference, clauses: dict[str, dict[str, str]]) -> list[str]:
    """The lines of a contract that answer a question: what the reward does, and the other where
    one line says it."""
    item, label = difference.item, difference.answer.label
    return list(_lines(item, label, clauses))


def _lines(item: Item, label: str, clauses: dict[str, dict[str, str]]) -> Iterator[str]:
    example = f"[[example]] task = {item.index}, this completion, earns = {item.reward or 0.0:g}"
    if label == item.says:
        yield example
    elif item.role == FORM:
        meant = ("accepts", "refuses") if item.says == PAID else ("refuses", "accepts")
        yield from (f'{clause} = ["{item.name}"]' for clause in meant)
    elif item.role == STRUCTURE and item.clause == "counts":
        known = clauses.get("counts", {}).get("value")
        yield f'counts = "{known}"' if known else 'counts = "last" (or first, only, all, any)'
        yield f'counts = "{_counted(item, label)}"'
    elif item.role == STRUCTURE:
        read = item.says == PAID
        yield f'thinking = "{"read" if read else "ignored"}"'
        yield f'thinking = "{"ignored" if read else "read"}"'
    elif item.clause == "tolerance":
        yield (
            "tolerance = 0.0" if item.says == REFUSED else "tolerance = 0.01 (a share of the gold)"
        )
    elif item.clause in ("wrong", "empty", "silent"):
        yield f"{item.clause} = {item.reward or 0.0:g}"
    elif PART in (item.says, label):
        yield 'partial = "graded"' if item.says == PART else 'partial = "none"'
    else:
        yield example


def _counted(item: Item, label: str) -> str:
    """Which of two answers counts for a reader who says this of the reply."""
    wrong_first = item.name.startswith(WRONG_ANSWER)
    return "last" if wrong_first == (label == PAID) else "first"
