"""Ways to read the gold out of tasks: every field, and every value that the code holds, in every
sensible way.

Nothing is decided here. The reward decides (see `search`): the candidate whose answers it pays is
the gold. Names only order the candidates, and say what the author called the gold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from lab.answers.countdown import value_of
from lab.answers.extract import loads
from lab.answers.latex import last_boxed
from lab.answers.lists import SEPARATORS, hinted, of_example, write
from lab.environment import Task
from lab.reward.formats.answer_format import same_name
from lab.reward.formats.prompt import labels_of, shared_text, tags_of
from lab.reward.reading.candidate import Candidate, dumped, single
from lab.reward.reading.fields import (
    LETTERS,
    flat,
    letter_of,
    options_of,
    rank_of,
    rows_by_path,
    usable,
)
from lab.reward.reading.filled import filled_examples
from lab.reward.reading.grids import grids, rows_of, square
from lab.reward.reading.headed_tables import with_head
from lab.reward.reading.keyed_rows import by_rows, side_by_side, with_keys
from lab.reward.reading.open_cells import filled_tables
from lab.reward.reading.rendered import (
    Readings,
    by_key,
    decimals_as_numbers,
    in_hundredths,
    named_parts,
    number_of,
    on_numbered_lines,
    truths,
    with_unit,
)
from lab.reward.reading.worked_out import worked_out

ANY = "any of the list"


def candidates(tasks: Sequence[Task]) -> list[Candidate]:
    """Every way to read a gold out of the tasks' fields, the likeliest first."""
    rows = rows_by_path(tasks)
    paths = list(dict.fromkeys(path for row in rows for path in row))
    found = [one for path in paths for one in _of_values(path, rows, tasks)]
    found += [*filled_examples(tasks), *filled_tables(tasks)]
    found += [*with_head(tasks), *side_by_side(tasks), *_with_labels(rows, tasks)]
    for names, quantities in with_unit(rows, tasks):
        rank = min(map(rank_of, names.split("+")))
        found.append(single(names, "with its unit", quantities, min(rank, 1)))
    solved = worked_out(tasks)
    if any(one.reading.startswith("an expression") for one in solved):
        # The target is what is asked for there, and no answer.
        found = [c for c in found if not re.search(r"(?:^|\.)(?:target|goal)$", c.field)]
    found += [single(s.field, s.reading, s.golds, s.rank) for s in solved]
    return sorted(found, key=lambda c: c.rank)


def _with_labels(rows: list[dict[str, Any]], tasks: Sequence[Task]) -> Iterator[Candidate]:
    """The fields that are called like labels or tags of the prompts, together: a record."""
    shown = shared_text(tasks)
    words = [*tags_of(shown), *labels_of(shown)]
    names = [
        path
        for path in (rows[0] if rows else ())
        if all(isinstance(row.get(path), (str, int, float)) for row in rows)
        and any(same_name(path, word) for word in words)
    ]
    if len(names) > 1:
        texts = [dumped({name: row[name] for name in names}) for row in rows]
        rank = min(map(rank_of, names))
        yield single("+".join(names), "each behind its label", texts, min(rank, 1))


MOST_DIGITS = 12
"""Of a decimal that has an end."""
ROWS = 4
"""Tasks from which on values that go up with the row are row numbers."""


def of_values(
    name: str, values: Sequence[Any], tasks: Sequence[Task], rank: int
) -> list[Candidate]:
    """The candidates of values that come from elsewhere than the fields, one per task."""
    rows = [
        {**dict(flat(task.fields)), name: value} for task, value in zip(tasks, values, strict=True)
    ]
    return [replace(one, rank=rank) for one in _of_values(name, rows, tasks, least=0.0)]


def _of_values(
    path: str, rows: list[dict[str, Any]], tasks: Sequence[Task], least: float = 0.5
) -> Iterator[Candidate]:
    shown = tasks[0].shown if tasks else ""
    values = [row.get(path) if usable(row.get(path), shown) else None for row in rows]
    if sum(value is not None for value in values) < least * len(values):
        return
    if any(_asks(value, task) for value, task in zip(values, tasks, strict=True)):
        return
    if _counts_rows(values, tasks):
        return
    rank = rank_of(path)
    for reading, read in _readings(path, values, rows, tasks):
        accepted = [[str(text) for text in texts if str(text).strip()] for texts in read]
        golds = [texts[0] if texts else None for texts in accepted]
        if any(golds):
            yield Candidate(path, reading, golds, accepted, rank, reading.startswith("all"))


