"""What an environment's code holds while it makes its tasks.

A puzzle is often made out of its solution, and the solution is thrown away: any solution counts.
The tasks are made once more under watch; the variables of the environment's own functions, as they
are when a task is yielded, returned or appended, belong to that task; and those of a function that
gives a part of one prompt alone, though all parts are made first. These are hints about what is
right; scoring decides.

    with Making(["/path/of/the/package/"], {"the prompt of task 3": 3}) as seen:
        ...load...
    seen.values    # {3: [("load", "solution", [[1, 2], [2, 1]])]}
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

from lab.environment.watch import plain

Values = list[tuple[str, str, Any]]
SECONDS = 8.0
MOST_NAMES = 80
LEAST_PART, MOST_SEARCHED = 40, 2000
"""Characters of a text that says which prompt it is a part of, and texts that are looked for."""


class Making:
    """A context in which the making of tasks is watched; `wanted` names each by a text of it."""

    def __init__(self, roots: list[str], wanted: dict[str, int]) -> None:
        self.roots, self.wanted = tuple(roots), wanted
        self.values: dict[int, Values] = {}
        self._latest: dict[str, dict[str, Any]] = {}
        """By function: its variables when it last ended."""
        self._sizes: dict[tuple[int, str], int] = {}
        self._searched: set[str] = set()
        self._parts: dict[int, dict[str, Values]] = {}
        """By task: the variables of the functions that gave a part of its prompt."""

    def __enter__(self) -> Making:
        self._until = time.monotonic() + SECONDS
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        for task, parts in self._parts.items():
            others = [one for one in self.values.get(task, []) if one[0] not in parts]
            found = [one for part in parts.values() for one in part] + others
            self.values[task] = found[:MOST_NAMES]

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(self.roots):
            return None
        if time.monotonic() > self._until:
            raise TimeoutError
        frame.f_trace_lines = "append" in frame.f_code.co_names
        return self._inside

    def _inside(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":
            name = frame.f_code.co_name
            self._latest[name] = {**frame.f_locals, "return": argument}
            self._keep(argument)
            self._keep_part(name, argument)
        elif event == "line":
            for name, value in frame.f_locals.items():
                if type(value) is list and len(value) == self._sizes.get((id(frame), name), 0) + 1:
                    self._latest[frame.f_code.co_name] = dict(frame.f_locals)
                    self._keep(value[-1])
                if type(value) is list:
                    self._sizes[id(frame), name] = len(value)
        return self._inside

    def _keep(self, made: Any) -> None:
        """What all functions have held, for the task that was made."""
        task = next((self.wanted[one] for one in _texts(made) if one in self.wanted), None)
        if task is None or task in self.values:
            return
        found = [one for where, names in self._latest.items() for one in _plain(where, names)]
        self.values[task] = found[:MOST_NAMES]

    def _keep_part(self, where: str, made: Any) -> None:
        """What a function held that gave a part of one prompt."""
        for text in _texts(made):
            if len(text) >= LEAST_PART and text not in self.wanted and text not in self._searched:
                if len(self._searched) >= MOST_SEARCHED:
                    return
                self._searched.add(text)
                tasks = [task for prompt, task in self.wanted.items() if text in prompt]
                if len(tasks) == 1 and where not in self._parts.setdefault(tasks[0], {}):
                    self._parts[tasks[0]][where] = list(_plain(where, self._latest[where]))


def _plain(where: str, names: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for name, value in names.items():
        kept = plain(value)
        if kept not in (None, "", [], {}):
            yield where, name, kept


def _texts(made: Any, depth: int = 3) -> Iterator[str]:
    """The texts of a row or a task, as far as they may be its prompt."""
    if isinstance(made, str):
        yield made
    elif data := getattr(made, "data", None):
        yield str(getattr(data, "prompt_text", ""))
    elif depth and isinstance(made, (dict, list, tuple)) and len(made) < 20:
        for one in made.values() if isinstance(made, dict) else made:
            yield from _texts(one, depth - 1)
