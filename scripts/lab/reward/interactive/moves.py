"""Right rollouts of games, found by trying: random moves of the form that the prompt asks for.

A game has no gold that could be written. But most have moves that the prompt lists or numbers, and
an environment that answers each; some hundred playouts show whether good play is paid, and more
than sitting there is. What a right rollout earns is at least what the best of them earns.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median

from lab.environment import Completion, Environment
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.interactive.messages import said
from lab.reward.interactive.ways import NEUTRAL, likely, spread
from lab.reward.reading.search import TINY

SCREENED, TRIED, TASKS, LONGEST = 24, 120, 3, 10
"""Playouts per form of moves, per task in the chosen form, tasks, and replies of a playout."""
FORMS = 24
GUIDED = 0.6
"""Share of the later playouts that vary the end of the best one."""
LISTED = re.compile(r"\b([\w-]{1,12}(?:, [\w-]{1,12})+,? (?:or|and) [\w-]{1,12})\b")
SPAN = re.compile(r"\b(\d{1,3})\s*(?:to|-|–|and|through)\s*(\d{1,3})\b")
PLACE = r"(?:n|N|x|X|k|number|amount|price)"
COMMANDED = re.compile(
    r"(\b[A-Z]{3,12}|(?<=[\"'`“])[a-z]{3,12}) "
    rf"(?:{PLACE}\b|[<\[{{]{PLACE}[>\]}}](?![ \t]*\w+ *[<\[{{]))"
)
"""A command with a place for one number, such as OFFER n, BID <amount> or `take N`."""
COUNTS = "zero one two three four five six seven eight nine ten".split()
SMALL = {word: str(n) for n, word in enumerate(COUNTS)}


@dataclass(frozen=True)
class Played:
    """The best playout of each task that was tried, and what it earned."""

    right: dict[int, Completion]
    reward: float
    usual: float
    """What half of the playouts earned at most."""


COMMAND_LINE = re.compile(
    r"(?m)^[-*\s]{0,3}([>$!/:]? ?[a-zA-Z]{2,12}) [<\[{](\w+)[>\]}][ \t]*(?:\(([^()\n]+)\))?"
)
"""A command with a place for an argument, `> go <direction>   (north, south)`."""
MOST_COMMANDS = 60


def listed(text: str) -> list[str]:
    """The members of the lists that stand behind a colon, each once."""
    members = [m for line in re.findall(r":\s*([^:\n]+)", text) for m in line.split(",")]
    return list(dict.fromkeys(m.strip(" .;") for m in members if 1 < len(m.strip(" .;")) <= 24))


def commands(text: str) -> list[str]:
    """The commands that a prompt describes, each with each of its arguments: those that are listed
    behind it, or the members of every list of the prompt."""
    words, found = listed(text), []
    for command, _, beside in COMMAND_LINE.findall(text):
        arguments = re.split(r",\s*", beside) if beside else words
        found += [f"{command} {argument}" for argument in arguments]
    return found[:MOST_COMMANDS]


def alphabets(text: str) -> Iterator[list[str]]:
    """Sets of moves that a prompt names: commands with their arguments, the words of an
    enumeration, the numbers of a span, its own numbers and those between."""
    if len(found := commands(text)) > 1:
        yield found
    text = re.sub(r"</?\w+>", "", text)
    for match in LISTED.finditer(text):
        words = re.split(r", (?:or |and )?| or | and ", match[1])
        yield [SMALL.get(word.lower(), word) for word in words]
    for low, high in SPAN.findall(text):
        if 1 <= int(high) - int(low) <= 40:
            yield [str(n) for n in range(int(low), int(high) + 1)]
    numbers = sorted({int(n) for n in re.findall(r"(?<![\d.])\d{1,4}(?![\d.])", text)})
    if len(numbers) > 1:
        low, high = numbers[0], numbers[-1]
        yield [str(low + (high - low) * n // 8) for n in range(9)]


def search(env: Environment, idle: float, *, seconds: float = 15.0) -> Played | None:
    """The best playouts, where on every task tried they earn more than idleness and than most
    playouts do."""
    until, rng = time.monotonic() + seconds, random.Random(7)
    played = env.play(0, [[NEUTRAL]])
    if not played:
        return None
    users = [str(m["content"]) for m in played[0].messages if m["role"] == "user"]
    told = "\n".join([played[0].unread, *users])
    tasks = spread(len(env.description.tasks), TASKS)
    form = _best_form(env, tasks[0], told, idle, rng, until)
    if form is None:
        return None
    number, one, named = form
    right: dict[int, Completion] = {}
    earned, usual = [], []
    for task in tasks:
        # A task has numbers of its own; words and spans are the same everywhere.
        own = list(alphabets(f"{env.description.tasks[task].shown}\n{told}"))
        moves = [*own, *named][number]
        best, reward, common = _best_playout(env, task, one, moves, rng, until + seconds)
        if reward <= max(idle, common) + TINY:
            return None
        right[task] = said(one.write(move) for move in best)
        earned.append(reward)
        usual.append(common)
    return Played(right, sum(earned) / len(earned), max(usual))


def _best_form(
    env: Environment, task: int, told: str, idle: float, rng: random.Random, until: float
) -> tuple[int, AnswerFormat, list[list[str]]] | None:
    """The moves (by number) and the format whose random playouts are paid most."""
    first = env.description.tasks[0]
    shown = replace(first, system=f"{first.system}\n{told}")
    commands = dict.fromkeys(COMMANDED.findall(shown.shown))
    ways = [AnswerFormat(f"as {word}", f"{word} ", lead="") for word in commands]
    ways += likely([shown], 5)
    named = list(alphabets(shown.shown))
    forms = [(n, one) for n, moves in enumerate(named) if len(set(moves)) > 1 for one in ways]
    best: tuple[float, int, AnswerFormat] | None = None
    for number, one in forms[:FORMS]:
        rewards = [
            _earned(env, task, one, [rng.choice(named[number]) for _ in range(LONGEST)])
            for _ in range(SCREENED)
        ]
        if max(rewards) > max(idle, best[0] if best else 0.0) + TINY:
            best = (max(rewards), number, one)
        if time.monotonic() > until:
            break
    return (best[1], best[2], named) if best else None


def _best_playout(
    env: Environment,
    task: int,
    one: AnswerFormat,
    moves: list[str],
    rng: random.Random,
    until: float,
) -> tuple[list[str], float, float]:
    """The best playout, what it earns, and the median of the unguided ones; the guided ones vary
    the end of the best so far."""
    top: list[str] = []
    rewards: list[float] = []
    reward = float("-inf")
    for number in range(TRIED):
        guided = number >= SCREENED and rng.random() < GUIDED
        keep = rng.randrange(len(top)) if guided and top else 0
        sequence = [*top[:keep], *(rng.choice(moves) for _ in range(LONGEST - keep))]
        earned = _earned(env, task, one, sequence)
        rewards += [] if guided else [earned]
        if earned > reward:
            top, reward = sequence, earned
        if time.monotonic() > until and number >= SCREENED:
            break
    return top, reward, median(rewards)


def _earned(env: Environment, task: int, one: AnswerFormat, sequence: list[str]) -> float:
    return env.score(task, said(one.write(move) for move in sequence)).reward or 0.0
