"""The single verdicts in a judge's reply: a yes or no for each of several questions, in JSON or in
lines, and the reply with another one in its place.

    names('{"1": "yes", "2": "no"}')            # ["1", "2"]
    changed("1: yes\\n2: yes", "2", NO)          # "1: yes\\n2: no"
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

YES, NO = "yes", "no"
LINE = re.compile(r"^\W*(\w{1,30})\s*[:：.]\s*(yes|no)\W*$", re.IGNORECASE | re.MULTILINE)
"""A line of a reply with one verdict: `3: yes`."""
NAMES = ("name", "criterion", "id", "key", "item")


def names(said: str) -> list[str]:
    """The names of the verdicts in a judge's reply: keys of its JSON, or what begins its lines."""
    try:
        return [name for name, _, _ in _verdicts(json.loads(said))]
    except ValueError:
        return [found[0] for found in LINE.findall(said)]


def changed(said: str, name: str, verdict: str) -> str:
    """The reply with another verdict on one question, written as the one that stands there."""
    try:
        value = json.loads(said)
    except ValueError:
        line = re.compile(rf"^(\W*{re.escape(name)}\s*[:：.]\s*)(\w+)", re.MULTILINE)
        return line.sub(lambda found: found[1] + _like(found[2], verdict), said)
    for found, holder, key in list(_verdicts(value)):
        if found == name:
            was = holder[key]
            holder[key] = verdict == YES if isinstance(was, bool) else _like(str(was), verdict)
    return json.dumps(value)


def _like(word: str, verdict: str) -> str:
    return verdict.upper() if word.isupper() else verdict if word.islower() else verdict.title()


def _verdicts(value: Any) -> Iterator[tuple[str, Any, Any]]:
    """(name, the object or list that holds it, key) of each yes or no in a judge's reply."""
    if isinstance(value, dict):
        named = next((value[key] for key in NAMES if isinstance(value.get(key), str)), "")
        for key, one in value.items():
            if isinstance(one, bool) or str(one).lower() in (YES, NO):
                yield str(named or key), value, key
            elif isinstance(one, dict) and len(held := list(_verdicts(one))) == 1:
                yield str(key), *held[0][1:]
            else:
                yield from _verdicts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _verdicts(one)
