"""Completions without an answer: nothing, a bare form, the prompt, every answer at once, odd text.

None of them uses the gold, so a policy reaches each from the first training step.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from unicodedata import normalize

from lab.answers.countdown import value_of
from lab.answers.extract import loads
from lab.answers.no_answer import (
    EVALUATED,
    NOT_NUMBERS,
    ODD,
    ODD_ANSWERS,
    PLACEHOLDERS,
    every_slot,
    everything,
)
from lab.reward.brief import Brief
from lab.reward.formats.prompt import PLACEHOLDER
from lab.reward.productions.base import CLOSED, VALUES, Variant, Variants, production
from lab.reward.reading.fields import UNUSABLE

EMPTY_FORM = ("an empty slot", "only an empty slot", "a slot with a blank", "empty tags")
"""Variants that are the form with nothing in it."""
SILENT = ("nothing", "blanks", "a long text", "the prompt", "confidence")
"""Variants without the form and without an answer."""

EXERCISE = re.compile(r"(?<![\w.])\(*\d+\)*(?: ?[-+*/] ?\(*\d+\)*)+(?![\w.])")
"""Whole numbers with operators between them."""


@production(
    "empty",
    title="an empty answer is not paid",
    severity="critical",
    free=True,
    nothing=True,
    needs_gold=False,
    least_golds=1,
    reason="Training collapses to saying nothing: the shortest text that is paid wins.",
    source="Visual-RFT: issue 176; public logs: taxcalc_bench pays empty completions .416",
    fix="return 0 when the slot is missing or empty, before any comparison",
)
def empty(b: Brief, task: int) -> Variants:
    yield Variant("nothing", "")
    yield Variant("blanks", "   \n")
    if b.format.slotted:
        yield Variant("an empty slot", b.write(""))
        yield Variant("only an empty slot", b.slot(""))
        yield Variant("a slot with a blank", b.slot(" "))
    if b.answer_type == "json":
        for text in ("{}", "[]", "null"):
            if text != b.gold(task):
                yield Variant(f"{text} for a gold with content", b.write(text))
    yield Variant("no message", [])
    yield Variant("no content", [{"role": "assistant", "content": None}])


@production(
    "gold_normalises_to_empty",
    title="a gold that normalises to nothing is not matched by an empty answer",
    severity="critical",
    free=True,
    least_golds=1,
    tasks=20,
    reason="SQuAD normalisation drops articles and punctuation: `A` becomes empty, like nothing.",
    source="Search-R1: qa_em; public logs: 15 of 15,100 golds of Natural Questions",
    fix="refuse an answer that is empty after normalising, and keep the plain form when the gold "
    "normalises to nothing",
)
def gold_normalises_to_empty(b: Brief, task: int) -> Variants:
    words = re.findall(r"[^\W_]+", b.gold(task).lower())
    if [word for word in words if word not in ("a", "an", "the")]:
        return
    for text in ("", ".", "the", "!"):
        if text != b.gold(task).lower():
            yield Variant(f"{text!r} for a gold without content words", b.write(text))


@production(
    "format_only",
    title="the format without an answer is not paid like an answer",
    severity="critical",
    free=True,
    needs_gold=False,
    reason="Tags around nothing are the first thing that a policy learns when they are paid well.",
    source="open-r1: tag_count_reward pays 1.0 for empty tags; TinyZero: format score",
    fix="pay the format only when its slot holds a readable answer, and keep its weight well below "
    "the answer's",
)
def format_only(b: Brief, task: int) -> Variants:
    for name, text in PLACEHOLDERS.items():
        if text.lower() != b.gold(task).lower():
            yield Variant(name, b.write(text))
    if b.format.think[0]:
        body = f"{b.format.think[0]}{b.format.think[1]}\n{b.slot('')}{b.format.end}"
        yield Variant("empty tags", body)
    for example in list(PLACEHOLDER.finditer(b.tasks[task].system))[:2]:
        yield Variant("the prompt's placeholder", b.write(example[0]))
    for name in b.tokens.placeholders[:6]:
        yield Variant("a placeholder of the code", b.write(f"{{{name}}}"))
    for text in sorted(UNUSABLE - {"", "none", "null", "unknown", "-"})[:3]:
        yield Variant("a word for no answer", b.write(text))
    yield Variant("two slots with nothing", b.slot("") * 2 if b.format.slotted else ". .")
    yield Variant("fifty slots", "\n".join([b.slot("x")] * 50))
    yield Variant("tags never closed", (b.format.before or "<answer>") * 100)


@production(
    "echo",
    title="repeating the prompt is not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    reason="Prompts hold the options, the passage and often an example: substring graders pay it.",
    source="falsepass: probe list; Search-R1: its prompt holds `<answer> Beijing </answer>`",
    fix="score only the model's reply, read the last slot, and compare it whole",
)
def echo(b: Brief, task: int) -> Variants:
    prompt, shown = b.tasks[task].prompt, b.tasks[task].shown
    yield Variant("the prompt", prompt)
    yield Variant("the prompt twice", f"{prompt}\n{prompt}")
    yield Variant("everything shown", shown)
    record = loads(b.gold(task)) if b.answer_type == "json" else None
    if isinstance(record, dict) and all(isinstance(value, str) for value in record.values()):
        filled = json.dumps(dict.fromkeys(record, prompt))
        yield Variant("the prompt in each field", b.write(filled))
    if b.format.slotted:
        yield Variant("the prompt in the slot", b.write(prompt))
        parts = [part.strip() for part in prompt.split("\n\n") if part.strip()]
        for number, part in enumerate(parts[:3] if len(parts) > 1 else (), 1):
            yield Variant(f"part {number} of the prompt in the slot", b.write(part))
        yield Variant("everything shown, then an empty slot", f"{shown}\n{b.slot('')}")
    if b.answer_type in ("number", "math"):
        for text in unsolved(prompt, b.gold(task)):
            yield Variant("the exercise, unsolved, in the form", b.write(text))


def unsolved(prompt: str, gold: str) -> list[str]:
    """The exercises of a prompt whose value is the gold: `3/4 + 5/6`, and not `19/12` itself."""
    value = value_of(f"0{gold}" if gold.startswith("-") else gold)
    found = [text.strip() for text in EXERCISE.findall(prompt)]
    return [text for text in found if text != gold and value_of(text) == value is not None][:1]


@production(
    "enumeration",
    title="listing all possible answers is not paid",
    severity="critical",
    free=True,
    types=VALUES,
    reason="When listing every value is paid, the model never has to solve anything.",
    source="falsepass: probe list",
    fix="accept one answer per completion and compare it whole",
)
def enumeration(b: Brief, task: int) -> Variants:
    target = b.target(task)
    for name, text in everything(target):
        yield Variant(name, b.write(text))
        if b.format.slotted and len(text) < 400:
            yield Variant(f"{name}, without the form", text)
    if b.format.slotted:
        for name, answers in every_slot(target):
            yield Variant(name, b.format.around("\n".join(map(b.slot, answers))))
    if b.answer_type in CLOSED and b.playable:
        yield from _one_a_turn(b, task)


def _one_a_turn(b: Brief, task: int) -> Variants:
    """Each possible answer in a turn of its own; the gold is the last of them."""
    gold, possible = b.gold(task), list(b.target(task).wrongs)
    if b.answer_type != "choice":
        possible += b.right.distinct
    answers = [a for a in dict.fromkeys(possible) if a.lower() != gold.lower()] + [gold]
    for one in b.play(task, [b.write(answer) for answer in answers])[:1]:
        said = sum(message["role"] == "assistant" for message in one.messages)
        if said == len(answers) > 1:
            yield Variant("each possible answer in a turn of its own", one.messages)


@production(
    "not_a_number",
    title="NaN and infinity are not paid",
    severity="critical",
    free=True,
    types=("number", "math"),
    reason="`abs(x - y) > tolerance` is never true for NaN, so NaN passes.",
    source="falsepass: probe list",
    fix="check that the parsed number is finite before comparing, and pay on `<=`, not on the "
    "absence of `>`",
)
def not_a_number(b: Brief, task: int) -> Variants:
    for text in NOT_NUMBERS:
        yield Variant(text, b.write(text))


@production(
    "structure_only",
    title="bare structure is not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    reason="Step and structure rewards are earned with dashes and headings.",
    source="open-r1: reasoning_steps_reward pays three bare dashes",
    fix="do not reward the look of reasoning; if steps count, count them only on right answers",
)
def structure_only(b: Brief, task: int) -> Variants:
    steps = "\n".join(f"Step {n}: First, check. Then, verify." for n in range(1, 12))
    yield Variant("dashes", "\n-\n-\n-\n-")
    yield Variant("step words", "Step 1:\nStep 2:\nStep 3:\nStep 4:")
    yield Variant("order words", "First, Next, Then, Finally, Therefore, In conclusion,")
    yield Variant("headings", "# Answer\n## Reasoning\n**Final Answer**\n- \n- ")
    yield Variant("steps, then x", b.write("x", steps))
    for mark in b.tokens.counted[:3]:
        for count in MARKS:
            yield Variant("only what the code counts", b.write(mark * count))


PATTERN = re.compile(r"\bregex|\bregular expression|\bpattern\b", re.IGNORECASE)
MARKS = (1, 2, 3, 4, 5)
"""How often a text that the code counts is written: `len(text.split(".")) == 3`."""
FILLER = "The matter can be looked at from several sides, and each of them has its merits. "
CONFIDENT = (
    "I am absolutely certain. This answer is correct, complete, accurate, clear, helpful and well "
    "reasoned. The final answer is correct."
)


@production(
    "filler",
    title="long text without an answer is not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    reason="A reward that grows with length or with certain words is earned without any answer.",
    source="arXiv 2502.03373: repetition under a length reward",
    fix="do not reward length, confidence or keywords",
)
def filler(b: Brief, task: int) -> Variants:
    yield Variant("waiting", "wait, " * 500)
    yield Variant("a long text", FILLER * 120)
    yield Variant("confidence", CONFIDENT)
    yield Variant("apology", "I'm sorry, but I can't help with that.")
    if b.gold(task).lower() != "correct":
        yield Variant("the word correct", b.write("correct"))
    said = {"correct": True, "score": 1.0, "reward": 1.0, "passed": True}
    yield Variant("json true", json.dumps(said))


LONG, MOST_COMMON = 6, 3
"""Words from which on an answer is a text, and common words that are tried."""


@production(
    "one_word_repeated",
    title="one common word, repeated, is not paid",
    severity="critical",
    free=True,
    half=True,
    section="filler",
    types=("text",),
    reason="Overlap that is not clipped counts each `the` of a reply again: a word of every "
    "reference, as often as it is long, has full precision.",
    source="bleu: the clipped count; own cases: translations",
    fix="match each occurrence in the reference once: `sum((Counter(a) & Counter(b)).values())`",
)
def one_word_repeated(b: Brief, task: int) -> Variants:
    """The commonest words of all answers, as often as the answer has words."""
    size = len(b.gold(task).split())
    answers = [gold.lower().split() for gold in b.right.distinct]
    counted = Counter(word for words in answers for word in words)
    if size >= LONG:
        for word, _ in counted.most_common(MOST_COMMON):
            yield Variant(f"{word!r}", b.write(" ".join([word] * size)))


@production(
    "odd_content",
    title="odd content is not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    reason="A handler that returns a consolation value on an error pays for breaking the parser.",
    source="falsepass: probe list",
    fix="return 0 on anything that cannot be parsed",
)
def odd_content(b: Brief, task: int) -> Variants:
    yield Variant("malformed slot", f"{b.format.after}{b.format.before}" or "</answer><answer>")
    for name, text in ODD.items():
        yield Variant(name, text)
    for name, text in ODD_ANSWERS.items():
        # A careful reader takes ² for 2 and ③ for 3: on a task with that gold it is a right answer.
        if normalize("NFKC", text) != b.gold(task).strip():
            yield Variant(name, b.write(text))
    if not b.programs:
        for name, text in EVALUATED.items():
            yield Variant(name, b.write(text))
    part = {"type": "text", "text": "hm"}
    yield Variant("content in parts", [{"role": "assistant", "content": [part]}])


@production(
    "one_for_all",
    title="an answer that is made for no task is not paid on all of them",
    severity="critical",
    free=True,
    whole=True,
    needs_gold=False,
    least_share=0.7,
    section="constant-reward",
    reason="A checker that forgets one rule is passed by a pattern that matches everything, by an "
    "object without keys, or by what the prompt gives.",
    source="own cases: puzzles with a checker",
    fix="let the checker refuse what says nothing: test it on the emptiest answers there are",
)
def one_for_all(b: Brief, task: int) -> Variants:
    if b.with_gold:
        return
    prompt = b.tasks[task].prompt
    patterns = (".*", "^.*$", ".+") if PATTERN.search(b.tasks[task].shown) else ()
    for text in (*patterns, "{}", "[]", "0", "none", "pass", "SELECT 1"):
        yield Variant(f"{text} in the form", b.write(text))
    if b.format.is_json:
        for text in ("{}", "[]"):
            yield Variant(f"{text} alone", text)
    lines = [line.strip() for line in prompt.splitlines() if 2 < len(line.strip()) <= 80]
    for line in lines[-4:]:
        yield Variant("a line of the prompt in the form", b.write(line))
    data = [line for line in lines if re.match(r"(?:[-*•]|\d+[.):])\s", line)]
    if len(data) > 1:
        yield Variant("all listed lines of the prompt in the form", b.write("\n".join(data)))


@production(
    "counting_up",
    title="counting up, or one number throughout, is not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    types=("list", "text", "json", "unknown"),
    section="lists",
    least_share=0.6,
    reason="A checker of permutations that forgets one rule pays 0, 1, 2, 3 on every task; one of "
    "balances pays 0, 0, 0.",
    source="own cases: puzzles with a checker, equations that are balanced",
    fix="check every rule of the puzzle, and test the checker on the most regular wrong answers",
)
def counting_up(b: Brief, task: int) -> Variants:
    from lab.answers.close_collections import sequence
    from lab.answers.lists import write

    prompt, gold = b.tasks[task].prompt, b.gold(task)
    found = sequence(b.target(task)) if gold else None
    sizes = {int(n) for n in re.findall(r"(?<![\d.])\d{1,2}(?![\d.]|\d)", prompt)}
    if found and all(item.isdigit() for item in found[0]):
        sizes = {len(found[0])}
    elif gold:
        return
    for size in sorted(n for n in sizes if 3 <= n <= 20)[:4]:
        rows = {f"from {start}": [*range(start, start + size)] for start in (0, 1)}
        rows |= {f"each {number}": [number] * size for number in (0, 1)}
        for name, row in rows.items():
            for joint in (found[1],) if found else ("JSON", ", ", " "):
                text = write([str(number) for number in row], joint, gold)
                if text != gold:
                    how = "as JSON" if joint == "JSON" else "in a row"
                    yield Variant(f"{name}, {how}", b.write(text))
