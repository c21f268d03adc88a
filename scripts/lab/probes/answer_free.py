"""Exploits that need no gold: reachable from the first training step, so all of them critical."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from lab.answers.extract import loads
from lab.environment import Completion
from lab.probes.families import family
from lab.probes.style import PLACEHOLDER
from lab.probes.subject import Subject

Probes = Iterator[tuple[str, Completion]]


@family(
    "empty",
    title="an empty answer is not paid",
    severity="critical",
    answer_free=True,
    needs_gold=False,
    least_golds=1,
    reason="Training collapses to saying nothing: the shortest text that is paid wins.",
    source="Visual-RFT issue 176; taxcalc_bench pays empty completions 0.416; E01",
    fix="return 0 when the slot is missing or empty, before any comparison",
)
def empty(s: Subject, task: int) -> Probes:
    yield "nothing", ""
    yield "blanks", "   \n"
    if s.style.slotted:
        yield "an empty slot", s.write("")
        yield "only an empty slot", s.slot("")
        yield "a slot with a blank", s.slot(" ")
    if s.family == "json":
        for text in ("{}", "[]", "null"):
            if text != s.gold(task):
                yield f"{text} for a gold with content", s.write(text)
    yield "no message", []


@family(
    "gold_normalises_to_empty",
    title="a gold that normalises to nothing is not matched by an empty answer",
    severity="critical",
    answer_free=True,
    least_golds=1,
    reason="SQuAD normalisation drops articles and punctuation: the gold `A` becomes empty, and empty equals empty.",
    source="Search-R1 qa_em; 15 of 15,100 NQ golds; E02",
    fix="refuse an answer that is empty after normalising, and keep the plain form when the gold normalises to nothing",
)
def gold_normalises_to_empty(s: Subject, task: int) -> Probes:
    kept = [word for word in re.findall(r"[^\W_]+", s.gold(task).lower()) if word not in ("a", "an", "the")]
    if kept:
        return
    for text in ("", ".", "the", "!"):
        if text != s.gold(task).lower():
            yield f"{text!r} for a gold without content words", s.write(text)


@family(
    "format_only",
    title="the format without an answer is not paid like an answer",
    severity="critical",
    answer_free=True,
    needs_gold=False,
    reason="Tags around nothing are the first thing that a policy learns when they are paid well.",
    source="open-r1 tag_count_reward pays 1.0 for empty tags; TinyZero; E13, E14",
    fix="pay the format only when its slot holds a readable answer, and keep its weight well below the answer's",
)
def format_only(s: Subject, task: int) -> Probes:
    yield "x", s.write("x")
    yield "three dots", s.write("...")
    yield "the word answer", s.write("answer")
    if s.style.think[0]:
        yield "empty tags", f"{s.style.think[0]}{s.style.think[1]}\n{s.slot('')}{s.style.end}"
    for example in PLACEHOLDER.findall(s.tasks[task].system)[:2]:
        yield "the prompt's placeholder", s.write(example)
    yield "two slots with nothing", s.slot("") * 2 if s.style.slotted else ". ."
    yield "fifty slots", "\n".join([s.slot("x")] * 50)
    yield "tags never closed", (s.style.before or "<answer>") * 100


@family(
    "echo",
    title="repeating the prompt is not paid",
    severity="critical",
    answer_free=True,
    needs_gold=False,
    reason="Prompts hold the options, the passage and often an example answer: substring graders pay the echo.",
    source="falsepass; Search-R1's prompt holds `<answer> Beijing </answer>`; E06",
    fix="score only the model's reply, read the last slot, and compare it whole",
)
def echo(s: Subject, task: int) -> Probes:
    prompt = s.tasks[task].prompt
    yield "the prompt", prompt
    yield "the prompt twice", f"{prompt}\n{prompt}"
    yield "everything shown", s.tasks[task].shown
    record = loads(s.gold(task)) if s.family == "json" else None
    if isinstance(record, dict) and record and all(isinstance(value, str) for value in record.values()):
        yield "the prompt in each field", s.write(json.dumps(dict.fromkeys(record, prompt)))
    if s.style.slotted:
        yield "the prompt in the slot", s.write(prompt)
        parts = [part.strip() for part in prompt.split("\n\n") if part.strip()]
        for number, part in enumerate(parts[:3] if len(parts) > 1 else (), 1):
            yield f"part {number} of the prompt in the slot", s.write(part)
        yield "everything shown, then an empty slot", f"{s.tasks[task].shown}\n{s.slot('')}"


@family(
    "enumeration",
    title="listing all possible answers is not paid",
    severity="critical",
    answer_free=True,
    kinds=("number", "choice", "boolean", "label", "math", "text", "unknown"),
    reason="When listing every value is paid, the model never has to solve anything.",
    source="falsepass A1; E05",
    fix="accept one answer per completion and compare it whole",
)
def enumeration(s: Subject, task: int) -> Probes:
    prompt = s.tasks[task].prompt
    numbers = list(dict.fromkeys(re.findall(r"-?\d+(?:\.\d+)?", prompt)))
    if s.family in ("number", "math"):
        yield "0 to 1000", s.write(" ".join(map(str, range(1001))))
        if s.style.slotted:
            yield "0 to 300 in slots", "\n".join(s.slot(str(n)) for n in range(301))
        if len(numbers) > 1:
            yield "all numbers of the prompt", s.write(", ".join(numbers))
    elif s.family == "choice":
        options = s.learned.options[task]
        letters = "ABCDEFGHIJ"[: max(4, len(options))]
        yield "all letters", s.write(", ".join(letters))
        yield "all letters, no spaces", s.write(letters)
        if options:
            yield "all options", s.write("; ".join(options))
            yield "all options, marked", s.write(" ".join(f"({a}) {b}" for a, b in zip(letters, options, strict=False)))
        if s.style.slotted:
            yield "every letter in a slot", "\n".join(map(s.slot, _gold_inside(letters, s.gold(task))))
    elif s.family == "boolean":
        for words in ("yes no", "true false", "yes and no", "no, yes", "false, true"):
            yield words, s.write(words)
        if s.style.slotted:
            # The gold in the middle: where the first or the last counts, that is no list.
            yield "both in slots", "\n".join(map(s.slot, (s.wrong(task), s.gold(task), s.wrong(task))))
    elif s.family == "label":
        labels = list(dict.fromkeys(gold for gold in s.learned.golds if gold))
        if len(labels) > 1:
            yield "all labels", s.write(", ".join(labels))
            yield "all labels, reversed", s.write(" ".join(labels[::-1]))
    if s.family in ("choice", "boolean", "label") and s.playable:
        # The gold is the last of them: what its own turn earns is earned by having tried all.
        answers = [*dict.fromkeys(answer for answer in _possible(s, task) if answer.lower() != s.gold(task).lower()), s.gold(task)]
        for one in s.play(task, [s.write(answer) for answer in answers])[:1]:
            if sum(message["role"] == "assistant" for message in one.messages) == len(answers) > 1:
                yield "each possible answer in a turn of its own", one.messages
    if s.family == "text":
        names = list(dict.fromkeys(re.findall(r"\b[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*", prompt)))
        if len(names) > 1:
            yield "all names of the prompt", s.write(", ".join(names))


def _gold_inside(letters: str, gold: str) -> list[str]:
    """The letters with the gold's neither first nor last: where one of these counts, that is no list."""
    others = [letter for letter in letters if letter != gold.strip().upper()]
    return [others[0], *(letter for letter in letters if letter not in others), *others[1:]]


