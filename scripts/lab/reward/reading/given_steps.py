"""The tests of a class: sequences of calls, and what each of them gives.

{"init": [3], "calls": [["push", [1]], ["pop", []]]}, [None, 1]
["Ring", "push", "pop"], [[3], [1], []]             , [None, None, 1]
    ->  (("__init__", (3,)), ("push", (1,)), ("pop", ())), (None, None, 1)
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab.answers.extract import loads
from lab.reward.reading.known_calls import MADE, Call, ClassCases
from lab.reward.reading.outcomes import (
    ERRORS,
    MESSAGES,
    UNREAD,
    WANTED,
    Raised,
    outcomes,
    wanted_of,
)

INIT = ("init", "constructor", "init_args", "constructor_args", "ctor", "new", MADE)
STEPS = "calls steps operations ops actions methods commands sequence method_calls".split()
STEP_NAMES = ("method", "call", "name", "op", "operation", "action", "command", "function")
ARGS = ("args", "arguments", "params", "parameters", "inputs", "input", "values")
LABELS = ("id", "name", "title", "description", "note", "comment", "class", "class_name", "kind")
NAME_FIELDS = ("class_name", "class", "cls", "entry_point", "entry", "target", "name")
ASKED = re.compile(
    r"\b[Cc]lass (?:named |called )?(?:`(\w+)|([A-Z]\w*))|`(\w+)(?:\([^`\n]*\))?` class\b"
)
Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Written:
    """One test's calls as they are written; `made`: what the class is made with, None where that
    is not told apart from the calls."""

    calls: list[Any]
    made: list[Any] | None = None


@dataclass(frozen=True)
class Read:
    """One test's calls, and what it says that they give."""

    made: tuple[Any, ...]
    calls: tuple[Call, ...]
    wanted: list[Any]


def class_named(shown: str, fields: dict[str, Any]) -> str:
    """The class that a prompt asks for; "" where it asks for none."""
    asked = [next(filter(None, names)) for names in ASKED.findall(shown)]
    by_name = _by_name(fields)
    named = [by_name[key] for key in NAME_FIELDS if isinstance(by_name.get(key), str)]
    return next((name for name in named if name in asked), asked[0] if asked else "")


def class_cases(pairs: Sequence[Pair], fields: dict[str, Any], shown: str) -> ClassCases | None:
    """The sequences of calls among a task's tests, or the one that its fields are."""
    name = class_named(shown, fields)
    if not name.isidentifier() or keyword.iskeyword(name):
        return None
    known = {*INIT, *STEPS, *ARGS, *WANTED}
    row = sequence_test({key: one for key, one in _by_name(fields).items() if key in known})
    for tests in (list(pairs), [row] if row else []):
        if tests and (found := _of_tests(tests, name, shown)):
            return found
    return None


def sequence_test(test: dict[str, Any]) -> Pair | None:
    """What is given and what is wanted in a test that is a sequence of calls: beside it, or with
    each call."""
    by_key = _lowered(test)
    steps = _list_of(by_key, STEPS)
    wanted = _list_of(by_key, WANTED)
    if not steps:
        return None
    if wanted:
        given, results = {key: one for key, one in by_key.items() if key != wanted}, by_key[wanted]
    else:
        parted = [one for one in map(_parted, by_key[steps]) if one]
        given, results = {**by_key, steps: [call for call, _ in parted]}, [one for _, one in parted]
        if len(parted) < len(by_key[steps]):
            return None
    return (given, results) if _written(given) else None


def _of_tests(tests: list[Pair], name: str, shown: str) -> ClassCases | None:
    written = [(_written(given), _json(wanted)) for given, wanted in tests]
    if not all(one and isinstance(wanted, list) for one, wanted in written):
        return None
    every = outcomes([one for _, wanted in written for one in wanted], shown)
    if every is None:
        return None
    rest = iter(every)
    apart = [
        (_made_apart(one, len(wanted), name, shown), [next(rest) for _ in wanted])
        for one, wanted in written
        if one
    ]
    nested = all(map(_is_nested, (step for one, _ in apart for step in one.calls)))
    read = [_read(one, wanted, nested, name) for one, wanted in apart]
    reads = [one for one in read if one]
    return _class_of(reads, name) if len(reads) == len(read) else None


def _class_of(reads: list[Read], name: str) -> ClassCases | None:
    methods = tuple(dict.fromkeys(method for one in reads for method, _ in one.calls))
    told = any(one.calls and len(one.wanted) == len(one.calls) + 1 for one in reads)
    alike: dict[str, list[Read]] = {}
    for one in reads:
        alike.setdefault(repr(one.made), []).append(one)
    cases = [_aligned(one, told or _fails(alike[repr(one.made)])) for one in reads]
    full = tuple(one for one in cases if one)
    found = ClassCases(full, name, methods)
    return found if methods and len(full) == len(cases) and found.exact else None


def _fails(reads: list[Read]) -> bool:
    """Whether a class made in this way raises: its tests have one exception for several calls."""
    first = reads[0].wanted
    raised = len(first) == 1 and isinstance(first[0], Raised)
    return (
        raised
        and all(one.wanted == first for one in reads)
        and any(len(one.calls) > 1 for one in reads)
    )


