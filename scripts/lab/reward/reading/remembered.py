"""Whether scoring keeps a state, where no reply is known that is paid: the same reply takes another
way through the code when it is scored once more.

A memory of results (a cache) only shortens the way. What is compared the second time and was not
the first time, on another way, was decided by something that the first scoring left behind.
"""

from __future__ import annotations

from collections.abc import Sequence

from lab.cli.untrusted import excerpt
from lab.environment import Completion, Environment, Watched
from lab.environment.comparisons import MOST as MOST_PAIRS
from lab.reward.interactive.messages import shown

IDLE, TIMES, MOST = "x", 2, 8
"""A reply that fills what is made once, how often it is scored, and replies that are tried."""
LOOKED_UP = ("in", "not in", "get", "pop", "index")
"""Comparisons by which results are looked up."""


def remembered(env: Environment, task: int, completions: Sequence[Completion]) -> tuple[str, float]:
    """What shows it, and in how many comparisons; ("", 0.0) where nothing does."""
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
            return said, float(len(found))
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
    """What was decided otherwise the second time, where the way was another one: a value that is
    held against another one than before, with another result. A count that goes on is none."""
    told = not (first.score.error or then.score.error) and len(first.pairs) < MOST_PAIRS
    if not told or first.places == then.places:
        return []
    known = set(map(repr, first.pairs))
    return [
        excerpt(f"{left!r} {name} {right!r}", 120)
        for name, left, right, held in then.pairs
        if name not in LOOKED_UP and repr((name, left, right, held)) not in known
        for other, ours, theirs, before in first.pairs
        if name == other
        and (left == ours) != (right == theirs)
        and (held is None or held != before)
    ]
