"""What an environment's own code holds while it scores: values of its variables, errors it
swallows.

A reward is read best while it runs. Scoring one completion under `Watch` gives the local variables
and the results of the functions of the environment's own files: what its parser took out of the
completion, what it compares that with, and which exceptions ended in a handler. These are hints
about the right answer and its format; scoring decides.

    with Watch(["/path/of/the/package"]) as seen:
        ...score...
    seen.values    # [("correct", "expected", "42"), ("correct", "given", "41")]
    seen.errors    # ["AttributeError in correct: 'Data' object has no attribute 'gold'"]
"""

from __future__ import annotations

import re
import sys
import threading
from types import FrameType
from typing import Any

PATTERN = "regular expression"
"""The key under which the text of a compiled pattern is given."""
MOST_VALUES, MOST_ERRORS, MOST_TEXT, MOST_ITEMS = 400, 20, 4000, 60


class Watch:
    """A context in which code of files below `roots` is watched, in this thread and new ones."""

    def __init__(self, roots: list[str]) -> None:
        self.roots = tuple(roots)
        self.values: list[tuple[str, str, Any]] = []
        self.errors: list[str] = []
        self._known: set[str] = set()

    def __enter__(self) -> Watch:
        self._before = sys.gettrace()
        threading.settrace(self._call)
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)
        threading.settrace(None)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._inside if frame.f_code.co_filename.startswith(self.roots) else None

    def _inside(self, frame: FrameType, event: str, argument: Any) -> Any:
        where = frame.f_code.co_name
        if event == "exception":
            kind, error = argument[0], argument[1]
            if kind.__name__ not in ("StopIteration", "StopAsyncIteration", "GeneratorExit"):
                self._error(f"{kind.__name__} in {where}: {error}")
        elif event == "return":
            for name, value in list(frame.f_locals.items()):
                self._value(where, name, value)
            self._value(where, "return", argument)
        return self._inside

    def _error(self, text: str) -> None:
        if len(self.errors) < MOST_ERRORS and text[:300] not in self.errors:
            self.errors.append(text[:300])

    def _value(self, where: str, name: str, value: Any) -> None:
        kept = plain(value)
        if kept is None or len(self.values) >= MOST_VALUES:
            return
        key = f"{where}\0{name}\0{kept!r}"
        if key not in self._known:
            self._known.add(key)
            self.values.append((where, name, kept))


def plain(value: Any, depth: int = 2) -> Any:
    """A value of JSON's kinds, bounded; None for everything else."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return value if abs(value) < 1e300 else None
    if isinstance(value, str):
        return str(value[:MOST_TEXT])
    if depth and isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else list(value)
        kept = [plain(item, depth - 1) for item in items[:MOST_ITEMS]]
        return kept if kept and all(item is not None for item in kept) else None
    if depth and isinstance(value, dict) and len(value) <= MOST_ITEMS:
        kept_items = {str(key): plain(item, depth - 1) for key, item in value.items()}
        return kept_items if kept_items else None
    if isinstance(value, re.Pattern):
        return {PATTERN: str(value.pattern)[:MOST_TEXT]}
    return str(value) if type(value).__name__ in ("Decimal", "Fraction", "date") else None
