"""Whether scoring keeps a state, where no reply is known that is paid: the same reply takes another
way through the code when it is scored once more.

The comparisons of both times are held side by side. The first one that ends otherwise, at the same
place, was decided by something that the first scoring left behind. Where the ways part without one,
or at a look-up, a result was kept (a cache): that is no state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lab.cli.untrusted import excerpt
from lab.environment import Completion, Environment, Watched
from lab.reward.interactive.messages import shown

IDLE, TIMES, MOST = "x", 2, 8
"""A reply that fills what is made once, how often it is scored, and replies that are tried."""
LOOKED_UP = ("in", "not in")
"""Comparisons by which results are looked up."""


def remembered(env: Environment, task: int, completions: Sequence[Completion]) -> tuple[str, float]:
    """What shows it, and by how much; ("", 0.0) where nothing does."""
    _begun(env, task)
    for completion in completions[:MOST]:
        if not _otherwise(*_twice(env, task, completion)):
            continue
        _begun(env, task)
        before = env.watch(task, completion, comparisons=True)
        _begun(env, task)
        first, then = _twice(env, task, completion)
        found = _otherwise(first, then)
        if found and _way(before) == _way(first):
            earned = first.score.reward or 0.0, then.score.reward or 0.0
            said = (
                f"'{excerpt(shown(completion), 80)}' earns {earned[0]:.3g}, and {earned[1]:.3g} "
                f"when it is scored once more, on another way through the code: {found[0]}"
            )
            return said, abs(earned[1] - earned[0])
        _begun(env, task)
    return "", 0.0


def _begun(env: Environment, task: int) -> None:
    """A fresh process in which what is made once has been made."""
    env.fresh()
    for _ in range(TIMES):
        env.score(task, IDLE)


def _twice(env: Environment, task: int, completion: Completion) -> tuple[Watched, Watched]:
    first = env.watch(task, completion, comparisons=True)
    return first, env.watch(task, completion, comparisons=True)


def _way(seen: Watched) -> str:
    return repr((seen.places, seen.pairs, seen.score.reward))


def _otherwise(first: Watched, then: Watched) -> list[str]:
    """The first comparison that ended otherwise the second time; [] where none did. A count that
    goes on ends as it did."""
    if first.score.error or then.score.error:
        return []
    apart = first.places != then.places or first.score.reward != then.score.reward
    for (place, n), (later, m) in zip(first.steps, then.steps, strict=False):
        (name, left, right, held), (again, ours, theirs, now) = first.pairs[n], then.pairs[m]
        if place != later or name != again:
            return []
        if (left, right, held) == (ours, theirs, now):
            continue
        if name in LOOKED_UP:
            if _found(left, right) != _found(ours, theirs):
                return []  # a result that was kept
            continue
        if held != now or (held is None and apart):
            return [f"first {_said(left, name, right)}, then {_said(ours, name, theirs)}"]
    return []


def _found(value: Any, among: Any) -> bool:
    """Whether a value is among others; keys of dictionaries are texts here."""
    held = among if isinstance(among, (dict, list, str)) else []
    return str(value) in held if isinstance(held, (dict, str)) else value in held


def _said(left: Any, name: str, right: Any) -> str:
    return excerpt(f"{left!r} {name} {right!r}", 100)
