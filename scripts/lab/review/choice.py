"""Which completions a reader is shown: 16 to 24, chosen for what a judgement of each would say.

Right answers of different tasks come first, because nothing else shows what the data means; then
what is paid and should not be, replies that tell readings apart, refused right forms, and ordinary
wrong answers. A task that is on the sheet already costs no further prompt.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from lab.review.candidates import Candidates, candidates
from lab.review.controls import controls
from lab.review.items import EXPLOIT, FORM, GOLD, STRUCTURE, WRONG, Item
from lab.reward.interactive.messages import shown
from lab.reward.observation import key_of
from lab.reward.outcome import Audit

LEAST, MOST = 16, 24
QUOTAS = (
    (GOLD, 6),
    (EXPLOIT, 4),
    (STRUCTURE, 4),
    (FORM, 3),
    (WRONG, 3),
    ("near", 1),
    ("refused", 2),
)
"""How many of each at first; with the two controls that is less than `MOST`."""
FILL = ("near", WRONG, GOLD, "refused", FORM, STRUCTURE, EXPLOIT)
"""Where less was found, the next of these are taken, one each in turn."""
PER_TASK = 3
PROMPTS = 9000
"""Characters of all prompts on a sheet: about half of what a reader is asked to read."""


@dataclass
class _Sheet:
    """What has been chosen so far."""

    length: Callable[[int], int]
    """Characters that the prompt of a task takes."""
    chosen: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keys: set[tuple[int, str]] = set()
        self.tasks: Counter[int] = Counter()
        self.used = 0

    def fits(self, one: Item) -> bool:
        if (one.task, key_of(one.completion)) in self.keys or len(self.chosen) >= MOST - 2:
            return False
        if one.task in self.tasks:
            return self.tasks[one.task] < PER_TASK
        return not self.tasks or self.used + self.length(one.task) <= PROMPTS

    def take(self, one: Item) -> None:
        self.keys.add((one.task, key_of(one.completion)))
        if one.task not in self.tasks:
            self.used += self.length(one.task)
        self.tasks[one.task] += 1
        self.chosen.append(one)


def choose(audit: Audit, seed: str) -> list[Item]:
    """The items of a review in the order in which they are shown, numbered from 1.

    `seed`: the order must not be that of another environment, or a number would tell what it is.
    """
    found = candidates(audit, seed)
    sheet = _Sheet(lambda i: len(audit.brief.tasks[i].prompt))
    for reason, quota in QUOTAS:
        for _ in range(quota):
            if not _take_next(sheet, found[reason], reason):
                break
    _fill(sheet, found)
    rng = random.Random(seed)
    items = [*sheet.chosen, *controls(audit, sheet.chosen)]
    rng.shuffle(items)
    return [replace(one, number=number) for number, one in enumerate(items, 1)]


def _fill(sheet: _Sheet, found: Candidates) -> None:
    """Up to `LEAST` and a little more, by turns."""
    going = True
    while going and len(sheet.chosen) < LEAST:
        going = False
        for reason in FILL:
            if len(sheet.chosen) < LEAST:
                going |= _take_next(sheet, found[reason], reason)


def _take_next(sheet: _Sheet, items: list[Item], reason: str) -> bool:
    """Take the best item that is left; right answers from tasks that are not shown yet, others from
    tasks that are. Of one form or sort only one is shown."""
    shown_names = {one.name for one in sheet.chosen if one.role not in (GOLD, WRONG)}
    left = [one for one in items if sheet.fits(one) and one.name not in shown_names]
    if not left:
        return False
    if reason == GOLD:
        best = next((one for one in left if one.task not in sheet.tasks), left[0])
    else:
        top = [one for one in left if one.name == left[0].name]
        best = min(top, key=lambda one: (one.task not in sheet.tasks, len(shown(one.completion))))
    sheet.take(best)
    return True
