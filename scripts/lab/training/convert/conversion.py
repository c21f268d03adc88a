"""A training file on its way from one form to another: its tables, and what became of each key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Note:
    """What became of one key. `action` is moved, changed, dropped, added or asked. `was` and `now`
    are given where the run would differ by the new value, not only its place or its form."""

    action: str
    old: str
    new: str
    reason: str = ""
    was: Any = None
    now: Any = None

    @property
    def values(self) -> str:
        return "" if self.now is None else f"{self.was} is now {self.now}"

    def line(self) -> str:
        where = f"{self.old} -> {self.new}" if self.old and self.new else self.old or self.new
        where += f": {self.values}" if self.values else ""
        return f"{self.action:8s} {where}" + (f"  ({self.reason})" if self.reason else "")


@dataclass
class Conversion:
    """The new tables, and a note for every key that did not stay where it was."""

    data: dict[str, Any]
    notes: list[Note] = field(default_factory=list)
    hosted: bool = True

    def get(self, path: str, default: Any = None) -> Any:
        here: Any = self.data
        for part in path.split("."):
            if not isinstance(here, dict) or part not in here:
                return default
            here = here[part]
        return here

    def take(self, path: str) -> Any:
        """Remove and return the value at `path`; empty parents go too. None when absent."""
        *parents, last = path.split(".")
        chain, here = [], self.data
        for part in parents:
            if not isinstance(here.get(part), dict):
                return None
            chain.append((here, part))
            here = here[part]
        if last not in here:
            return None
        value = here.pop(last)
        for parent, part in reversed(chain):
            if parent[part] == {} and part not in ("trainer", "orchestrator", "inference"):
                del parent[part]
        return value

    def put(self, path: str, value: Any) -> None:
        *parents, last = path.split(".")
        here = self.data
        for part in parents:
            if not isinstance(here.get(part), dict):
                here[part] = {}
            here = here[part]
        here[last] = value

    def note(
        self,
        action: str,
        old: str,
        new: str = "",
        reason: str = "",
        *,
        was: Any = None,
        now: Any = None,
    ) -> None:
        self.notes.append(Note(action, old, new, reason, was, now))

    def move(
        self,
        old: str,
        new: str,
        change: Callable[[Any], Any] = lambda value: value,
        reason: str = "",
    ) -> None:
        value = self.take(old)
        if value is None:
            return
        if self.get(new) is not None:
            self.note("dropped", old, "", f"{new} is in the file already")
            return
        changed = change(value)
        self.put(new, changed)
        self.note("moved" if changed == value else "changed", old, new, reason)

    def drop(self, path: str, reason: str) -> None:
        if self.take(path) is not None:
            self.note("dropped", path, "", reason)

    def ask(self, path: str, question: str) -> None:
        if self.take(path) is not None:
            self.note("asked", path, "", question)

    def sources(self, kind: str) -> list[dict[str, Any]]:
        rows = self.get(f"orchestrator.{kind}.source")
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
