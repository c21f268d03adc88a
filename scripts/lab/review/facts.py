"""The numbers and names of a review that later steps read, and the lines that a person reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from lab.cli.untrusted import excerpt
from lab.review.agreement import Rate, agreement, beyond_chance
from lab.review.answers import Answers
from lab.review.compared import (
    EXPLOITS,
    GOLDS,
    QUESTION,
    RIGHTS,
    Difference,
    contract_lines,
    pairs,
    unsure,
)
from lab.review.own import Scored
from lab.review.sealed import Review
from lab.reward.interactive.messages import shown

LONGEST = 300


def facts_of(
    review: Review, answers: Answers, differ: Sequence[Difference], own: Sequence[Scored]
) -> dict[str, Any]:
    judged = pairs(review.items, answers)
    listed = {
        kind: [_fact(d) for d in differ if d.kind == kind] for kind in (GOLDS, EXPLOITS, RIGHTS)
    }
    return {
        "review": review.id,
        "reader": answers.reader,
        "model": answers.model,
        "labels": {str(number): one.label for number, one in sorted(answers.answers.items())},
        "agreement": agreement(judged).as_fact(),
        "beyond_chance": beyond_chance(judged).as_fact(),
        **listed,
        "questions": [
            {**_fact(d), "contract": contract_lines(d, review.clauses)}
            for d in differ
            if d.kind == QUESTION
        ],
        "undecided": [
            {
                "number": item.number,
                "task": item.index,
                "why": excerpt(why, LONGEST),
                "completion": excerpt(shown(item.completion), LONGEST),
            }
            for item, why in unsure(review, answers)
        ],
        "untested_rules": [
            {
                "task": one.own.task,
                "completion": excerpt(shown(one.own.completion), LONGEST),
                "earns": one.own.earns,
                "why": excerpt(one.own.why, LONGEST),
                "reward": one.reward,
                "state": one.state,
                "error": excerpt(one.error, LONGEST),
            }
            for one in own
        ],
        "remarks": {key: excerpt(text, LONGEST) for key, text in answers.remarks.items()},
    }


def _fact(one: Difference) -> dict[str, Any]:
    return {
        "number": one.item.number,
        "task": one.item.index,
        "label": one.answer.label,
        "reward": one.item.reward,
        "what": one.item.name,
        "completion": excerpt(shown(one.item.completion), LONGEST),
        "quote": excerpt(one.answer.quote, LONGEST) if one.quoted else "",
        "why": excerpt(one.answer.quote, LONGEST),
    }


def lines_of(
    review: Review, answers: Answers, differ: Sequence[Difference], own: Sequence[Scored]
) -> Iterator[tuple[str, list[str]]]:
    judged = pairs(review.items, answers)
    counts = Counter(one.label or "no answer" for one in answers.answers.values())
    who = (
        f"the model {excerpt(answers.model, 60)}" if answers.model else excerpt(answers.reader, 60)
    )
    yield (
        "the review",
        [
            f"{len(review.items)} completions"
            + (f", judged by {who}" if who else "")
            + ": "
            + ", ".join(f"{n} {label}" for label, n in counts.most_common()),
            f"agreement {_rate(agreement(judged))} · beyond chance {_rate(beyond_chance(judged))}",
            "The completions are chosen, not drawn: no rate of errors follows from this.",
        ],
    )
    questions = [d for d in differ if d.kind == QUESTION]
    if questions:
        yield "questions: a line of contract.toml answers each", list(_questions(review, questions))
    if undecided := unsure(review, answers):
        yield (
            "README and prompt leave open",
            [f"{item.number} (task {item.index}): {excerpt(why, 200)}" for item, why in undecided],
        )
    if own:
        yield (
            "completions of the reader's own",
            [
                f"task {one.own.task}: {one.own.earns} for the reader, "
                + (f"earns {one.reward:.3g}" if one.reward is not None else excerpt(one.error, 80))
                + f" ({one.state})"
                for one in own
            ],
        )
    if answers.remarks:
        said = (f"task {excerpt(k, 20)}: {excerpt(t, 200)}" for k, t in answers.remarks.items())
        yield "remarks", list(said)


def _questions(review: Review, questions: Sequence[Difference]) -> Iterator[str]:
    for one in questions:
        item = one.item
        why = f" ({excerpt(one.answer.quote, 160)})" if one.answer.quote else ""
        said = f"the reader says {one.answer.verdict}{why}"
        yield f"{item.number} (task {item.index}) {item.name}: {said}"
        meant, *other = contract_lines(one, review.clauses)
        yield f"    the reward says {item.says}; that this is meant: {meant}"
        for line in other:
            yield f"    that the reader's is meant: {line} (then the reward must change)"


def _rate(rate: Rate) -> str:
    if rate.estimate is None:
        return "not to be said"
    return f"{rate.estimate:.2f} (95% {rate.low:.2f} to {rate.high:.2f})"
