"""The findings of a review: what reader and reward contradict each other on, and what is open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Completion
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
MOST_SHOWN, MOST_REMARKS = 3, 5
REVIEWS = "own cases: blind reviews of 40 environments"

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
    source=REVIEWS,
)
GOLDS_RIGHT = Check(
    "review.golds",
    title="a reader takes the right answers of the data for right",
    expected="0 right answers of the data called wrong",
    reason="No completion shows that a gold means something else: labels that are shifted by one "
    "class, the wrong column, an old key.",
    source=REVIEWS,
)
NOT_PAID = Check(
    "review.exploits",
    title="what a reader calls wrong is not paid",
    expected="0 wrong completions paid in full",
    reason="What is paid and wrong is what a model learns.",
    source=REVIEWS,
)
NOT_REFUSED = Check(
    "review.right_answers",
    title="what a reader calls right is paid",
    expected="0 right completions refused",
    reason="A right answer that is refused teaches the model that right is wrong.",
    source=REVIEWS,
)
OWN = Check(
    "review.own_completions",
    title="the reward keeps the rules that the reader found untested",
    expected="0 of the reader's own completions contradicted",
    reason="A rule that only README or prompt states is seen by nobody who does not read.",
    source=REVIEWS,
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
    source=REVIEWS,
)


@dataclass(frozen=True)
class Against:
    """What it means that reader and reward contradict each other in one way."""

    kind: str
    check: Check
    severity: str
    direction: str
    fix: str


AGAINST = (
    Against(
        GOLDS,
        GOLDS_RIGHT,
        "critical",
        "data",
        "look the task up: repair the data or the column that the gold is read from; if the reader "
        "is wrong, correct the answer and run this again",
    ),
    Against(
        EXPLOITS,
        NOT_PAID,
        "high",
        "false_positive",
        "make the reward refuse it (references/reward_design.md); if it is meant to be paid, say "
        "so in README and contract.toml",
    ),
    Against(
        RIGHTS,
        NOT_REFUSED,
        "high",
        "false_negative",
        "make the reward pay it, or repair the gold; if it is meant to be refused, say so in the "
        "prompt and in contract.toml",
    ),
)


def findings(
    review: Review, answers: Answers, differ: Sequence[Difference], own: Sequence[Scored]
) -> Iterator[Finding]:
    reader = _reader(review, answers)
    yield reader
    if reader.status == "pass":
        for one in AGAINST:
            yield _against(one, [d for d in differ if d.kind == one.kind])
        yield _own(own)
    else:
        for check in (*(one.check for one in AGAINST), OWN):
            yield check.skip("the review does not count")
    asked = [d for d in differ if d.kind == QUESTION]
    yield _questions(review, asked, unsure(review, answers))
    yield _remarks(answers)


def _reader(review: Review, answers: Answers) -> Finding:
    said = {one.number: answers.of(one.number).label for one in review.items}
    left = [number for number, label in said.items() if not label]
    if left:
        return READ.inconclusive(
            f"{len(left)} of {len(said)} without an answer",
            f"no answer for {', '.join(map(str, left[:24]))}",
            "judge each completion: right, wrong, part or unsure",
        )
    missed = controls_missed(review, answers)
    if missed and golds_doubted(review, answers):
        missed = [one for one in missed if one[0].says != PAID]
    if missed:
        item, label = missed[0]
        return READ.inconclusive(
            f"{2 - len(missed)} of 2 controls right",
            f"{item.number} is plainly {item.says}, and was called {label}: "
            f"'{excerpt(shown(item.completion), 100)}'",
            "let somebody review it who reads each prompt; if that example of the contract is "
            "wrong, correct contract.toml and make a new sheet",
        )
    undecided = list(said.values()).count("unsure")
    if undecided > MOST_UNSURE * len(said):
        return READ.inconclusive(
            f"{undecided} of {len(said)} unsure",
            "the reader could not decide most completions",
            "let somebody review it who knows the subject, or write into README or prompt what "
            "decides",
        )
    return READ.ok("2 of 2 controls right")


def _against(against: Against, differ: Sequence[Difference]) -> Finding:
    if not differ:
        return against.check.ok(0, direction=against.direction)
    return against.check.fail(
        len(differ),
        _first(map(_words, differ)),
        against.fix,
        severity=against.severity,
        direction=against.direction,
    )


def _first(lines: Iterable[str], most: int = MOST_SHOWN) -> str:
    """The first lines, and how many more there are."""
    listed = list(lines)
    more = [f"and {len(listed) - most} more"] if len(listed) > most else []
    return "; ".join([*listed[:most], *more])


def _words(one: Difference) -> str:
    item = one.item
    earned = "could not be scored" if item.reward is None else f"earns {item.reward:.3g}"
    quote = f" ('{excerpt(one.answer.quote, 80)}')" if one.quoted else ""
    return (
        f"{item.number}, task {item.index}, {item.name}: '{_end(item.completion)}' "
        f"is {one.answer.label} for the reader{quote} and {earned}"
    )


def _end(completion: Completion) -> str:
    """The end of what is said, where the answer is."""
    text = shown(completion)
    return excerpt(text if len(text) <= 120 else "... " + text[-112:], 120)


def _own(own: Sequence[Scored]) -> Finding:
    if not own:
        return OWN.skip("the reader wrote none")
    if all(one.state == NOT_SCORED for one in own):
        return OWN.skip(excerpt(own[0].error, 200))
    against = [one for one in own if one.state == CONTRADICTED]
    rest = [one for one in own if one.state not in (CONTRADICTED, AGREES)]
    if against:
        return OWN.fail(
            f"{len(against)} of {len(own)}",
            _first(map(_own_words, against)),
            "make the reward do what README and prompt say, or correct them",
            severity="high",
        )
    if rest:
        return OWN.warn(
            f"{len(rest)} of {len(own)} differ",
            _first(map(_own_words, rest)),
            "say in README or contract.toml what is meant; an example decides it (--accept)",
            severity="low",
        )
    return OWN.ok(f"0 of {len(own)}")


def _own_words(one: Scored) -> str:
    earned = excerpt(one.error, 200) or f"earns {one.reward:.3g}"
    why = f" ({excerpt(one.own.why, 100)})" if one.own.why else ""
    said = f"'{_end(one.own.completion)}' is {one.own.earns} for the reader{why}"
    return f"task {one.own.task}: {said}: {earned}"


def _questions(
    review: Review, differ: Sequence[Difference], undecided: Sequence[tuple[Item, str]]
) -> Finding:
    if not differ and not undecided:
        return QUESTIONS.ok(0)
    lines = [
        f"{d.item.number}, {d.item.name}: {d.answer.label} for the reader, {d.item.says} for the "
        f"reward; {contract_lines(d, review.clauses)[0]} says that it is meant so"
        for d in differ
    ]
    lines += [f"{item.number}, not decided: {excerpt(why, 120)}" for item, why in undecided]
    return QUESTIONS.warn(
        len(lines),
        _first(lines),
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
        _first(said, MOST_REMARKS),
        "look at the rows: inspect_dataset.py says what of this can be counted",
        severity="low",
    )
