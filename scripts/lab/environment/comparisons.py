"""What an environment's own code compares while it scores.

Its functions get code that tells of each comparison before it is made: what a parser took out of
the completion stands there beside what it is held against. The results are those of the same
operators, so a score is what it would be.

    with Comparisons(["/path/of/the/package"]) as seen:
        ...score...
    seen.pairs    # [("==", "41", "42", False), ("<=", 1.0, 0.5, False)]
    seen.places   # {"/path/of/the/package/reward.py:12:11": 3, ...}: how far the code came

Source: REDQUEEN (Aschermann et al., NDSS 2019), input-to-state correspondence.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import operator
import re
from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import is_dataclass
from datetime import date
from datetime import time as clock
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, ClassVar
from zlib import crc32

from lab.environment.mixed_types import MixedTypes
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
LOOKUPS = ("get", "pop", "index")
"""Calls that look a value up in the object."""
METHODS = (*LOOKUPS, "startswith", "endswith", "issubset", "issuperset", "intersection", "isclose")
"""Calls that compare: the object and the first value, or the first two."""
MATCHING = ("match", "search", "fullmatch", "findall", "finditer")
MATCHES = "matches"
"""The operator of a text against [pattern, flags]."""
WITHOUT_EFFECT = (ast.Name, ast.Attribute, ast.Constant)
CUTS = ("split", "rsplit", "partition", "rpartition")
"""Calls that cut a text: at a pattern, or at a text that is looked for in it."""
MOST, DEPTH, DECIMAL = 400, 3, 10**6
Pair = tuple[str, Any, Any, bool | None]


class Comparisons:
    """A context in which the code of files below `roots` tells what it compares."""

    known: ClassVar[dict[tuple[str, ...], list[tuple[FunctionType, CodeType]]]] = {}
    """By roots the functions with the code that tells; made once in a process."""

    def __init__(self, roots: list[str]) -> None:
        self.roots = tuple(roots)
        self.pairs: list[Pair] = []
        self.places: dict[str, int] = {}
        """How often the code compared at each place, in the order in which it came there."""
        self.steps: list[tuple[int, int]] = []
        """The first comparisons one after the other: a number for the place, and which pair."""
        self.types = MixedTypes()
        """The values that are written alike, and never the same for their types."""
        self.alike = 0.0
        """How many comparisons of values that tell something held, or held in part."""
        self._seen: dict[str, int] = {}
        self._place = 0

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

    def _told(self, name: str, place: str, *values: Any, **named: Any) -> Any:
        """What the code does at one place; the comparison is told."""
        self.places[place] = self.places.get(place, 0) + 1
        self._place = crc32(place.encode())
        names = name.split(",")
        if names[0] in BY_NAME:
            return self._compared(names, values, place)
        called, *given = values
        owner = getattr(called, "__self__", None)
        if name in LOOKUPS and given:
            self._tell("in", given[0], owner, None)  # before it is taken out, or not found
            if isinstance(owner, dict):  # of a list it is a position
                self.types.tell(place, "in", given[0], owner)
            return called(*given, **named)
        result = called(*given, **named)
        if name in (*MATCHING, *CUTS):
            self._matched(name, owner, given, named, result)
        elif name == "isclose":
            self._tell("==", given[0], given[1], result)
        elif given:
            self._tell(name, given[0], owner, result)
        return result

    def _matched(
        self, name: str, owner: Any, given: list[Any], named: dict[str, Any], result: Any
    ) -> None:
        """A pattern and a text that is searched or cut by it; a text that is cut at another one."""
        if isinstance(owner, str):
            if given and isinstance(given[0], str):
                self._tell("in", given[0], owner, given[0] in owner)
            return
        compiled = isinstance(owner, re.Pattern)
        pattern, text, *more = (owner, *given, None) if compiled else (*given, None, None)
        if isinstance(text, str) and isinstance(pattern, str | re.Pattern):
            flags = named.get("flags", more[0] if name in MATCHING and not compiled else 0) or 0
            if isinstance(pattern, re.Pattern):
                pattern, flags = pattern.pattern, pattern.flags
            found = result != [text] if name in CUTS else bool(result)
            self._tell(MATCHES, [pattern, int(flags)], text, found)

    def _compared(self, names: list[str], values: Sequence[Any], place: str) -> Any:
        """The result of operators between values; of several the first that does not hold. What
        comes after it is not worked out."""
        result, left = True, values[0]
        for n, (name, right) in enumerate(zip(names, values[1:], strict=True)):
            if n and not result:
                break
            right = right() if n and _is_later(right) else right
            result = BY_NAME[name](left, right)
            self._tell(name, left, right, result)
            self.types.tell(place, name, left, right)
            # Not with what is written out in the code.
            if name in ("==", "!=", "-") and not place.endswith(FIXED):
                self.alike += likeness(_kept(left), _kept(right))
            left = right
        return result

    def _tell(self, name: str, left: Any, right: Any, held: Any) -> None:
        if len(self.pairs) >= MOST and len(self.steps) >= MOST:
            return
        pair = (name, _kept(left), _kept(right), held if isinstance(held, bool) else None)
        key = repr(pair)
        if key not in self._seen and len(self.pairs) < MOST:
            self._seen[key] = len(self.pairs)
            self.pairs.append(pair)
        if key in self._seen and len(self.steps) < MOST:
            self.steps.append((self._place, self._seen[key]))


def _kept(value: Any) -> Any:
    with contextlib.suppress(Exception):
        return plain(_opened(value), DEPTH)
    return None


def _opened(value: Any, depth: int = DEPTH) -> Any:
    """The value with exact numbers as ordinary ones (fractions that are none as `5/6`), members as
    what they stand for, moments as texts, and objects of named fields as dictionaries."""
    if isinstance(value, Decimal | Fraction):
        exact = isinstance(value, Decimal) or DECIMAL % value.denominator == 0
        return float(value) if exact else str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date | clock):  # a datetime is a date
        return value.isoformat()
    if not depth:
        return value
    if is_dataclass(value) or hasattr(type(value), "model_fields"):
        value = dict(vars(value))
    if isinstance(value, Mapping) and len(value) <= MOST:
        return {_opened(key, 0): _opened(inner, depth - 1) for key, inner in value.items()}
    if isinstance(value, set | frozenset | KeysView):
        value = sorted(value, key=repr)
    if isinstance(value, list | tuple | ValuesView):
        return [_opened(inner, depth - 1) for inner in list(value)[:MOST]]
    return value


FIXED = "!"
"""Behind a place at which something is compared with a constant: what a form must have."""
COMMON = 0.1
"""What it says that two values are the same which things with nothing in common may share."""


def likeness(left: Any, right: Any) -> float:
    """1 for values that are the same, little for common ones; of collections the share of
    members."""
    if left == right:
        return 1.0 if tells(left) else COMMON
    if isinstance(left, dict) and isinstance(right, dict):
        same = sum(key in right and left[key] == right[key] for key in left)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        same = sum(a == b for a, b in zip(left, right, strict=True))
    elif isinstance(left, list) and isinstance(right, list):
        same = sum(one in right for one in left)
    else:
        return 0.0
    return same / max(len(left), len(right), 1)


def tells(value: Any) -> bool:
    """Whether a value is no common one."""
    if isinstance(value, list):
        return any(map(tells, value))
    return value not in (None, True, False, 0, 1, "", {})


class _Teller(ast.NodeTransformer):
    """Puts a call in the place of each comparison."""

    def __init__(self, file: str) -> None:
        self.file = file

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        # A chain ends at what does not hold: what comes later must be there, and do nothing.
        later = all(map(_without_effect, node.comparators[1:]))
        self.generic_visit(node)
        names = [OPERATORS[type(one)][0] for one in node.ops if type(one) in OPERATORS]
        if len(names) < len(node.ops) or not later:
            return node
        first, *rest = node.comparators
        put_off = [_later(one) if isinstance(one, (ast.BinOp, ast.Call)) else one for one in rest]
        return self._told(node, ",".join(names), node.left, first, *put_off)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in OPERATORS:
            return node
        return self._told(node, OPERATORS[type(node.op)][0], node.left, node.right)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        if name not in (*METHODS, *MATCHING, *CUTS):
            return node
        return self._told(node, name, function, *node.args, keywords=node.keywords)

    def _told(
        self,
        node: ast.expr,
        name: str,
        *values: ast.expr,
        keywords: list[ast.keyword] | None = None,
    ) -> ast.AST:
        fixed = FIXED if any(isinstance(value, ast.Constant) for value in values) else ""
        place = f"{self.file}:{node.lineno}:{node.col_offset}{fixed}"
        first = (ast.Constant(name), ast.Constant(place))
        call = ast.Call(ast.Name(TOLD, ast.Load()), [*first, *values], list(keywords or []))
        return ast.fix_missing_locations(ast.copy_location(call, node))


def _later(node: ast.expr) -> ast.Lambda:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(nothing, node)


def _is_later(value: Any) -> bool:
    """Whether a value is still to be worked out: only this module writes a function there."""
    return type(value) is FunctionType and value.__name__ == "<lambda>"


def _without_effect(node: ast.expr) -> bool:
    """Whether an expression is a name, a constant, or a sum, difference or product of such:
    `gold + 0.5`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return _without_effect(node.left) and _without_effect(node.right)
    return isinstance(node, WITHOUT_EFFECT)


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
        whole = compile(_Teller(file).visit(tree), file, "exec", dont_inherit=True)
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
