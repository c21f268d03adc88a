"""Two columns that are two sides of one thing: a better and a worse answer, one text in two
languages, what one says and what the other says back.
"""

from __future__ import annotations

import re

from lab.data.schema.fields import Field
from lab.data.schema.words import PROMPT, is_meta, weight

BETTER_WORSE = (
    ("chosen", "rejected"),
    ("preferred", "dispreferred"),
    ("preferred", "rejected"),
    ("accepted", "rejected"),
    ("winner", "loser"),
    ("win", "lose"),
    ("better", "worse"),
    ("good", "bad"),
    ("more", "less"),
    ("positive", "negative"),
    ("pos", "neg"),
    ("j", "k"),
)
"""Words that set two columns of otherwise equal name apart as the better and the worse one."""


_NUMBERED = re.compile(
    r"(?:response|answer|completion|output|human_ref|conversation|model_output)_(?:0|1|2|a|b)"
)
_VERDICT = re.compile(r"prefer|winner|better|safer|^labels$|^score_0$")


def preference_pair(fields: list[Field]) -> tuple[str, str] | None:
    """(chosen, rejected) when the table holds pairs of a better and a worse response."""
    top = {field.key: field.path for field in fields if field.depth == 0}
    # `chosen` before `chosen_model` and `original_chosen`, wherever they are.
    for field in sorted(fields, key=lambda field: (is_meta(field.words), len(field.words))):
        responds = field.kind in ("string", "messages", "sharegpt", "list", "dict")
        if not field.depth and responds and (worse := _worse(field.words, top)):
            return field.path, worse
    numbered = sorted(path for key, path in top.items() if _NUMBERED.fullmatch(key))
    if len(numbered) != 2 or not _judged(fields):
        return None
    stems = [re.sub(r"_[0-9a-z]$", "_", key) for key in top if re.search(r"_[0-9a-z]$", key)]
    # A third of them makes options of them.
    return (numbered[0], numbered[1]) if max(map(stems.count, stems)) == 2 else None


def _worse(words: tuple[str, ...], top: dict[str, str]) -> str | None:
    """The column that is called as `words` with the worse word in place of the better one."""
    if words[-1] in ("examples", "cases", "samples", "ids"):
        return None
    for better, worse in BETTER_WORSE:
        other = "_".join(worse if word == better else word for word in words)
        if better in words and other in top:
            return top[other]
    return None


def _judged(fields: list[Field]) -> bool:
    """Some column says which of two is the better one."""
    return any(
        (not field.depth and _VERDICT.search(field.key))
        or (field.path == "label" and all(str(cell) in ("0", "1", "2") for cell in field.present))
        for field in fields
    )


def translation_pair(outer: Field | None) -> tuple[str, str] | None:
    """(source, target) of a dict that holds one text in two languages, by their codes."""
    if outer is None or outer.key not in ("translation", "translations", "text", "sentence"):
        return None
    keys = [str(key) for key in outer.present[0]] if outer.kind == "dict" else []
    codes = all(re.fullmatch(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?", key) for key in keys)
    return (keys[0], keys[1]) if len(keys) == 2 and codes else None


_LANGUAGE = re.compile(
    r"(?P<stem>.*?)[_-]?(?:(?:en|de|fr|es|it|pt|nl|pl|ru|uk|cs|sk|ro|hu|bg|el|tr|ar|he|fa|hi|bn|ta"
    r"|te|ur|zh|ja|ko|vi|th|id|ms|sw|fi|sv|da|no|et|lv|lt|sl|hr|sr|ca|eu|gl|ga|cy|is|ka"
    r"|[a-z]{3}(?=[-_]))(?:[-_][A-Z][A-Za-z]{1,3})?|eng|deu|fra|spa|ita|por|rus|zho|jpn|kor|ara|hin"
    r"|tur|english|german|french|spanish|chinese|japanese|russian|arabic|hindi|italian|portuguese"
    r"|korean|turkish)"
)


def parallel_texts(fields: list[Field]) -> tuple[str, str] | None:
    """(source, target): two text columns whose names differ in the language only (`en`, `de`)."""
    found: dict[str, list[str]] = {}
    for field in fields:
        match = _LANGUAGE.fullmatch(field.path)
        if match and not field.depth and field.mean_words >= 2 and not field.identifier:
            found.setdefault(match["stem"], []).append(field.path)
    pairs = [
        paths
        for stem, paths in found.items()
        if len(paths) >= 2 and weight(PROMPT, (stem.lower(),)) < 0.85
    ]
    return (pairs[0][0], pairs[0][1]) if pairs else None


BACK = {"q": "a", "message_1": "message_2", "turn_1": "turn_2", "utterance_1": "utterance_2"}
"""Ends of the names of what is asked or said, and of what is said back."""


def spoken_pair(fields: list[Field]) -> tuple[str, str] | None:
    """(first, second): two columns of one conversation (`easy_q`, `easy_a`)."""
    top = {field.key: field.path for field in fields if not field.depth}
    pairs = [
        (path, top.get(key.removesuffix(first) + second))
        for key, path in top.items()
        for first, second in BACK.items()
        if key.endswith(first)
    ]
    return next(((one, other) for one, other in pairs if other), None)
