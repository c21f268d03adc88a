"""Programs beside a right one: one sign, number or word changed. They look right and are not.

next(near_programs("def most(a, b):\\n    return max(a, b)", random.Random(0)))   # min(a, b)
"""

from __future__ import annotations

import io
import random
import re
import tokenize
from collections.abc import Iterator

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "//": "/", "==": "!="}
SWAPS |= {"+=": "-=", "-=": "+=", "min": "max", "max": "min", "and": "or", "or": "and"}
SWAPS |= {"True": "False", "False": "True", "sorted": "list", "lower": "upper", "upper": "lower"}


def near_programs(code: str, rng: random.Random) -> Iterator[str]:
    """Each with one change, in a mixed order; nothing for what is no Python, or could now loop
    without end."""
    if re.search(r"\bwhile\b", code):
        return
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    lines = code.splitlines(keepends=True)
    changes = [(t, new) for t in tokens if (new := _changed(t))]
    rng.shuffle(changes)
    for token, new in changes:
        (row, start), (_, end) = token.start, token.end
        line = lines[row - 1]
        made = "".join([*lines[: row - 1], line[:start] + new + line[end:], *lines[row:]])
        if _compiles(made):
            yield made


def _changed(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NUMBER and token.string.isdigit():
        return str(int(token.string) + 1)
    return SWAPS.get(token.string, "") if token.type in (tokenize.OP, tokenize.NAME) else ""


def _compiles(code: str) -> bool:
    try:
        compile(code, "near", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
