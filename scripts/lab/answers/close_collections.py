"""Lists, records and sequences that are nearly right: a member too many, two fields exchanged.

Each function yields near misses of one sort; where the gold is no such collection it yields none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lab.answers.close_values import Near
from lab.answers.dates import read_day
from lab.answers.extract import loads
from lab.answers.lists import SEPARATORS, read, write
from lab.answers.numbers import number_text, parse_number
from lab.answers.target import Target, members
from lab.answers.wrong import MADE_UP

Path = tuple[str, ...]
MOST_FIELDS, MOST_CUT = 6, 3
CODE = re.compile(r"[A-Z0-9-]{2,12}")
"""A text of which each character says something."""
FREE_FIELDS = re.compile(
    r"reason|explanation|thought|rationale|comment|note|confidence|certainty|summary|description"
    r"|(?:^|_)id$",
    re.IGNORECASE,
)
"""Fields that go with an answer and are no part of it."""
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\d)")
ORDER_ASKED = re.compile(
    r"\bin (?:the |a |their |its )?(?:\w+ )?order\b(?! to\b)|\bchronological"
    r"|\border(?:ed|ing)? (?:\w+ )?(?:by|from|according)\b|\b(?:re)?order (?:the|these)\b"
    r"|(?<!what )(?<!some )(?<!which )\bsort(?:ed|ing)?\b(?! of\b)|\brank(?:ed|ing)?\b"
    r"|\b(?:earliest|oldest|newest|latest|smallest|largest|biggest|lowest|highest|nearest|shortest"
    r"|longest|cheapest) (?:first|to)\b|\bascending\b|\bdescending\b"
    r"|\bfrom (?:first to last|start to finish)\b|\bstep by step order\b"
    r"|\b(?:correct|right) sequence\b",
    re.IGNORECASE,
)
ANY_ORDER = re.compile(
    r"\b(?:any|whatever|arbitrary|no particular) order\b(?! (?:among|between|within)\b)"
    r"|\border (?:does not|doesn't|is not|isn't|will not|won't) (?:matter|important|relevant|count)"
    r"|\bregardless of (?:the )?order\b|\bunordered\b",
    re.IGNORECASE,
)
SHORT = 12
"""Members of a sequence up to which a made-up middle is most of the answer."""
TURNED = "each one place further"
"""Where this is paid, the order does not count and the reverse is right."""


def extra_members(t: Target) -> Iterator[Near]:
    found = members(t) if t.collection else None
    if found:
        items, joint = found
        wrong = other_members(t, items)[: max(2, len(items))]
        yield Near("as many wrong members besides", write(items + wrong, joint, t.gold))
        yield Near("wrong members first", write(wrong + items, joint, t.gold))


def every_member(t: Target) -> Iterator[Near]:
    found = members(t) if t.collection else None
    if found:
        everything = dict.fromkeys([*found[0], *other_members(t, found[0])])
        yield Near("the members of all golds", write(sorted(everything)[:60], found[1], t.gold))


def other_members(t: Target, items: list[str]) -> list[str]:
    """Members of other tasks' golds that are not in this one, made-up ones after them."""
    pool = [item for gold in t.golds for item in (members(t, gold) or ([], ""))[0]]
    numeric = all(parse_number(item) is not None for item in items)
    made = [str(9000 + n) for n in range(len(items) + 1)] if numeric else list(MADE_UP)
    known = {item.lower() for item in items}
    return [item for item in dict.fromkeys([*pool, *made]) if item.lower() not in known]


TABLE_HEAD = 2
"""Lines of a Markdown table above its rows."""


def missing_members(t: Target) -> Iterator[Near]:
    value = loads(t.gold) if t.gold.lstrip()[:1] == "{" else None
    if isinstance(value, dict):
        yield from _missing_fields(value)
        return
    rows = t.gold.splitlines()
    if len(rows) > TABLE_HEAD + 1 and set(rows[1]) <= set("|-: "):
        yield Near("the first row alone", "\n".join(rows[: TABLE_HEAD + 1]))
        return
    found = members(t) if t.collection else None
    if found and len(found[0]) > 1:
        items, joint = found
        yield Near("the first member alone", write(items[:1], joint, t.gold))
        if len(set(items)) > 1:
            repeated = write(items[:1] * len(items), joint, t.gold)
            yield Near("the first member, as often as there are members", repeated)
        if len(written := _writings(items[0])) > 1:
            again = write(written[: len(items)], joint, t.gold)
            yield Near("the first member in other writings", again)
        if len(set(items)) > 2:
            ends = write([*items[:1] * (len(items) - 1), items[-1]], joint, t.gold)
            yield Near("the first member in the place of all but the last", ends)