def _counts_rows(values: list[Any], tasks: Sequence[Task]) -> bool:
    """Whether the values number the rows, from any start."""
    apart = {
        int(str(value)) - task.index if str(value).isdecimal() else None
        for value, task in zip(values, tasks, strict=True)
    }
    return len(values) >= ROWS and len(apart) == 1 and None not in apart


def _asks(value: Any, task: Task) -> bool:
    """Whether a value is the task's question, an exercise of it that is not worked out yet, or an
    object with the question in it: the task."""
    if isinstance(value, str) and EXERCISE.fullmatch(value) and value_of(value) is not None:
        return bool(re.search(r"[+*]|(?<=[\s\d)])-|/.*/", value)) and value in task.prompt
    texts = [text for _, text in flat(value)] if isinstance(value, dict) else [value]
    question = task.prompt.strip()
    return any(isinstance(text, str) and text.strip() == question for text in texts)


def _readings(
    path: str, values: list[Any], rows: list[dict[str, Any]], tasks: Sequence[Task]
) -> Readings:
    present = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in present):
        yield from truths(values, tasks)
    elif all(isinstance(value, (int, float)) for value in present):
        yield from _index_readings(values, rows, tasks)
        yield "as it is", [[] if v is None else [number_of(v)] for v in values]
        yield from in_hundredths(path, values)
    elif all(isinstance(value, (list, tuple)) for value in present):
        yield from _list_readings(values, tasks)
    elif all(isinstance(value, dict) for value in present):
        yield "as JSON", [[dumped(v)] if v else [] for v in values]
        yield from decimals_as_numbers(values)
        yield from named_parts(values, tasks)
        yield from by_key(values)
        yield from by_rows(values, tasks)
        yield from with_keys(values, tasks)
    else:
        texts = [v if isinstance(v, str) else _mixed(v) for v in values]
        yield from _text_readings(texts, rows, tasks)


def _mixed(value: Any) -> str:
    """A value of a field that has values of several kinds."""
    if isinstance(value, dict | list):
        return dumped(value)
    return "" if value is None else number_of(value)


EXERCISE = re.compile(r"[\d\s()+*/-]{3,}")


def _text_readings(texts: list[str], rows: list[dict[str, Any]], tasks: Sequence[Task]) -> Readings:
    yield from _marked(texts)
    parsed = [loads(text) if text.lstrip()[:1] == "[" else None for text in texts]
    if _most(isinstance(item, list) for item in parsed):
        lists = [item if isinstance(item, list) else None for item in parsed]
        yield from _list_readings(lists, tasks)
    if _most(text.strip().isdigit() and len(text.strip()) == 1 for text in texts):
        numbers = [int(text) if text.strip().isdigit() else None for text in texts]
        yield from _index_readings(numbers, rows, tasks)
    yield from _as_they_are(texts, tasks)
    yield from _alternatives(texts)
    if _most(", " in text for text in texts if text):
        yield from _joined([_between_commas(text) for text in texts], tasks)
    yield from _letters(texts, rows, tasks)


def _as_they_are(texts: list[str], tasks: Sequence[Task]) -> Readings:
    yield "as it is", [[text.strip()] for text in texts]
    yield from grids([square(text.strip()) for text in texts], tasks)
    if any(text != text.strip() for text in texts):
        yield "with its blanks", [[text] for text in texts]
    yield from _as_decimals(texts)


FRACTION = re.compile(r"(-?\d{1,9})/([1-9]\d{0,8})")


def _as_decimals(texts: list[str]) -> Readings:
    """Fractions that are kept as texts, `51/10`, as decimals; of all, where some are fractions and
    each has an end."""
    split = [FRACTION.fullmatch(text.strip()) for text in texts]
    values = [Decimal(int(m[1])) / Decimal(int(m[2])) if m else None for m in split]
    if any(split) and all(v is None or len(v.as_tuple().digits) <= MOST_DIGITS for v in values):
        written = [text.strip() for text in texts]
        pairs = zip(written, values, strict=True)
        yield "as decimals", [[text if v is None else f"{v:f}"] for text, v in pairs]


