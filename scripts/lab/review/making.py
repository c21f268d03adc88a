"""A review from a test of the reward: its completions, what is shown of them, what is sealed."""

from __future__ import annotations

from lab.review.choice import choose
from lab.review.content import shown_of
from lab.review.own import scale_data
from lab.review.sealed import Review, id_of
from lab.reward.observed import observe
from lab.reward.outcome import Audit

FEWEST = 6
"""Completions below which there is nothing to review."""


def make(
    audit: Audit, environment: str, content: str, seed: int, *, scripted: bool
) -> Review | None:
    """The review; None where the test found too little that could be shown. While the environment
    runs: some completions are made and played for the sheet. `scripted`: judges were not real."""
    items = choose(audit, f"{content}:{seed}") if audit.brief.tasks else []
    if len(items) < FEWEST:
        return None
    review = id_of(content, items, seed)
    brief = audit.brief
    golds = {i: brief.gold(i) for i in brief.with_gold}
    clauses = {name: {"value": c.value, "words": c.words} for name, c in observe(audit).items()}
    return Review(
        review,
        content,
        tuple(items),
        shown_of(audit, items, review, environment),
        scale_data(brief.scale, golds),
        {
            "prelude": {str(i): list(said) for i, said in audit.session.env.prelude.items()},
            "fresh_each": audit.session.env.fresh_each,
            "scripted": brief.judged and scripted,
        },
        clauses,
    )
