"""Right rollouts of games, found by trying: random moves in the form that the prompt asks for, the best kept and varied.

A game has no gold that could be written. But most have moves that the prompt lists or numbers, and
an environment that answers each; some hundred playouts show whether good play is paid, and more than
sitting there is. What a right rollout earns is at least what the best of them earns.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median

from lab.environment import Completion, Environment
from lab.probes.acting import likely
from lab.probes.style import Style
from lab.probes.subject import TINY

SCREENED, TRIED, TASKS, LONGEST = 24, 120, 3, 10
"""Playouts per form of moves, playouts per task in the chosen form, tasks, and replies of a playout."""
LISTED = re.compile(r"\b([\w-]{1,12}(?:, [\w-]{1,12})+,? (?:or|and) [\w-]{1,12})\b")
SPAN = re.compile(r"\b(\d{1,3})\s*(?:to|-|–|and|through)\s*(\d{1,3})\b")
COMMANDED = re.compile(r"\b([A-Z]{3,12}) (?:n|N|x|X|k|number|amount|price)\b")
"""A command with a place for a number, such as OFFER n."""
SMALL = {word: str(n) for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}


@dataclass(frozen=True)
class Played:
    """The best playout of each task that was tried, and what it earned."""

    right: dict[int, Completion]
    reward: float
    usual: float
    """What half of the playouts earned at most."""


def alphabets(text: str) -> Iterator[list[str]]:
    """Sets of moves that a prompt names: words of an enumeration, numbers of a span, its numbers and those between."""
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
    """The best playouts, where on every task tried they earn more than idleness and than most playouts do."""
    until, rng = time.monotonic() + seconds, random.Random(7)
    played = env.play(0, [["OK."]])
    if not played:
        return None
    told = "\n".join([played[0].unread, *(str(message["content"]) for message in played[0].messages if message["role"] == "user")])
    tasks = list(range(0, len(env.description.tasks), max(1, len(env.description.tasks) // TASKS)))[:TASKS]
    shown = replace(env.description.tasks[0], system=f"{env.description.tasks[0].system}\n{told}")
    ways = [*(Style(f"as {word}", f"{word} ", lead="") for word in dict.fromkeys(COMMANDED.findall(shown.shown))), *likely([shown], 5)]
    named = list(alphabets(shown.shown))
    forms = [(number, style) for number, moves in enumerate(named) if len(set(moves)) > 1 for style in ways]
    best: tuple[float, int, Style] | None = None
    for number, style in forms[:24]:
        moves = named[number]
        rewards = [_earned(env, tasks[0], style, [rng.choice(moves) for _ in range(LONGEST)]) for _ in range(SCREENED)]
        if max(rewards) > max(idle, best[0] if best else 0.0) + TINY:
            best = (max(rewards), number, style)  # of several forms that are paid, the one that is paid most
        if time.monotonic() > until:
            break
    if best is None:
        return None
    right, earned, usual = {}, [], []
    for task in tasks:
        # A task has numbers of its own; words and spans are the same everywhere.
        moves = [*alphabets(f"{env.description.tasks[task].shown}\n{told}"), *named][best[1]]
        sequence, reward, common = _best(env, task, best[2], moves, rng, until + seconds)
        if reward <= max(idle, common) + TINY:
            return None
        right[task] = _said(best[2], sequence)
        earned.append(reward)
        usual.append(common)
    return Played(right, sum(earned) / len(earned), max(usual))


def _best(env: Environment, task: int, style: Style, moves: list[str], rng: random.Random, until: float) -> tuple[list[str], float, float]:
    """The best playout, what it earns, and the median of the unguided ones; the guided ones vary the end of the best so far."""
    top, rewards, reward = [], [], float("-inf")
    for number in range(TRIED):
        guided = number >= SCREENED and rng.random() < 0.6
        keep = rng.randrange(len(top)) if guided else 0
        sequence = [*top[:keep], *(rng.choice(moves) for _ in range(LONGEST - keep))]
        earned = _earned(env, task, style, sequence)
        rewards += [] if guided else [earned]
        if earned > reward:
            top, reward = sequence, earned
        if time.monotonic() > until and number >= SCREENED:
            break
    return top, reward, median(rewards)


def _said(style: Style, sequence: list[str]) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": style.write(move)} for move in sequence]


def _earned(env: Environment, task: int, style: Style, sequence: list[str]) -> float:
    return env.score(task, _said(style, sequence)).reward or 0.0
