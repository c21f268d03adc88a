"""A move after which an exchange goes on: a command of the prompt that the environment answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lab.environment import Played
from lab.reward.formats.prompt import commands_of
from lab.reward.interactive.calls import Play
from lab.reward.interactive.moves import SPAN, listed

MOST_ARGUMENTS = 24
"""Arguments of a command that are tried."""


def goes_on(play: Play, task: int, shown: str, final: Sequence[str] = ()) -> str:
    """A reply that the environment answers, unlike one with nonsense in it, and goes on; "" where
    none is found. `shown` is the prompt, `final` the words that begin the last reply."""
    for command in commands_of(shown):
        if command in final:
            continue
        nonsense = _told(play(task, [f"{command} zq"]), "zq")
        for argument in list(dict.fromkeys(_arguments(shown)))[:MOST_ARGUMENTS]:
            played = play(task, [f"{command} {argument}"])
            if played and played[0].open and _told(played, argument) != nonsense:
                return f"{command} {argument}"
    return ""


def _arguments(text: str) -> Iterator[str]:
    """The members of the lists of a prompt, the words that begin its lines, and a number of each
    span."""
    yield from listed(text)
    yield from re.findall(r"(?m)^[-*\s]{0,4}(\w[\w -]{0,20}):", text)
    yield from (str((int(low) + int(high)) // 2) for low, high in SPAN.findall(text))


def _told(played: list[Played], argument: str) -> str:
    return played[0].unread.replace(argument, "…") if played else ""
