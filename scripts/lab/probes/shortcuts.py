"""Rules that read only the surface of a task, and how often they are right: what a policy finds first.

Whether a model guesses the answer in eight tries (Kimi k1.5 drops such tasks) needs a model; this
needs none. It looks for the guesses that follow from the prompt alone, and says what blind guessing
among the options would give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.answers.numbers import parse_number
from lab.answers.wrong import plain_words
from lab.probes.families import DESIGN
from lab.probes.subject import Subject
from lab.rates import jeffreys
from lab.report import Check, Finding

GUESSABLE = Check(
    "data.guessable",
    title="no rule that reads only the surface of the prompt is right on most tasks",
    expected="<= 0.5 of tasks, and not clearly above chance",
    reason="A guess that is often right is learnt before the task is, and looks like progress.",
    source="Kimi k1.5, arXiv 2501.12599: easy-to-hack tasks are dropped; E42",
)
LEAST = 8
CERTAIN = 0.9
"""Share of the tasks from which on a surface rule is a failure."""
TRIES = 8


def finding(s: Subject) -> Finding:
    on = [i for i in s.with_gold if s.family in ("number", "math", "text") or (s.family == "choice" and len(s.learned.options[i]) > 1)]
    if len(on) < LEAST:
        return GUESSABLE.skip(f"for numbers, texts and options, on at least {LEAST} tasks")
    guesses = [dict(_guesses(s, i)) for i in on]
    right = {name: sum(bool(told) and _same(told.get(name), s, i) for told, i in zip(guesses, on, strict=True)) for told in guesses for name in told}
    chance = sum(1 / len(s.learned.options[i]) for i in on) / len(on) if s.family == "choice" else 0.0
    blind = f"; {TRIES} blind guesses among the options solve {1 - (1 - chance) ** TRIES:.0%} of the tasks" if chance else ""
    name, hits = max(right.items(), key=lambda item: item[1], default=("", 0))
    share = hits / len(on)
    evidence = f"{name} is right on {hits} of {len(on)} tasks{blind}" if name else f"nothing to guess from{blind}"
    if share <= 0.5 or jeffreys(hits, len(on))[0] <= chance + 0.15:
        return GUESSABLE.ok(measured=share, evidence=evidence)
    # A rule that is right nearly everywhere is the task's own answer: nothing else will be learnt.
    found = GUESSABLE.fail if share >= CERTAIN else GUESSABLE.warn
    return found(
        measured=share, evidence=evidence, severity="high" if share >= CERTAIN else "medium", direction="data",
        fix=f"rewrite or leave out tasks that give themselves away ({DESIGN}#golds)",
    )  # fmt: skip


NAME = re.compile(r"(?<=[a-z,;:'\"(] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
"""A capitalised name inside a sentence."""


def _guesses(s: Subject, task: int) -> Iterator[tuple[str, str]]:
    prompt, options = s.tasks[task].prompt, s.learned.options[task]
    if s.family == "choice":
        for name, pick in (("the longest option", max), ("the shortest option", min)):
            chosen = pick(options, key=len)
            if sum(len(option) == len(chosen) for option in options) == 1:
                yield name, chosen
        yield "the first option", options[0]
        yield "the last option", options[-1]
        return
    if s.family == "text":
        names = NAME.findall(prompt)
        if names:
            yield "the first name of the prompt", names[0]
            yield "the last name of the prompt", names[-1]
        return
    numbers = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\d)", prompt)
    if len(numbers) > 1:
        yield "the last number of the prompt", numbers[-1]
        yield "the first number of the prompt", numbers[0]
        yield "the largest number of the prompt", max(numbers, key=float)


def _same(guess: str | None, s: Subject, task: int) -> bool:
    gold, options = s.gold(task), s.learned.options[task]
    if guess is None:
        return False
    if s.family == "choice":
        mark = gold.strip("(). ").upper()
        at = ord(mark) - 65 if len(mark) == 1 and mark.isalpha() else options.index(gold) if gold in options else -1
        return 0 <= at < len(options) and options[at] == guess
    if s.family == "text":
        return bool(plain_words(guess)) and plain_words(guess) in {plain_words(text) for text in s.accepted(task)}
    value = parse_number(gold)
    return value is not None and value == parse_number(guess)
