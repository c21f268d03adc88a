"""Whether a gold letter names the option that its row's own key names, and the same one each time.

Options are often shuffled while the tasks are made. A letter that was taken from the key before
that names whatever stands there afterwards. The row with its key is seen while the tasks are made
(see `lab.environment.making`); scoring cannot show it, because it believes the letter too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Environment
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN
from lab.reward.reading.fields import LETTERS, options_of

KEY = re.compile(r"answer|key|label|correct|gold|target|solution|right", re.IGNORECASE)
Moved = dict[int, tuple[str, str]]
LEAST = 4
"""Tasks whose options stand in another order than in their row."""
MOST_OFF = 0.2

MOVED = Check(
    "data.key_moved",
    title="the key names the same option before and after options are shuffled",
    expected=f"on at least {1 - MOST_OFF:.0%} of the tasks whose options were moved",
    reason="A letter that is taken before the shuffle names whatever stands there afterwards.",
    source="evalscope: a key of another order than the options; own cases: options that are "
    "shuffled after the key is read",
)


DIFFERS = Check(
    "data.options_conflict",
    title="a question that comes twice with its options in another order has one right answer",
    expected="the same options are right each time",
    reason="Letters that do not move with their options are right once at most.",
    source="own cases: options that are shuffled after the key is read",
)


def findings(b: Brief, env: Environment) -> Iterator[Finding]:
    yield _twice(b)
    yield from _by_row(b, env)


def _twice(b: Brief) -> Finding:
    """Of the questions that come with the same options in several orders, how many have other
    options right each time."""
    seen: dict[tuple[str, frozenset[str]], dict[frozenset[str], int]] = {}
    again = 0
    for i in b.with_gold:
        task = b.tasks[i]
        options = b.right.options[i] or options_of(task)
        marks = re.findall(r"\w+", b.gold(i).upper())
        if not options or not all(len(m) == 1 and m in LETTERS[: len(options)] for m in marks):
            continue
        right = frozenset(options[LETTERS.index(mark)] for mark in marks)
        first = min(task.prompt.find(option) for option in options)
        kept = re.sub(r"\W*\w?\W*$", "", task.prompt[: max(0, first)])
        question = kept, frozenset(options)
        again += question in seen
        seen.setdefault(question, {}).setdefault(right, i)
    often = sum(len(rights) > 1 for rights in seen.values())
    if not again:
        return DIFFERS.skip("no question comes twice with its options")
    if not often:
        return DIFFERS.ok(measured=0)
    (one, i), (other, j) = list(max(seen.values(), key=len).items())[:2]
    return DIFFERS.fail(
        measured=often,
        evidence=f"{often} of {again} that come again; {_named_right(b, i, one)}, "
        f"{_named_right(b, j, other)}",
        fix=f"map the right options to their new letters ({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )


def _named_right(b: Brief, task: int, right: frozenset[str]) -> str:
    said = excerpt(" and ".join(sorted(right)), 60)
    return f"task {b.tasks[task].index}: {b.gold(task)} is {said!r}"


def _by_row(b: Brief, env: Environment) -> Iterator[Finding]:
    if b.answer_type != "choice" or not any(b.right.options):
        yield MOVED.skip("no options")
        return
    held = env.made
    rows = {i: [value for _, _, value in values] for i, values in held.items()}
    # Keys are counted from 0 or from 1: as agrees best with the golds.
    both = [moved for first in (0, 1) if len(moved := _moved(b, rows, first)) >= LEAST]
    moved = min(both, key=_share_off, default={})
    if not moved:
        yield MOVED.skip("the rows are not seen to have their options in another order")
        return
    share = _share_off(moved)
    if share <= MOST_OFF:
        yield MOVED.ok(measured=share)
        return
    off = [i for i, (wanted, said) in moved.items() if wanted != said]
    i = off[0]
    yield MOVED.fail(
        measured=share,
        evidence=f"{len(off)} of {len(moved)} golds; task {b.tasks[i].index}: the row's key names "
        f"{excerpt(moved[i][0], 60)!r}, the gold {b.gold(i)} is {excerpt(moved[i][1], 60)!r}",
        fix=f"look the right text up again after the shuffle ({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )


def _share_off(moved: Moved) -> float:
    return sum(wanted != said for wanted, said in moved.values()) / max(1, len(moved))


def _moved(b: Brief, rows: dict[int, list[Any]], first: int) -> Moved:
    """By task what its row names and what its gold letter is, where options changed places."""
    found: Moved = {}
    for i in b.with_gold:
        options, letter = b.right.options[i], b.gold(i).strip("()").upper()
        wanted = _named(rows.get(i, []), options, first)
        if wanted and letter in LETTERS[: len(options)]:
            found[i] = wanted, options[LETTERS.index(letter)]
    return found


def _named(values: list[Any], options: list[str], first: int) -> str:
    """The option that a row names which has the same options in another order; "" without one."""
    for row in values:
        if not isinstance(row, dict):
            continue
        lists = [v for v in row.values() if isinstance(v, list) and v != options]
        before = next((v for v in lists if sorted(map(str, v)) == sorted(options)), None)
        keys = [v for name, v in row.items() if KEY.search(str(name))]
        if before is not None and len(keys) == 1:
            return _at(keys[0], before, first)
    return ""


def _at(key: Any, options: list[str], first: int) -> str:
    """The option at a number counted from `first`, or at a letter; or the text itself."""
    if isinstance(key, int) and not isinstance(key, bool):
        return str(options[key - first]) if 0 <= key - first < len(options) else ""
    if isinstance(key, str) and len(key) == 1 and key.upper() in LETTERS[: len(options)]:
        return str(options[LETTERS.index(key.upper())])
    return str(key) if key in options else ""
