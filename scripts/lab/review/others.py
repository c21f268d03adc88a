"""Many prompts as one line each, cut so that the words in which they differ are kept.

Prompts of one environment often begin with the same instructions, and pairs of tasks with the same
story: cut to their first words, all lines would be alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from lab.reward.formats.prompt import common

OTHERS, LONGEST, BEFORE, AFTER = 12, 120, 24, 60
"""Lines that are shown, characters of one, and of its text before and after a difference."""


def differing(texts: Sequence[str]) -> list[str]:
    """One line per text."""
    plain = [" ".join(text.split()) for text in texts]
    same = min((_shared(plain[0], one) for one in plain if one != plain[0]), default=0)
    start = same - BEFORE if same > LONGEST // 2 else 0
    return [_line(text, plain, start) for text in plain]


def _line(text: str, plain: Sequence[str], start: int) -> str:
    # Here it leaves the text that it is most like.
    leaves = max((_shared(text, one) for one in plain if one != text), default=0)
    end = start + LONGEST
    pieces = [(start, end)]
    if leaves > end - BEFORE:
        pieces.append((max(end, leaves - BEFORE), leaves + AFTER))
    line = " ".join(("... " if left else "") + text[left:right].strip() for left, right in pieces)
    return line + (" ..." if pieces[-1][1] < len(text) else "")


def _shared(one: str, other: str) -> int:
    """Characters that both begin with."""
    return len(common([one, other]))
