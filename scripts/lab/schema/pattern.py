"""Which reward pattern fits a kind of answer, and why: the names are those of the templates."""

from __future__ import annotations

import re

from lab.answers.kinds import content_family
from lab.answers.numbers import measured
from lab.answers.shapes import parsed
from lab.schema.detect import Schema
from lab.schema.fields import words_of

BY_FAMILY = {
    "number": ("numeric", "the golds are plain numbers: read one number out of a marked slot and compare values"),
    "math": ("math", "the golds are mathematical expressions: compare by symbolic equality, not by string"),
    "choice": ("multiple_choice", "the gold names one of several options: compare the letter in a marked slot"),
    "boolean": ("exact_match", "the gold is one of two or three words: compare the normalised word in a marked slot"),
    "label": ("exact_match", "the gold is one of a closed set of labels: the prompt must list them"),
    "list": ("exact_match", "any one of several golds is right: compare the normalised answer with each"),
    "text": ("exact_match", "the golds are short texts: compare after normalising case, articles and punctuation"),
    "json": ("structured_output", "the golds are JSON, such as tool calls: compare names and arguments as data, not as text"),
    "code": ("free_text_judge", "the gold is a query: equal queries differ as text, so a judge compares where they cannot be run"),
    "tests": ("code", "the golds are tests: run the answer against them in a sandbox"),
    "preference": ("free_text_judge", "pairs of a better and a worse answer hold no gold: a judge has to compare"),
    "spec": (None, "the row specifies what to check instead of a gold: the check is to be written by hand"),
}


CRITERIA = frozenset({"rubric", "rubrics", "checklist", "criteria", "claims", "checkers", "grading"})
"""Names of lists of what a judge looks for, all of it."""
MOST_GOLDS = 0.8


def _is_structure(gold: object) -> bool:
    """A JSON object, or a list of them: to be compared by key and value, not as text."""
    value = parsed(gold) if isinstance(gold, str) else gold
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value))


def _all_ask(golds: list[object]) -> bool:
    """Lists of questions about the answer (`Is it a letter?`), none of which is the answer."""
    lists = [gold for gold in golds if isinstance(gold, list) and gold]
    return bool(lists) and all(str(item).rstrip().endswith("?") for gold in lists for item in gold)


def _are_plain_words(golds: list[object]) -> bool:
    """Names among numbers, and nothing that is written as mathematics: answers to questions about facts."""
    texts = [str(gold) for gold in golds]
    words = sum(bool(re.fullmatch(r"[^\W\d_]{3,}(?:[ .'-]+[^\W\d_]+)*", text.strip())) for text in texts)
    return words >= 0.1 * len(texts) > 0 and not any(re.search(r"[\\^_={}+*|<>√π]", text) for text in texts)


def recommend(schema: Schema, golds: list[object], tools: bool) -> tuple[str | None, str]:
    """(template name, reason) for what was found; None where no template decides such answers."""
    kind = schema.kind.kind
    if schema.answer.path is None:
        return "free_text_judge", "no field holds a gold: only a judge, or checks written for the task, can decide"
    if kind in ("nested_list_of_dict", "json_string_list", "list_of_strings") and (CRITERIA.intersection(words_of(schema.answer.path)) or _all_ask(golds)):
        return "free_text_judge", "the row lists criteria instead of a gold: a judge scores each of them"
    if kind == "parallel_lists":
        return "multi_turn", "one row holds a whole conversation with an answer for each turn"
    if kind in ("free_text_long",):
        return "free_text_judge", "the golds are long texts: no string comparison accepts a good paraphrase"
    if kind in ("messages_last_assistant", "sharegpt_last_assistant"):
        called = any("tool_call" in str(gold) for gold in golds[:20])
        if (tools or called) and golds and all(map(_is_structure, golds)):
            return BY_FAMILY["json"]
        if called:
            return None, "the last turn calls tools in a notation of its own: reading the calls out of it is to be written by hand"
        lengths = [len(str(gold)) for gold in golds if gold is not None]
        if lengths and sum(lengths) / len(lengths) > 80:
            return "free_text_judge", "the last turns are long texts: no string comparison accepts a good paraphrase"
    if schema.choices and kind in ("class_label_int", "choice_text"):
        return BY_FAMILY["choice"]
    found = content_family(kind, golds)
    if found == "choice" and not schema.choices and not schema.inline_choices:
        return "exact_match", "the gold is the letter of an option, and the row lists none: compare the letter as it is"
    if kind == "list_of_tests":
        return None, "the gold names tests of a repository: they run in its own sandbox, which is to be written by hand"
    if found in ("math", "text", "list", "unknown") and golds and sum(map(_is_structure, golds)) >= MOST_GOLDS * len(golds):
        return BY_FAMILY["json"]
    if found in ("math", "text") and golds and all(measured(gold) is not None for gold in golds):
        return "numeric", "the golds are numbers, some with a unit: read one number out of a marked slot and compare values"
    if found == "math" and _are_plain_words(golds):
        return BY_FAMILY["text"]
    return BY_FAMILY.get(found, ("free_text_judge", "the kind of answer is not known"))
