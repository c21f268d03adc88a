"""Programs that know what each test wants, and nothing else.

((1, 1), 2), ((2, 3), 5)  ->  def add(*args):
                                  return {'(1, 1)': 2, '(2, 3)': 5}.get(repr(args))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from lab.reward.reading.outcomes import Raised

DEEPEST = 50


@dataclass(frozen=True)
class Cases:
    """What one task's tests give and want: texts for a program, argument lists for a function."""

    cases: tuple[tuple[Any, Any], ...]
    function: str = ""
    """Empty for a program that reads its input and prints."""

    @property
    def outputs(self) -> list[str]:
        return list(dict.fromkeys(str(wanted).strip() for _, wanted in self.cases))

    def program(self, *, otherwise: str = "") -> str:
        """A program that knows the outputs; `otherwise`: the error that it raises where it knows
        none."""
        if not self.function:
            table = {_key(given, False): str(wanted).rstrip("\n") for given, wanted in self.cases}
            key = "sys.stdin.read().strip()"
            found = f"{table!r}[{key}]" if otherwise else f"{table!r}.get({key}, '')"
            return f"import sys\nprint({found})"
        known = {_key(given, True): wanted for given, wanted in self.cases}
        values = {key: wanted for key, wanted in known.items() if not isinstance(wanted, Raised)}
        lines = [f"def {self.function}(*args):", *_raising(known, "repr(args)", "    ")]
        if otherwise:
            lines += [f"    if repr(args) not in {list(values)!r}:", f"        raise {otherwise}()"]
        lines.append(f"    return {values!r}.get(repr(args))")
        return _declared(known.values()) + "\n".join(lines)

    def changed(self, change: Callable[[Any], Any]) -> Cases:
        """Tests that want other values; the exceptions stay."""
        return replace(self, cases=tuple((given, change(wanted)) for given, wanted in self.cases))

    @property
    def exact(self) -> bool:
        """Whether a program can know the tests: no two give the same and want something else, and
        what they want can be written."""
        return self.conflict is None and all(_can_be_written(wanted) for _, wanted in self.cases)

    @property
    def conflict(self) -> tuple[Any, Any, Any] | None:
        """What two tests give, and the two things that they want of it; None where none do."""
        known: dict[str, Any] = {}
        for given, wanted in self.cases:
            before = known.setdefault(_key(given, bool(self.function)), wanted)
            if before != wanted and repr(before) != repr(wanted):  # NaN is not itself
                return given, before, wanted
        return None


def _can_be_written(value: Any, depth: int = 0) -> bool:
    """Whether Python reads what it shows of a value: not of an infinite number."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple, set)):
        return depth < DEEPEST and all(_can_be_written(one, depth + 1) for one in value)
    return True


def _key(given: Any, function: bool) -> str:
    return repr(tuple(given)) if function else str(given).strip()


def _raising(known: dict[Any, Any], call: str, margin: str) -> list[str]:
    """The lines that raise what the tests want to be raised."""
    lines = []
    for error in dict.fromkeys(one for one in known.values() if isinstance(one, Raised)):
        keys = [key for key, wanted in known.items() if wanted == error]
        lines += [f"{margin}if {call} in {keys!r}:", f"{margin}    {error.statement}"]
    return lines


def _declared(wanted: Iterable[Any]) -> str:
    names = dict.fromkeys(one.name for one in wanted if isinstance(one, Raised) and one.own)
    return "".join(f"class {name}(Exception):\n    pass\n\n\n" for name in names)
