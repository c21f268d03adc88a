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
from dataclasses import dataclass, field, replace
from typing import Any

from lab.environment import Completion, Environment, Task
from lab.reward.formats.answer_format import PLAIN, AnswerFormat
from lab.reward.interactive.ways import spread
from lab.reward.reading.search import TINY

TASKS, MOST_ORDERS, MOST_FORMATS, LEAST = 6, 90, 4, 2
SECONDS, SLOW = 20.0, 0.2
"""For all texts; of one completion, above which hundreds of them are not tried."""
FILLER = (
    "stone river cloud green quiet morning bright window garden simple yellow forest gentle "
    "winter silver bridge market summer little corner letter basket orange button copper lantern "
    "meadow pillow thunder velvet still far low mild fog hill moss fir dim soft amber elm eagle "
    "early ivory inner jolly jug kettle kind north nut olive open under urn union xenon yard zebra "
    "apple arch error"
).split()
COUNTS = dict(
    zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)
)
NUMBER = rf"(\d+|{'|'.join(COUNTS)})"
QUOTED = re.compile(
    r"\"([^\"\n]{1,60})\"|„([^“”\n]{1,60})[“”]|“([^”\n]{1,60})”|«([^»\n]{1,60})»"
    r"|'([^'\n]{1,60})'(?!\w)"
)
LETTER = re.compile(r"\b(?:letters?|letra|lettre|Buchstaben?|lettera|буквы?)\s+[\"'`“„«]?(\w)\b")
ACROSTIC = re.compile(r"\ba[ck]r[oó]sti|\bакрости", re.IGNORECASE)
SPELLED = re.compile(r"\b([A-ZÄÖÜÉÈÑА-Я]{3,15})\b")
NOT = re.compile(
    r"\b(?:not|never|without|avoid|don't|no|nicht|keine?n?|ohne|sin|tampoco|ne|pas|sans|non|senza"
    r"|niet|geen|zonder|не|нет|без)\b",
    re.IGNORECASE,
)
FIRST = re.compile(
    r"\b(?:begin|start|empiez|empez|comien|comenz|commenc|inizi|start|нач)\w*", re.IGNORECASE
)
LAST = re.compile(
    r"\b(?:end|ends|finish|endet|enden|termin\w*|fin|finit|eindig\w*|закан\w*)\b|\bконц",
    re.IGNORECASE,
)
LOWER = re.compile(
    r"\b(?:all (?:in )?)?lower ?-?case\b|no capital|kleinbuchstaben|minúscul|minuscul"
    r"|kleine letters|строчн",
    re.IGNORECASE,
)
ASKED = re.compile(
    r"\b(?:a|one|eine?|una|une|een|één) (?:question|frage|pregunta|domanda|vraag)\b", re.IGNORECASE
)
EXACT = re.compile(
    r"\b(?:exactly|exact|genau|exactamente|exactement|esattamente|precies|precisely)\b|ровно",
    re.IGNORECASE,
)
UNITS = {
    "words": r"words?|wörtern?|palabras|mots|parole|woorden|слов\w*",
    "sentences": r"sentences?|sätzen?|frases|oraciones|phrases|frasi|zinnen|предложени\w*",
    "paragraphs": r"paragraphs?|absätzen?|párrafos|paragraphes|paragrafi|alinea's|абзац\w*",
    "bullets": r"bullets?(?: points?)?|list items|items|aufzählungspunkten?|stichpunkten?|viñetas"
    r"|puces|punti elenco|opsommingspunten",
    "questions": r"question marks?|questions",
}
"""What is counted, in the languages that prompts are usually written in."""


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
    initial: str = ""
    """The letter that the first word begins with."""
    acrostic: str = ""
    """What the first letters of the lines spell."""


def write(order: Order) -> str:
    """A text that keeps the order, of words that mean nothing."""
    kept = [word for word in FILLER if not any(bad in word for bad in order.avoid)] or ["hm"]
    if order.acrostic:
        return _acrostic(order, kept)
    units = order.bullets or order.paragraphs or 1
    text = _laid_out(_sentences(order, kept, units), units, order)
    cased = {"lower": text.lower(), "upper": text.upper()}.get(order.case, text)
    return " ".join(filter(None, [order.begin, cased])) + (f" {order.end}" if order.end else "")


def _sentences(order: Order, kept: list[str], units: int) -> list[str]:
    """The sentences, at least one for each unit, with the wanted words first."""
    first = [word for word in kept if word[0] == order.initial.lower()][:1]
    fixed = [*first, *(word for word, times in order.keywords for _ in range(times))]
    others = [word for word in kept if word not in fixed] or kept
    ends = len(f"{order.begin} {order.end} {order.last_word}".split())
    total = order.words or max(14, 4 * units)
    count = max(order.sentences or 1, order.questions or 0, units)
    filler = max(total - len(fixed) - ends, 2 * count - len(fixed) if not order.words else 0)
    words = [*fixed, *itertools.islice(itertools.cycle(others), max(0, filler))]
    parts = [words[n::count] or [others[0]] for n in range(count)]
    if order.last_word:
        parts[-1] = [*parts[-1], order.last_word]
    return [_sentence(part, n < (order.questions or 0)) for n, part in enumerate(parts)]


