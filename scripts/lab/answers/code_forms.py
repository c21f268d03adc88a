"""Python that does the same, written otherwise."""

from __future__ import annotations

import ast
import re


def is_python(code: str) -> bool:
    """Whether it reads as Python; the comments of another language are not known."""
    return _parsed(code) is not None


def behind_helper(code: str) -> str:
    """The code with its only function called by another one of that name, and a constant beside
    it, as models write: both are seen at the top level only. "" where it has not one function, or
    uses its name otherwise."""
    tree = _parsed(code)
    found = [one for one in tree.body if isinstance(one, ast.FunctionDef)] if tree else []
    if len(found) != 1 or found[0].decorator_list:
        return ""
    name = found[0].name
    if re.search(rf"\.{name}\b|\b{name}\s*=[^=]|[\"'][^\"'\n]*\b{name}\b", code):
        return ""
    inner = re.sub(rf"\b{name}\b", f"{name}_of", code)
    call = f"def {name}(*given, **named):\n    return {name}_of(*given[FIRST:], **named)"
    return f"FIRST = 0\n\n\n{inner}\n\n\n{call}"


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
