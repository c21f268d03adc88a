"""What a test says that a call gives: a value, plain or wrapped, or an exception.

{"value": 3}, {"returns": 3}     ->  3
{"raises": "ValueError"}         ->  Raised("ValueError")
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

WANTED = (
    "output outputs stdout expected_output expected_outputs expected_stdout expected_result"
    " expected_results expected_value expected_values expected_return expected expect expects"
    " result results want wants wanted out answer returns return returned gives outcome outcomes"
).split()
"""Names of what a test wants."""
VALUES = ("value", "result", "returns", "return", "returned")
"""Names of what wraps a value; those of what wraps an exception follow."""
ERRORS = ("error", "raises", "exception", "raised", "throws")
SURELY = ("raises", "raised", "throws", "exception")
"""Words for an exception and nothing else: a program may return an object with an `error`."""
MESSAGES = ("message", "msg")
OWN_ERROR = re.compile(r"[A-Za-z_]\w*(?:Error|Exception)")
UNREAD: Any = object()


@dataclass(frozen=True)
class Raised:
    """A call that has to raise."""

    name: str
    message: str = ""

    @property
    def statement(self) -> str:
        return f"raise {self.name}({self.message!r})" if self.message else f"raise {self.name}()"

    @property
    def own(self) -> bool:
        """Whether Python does not have this exception, so that a program must declare it."""
        return not hasattr(builtins, self.name)


def outcomes(wanted: Sequence[Any], shown: str) -> list[Any] | None:
    """What all tests of a task want, out of what wraps it: as it is where nothing wraps it, or
    where the prompt asks for objects with those keys; None where it cannot be told."""
    inner = _single(wanted)
    wrappers = [one for one in inner if _is_wrapper(one)]
    read = [_unwrapped(one) for one in wrappers]
    if not wrappers or _asks_for(wrappers, shown):
        return list(wanted)
    if UNREAD in read:
        sure = any(key.lower() in SURELY for one in wrappers for key in one)
        return None if sure or any(one is not UNREAD for one in read) else list(wanted)
    if len(wrappers) == len(inner):
        return read
    if all(isinstance(one, Raised) for one in read):
        # Values may be plain where only the exceptions are wrapped.
        return [_unwrapped(one) if _is_wrapper(one) else one for one in inner]
    return None if any(isinstance(one, Raised) for one in read) else list(wanted)


def _single(wanted: Sequence[Any]) -> Sequence[Any]:
    """What is wrapped and in lists of one: a call of a function gives one thing."""
    single = all(isinstance(w, list) and len(w) == 1 and _is_wrapper(w[0]) for w in wanted)
    return [one for (one,) in wanted] if single else wanted


def wanted_of(test: dict[str, Any]) -> Any:
    """What a test wants, in a key beside those of what it gives (`{"args": [0], "raises":
    "ValueError"}`, `{"args": [4], "expect": 2}`); UNREAD where no key or more than one says it."""
    by_key = {str(key).lower(): value for key, value in test.items()}
    wanted = next((by_key[key] for key in WANTED if key in by_key), UNREAD)
    raised = {key: by_key[key] for key in (*ERRORS, *MESSAGES) if by_key.get(key)}
    if not any(key in ERRORS for key in raised):
        return by_key.get("value", UNREAD) if wanted is UNREAD else wanted
    if wanted is None or wanted is UNREAD:
        return raised
    return UNREAD if any(key in SURELY for key in raised) else wanted


def _is_wrapper(one: Any) -> bool:
    if not isinstance(one, dict) or not all(isinstance(key, str) for key in one):
        return False
    keys = {key.lower() for key in one}
    return bool(keys & {*VALUES, *ERRORS}) and keys <= {*VALUES, *ERRORS, *MESSAGES}


def _unwrapped(wrapper: dict[str, Any]) -> Any:
    by_key = {key.lower(): value for key, value in wrapper.items()}
    values = [by_key[key] for key in VALUES if key in by_key]
    errors = [by_key[key] for key in ERRORS if by_key.get(key)]
    message = next((by_key[key] for key in MESSAGES if by_key.get(key)), "")
    if not errors:
        return values[0] if len(values) == 1 and not message else UNREAD
    raised = len(errors) == 1 and _is_exception(errors[0]) and isinstance(message, str)
    return Raised(errors[0], message) if raised and not any(values) else UNREAD


def _is_exception(name: Any) -> bool:
    if not isinstance(name, str) or not name.isascii() or not name.isidentifier():
        return False
    kind = getattr(builtins, name, None)
    if kind is None:
        return bool(OWN_ERROR.fullmatch(name))
    try:
        return issubclass(kind, Exception) and bool(kind("why") and kind())
    except TypeError:  # no class, or one that needs more to be made: UnicodeDecodeError
        return False


def _asks_for(wrappers: list[dict[str, Any]], shown: str) -> bool:
    """Whether the prompt speaks of one of the keys as a key of what the program has to return."""
    for key in {key for one in wrappers for key in one}:
        if re.search(rf"['\"]{key}['\"]|[{{,]\s*{key}\s*:|\bkeys?:?\s+`{key}`", shown):
            return True
    return False
