"""What the code holds an unpaid gold against: then a field is the gold, whatever it is called, and
sometimes the two are written alike.

    unequal(env, right)     # "'不可(対象外)' == '不可（対象外）'"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lab.answers.look_alike import spelled
from lab.cli.untrusted import excerpt
from lab.environment import Environment
from lab.environment.comparisons import tells
from lab.environment.watch import plain
from lab.reward.reading.fields import flat
from lab.reward.reading.right import Right

MOST = 3
"""Golds on which it is seen what the code compares."""


def is_compared(env: Environment, right: Right) -> bool:
    """Whether the code holds what it reads against the field itself, where the gold in the form
    that the prompt asks for is not paid: then it is the gold, and not read back."""
    seen = list(_compared(env, right))
    held = (
        tells(value) and any(a != b and value in (a, b) for a, b in pairs) for value, pairs in seen
    )
    return bool(seen) and all(held)


def unequal(env: Environment, right: Right) -> str:
    """A gold and the text that is read of it, which are written alike and not the same: full-width
    brackets that are made narrow in the reply alone; "" where an unpaid gold shows none."""
    found = [
        next(((a, b) for a, b in pairs if value in (a, b) and _written_alike(a, b)), None)
        for value, pairs in _compared(env, right)
    ]
    if not found or not all(found):
        return ""
    return " == ".join(excerpt(repr(side), 60) for side in found[0] or ())


def _written_alike(one: Any, other: Any) -> bool:
    texts = isinstance(one, str) and isinstance(other, str)
    return texts and tells(one) and one != other and spelled(one) == spelled(other)


def _compared(env: Environment, right: Right) -> Iterator[tuple[Any, list[tuple[Any, Any]]]]:
    """Of a few golds that are not paid in the form that the prompt asks for: the field's value,
    and what the code compares."""
    asked = right.format.hint in ("prompt", "contract")
    unpaid = [i for i, s in right.scores.items() if asked and not s.reward and not s.kind]
    for i in unpaid[:MOST]:
        value = plain(dict(flat(right.tasks[i].fields)).get(right.source))
        pairs = env.watch(i, right.completion(i) or "", comparisons=True).pairs
        yield value, [(a, b) for name, a, b, _ in pairs if name in ("==", "!=")]
