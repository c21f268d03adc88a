"""Golds among the values that the environment's code holds while it scores.

A reward often computes what is right (`expected = sorted(words)`), or reads it from a place that
no field shows. A few wrong completions are scored under watch; a variable that differs from task to
task, and comes from no completion, is a candidate.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lab.environment import CLASSIC, Environment, Task
from lab.environment.watch import PATTERN
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.formats.pattern import match_of
from lab.reward.formats.prompt import shown_examples
from lab.reward.reading.candidate import Candidate
from lab.reward.reading.candidates import of_values
from lab.reward.reading.fields import flat
from lab.reward.reading.search import unique

TASKS, FORMATS, MOST, MOST_QUICK = 4, 6, 10, 24
QUICK = 0.05
"""Seconds of one completion below which all tasks are watched."""
MOST_COMPUTED, MOST_MADE, LONG = 16, 40, 40
MARKER = "7319"
"""A number that is hardly anybody's gold, and that most parsers take."""
TELLING = re.compile(
    r"expect|gold|target|truth|correct|answer|want|reference|solution|label|ideal|actual|should"
    r"|secret|hidden|solved"
)
REPR = re.compile(
    r"role=['\"]assistant['\"],? ?content=|content=.{0,4000}role=['\"]assistant", re.DOTALL
)
AS_OBJECT = "the message object is read as text (role='assistant' content=...), not what it says"
"""What is said where the code holds `role='assistant' content='...'` in place of what was said."""
NO_TEXT = "no text is found in messages that are objects; in plain dictionaries it is"
"""What is said where the code comes by the words of a reply only as earlier releases gave them."""
Held = dict[tuple[str, str], list[Any]]


def held_candidates(
    env: Environment, tasks: Sequence[Task], formats: Sequence[AnswerFormat]
) -> tuple[list[Candidate], list[str], list[dict[str, Any]]]:
    """The candidates, the errors that the code swallowed on each completion of the first task, and
    the values that hold several, by task."""
    texts = ["", *dict.fromkeys(one.write(MARKER) for one in formats[:FORMATS])]
    values: Held = {}
    errors: list[set[str]] = []
    watched, seconds = 0, 0.0
    for i in range(len(tasks)):
        if i >= TASKS and seconds > QUICK * len(texts) * i:
            break
        watched = i + 1
        for text in [*texts, *shown_examples(tasks[i].shown)]:
            seen = env.watch(i, text)
            seconds += seen.score.seconds
            if i == 0:
                objects = any(REPR.search(str(value)) for _, _, value in seen.values)
                errors.append({*seen.errors, *([AS_OBJECT] if objects else [])})
            for where, name, kept in seen.values:
                value = _text_of(kept)
                inner = where.startswith("<")  # a loop inside a line, not what it comes to
                if not inner and not _said(value, text):
                    held = values.setdefault((where, name), [None] * len(tasks))
                    held[i] = value if held[i] is None else held[i]
    if errors and _finds_no_text(env, texts):
        errors = [{*one, NO_TEXT} for one in errors]
    quick = seconds <= QUICK * len(texts) * watched
    found = _candidates(values, tasks, watched)[: MOST_QUICK if quick else MOST]
    swallowed = sorted(set.intersection(*errors)) if errors else []
    return found, swallowed, by_task(values, tasks)


def _finds_no_text(env: Environment, texts: Sequence[str]) -> bool:
    """Whether the code holds the words of a reply as a text only where messages are plain
    dictionaries, as they were before the classic library had types for them."""
    if env.description.api != CLASSIC:
        return False
    said = [text for text in texts if MARKER in text]

    def held(as_dicts: bool) -> bool:
        return any(
            isinstance(value, str) and MARKER in value
            for text in said
            for _, _, value in env.watch(0, text, as_dicts=as_dicts).values
        )

    return held(True) and not held(False)


def made_candidates(
    env: Environment, tasks: Sequence[Task]
) -> tuple[list[Candidate], list[dict[str, Any]]]:
    """The candidates among what the code holds while it makes the tasks, and all of that by task:
    a puzzle is often made out of its solution."""
    values: Held = {}
    for i, held in env.made.items():
        for where, name, value in held:
            part = isinstance(value, str) and value in tasks[i].shown
            if not part and not _is_field(value, tasks[i]):
                values.setdefault((where, name), [None] * len(tasks))[i] = value
    return _candidates(values, tasks, max(1, len(tasks) // 2))[:MOST_MADE], by_task(values, tasks)


def by_task(values: Held, tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Values that hold several, by their names, task by task."""
    return [
        {
            f"{where}.{name}": held[i]
            for (where, name), held in values.items()
            if isinstance(held[i], (list, dict)) and not _is_field(held[i], tasks[i])
        }
        for i in range(len(tasks))
    ]


def computed_candidates(
    env: Environment, tasks: Sequence[Task], more: Sequence[dict[str, Any]] = ()
) -> list[Candidate]:
    """The candidates among what the environment's own functions make of the tasks' fields, and of
    other values that its code has held."""
    values: Held = {}
    for i, task in enumerate(tasks):
        for name, value in env.computed(i, more[i] if more else None):
            long = isinstance(value, str) and len(value) > LONG and value in task.shown
            if not long:  # a part of the prompt
                values.setdefault((name, "result"), [None] * len(tasks))[i] = value
    env.fresh()  # a call may have changed what the module holds
    return _candidates(values, tasks, max(1, len(tasks) // 2))[:MOST_COMPUTED]


def _is_field(value: Any, task: Task) -> bool:
    return value is None or any(value == one for _, one in flat(task.fields))


def _text_of(value: Any) -> Any:
    """A value; a text that it matches in the place of a pattern, which is made of what is right."""
    pattern = value.get(PATTERN) if isinstance(value, dict) else None
    return match_of(pattern) if isinstance(pattern, str) else value


def _said(value: Any, text: str) -> bool:
    """Whether a value is taken out of the completion, or says nothing of a task."""
    if value in (None, "", [], {}, True, False, 0, 1, 0.0, 1.0):
        return True
    plain = str(value).strip().lower()
    return plain in text.lower() or MARKER in plain


def _candidates(values: Held, tasks: Sequence[Task], watched: int) -> list[Candidate]:
    # A result is more than what leads to it.
    telling = sorted(
        values,
        key=lambda key: (not TELLING.search(f"{key[0]} {key[1]}".lower()), key[1] != "return"),
    )
    found: list[Candidate] = []
    for where, name in telling:
        held = values[where, name]
        known = [value for value in held if value is not None]
        if all(_is_field(value, task) for value, task in zip(held, tasks, strict=True)):
            continue  # a field under another name
        if len(known) < watched or len({repr(value) for value in known}) < 2:
            continue
        rank = 1 if TELLING.search(f"{where} {name}".lower()) else 2
        found += of_values(f"{where}: {name}", held, tasks, rank)
    return unique(found)
