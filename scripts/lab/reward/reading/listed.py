"""Other right answers that the code itself lists: what it looks a right reply up among.

    "Organização das Nações Unidas" in {"organizacao das nacoes unidas", " onu", ...}
    # " onu" is "ONU" of the task's field `variants`, and has to be paid like the gold

A list of valid replies looks the same, so it counts only where nothing is decided behind it, where
it is another one for another gold, and where it has none of the options.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from lab.environment import Environment, Task
from lab.reward.interactive.ways import spread
from lab.reward.reading.fields import flat
from lab.reward.reading.right import Right

TASKS, MOST = 6, 4
"""Tasks that are looked at, and answers of one task."""
BETWEEN = re.compile(r"[;|/,\n]")
DECIDES = ("==", "!=", "in", "not in")


def listed(env: Environment, right: Right) -> dict[int, list[str]]:
    """By task the answers that stand beside the gold, as the task's fields write them."""
    found: dict[int, list[str]] = {}
    sets: dict[frozenset[str], str] = {}
    at = [right.with_gold[n] for n in spread(len(right.with_gold), TASKS)]
    for i in at:
        seen = env.watch(i, right.write(right.gold(i)), comparisons=True)
        members = _members(seen.pairs, _plain(right.gold(i)))
        others = {_plain(one) for one in (*right.options[i], *right.distinct)}
        others -= {_plain(right.gold(i))}
        if not members or others & set(map(_plain, members)):
            continue
        if sets.setdefault(frozenset(members), right.gold(i)) != right.gold(i):
            return {}  # the same for two golds: whatever is valid
        written = list(_pieces(right.tasks[i]))
        known = {_plain(one): one for one in reversed(written)}
        made = [known[_plain(one)] for one in members if _plain(one) in known]
        found[i] = [one for one in made if _plain(one) != _plain(right.gold(i))][:MOST]
    return found


def _members(pairs: list[tuple[str, Any, Any, bool | None]], gold: str) -> list[str]:
    """What the last comparison that decides finds the gold, or a part of it, among; [] where
    another one decides, or one about something beside it: a unit that was left out."""
    for n in reversed(range(len(pairs))):
        name, left, right, held = pairs[n]
        if name not in DECIDES or not isinstance(left, str):
            continue
        among = isinstance(right, list) and all(isinstance(one, str) for one in right)
        found = held is not None and held == (name == "in")
        own = bool(_plain(left)) and (_plain(left) in gold or gold in _plain(left))
        if (
            name in ("in", "not in")
            and among
            and found
            and own
            and len(right) > 1
            and left in right
        ):
            return [one for one in right if one != left]
        return []
    return []


def _pieces(task: Task) -> Iterator[str]:
    """The texts of the fields, their members and the pieces between marks."""
    for _, value in flat(task.fields):
        for text in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(text, str) and text != task.prompt:
                yield text.strip()
                yield from (piece.strip() for piece in BETWEEN.split(text))


def _plain(text: str) -> str:
    """A text without regard to case, marks and blanks."""
    text = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in text if one.isalnum())
