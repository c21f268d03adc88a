"""Values that are written alike and held against each other, of types that are never the same.

seen = MixedTypes()
seen.tell("dates.py:7:4", "in", date(2025, 5, 1), {"2025-05-01"})
seen.never_same    # {"dates.py:7:4": {"2025-05-01": ("date", "str")}}
"""

from __future__ import annotations

import contextlib
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import Any

PLAIN = (str, int, float, Decimal, date, datetime, time)
COLLECTIONS = (list, tuple, set, frozenset, dict)
MOST, MOST_AMONG, LONGEST, NEAR = 40, 200, 40, 3
"""Values of one place that are kept, members of a collection that are looked at, characters of a
value, and lines around a place at which its other type is taken, too."""


class MixedTypes:
    """What comparisons at places `file:line:column` tell; odd values tell nothing."""

    def __init__(self) -> None:
        self._unlike: dict[str, dict[str, tuple[str, str]]] = {}
        self._same: set[tuple[str, int, str]] = set()

    def tell(self, place: str, name: str, left: Any, right: Any) -> None:
        """A comparison by an operator of this name; of a collection its members are looked at."""
        if name not in ("==", "!=", "in", "not in") or type(left) not in PLAIN:
            return
        among = [right] if name in ("==", "!=") else right
        if type(among) in COLLECTIONS:
            with contextlib.suppress(Exception):
                self._look(place, left, list(islice(among, MOST_AMONG)))

    def _look(self, place: str, value: Any, among: list[Any]) -> None:
        said = str(value)
        if len(said) > LONGEST:
            return
        if any(type(other) is type(value) and other == value for other in among):
            self._same.add((*_line(place), said))
            return
        known = self._unlike.setdefault(place, {})
        for other in among if len(known) < MOST else ():
            unlike = type(other) in PLAIN and type(other) is not type(value) and other != value
            if unlike and str(other) == said:
                known[said] = type(value).__name__, type(other).__name__
                return

    @property
    def never_same(self) -> dict[str, dict[str, tuple[str, str]]]:
        """By place the values with both types; without those that are held against their own type,
        too, on a line near by: there the code takes both."""
        found: dict[str, dict[str, tuple[str, str]]] = {}
        for place, values in self._unlike.items():
            file, line = _line(place)
            near = range(line - NEAR, line + NEAR + 1)
            left = {
                said: types
                for said, types in values.items()
                if not any((file, one, said) in self._same for one in near)
            }
            found |= {place: left} if left else {}
        return found


def _line(place: str) -> tuple[str, int]:
    file, line, _ = place.rsplit(":", 2)
    return file, int(line)
