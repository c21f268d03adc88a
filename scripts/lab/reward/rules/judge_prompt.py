"""What a judge is shown: question, reference and reply, each in its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from lab.answers.alike import plain_words
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import CLASSIC, Score
from lab.reward.brief import Brief
from lab.reward.judges.server import ScriptedJudge
from lab.reward.productions.base import DESIGN
from lab.reward.reading.right import APPROVED
from lab.reward.sentences import sentences
from lab.reward.session import Session

REFERENCE = Check(
    "reward.judge_sees_reference",
    title="the judge is shown the question, the reference and the response",
    expected="all three in its prompt",
    reason="A judge without the reference grades confidence; an empty question grades nothing.",
    source="verifiers: JudgeRubric",
)
TEMPLATE = Check(
    "reward.judge_template",
    title="a placeholder in a reply is not filled in",
    expected="the judge is shown the placeholder as it was written",
    reason="A reply that is filled in with the template is replaced by the gold, and is right.",
    source="own cases: templates filled by successive replacement",
)
OUTSIDE = Check(
    "reward.judge_sees_outside",
    title="the judge is shown no more of a reply than README says",
    expected="a sentence outside of the answer is not in its prompt",
    reason="What is said to be left out may plead with the judge, and keeps none of the limits.",
    source="arXiv 2507.08794: One Token to Fool; own cases: answers in tags, lines",
)
KEPT = re.compile(
    r"\b(?:outside|around|above|besides?|(?:any|every)thing else|the rest)\b[^.;]{0,80}?"
    r"\b(?:not|neither|never|nor)\b[^.;]{0,60}?\b(?:shown|seen|judged|passed|given|sent)\b"
    r"|\b(?:not|never|nothing)\b[^.;]{0,40}?\b(?:shown|sees?|passed|given|sent)\b[^.;]{0,60}?"
    r"\b(?:outside|around|above|besides?)\b",
    re.IGNORECASE,
)
"""Words of a README by which what stands outside of the answer is kept from the judge."""
JUDGE = re.compile(r"\b(?:judge|grader|evaluator|examiner)\b", re.IGNORECASE)
LEADS = "A marker sentence about harbours.", "Another line that speaks of orchards."
"""Sentences by which a reply is known in what the judge is shown."""
EMPTY_PLACE = re.compile(
    r"\b(?:question|prompt|input|instruction|task|conversation|text|request|message)\b"
    r"[^\n:>]{0,30}[:>][ \t]*"
    r"(?:\n[ \t]*\n|\n?(?:```|<\w+>)\s*(?:```|</)|</)",
    re.IGNORECASE,
)
"""A place of a judge's prompt with nothing in it."""
UNFILLED = re.compile(
    r"(?:^|[:>])[ \t]*(\{[a-z_][a-z0-9_]*\})[ \t]*(?:$|</)", re.MULTILINE | re.IGNORECASE
)
"""A place of a judge's prompt that still holds the name of what belongs there."""
REFERENCE_LABEL = re.compile(
    r"\b(?:reference|gold|ground[- ]truth|expected|correct answer|model answer|key)\b",
    re.IGNORECASE,
)
REPLY_LABEL = re.compile(
    r"\b(?:reply|response|candidate|student|submission|submitted|completion|prediction)\b",
    re.IGNORECASE,
)
"""What a judge's prompt calls the two texts that it compares."""


