"""`select`: which rows an environment takes, which it holds out, and by which rule.

    chosen = select(items)
    chosen.left_out             # {"repeated": [17, 204], "no usable gold": [3]}
    chosen.held_out, chosen.rule

A row is left out when it has no question or no usable gold, when another row asks the same, or when
rows that ask the same contradict each other. Held out are questions; whole templates where there
are enough of them. The choice depends on the questions alone, not on their order.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lab.data.checks.checks_parts import FEW_TEMPLATES, HELD_OUT
from lab.data.checks.golds import CLASS, is_note, stands_for_nothing
from lab.data.checks.item import Item
from lab.data.checks.templates import templates
from lab.data.checks.text import means_nothing

SHARE, MOST_SHARE = 0.1, 0.3
"""Share of the questions that is held out; up to the second one where it takes that for enough."""
COVERED = 0.5
"""Share of the questions in templates from which on whole templates are held out."""
SEVERAL = 3
"""Templates that the held-out part must have."""
MOST_COMPARED = 20_000
"""Questions up to which templates are looked for."""

UNUSABLE, CONTRADICTORY, REPEATED = "no usable question or gold", "contradictory", "repeated"
NAMED = "named by the user"
HELD_ELSEWHERE = "in the held-out split"


@dataclass
class Selection:
    rows: int = 0
    left_out: dict[str, list[int]] = field(default_factory=dict)
    """Why -> the places of the rows."""
    held_out: list[int] = field(default_factory=list)
    split_by: str = "question"
    """question, template, or dataset (the dataset's own held-out part)."""

    @property
    def kept(self) -> int:
        return self.rows - sum(map(len, self.left_out.values()))

    @property
    def rule(self) -> list[str]:
        """What was done, in words, with its counts."""
        said = {
            UNUSABLE: "without a question, or with a gold that is missing, empty or a note",
            CONTRADICTORY: "whose question comes again with another gold",
            REPEATED: "whose question (and options, in any order) came before",
            HELD_ELSEWHERE: "whose question is in the held-out split too",
            NAMED: "that were named with --leave-out",
        }
        for seldom in (HELD_ELSEWHERE, NAMED):
            if seldom not in self.left_out:
                del said[seldom]
        counts = {why: len(self.left_out.get(why, [])) for why in said}
        out = [f"left out {counts[why]} rows {what}" for why, what in said.items()]
        by = {
            "question": "chosen by a hash of the question",
            "template": "whole templates of questions, chosen by hash",
            "dataset": "the dataset's own held-out part",
        }[self.split_by]
        more = self.split_by != "dataset" and SHARE * self.kept < HELD_OUT and self.held_out
        why = f"; more than {SHARE:.0%}: below {HELD_OUT} questions a difference is noise"
        held = f"held out {len(self.held_out)} of the {self.kept} rows left: {by}"
        return [*out, held + (why if more else "")]

    @property
    def held_share(self) -> float:
        """The part of the rows left that is held out."""
        return len(self.held_out) / max(1, self.kept)

    def as_dict(self, dataset: str) -> dict[str, Any]:
        """What the package keeps; `dataset` as its configuration names it."""
        return {
            "rule": self.rule,
            "dataset": dataset,
            "rows": self.rows,
            "left_out": self.left_out,
            "split_by": self.split_by,
            "held_out": self.held_out,
        }


def select(
    items: Iterable[Item],
    *,
    closed: bool = False,
    own: Sequence[int] = (),
    elsewhere: Iterable[Item] = (),
    named: Collection[int] = (),
) -> Selection:
    """The rows to take of `items`.

    closed: golds are letters or labels. own: places of rows that the dataset itself holds out; they
    stay so when they are enough, and else go with the others. elsewhere: items of a held-out split
    that is kept apart; where it is large enough, nothing of `items` is held out. named: places that
    the user leaves out.
    """
    known, apart = list(items), {item.question_key for item in elsewhere if item.golds}
    apart = apart if len(apart) >= HELD_OUT else set()
    chosen = Selection(len(known))
    usable = _usable(known, closed) - set(named)
    left = {NAMED: sorted(set(named))}
    left[UNUSABLE] = [p for p in range(len(known)) if p not in usable and p not in left[NAMED]]
    held = set(own)
    # Of a question that is in both parts the held-out row stays.
    order = sorted(usable, key=lambda place: (place not in held, place))
    by_asked: dict[int, list[int]] = defaultdict(list)
    for place in order:
        by_asked[known[place].asked_key].append(place)
    left[CONTRADICTORY], left[REPEATED], left[HELD_ELSEWHERE] = [], [], []
    kept: list[int] = []
    for same in by_asked.values():
        if known[same[0]].question_key in apart:
            left[HELD_ELSEWHERE] += same
        elif len(same) > 1 and not frozenset.intersection(*(known[p].answers for p in same)):
            left[CONTRADICTORY] += same
        else:
            kept.append(same[0])
            left[REPEATED] += same[1:]
    chosen.left_out = {why: sorted(places) for why, places in left.items() if places}
    if apart:
        chosen.split_by = "dataset"
    else:
        _hold_out(chosen, known, sorted(kept), held)
    return chosen


def _usable(items: list[Item], closed: bool) -> set[int]:
    """The places of the items with a question and a gold that is an answer."""
    first = [item.golds[0].strip().casefold() if item.golds else "" for item in items]
    common = Counter(first)
    return {
        place
        for place, item in enumerate(items)
        if item.prompt.strip()
        and item.golds
        and not all(means_nothing(gold, articles=not closed) for gold in item.golds)
        and (item.right is not None or not is_note(item.golds[0]))
        and (
            closed
            or item.right is not None
            or not all(map(stands_for_nothing, item.golds))
            or common[first[place]] >= CLASS * len(items)
        )
    }


def _hold_out(chosen: Selection, items: list[Item], kept: list[int], own: set[int]) -> None:
    groups: dict[int, list[int]] = defaultdict(list)
    for place in kept:
        groups[items[place].question_key].append(place)
    mine = [place for place in kept if place in own]
    if len({items[place].question_key for place in mine}) >= HELD_OUT:
        chosen.split_by, chosen.held_out = "dataset", mine
        return
    target = min(max(HELD_OUT, round(SHARE * len(groups))), int(MOST_SHARE * len(groups)))
    by_template = _templates(items, [places[0] for places in groups.values()], target)
    if by_template:
        chosen.split_by = "template"
        keys = {items[place].question_key for place in by_template}
    else:
        keys = set(sorted(groups, key=_shuffled)[: max(1, target)] if len(groups) > 1 else [])
    chosen.held_out = sorted(place for key in keys for place in groups[key])


def _templates(items: list[Item], places: list[int], target: int) -> list[int]:
    """The questions of whole templates, about `target` of them; [] where that cannot be had."""
    if len(places) > MOST_COMPARED:
        return []
    found = templates([items[place].prompt for place in places])
    covered = sum(len(group.members) for group in found)
    if len(found) < FEW_TEMPLATES or covered < COVERED * len(places):
        return []
    out: list[int] = []
    number = 0
    for group in sorted(found, key=lambda group: _shuffled(group.text)):
        if len(out) + len(group.members) <= max(target, MOST_SHARE * len(places)):
            out += [places[member] for member in group.members]
            number += 1
        if len(out) >= target and number >= SEVERAL:
            return out
    return []


def _shuffled(value: object) -> bytes:
    return hashlib.sha256(str(value).encode("utf-8", "surrogatepass")).digest()
