"""Marks that a reward counts pay once: a source that is cited six times is one source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.formats.prompt import QUOTED, tags_of
from lab.reward.productions.base import DESIGN
from lab.reward.scale import PART, TINY
from lab.reward.session import Session

CITED = re.compile(r"\[[A-Za-z]{0,3}-?\d{1,3}\]")
"""`[3]`, `[S2]`: what numbers the notes of a prompt, and cites them."""
TASKS, TIMES, MOST, LONGEST = 2, 6, 4, 24
"""Tasks, how often a mark is said, marks of one sort, and characters of one."""
COUNTED = Check(
    "reward.counted_again",
    title="what a reward counts earns no more where it is said again and again",
    expected=f"{TIMES} times earn at most {PART:.0%} of what is right more than once, and no more "
    "than the weights of all rewards",
    reason="A sum over all that is found has no end: one mark, said often enough, makes up for the "
    "whole answer.",
    source="arXiv 2502.03373: what grows with repetition is earned by repeating; own cases: "
    "citations that are counted",
)


def finding(b: Brief, session: Session) -> Finding:
    if not b.with_gold or not b.scale.apart or b.programs:
        return COUNTED.skip("no gold that is written and paid")
    most = sum(weight for weight in b.description.rewards.values() if weight > 0) or 1.0
    seen, beyond = 0, False
    evidence: list[str] = []
    for i in b.sample(TASKS, gold=True):
        for mark in marks(b.tasks[i], b.readme) if not session.over() else ():
            seen += 1
            often, least = _earned(b, session, i, mark, TIMES), PART * b.scale.gap + TINY
            if often <= b.scale.ceiling_of(i) + least:
                continue
            if often > (once := _earned(b, session, i, mark, 1)) + least:
                beyond |= often > most + TINY
                evidence.append(
                    f"task {b.tasks[i].index}: the gold with '{excerpt(mark, 40)}' earns "
                    f"{once:.3g}, with it {TIMES} times {often:.3g}"
                )
    if not evidence:
        return COUNTED.ok(measured=f"0 of {seen} marks") if seen else COUNTED.skip("no such marks")
    return (COUNTED.fail if beyond else COUNTED.warn)(
        measured=f"{len(evidence)} of {seen} marks",
        evidence=evidence[0],
        fix=f"count each of them once, as a set, and cap the sum ({DESIGN}#more-than-the-gold)",
        severity="high",
        direction="false_positive",
    )


def _earned(b: Brief, session: Session, task: int, mark: str, times: int) -> float:
    """The most that the gold earns with a mark so many times, in its place and behind it."""
    gold, more = b.gold(task), " ".join([mark] * times)
    texts = [f"{b.write(gold)} {more}", b.write(f"{gold} {more}"), f"{more}\n{b.write(gold)}"]
    scored = (session.score(task, text, right=True).reward for text in dict.fromkeys(texts))
    return max((reward for reward in scored if reward is not None), default=0.0)


def marks(task: Task, readme: str) -> list[str]:
    """What a reward may count: the notes that a prompt numbers, one by one and together; its tags,
    with something in them; the words that the README quotes."""
    cited = list(dict.fromkeys(CITED.findall(task.shown)))[:MOST]
    tags = [f"<{name}>so it is</{name}>" for name in tags_of(task.shown)[:MOST]]
    return [*cited, *([" ".join(cited)] if len(cited) > 1 else []), *tags, *_quoted(readme)]


def _quoted(readme: str) -> Iterator[str]:
    words = (next(filter(None, found)) for found in QUOTED.findall(readme))
    kept = dict.fromkeys(word for word in words if len(word) <= LONGEST and word[:1].isalpha())
    yield from list(kept)[:MOST]
