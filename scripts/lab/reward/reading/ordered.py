"""Orders for texts, read off a prompt: in plain English; in other languages its numbers and its
quoted words, in the places that they can have.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lab.environment import Task
from lab.reward.reading.fields import flat
from lab.reward.reading.order import Order

MOST_ORDERS, MOST_NUMBERS, MOST_PHRASES, LONGEST_PHRASE, MOST_WORDS = 90, 12, 16, 60, 400
COUNTS = dict(
    zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)
)
NUMBER = rf"(\d+|{'|'.join(COUNTS)})"
QUOTED = re.compile(
    r"\"([^\"\n]{1,60})\"|„([^“”\n]{1,60})[“”]|“([^”\n]{1,60})”|«([^»\n]{1,60})»"
    r"|'([^'\n]{1,60})'(?!\w)"
)
LETTER = re.compile(r"\b(?:letters?|letra|lettre|Buchstaben?|lettera|буквы?)\s+[\"'`“„«]?(\w)\b")
ACROSTIC = re.compile(r"\ba[ck]r[oó]sti|\bакрости|\bspells?\b", re.IGNORECASE)
SPELLED = re.compile(r"\b([A-ZÄÖÜÉÈÑА-Я]{3,15})\b")
NOT = re.compile(
    r"\b(?:not|never|none|nowhere|without|avoid|don't|no|nicht|keine?n?|ohne|sin|tampoco|ne|pas"
    r"|sans|non|senza|niet|geen|zonder|не|нет|без)\b",
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
    "lines": r"lines?|zeilen|versen?|líneas|versos|lignes|vers|righe|versi|regels|строк\w*",
    "paragraphs": r"paragraphs?|absätzen?|párrafos|paragraphes|paragrafi|alinea's|абзац\w*",
    "bullets": r"bullets?(?: points?)?|list items|items|aufzählungspunkten?|stichpunkten?|viñetas"
    r"|puces|punti elenco|opsommingspunten",
    "questions": r"question marks?|questions",
}
"""What is counted, in the languages that prompts are usually written in."""


LIST = re.compile(r"[:：][ \t]*([^\n:]+)$", re.MULTILINE)
"""What stands behind a colon to the end of the line."""


def numbers(task: Task) -> list[int]:
    """Counts that an order may ask for: the numbers of the prompt and of the fields, and what lies
    between two that follow each other."""
    said = [int(n) for n in re.findall(r"(?<![\d.:/])\d{1,3}(?![\d:/]|\.\d)", task.prompt)]
    words = re.findall(r"[a-z]+", task.prompt.lower())
    said += [COUNTS[word] for word in words if word in COUNTS]
    held = [value for _, value in flat(task.fields) if type(value) is int]
    between = [(a + b) // 2 for a, b in itertools.pairwise(said) if a < b]
    found = [n for n in (*between, *said, *held) if 0 < n <= MOST_WORDS]
    return list(dict.fromkeys(found))[:MOST_NUMBERS]


REQUIRED = re.compile(
    r"\b(?:contains?|includes?|mentions?|uses?|occurs?|appears?|stands?|must|has to|have to)\b",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"\b(?:but|if|unless|except|only|either|or|some|any|one of|at least|at most|more|less|fewer"
    r"|times|once|twice|begins?|starts?|ends?|first|last|title|outside|inside|how|counts?|counted"
    r"|for example|e\.g|such as|between)\b",
    re.IGNORECASE,
)
"""Words that make more of a line than a list of words that come or do not come."""
BULLET = re.compile(r"[ \t]*[-*•] +(\S.*)")
LISTED = re.compile(r"\b(?:checklist|states?)\b", re.IGNORECASE)
FORBIDDEN = re.compile(r"\b(?:forbidden|banned|prohibited|taboo|disallowed)\b", re.IGNORECASE)


def bulleted(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lists of short texts in a prompt, each with the line above it."""
    head, items = "", list[str]()
    for line in [*text.splitlines(), "."]:
        if bullet := BULLET.fullmatch(line):
            items.append(bullet[1].strip())
        elif line.strip():
            if len(items) > 1 and head and max(map(len, items)) <= LONGEST_PHRASE:
                yield head, items
            head, items = line, []


