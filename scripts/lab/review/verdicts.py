"""The findings of a review: what reader and reward contradict each other on, and what is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.review.answers import Answers
from lab.review.compared import (
    EXPLOITS,
    GOLDS,
    QUESTION,
    RIGHTS,
    Difference,
    contract_lines,
    controls_missed,
    golds_doubted,
    unsure,
)
from lab.review.items import PAID, Item
from lab.review.making import FEWEST
from lab.review.own import AGREES, CONTRADICTED, NOT_SCORED, Scored
from lab.review.sealed import Review
from lab.reward.interactive.messages import shown

MOST_UNSURE = 0.5

SHOWN = Check(
    "review.completions",
    title="there are completions that a reader can judge",
    expected=f"a right one, and at least {FEWEST} in all",
    reason="Without one right completion there is nothing to compare a judgement with.",
    source="own cases: environments without a gold",
)
READ = Check(
    "review.reader",
    title="the reader reads: both controls are judged right, and every completion is judged",
    expected=f"both controls right, nothing left out, at most {MOST_UNSURE:.0%} unsure",
    reason="Whoever answers without reading says nothing about the reward.",
    source="own cases: blind reviews of 40 environments",
)
GOLDS_RIGHT = Check(
    "review.golds",
    title="a reader takes the right answers of the data for right",
    expected="0 right answers of the data called wrong",
    reason="No completion shows that a gold means something else: labels that are shifted by one "
    "class, the wrong column, an old key.",
    source="own cases: blind reviews of 40 environments",
)
NOT_PAID = Check(
    "review.exploits",
    title="what a reader calls wrong is not paid",
    expected="0 wrong completions paid in full",
    reason="What is paid and wrong is what a model learns.",
    source="own cases: blind reviews of 40 environments",
)
NOT_REFUSED = Check(
    "review.right_answers",
    title="what a reader calls right is paid",
    expected="0 right completions refused",
    reason="A right answer that is refused teaches the model that right is wrong.",
    source="own cases: blind reviews of 40 environments",
)
OWN = Check(
    "review.own_completions",
    title="the reward keeps the rules that the reader found untested",
    expected="0 of the reader's own completions contradicted",
    reason="A rule that only README or prompt states is seen by nobody who does not read.",
    source="own cases: blind reviews of 40 environments",
)
QUESTIONS = Check(
    "review.questions",
    title="what is a matter of choice is declared",
    expected="0 questions open",
    reason="Reader and author may both be right about a form; the contract says which is meant.",
    source="own cases: a fair reader pays other forms on 5 of 15 sound environments",
)
REMARKS = Check(
    "review.remarks",
    title="the reader has no remark on the tasks",
    expected="0 remarks",
    reason="Tasks that repeat, or that one class answers, are seen by who reads several at once.",
    source="own cases: blind reviews of 40 environments",
)
MOST_SHOWN = 3


def findings(
    review: Review, answers: Answers, differ: Sequence[Difference], own: Sequence[Scored]
) -> Iterator[Finding]:
    reader = _reader(review, answers)
    counts = reader.status == "pass"
    yield reader
    yield _of_kind(
        GOLDS_RIGHT,
        [d for d in differ if d.kind == GOLDS],
        "look the task up: repair the data or the column that the gold is read from; if the reader "
        "is wrong, correct the answer and run this again",
        counts,
        severity="critical",
        direction="data",
    )
    yield _of_kind(
        NOT_PAID,
        [d for d in differ if d.kind == EXPLOITS],
        "make the reward refuse it (references/reward_design.md); if it is meant to be paid, say "
        "so in README and contract.toml",
        counts,
        severity="high",
        direction="false_positive",
    )
    yield _of_kind(
        NOT_REFUSED,
        [d for d in differ if d.kind == RIGHTS],
        "make the reward pay it, or repair the gold; if it is meant to be refused, say so in the "
        "prompt and in contract.toml",
        counts,
        severity="high",
        direction="false_negative",
    )
    yield _own(answers, own, counts)
    asked = [d for d in differ if d.kind == QUESTION]
    yield _questions(review, asked, unsure(review, answers))
    yield _remarks(answers)


def _reader(review: Review, answers: Answers) -> Finding:
    left = [one.number for one in review.items if not _label(answers, one)]
    if left:
        return READ.inconclusive(
            f"{len(left)} of {len(review.items)} without an answer",
            f"no answer for {', '.join(map(str, left[:24]))}",
            "judge each completion: right, wrong, part or unsure",
        )
    missed = controls_missed(review, answers)
    if missed and golds_doubted(review, answers):
        missed = [one for one in missed if one[0].says != PAID]
    if missed:
        item, said = missed[0]
        return READ.inconclusive(
            f"{2 - len(missed)} of 2 controls right",
            f"{item.number} is plainly {item.says}, and was called {said}: "
            f"'{excerpt(shown(item.completion), 100)}'",
            "let somebody review it who reads each prompt; if that example of the contract is "
            "wrong, correct contract.toml and make a new sheet",
        )
    unsure = sum(_label(answers, one) == "unsure" for one in review.items)
    if unsure > MOST_UNSURE * len(review.items):
        return READ.inconclusive(
            f"{unsure} of {len(review.items)} unsure",
            "the reader could not decide most completions",
            "let somebody review it who knows the subject, or write into README or prompt what "
            "decides",
        )
    return READ.ok("2 of 2 controls right")


def _label(answers: Answers, item: Item) -> str:
    answer = answers.answers.get(item.number)
    return answer.label if answer else ""


def _of_kind(
    check: Check,
    differ: Sequence[Difference],
    fix: str,
    counts: bool,
    *,
    severity: str,
    direction: str,
) -> Finding:
    if not counts:
        return check.skip("the review does not count")
    if not differ:
        return check.ok(0, direction=direction)
    return check.fail(
        len(differ),
        "; ".join(map(_words, differ[:MOST_SHOWN])) + _more(differ),
        fix,
        severity=severity,
        direction=direction,
    )


def _words(one: Difference) -> str:
    item = one.item
    earned = "could not be scored" if item.reward is None else f"earns {item.reward:.3g}"
    quote = f" ('{excerpt(one.answer.quote, 80)}')" if one.quoted else ""
    return (
        f"{item.number}, task {item.index}, {item.name}: "
        f"'{excerpt(_end(shown(item.completion)), 120)}' "
        f"is {one.answer.label} for the reader{quote} and {earned}"
    )


def _end(text: str) -> str:
    return text if len(text) <= 120 else "... " + text[-112:]


def _more(listed: Sequence[object]) -> str:
    return f"; and {len(listed) - MOST_SHOWN} more" if len(listed) > MOST_SHOWN else ""


def _own(answers: Answers, own: Sequence[Scored], counts: bool) -> Finding:
    if not counts:
        return OWN.skip("the review does not count")
    if not answers.own:
        return OWN.skip("the reader wrote none")
    if all(one.state == NOT_SCORED for one in own):
        why = excerpt(own[0].error, 200) if own else ""
        return OWN.skip(why or "they could not be scored")
    against = [one for one in own if one.state == CONTRADICTED]
    rest = [one for one in own if one.state not in (CONTRADICTED, AGREES)]
    if against:
        return OWN.fail(
            f"{len(against)} of {len(own)}",
            "; ".join(map(_own_words, against[:MOST_SHOWN])) + _more(against),
            "make the reward do what README and prompt say, or correct them",
            severity="high",
        )
    if rest:
        return OWN.warn(
            f"{len(rest)} of {len(own)} differ",
            "; ".join(map(_own_words, rest[:MOST_SHOWN])) + _more(rest),
            "say in README or contract.toml what is meant; an example decides it (--accept)",
            severity="low",
        )
    return OWN.ok(f"0 of {len(own)}")


def _own_words(one: Scored) -> str:
    text = excerpt(_end(shown(one.own.completion)), 120)
    earned = one.error or f"earns {one.reward:.3g}"
    why = f" ({excerpt(one.own.why, 100)})" if one.own.why else ""
    return f"task {one.own.task}: '{text}' is {one.own.earns} for the reader{why}: {earned}"


def _questions(
    review: Review, differ: Sequence[Difference], undecided: Sequence[tuple[Item, str]]
) -> Finding:
    if not differ and not undecided:
        return QUESTIONS.ok(0)
    lines = [
        f"{d.item.number}, {d.item.name}: {d.answer.label} for the reader, {d.item.says} for the "
        f"reward; {next(iter(contract_lines(d, review.clauses)), '')} says that it is meant so"
        for d in differ
    ]
    lines += [f"{item.number}, not decided: {excerpt(why, 120)}" for item, why in undecided]
    return QUESTIONS.warn(
        len(lines),
        "; ".join(lines[:MOST_SHOWN]) + _more(lines),
        "answer each by a line under [decided] in the answers file and run it with --accept, by a "
        "sentence of README or prompt, or change the reward",
        severity="low",
    )


def _remarks(answers: Answers) -> Finding:
    if not answers.remarks:
        return REMARKS.ok(0)
    said = [f"task {excerpt(k, 20)}: {excerpt(text, 160)}" for k, text in answers.remarks.items()]
    return REMARKS.warn(
        len(said),
        "; ".join(said[:5]) + (f"; and {len(said) - 5} more" if len(said) > 5 else ""),
        "look at the rows: inspect_dataset.py says what of this can be counted",
        severity="low",
    )