def _writings(member: str) -> list[str]:
    """A word in writings that a lenient reader takes for one."""
    made = (member, member.upper(), member.capitalize(), member.swapcase(), f"**{member}**")
    return list(dict.fromkeys(made)) if member.isalpha() and member.upper() != member else []


def _missing_fields(value: dict[str, Any]) -> Iterator[Near]:
    if len(value) > 1:
        first, *rest = value
        name = "without the last field" if len(rest) == 1 else "the first field alone"
        yield Near(name, json.dumps({first: value[first]}))
        yield Near("fields without values", json.dumps(dict.fromkeys(value)))


def reversed_order(t: Target) -> Iterator[Near]:
    found = members(t) if t.all_of else None
    if found and len(set(found[0])) >= 3:
        items, joint = found
        yield Near("in reverse", write(items[::-1], joint, t.gold), unless=TURNED)


def turned(t: Target) -> str | None:
    """The members each one place further; None where the gold has fewer than three."""
    found = members(t) if t.all_of else None
    if found is None or len(set(found[0])) < 3:
        return None
    return write(found[0][1:] + found[0][:1], found[1], t.gold)


def exchanged(t: Target) -> Iterator[Near]:
    """Two fields of a record, or the last cells of two rows, in each other's places."""
    value = loads(t.gold) if t.gold.lstrip()[:1] == "{" else None
    if isinstance(value, dict):
        for a, b in _exchangeable(value)[:1]:
            swapped = value | {a: value[b], b: value[a]}
            yield Near("two fields", json.dumps(swapped, ensure_ascii=False))
        return
    for mark in ("|", "\t", ",", ";"):
        rows = [line.split(mark) for line in t.gold.splitlines()]
        if _is_table(rows):
            first, second = rows[-2], rows[-1]
            mixed = [*rows[:-2], [*first[:-1], second[-1]], [*second[:-1], first[-1]]]
            yield Near("the last cells of two rows", "\n".join(mark.join(row) for row in mixed))
            return


def _exchangeable(value: dict[str, Any]) -> list[tuple[str, str]]:
    """Pairs of fields whose values are of one kind and differ."""
    plain = {k: v for k, v in value.items() if isinstance(v, (str, int, float))}
    return [
        (a, b)
        for a in plain
        for b in plain
        if a < b and type(plain[a]) is type(plain[b]) and plain[a] != plain[b]
    ]


def _is_table(rows: list[list[str]]) -> bool:
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        return False
    return rows[-1][-1] != rows[-2][-1] and rows[-1][:-1] != rows[-2][:-1]


def sequence(t: Target) -> tuple[list[str], str] | None:
    """The members of a gold that is a sequence of short values; None for one value or prose."""
    joined = any(mark in t.gold for mark in SEPARATORS) or t.gold[:1] == "["
    found = members(t) if t.all_of else read(t.gold) if joined else None
    if found is None or not 2 < len(found[0]) <= SHORT or max(map(len, found[0])) > 60:
        return None
    return found


def other_orders(t: Target) -> Iterator[Near]:
    """The right members in a wrong order, where the prompt asks for an order."""
    found = sequence(t)
    if found is None or not ORDER_ASKED.search(t.shown) or ANY_ORDER.search(t.shown):
        return
    items, joint = found
    orders = {"the first one last": items[1:] + items[:1], "reversed": items[::-1]}
    places = [t.shown.lower().rfind(item.lower()) for item in items]
    if min(places) >= 0:
        listed = [item for _, item in sorted(zip(places, items, strict=True))]
        orders["as the prompt lists them"] = listed
    for name, order in orders.items():
        if order != items:
            yield Near(name, write(order, joint, t.gold))


def invented_steps(t: Target) -> Iterator[Near]:
    """The right ends of a sequence with invented members between them."""
    found = sequence(t)
    if found is None:
        return
    items, joint = found
    made = _made_up(items, t.shown)
    mixed = {
        "the ends alone are right": [items[0], *made[1:-1], items[-1]],
        "the last one alone is right": [*made[:-1], items[-1]],
        "all of them invented": made,
    }
    for name, steps in mixed.items():
        yield Near(name, write(steps, joint, t.gold))


def _made_up(items: list[str], shown: str) -> list[str]:
    """As many members of the same look, none of which the prompt names."""
    if all(parse_number(item) is not None for item in items):
        return [str(9001 + 7 * n) for n in range(len(items))]
    if max(map(len, items)) <= 2:
        pool = list("XJWYVUQKZNM")
    else:
        ends = "uorel ephrim almont iddling arrow estrel ottage undry ilverin acket oster".split()
        pool = [f"{a}{b}" for a in "QZ" for b in ends]
    free = [name for name in pool if not re.search(rf"\b{name}\b", shown)] or pool
    return [free[n % len(free)] for n in range(len(items))]


