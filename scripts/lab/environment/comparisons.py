"""What an environment's own code compares while it scores.

Its functions get code that tells of each comparison before it is made: what a parser took out of
the completion stands there beside what it is held against. The results are those of the same
operators, so a score is what it would be.

    with Comparisons(["/path/of/the/package"]) as seen:
        ...score...
    seen.pairs    # [("==", "41", "42", False), ("<=", 1.0, 0.5, False)]

Source: REDQUEEN (Aschermann et al., NDSS 2019), input-to-state correspondence.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import operator
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, ClassVar

from lab.environment.watch import plain

TOLD = "__lab_compared__"
OPERATORS: dict[type[ast.AST], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.In: ("in", lambda left, right: left in right),
    ast.NotIn: ("not in", lambda left, right: left not in right),
    ast.Sub: ("-", operator.sub),
    ast.BitAnd: ("&", operator.and_),
}
BY_NAME = dict(OPERATORS.values())
METHODS = ("startswith", "endswith", "issubset", "issuperset", "intersection", "isclose", "get")
"""Calls that compare: the object and the first value, or the first two."""
MATCHING = ("match", "search", "fullmatch", "findall", "finditer")
MATCHES = "matches"
"""The operator of a text against [pattern, flags]."""
MOST, DEPTH = 400, 3
Pair = tuple[str, Any, Any, bool | None]


class Comparisons:
    """A context in which the code of files below `roots` tells what it compares."""

    known: ClassVar[dict[tuple[str, ...], list[tuple[FunctionType, CodeType]]]] = {}
    """By roots the functions with the code that tells; made once in a process."""

    def __init__(self, roots: list[str]) -> None:
        self.roots = tuple(roots)
        self.pairs: list[Pair] = []
        self._seen: set[str] = set()

    def __enter__(self) -> Comparisons:
        if self.roots not in self.known:
            self.known[self.roots] = list(_telling(self.roots))
        self._before = [(function, function.__code__) for function, _ in self.known[self.roots]]
        for function, code in self.known[self.roots]:
            function.__globals__[TOLD] = self._told
            function.__code__ = code
        return self

    def __exit__(self, *_: object) -> None:
        for function, code in self._before:
            function.__code__ = code

    def _told(self, name: str, *values: Any, **named: Any) -> Any:
        """What the code does at one place; the comparison is told."""
        if name in BY_NAME:
            result = BY_NAME[name](values[0], values[1])
            self._tell(name, values[0], values[1], result)
            return result
        called, *given = values
        result = called(*given, **named)
        owner = getattr(called, "__self__", None)
        if name in MATCHING:
            pattern = owner if isinstance(owner, re.Pattern) else given[0] if given else None
            flags = named.get("flags", given[2] if len(given) > 2 else 0)
            text = given[-1] if isinstance(owner, re.Pattern) else given[1] if given[1:] else None
            if isinstance(text, str):
                shown = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
                flags = pattern.flags if isinstance(pattern, re.Pattern) else flags
                self._tell(MATCHES, [shown, int(flags)], text, bool(result))
        elif name == "isclose":
            self._tell("==", given[0], given[1], result)
        elif given:
            self._tell("in" if name == "get" else name, given[0], owner, result)
        return result

    def _tell(self, name: str, left: Any, right: Any, held: Any) -> None:
        if len(self.pairs) >= MOST:
            return
        pair = (name, _kept(left), _kept(right), held if isinstance(held, bool) else None)
        if (key := repr(pair)) not in self._seen:
            self._seen.add(key)
            self.pairs.append(pair)


def _kept(value: Any) -> Any:
    with contextlib.suppress(Exception):
        return plain(_numbers(value), DEPTH)
    return None


def _numbers(value: Any, depth: int = DEPTH) -> Any:
    """The value with its exact numbers as ordinary ones."""
    if isinstance(value, Decimal | Fraction):
        return float(value)
    if depth and isinstance(value, dict) and len(value) <= MOST:
        return {key: _numbers(inner, depth - 1) for key, inner in value.items()}
    if depth and isinstance(value, (list, tuple)):
        return [_numbers(inner, depth - 1) for inner in value[:MOST]]
    return value


class _Teller(ast.NodeTransformer):
    """Puts a call in the place of each comparison."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        kind = type(node.ops[0])
        if len(node.ops) > 1 or kind not in OPERATORS:
            return node
        return self._told(node, OPERATORS[kind][0], node.left, node.comparators[0])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in OPERATORS:
            return node
        return self._told(node, OPERATORS[type(node.op)][0], node.left, node.right)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        if name not in (*METHODS, *MATCHING):
            return node
        return self._told(node, name, function, *node.args, keywords=node.keywords)

    def _told(
        self,
        node: ast.expr,
        name: str,
        *values: ast.expr,
        keywords: list[ast.keyword] | None = None,
    ) -> ast.AST:
        call = ast.Call(
            ast.Name(TOLD, ast.Load()), [ast.Constant(name), *values], list(keywords or [])
        )
        return ast.fix_missing_locations(ast.copy_location(call, node))


def _telling(roots: tuple[str, ...]) -> Iterator[tuple[FunctionType, CodeType]]:
    """The functions of the files below `roots`, each with the code that tells."""
    made: dict[str, dict[tuple[str, int], CodeType]] = {}
    for function in [one for one in gc.get_objects() if isinstance(one, FunctionType)]:
        code = function.__code__
        if not code.co_filename.startswith(roots):
            continue
        if code.co_filename not in made:
            made[code.co_filename] = _codes(code.co_filename)
        found = made[code.co_filename].get((_name(code), code.co_firstlineno))
        if found is not None and found.co_freevars == code.co_freevars:
            yield function, found


def _codes(file: str) -> dict[tuple[str, int], CodeType]:
    """The code of a file's functions by name and line; none where two have the same."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"), file)
        whole = compile(_Teller().visit(tree), file, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    found: dict[tuple[str, int], CodeType] = {}
    waiting, twice = [whole], set()
    while waiting:
        code = waiting.pop()
        key = (_name(code), code.co_firstlineno)
        twice.update([key] if key in found else [])
        found[key] = code
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
    return {key: code for key, code in found.items() if key not in twice}


def _name(code: CodeType) -> str:
    return str(getattr(code, "co_qualname", code.co_name))
