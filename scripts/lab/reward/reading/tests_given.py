"""A program worked out of a task's own tests, for tasks that have tests and no solution.

    {"input": "2 3", "output": "5"}, {"input": "1 1", "output": "2"}
        ->  print({"2 3": "5", "1 1": "2"}.get(sys.stdin.read().strip(), ""))

It knows the answers and nothing else, but every honest test run must pass it: so it serves as the
gold, and what a wrong program earns can be measured against it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lab.answers.extract import loads
from lab.environment import Task
from lab.reward.reading.fields import flat

GIVEN = ("input", "inputs", "stdin", "args", "arguments", "in", "given", "call")
GIVEN_LISTS = ("cases", "tests", "test_inputs", "calls")
"""Further names of a field that holds what is given, where what is wanted is in another one."""
WANTED = (
    "output outputs stdout expected_output expected result results want wanted out answer returns"
).split()
NAMES = ("entry_point", "entry", "fn_name", "func_name", "function_name", "function", "method")
NAMED_TESTS = re.compile(r"test|case|example|assert|check|input|in_out|i_?o|hidden|visible")
ASKS_CODE = re.compile(r"```|\b(?:function|program|script|code|def)\b", re.IGNORECASE)
Pairs = list[tuple[Any, Any]]


@dataclass(frozen=True)
class Cases:
    """What one task's tests give and want: texts for a program, argument lists for a function."""

    cases: tuple[tuple[Any, Any], ...]
    function: str = ""
    """Empty for a program that reads its input and prints."""

    @property
    def outputs(self) -> list[str]:
        return list(dict.fromkeys(str(wanted).strip() for _, wanted in self.cases))

    def program(self, *, raises: bool = False) -> str:
        """A program that knows the outputs; `raises`: an error where it knows none."""
        if not self.function:
            table = {str(given).strip(): str(wanted).rstrip("\n") for given, wanted in self.cases}
            key = "sys.stdin.read().strip()"
            found = f"{table!r}[{key}]" if raises else f"{table!r}.get({key}, '')"
            return f"import sys\nprint({found})"
        known = {repr(tuple(given)): wanted for given, wanted in self.cases}
        found = f"{known!r}[repr(args)]" if raises else f"{known!r}.get(repr(args))"
        return f"def {self.function}(*args):\n    return {found}"


def cases_of(task: Task) -> Cases | None:
    """The tests among the fields of a task; None where there are none that can be read."""
    fields = dict(flat(task.fields))
    named = [value for path, value in fields.items() if NAMED_TESTS.search(path.lower())]
    asserted = [case for value in named for case in _asserted(value)]
    if asserted:
        return _of_asserts(asserted, _function_field(fields))
    found = list(_beside(fields)) or [pairs for value in named if (pairs := list(_pairs(value)))]
    if not found or not ASKS_CODE.search(task.shown):
        return None
    # Visible and hidden tests together: a program must pass both.
    alike = [pairs for pairs in found if _is_program(pairs) == _is_program(found[0])]
    cases = tuple(case for pairs in alike for case in pairs)
    return _of_pairs(cases, _function_field(fields), task.shown)


def _of_pairs(cases: tuple[tuple[Any, Any], ...], function: str, shown: str) -> Cases | None:
    if function and (read := _with_json_arguments(cases)):
        return Cases(read, function)
    if _is_program(list(cases)):
        return Cases(cases)
    function = function or _function_named(shown)
    lists = all(isinstance(given, (list, tuple)) for given, _ in cases)
    return Cases(cases, function) if function and lists else None


def _with_json_arguments(cases: tuple[tuple[Any, Any], ...]) -> tuple[tuple[Any, Any], ...]:
    """The cases where what is given is a list of arguments as JSON; () where it is not."""
    read = tuple((_list(given), wanted) for given, wanted in cases)
    written = all(isinstance(given, str) for given, _ in cases)
    return read if written and all(isinstance(given, list) for given, _ in read) else ()


def _is_program(pairs: Pairs) -> bool:
    """Whether the tests give texts to a program, and no arguments to a function."""
    return all(isinstance(g, str) and not isinstance(w, (list, dict)) for g, w in pairs)


def _function_field(fields: dict[str, Any]) -> str:
    for path, value in fields.items():
        named = path.rsplit(".", 1)[-1].lower() in (*NAMES, "name")
        if named and isinstance(value, str) and value.isidentifier():
            return value
    return ""


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
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
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
    for case in value:
        pair = _pair(case)
        if pair is None:
            return
        yield pair


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
        keys = {key.lower(): key for key in case}
        given = next((keys[key] for key in GIVEN if key in keys), None)
        wanted = next((keys[key] for key in WANTED if key in keys), None)
        return (case[given], case[wanted]) if given is not None and wanted is not None else None
    if isinstance(case, (list, tuple)) and len(case) == 2:
        return case[0], case[1]
    return None