def _acrostic(order: Order, kept: list[str]) -> str:
    """Lines whose first letters spell a word, the wanted words behind them."""
    wanted = [word for word, times in order.keywords for _ in range(times)]
    size = len(order.acrostic)
    lines = []
    for n, letter in enumerate(order.acrostic):
        begin = next((word for word in kept if word[0] == letter.lower()), letter)
        rest = [kept[(3 * n + k) % len(kept)] for k in range(3)]
        lines.append(_sentence([begin, *wanted[n::size], *rest], False))
    return "\n".join(lines)


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
    clauses = _by_clause(text, read)
    found = [read, clauses, replace(clauses, case=""), replace(read, case="lower")]
    found += _otherwise(text, read)
    if ACROSTIC.search(task.shown):
        spelled = [word for word in SPELLED.findall(text) if word.isupper()]
        made = [replace(read, acrostic=word) for word in dict.fromkeys(spelled)]
        return [*made, *(replace(clauses, acrostic=one.acrostic) for one in made), *found]
    return list(dict.fromkeys(found))[:MOST_ORDERS]


def _read(text: str) -> Order:
    counts: dict[str, Any] = {name: _count(text, unit) for name, unit in UNITS.items()}
    found = Order(
        **counts,
        begin=_after(text, r"(?:begin|start)s?\b[^\n]{0,40}?"),
        end=_after(text, r"(?:end|finish)(?:es|s)?\b[^\n]{0,60}?"),
        keywords=tuple(_keywords(text)),
        avoid=tuple(_avoided(text)),
    )
    if found.questions is None and ASKED.search(text):
        found = replace(found, questions=1)
    if LOWER.search(text):
        found = replace(found, case="lower")
    elif re.search(r"\b(?:all|only|in) (?:capital|upper ?-?case)|all caps", text, re.IGNORECASE):
        found = replace(found, case="upper")
    if star := re.search(
        r"[\"'`„](\*|-|•) ?[\"'`“]|lines? (?:that )?(?:begins?|starts?) with (\*)", text
    ):
        found = replace(found, marker=f"{star[1] or star[2]} ")
    return found


def _by_clause(text: str, read: Order) -> Order:
    """`read`, with what each clause says of the words and letters that it quotes, in any language:
    it is there, it is not, it is the first or the last."""
    keywords: list[tuple[str, int]] = []
    found: dict[str, Any] = {"avoid": (), "begin": "", "end": "", "initial": ""}
    for said, around in _quotes(text):
        one = len(said) == 1
        if NOT.search(around):
            found["avoid"] += (said,)
        elif FIRST.search(around):
            found["initial" if one else "begin"] = said
        elif LAST.search(around):
            found["end"] = said
        elif not one:
            keywords.append((said, 1))
    return replace(read, keywords=tuple(keywords) or read.keywords, **found)


def _quotes(text: str) -> Iterator[tuple[str, str]]:
    """Each quoted word with what its clause says of it: what stands before it, or before those that
    it is listed with, and behind the last one."""
    quoted = [next(filter(None, groups)).strip() for groups in QUOTED.findall(text)]
    numbers = iter(quoted)
    for clause in re.split(r"[.!?;:,\n()]", QUOTED.sub("\0", text)):
        parts = clause.split("\0")
        around = ""
        for n, before in enumerate(parts[:-1]):
            around = before if len(before.split()) > 2 or not around else around
            last = n == len(parts) - 2
            said = next(numbers)
            if re.search(r"\w", said):
                yield said, around + (parts[-1] if last else "")


def _number(text: str) -> int:
    return COUNTS.get(text.lower()) or int(text)


def _count(text: str, unit: str) -> int | None:
    """The number of a unit that keeps all that is said of it."""
    adjective = r"(?:[a-z]+ ){0,2}?"
    low = high = exact = None
    spans = re.findall(
        rf"{NUMBER} ?(?:to|-|–|and|bis|à|a|tot|до|y|et) ?{NUMBER} {adjective}(?:{unit})\b",
        text,
        re.IGNORECASE,
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


@dataclass
class ToOrder:
    """What keeps the constraints of its prompt, by task."""

    right: dict[int, Completion] = field(default_factory=dict)
    cut: dict[int, Completion] = field(default_factory=dict)
    """The first half of it, where the prompt says exactly how long it is."""
    graded: bool = False
    """Whether a text that keeps some of them earns a part."""


def find(env: Environment, formats: Sequence[AnswerFormat], most: float) -> ToOrder | None:
    """Texts to order that are paid where an empty form is not; None where too few are."""
    if env.score(0, "x").seconds > SLOW:
        return None
    until = time.monotonic() + SECONDS
    ways = [replace(one, lead="") for one in formats if one.hint == "prompt"][:MOST_FORMATS]
    ways.append(PLAIN)
    found = ToOrder()
    tried = 0
    for i in spread(len(env.description.tasks), TASKS):
        tried += 1
        if made := _on(env, i, ways, most, until):
            text, way, order = made
            found.right[i], ways = way.write(text), [way]
            half = way.write(_half(text))
            found.graded |= TINY < (env.score(i, half).reward or 0.0) < most - TINY
            if order.acrostic or EXACT.search(env.description.tasks[i].prompt):
                found.cut[i] = half
        if time.monotonic() > until or (tried >= LEAST and not found.right):
            break
    return found if len(found.right) >= LEAST and len(found.right) * 2 >= tried else None


def _half(text: str) -> str:
    """The first half of a text: of its lines, or of the words of the only one."""
    lines = text.splitlines()
    if len(lines) > 1:
        return "\n".join(lines[: len(lines) // 2])
    words = text.split()
    return f"{' '.join(words[: len(words) // 2])}."


def _on(
    env: Environment, task: int, ways: list[AnswerFormat], most: float, until: float
) -> tuple[str, AnswerFormat, Order] | None:
    for order in orders(env.description.tasks[task]):
        for way in ways:
            text = write(order)
            earned = env.score(task, way.write(text)).reward or 0.0
            if earned >= most - TINY:
                bare = env.score(task, way.write("x")).reward or 0.0
                return (text, way, order) if bare < earned - TINY else None
            if time.monotonic() > until:
                return None
    return None
