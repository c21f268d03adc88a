"""An order for a text, and a text that keeps it: so many words, lines, an end, words that come or
do not come.

    write(Order(words=12, sentences=2, end="Thank you!"))
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

WORDS = (
    "stone river cloud green quiet morning bright window garden simple yellow forest gentle "
    "winter silver bridge market summer little corner letter basket orange button copper lantern "
    "meadow pillow thunder velvet still far low mild fog hill moss fir dim soft amber elm eagle "
    "early ivory inner jolly jug kettle kind north nut olive open under urn union xenon yard zebra "
    "apple arch error idle iris vivid vast quick quilt zest zeal young yarn hollow harbour dawn "
    "deep rust paper pearl north table tower unit wheel wool island uncle junior kite level note "
    "oak outer usual vowel warm evening extra fern glad narrow near pale plain round rapid"
).split()
"""Words that mean nothing together; of each letter some that have few letters in common."""
SENTENCE, BULLET, TITLE, LEAST = 9, 5, 2, 14
"""Words of one sentence, of one bullet, of a title, and of a text of which no length is asked."""

PLACES = ("begin", "end", "last_word", "last_begin")
"""Places of an order that one phrase stands in."""


@dataclass(frozen=True)
class Order:
    """What a text has to have; None where nothing is asked."""

    words: int | None = None
    sentences: int | None = None
    paragraphs: int | None = None
    lines: int | None = None
    bullets: int | None = None
    questions: int | None = None
    longest: int | None = None
    """Words of the longest line, sentence or bullet."""
    begin: str = ""
    end: str = ""
    keywords: tuple[tuple[str, int], ...] = ()
    avoid: tuple[str, ...] = ()
    """Words and letters that may not come."""
    case: str = ""
    """`lower` or `upper`."""
    marker: str = "- "
    last_word: str = ""
    initial: str = ""
    """The letter that the first word begins with."""
    acrostic: str = ""
    """What the first letters of the paragraphs spell where there are as many; else of the lines."""
    starting: tuple[tuple[str, int], ...] = ()
    """Letters that so many words begin with."""
    last_begin: str = ""
    """What the last paragraph begins with."""
    quoted: tuple[int, int] = (0, 0)
    """Quotations, and words of each."""
    hashtags: int | None = None
    mark: str = "."
    """The last sentence's."""
    title: bool = False
    """Whether a first line of capital letters stands above it."""

    @property
    def asks(self) -> int:
        """How much it asks for."""
        told = [getattr(self, one.name) != one.default for one in fields(self)]
        return sum(told) + len(self.avoid) + sum(times for _, times in self.keywords)


def altered(order: Order, **places: Any) -> Order:
    """The order with other values in some places."""
    return replace(order, **places)


def without(order: Order, group: Sequence[str]) -> Order:
    """The order without anything that it says of some words."""
    places = {name: "" for name in PLACES if getattr(order, name) in group}
    keywords = tuple(one for one in order.keywords if one[0] not in group)
    avoid = tuple(one for one in order.avoid if one not in group)
    return altered(order, keywords=keywords, avoid=avoid, **places)


def write(order: Order) -> str:
    """A text that keeps the order, of words that mean nothing."""
    fillers = _Fillers(order.avoid)
    blocks = _begun(order, fillers)
    fixed = _wanted(order, fillers)
    for n, word in enumerate(fixed):
        blocks[n % len(blocks)].append(word)
    bullets = [_of_size(fillers, order) for _ in range(order.bullets or 0)]
    for n in range(_missing(order, blocks, bullets)):
        blocks[(n + len(fixed)) % len(blocks)].append(fillers.next())
    body = _body(order, [block or [fillers.next()] for block in blocks])
    text = _cased(_with_bullets(body, bullets, order) if bullets else body, order.case)
    title = f"{fillers.next()} {fillers.next()}\n\n".upper() if order.title else ""
    return title + text + (f" {order.end}" if order.end else "")


def _begun(order: Order, fillers: _Fillers) -> list[list[str]]:
    """The lines or paragraphs with what they begin with."""
    blocks: list[list[str]] = [[] for _ in range(_count_of_blocks(order))]
    for block, said in ((blocks[0], order.begin), (blocks[-1], order.last_begin)):
        block += [said] if said else []
    for block, letter in zip(blocks, order.acrostic or order.initial, strict=False):
        block.append(fillers.beginning_with(letter))
    return blocks


def _wanted(order: Order, fillers: _Fillers) -> list[str]:
    """What has to come somewhere: words, quotations, hashtags, words that begin with a letter."""
    quotations, each = order.quoted
    return [
        *(word for word, times in order.keywords for _ in range(times)),
        *(_quotation(fillers, each) for _ in range(quotations)),
        *(f"#{fillers.next()}" for _ in range(order.hashtags or 0)),
        *(fillers.beginning_with(letter) for letter, n in order.starting for _ in range(n)),
    ]