COMMAND = re.compile(r"(?:^|\s)--?[A-Za-z]|[$|][A-Za-z ]|[\\*]")
"""Options and signs of commands and patterns: another number in one may do the same."""


def one_part_wrong(t: Target) -> Iterator[Near]:
    """Answers of several parts of which one is wrong: a field, a number of a pair, a name's
    word."""
    value = loads(t.gold) if t.gold.lstrip()[:1] == "{" else None
    if isinstance(value, dict):
        yield from _wrong_fields(value)
        return
    if COMMAND.search(t.gold):
        return
    yield from _wrong_numbers(t.gold)
    if t.answer_type == "text":
        yield from _wrong_words(t.gold)


def _wrong_fields(value: dict[str, Any]) -> Iterator[Near]:
    leaves = [
        (path, leaf)
        for path, leaf in _leaves(value)
        if not any(FREE_FIELDS.search(step) for step in path)
    ]
    if len(leaves) < 2:
        return
    for path, leaf in leaves[:MOST_FIELDS]:
        yield Near(f"{path[-1]} is wrong", dumped(put_at(value, path, other_value(leaf))))
        if isinstance(leaf, str) and leaf:
            several = f"{MADE_UP[0]}, {leaf} or {MADE_UP[2]}"
            yield Near(f"{path[-1]} or another", dumped(put_at(value, path, several)))
    short = {key: inner[:-1] for key, inner in value.items() if _each_counts(key, inner)}
    for key, inner in list(short.items())[-MOST_CUT:]:
        what = "member" if isinstance(inner, list) else "character"
        yield Near(f"{key} without its last {what}", dumped(value | {key: inner}))


def _each_counts(key: str, value: Any) -> bool:
    """Whether it is a list of several, or a code."""
    several = isinstance(value, list) and len(value) > 1
    code = isinstance(value, str) and CODE.fullmatch(value) is not None
    return (several or code) and not FREE_FIELDS.search(key)


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


DECIMAL_COMMA = r"[-−]?\d+,\d+"
"""One number, as most languages write it."""
LINE_NUMBER = re.compile(r"^\s*(\d+)[.)]\s", re.MULTILINE)


def _wrong_numbers(gold: str) -> Iterator[Near]:
    """The gold with one of its numbers far off, for golds of at least two."""
    marks = {match.start(1) for match in LINE_NUMBER.finditer(gold)}
    found = [match for match in NUMBER.finditer(gold) if match.start() not in marks]
    if len(found) == 2 and re.fullmatch(DECIMAL_COMMA, gold[found[0].start() : found[1].end()]):
        return
    if not 1 < len(found) <= 8 or len(gold) > 120 or read_day(gold) is not None:
        return
    ends = {"first": found[0], "last": found[-1]}
    for name, match in ends.items():
        yield Near(f"the {name} number is wrong", _replaced(gold, match, _off(match[0])))
    for name, match in ends.items():
        if match[0].strip("0").isdecimal():
            yield Near(f"the {name} number is ten times", _replaced(gold, match, f"{match[0]}0"))


def _replaced(gold: str, match: re.Match[str], text: str) -> str:
    return gold[: match.start()] + text + gold[match.end() :]


def _wrong_words(gold: str) -> Iterator[Near]:
    """The first or the last word made up, for names and other texts of two words or more."""
    found = list(re.finditer(r"[^\W\d_]{3,}", gold))
    if not 1 < len(found) <= 6 or len(gold) > 60 or read_day(gold) is not None:
        return
    named = {"the first word is made up": found[0], "the last word is made up": found[-1]}
    for name, match in named.items():
        if 4 * len(match[0]) >= len(gold):  # a smaller part may pass for a slip of the pen
            other = "quorel" if match[0].islower() else "Quorel"
            yield Near(name, _replaced(gold, match, other))


def _off(number: str) -> str:
    value = parse_number(number.replace("−", "-"))
    if value is None:
        return f"{number}7"
    places = len(number.partition(".")[2])
    moved = (Fraction(value) * 3 / 2 + 13) * 10**places
    return number_text(Decimal(round(moved)).scaleb(-places))


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, str(key)))
    elif not isinstance(value, list):
        yield path, value


def put_at(value: Any, path: tuple[Any, ...], leaf: Any) -> Any:
    """The value with another leaf at the end of a path of keys and positions; its lists and
    objects on the way are copies."""
    if not path:
        return leaf
    head, *rest = path
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    copied[head] = put_at(value[head], tuple(rest), leaf)
    return copied


def other_value(leaf: Any) -> Any:
    if isinstance(leaf, bool) or leaf is None:
        return not leaf
    if isinstance(leaf, (int, float)):
        return leaf * 2 + 13
    words = set(str(leaf).lower().split())
    return next((text for text in MADE_UP if not words & set(text.lower().split())), MADE_UP[0])