def _aligned(one: Read, told: bool) -> Pair | None:
    """The calls, first the class's own, and what each gives. `told`: whether the test says so of
    the class's own, too. Where the last call that it speaks of raises, the test may stop there."""
    calls = ((MADE, one.made), *one.calls)
    own = told or len(one.wanted) > len(one.calls)
    wanted = tuple(one.wanted) if own else (None, *one.wanted)
    raised = [isinstance(value, Raised) for value in wanted]
    stops = len(wanted) < len(calls) and raised[-1:] == [True] and sum(raised) == 1
    if len(wanted) != len(calls) and not stops:
        return None
    made = wanted[0] is None or raised == [True]
    return (calls[: len(wanted)], wanted) if made else None


def _read(one: Written, wanted: list[Any], nested: bool, name: str) -> Read | None:
    steps = [_step(step, nested) for step in one.calls]
    calls = [step for step in steps if step]
    if len(calls) < len(steps):
        return None
    made = tuple(one.made or ())
    if one.made is None and calls and calls[0][0] in (name, *INIT):
        made = calls.pop(0)[1]
    if any(method == name or method.startswith("__") for method, _ in calls):
        return None
    return Read(made, tuple(calls), wanted)


def _made_apart(one: Written, wanted: int, name: str, shown: str) -> Written:
    """The test with the class's own arguments apart, where a list of them comes first."""
    first = one.calls[0] if one.calls else None
    if one.made is not None or not isinstance(first, list):
        return one
    if _is_name(first[0] if first else None):
        method = first[0]
        known = method in (name, *INIT) or re.search(rf"\b{method}\(|`{method}`", shown)
        if known or wanted != len(one.calls) - 1:
            return one
    return Written(one.calls[1:], first)


def _written(given: Any) -> Written | None:
    given = _json(given)
    if isinstance(given, dict):
        return _of_object(_lowered(given))
    if not isinstance(given, list) or not given:
        return None
    calls = _beside(*given) if len(given) == 2 else None
    if calls is None and all(isinstance(step, (list, dict)) for step in given):
        calls = given
    return Written(calls) if calls else None


def _of_object(by_key: dict[str, Any]) -> Written | None:
    steps = _list_of(by_key, STEPS)
    made = next((by_key[key] for key in INIT if key in by_key), None)
    if not steps or not (made is None or isinstance(made, list)):
        return None
    rest = [key for key in by_key if key not in (steps, *INIT, *LABELS)]
    if not rest:
        return Written(by_key[steps], made)
    calls = _beside(by_key[steps], by_key[rest[0]]) if len(rest) == 1 and rest[0] in ARGS else None
    return Written(calls, made) if calls else None


def _lowered(given: dict[Any, Any]) -> dict[str, Any]:
    return {str(key).lower(): _json(value) for key, value in given.items()}


def _list_of(by_key: dict[str, Any], names: Sequence[str]) -> str:
    """The first of the names that has a list; "" where none has."""
    return next((key for key in names if isinstance(by_key.get(key), list)), "")


def _beside(names: Any, arguments: Any) -> list[Any] | None:
    """Calls whose names are in one list and whose arguments in another."""
    if not isinstance(names, list) or not isinstance(arguments, list):
        return None
    fit = names and len(names) == len(arguments) and all(map(_is_name, names))
    lists = fit and all(isinstance(one, list) for one in arguments)
    return [list(one) for one in zip(names, arguments, strict=True)] if lists else None


def _step(step: Any, nested: bool) -> Call | None:
    """`["push", [1]]` (`nested`), `["push", 1]`, `{"method": "push", "args": [1]}`."""
    if isinstance(step, list) and step and _is_name(step[0]):
        return step[0], tuple(step[1] if nested and len(step) > 1 else step[1:])
    if not isinstance(step, dict):
        return None
    by_key = {str(key).lower(): value for key, value in step.items()}
    name = next((by_key.pop(key) for key in STEP_NAMES if key in by_key), None)
    args: Any = next((by_key.pop(key) for key in ARGS if key in by_key), [])
    more = any(by_key[key] not in (None, [], {}) for key in by_key if key not in LABELS)
    if more or not isinstance(args, list) or not _is_name(name):
        return None
    return str(name), tuple(args)


def _is_nested(step: Any) -> bool:
    if not isinstance(step, list):
        return True
    return len(step) == 1 or (len(step) == 2 and isinstance(step[1], list))


def _parted(step: Any) -> Pair | None:
    """A call and what it gives, from one that says both."""
    if isinstance(step, list):
        both = len(step) == 3 and isinstance(step[1], list) and _is_name(step[0])
        return (step[:2], step[2]) if both else None
    if not isinstance(step, dict):
        return None
    given = {key: one for key, one in step.items() if key not in (*WANTED, *ERRORS, *MESSAGES)}
    wanted = wanted_of(step)
    return None if wanted is UNREAD else (given, wanted)


def are_calls(value: Any) -> bool:
    """Whether a value is a list of calls, each a method's name before what it is given."""
    lists = isinstance(value, list) and bool(value)
    return lists and all(isinstance(one, list) and one and _is_name(one[0]) for one in value)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)


def _by_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {path.rsplit(".", 1)[-1].lower(): value for path, value in fields.items()}


def _json(value: Any) -> Any:
    """A list or an object that is written as JSON; everything else as it is."""
    return loads(value) if isinstance(value, str) and value.lstrip()[:1] in ("[", "{") else value
