"""A text with more or fewer members or with two exchanged, with a line for a key that it lacks, or
with a text that the code looks for in it.

lengthened("A: 1, 2", [("!=", 2, 4, False)])       -> "A: 1, 2, 2, 2"
lengthened("1: yes", [("in", 2, {"1": True}, None)]) -> "1: yes\\n2: yes"
lengthened('{"a": 1}', [("in", "b", {"a": 1}, None)]) -> '{"a": 1, "b": 1}'
lengthened("yes", [("startswith", "SAY ", "yes", False)]) -> "SAY yes"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from lab.answers.extract import loads
from lab.reward.reading.candidate import dumped
from lab.reward.reading.places import is_number, is_plain, replaced, spans, written
from lab.reward.reading.put_in import JSON

MOST_MEMBERS, LEAST_MEMBERS, LEAST_MARK, LONGEST_MARK = 60, 3, 2, 60
JOINTS = (r"\n", r"\s*,\s*", r"\s*;\s*", r"\s*\|\s*", r"\s+", r"\s*(?:->|→|>|-|/)\s*")
"""What may be between members."""
WHOLE = re.compile(r"(?<![\w.:/-])\d{1,9}(?![\w:/-]|\.\d)")
LOOKED_FOR = ("in", "startswith", "endswith")
Pair = tuple[str, Any, Any, bool | None]


def lengthened(text: str, pairs: Sequence[Pair]) -> Iterator[str]:
    """What is compared last comes first."""
    in_objects = list(_with_keys(text, pairs))
    yield from in_objects
    for name, left, right, held in reversed(pairs):
        if name in LOOKED_FOR and not held:
            yield from _with_text(text, name, left, right)
        if name in ("in", "==") and is_plain(left) and not in_objects:
            yield from _with_line(text, left, right)
        if name not in ("in", "not in") and _is_count(left) and _is_count(right) and left != right:
            for ours, wanted in ((left, right), (right, left)):
                yield from _of_count(text, ours, wanted)


def reordered(text: str) -> Iterator[str]:
    """The text with two members of its last line that has several in each other's places: where a
    part is paid for a part of the order, it shows the way to the rest."""
    lines = text.splitlines()
    for n, line in reversed(list(enumerate(lines))):
        head, body = _after_label(line)
        for joint in JOINTS[1:]:
            members = re.split(f"({joint})", body)
            if len(members) >= 2 * LEAST_MEMBERS - 1 and all(members):
                for i, j in list(combinations(range(0, len(members), 2), 2))[:MOST_MEMBERS]:
                    made = [*members]
                    made[i], made[j] = members[j], members[i]
                    yield "\n".join([*lines[:n], head + "".join(made), *lines[n + 1 :]])
                return


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_MEMBERS


def _with_text(text: str, name: str, wanted: Any, part: Any) -> Iterator[str]:
    """The text with a literal before or behind the part in which it is looked for."""
    fits = isinstance(wanted, str) and isinstance(part, str) and len(wanted) <= LONGEST_MARK
    if not fits or not part.strip() or part.strip() not in text or wanted in text:
        return
    if name == "in" and len(wanted.strip()) < LEAST_MARK:
        return  # a sign that may be in it, more often than one that has to be
    own = part.strip()
    beside = [wanted + own, f"{wanted}\n{own}", f"{own}\n{wanted}"]
    made = [own + wanted] if name == "endswith" else beside
    yield from (text.replace(own, one, 1) for one in made)


def _with_line(text: str, key: Any, among: Any) -> Iterator[str]:
    """The text with the line of a known key once more, for a key that it lacks."""
    known = list(among) if isinstance(among, (dict, list)) else [among]
    if key in known or str(key) in known or spans(text, key):
        return
    lines = text.splitlines()
    for other in reversed(known):
        other = int(other) if isinstance(other, str) and other.isdecimal() else other
        at = [n for n, line in enumerate(lines) if is_plain(other) and spans(line, other)]
        if at and is_number(other) == is_number(key):
            span = spans(lines[at[-1]], other)[0]
            line = replaced(lines[at[-1]], [(span, written(key))])
            yield "\n".join([*lines[: at[-1] + 1], line, *lines[at[-1] + 1 :]])
            return


def _with_keys(text: str, pairs: Sequence[Pair]) -> Iterator[str]:
    """The text with all the keys that are looked up in an object of it and are not there, each
    with what a key has that is."""
    lacked: dict[tuple[str, ...], list[str]] = {}
    for name, key, among, _ in pairs:
        if name == "in" and isinstance(key, str) and isinstance(among, dict) and key not in among:
            lacked.setdefault(tuple(among), []).append(key)
    found = JSON.search(text) if lacked else None
    whole = loads(found[0]) if found else None
    if found is None or whole is None:
        return
    for known, keys in lacked.items():
        made = _having(whole, set(known), keys)
        if made != whole:
            yield text[: found.start()] + dumped(made) + text[found.end() :]


def _having(value: Any, known: set[str], keys: Sequence[str]) -> Any:
    """The value with further keys in each object of it that has the known ones."""
    if isinstance(value, list):
        return [_having(inner, known, keys) for inner in value]
    if not isinstance(value, dict):
        return value
    made = {key: _having(inner, known, keys) for key, inner in value.items()}
    if made and {str(key).lower() for key in made} == {key.lower() for key in known}:
        made |= dict.fromkeys(keys, next(reversed(made.values())))
    return made


def _of_count(text: str, ours: int, wanted: int) -> Iterator[str]:
    """The text with as many members as are wanted where it has `ours`: the last one again, or
    without the last ones; members of a line, or lines."""
    lines = text.splitlines()
    for n, line in reversed(list(enumerate(lines))):
        for joint in JOINTS[1:]:
            head, body = _after_label(line)
            members = re.split(f"({joint})", body)
            if len(members) == 2 * ours - 1 and all(members[::2]) and ours > 1:
                made = _members(members, wanted)
                yield "\n".join([*lines[:n], head + "".join(made), *lines[n + 1 :]])
    if isinstance(loads(text), (dict, list)):
        return  # one object, and no list of lines
    for last in range(len(lines), max(0, len(lines) - 3), -1):
        block = lines[max(0, last - ours) : last]
        if len(block) == ours and block[-1].strip():
            more = [another(block[-1], n) for n in range(1, wanted - ours + 1)]
            kept = block[:wanted] + more
            yield "\n".join([*lines[: last - ours], *kept, *lines[last:]])


def _after_label(line: str) -> tuple[str, str]:
    found = re.match(r"[^:：=]{1,40}[:：=]\s*", line)
    return (found[0], line[found.end() :]) if found else ("", line)


def _members(members: list[str], wanted: int) -> list[str]:
    """The parts of a line, members and what is between them in turn."""
    if len(members) >= 2 * wanted - 1:
        return members[: 2 * wanted - 1]
    more = range(1, wanted - (len(members) + 1) // 2 + 1)
    return members + [part for n in more for part in (members[-2], another(members[-1], n))]


def another(text: str, n: int) -> str:
    """The text with each of its whole numbers `n` more, so that none is said twice."""
    return WHOLE.sub(lambda found: str(int(found[0]) + n), text)