def _between_commas(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _marked(texts: list[str]) -> Readings:
    """Answers that a mark sets apart inside a solution."""
    if _most("####" in text for text in texts):
        yield "after ####", [_part(text, "####") for text in texts]
    if _most("\\boxed" in text for text in texts):
        yield "in \\boxed{}", [[box] if (box := last_boxed(text)) else [] for text in texts]


def _part(text: str, mark: str) -> list[str]:
    return [text.rsplit(mark, 1)[1].strip()] if mark in text else []


def _alternatives(texts: list[str]) -> Readings:
    """Texts that hold several accepted answers: `Holland; Netherlands`."""
    for mark, name in ((";", "semicolons"), ("|", "bars"), (" / ", "slashes")):
        if sum(mark in text for text in texts) * 3 >= len(texts) and len(max(texts, key=len)) < 200:
            yield (
                f"{ANY}, between {name}",
                [[part.strip() for part in text.split(mark)] for text in texts],
            )


def _letters(texts: list[str], rows: list[dict[str, Any]], tasks: Sequence[Task]) -> Readings:
    several = [re.fullmatch(r"(?!.*(.).*\1)[A-J]{1,8}", text) for text in texts]
    has_options = [bool(options_of(task, row)) for task, row in zip(tasks, rows, strict=True)]
    if any(len(text) > 1 for text in texts) and _most(
        found and options for found, options in zip(several, has_options, strict=True)
    ):
        yield "all of the letters, with commas", [[", ".join(t)] if t else [] for t in texts]
    letters = [letter_of(t, task, row) for t, task, row in zip(texts, tasks, rows, strict=True)]
    if _most(letters) and not all(len(text.strip()) == 1 for text in texts):
        yield "letter of the option", [[letter] if letter else [] for letter in letters]


def _index_readings(
    values: list[Any], rows: list[dict[str, Any]], tasks: Sequence[Task]
) -> Readings:
    choices = [options_of(task, row) for task, row in zip(tasks, rows, strict=True)]
    if not _most(choices) or not all(v is None or float(v).is_integer() for v in values):
        return
    beyond = any(v is not None and v >= len(c) for v, c in zip(values, choices, strict=True))
    base = 1 if beyond and not any(v == 0 for v in values) else 0
    at = [None if v is None else int(v) - base for v in values]
    letters: list[list[str]] = []
    texts: list[list[str]] = []
    for i, options in zip(at, choices, strict=True):
        place = i if i is not None and 0 <= i < len(options) else None
        letters.append([LETTERS[place]] if place is not None and place < 26 else [])
        texts.append([options[place]] if place is not None else [])
    yield "letter of the option", letters
    yield "text of the option", texts


def _list_readings(values: list[Any], tasks: Sequence[Task]) -> Readings:
    lists = [[_item(item) for item in (value or [])] for value in values]
    yield from on_numbered_lines(lists, tasks)
    yield ANY, lists
    if any(len(items) > 1 for items in lists):
        if not any(isinstance(item, dict) for value in values for item in value or []):
            yield "all of the list, with commas", [[", ".join(i)] if i else [] for i in lists]
        yield "all of the list, a line each", [["\n".join(i)] if i else [] for i in lists]
    yield "all of the list, as JSON", [[dumped(value)] if value else [] for value in values]
    yield from named_parts(values, tasks)
    yield from by_rows(values, tasks)
    yield from with_keys(values, tasks)
    yield from _joined(lists, tasks)
    yield from grids([rows_of(value) for value in values], tasks)


def _joined(lists: list[list[str]], tasks: Sequence[Task]) -> Readings:
    """The lists written as the example of the prompt is: in brackets, numbered, with arrows."""
    for joint in hinted(tasks[0].shown) if tasks else ():
        name = f"joined by {joint.strip()}" if joint in SEPARATORS else joint
        name = "each in brackets" if joint == "brackets" else name
        yield f"all of the list, {name}", [[write(i, joint)] if i else [] for i in lists]
    own = [of_example(task.prompt) for task in tasks]
    if all(own) and len(set(own)) > 1:
        joined = [[write(i, sign)] if i else [] for i, sign in zip(lists, own, strict=True)]
        yield "all of the list, each as the example of its prompt", joined


def _item(item: Any) -> str:
    if isinstance(item, dict):
        named = next((item[key] for key in ("value", "text", "answer") if item.get(key)), None)
        return str(named) if named is not None else dumped(item)
    return dumped(item) if isinstance(item, list) else str(item)


def _most(flags: Iterable[Any]) -> bool:
    seen = [bool(flag) for flag in flags]
    return bool(seen) and sum(seen) * 10 >= len(seen) * 9
