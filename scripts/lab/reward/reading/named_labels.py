"""Golds that are numbers or short keys, read as the words that the environment's code calls them.

A row holds `2`, the code `LEVELS = ["green", "yellow", "orange", "red"]`, and the prompt asks for
the word. The list or dictionary has to name each gold, and the prompts have to show its words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from lab.environment import Task
from lab.reward.reading.candidates import Candidate
from lab.reward.reading.fields import flat, rank_of

MOST_LISTS = 6


def named_objects(labels: Sequence[dict[str, str]], tasks: Sequence[Task]) -> list[Candidate]:
    """Objects of several fields, with the keys that one of the code's `labels` pairs with them and
    the prompts show: `{"氏名": "recipient"}`, either way round."""
    rows = [dict(flat(task.fields)) for task in tasks]
    shown = tasks[0].shown if tasks else ""
    found = []
    for names in labels[:MOST_LISTS]:
        for keys in (names, {word: key for key, word in names.items()}):
            fields = list(keys.values())
            known = all(row.get(field) is not None for row in rows for field in fields)
            if rows and len(keys) > 1 and known and all(key in shown for key in keys):
                made = [
                    json.dumps({key: row[f] for key, f in keys.items()}, ensure_ascii=False)
                    for row in rows
                ]
                rank = min(1, *(rank_of(field) for field in fields))
                said = "as one object, with the code's keys"
                found.append(Candidate("+".join(fields), said, [*made], [[m] for m in made], rank))
    return found


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
                texts = [[gold] if gold else [] for gold in golds]
                said = "the code's word for it"
                found.append(Candidate(one.field, said, golds, texts, one.rank))
    return found