def wanted_items(text: str) -> list[str]:
    """The items of lists below lines that say that they have to come."""
    return [item for head, items in bulleted(text) if _wanted(head) for item in items]


def _wanted(head: str) -> bool:
    """Whether a line says without a condition that what stands below it has to come."""
    said = re.sub(r"\([^()]*\)", "", head)
    asked = REQUIRED.search(said) or LISTED.search(said)
    return bool(asked) and not any(one.search(said) for one in (NOT, CONDITION, FORBIDDEN))


def quotes(text: str) -> list[str]:
    """What a text quotes."""
    return [next(filter(None, groups)).strip() for groups in QUOTED.findall(text)]


def listed(line: str) -> str:
    """What stands behind a line's colon."""
    return next(iter(LIST.findall(line)), "")


def phrases(task: Task) -> list[list[str]]:
    """Words that may have to come, or may not, those that are said together in one group: what a
    line of the prompt quotes or lists behind a colon, and short texts of a field that stand in
    it."""
    groups = [
        one
        for line in task.prompt.splitlines()
        for one in (
            quotes(line),
            re.split(r"[,;]\s*", listed(line)),
        )
    ]
    groups += [items for _, items in bulleted(task.prompt)]
    for _, value in flat(task.fields):
        members = value if isinstance(value, list) else [value]
        groups.append([one for one in members if isinstance(one, str) and one in task.prompt])
    cleaned = [[one.strip(" .\"'“”") for one in group] for group in groups]
    short = [
        [one for one in group if re.search(r"\w", one) and len(one) <= LONGEST_PHRASE]
        for group in cleaned
    ]
    found = [list(dict.fromkeys(group)) for group in short if group]
    return [group for n, group in enumerate(found) if group not in found[:n]][:MOST_PHRASES]


def letters(task: Task) -> list[str]:
    """Letters that the prompt names one by one."""
    found = re.findall(r"(?<![\w'’])[\"'`“„«]?([^\W\d_])[\"'`”“»]?(?![\w'’-])", task.prompt)
    return [one for one in dict.fromkeys(found) if one not in ("a", "I", "A")]


def spelled(task: Task) -> list[str]:
    """Words in capitals, which the first letters of lines may have to spell."""
    return [word for word in dict.fromkeys(SPELLED.findall(task.prompt)) if word.isupper()]


def orders(task: Task) -> list[Order]:
    """The orders that a prompt may mean, the plainest reading first."""
    text = task.prompt
    read = _read(text)
    clauses = _by_clause(text, read)
    found = [read, clauses, replace(clauses, case=""), replace(read, case="lower")]
    found += _otherwise(text, read)
    if ACROSTIC.search(task.shown):
        made = [replace(read, acrostic=word) for word in spelled(task)]
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
    said_in_order = iter(quotes(text))
    for clause in re.split(r"[.!?;:,\n()]", QUOTED.sub("\0", text)):
        parts = clause.split("\0")
        around = ""
        for n, before in enumerate(parts[:-1]):
            around = before if len(before.split()) > 2 or not around else around
            last = n == len(parts) - 2
            said = next(said_in_order)
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
    yield from ((item, 1) for item in wanted_items(text))


def _avoided(text: str) -> Iterator[str]:
    rule = r"(?:do not|don't|never|avoid|without|not)\b[^\n.:]{0,40}?\bwords?\b[: ]*([^\n.]+)"
    for match in re.finditer(rule, text, re.IGNORECASE):
        yield from _listed(match[1])
    yield from LETTER.findall(text)


def _listed(text: str) -> list[str]:
    words = quotes(text) or re.split(r",\s*|\s+(?:and|or)\s+", text)
    return [word.strip(" .") for word in words if 0 < len(word.strip(" .")) < 30][:6]


def _otherwise(text: str, read: Order) -> Iterator[Order]:
    """Readings in any language: the numbers as sentences and words, all quoted words inside."""
    numbers = [int(n) for n in dict.fromkeys(re.findall(r"\b\d{1,3}\b", text))][:5]
    plain = tuple((word, 1) for word in quotes(text) if re.fullmatch(r"[\w'-]+", word))[:6]
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
