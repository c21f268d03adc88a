"""A program worked out of a task's own tests, for tasks that have tests and no solution.

    {"input": "2 3", "output": "5"}, {"input": "1 1", "output": "2"}
        ->  print({"2 3": "5", "1 1": "2"}.get(sys.stdin.read().strip(), ""))

It knows the answers and nothing else, but every honest test run must pass it: so it serves as the
gold, and what a wrong program earns can be measured against it.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lab.answers.extract import loads
from lab.environment import Task
from lab.reward.reading.fields import flat
from lab.reward.reading.known_calls import Cases
from lab.reward.reading.outcomes import UNREAD, WANTED, Raised, outcomes, wanted_of

GIVEN = (
    "input inputs stdin args arguments in given call params parameters input_args call_args"
).split()
GIVEN_LISTS = ("cases", "tests", "test_inputs", "calls")
"""Further names of a field that holds what is given, where what is wanted is in another one."""
NAMES = ("entry_point", "entry", "fn_name", "func_name", "function_name", "function", "method")
NAMES_IN_TEST = (*NAMES, "call", "fn")
NAMED_TESTS = re.compile(r"test|case|example|assert|check|input|in_out|i_?o|hidden|visible")
ASKS_CODE = re.compile(r"```|\b(?:function|program|script|code|def)\b", re.IGNORECASE)
CLASS_ASKED = re.compile(
    r"\b[Cc]lass (?:named |called )?(?:`(\w+)|([A-Z]\w*))|`(\w+)(?:\([^`\n]*\))?` class\b"
)
CLASS_FIELDS = ("class_name", "class", "cls", "entry_point", "entry", "target", "name")
Pairs = list[tuple[Any, Any]]
Tests = tuple[tuple[Any, Any], ...]


def cases_of(task: Task) -> Cases | None:
    """The tests among the fields of a task; None where there are none that can be read, or that a
    program can know."""
    cases = read_cases(task)
    return cases if cases and cases.exact else None


def read_cases(task: Task) -> Cases | None:
    """The tests among the fields of a task, whether or not they contradict each other."""
    fields = dict(flat(task.fields))
    named = [value for path, value in fields.items() if NAMED_TESTS.search(path.lower())]
    asserted = [case for value in named for case in _asserted(value)]
    if asserted:
        return _of_asserts(asserted, _function_field(fields))
    tests = (list(_pairs(value)) for value in named)
    found = list(_beside(fields)) or [pairs for pairs in tests if pairs]
    called = {name for value in named for name in _called(value)}
    if not found or len(called) > 1 or not ASKS_CODE.search(task.shown):
        return None
    cases, function = _unwrapped(found, task.shown), _function_field(fields) or "".join(called)
    return _of_pairs(cases, function, fields, task.shown) if cases else None


def _unwrapped(found: list[Pairs], shown: str) -> Tests:
    """Visible and hidden tests together, as a program must pass both; () where what they want
    cannot be told."""
    wanted = outcomes([wanted for pairs in found for _, wanted in pairs], shown)
    rest = iter(wanted or ())
    read = [[(given, next(rest)) for given, _ in pairs] for pairs in found if wanted]
    alike = [pairs for pairs in read if _is_program(pairs) == _is_program(read[0])]
    return tuple(case for pairs in alike for case in pairs)


def _of_pairs(cases: Tests, function: str, fields: dict[str, Any], shown: str) -> Cases | None:
    if function and (read := _with_json_arguments(cases)):
        return Cases(read, function)
    if _is_program(list(cases)):
        return Cases(cases)
    function = function or _function_named(shown)
    lists = all(isinstance(given, (list, tuple)) for given, _ in cases)
    asked = class_named(shown, fields)
    # What a class is made with, and then its calls.
    scenarios = asked and all(
        _are_calls(wanted) or _ends_with_calls(given) for given, wanted in cases
    )
    one_call = function and function != asked and not scenarios
    return Cases(cases, function) if one_call and lists else None


def _ends_with_calls(given: Any) -> bool:
    return isinstance(given, list) and len(given) == 2 and _are_calls(given[1])


def _are_calls(value: Any) -> bool:
    """Whether a value is a list of calls, each a method's name before what it is given."""
    lists = isinstance(value, list) and bool(value)
    return lists and all(isinstance(one, list) and one and _is_name(one[0]) for one in value)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)


def class_named(shown: str, fields: dict[str, Any]) -> str:
    """The class that a prompt asks for; "" where it asks for none. The tests of a class are
    sequences of calls: they are not worked out."""
    asked = [next(filter(None, names)) for names in CLASS_ASKED.findall(shown)]
    by_name = {path.rsplit(".", 1)[-1].lower(): value for path, value in fields.items()}
    named = [by_name[key] for key in CLASS_FIELDS if isinstance(by_name.get(key), str)]
    return next((name for name in named if name in asked), asked[0] if asked else "")


def _with_json_arguments(cases: Tests) -> Tests:
    """The cases where what is given is a list of arguments as JSON; () where it is not."""
    read = tuple((_list(given), wanted) for given, wanted in cases)
    written = all(isinstance(given, str) for given, _ in cases)
    return read if written and all(isinstance(given, list) for given, _ in read) else ()


