"""Answers of several parts of which one is wrong: a field of a record, a number of a pair.

A reward that reads the first part, or the parts that it knows, pays for the rest whatever it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lab.answers.dates import read_day
from lab.answers.extract import loads
from lab.answers.numbers import number_text, parse_number
from lab.answers.wrong import MADE_UP, beside, plain_words, same
from lab.environment import Completion
from lab.probes.families import family
from lab.probes.near_numbers import TOLERANCE
from lab.probes.subject import Subject

Probes = Iterator[tuple[str, Completion]]
Path = tuple[str | int, ...]
MOST_FIELDS = 6
BESIDES = re.compile(r"reason|explanation|thought|rationale|comment|note|confidence|certainty|summary|description|(?:^|_)id$", re.IGNORECASE)
"""Fields that go with an answer and are no part of it."""
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\d)")


@family(
    "one_part_wrong",
    section="lists",
    title="an answer with one wrong part is not paid like the right one",
    kinds=("text", "list", "math", "json"),
    reason="Where one part of a pair or a record is not compared, it is never learnt.",
    source="E08, for answers of several parts",
    fix="compare all parts; where one is free on purpose, leave it out of the gold",
)
def one_part_wrong(s: Subject, task: int) -> Probes:
    gold = s.gold(task)
    value = loads(gold) if gold.lstrip()[:1] == "{" else None
    made = list(_fields(value)) if isinstance(value, dict) else [*_numbers(gold), *(_words(gold) if s.family == "text" else ())]
    if made:
        # What earns a part for the parts that are right is no defect: only what earns all of it.
        yield "all of them wrong", s.write(s.wrong(task))
    for name, text in made:
        completion = s.write(text)
        if s.earns_all(task, completion):
            yield name, completion


def _numbers(gold: str) -> Iterator[tuple[str, str]]:
    """The gold with one of its numbers far off, for golds of at least two."""
    found = list(NUMBER.finditer(gold))
    if not 1 < len(found) <= 8 or len(gold) > 120 or read_day(gold) is not None:
        return
    for name, match in (("the first number is wrong", found[0]), ("the last number is wrong", found[-1])):
        yield name, gold[: match.start()] + _off(match[0]) + gold[match.end() :]


def _words(gold: str) -> Iterator[tuple[str, str]]:
    """The gold with its first or its last word made up, for names, addresses and other short texts of two words or more."""
    found = list(re.finditer(r"[^\W\d_]{3,}", gold))
    if not 1 < len(found) <= 6 or len(gold) > 60 or read_day(gold) is not None:
        return
    for name, match in (("the first word is made up", found[0]), ("the last word is made up", found[-1])):
        if 4 * len(match[0]) < len(gold):
            continue  # a small part of a long text may be taken for a slip of the pen
        other = "quorel" if match[0].islower() else "Quorel"
        yield name, gold[: match.start()] + other + gold[match.end() :]


def _off(number: str) -> str:
    value = parse_number(number.replace("−", "-"))
    if value is None:
        return f"{number}7"
    places = len(number.partition(".")[2])
    return number_text(Decimal(round((Fraction(value) * 3 / 2 + 13) * 10**places)).scaleb(-places))


def _fields(value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    leaves = [(path, leaf) for path, leaf in _leaves(value) if not any(BESIDES.search(str(step)) for step in path)]
    if len(leaves) < 2:
        return
    for path, leaf in leaves[:MOST_FIELDS]:
        yield f"{path[-1]} is wrong", json.dumps(_with(value, path, _other(leaf)), ensure_ascii=False)
        if isinstance(leaf, str) and leaf:
            yield f"{path[-1]} or another", json.dumps(_with(value, path, f"{MADE_UP[0]}, {leaf} or {MADE_UP[2]}"), ensure_ascii=False)


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif not isinstance(value, list):
        yield path, value


def _with(value: dict[str, Any], path: Path, leaf: Any) -> dict[str, Any]:
    head, *rest = path
    return value | {str(head): _with(value[str(head)], tuple(rest), leaf) if rest else leaf}


def _other(leaf: Any) -> Any:
    if isinstance(leaf, bool) or leaf is None:
        return not leaf
    if isinstance(leaf, (int, float)):
        return leaf * 2 + 13
    words = set(str(leaf).lower().split())
    return next((text for text in MADE_UP if not words & set(text.lower().split())), MADE_UP[0])


@family(
    "another_of_the_prompt",
    section="another-gold",
    title="another value of the prompt is not paid",
    kinds=("number", "text"),
    reason="A reward that looks the answer up in the passage, the table or the scrambled word pays whatever stands there.",
    source="E06, E36: the values of one's own prompt",
    fix="compare with the gold; that the answer occurs in the prompt says nothing",
    least_share=0.3,
)
def another_of_the_prompt(s: Subject, task: int) -> Probes:
    prompt, accepted = s.tasks[task].prompt, s.accepted(task)
    pool = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)", prompt) if s.family == "number" else _texts(prompt)
    if s.family == "number" and TOLERANCE.search(s.tasks[task].shown):
        return  # how far off is still right is not known
    kept = [text for text in dict.fromkeys(pool) if not s.between(task, text) and not any(same(s.family, text, right) or beside(text, right) or _share(text, right) for right in accepted)]
    for text in kept[:8]:
        yield "a value of the prompt", s.write(text)


def _texts(prompt: str) -> list[str]:
    """Names, quotations, what stands after the last colon, and the last word."""
    line = prompt.strip().splitlines()[-1] if prompt.strip() else ""
    quoted = re.findall(r"[\"“‘'`]([^\"”’'`\n]{2,60})[\"”’'`]", prompt)
    after = [line.rsplit(":", 1)[1].strip()] if ":" in line else []
    names = re.findall(r"\b[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*", prompt)
    return [text for text in (*quoted, *after, *re.findall(r"(\w+)\W*$", line), *names) if len(text) <= 60]


def _share(left: str, right: str) -> bool:
    return bool(set(plain_words(left).split()) & set(plain_words(right).split()))
