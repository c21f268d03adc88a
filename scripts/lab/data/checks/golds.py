"""Golds that are no answers: notes, refusals, strangers among the others, sets that lack an alias,
and values that only an identifier decides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lab.data.checks.item import Item
from lab.data.checks.spans import NUMBER
from lab.data.checks.templates import Template
from lab.data.checks.text import ARTICLES, drawn, means_nothing, remembered

LONGEST_NOTE = 160
"""Characters above which a gold is prose and not a note."""
CLASS = 0.05
"""Share of the rows from which on a value such as `unknown` is one of the answers."""
ALIKE = 0.9
"""Share of the golds from which on what they have in common is expected of the others."""
NUMBERS = 0.95
"""Share of plain numbers among the golds from which on a word is a stranger."""
FEWEST = 20
DISTINCT = 0.5
"""Share of different golds in a template from which on its identifiers decide them."""

_NOTE = re.compile(
    r"\b(?:as an ai\b|i (?:can ?not|can't|am unable to|don't know|do not know)"
    r"|i'm (?:sorry|not sure)|(?:see|same as|refer to) (?:above|below|previous"
    r"|the (?:previous|question|text|image|figure))|(?:on purpose|deliberately|intentionally)\b"
    r"|not (?:sure|applicable|available|provided|given)\b"
    r"|(?:please|to be|must be) (?:check|verif|confirm|fix|fill|determin|added|done|decided)\w*"
    r"|place ?holder|fix ?me|lorem ipsum|left blank|no (?:gold|label|answer given)|dummy"
    r"|(?:answer|gold|label|value|data) (?:missing|pending|needed)"
    r"|missing (?:answer|gold|label|value))\b"
    r"|^\W*(?:to ?do|tbd|tba|\?+|wip|idk)\W*$|^(?:to ?do|tbd|fixme)\b",
    re.IGNORECASE,
)
"""Remarks about an answer; no question is answered so."""
_EMPTY_WORDS = frozenset(
    "n/a na nan null none nil unknown undefined missing error unanswerable redacted removed "
    "deleted blank empty - -- ? . none. unclear ambiguous invalid".split()
)
"""Words that stand for no answer, unless they are common enough to be one of the answers."""


def is_note(gold: str) -> bool:
    """A remark about the answer in the place of the answer, whatever the other golds are."""
    return len(gold) <= LONGEST_NOTE and bool(_NOTE.search(gold))


def stands_for_nothing(gold: str) -> bool:
    """A word for a missing answer; where many rows have it, it is an answer."""
    return gold.strip().strip("[]()<>").casefold() in _EMPTY_WORDS


class Signs(NamedTuple):
    """What a gold shows by itself."""

    nothing: bool
    """Normalisation leaves nothing of it."""
    article: bool
    """Or an article at most."""
    note: bool
    no_answer: bool
    drawn: bool


@remembered
def signs(gold: str) -> Signs:
    return Signs(
        means_nothing(gold, articles=False),
        means_nothing(gold),
        is_note(gold),
        stands_for_nothing(gold),
        drawn(gold),
    )


def strangers(golds: Sequence[str]) -> list[int]:
    """The places of the few golds that are words where nearly all others are plain numbers."""
    numeric = [_is_number(gold) for gold in golds]
    if len(golds) < FEWEST or sum(numeric) < NUMBERS * len(golds):
        return []
    return [
        place
        for place, (gold, number) in enumerate(zip(golds, numeric, strict=True))
        if not number and "\\" not in gold and re.search(r"[^\W\d_]{3,}", gold)
    ]


def _is_number(gold: str) -> bool:
    """A number, with a sign, a currency or a unit at most."""
    found = NUMBER.search(gold)
    return found is not None and len(gold) - len(found[0]) <= 12


def _titled(text: str) -> str:
    return text[:1].upper() + text[1:]


def _bare(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if first.casefold() in ARTICLES and rest else text


FORMS: dict[str, Callable[[str], str]] = {
    "with a capital": _titled,
    "in small letters": str.lower,
    "in capitals": str.upper,
    "without an article": _bare,
    "without dots": lambda text: text.replace(".", ""),
}


def lacking(golds: Sequence[tuple[str, ...]]) -> tuple[str, list[int]] | None:
    """(what nearly all alias sets have, the places of those without it); None where they agree."""
    best: tuple[str, list[int]] | None = None
    for name, form in FORMS.items():
        concerned = [place for place, own in enumerate(golds) if own and form(own[0]) != own[0]]
        without = [place for place in concerned if form(golds[place][0]) not in golds[place]]
        if _few(len(without), len(concerned)) and (best is None or len(without) > len(best[1])):
            best = f"the answer {name}", without
    sizes = Counter(len(set(own)) for own in golds if own)
    if sizes:
        usual, _ = sizes.most_common(1)[0]
        fewer = [place for place, own in enumerate(golds) if own and len(set(own)) < usual]
        if (
            usual > 1
            and _few(len(fewer), sizes.total())
            and (not best or len(fewer) > len(best[1]))
        ):
            best = f"{usual} accepted forms", fewer
    return best


def _few(without: int, of: int) -> bool:
    return of >= FEWEST and 0 < without <= (1 - ALIKE) * of


_IDENTIFIED = re.compile(
    r"\b(?:item|order|ticket|customer|client|user|account|case|record|entry|row|invoice|employee"
    r"|member|student|patient|sample|parcel|package|shipment|booking|request|badge|locker|device"
    r"|sensor|robot|vault|crate|container|specimen|participant|subject|agent|asset|batch|artifact)s?"
    r"\s*(?:no\.?|nr\.?|number|id)?\s*[:#]* #",
    re.IGNORECASE,
)
"""A number that names one of many things, in a masked prompt (`item #`)."""
_DRAWN = re.compile(
    r"\b(?:code ?words?|pass ?words?|pass ?phrases?|secret (?:word|code|key|number|phrase)|pin code"
    r"|(?:access|pass|confirmation|booking|entry|door) ?codes?|api keys?|licen[cs]e plates?"
    r"|(?:serial|tracking|parcel|account|phone|telephone|registration|reference|invoice|order"
    r"|ticket|booking|customer|passport|locker|badge) (?:number|id)s?|e ?- ?mail address)\b",
    re.IGNORECASE,
)
"""Asked for values that somebody drew."""


def identified(group: Template, items: Sequence[Item]) -> bool:
    """True for a template whose golds only an identifier decides, or that asks for drawn values:
    the golds differ, are no numbers worked out of the prompt, and stand nowhere in it."""
    own = [items[place] for place in group.members if items[place].golds]
    if not own or any(item.context or item.options for item in own):
        return False
    asks = bool(_DRAWN.search(group.text))
    names = bool(_IDENTIFIED.search(group.text)) and group.text.count("#") == 1
    if not (asks or (names and "*" not in group.text)):
        return False
    answers = [item.answer for item in own]
    shown = sum(item.answer.casefold() in item.prompt.casefold() for item in own)
    lettered = sum(any(char.isalpha() for char in answer) for answer in answers)
    return (
        len(set(answers)) >= DISTINCT * len(answers)
        and shown <= (1 - ALIKE) * len(own)
        and (lettered >= ALIKE * len(own) or asks)
    )
