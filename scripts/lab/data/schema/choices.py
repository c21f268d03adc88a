"""Which fields hold the options of a multiple-choice row: one field with all of them, or separate
columns (`opa`…`opd`, `ending0`…).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from lab.answers.extract import loads
from lab.answers.options import LETTERS, option_index, strip_option_mark
from lab.data.schema.fields import Field, words_of
from lab.data.schema.options import by_letter, options_in
from lab.data.schema.paths import columns, get
from lab.data.schema.words import CHOICES, weight

SEPARATE = {
    "",
    *"a answer option choice ending op sol solution alternative candidate alt opt ans distractor "
    "mc mc_answer choices options quiz sentence_quiz choice_text incorrect_answer hyp hypothesis "
    "incorrect wrong_answer false_answer distractors".split(),
}
"""Stems of numbered or lettered columns that hold options (`answer0`, `opa`, `option_a`, `A`)."""
CORRECT = frozenset(
    "correct_answer right_answer correct correct_option answer correct_choice true_answer".split()
)
ROWS = 50
"""Cells that are looked at."""
SURE_NAME = 0.7
"""Weight of a name from which it speaks for options by itself."""
PLAIN = {"option", "choice", "ending", "alternative", "distractor", "opt"}
"""Last words of a stem that say by themselves that the columns are options."""
POINTER = re.compile(
    r"(?:^|_)(?:correct|gold|label|right|answer|solution|alternative|choice|option)(?:_|$)"
    r"|._(?:idx|index)$"
)
"""Names of columns that point at an option. A bare `index` counts the rows."""
_SUFFIX = re.compile(r"^(?P<stem>.*?)[_\- ]?(?P<mark>\d{1,2}|[a-zA-Z])$")
_WRONG = re.compile("distractor|incorrect|wrong|false")


@dataclass(frozen=True)
class Choices:
    path: str
    style: str
    """list_str, list_str_prefixed, dict_text_label, dict_by_letter, list_of_dict, json_string,
    separate_columns, embedded_string."""
    weight: float
    named: bool = False
    """The answers are names of the option columns."""

    def options(self, row: dict[str, Any]) -> tuple[list[str], list[str]]:
        """(option texts, their own marks or []) of one row."""
        if self.style != "separate_columns":
            return options_in(get(row, self.path))
        parts = columns(self.path)
        return [str(get(row, part) or "") for part in parts], parts if self.named else []


def as_letters(names: list[str], choices: Choices) -> list[str]:
    """Declared class names as letters of the options, where they only say the places of these:
    the names of the option columns, or numbers."""
    parts = columns(choices.path) if choices.style == "separate_columns" else []
    if parts and set(names) <= set(parts):
        return [LETTERS[parts.index(name)] for name in names]
    numbered = all(name.isdigit() for name in names) and len(parts) in (0, len(names))
    return list(LETTERS[: len(names)]) if numbered else names


def find_choices(fields: list[Field]) -> list[Choices]:
    """Candidates for the options, most likely first.

    A list called `answers` holds options only where another column points into it; else it is
    the list of accepted answers.
    """
    by_path = {field.path: field for field in fields}
    found = [
        replace(choice, weight=max(choice.weight, SURE_NAME))
        for choice in [*map(_in_one, fields), *_separate(fields)]
        if choice and (choice.weight >= SURE_NAME or _pointed_at(by_path[choice.path], fields))
    ]
    return sorted(found, key=lambda choice: (-choice.weight, choice.path.count("."), choice.path))


def _pointed_at(options: Field, fields: list[Field]) -> bool:
    """Some column holds a mark, an index, a letter or the text of an option for every list."""
    return any(_points_at(field, options) for field in fields if field is not options)


def _points_at(field: Field, options: Field) -> bool:
    beside = [
        (cell, *options_in(of))
        for cell, of in zip(field.cells, options.cells, strict=True)
        if cell is not None and of
    ]
    if field.depth or field.kind not in ("int", "string") or not beside:
        return False
    if not field.meta and all(str(cell) in marks for cell, _, marks in beside):
        return True
    if POINTER.search(field.key):
        return all(_is_place(cell, texts) for cell, texts, _ in beside)
    # Always the first text is the usual one of several names, which are no options.
    among = all(cell in texts for cell, texts, _ in beside) and options.as_answer == 0
    return among and any(cell != texts[0] for cell, texts, _ in beside)


def _is_place(cell: Any, texts: list[str]) -> bool:
    """A number or a letter of one of the texts, or the text itself with a mark."""
    return any(option_index(cell, texts, base=base) is not None for base in (0, 1))


def _in_one(field: Field) -> Choices | None:
    """The options of a field that holds all of them in each row."""
    cells = field.present[:ROWS]
    lettered = field.kind in ("dict", "string") and all(map(by_letter, cells))
    name = weight(CHOICES, field.words) or 0.8 * lettered
    if field.kind not in ("dict", "list", "string") or not cells or not name:
        return None
    good = [texts for cell in cells if 2 <= len(texts := options_in(cell)[0]) <= 30]
    votes = name < SURE_NAME and any(len(set(texts)) < len(texts) for texts in good)
    if not good or len(good) < 0.8 * len(cells) or votes:
        return None
    return Choices(field.path, _style(field, good), name - 0.05 * field.depth)


def _style(field: Field, options: list[list[str]]) -> str:
    cell = field.present[0]
    if isinstance(cell, str):
        return "json_string" if isinstance(loads(cell), (list, dict)) else "embedded_string"
    if isinstance(cell, dict):
        lists = any(isinstance(value, (list, tuple)) for value in cell.values())
        return "dict_text_label" if lists else "dict_by_letter"
    if cell and isinstance(cell[0], dict):
        return "list_of_dict"
    marked = all(strip_option_mark(text) != text.strip() for text in options[0])
    return "list_str_prefixed" if marked else "list_str"


def _separate(fields: list[Field]) -> list[Choices]:
    """Numbered or lettered columns of one stem: `opa`…`opd`, `answer0`…`answer3`, `A` B C D."""
    groups: dict[str, list[tuple[int, str, Field]]] = {}
    for field in fields:
        match = _SUFFIX.match(field.path)
        if match and not field.depth and field.kind not in ("list", "dict", "messages", "media"):
            mark = match["mark"].upper()
            groups.setdefault(match["stem"], []).append((len(mark), mark, field))
    found = []
    for stem, members in groups.items():
        members.sort(key=lambda one: one[:2])
        if len(members) > 1 and members[0][1] in ("A", "0", "1"):
            found.append(_columns(stem, [field for *_, field in members], fields))
    return [choices for choices in found if choices]


def _columns(stem: str, members: list[Field], fields: list[Field]) -> Choices | None:
    """The options in columns of one stem; None where they are something else."""
    bare = re.sub(r"[^a-z]+", "_", stem.lower()).strip("_")
    filled = sum(field.kind != "null" for field in members)
    if filled < 2 or not _are_options(bare, members, fields):
        return None
    paths = [field.path for field in members]
    if not _WRONG.search(bare):
        ranged = f"{paths[0]}..{paths[-1]}"
        joined = ranged if len(paths) > 2 and columns(ranged) == paths else ",".join(paths)
        return Choices(joined, "separate_columns", 0.95)
    # The wrong ones are options with the right one beside them.
    right = [f.path for f in fields if not f.depth and f.key in CORRECT and f.kind == "string"]
    return Choices(",".join(paths + right), "separate_columns", 0.95) if right else None


def _are_options(bare: str, members: list[Field], fields: list[Field]) -> bool:
    """The stem says that the columns hold options, or another column points at one of them.

    `answer_0` and `answer_1` alone are two accepted answers. Of any other stem three columns are
    needed: a label 0 or 1 beside `sentence1` and `sentence2` judges the pair.
    """
    rows = zip(*(field.cells for field in members), strict=True)
    together = Field(bare or "options", [list(row) for row in rows])
    beside = [field for field in fields if field not in members]
    if bare in ("answer", "ans", "sol", "solution", "a"):
        right = any(field.key in CORRECT and field.kind == "string" for field in beside)
        return len(members) <= 8 and (right or _pointed_at(together, beside))
    return (
        bare in SEPARATE
        or bare.split("_")[-1] in PLAIN
        or (
            len(members) >= 3
            and not (together.explains or together.meta)
            and all(field.kind == "string" for field in members)
            and max(together.as_prompt, together.as_answer) <= 0.5
            and _pointed_at(together, beside)
        )
    )


def stem_of(choices: Choices) -> str:
    """The word that names the option columns (`answer_option_1`: option); "" for one cell."""
    if choices.style != "separate_columns":
        return ""
    words = words_of(columns(choices.path)[0])
    return next((word for word in words[::-1] if not word.isdigit() and len(word) > 1), "")
