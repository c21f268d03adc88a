"""What a reward counts pays once: a source that is cited six times is one source, and a check that
is made in six turns one check."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.formats.prompt import quoted, tags_of
from lab.reward.interactive.messages import said
from lab.reward.productions.base import DESIGN
from lab.reward.scale import PART, TINY
from lab.reward.session import Session
from lab.reward.statements import range_of

CITED = re.compile(r"\[[A-Za-z]{0,3}-?\d{1,3}\]")
"""`[3]`, `[S2]`: what numbers the notes of a prompt, and cites them."""
NAMED = re.compile(r"(?m)^[ \t]*[-*•][ \t]+[*`\"]*(\w[\w -]{0,23}?)[*`\"]*(?::|[ \t]+[-–—][ \t]|$)")
"""What a list of the prompt names, an item each: `- filter: whether the filter is clean`."""
TASKS, TIMES, MOST, LONGEST, MOST_NAMED = 2, 6, 4, 24, 24
"""Tasks, how often a mark is said, marks of one sort, characters of one, and names of lists."""
WORD = "indeed"
"""What is said as often as a mark where only the length may count."""
COUNTED = Check(
    "reward.counted_again",
    title="what a reward counts earns no more where it is said again and again",
    expected=f"{TIMES} times earn at most {PART:.0%} of what is right more than once; or, in one "
    "reply, no more than a reward is at most",
    reason="A sum over all that is found has no end: one mark, said often enough, makes up for the "
    "whole answer.",
    source="arXiv 2502.03373: what grows with repetition is earned by repeating; own cases: "
    "citations that are counted, checks of a dialogue",
)


@dataclass(frozen=True)
class Counted:
    """What the gold earns with a mark, once and often."""

    task: int
    mark: str
    in_turns: bool
    """Whether the mark is a reply of its own, before the gold."""
    once: float = 0.0
    often: float = 0.0


def finding(b: Brief, session: Session) -> Finding:
    if not b.with_gold or not b.scale.apart or b.programs or (b.judged and not b.scripted):
        return COUNTED.skip("no gold that is written and paid, or a judge that costs")
    tried, seen = _tried(b), list[Counted | None]()
    for one in tried:
        if session.over():
            break
        seen.append(_said_again(b, session, one))
    found = [one for one in seen if one is not None]
    if not tried or (not found and len(seen) < len(tried)):
        return COUNTED.skip("no such marks" if not tried else "the time for all of them was over")
    if not found:
        return COUNTED.ok(measured=f"0 of {len(seen)} marks")
    first = max(found, key=lambda one: one.in_turns)
    beyond = any(one.often > _most(b, one.task) + TINY for one in found)
    return (COUNTED.fail if beyond or first.in_turns else COUNTED.warn)(
        measured=f"{len(found)} of {len(seen)} marks",
        evidence=f"task {b.tasks[first.task].index}: the gold with '{excerpt(first.mark, 40)}' "
        f"earns {first.once:.3g}, with it {TIMES} times {first.often:.3g}",
        fix=f"count each of them once, as a set, and cap the sum ({DESIGN}#more-than-the-gold)",
        severity="high",
        direction="false_positive",
    )


def _tried(b: Brief) -> list[Counted]:
    sample = b.sample(TASKS, gold=True)
    tried = [Counted(i, mark, False) for i in sample for mark in marks(b.tasks[i], b.readme)]
    if b.playable:
        tried += [Counted(i, mark, True) for i in sample for mark in steps(b, b.tasks[i])]
    return tried


def _most(b: Brief, task: int) -> float:
    """What a reward is at most: by the contract or the README, by its weights, or by the gold."""
    weights = sum(weight for weight in b.description.rewards.values() if weight > 0)
    stated = b.contract.range or range_of(b.readme) or (0.0, 0.0)
    return max(weights or 1.0, stated[1], b.scale.ceiling_of(task))


def _said_again(b: Brief, session: Session, one: Counted) -> Counted | None:
    """Where the gold earns more with a mark often than once, and than with as many other words."""
    earned = partial(_earned_after if one.in_turns else _earned, b, session, one.task)
    often = earned([one.mark] * TIMES)
    least = PART * b.scale.gap + TINY
    if often is None or often <= b.scale.ceiling_of(one.task) + least:
        return None
    many = TIMES if one.in_turns else TIMES * len(one.mark.split())
    once, words = earned([one.mark]), earned([WORD] * many)
    if once is None or words is None or often <= max(once, words) + least:
        return None
    return replace(one, once=once, often=often)


def _earned(b: Brief, session: Session, task: int, more: list[str]) -> float | None:
    """The most that the gold earns with something behind it, or in its place with it."""
    gold, words = b.gold(task), " ".join(more)
    behind, inside = f"{b.write(gold)} {words}", b.write(f"{gold} {words}")
    scored = [session.score(task, behind, right=True).reward]
    scored += [session.score(task, inside).reward] if inside != behind else []
    return max((reward for reward in scored if reward is not None), default=None)


def _earned_after(b: Brief, session: Session, task: int, more: list[str]) -> float | None:
    """What the gold earns as the last reply, after others."""
    replies = said([*more, b.write(b.gold(task))])
    return session.score(task, replies, right=True).reward


def steps(b: Brief, task: Task) -> list[str]:
    """Replies before the last one: what the lists of a prompt name, in a tag of the prompt that is
    not the answer's."""
    names = list(dict.fromkeys(NAMED.findall(task.shown)))[:MOST_NAMED]
    tags = [tag for tag in tags_of(task.shown)[:MOST] if f"<{tag}>" not in b.format.before]
    return [f"<{tag}>{name}</{tag}>" for tag in tags for name in names]


def marks(task: Task, readme: str) -> list[str]:
    """What a reward may count: the notes that a prompt numbers, one by one and together; its tags,
    with something in them; the words that the README quotes."""
    cited = list(dict.fromkeys(CITED.findall(task.shown)))[:MOST]
    tags = [f"<{name}>so it is</{name}>" for name in tags_of(task.shown)[:MOST]]
    together = [" ".join(cited)] if len(cited) > 1 else []
    words = [word for word in quoted(readme) if len(word) <= LONGEST and word[:1].isalpha()]
    return [*cited, *together, *tags, *list(dict.fromkeys(words))[:MOST]]
