"""Marks that a reward counts pay once: a source that is cited six times is one source."""

from __future__ import annotations

import re

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.formats.prompt import quoted, tags_of
from lab.reward.productions.base import DESIGN
from lab.reward.scale import PART, TINY
from lab.reward.session import Session
from lab.reward.statements import range_of

CITED = re.compile(r"\[[A-Za-z]{0,3}-?\d{1,3}\]")
"""`[3]`, `[S2]`: what numbers the notes of a prompt, and cites them."""
TASKS, TIMES, MOST, LONGEST = 2, 6, 4, 24
"""Tasks, how often a mark is said, marks of one sort, and characters of one."""
WORD = "indeed"
"""What is said as often as a mark where only the length may count."""
COUNTED = Check(
    "reward.counted_again",
    title="what a reward counts earns no more where it is said again and again",
    expected=f"{TIMES} times earn at most {PART:.0%} of what is right more than once, and no more "
    "than a reward is at most",
    reason="A sum over all that is found has no end: one mark, said often enough, makes up for the "
    "whole answer.",
    source="arXiv 2502.03373: what grows with repetition is earned by repeating; own cases: "
    "citations that are counted",
)


def finding(b: Brief, session: Session) -> Finding:
    if not b.with_gold or not b.scale.apart or b.programs or (b.judged and not b.scripted):
        return COUNTED.skip("no gold that is written and paid, or a judge that costs")
    tried = [(i, mark) for i in b.sample(TASKS, gold=True) for mark in marks(b.tasks[i], b.readme)]
    seen = []
    for i, mark in tried:
        if session.over():
            break
        seen.append(_said_again(b, session, i, mark))
    found = [one for one in seen if one is not None]
    if not tried or (not found and len(seen) < len(tried)):
        return COUNTED.skip("no such marks" if not tried else "the time for all of them was over")
    if not found:
        return COUNTED.ok(measured=f"0 of {len(seen)} marks")
    i, mark, once, often = found[0]
    beyond = any(earned > _most(b, task) + TINY for task, _, _, earned in found)
    return (COUNTED.fail if beyond else COUNTED.warn)(
        measured=f"{len(found)} of {len(seen)} marks",
        evidence=f"task {b.tasks[i].index}: the gold with '{excerpt(mark, 40)}' earns {once:.3g}, "
        f"with it {TIMES} times {often:.3g}",
        fix=f"count each of them once, as a set, and cap the sum ({DESIGN}#more-than-the-gold)",
        severity="high",
        direction="false_positive",
    )


def _most(b: Brief, task: int) -> float:
    """What a reward is at most: by the contract or the README, by its weights, or by the gold."""
    weights = sum(weight for weight in b.description.rewards.values() if weight > 0)
    stated = b.contract.range or range_of(b.readme) or (0.0, 0.0)
    return max(weights or 1.0, stated[1], b.scale.ceiling_of(task))


def _said_again(
    b: Brief, session: Session, task: int, mark: str
) -> tuple[int, str, float, float] | None:
    """The task, the mark, and what the gold earns with it once and often, where that is more, and
    more than with as many other words."""
    often = _earned(b, session, task, " ".join([mark] * TIMES))
    least = PART * b.scale.gap + TINY
    if often is None or often <= b.scale.ceiling_of(task) + least:
        return None
    once = _earned(b, session, task, mark)
    words = _earned(b, session, task, " ".join([WORD] * TIMES * len(mark.split())))
    if once is None or words is None or often <= max(once, words) + least:
        return None
    return task, mark, once, often


def _earned(b: Brief, session: Session, task: int, more: str) -> float | None:
    """The most that the gold earns with something behind it, or in its place with it."""
    gold = b.gold(task)
    behind, inside = f"{b.write(gold)} {more}", b.write(f"{gold} {more}")
    scored = [session.score(task, behind, right=True).reward]
    scored += [session.score(task, inside).reward] if inside != behind else []
    return max((reward for reward in scored if reward is not None), default=None)


def marks(task: Task, readme: str) -> list[str]:
    """What a reward may count: the notes that a prompt numbers, one by one and together; its tags,
    with something in them; the words that the README quotes."""
    cited = list(dict.fromkeys(CITED.findall(task.shown)))[:MOST]
    tags = [f"<{name}>so it is</{name}>" for name in tags_of(task.shown)[:MOST]]
    together = [" ".join(cited)] if len(cited) > 1 else []
    words = [word for word in quoted(readme) if len(word) <= LONGEST and word[:1].isalpha()]
    return [*cited, *together, *tags, *list(dict.fromkeys(words))[:MOST]]