def findings(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> Iterator[Finding]:
    wrong = b.wrong(task)
    seen = [_prompt(b, session, judge, task, wrong, lead) for lead in LEADS]
    replies = _unshown(b, task, seen) or _exchanged(b, task, seen[0])
    yield replies or _reference(b, session, judge, task)
    yield _outside(b, task, _prompt(b, session, judge, task, b.gold(task), LEADS[0]))
    yield _template(b, session, judge, task)


def _prompt(
    b: Brief, session: Session, judge: ScriptedJudge, task: int, answer: str, lead: str
) -> str:
    """What the judge is asked about a reply; "" where it is not asked."""
    judge.right, judge.last_prompt = False, ""
    said_of(b, session, judge, task, answer, lead)
    return judge.last_prompt


def approval_of(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> str:
    """What the judge says of the right answer; "" where it is not asked."""
    judge.approval = ""
    session.again(task, b.write(b.gold(task)), right=True)
    return judge.approval


def said_of(
    b: Brief, session: Session, judge: ScriptedJudge, task: int, answer: str, lead: str
) -> tuple[str, Score]:
    """The answer after a sentence or, where code lets no such reply through to the judge, alone;
    with its score."""
    before, response = judge.calls, b.write(answer, lead)
    score = session.again(task, response)
    if judge.calls == before:
        response = b.write(answer)
        score = session.again(task, response)
    return response, score


def _unshown(b: Brief, task: int, seen: Sequence[str]) -> Finding | None:
    """The finding where two replies to one task are the same to the judge, which is shown
    neither."""
    if not seen[0] or seen[0] != seen[1] or b.wrong(task) in seen[0]:
        return None
    return REFERENCE.fail(
        measured="lacks the response",
        evidence=f"two replies to task {b.tasks[task].index}, the same prompt, and neither is in "
        f"it: '{excerpt(seen[0][-200:], 160)}'",
        fix=f"pass the model's reply (trace.last_reply) to the judge ({DESIGN}#judges)",
        severity="critical",
        direction="false_positive",
    )


def _outside(b: Brief, task: int, seen: str) -> Finding:
    """Whether the judge sees a sentence outside of the answer, where README says that it is shown
    the answer alone."""
    said = [one for one in sentences(b.readme) if KEPT.search(one) and JUDGE.search(one)]
    if not said or not b.format.slotted or not seen:
        return OUTSIDE.skip("README does not say that the judge is shown the answer alone")
    if LEADS[0] not in seen:
        return OUTSIDE.ok()
    return OUTSIDE.fail(
        measured="a sentence outside of the answer is shown",
        evidence=f"README: '{excerpt(said[0], 160)}'; task {b.tasks[task].index}: "
        f"'{excerpt(b.write(b.gold(task), LEADS[0]), 120)}' is shown to the judge with "
        f"'{LEADS[0]}'",
        fix=f"give the judge the answer that was read, not the whole reply ({DESIGN}#judges)",
        severity="critical",
        direction="false_positive",
    )


def _exchanged(b: Brief, task: int, seen: str) -> Finding | None:
    """The finding where the judge's prompt shows reply and reference, each in the place that it
    calls the other."""
    lead, gold = LEADS[0], rf"(?<!\w){re.escape(b.gold(task))}(?!\w)"
    below = _label(seen[: seen.find(lead)]) if lead in seen else ""
    others = [_label(seen[: found.start()]) for found in re.finditer(gold, seen)]
    if REPLY_LABEL.search(below) or any(map(REFERENCE_LABEL.search, others)):
        return None
    exchanged = [label for label in others if REPLY_LABEL.search(label)]
    if not exchanged or not REFERENCE_LABEL.search(below):
        return None
    return REFERENCE.fail(
        measured="reply and reference exchanged",
        evidence=f"the reply stands below '{excerpt(below, 60)}', the gold below "
        f"'{excerpt(exchanged[0], 60)}'",
        fix=f"pass them by name, each to its own place of the template ({DESIGN}#judges)",
        severity="critical",
        direction="false_positive",
    )


def _label(before: str) -> str:
    """The line that ends before a text, or the one above it."""
    lines = [line.strip() for line in before.splitlines() if line.strip()]
    return lines[-1][-80:] if lines else ""


def _reference(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> Finding:
    judge.right, judge.last_prompt = True, ""
    lead = "A marker sentence about lanterns."
    response, _ = said_of(b, session, judge, task, b.gold(task), lead)
    if not judge.last_prompt:
        return REFERENCE.skip("the judge is not asked about the gold")
    prompt, gold = plain_words(judge.last_prompt), plain_words(b.gold(task))
    # Some put the message as it prints into the prompt, with its lines in one.
    forms = [plain_words(text) for text in (response, json.dumps(response)[1:-1])]
    said = next((form for form in forms if form in prompt), "")
    lacking = []
    if plain_words(b.tasks[task].prompt)[:200] not in prompt:
        lacking.append("the question")
    # The response carries the gold too: the reference must be there besides.
    if prompt.count(gold) < 1 + (gold in said):
        lacking.append("the reference answer")
    if not lacking:
        return REFERENCE.ok()
    fix = (
        "put question, reference and response into the judge's prompt, each in a fence of its own "
        f"({DESIGN}#judges)"
    )
    seen, unfilled = judge.last_prompt, UNFILLED.search(judge.asked())
    if unfilled and "the reference answer" in lacking:
        return _nothing(f"{unfilled[1]} was not filled in", seen, fix, "critical")
    if (
        len(lacking) == 2
        and b.right.source != APPROVED
        and _same(b, session, judge, task, response)
    ):
        return _nothing("two tasks, one response, the same prompt", seen, fix, "high")
    why = ""
    if b.description.api == CLASSIC and "the question" in lacking and EMPTY_PLACE.search(seen):
        why = (
            "the place of the question is empty: JudgeRubric fills {question} from messages that "
            f"are dictionaries, and those of verifiers {b.description.library} are objects; "
        )
        shared = sum(b.gold(i) == b.gold(task) for i in b.with_gold)
        if shared * 4 >= len(b.with_gold) > 4 and b.answer_type not in ("choice", "number"):
            return REFERENCE.fail(
                measured="lacks the question",
                evidence=f"{why}the reference '{excerpt(b.gold(task), 40)}' is that of {shared} "
                f"of {len(b.with_gold)} tasks, so any text that fits it fits them all; the prompt "
                f"begins '{excerpt(seen, 160)}'",
                fix=fix,
                severity="high",
                direction="false_positive",
            )
    return REFERENCE.warn(
        measured=f"lacks {' and '.join(lacking)}",
        evidence=f"{why}the judge's prompt begins '{excerpt(seen, 160)}'",
        fix=fix,
        severity="medium",
        direction="false_positive",
    )


def _nothing(said: str, prompt: str, fix: str, severity: str) -> Finding:
    """The finding where the judge gets nothing to compare with."""
    return REFERENCE.fail(
        measured="nothing to compare with",
        evidence=f"{said}: it begins '{excerpt(prompt, 160)}'",
        fix=fix,
        severity=severity,
        direction="false_positive",
    )


def _same(b: Brief, session: Session, judge: ScriptedJudge, task: int, response: str) -> bool:
    """Whether the judge is asked the same about one response to two tasks."""
    what = b.tasks[task].prompt, b.gold(task)
    others = [
        i
        for i in b.with_gold
        if b.tasks[i].prompt != what[0] and (b.right.source == APPROVED or b.gold(i) != what[1])
    ]
    if not others:
        return False
    seen, judge.last_prompt = judge.last_prompt, ""
    session.again(others[0], response)
    return judge.last_prompt == seen


def _template(b: Brief, session: Session, judge: ScriptedJudge, task: int) -> Finding:
    """Whether a reply such as `{reference}` is filled in before the judge sees it."""
    names = dict.fromkeys([*b.tokens.placeholders, "reference", "answer", "gold", "question"])
    gold = plain_words(b.gold(task))
    for name in list(names)[:10]:
        judge.last_prompt = ""
        placeholder = f"{{{name}}}"
        response, _ = said_of(b, session, judge, task, placeholder, "A line about names.")
        if not judge.last_prompt or placeholder in judge.last_prompt:
            continue
        others = plain_words(b.tasks[task].prompt).count(gold)
        if plain_words(judge.last_prompt).count(gold) > 1 + others:
            return TEMPLATE.fail(
                measured=placeholder,
                evidence=f"task {b.tasks[task].index}: the reply '{excerpt(response[-80:], 80)}' "
                f"is shown to the judge as '{excerpt(judge.last_prompt[-200:], 160)}'",
                fix="fill the template in one step (str.format_map, or one re.sub), never by "
                f"successive replacement ({DESIGN}#judges)",
                severity="critical",
                direction="false_positive",
            )
    return TEMPLATE.ok()