def _cased(text: str, case: str) -> str:
    return {"lower": text.lower(), "upper": text.upper()}.get(case, text)


def _with_bullets(body: str, bullets: list[list[str]], order: Order) -> str:
    """The bullets below the body, or alone where nothing but bullets is asked for."""
    listed = "\n".join(order.marker + " ".join(_capital(words)) for words in bullets)
    asked = (order.words, order.sentences, order.paragraphs, order.keywords, order.starting)
    return f"{body}\n{listed}" if any(asked) else f"{order.begin}\n".lstrip() + listed


def _quotation(fillers: _Fillers, words: int) -> str:
    return f'"{" ".join(fillers.next() for _ in range(words))}"'


def _of_size(fillers: _Fillers, order: Order) -> list[str]:
    """The words of one bullet."""
    return [fillers.next() for _ in range(min(order.longest or BULLET, BULLET))]


def _missing(order: Order, blocks: list[list[str]], bullets: list[list[str]]) -> int:
    """How many more words the text is to have."""
    have = sum(map(_size, [*blocks, *bullets])) + len(f"{order.end} {order.last_word}".split())
    if order.words is not None:
        return max(0, order.words - have - TITLE * order.title)
    least = max(order.sentences or 0, order.questions or 0, len(blocks))
    wanted = max(LEAST, 4 * (len(blocks) + len(bullets)))
    return max(0, wanted - have, 2 * least - sum(map(len, blocks)))


def _size(pieces: list[str]) -> int:
    """Words of pieces, of which each may have several."""
    return sum(len(piece.split()) for piece in pieces)


def _count_of_blocks(order: Order) -> int:
    return len(order.acrostic) or order.lines or order.paragraphs or 1


def _body(order: Order, blocks: list[list[str]]) -> str:
    """Lines or paragraphs of sentences; a last word at the end of the last one."""
    most = min(order.longest or SENTENCE, SENTENCE)
    as_lines = order.lines or (order.acrostic and order.paragraphs != len(blocks))
    shares = [1 if as_lines else math.ceil(_size(block) / most) for block in blocks]
    if order.sentences or order.questions:
        total = max(order.sentences or 0, order.questions or 0, len(blocks))
        shares = [total // len(blocks) + (n < total % len(blocks)) for n in range(len(blocks))]
    sentences = [_cut(block, share) for block, share in zip(blocks, shares, strict=True)]
    if order.last_word:
        sentences[-1][-1] = [*sentences[-1][-1], order.last_word]
    count = sum(map(len, sentences))
    marks = (["?"] * (order.questions or 0) + ["."] * count)[:count]
    ends = iter([*marks[:-1], order.mark if marks[-1] == "." else "?"])
    written = [
        " ".join(" ".join(_capital(one)) + next(ends) for one in block) for block in sentences
    ]
    apart = order.paragraphs == len(blocks) if order.acrostic else bool(order.paragraphs)
    return ("\n\n" if apart and not order.lines else "\n").join(written)


def _cut(pieces: list[str], count: int) -> list[list[str]]:
    """The pieces as `count` sentences of about as many words; none is empty."""
    parts: list[list[str]] = [[]]
    each, so_far = _size(pieces) / count, 0
    for piece in pieces:
        if so_far >= each * len(parts) and len(parts) < count:
            parts.append([])
        parts[-1].append(piece)
        so_far += len(piece.split())
    return [*parts, *([WORDS[n]] for n in range(count - len(parts)))]


def _capital(words: list[str]) -> list[str]:
    return [words[0][:1].upper() + words[0][1:], *words[1:]]


class _Fillers:
    """Words without those that may not come, each as late again as can be."""

    def __init__(self, avoid: tuple[str, ...]) -> None:
        bad = [one.lower() for one in avoid]
        kept = [word for word in dict.fromkeys(WORDS) if not any(one in word for one in bad)]
        self.kept = kept or ["hm"]
        self.words = itertools.cycle(self.kept)
        self.begun: dict[str, int] = {}
        self.taken: list[str] = []

    def next(self) -> str:
        word = next(self.words)
        if word in self.taken:  # it stands at a beginning already
            self.taken.remove(word)
            word = next(self.words)
        return word

    def beginning_with(self, letter: str) -> str:
        """A word that begins with a letter, another one each time as long as there are some."""
        found = [word for word in self.kept if word[0] == letter.lower()] or [letter]
        n = self.begun[letter] = self.begun.get(letter, -1) + 1
        self.taken.append(found[n % len(found)])
        return found[n % len(found)]
