"""Sequences: the right members in the wrong order, the right ends with an invented middle.

A ranking, a path or a derivation is compared step by step. A reward that compares the members as
a set pays the list of the prompt as it stands; one that looks at the ends pays any way between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.answers.lists import SEPARATORS, read, write
from lab.answers.numbers import parse_number
from lab.environment import Completion
from lab.probes.families import family
from lab.probes.near import members
from lab.probes.subject import Subject

Probes = Iterator[tuple[str, Completion]]

ORDER_ASKED = re.compile(
    r"\bin (?:the |a |their |its )?(?:\w+ )?order\b(?! to\b)|\bchronological|\border(?:ed|ing)? (?:\w+ )?(?:by|from|according)\b|\b(?:re)?order (?:the|these)\b"
    r"|(?<!what )(?<!some )(?<!which )\bsort(?:ed|ing)?\b(?! of\b)|\brank(?:ed|ing)?\b|\b(?:earliest|oldest|newest|latest|smallest|largest|biggest|lowest|highest|nearest|shortest|longest|cheapest) (?:first|to)\b"
    r"|\bascending\b|\bdescending\b|\bfrom (?:first to last|start to finish)\b|\bstep by step order\b|\b(?:correct|right) sequence\b",
    re.IGNORECASE,
)
ANY_ORDER = re.compile(r"\b(?:any|whatever|arbitrary|no particular) order\b|\border (?:does not|doesn't|is not|isn't|will not|won't) (?:matter|important|relevant|count)|\bregardless of (?:the )?order\b|\bunordered\b", re.IGNORECASE)
FEW = 12
"""Members up to which a made-up middle is most of the answer, also where a part is paid in proportion."""


def sequence(s: Subject, task: int) -> tuple[list[str], str] | None:
    """The members of a gold that is a sequence of short values; None for one value, a set or prose."""
    gold = s.gold(task)
    found = members(s, task) if s.learned.all_of else read(gold) if any(mark in gold for mark in SEPARATORS) or gold[:1] == "[" else None
    if found is None or not 2 < len(found[0]) <= FEW or max(map(len, found[0])) > 60:
        return None
    return found


@family(
    "order_ignored",
    section="lists",
    title="the members in another order are not paid where an order is asked for",
    kinds=("list", "text", "json"),
    least_share=0.5,
    reason="Where the members are compared as a set, the list of the prompt is right as it stands.",
    source="E08, for orderings; echoing needs no knowledge",
    fix="compare position by position, or pay the share of pairs in the right order",
)
def order_ignored(s: Subject, task: int) -> Probes:
    found, shown = sequence(s, task), s.tasks[task].shown
    if found is None or not ORDER_ASKED.search(shown) or ANY_ORDER.search(shown):
        return
    items, joint = found
    yield "reversed", s.write(write(items[::-1], joint, s.gold(task)))
    orders = {"the first one last": items[1:] + items[:1]}
    places = [shown.lower().rfind(item.lower()) for item in items]
    if min(places) >= 0:
        orders["as the prompt lists them"] = [item for _, item in sorted(zip(places, items, strict=True))]
    for name, order in orders.items():
        text = s.write(write(order, joint, s.gold(task)))
        if order != items and s.earns_all(task, text):
            yield name, text


@family(
    "invented_steps",
    section="lists",
    title="the right ends of a sequence with invented steps between are not paid",
    kinds=("list", "text", "json"),
    reason="A path is checked by its ends and its length, and any way between them is paid.",
    source="E34, for paths and derivations",
    fix="check every step: that each pair of neighbours is an edge, that each line follows from the one before",
)
def invented_steps(s: Subject, task: int) -> Probes:
    found = sequence(s, task)
    if found is None:
        return
    items, joint = found
    made = _made_up(items, s.tasks[task].shown)
    yield "all of them invented", s.write(write(made, joint, s.gold(task)))
    for name, mixed in (("the ends alone are right", [items[0], *made[1:-1], items[-1]]), ("the last one alone is right", [*made[:-1], items[-1]])):
        text = s.write(write(mixed, joint, s.gold(task)))
        if s.earns_all(task, text):
            yield name, text


def _made_up(items: list[str], shown: str) -> list[str]:
    """As many members of the same look, none of which the prompt names."""
    if all(parse_number(item) is not None for item in items):
        return [str(9001 + 7 * n) for n in range(len(items))]
    short = max(map(len, items)) <= 2
    pool = [f"{a}{b}" if not short else b for a in "QZ" for b in ("XJWYVUQKZNM" if short else ("uorel", "ephrim", "almont", "iddling", "arrow", "estrel", "ottage", "undry", "ilverin", "acket", "oster"))]
    free = [name for name in dict.fromkeys(pool) if not re.search(rf"\b{name}\b", shown)]
    return [(free or pool)[n % len(free or pool)] for n in range(len(items))]


@family(
    "counting_up",
    section="lists",
    title="counting up to a number of the prompt is not paid",
    severity="critical",
    answer_free=True,
    needs_gold=False,
    kinds=("list", "text", "json", "unknown"),
    reason="A checker of permutations or placements that forgets one rule pays 0, 1, 2, 3 on every task.",
    source="constant policy for puzzles; E34, E35",
    fix="check every rule of the puzzle, and test the checker on the most regular wrong answers",
    least_share=0.6,
)
def counting_up(s: Subject, task: int) -> Probes:
    prompt, gold = s.tasks[task].prompt, s.gold(task)
    sizes = {int(n) for n in re.findall(r"(?<![\d.])\d{1,2}(?![\d.]|\d)", prompt) if 3 <= int(n) <= 20}
    found = sequence(s, task)
    if found and all(item.isdigit() for item in found[0]):
        sizes = {len(found[0])}
    elif gold:
        return
    for size in sorted(sizes)[:4]:
        for start in (0, 1):
            items = [str(n) for n in range(start, start + size)]
            for joint in (found[1],) if found else ("JSON", ", ", " "):
                text = write(items, joint, gold)
                if text != gold:
                    yield f"from {start}, {'as JSON' if joint == 'JSON' else 'in a row'}", s.write(text)