def _is_program(pairs: Pairs) -> bool:
    """Whether the tests give texts to a program, and no arguments to a function."""
    return all(isinstance(g, str) and not isinstance(w, (list, dict, Raised)) for g, w in pairs)


def _function_field(fields: dict[str, Any]) -> str:
    for path, value in fields.items():
        named = path.rsplit(".", 1)[-1].lower() in (*NAMES, "name")
        if named and isinstance(value, str) and value.isidentifier():
            return value
    return ""


def _called(value: Any) -> Iterator[str]:
    """The functions that tests name one by one: `{"call": "add", "args": [1, 2], "returns": 3}`."""
    for test in _list(value) if isinstance(_list(value), list) else ():
        for key in NAMES_IN_TEST if isinstance(test, dict) else ():
            if isinstance(test.get(key), str) and test[key].isidentifier():
                yield test[key]


def _function_named(text: str) -> str:
    found = re.search(r"def (\w+)\(|`(\w+)\(|function (?:named |called )?`(\w+)`", text)
    return next((name for name in found.groups() if name), "") if found else ""


@dataclass(frozen=True)
class Asserted:
    name: str
    args: tuple[Any, ...]
    wanted: Any


def _of_asserts(cases: list[Asserted], function: str) -> Cases | None:
    """HumanEval calls the function `candidate`."""
    names = {function if c.name == "candidate" and function else c.name for c in cases}
    pairs = tuple((case.args, case.wanted) for case in cases)
    return Cases(pairs, names.pop()) if len(names) == 1 else None


def _asserted(value: Any) -> Iterator[Asserted]:
    """The cases of `assert f(1, 2) == 3`, in one text or a list of them."""
    texts = value if isinstance(value, (list, tuple)) else [value]
    if not texts or not all(isinstance(text, str) and "assert" in text for text in texts):
        return
    try:
        tree = ast.parse("\n".join(texts))
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert) and (case := _compared(node.test)):
                yield case
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return


def _compared(test: ast.expr) -> Asserted | None:
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], (ast.Eq, ast.Is)):
        return None
    call = test.left
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        return None
    args = tuple(_value(argument) for argument in call.args)
    return Asserted(call.func.id, args, _value(test.comparators[0]))


def _value(node: ast.expr) -> Any:
    """A literal; `set()` is one too."""
    empty = isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Name)
    if empty and node.func.id in ("set", "list", "dict", "tuple"):  # type: ignore[attr-defined]
        return {"set": set, "list": list, "dict": dict, "tuple": tuple}[node.func.id]()  # type: ignore[attr-defined]
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "set" and len(node.args) == 1:
        return set(ast.literal_eval(node.args[0]))
    return ast.literal_eval(node)


def _pairs(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        value = loads(value)
    if isinstance(value, dict):
        given, wanted = _named_lists(value, GIVEN), _named_lists(value, WANTED)
        if given and wanted and len(given) == len(wanted):
            yield from zip(given, wanted, strict=True)
        return
    if not isinstance(value, (list, tuple)) or not value:
        return
    pairs = [_pair(case) for case in value]
    if all(pairs):
        yield from (pair for pair in pairs if pair)


def _beside(fields: dict[str, Any]) -> Iterator[Pairs]:
    """What is given and what is wanted in two fields, list beside list: called so, or the only two
    of one length in the task of a function, the first of them with lists of arguments."""
    lists = {
        path.rsplit(".", 1)[-1].lower().removesuffix("_json"): _list(value)
        for path, value in fields.items()
    }
    given, wanted = _named_lists(lists, (*GIVEN, *GIVEN_LISTS)), _named_lists(lists, WANTED)
    if not (given and wanted):
        long = [value for value in lists.values() if isinstance(value, list) and len(value) > 1]
        given, wanted = long if len(long) == 2 and _function_field(fields) else ([], [])
        if not all(isinstance(arguments, (list, tuple)) for arguments in given):
            return
    if given and len(given) == len(wanted):
        yield list(zip(given, wanted, strict=True))


def _list(value: Any) -> Any:
    """A list that is written as JSON; everything else as it is."""
    return loads(value) if isinstance(value, str) and value.lstrip()[:1] == "[" else value


def _named_lists(value: dict[str, Any], names: tuple[str, ...] | list[str]) -> list[Any] | None:
    return next((value[key] for key in names if isinstance(value.get(key), list)), None)


def _pair(case: Any) -> tuple[Any, Any] | None:
    if isinstance(case, dict):
        given = _given({str(key).lower(): value for key, value in case.items()})
        wanted = wanted_of(case)
        return None if given is None or wanted is UNREAD else (given, wanted)
    if isinstance(case, (list, tuple)) and len(case) == 2:
        return case[0], case[1]
    return None


def _given(test: dict[str, Any]) -> Any:
    """What a test gives; its `case` is often a name or a number, and no text to be read."""
    given = next((test[key] for key in GIVEN if key in test), None)
    case = _list(test.get("case"))
    return case if given is None and isinstance(case, (list, dict)) else given
