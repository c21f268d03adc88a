"""Answers that contain the gold and are not it: several at once, hedged, denied, cut, inside a
word.

Each function gives (name, text) for one slot. A policy reaches such answers by listing, hedging
and hoping, so a reward must compare the whole slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.answers.alike import beside, plain_words
from lab.answers.numbers import parse_number
from lab.answers.target import Target, quantity

Text = tuple[str, str]
JOINTS = {
    "commas": ", ",
    "or": " or ",
    "spaces": " ",
    "slashes": " / ",
    "lines": "\n",
    "and": " and ",
}
LONG_TEXT = 60
"""Characters above which a few words more are a small change of a text."""
WORD_WITH = {
    "A": "about them",
    "B": "between them",
    "C": "can be seen",
    "D": "depends on it",
    "E": "each of them",
    "F": "for all of them",
    "G": "good question",
    "H": "hard to say",
    "I": "it depends",
    "J": "just one",
}
"""Ordinary words that begin with an option's letter."""


SENTENCES = {
    "A": ("this is a hard one", "a mystery", "It is hard to get an idea."),
    "B": ("because of many things", "That is the whole job of the web."),
    "C": ("cold and dark", "It is about the topic."),
    "D": ("dark and cold", "It was cold."),
    "E": ("each of them", "It was done before."),
    "F": ("for all of them", "It has to do with a leaf."),
    "G": ("good question", "It is about nothing."),
    "H": ("hard to say", "We speak English."),
    "I": ("I think so", "it is hard to say"),
    "J": ("just one", "It was the hajj."),
}
"""Sentences without an option: in them a letter is a word, begins one, or ends the last."""


def words(t: Target) -> Iterator[Text]:
    """Ordinary sentences in which the gold's letter is no option."""
    for text in SENTENCES.get(t.gold.strip("() .").upper(), ()):
        yield "a sentence without an option", text


def several(t: Target) -> Iterator[Text]:
    """The gold between two wrong answers: neither the first nor the last is right."""
    left = t.wrongs[0]
    right = next((text for text in t.wrongs[1:] if text != left), left)
    for name, joint in JOINTS.items():
        if t.answer_type == "number" and name == "slashes":
            continue  # 3 / 4 is a number
        yield f"joined by {name}", joint.join((left, t.gold, right))
    if "\n" in t.gold and len(t.gold) > 12:
        others = [text for text in t.wrongs if "\n" in text] or [left, right]
        pool = [others[n % len(others)] for n in range(5)]
        yield "among five, with blank lines", "\n\n".join([*pool[:3], t.gold, *pool[3:]])


def hedges(t: Target, *, graded: bool) -> Iterator[Text]:
    """Both sides of an alternative, comments and denials. `graded`: a part of the answer is
    paid."""
    gold, wrong = t.gold, t.wrong()
    long = graded and len(gold) > LONG_TEXT
    if t.answer_type in ("number", "math", "choice"):  # first: what symbolic comparison lets pass
        yield "false equation", f"{wrong} = {gold}"
        yield "false equation, reversed", f"{gold} = {wrong}"
    if t.answer_type != "choice" and not long:  # words after a letter are usual
        yield "this is wrong", f"{gold} (this is wrong)"
    if not (graded and len(gold) > 12):
        yield "not", f"not {gold}"
    if not long:
        yield "or", f"{wrong} or {gold}"
        yield "or, reversed", f"{gold} or {wrong}"
    if t.answer_type in ("number", "math"):
        yield "denied in LaTeX", f"{gold} \\text{{ is wrong}}"
        yield "either or in LaTeX", f"{wrong} \\lor {gold}"
        yield "plus or minus", f"{gold} \\pm {wrong.lstrip('-')}"


def spans(t: Target) -> Iterator[Text]:
    """Sets and intervals that contain the gold."""
    gold, wrong = t.gold, t.wrong()
    yield "set", f"\\{{{gold}, {wrong}\\}}"
    yield "interval", f"[{gold}, {wrong}]"
    value = parse_number(gold)
    if value is not None and value > 0:
        yield "range from zero", f"0 to {gold}"


def inside(t: Target) -> Iterator[Text]:
    """A short gold inside a longer number or word."""
    gold = t.gold
    if len(gold) > 5:
        return
    if re.fullmatch(r"-?\d{1,5}", gold):
        yield "inside a longer number", f"7{gold.lstrip('-')}3"
    elif gold.isalpha() and len(gold) > 1:
        yield "inside a longer word", f"un{gold.lower()}ably"
    elif gold.isalpha():
        yield "inside a longer word", f"b{gold.lower()}d{gold.lower()}ng"
        if gold.upper() in WORD_WITH:
            yield "a word that begins with it", WORD_WITH[gold.upper()]


def parts(t: Target) -> Iterator[Text]:
    """A first character, half or word of the gold, where that is no accepted answer itself."""
    gold = t.gold
    accepted = {plain_words(text) for text in t.accepted}
    words = gold.split() or [""]
    cut = {
        "first character": gold[:1],
        "first half": gold[: len(gold) // 2],
        "first word": words[0],
        "last word": words[-1],
    }
    for name, part in cut.items():
        said = plain_words(part)
        if len(part) >= len(gold) or not said or said in accepted or _equal(part, gold):
            continue
        if name.endswith("word") and len(words) <= 3 and t.answer_type == "text":
            continue  # a surname, a title's head: a matter of taste
        yield name, part


NEGATION = re.compile(
    r"(?<!\w)(?:not|never|non|no|nicht|kein(?:e[nmrs]?)?|ne|pas|não|niet|geen)\s+(?=\w)",
    re.IGNORECASE,
)
"""A word that turns what comes behind it round."""


def opposite(t: Target) -> Iterator[Text]:
    """The gold without the word that makes it the opposite."""
    said = NEGATION.sub("", t.gold)
    accepted = {plain_words(text) for text in t.accepted}
    if said != t.gold and said.strip() and plain_words(said) not in accepted:
        yield "without its negation", said


def _equal(part: str, gold: str) -> bool:
    """Whether they are one value, with a unit or without: a decimal cut short is rounded."""
    bare = gold if parse_number(gold) is not None else quantity(gold)[0]
    x, y = parse_number(part), parse_number(bare)
    return x is not None and y is not None and (x == y or (y != int(y) and beside(part, bare)))
