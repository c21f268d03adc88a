"""Countdown: reach a target with given numbers, each used once, and + - * / alone.

    solve([4, 5, 2], 22)        -> "4 * 5 + 2"
    forbidden([4, 5, 2], 9)     -> ["4.5 * 2"]      # the right value, and no legal way to it

Such tasks carry no gold, but one can be worked out; and the value of an expression says nothing
about how it was reached (TinyZero compares the digits and the value, so `4.5 * 2` is paid).
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from fractions import Fraction

MOST = 5
"""Numbers beyond which no solution is looked for: the search grows with their factorial."""
LEGAL = ("+", "-", "*", "/")
ILLEGAL = ("**", "//", "%", ".")


def solve(numbers: Sequence[int], target: int, *, some: bool = False) -> str | None:
    """An expression that uses every number once and has the value `target`; None without one.

    `some`: numbers may be left out where all of them do not get there.
    """
    if not 1 < len(numbers) <= MOST:
        return None
    sizes = range(len(numbers), 1, -1) if some else (len(numbers),)
    tried = (chosen for size in sizes for chosen in itertools.combinations(numbers, size))
    return next(
        (
            found
            for chosen in tried
            if (found := _search([(Fraction(n), str(n)) for n in chosen], Fraction(target), set()))
        ),
        None,
    )


def _search(
    parts: list[tuple[Fraction, str]], target: Fraction, seen: set[tuple[Fraction, ...]]
) -> str | None:
    if len(parts) == 1:
        return parts[0][1] if parts[0][0] == target else None
    key = tuple(sorted(value for value, _ in parts))
    if key in seen:
        return None
    seen.add(key)
    for i, j in itertools.permutations(range(len(parts)), 2):
        (a, left), (b, right) = parts[i], parts[j]
        rest = [part for k, part in enumerate(parts) if k not in (i, j)]
        for sign in LEGAL:
            if (sign in "+*" and i > j) or (sign == "/" and b == 0):
                continue
            value = {"+": a + b, "-": a - b, "*": a * b}[sign] if sign != "/" else a / b
            text = f"{left} {sign} {right}" if len(parts) == 2 else f"({left} {sign} {right})"
            if found := _search([(value, text), *rest], target, seen):
                return found
    return None


def forbidden(numbers: Sequence[int], target: int, most: int = 3) -> list[str]:
    """Expressions with every number once and the right value, each by an operator that is not
    allowed."""
    if not 1 < len(numbers) <= 4:
        return []
    found: dict[str, str] = {}
    for order in itertools.permutations(numbers):
        for signs in itertools.product((*LEGAL, *ILLEGAL), repeat=len(order) - 1):
            used = next((sign for sign in signs if sign in ILLEGAL), None)
            if used is None or used in found or not _harmless(order, signs):
                continue
            text = str(order[0]) + "".join(
                f"{sign}{n}" if sign == "." else f" {sign} {n}"
                for sign, n in zip(signs, order[1:], strict=True)
            )
            try:
                value = eval(
                    text, {"__builtins__": {}}
                )  # digits and operators of our own, nothing else
            except (ArithmeticError, SyntaxError, ValueError, TypeError):
                continue
            if isinstance(value, (int, float)) and abs(value - target) < 1e-9:
                found[used] = text
    return list(found.values())[:most]


def value_of(text: str, *, powers: bool = False) -> Fraction | None:
    """The value of an expression of whole numbers, + - * / and parentheses, with `powers` also of
    small powers; None for anything else."""
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, powers)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr, powers: bool) -> Fraction:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Fraction(node.value)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, powers), _value(node.right, powers)
        match node.op:
            case ast.Pow() if powers and right in range(9):
                return left ** int(right)
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                return left / right
    raise ValueError("not such an expression")


def _harmless(order: Sequence[int], signs: Sequence[str]) -> bool:
    """Powers stay small, and no decimal point follows another one."""
    powers = [n for sign, n in zip(signs, order[1:], strict=True) if sign == "**"]
    points = any(a == b == "." for a, b in itertools.pairwise(signs))
    return not points and len(powers) <= 1 and all(0 <= n <= 8 for n in powers)
