"""A program worked out of a task's own tests, for tasks that carry tests and no solution.

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

READING = "a program that knows the tests"
GIVEN = ("input", "inputs", "stdin", "args", "arguments", "in", "given", "call")
WANTED = ("output", "outputs", "stdout", "expected_output", "expected", "result", "want", "out", "answer", "returns")
NAMES = ("entry_point", "entry", "fn_name", "func_name", "function_name", "function", "method", "name")


@dataclass(frozen=True)
class Cases:
    """What one task's tests give and want: texts for a program, argument lists for a function."""

    cases: tuple[tuple[Any, Any], ...]
    function: str = ""
    """Empty for a program that reads its input and prints."""

    @property
    def outputs(self) -> list[str]:
        return list(dict.fromkeys(str(wanted).strip() for _, wanted in self.cases))

    def program(self) -> str:
        if not self.function:
            table = {str(given).strip(): str(wanted).rstrip("\n") for given, wanted in self.cases}
            return f"import sys\nprint({table!r}.get(sys.stdin.read().strip(), ''))"
        table = {repr(tuple(given)): wanted for given, wanted in self.cases}
        return f"def {self.function}(*args):\n    return {table!r}.get(repr(args))"


def cases_of(task: Task, fields: dict[str, Any]) -> Cases | None:
    """The tests among the (flat) fields of a task; None where there are none that can be read."""
    function = next((v for path, v in fields.items() if path.rsplit(".", 1)[-1].lower() in NAMES and isinstance(v, str) and v.isidentifier()), "")
    for path, value in fields.items():
        if not re.search(r"test|case|example|assert|check|input|in_out|i_?o", path.lower()):
            continue
        cases = list(_asserted(value)) or list(_pairs(value))
        if not cases:
            continue
        if isinstance(cases[0], Asserted):
            names = {function if case.name == "candidate" and function else case.name for case in cases}
            return Cases(tuple((case.args, case.wanted) for case in cases), names.pop()) if len(names) == 1 else None
        if all(isinstance(given, str) and not isinstance(wanted, (list, dict)) for given, wanted in cases):
            return Cases(tuple(cases))
        named = function or next(iter(re.findall(r"def (\w+)\(|`(\w+)\(", task.shown)), ("", ""))
        named = named if isinstance(named, str) else next((one for one in named if one), "")
        if named and all(isinstance(given, (list, tuple)) for given, _ in cases):
            return Cases(tuple(cases), named)
    return None


@dataclass(frozen=True)
class Asserted:
    name: str
    args: tuple[Any, ...]
    wanted: Any


def _asserted(value: Any) -> Iterator[Asserted]:
    """The cases of `assert f(1, 2) == 3`, in one text or a list of them; HumanEval calls f `candidate`."""
    texts = value if isinstance(value, (list, tuple)) else [value]
    if not texts or not all(isinstance(text, str) and "assert" in text for text in texts):
        return
    try:
        nodes = [node for node in ast.walk(ast.parse("\n".join(texts))) if isinstance(node, ast.Assert)]
        for test in (node.test for node in nodes):
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.Is)) and isinstance(test.left, ast.Call) and isinstance(test.left.func, ast.Name):
                args = tuple(ast.literal_eval(arg) for arg in test.left.args)
                yield Asserted(test.left.func.id, args, ast.literal_eval(test.comparators[0]))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return


def _pairs(value: Any) -> Iterator[tuple[Any, Any]]:
    value = loads(value) if isinstance(value, str) and value.lstrip()[:1] in "[{" else value
    if isinstance(value, dict):
        given, wanted = (next((value[key] for key in keys if isinstance(value.get(key), list)), None) for keys in (GIVEN, WANTED))
        if given and wanted and len(given) == len(wanted):
            yield from zip(given, wanted, strict=True)
        return
    if not isinstance(value, (list, tuple)) or not value:
        return
    for case in value:
        if isinstance(case, dict):
            keys = {key.lower(): key for key in case}
            given, wanted = (next((keys[key] for key in names if key in keys), None) for names in (GIVEN, WANTED))
            if given is None or wanted is None:
                return
            yield case[given], case[wanted]
        elif isinstance(case, (list, tuple)) and len(case) == 2:
            yield case[0], case[1]
        else:
            return
