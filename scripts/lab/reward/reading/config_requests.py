"""One change as its author keeps it, read as a verb, a path and what it takes.

["set", "listen.port", 443]                            # verb, path, values
["listen.port", "set", 443]
{"op": "move", "from": "/a/b", "path": "/a/c"}         # JSON Patch
{"section": "listen", "key": "port", "to": "443"}      # no verb: set
{"remove": "listen.hosts", "item": "a"}                # the verb is a key
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lab.reward.reading.config_paths import joined

WORDS = {
    "set": "set replace change update put assign modify edit write upsert override make define",
    "add": "add insert include create",
    "append": "append push",
    "prepend": "prepend unshift",
    "merge": "merge extend",
    "remove": "remove delete drop unset del discard rm erase exclude pop",
    "rename": "rename",
    "move": "move mv",
    "copy": "copy cp duplicate clone",
    "test": "test",
}
VERBS = {word: verb for verb, words in WORDS.items() for word in words.split()}
KEYS = {
    "verb": "op operation action verb change do command type kind",
    "section": "section table group",
    "source": "from from_path old_path old_key old_name old_value old source",
    "path": "path pointer key keys target field setting property option list location where name",
    "index": "index position",
    "value": "value new_value new_path new_key new_name new to val item member element with content"
    " values items",
}
"""What the parts of a change are called where it is an object."""
MISSING: Any = object()
LONGEST_VERB = 24


class NotUnderstood(ValueError):
    """A change that means nothing here, or not one thing."""


@dataclass(frozen=True)
class Change:
    verb: str
    """"" where none is said: a value is set."""
    path: Any
    args: tuple[Any, ...]


def understood(changes: Any, *, named: bool = True) -> bool:
    """Whether a value is a list of changes, whatever they are made in; of one that no name calls so
    a verb has to say it."""
    try:
        verbs = [parsed(one).verb for one in changes] if isinstance(changes, list) else []
    except NotUnderstood:
        return False
    return any(verbs) or (named and len(verbs) > 0)


def parsed(change: Any) -> Change:
    if isinstance(change, dict):
        return _of_object({str(key).lower(): value for key, value in change.items()})
    if isinstance(change, (list, tuple)):
        return _of_list(list(change))
    raise NotUnderstood(f"no change: {change!r}")


def verb_of(word: Any) -> str:
    """`set` for `replace`, `SET` or `set_value`; "" for what does not begin with a verb."""
    if not isinstance(word, str) or len(word) > LONGEST_VERB or re.search(r"[./\[]", word):
        return ""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Za-z][a-z]*", word)
    return VERBS.get(words[0].lower(), "") if words else ""


def _of_list(parts: list[Any]) -> Change:
    """The verb first, or behind the path, or behind a sentence for people."""
    verbs = [at for at, part in enumerate(parts[:2]) if verb_of(part)]
    if not verbs or len(parts) < 2:
        raise NotUnderstood(f"no verb in {parts!r}")
    at = min(verbs, key=lambda at: parts[at].lower() not in VERBS)
    path, *args = parts[:at] + parts[at + 1 :]
    if at and isinstance(path, str) and " " in path.strip() and args:
        path, *args = args
    return Change(verb_of(parts[at]), path, tuple(args))


def _of_object(parts: dict[str, Any]) -> Change:
    """The parts under their names."""
    verb = verb_of(_taken(parts, "verb", verb_of)) or _key_that_is_verb(parts)
    section, source, path, index, value = (
        _taken(parts, name) for name in ("section", "source", "path", "index", "value")
    )
    if verb in ("rename", "move", "copy"):
        path, *args = _renamed(source, path, value, _taken(parts, "path"))
    else:
        args = _there(source, value)
        if index is not MISSING:
            placed = verb in ("add", "prepend", "append")
            path, args = (path, [index, *args]) if placed else (joined(path, index), args)
            verb = "add" if placed else verb
    if section is not MISSING:
        path = section if path is MISSING else joined(section, path)
    if path is MISSING or not (verb or args):
        raise NotUnderstood(f"no path or no verb in {parts!r}")
    return Change(verb, path, tuple(args))


def _renamed(source: Any, path: Any, value: Any, name: Any) -> list[Any]:
    """What is renamed and what to: `from` and `path`, `path` and `to`, `path` and `name`; with
    all three the path is that of the object with both keys."""
    given = _there(source, path, value)
    given += _there(name) if len(given) == 1 else []
    return [joined(path, source), value] if len(given) == 3 else given or [MISSING]


def _key_that_is_verb(parts: dict[str, Any]) -> str:
    """The verb of `{"set": "a.b", "value": 1}` or `{"path": "a.b", "set": 1}`; its path, or its
    value, gets a usual name."""
    key = next((key for key in parts if verb_of(key)), "")
    if key:
        value = parts.pop(key)
        has_path = any(name in parts for name in KEYS["path"].split())
        if value is not True or not has_path:  # `{"path": "a.b", "delete": true}`
            parts["value" if has_path else "path"] = value
    return verb_of(key)


def _taken(parts: dict[str, Any], part: str, fits: Callable[[Any], Any] | None = None) -> Any:
    """The first value under one of the names of a part; it is taken out."""
    for name in KEYS[part].split():
        if name in parts and (fits is None or fits(parts[name])):
            return parts.pop(name)
    return MISSING


def _there(*values: Any) -> list[Any]:
    return [value for value in values if value is not MISSING]
