"""What an environment's own functions make of a task: candidates for an answer that no field holds.

A package that builds its tasks has the functions that write and compute what is right: `clock(24)`
is "12:00", `ruling(days, worn)` is "REFUND". They are called here with the fields that their
parameters are named like, with one field, and with each value inside a field. This happens in the
process that scores, and scoring decides whether something of it is right.

    computed(["/path/of/the/package/"], {"days": 12, "worn": False}, [task, task.data])
    # [("ruling()", "REFUND")]
"""

from __future__ import annotations

import copy
import inspect
import re
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any

from lab.environment.source import modules_of
from lab.environment.watch import plain

Value = tuple[str, Any]
SECONDS, EACH = 6.0, 0.3
MOST_FUNCTIONS, MOST_PARAMETERS, MOST_VALUES = 60, 6, 120
LEFT_OUT = re.compile(
    r"^_*(?:load|main|run|train|serve|download|fetch|setup|start|upload|push|post|delete|remove"
    r"|install|judge|ask|call|test)(?:_|$)"
)
"""Names of functions that do something, and compute nothing."""


def computed(roots: list[str], fields: dict[str, Any], holders: list[Any]) -> list[Value]:
    """The values by the call that gave them, each value once."""
    until = time.monotonic() + SECONDS
    found: dict[str, Value] = {}
    for name, call in _calls(tuple(roots), fields, holders):
        if time.monotonic() > until or len(found) >= MOST_VALUES:
            break
        value = plain(_bounded(call))
        if value not in (None, "", [], {}):
            found.setdefault(repr(value), (name, value))
    known = {repr(plain(value)) for value in fields.values()}
    return [one for key, one in found.items() if key not in known]


def _calls(
    roots: tuple[str, ...], fields: dict[str, Any], holders: list[Any]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    for holder in holders:
        yield from _of_object(holder, roots)
    functions = list(_functions(roots))[:MOST_FUNCTIONS]
    leaves = dict(_leaves(fields))
    for fn in functions:
        names = _required(fn)
        if names and all(name in leaves for name in names):
            given = {name: copy.deepcopy(leaves[name]) for name in names}
            yield f"{fn.__name__}()", partial(fn, **given)
    for fn in functions:
        if len(_required(fn) or ()) != 1:
            continue
        for name, value in fields.items():
            yield f"{fn.__name__}({name})", partial(fn, copy.deepcopy(value))
            if isinstance(value, (list, tuple, dict)):
                yield f"{fn.__name__} of each in {name}", partial(_mapped, fn, value)


def _of_object(holder: Any, roots: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The properties of an object's own class, and its methods that need nothing."""
    for owner in type(holder).__mro__:
        for name, member in vars(owner).items():
            fn: Any = member.fget if isinstance(member, property) else member
            own = inspect.isfunction(fn) and fn.__code__.co_filename.startswith(roots)
            if not own or name.startswith("_") or LEFT_OUT.search(name) or _waits(fn):
                continue
            if isinstance(member, property):
                yield name, partial(getattr, holder, name)
            elif _required(fn) == ["self"]:
                yield f"{name}()", partial(fn, holder)


def _functions(roots: tuple[str, ...]) -> Iterator[Callable[..., Any]]:
    """The plain functions of the environment's own modules."""
    seen: set[int] = set()
    for module in modules_of(roots):
        for fn in list(vars(module).values()):
            own = inspect.isfunction(fn) and fn.__code__.co_filename.startswith(roots)
            if own and id(fn) not in seen and not LEFT_OUT.search(fn.__name__) and not _waits(fn):
                seen.add(id(fn))
                yield fn


def _waits(fn: Any) -> bool:
    return bool(inspect.iscoroutinefunction(fn) or inspect.isasyncgenfunction(fn))


def _required(fn: Any) -> list[str] | None:
    """The parameters without a default; None where it takes a positional one without a name."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return None
    needed = [p for p in parameters if p.default is p.empty and p.kind not in (2, 4)]
    if len(needed) > MOST_PARAMETERS or any(p.kind == p.POSITIONAL_ONLY for p in needed):
        return None
    return [p.name for p in needed]


def _leaves(fields: dict[str, Any]) -> Iterator[Value]:
    """The fields by their own name, those inside an object too."""
    for name, value in fields.items():
        yield name, value
        if isinstance(value, dict):
            yield from ((str(key), inner) for key, inner in value.items())


def _mapped(fn: Callable[..., Any], value: Any) -> Any:
    """The value with a text of the function in the place of each part that is no container."""
    if isinstance(value, (list, tuple)):
        return [_mapped(fn, item) for item in value]
    if isinstance(value, dict):
        return {key: _mapped(fn, item) for key, item in value.items()}
    text = fn(value)
    if not isinstance(text, str):
        raise TypeError
    return text


def _bounded(call: Callable[[], Any]) -> Any:
    """The result of a call; None where it raises or does not come back."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, EACH)
    try:
        return call()
    except (Exception, SystemExit):
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