def _possible(s: Subject, task: int) -> list[str]:
    """The answers of which one is right, where they are few: the options, the labels, yes and no."""
    return [*s.wrongs[task], *(gold for gold in s.learned.golds if gold)] if s.family != "choice" else s.wrongs[task]


@family(
    "not_a_number",
    title="NaN and infinity are not paid",
    severity="critical",
    answer_free=True,
    kinds=("number", "math"),
    reason="`abs(x - y) > tolerance` is never true for NaN, so NaN passes.",
    source="falsepass P13; E12",
    fix="check that the parsed number is finite before comparing, and pay on `<=`, not on the absence of `>`",
)
def not_a_number(s: Subject, task: int) -> Probes:
    for text in ("NaN", "nan", "Infinity", "-inf", "1e999", "1e-999", "0/0", "None"):
        yield text, s.write(text)


@family(
    "structure_only",
    title="bare structure is not paid",
    severity="critical",
    answer_free=True,
    needs_gold=False,
    reason="Step and structure rewards are earned with dashes and headings.",
    source="open-r1 reasoning_steps_reward pays three bare dashes; E15",
    fix="do not reward the look of reasoning; if steps count, count them only on right answers",
)
def structure_only(s: Subject, task: int) -> Probes:
    yield "dashes", "\n-\n-\n-\n-"
    yield "step words", "Step 1:\nStep 2:\nStep 3:\nStep 4:"
    yield "order words", "First, Next, Then, Finally, Therefore, In conclusion,"
    yield "headings", "# Answer\n## Reasoning\n**Final Answer**\n- \n- "
    yield "steps, then x", s.write("x", "\n".join(f"Step {n}: First, check. Then, verify." for n in range(1, 12)))


