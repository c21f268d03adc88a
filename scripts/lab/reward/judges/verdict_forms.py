"""Verdicts to try where an environment does not understand the one that its judge's prompt asks
for: the forms that judges answer in (`FORMS`), and what its own code looks for (`of_code`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from lab.reward.formats.pattern import matches
from lab.reward.formats.source import SourceTokens
from lab.reward.judges.item_map import mapped
from lab.reward.judges.scales import top_of
from lab.reward.judges.verdicts import WHY, Form
from lab.reward.judges.words import negative, positive


def constant(good: str, bad: str) -> Form:
    def form(_prompt: str, right: bool, _format: Any = None) -> str:
        return good if right else bad

    return form


def _scaled(template: str) -> Form:
    def form(prompt: str, right: bool, _format: Any = None) -> str:
        return template.format(top_of(prompt) if right else 0)

    return form


FORMS: tuple[Form, ...] = (
    constant("yes", "no"),
    constant("CORRECT", "INCORRECT"),
    constant("A", "B"),
    constant("PASS", "FAIL"),
    constant("True", "False"),
    *map(
        _scaled,
        (
            "{}",
            "Score: {}",
            "Grade: {}",
            "Rating: {}",
            "[[{}]]",
            "<score>{}</score>",
            "<grade>{}</grade>",
            "\\boxed{{{}}}",
            "{}/10",
            '{{"score": {}}}',
        ),
    ),
    constant("Verdict: yes", "Verdict: no"),
    constant("<verdict>yes</verdict>", "<verdict>no</verdict>"),
    constant("[[A]]", "[[B]]"),
    constant('{"correct": true}', '{"correct": false}'),
    constant('{"verdict": "yes"}', '{"verdict": "no"}'),
    mapped(1),
    mapped(2),
)


def of_code(tokens: SourceTokens, prompt: str) -> Iterator[str]:
    """Single replies that the environment's code may look for: objects with the keys that code and
    prompt both name, what its patterns match, and its own short texts that are usual verdicts or
    are named in the prompt: `supported`."""
    if tokens.reads_json:
        named = [key for key in (*tokens.keys, *tokens.literal_keys) if key in prompt]
        for value in (True, False, 1, 0, 10, "yes", "no"):
            if named:
                yield json.dumps(dict.fromkeys(named, value))
    words = [text for text in tokens.texts if len(text) <= 20 and _verdict(text)]
    for pattern in tokens.patterns[:30]:
        yield from matches(pattern, words)
    yield from words
    yield from (text for text in tokens.texts if len(text) <= 20 and _named(text, prompt))
    if tokens.reads_json:
        for key in tokens.keys[:6]:
            for value in (True, False, "yes", "no", 1, 0, 10, "correct", "incorrect"):
                others = {k: WHY for k in tokens.keys[:6] if k != key}
                yield json.dumps({**others, key: value})


def _named(text: str, prompt: str) -> bool:
    return text.isalpha() and re.search(rf"\b{text}\b", prompt, re.IGNORECASE) is not None


def _verdict(text: str) -> bool:
    return positive(text.strip("[]()*.")) or negative(text)
