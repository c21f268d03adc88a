"""Golds that are numbers or short keys, read as the words that the environment's code calls them.

A row holds `2`, the code `LEVELS = ["green", "yellow", "orange", "red"]`, and the prompt asks for
the word. The list or dictionary has to name each gold, and the prompts have to show its words.
"""

from __future__ import annotations

from collections.abc import Sequence

from lab.environment import Task
from lab.reward.reading.candidate import Candidate, single
from lab.reward.reading.objects import MOST_LISTS


def named_labels(
    given: Sequence[Candidate], labels: Sequence[dict[str, str]], tasks: Sequence[Task]
) -> list[Candidate]:
    """The candidates whose golds are keys of one of the code's `labels`, in its words. A word that
    is a key of another list is not looked up again."""
    shown = "\n".join(task.shown for task in tasks[:20]).casefold()
    asked = [names for names in labels if all(word.casefold() in shown for word in names.values())]
    found = []
    for one in given:
        keys = {gold.strip() for gold in one.golds if gold}
        for names in asked[:MOST_LISTS]:
            if len(keys) > 1 and keys <= set(names):
                golds = [names.get(gold.strip()) if gold else None for gold in one.golds]
                found.append(single(one.field, "the code's word for it", golds, one.rank))
    return found
