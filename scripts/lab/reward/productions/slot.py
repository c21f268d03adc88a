"""One slot with the gold in it that is not the answer: several, hedged, cut, inside other words."""

from __future__ import annotations

import re

from lab.answers import doubtful
from lab.answers.alike import beside, nearly, plain_words, same
from lab.answers.numbers import parse_number
from lab.reward.brief import Brief
from lab.reward.formats.prompt import SURENESS
from lab.reward.productions.base import CLOSED, COLLECTIONS, VALUES, Variant, Variants, production
from lab.reward.statements import LAST_SIDE


@production(
    "several_in_slot",
    title="several answers in one slot are not paid",
    types=VALUES,
    judgement=lambda b: b.right.keyed,  # keys that nobody asked for may be left unread
    reason="A reward that looks for the gold inside the answer pays a model that lists everything.",
    source="Visual-RFT: issue 79",
    fix="compare the whole slot with the gold, and refuse a slot that holds more than one answer",
)
def several_in_slot(b: Brief, task: int) -> Variants:
    in_lines = _in_lines(b, task) and not b.format.slotted
    if not (b.right.all_of or in_lines or _with_its_mark(b, task)):
        for name, text in doubtful.several(b.target(task)):
            yield Variant(name, b.write(text))


@production(
    "hedged",
    title="a hedge inside the slot is not paid",
    types=VALUES,
    judgement=lambda b: b.guessing,
    reason="Lenient parsers take one side of `23 = 18` or drop the words of `18 (this is wrong)`.",
    source="math-verify: 0.9 in the gsm8k of verifiers",
    fix="let the slot hold one answer and nothing else; refuse equations, lists and comments",
)
def hedged(b: Brief, task: int) -> Variants:
    if not (b.right.all_of or _in_lines(b, task) or _with_its_mark(b, task)):
        one_side = LAST_SIDE in b.stated
        for name, text in doubtful.hedges(b.target(task), graded=b.graded):
            if not (one_side and name == "false equation"):
                yield Variant(name, b.write(text))


MARK = re.compile(r"^[^\W\d_]\w*\s*[:=]|<(\w+)>[^<>]*</\1>")
"""`Answer: 5`, `<answer>5</answer><source>2</source>`"""


def _with_its_mark(b: Brief, task: int) -> bool:
    """Whether a gold that is a whole reply has the marks of its places itself: words around it are
    in none of them."""
    return b.format.whole and MARK.search(b.gold(task)) is not None


def _in_lines(b: Brief, task: int) -> bool:
    """Whether the gold has several lines: words before the first deny none of the others."""
    return "\n" in b.gold(task)


@production(
    "symbolic_junk",
    title="an interval or a set that contains the gold is not paid",
    types=("number",),
    reason="A symbolic comparison that is too kind pays a range instead of a value.",
    source="math-verify: sets and intervals",
    fix="require one value: refuse sets, intervals and plus-minus in the slot",
)
def symbolic_junk(b: Brief, task: int) -> Variants:
    for name, text in doubtful.spans(b.target(task)):
        yield Variant(name, b.write(text))


@production(
    "short_gold_mentioned",
    title="a short gold inside other words or numbers is not paid",
    types=("number", *CLOSED, "text"),
    judgement=lambda b: b.guessing,
    reason="Substring grading finds `no` in `know` and `1` in `21`: any text is paid by accident.",
    source="Search-R1: subem",
    fix="compare whole answers taken from the slot, never substrings of the completion",
)
def short_gold_mentioned(b: Brief, task: int) -> Variants:
    for name, text in doubtful.inside(b.target(task)):
        yield Variant(name, b.write(text))


@production(
    "words_as_letters",
    title="a sentence without an option is not read as one",
    types=("choice",),
    section="short-gold-mentioned",
    least_golds=1,
    tasks=12,
    free=True,
    whole=True,
    reason="The article in `this is a hard one` is read as option A, `I think so` as option I.",
    source="own cases: options read out of ordinary words",
    fix="read a letter only where it stands as the answer: alone in its slot, in its own case",
)
def words_as_letters(b: Brief, task: int) -> Variants:
    letter = b.gold(task).strip("() .").lower()
    if len(letter) > 1:
        return
    for name, text in doubtful.words(b.target(task)):
        if text.lower().split()[0] != letter:  # in its slot a letter before words may be an option
            yield Variant(name, b.write(text))
        if b.format.slotted:
            yield Variant(f"{name}, without the form", text)


@production(
    "part_of_gold",
    title="a part of the gold is not paid like the whole",
    types=("number", "math", "text", "list", "label"),
    reason="`answer in gold` pays a first letter, and in the end an empty answer.",
    source="Visual-RFT: issue 176",
    fix="compare for equality after normalising; never test whether the gold contains the answer",
)
def part_of_gold(b: Brief, task: int) -> Variants:
    for name, text in doubtful.parts(b.target(task)):
        if not b.right.between(task, text):
            yield Variant(name, b.write(text))