@family(
    "filler",
    title="long text without an answer is not paid",
    severity="critical",
    answer_free=True,
    needs_gold=False,
    reason="A reward that grows with length or with certain words is earned without any answer.",
    source="arXiv 2502.03373; E16, E17, E23",
    fix="do not reward length, confidence or keywords",
)
def filler(s: Subject, task: int) -> Probes:
    yield "waiting", "wait, " * 500
    yield "a long text", "The matter can be looked at from several sides, and each of them has its merits. " * 120
    yield "confidence", "I am absolutely certain. This answer is correct, complete, accurate, clear, helpful and well reasoned. The final answer is correct."
    yield "apology", "I'm sorry, but I can't help with that."
    yield "true, one, correct", s.write("correct")
    yield "json true", json.dumps({"correct": True, "score": 1.0, "reward": 1.0, "passed": True})


@family(
    "odd_content",
    title="odd content is not paid",
    severity="critical",
    answer_free=True,
    needs_gold=False,
    reason="A handler that returns a consolation value on an error pays for breaking the parser.",
    source="falsepass P10; `except: return 0.5`; E38",
    fix="return 0 on anything that cannot be parsed",
)
def odd_content(s: Subject, task: int) -> Probes:
    yield from odd_texts(s)
    yield "no content", [{"role": "assistant", "content": None}]
    yield "content in parts", [{"role": "assistant", "content": [{"type": "text", "text": "hm"}]}]


def odd_texts(s: Subject) -> list[tuple[str, str]]:
    """Texts that parsers stumble over, with no answer in them."""
    odd = [
        ("malformed slot", f"{s.style.after}{s.style.before}" or "</answer><answer>"),
        ("malformed tags", "<answer><answer></think>"),
        ("deep nesting", "(" * 2000 + "x" + ")" * 2000),
        ("deep braces", "\\boxed{" * 300 + "}" * 300),
        ("lone surrogate", "\ud800 \udfff"),
        ("NUL", "\x00\x00"),
        ("unclosed brace", "\\boxed{" + "{" * 50),
        ("percent and braces", "%s %d {0} {} %(x)s ${x}"),
        ("200 kB", "ab " * 66_000),
        ("broken JSON", '{"answer": '),
        ("division by zero", s.write("1/0")),
        # As an answer it must not be evaluated; as a program it is an honest endless one.
        *([] if s.family in ("code", "tests") else [("huge exponent", s.write("9**9**9**9"))]),
        ("superscripts", s.write("²½Ⅷ")),
        *([] if s.family in ("code", "tests") else [("code to evaluate", s.write("__import__('os')._exit(0)"))]),
    ]
    return odd
