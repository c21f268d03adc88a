"""Texts to order, for tasks that only constrain how a text looks: so many words, no commas, an end.

Such tasks have no gold: whatever keeps the constraints is right. They are read off the prompt in
plain English; in other languages its numbers and its quoted words are tried in the places that
they can have. Scoring decides, as always.

    write(Order(words=12, sentences=2, end="Thank you!"))
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lab.environment import Completion, Environment, Task
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.interactive.ways import spread
from lab.reward.reading.search import TINY

TASKS, MOST_ORDERS, MOST_FORMATS, LEAST = 6, 90, 4, 2
SECONDS, SLOW = 20.0, 0.2
"""For all texts; of one completion, above which hundreds of them are not tried."""
FILLER = (
    "stone river cloud green quiet morning bright window garden simple yellow forest gentle "
    "winter silver bridge market summer little corner letter basket orange button copper lantern "
    "meadow pillow thunder velvet still far low mild fog hill moss fir dim soft"
).split()
COUNTS = dict(
    zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)
)
NUMBER = rf"(\d+|{'|'.join(COUNTS)})"
QUOTED = re.compile(r"\"([^\"\n]{1,60})\"|“([^”\n]{1,60})”|«([^»\n]{1,60})»|'([^'\n]{1,60})'(?!\w)")
LETTER = re.compile(r"\b(?:letters?|letra|lettre|Buchstaben?|lettera|буквы?)\s+[\"'`“]?(\w)\b")


@dataclass(frozen=True)
class Order:
    """What a text has to have; None where nothing is asked."""

    words: int | None = None
    sentences: int | None = None
    paragraphs: int | None = None
    bullets: int | None = None
    questions: int | None = None
    begin: str = ""
    end: str = ""
    keywords: tuple[tuple[str, int], ...] = ()
    avoid: tuple[str, ...] = ()
    """Words and letters that may not come."""
    case: str = ""
    """`lower` or `upper`."""
    marker: str = "- "
    last_word: str = ""


def write(order: Order) -> str:
    """A text that keeps the order, of words that mean nothing."""
    kept = [word for word in FILLER if not any(bad in word for bad in order.avoid)] or ["hm"]
    units = order.bullets or order.paragraphs or 1
    fixed = [word for word, times in order.keywords for _ in range(times)]
    ends = len(f"{order.begin} {order.end} {order.last_word}".split())
    total = order.words or max(14, 4 * units)
    sentences = max(order.sentences or 1, order.questions or 0, units)
    filler = max(total - len(fixed) - ends, 2 * sentences - len(fixed) if not order.words else 0)
    words = [*fixed, *itertools.islice(itertools.cycle(kept), max(0, filler))]
    parts = [words[n::sentences] or [kept[0]] for n in range(sentences)]
    if order.last_word:
        parts[-1] = [*parts[-1], order.last_word]
    made = [_sentence(part, n < (order.questions or 0)) for n, part in enumerate(parts)]
    text = _laid_out(made, units, order)
    cased = {"lower": text.lower(), "upper": text.upper()}.get(order.case, text)
    return " ".join(filter(None, [order.begin, cased])) + (f" {order.end}" if order.end else "")


def _sentence(words: list[str], asked: bool) -> str:
    said = " ".join(words)
    return said[:1].upper() + said[1:] + ("?" if asked else ".")


def _laid_out(sentences: list[str], units: int, order: Order) -> str:
    groups = [" ".join(sentences[n::units]) for n in range(units)]
    if order.bullets:
        return "\n" * bool(order.begin) + "\n".join(f"{order.marker}{one}" for one in groups)
    return "\n\n".join(groups)


# --- reading -----------------------------------------------------------------------------------


def orders(task: Task) -> list[Order]:
    """The orders that a prompt may mean, the plainest reading first."""
    text = task.prompt
    read = _read(text)
    found = [read, replace(read, case="lower"), *_otherwise(text, read)]
    return list(dict.fromkeys(found))[:MOST_ORDERS]


def _read(text: str) -> Order:
    found = Order(
        words=_count(text, r"words?"),
        sentences=_count(text, r"sentences?"),
        paragraphs=_count(text, r"paragraphs?"),
        bullets=_count(text, r"bullets?(?: points?)?|list items|items"),
        questions=_count(text, r"question marks?|questions"),
        begin=_after(text, r"(?:begin|start)s?\b[^\n]{0,40}?"),
        end=_after(text, r"(?:end|finish)(?:es|s)?\b[^\n]{0,60}?"),
        keywords=tuple(_keywords(text)),
        avoid=tuple(_avoided(text)),
    )
    if re.search(r"\b(?:all (?:in )?)?lower ?-?case\b|no capital", text, re.IGNORECASE):
        found = replace(found, case="lower")
    elif re.search(r"\b(?:all|only|in) (?:capital|upper ?-?case)|all caps", text, re.IGNORECASE):
        found = replace(found, case="upper")
    if star := re.search(
        r"[\"'`](\*|-|•) ?[\"'`]|lines? (?:that )?(?:begins?|starts?) with (\*)", text
    ):
        found = replace(found, marker=f"{star[1] or star[2]} ")
    return found


def _number(text: str) -> int:
    return COUNTS.get(text.lower()) or int(text)


def _count(text: str, unit: str) -> int | None:
    """The number of a unit that keeps all that is said of it."""
    adjective = r"(?:[a-z]+ ){0,2}?"
    low = high = exact = None
    spans = re.findall(
        rf"{NUMBER} ?(?:to|-|–|and) ?{NUMBER} {adjective}(?:{unit})\b", text, re.IGNORECASE
    )
    for first, last in spans:
        low, high = _number(first), _number(last)
    rule = rf"((?:[\w']+ ){{0,3}}){NUMBER} (?:or (?:more|fewer) )?{adjective}(?:{unit})\b"
    for before, number in re.findall(rule, text, re.IGNORECASE):
        said, value = before.lower(), _number(number)
        if spans:
            break
        if re.search(r"at least|more than|minimum|no fewer|not less|over", said):
            low = value + 1
        elif re.search(r"at most|less than|fewer than|maximum|no more|up to|under|within", said):
            high = value - 1
        else:
            exact = value
    if exact is not None:
        return exact
    if low is not None and high is not None:
        return (low + high) // 2
    return low + 2 if low is not None else max(1, high - 2) if high is not None else None


def _after(text: str, verb: str) -> str:
    """The words that a text must begin or end with: quoted, or behind a colon on the same line."""
    match = re.search(rf"\b{verb}(?::[ \t]*([^\n]+)|{QUOTED.pattern})", text, re.IGNORECASE)
    said = next((group for group in match.groups() if group), "") if match else ""
    said = said.strip().strip("\"“”'")
    return said if re.search(r"\w{2}", said) else ""


def _keywords(text: str) -> Iterator[tuple[str, int]]:
    rule = (
        r"(?:use|include|contain|mention)s?\b[^\n.:]{0,40}?(?:words?|keywords?|terms?)\b[: ]*"
        r"([^\n.]+)"
    )
    for match in re.finditer(rule, text, re.IGNORECASE):
        before = text[max(0, match.start() - 12) : match.start()].lower()
        if re.search(r"not |n't |avoid|never|without", before):
            continue
        times = re.search(rf"{NUMBER} times", match[1])
        said = re.split(r"\b(?:at least|exactly|in (?:your|the)|and at|once|twice)\b", match[1])[0]
        for word in _listed(said):
            yield word, _number(times[1]) if times else 1


def _avoided(text: str) -> Iterator[str]:
    rule = r"(?:do not|don't|never|avoid|without|not)\b[^\n.:]{0,40}?\bwords?\b[: ]*([^\n.]+)"
    for match in re.finditer(rule, text, re.IGNORECASE):
        yield from _listed(match[1])
    yield from LETTER.findall(text)


def _listed(text: str) -> list[str]:
    quoted = [next(filter(None, groups)) for groups in QUOTED.findall(text)]
    words = quoted or re.split(r",\s*|\s+(?:and|or)\s+", text)
    return [word.strip(" .") for word in words if 0 < len(word.strip(" .")) < 30][:6]


def _otherwise(text: str, read: Order) -> Iterator[Order]:
    """Readings in any language: the numbers as sentences and words, all quoted words inside."""
    numbers = [int(n) for n in dict.fromkeys(re.findall(r"\b\d{1,3}\b", text))][:5]
    quoted = [next(filter(None, groups)) for groups in QUOTED.findall(text)]
    plain = tuple((word, 1) for word in quoted if re.fullmatch(r"[\w'-]+", word))[:6]
    middle = [(a + b) // 2 for a, b in itertools.pairwise(numbers) if a < b]
    counts: list[int | None] = [None, *middle, *numbers, *(n + 2 for n in numbers)]
    small: list[int | None] = [None, *(n for n in numbers if n <= 8)]
    letters = tuple(LETTER.findall(text))
    ends = ["", *(word for word, _ in plain[-1:])]
    for last, some, count in itertools.product(ends, small, counts):
        inside = tuple(one for one in plain if one[0] != last)
        yield replace(
            Order(avoid=letters), words=count, sentences=some, keywords=inside, last_word=last
        )
        if not plain:
            yield replace(read, words=count, paragraphs=some)


# --- trying ------------------------------------------------------------------------------------


def find(env: Environment, formats: Sequence[AnswerFormat], most: float) -> dict[int, Completion]:
    """Texts to order by task that are paid where an empty form is not; {} where too few are."""
    if env.score(0, "x").seconds > SLOW:
        return {}
    until = time.monotonic() + SECONDS
    ways = [replace(one, lead="") for one in formats if one.hint == "prompt"][:MOST_FORMATS]
    ways.append(AnswerFormat("plain", lead=""))
    right: dict[int, Completion] = {}
    tried = 0
    for i in spread(len(env.description.tasks), TASKS):
        tried += 1
        if found := _on(env, i, ways, most, until):
            text, way = found
            right[i], ways = text, [way]
        if time.monotonic() > until or (tried >= LEAST and not right):
            break
    return right if len(right) >= LEAST and len(right) * 2 >= tried else {}


def _on(
    env: Environment, task: int, ways: list[AnswerFormat], most: float, until: float
) -> tuple[str, AnswerFormat] | None:
    for order in orders(env.description.tasks[task]):
        for way in ways:
            text = way.write(write(order))
            earned = env.score(task, text).reward or 0.0
            if earned >= most - TINY:
                bare = env.score(task, way.write("x")).reward or 0.0
                return (text, way) if bare < earned - TINY else None
            if time.monotonic() > until:
                return None
    return None