@production(
    "opposite",
    title="the opposite of the gold is not paid",
    types=("label", "text"),
    section="part-of-gold",
    least_golds=1,
    tasks=20,
    reason="Lists of words without meaning, which a comparison drops, hold `not` and `no`: "
    "`not refundable` becomes `refundable`.",
    source="own cases: negations dropped; nltk: stop words with `not`",
    fix="keep words that turn a statement round when you drop the little ones",
)
def opposite(b: Brief, task: int) -> Variants:
    for name, text in doubtful.opposite(b.target(task)):
        yield Variant(name, b.write(text))


@production(
    "denied",
    title="an answer that is denied outside the slot is not paid",
    types=("number", "math", "choice", "label", "text"),
    judgement=lambda b: b.guessing,
    reason="A reward that searches the whole text pays for naming the gold, to reject it too.",
    source="falsepass: probe list; reward-doctor: negation",
    fix="read the answer only from its slot; a completion without a slot is wrong",
)
def denied(b: Brief, task: int) -> Variants:
    gold, wrong = b.gold(task), b.wrong(task)
    if _in_lines(b, task) or _with_its_mark(b, task):
        return
    yield Variant("definitely not", f"The answer is definitely not {gold}.")
    before = f"One might say {gold}, but that is wrong."
    yield Variant("dismissed, then a wrong answer", b.write(wrong, before))
    if b.format.slotted:
        after = f"{b.write(wrong)}\nSome would say {gold} instead, which is wrong."
        yield Variant("a wrong answer, then dismissed", after)


@production(
    "another_gold",
    title="the gold of another task is not paid",
    types=(*VALUES, *COLLECTIONS, "code"),
    reason="Being paid for another row's answer means that the reward does not look at this row.",
    source="falsepass: probe list",
    fix="compare with this task's own gold, not with a shared or cached one",
)
def another_gold(b: Brief, task: int) -> Variants:
    accepted = b.target(task).accepted
    others = [
        gold
        for gold in b.right.distinct
        if not b.right.between(task, gold)
        and not any(
            same(b.answer_type, gold, one) or beside(gold, one) or nearly(gold, one)
            for one in accepted
        )
    ]
    for other in others[:3]:
        yield Variant("another task's gold", b.write(other))


@production(
    "another_of_the_prompt",
    title="another value of the prompt is not paid",
    types=("number", "text"),
    section="another-gold",
    least_share=0.3,
    reason="A reward that looks the answer up in the passage pays whatever is written there.",
    source="own cases: lookups in tables and passages",
    fix="compare with the gold; that the answer occurs in the prompt says nothing",
)
def another_of_the_prompt(b: Brief, task: int) -> Variants:
    target, prompt = b.target(task), b.tasks[task].prompt
    if b.answer_type == "number":
        if target.tolerant:
            return  # how far off is still right is not known
        pool = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)", prompt)
    else:
        pool = _texts(prompt)
    kept = [text for text in dict.fromkeys(pool) if _is_other(b, task, text)]
    for text in kept[:8]:
        yield Variant("a value of the prompt", b.write(text))


def _is_other(b: Brief, task: int, text: str) -> bool:
    """Whether a value of the prompt is surely no right answer."""
    if b.right.between(task, text):
        return False
    return not any(
        same(b.answer_type, text, right) or beside(text, right) or _share_words(text, right)
        for right in b.target(task).accepted
    )


def _texts(prompt: str) -> list[str]:
    """Names, quotations, what is written after the last colon, and the last word."""
    line = prompt.strip().splitlines()[-1] if prompt.strip() else ""
    quoted = re.findall(r"[\"“‘'`]([^\"”’'`\n]{2,60})[\"”’'`]", prompt)
    after = [line.rsplit(":", 1)[1].strip()] if ":" in line else []
    names = re.findall(r"\b[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*", prompt)
    last = re.findall(r"(\w+)\W*$", line)
    return [text for text in (*quoted, *after, *last, *names) if len(text) <= 60]


def _share_words(left: str, right: str) -> bool:
    if parse_number(left) is not None and parse_number(right) is not None:
        return False
    return bool(set(plain_words(left).split()) & set(plain_words(right).split()))


@production(
    "disowned",
    section="confidence",
    title="a wrong answer is not paid for being called unsure",
    severity="critical",
    free=True,
    whole=True,
    reason="A scoring rule alone pays a wrong answer with confidence 0 like a right one with 1.",
    source="arXiv 2507.16806: RLCR adds correctness to the Brier score for this reason",
    fix="pay for being right as well: correctness minus the squared error of the confidence",
)
def disowned(b: Brief, task: int) -> Variants:
    text = b.write(b.wrong(task))
    sureness = re.compile(rf"(\"{SURENESS.pattern}\":\s*)\d+(?:\.\d+)?", re.IGNORECASE)
    for number in ("0", "0.0", "0.01", "0.5") if sureness.search(text) else ():
        doubted = sureness.sub(rf"\g<1>{number}", text)
        yield Variant(f"a wrong answer with {number}", doubted)
