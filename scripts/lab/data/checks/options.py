"""Shortcuts that look at the options: the longest one, tell-tale words, the question's letters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile

from lab.data.checks.item import Item
from lab.data.checks.spans import NUMBER
from lab.data.checks.text import WORD

Pick = Callable[[Item], int | None]
"""The place of the option that a rule takes; None where it takes none."""

_SIGNS = ',;:()"-'


def _extreme(value: Callable[[str], float], largest: bool) -> Pick:
    """The option with the largest or smallest value, where one alone has it."""

    def pick(item: Item) -> int | None:
        values = [value(option) for option in item.options]
        best = max(values) if largest else min(values)
        return values.index(best) if values.count(best) == 1 else None

    return pick


def _among_numbers(rank: Callable[[int], int]) -> Pick:
    def pick(item: Item) -> int | None:
        found = [NUMBER.findall(option) for option in item.options]
        if not all(len(numbers) == 1 for numbers in found):
            return None
        values = [float(numbers[0].replace(",", "")) for numbers in found]
        order = sorted(range(len(values)), key=values.__getitem__)
        return order[rank(len(order))]

    return pick


def _odd(item: Item) -> int | None:
    """The only option with a sign or a digit that no other has, or the only one without."""
    marks = [
        (any(char.isdigit() for char in option), *(sign in option for sign in _SIGNS))
        for option in item.options
    ]
    for column in zip(*marks, strict=True):
        for value in (True, False):
            if column.count(value) == 1 and len(column) > 2:
                return column.index(value)
    return None


def _echo(item: Item) -> int | None:
    """The option that repeats most of the question's longer words."""
    asked = {word for word in item.question.split() if len(word) > 3}
    shared = [
        sum(word.lower() in asked for word in WORD.findall(option)) for option in item.options
    ]
    best = max(shared)
    return shared.index(best) if best and shared.count(best) == 1 else None


OPTION_RULES: dict[str, Pick] = {
    "the longest option": _extreme(len, True),
    "the shortest option": _extreme(len, False),
    "the option with most words": _extreme(lambda option: len(option.split()), True),
    "the largest number": _among_numbers(lambda size: size - 1),
    "the smallest number": _among_numbers(lambda size: 0),
    "the middle number": _among_numbers(lambda size: (size - 1) // 2),
    "the option with a sign or digit that no other has, or lacks": _odd,
    "the option that repeats the question's words": _echo,
}
TELL_TALE = "the words that right options have and wrong ones lack"
BEGINNING = "the option that begins like a name or code in the question"
COMMON = 0.1
"""Share of the questions from which on a word is of their wording, and no name or code."""


def chosen(items: Sequence[Item]) -> tuple[str, Pick]:
    """The rule that is right for most of `items`, its words and the rule."""
    plain = {**OPTION_RULES, BEGINNING: beginning(items)}
    rules = {**plain, TELL_TALE: opinion(items)}
    # The tell-tale words have seen these very items, so they are asked those that come after.
    later = items[len(items) // 2 :]
    tried = {**plain, TELL_TALE: opinion(items[: len(items) // 2])}
    hits = {name: sum(rule(item) == item.right for item in later) for name, rule in tried.items()}
    name = max(hits, key=hits.__getitem__)
    return name, rules[name]


def beginning(items: Sequence[Item]) -> Pick:
    """The option with the longest beginning that one of the question's rarer words has, too: `TH`
    and `Thailand`, `the Kingdom of Thailand` and `Thailand`."""
    found = Counter(word for item in items for word in set(item.question.split()))
    common = {word for word, times in found.items() if times > COMMON * len(items)}

    def pick(item: Item) -> int | None:
        words = [word for word in item.question.split() if word not in common]
        lengths = [
            max((_same(word, option.lower()) for word in words), default=0)
            for option in item.options
        ]
        best = max(lengths)
        return lengths.index(best) if best and lengths.count(best) == 1 else None

    return pick


def _same(one: str, other: str) -> int:
    """The number of characters that both begin with."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def opinion(items: Sequence[Item]) -> Pick:
    """The option whose words were oftener in right options than in wrong ones (naive Bayes)."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for item in items:
        for place, option in enumerate(item.options):
            (right if place == item.right else wrong).update(set(_words(option)))
    share = (sum(right.values()) + 1) / (sum(wrong.values()) + 1)

    def weight(option: str) -> float:
        return sum(
            math.log((right[word] + share) / (wrong[word] + 1) / share) for word in _words(option)
        )

    return _extreme(weight, True)


def _words(option: str) -> list[str]:
    return [word.lower() for word in WORD.findall(option)][:60]
