"""Where the options of a multiple-choice row stand, in every shape that datasets give them.

A list, a dict `{text, label}` or `{A: …}`, a list of dicts, separate columns (`opa`…`opd`,
`ending0`…), or one string (`a ) 10 , b ) 15`, a Python literal).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from lab.answers.extract import loads
from lab.answers.options import LETTERS, option_index, strip_option_mark
from lab.schema.fields import Field, words_of
from lab.schema.paths import columns, get
from lab.schema.words import ANSWER, CHOICES, PROMPT, explains, is_meta, weight

SEPARATE = {"a", "answer", "option", "choice", "ending", "op", "sol", "solution", "alternative", "candidate", "alt", "opt", "ans", "distractor", "mc", "choices", "options", "quiz", "sentence_quiz", "choice_text", "incorrect_answer", "hyp", "hypothesis", "incorrect", "wrong_answer", "false_answer", "distractors", ""}
"""Stems of numbered or lettered columns that hold options (`answer0`, `opa`, `option_a`, `A`)."""
CORRECT = {"correct_answer", "right_answer", "correct", "correct_option", "answer", "correct_choice", "true_answer"}
UNNAMED = 0.1
"""Weight of a list of texts under any other name: options only where an index points into it."""
SURE_NAME = 0.7
"""Weight of a name from which it speaks for options by itself."""
PLAIN = {"option", "choice", "ending", "alternative", "distractor", "opt"}
"""Last words of a stem that say by themselves that the columns are options."""
INDEX = re.compile(r"(?:^|_)(?:correct|label|gold)(?:_|$)|._(?:idx|index)$")
POINTER = re.compile(r"(?:^|_)(?:correct|gold|label|right|answer|solution|alternative|choice|option)(?:_|$)|._(?:idx|index)$")
"""Names of columns that point at an option. A bare `index` counts the rows."""
_SUFFIX = re.compile(r"^(?P<stem>.*?)[_\- ]?(?P<mark>\d{1,2}|[a-zA-Z])$")
_INLINE = re.compile(r"(?:^|[\s,;(\[])\(?\s*([a-jA-J])\s*[).:]\s*")


@dataclass(frozen=True)
class Choices:
    path: str
    style: str
    """list_str, list_str_prefixed, dict_text_label, dict_by_letter, list_of_dict, separate_columns, embedded_string."""
    weight: float
    named: bool = False
    """The answers are names of the option columns."""

    def options(self, row: dict[str, Any]) -> tuple[list[str], list[str]]:
        """(option texts, their own marks or []) of one row."""
        if self.style == "separate_columns":
            return [str(get(row, part) or "") for part in columns(self.path)], columns(self.path) if self.named else []
        return options_in(get(row, self.path))


def options_in(value: Any) -> tuple[list[str], list[str]]:
    """The option texts in a cell of any shape, and their marks where it carries them."""
    if isinstance(value, str):
        read = loads(value)
        if isinstance(read, (list, dict)) and read:
            return options_in(read)
        return _inline(value)
    if isinstance(value, dict):
        texts = value.get("text") or value.get("texts") or value.get("choices") or value.get("options")
        if isinstance(texts, (list, tuple)):
            marks = value.get("label") or value.get("labels") or value.get("key") or []
            return [str(text) for text in texts], [str(mark) for mark in marks] if len(marks) == len(texts) and not _onehot(marks) else []
        keys = [key for key in value if value[key] is not None]
        if keys and all(re.fullmatch(r"\(?[A-Za-z]\)?|\d{1,2}|(?:option|choice)[ _]?[A-Za-z0-9]", str(key)) for key in keys):
            return [str(value[key]) for key in keys], [str(key).strip("()") for key in keys]
        return [], []
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, (list, tuple)) and len(item) == 1 and isinstance(item[0], dict) for item in value):
            value = [item[0] for item in value]
        if value and all(isinstance(item, dict) for item in value):
            return _list_of_dicts(list(value))
        return [str(item) for item in value if item is not None], []
    return [], []


def _onehot(marks: Any) -> bool:
    return all(mark in (0, 1) and not isinstance(mark, str) for mark in marks)


def _list_of_dicts(value: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    for text in ("text", "value", "content", "option", "choice", "answer", "body"):
        if all(text in item for item in value):
            for mark in ("label", "key", "id", "letter", "index", "identifier"):
                if all(mark in item for item in value):
                    return [str(item[text]) for item in value], [str(item[mark]) for item in value]
            return [str(item[text]) for item in value], []
    # Any other names: one member with the texts, another with short marks.
    keys = [key for key in value[0] if all(key in item for item in value)]
    texts = [key for key in keys if all(isinstance(item[key], str) for item in value)]
    marks = [key for key in keys if all(isinstance(item[key], int) or len(str(item[key])) <= 2 for item in value)]
    if len(texts) == 1:
        marks = [key for key in marks if key not in texts]  # short texts look like marks
    if len(keys) <= 3 and len(texts) == 1 and len(marks) == 1:
        return [str(item[texts[0]]) for item in value], [str(item[marks[0]]) for item in value]
    return [], []


def _inline(text: str) -> tuple[list[str], list[str]]:
    """`a ) 10 , b ) 15` and `(A) x (B) y` as options; marks must run A, B, C … in order."""
    found = list(_INLINE.finditer(text))
    marks = [match.group(1).upper() for match in found]
    keep: list[int] = []
    for index, mark in enumerate(marks):
        if mark == LETTERS[len(keep)]:
            keep.append(index)
    if len(keep) < 2:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return (lines, []) if len(lines) >= 2 and all(strip_option_mark(line) != line for line in lines) else ([], [])
    ends = [found[index].start() for index in keep[1:]] + [len(text)]
    return [text[found[i].end() : end].strip(" ,;\n\t") for i, end in zip(keep, ends, strict=True)], [marks[i] for i in keep]


def inline_options(prompt: str) -> list[str]:
    """Options written inside a prompt, one per line or in a row; [] when there are none."""
    written = re.search(r"\{\s*[\"']A[\"']\s*:.{0,5000}\}", prompt, re.DOTALL)
    if written and _by_letter(written.group()):
        return options_in(written.group())[0]
    lines = re.finditer(r"(?:^|\n)[ \t]*\(?([A-J])[).:]\s*(.+?)(?=\n|$)", prompt)
    run: list[str] = []
    for match in lines:
        if match.group(1) == LETTERS[len(run)]:
            run.append(match.group(2).strip())
        elif match.group(1) == "A":
            run = [match.group(2).strip()]
    if len(run) >= 2:
        return run
    in_a_row, marks = _inline(prompt) if re.search(r"\(A\)|\bA[).]\s", prompt) else ([], [])
    return in_a_row if len(marks) >= 2 else []


def as_letters(names: list[str], choices: Choices) -> list[str]:
    """Declared class names as letters of the options, where they are nothing but the places of these:
    the names of the option columns, their numbers, or 0 1 2 …"""
    parts = columns(choices.path) if choices.style == "separate_columns" else []
    if parts and set(names) <= set(parts):
        return [LETTERS[parts.index(name)] for name in names]
    if not all(name.isdigit() for name in names) or len(names) > len(LETTERS):
        return names
    numbers = [match["mark"] if (match := _SUFFIX.match(part)) else "" for part in parts]
    if len(names) == len(parts) + 1 and set(numbers) < set(names):
        # One class more than there are options: 0 stands for rows without a label.
        return [LETTERS[numbers.index(name)] if name in numbers else name for name in names]
    return list(LETTERS[: len(names)]) if not parts or len(names) == len(parts) else names


def find_choices(fields: list[Field]) -> list[Choices]:
    """Candidates for the options, most likely first.

    A list called `answers` holds options only where another column points into it; else it is
    the list of accepted answers.
    """
    found = [choice for field in fields if (choice := _in_one(field))] + _separate(fields)
    by_path = {field.path: field for field in fields}
    found = [choice if choice.weight >= SURE_NAME else replace(choice, weight=SURE_NAME) for choice in found if choice.weight >= SURE_NAME or _pointed_at(by_path.get(choice.path), fields, choice.weight > UNNAMED)]
    return sorted(found, key=lambda choice: (-choice.weight, choice.path.count("."), choice.path))


def _pointed_at(options: Field | None, fields: list[Field], named: bool = True) -> bool:
    """True when some column with a telling name holds an index or a letter for every list.

    A bare `label` is telling only where the options are `named` as such: it may judge anything.
    """
    if options is None:
        return False
    for field in fields:
        if field.path == options.path or field.depth or field.kind not in ("int", "string", "list") or not field.present:
            continue
        marked = [(cell, options_in(of)[1]) for cell, of in zip(field.cells, options.cells, strict=True) if cell is not None and of]
        if marked and not is_meta(field.words) and all(marks and str(cell) in marks for cell, marks in marked):
            return True
        if field.kind == "string" and weight(CHOICES, options.words) < SURE_NAME and not is_meta(field.words) and _among(field, options):
            return True
        if not POINTER.search(field.key) or (not named and not INDEX.search(field.key.removeprefix("label"))):
            continue
        if not named and re.fullmatch(r"(?:turn|row|question|sentence|example|sample|prompt|task|instance|item|doc|chunk|page|step)_(?:idx|index)", field.key) and field.words[0] != options.words[-1]:
            continue  # It counts these, not the texts of the list.
        pairs = [(cell, options_in(of)[0]) for cell, of in zip(field.cells, options.cells, strict=True) if cell is not None and of]
        if field.kind == "list":
            if pairs and all(isinstance(cell, list) and len(cell) == len(texts) and all(item in (0, 1) for item in cell) for cell, texts in pairs):
                return True
            continue
        if pairs and all((re.fullmatch(r"\d{1,2}|[A-Za-z]", str(cell).strip()) and option_index(cell, texts) is not None) or option_index(cell, texts, base=1) is not None for cell, texts in pairs):
            return True
    return False


def _among(field: Field, options: Field) -> bool:
    """True when every cell is one of the row's texts, and not always the first: an alias list names the answer first."""
    if weight(ANSWER, options.words) > 0 or weight(PROMPT, field.words) > 0.5:
        return False
    pairs = [(str(cell).strip(), [str(text).strip() for text in texts]) for cell, texts in zip(field.cells, options.cells, strict=True) if cell and isinstance(texts, list)]
    return bool(pairs) and all(cell in texts for cell, texts in pairs) and any(cell != texts[0] for cell, texts in pairs)


def _in_one(field: Field) -> Choices | None:
    name = weight(CHOICES, field.words)
    if name == 0 and field.kind in ("dict", "string") and field.present and all(_by_letter(cell) for cell in field.present[:50]):
        name = 0.8
    if name == 0 and not field.depth and field.kind == "list" and not is_meta(field.words) and all(isinstance(cell, list) and all(isinstance(item, str) for item in cell) for cell in field.present[:50]):
        name = UNNAMED
    if field.kind in ("dict", "list", "string") and field.present and name > 0:
        read = [options_in(cell) for cell in field.present[:50]]
        good = [texts for texts, _ in read if 2 <= len(texts) <= 30]
        repeated = name < SURE_NAME and any(len(set(texts)) < len(texts) for texts in good)  # votes, not options
        if len(good) >= 0.8 * len(read) and good and not repeated:
            return Choices(field.path, _style(field, good), name - 0.05 * field.depth)
    return None


def _by_letter(cell: Any) -> bool:
    """`{"A": text, "B": text …}`, itself or as a string: options whatever the field is called."""
    value = loads(cell) if isinstance(cell, str) and cell.lstrip()[:1] == "{" else cell
    if not isinstance(value, dict):
        return False
    keys = [str(key).strip("()") for key in value]
    return len(keys) >= 2 and keys == list(LETTERS[: len(keys)]) and all(text is None or isinstance(text, (str, int, float)) for text in value.values())


def _style(field: Field, options: list[list[str]]) -> str:
    cell = field.present[0]
    if isinstance(cell, str):
        return "embedded_string" if not isinstance(loads(cell), (list, dict)) else "json_string"
    if isinstance(cell, dict):
        return "dict_text_label" if any(isinstance(value, (list, tuple)) for value in cell.values()) else "dict_by_letter"
    if cell and isinstance(cell[0], dict):
        return "list_of_dict"
    marked = all(strip_option_mark(text) != text.strip() for text in options[0])
    return "list_str_prefixed" if marked else "list_str"


def _separate(fields: list[Field]) -> list[Choices]:
    """Numbered or lettered columns of one stem: `opa`…`opd`, `answer0`…`answer3`, `A` B C D."""
    top = [field for field in fields if field.depth == 0 and (field.kind in ("string", "int", "float", "mixed", "bool") or (field.kind == "null" and field.cells))]
    groups: dict[str, list[tuple[str, Field]]] = {}
    for field in top:
        match = _SUFFIX.match(field.path)
        if match:
            groups.setdefault(match["stem"], []).append((match["mark"], field))
    out = []
    for stem, members in groups.items():
        bare = re.sub(r"[^a-z]+", "_", stem.lower()).strip("_")
        marks = [mark.upper() for mark, _ in members]
        if not _run(marks, short=2) or (bare in ("answer", "ans", "sol", "solution", "a") and not _named_by(members, fields)) or (bare not in SEPARATE and bare.split("_")[-1] not in PLAIN and not _options_by_pointer(bare, members, fields)):
            continue
        if sum(field.kind != "null" for _, field in members) < 2:
            continue
        paths = [field.path for _, field in members]
        extra = [field.path for field in top if field.key in CORRECT and field.kind == "string"] if re.search("distractor|incorrect|wrong|false", bare) else []
        if re.search("distractor|incorrect|wrong|false", bare) and not extra:
            continue
        if bare in ("solution", "answer", "ans") and len(members) > 8:
            continue
        out.append(Choices(_joined(paths, marks) if not extra else ",".join(paths + extra), "separate_columns", 0.95 if len(paths) + len(extra) > 2 or bare not in ("", "answer") else 0.75))
    return out


def _named_by(members: list[tuple[str, Field]], fields: list[Field]) -> bool:
    """True when another column names one of these columns: `answer_0`, `answer_1` alone are two accepted answers."""
    taken = {field.path for _, field in members}
    ordered = [field for _, field in sorted(members, key=lambda pair: (len(pair[0]), pair[0]))]
    options = Field("options", [list(cells) for cells in zip(*(field.cells for field in ordered), strict=True)])
    beside = [field for field in fields if field.path not in taken]
    return any(field.key in CORRECT and field.kind == "string" for field in beside) or _pointed_at(options, beside) or any(POINTER.search(field.key) and not field.depth and field.kind in ("int", "string", "null") and all(str(cell).strip() in ("", "-1", "None") for cell in field.cells) for field in beside)


def _options_by_pointer(stem: str, members: list[tuple[str, Field]], fields: list[Field]) -> bool:
    """True for three or more columns of any stem when another column names one of them in each row.

    Two are not enough: a label 0 or 1 beside `sentence1` and `sentence2` judges the pair. Answers
    (`r1_solution_1` …) are options only when the other column is named as an index.
    """
    if len(members) < 3 or explains(words_of(stem)) or is_meta(words_of(stem)) or any(field.kind != "string" for _, field in members) or weight(PROMPT, words_of(stem)) > 0.5:
        return False
    if weight(ANSWER, words_of(stem)) > 0.5 and not any(INDEX.search(field.key) for field in fields if not field.depth):
        return False
    ordered = [field for _, field in sorted(members, key=lambda pair: (len(pair[0]), pair[0]))]
    return _pointed_at(Field(stem, [list(cells) for cells in zip(*(field.cells for field in ordered), strict=True)]), fields)


def _run(marks: list[str], short: int) -> bool:
    ordered = sorted(marks, key=lambda mark: (len(mark), mark))
    if len(ordered) < short:
        return False
    if all(mark.isdigit() for mark in ordered):
        numbers = [int(mark) for mark in ordered]
        return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return ordered == list(LETTERS[: len(ordered)])


def stem_of(choices: Choices) -> str:
    """The word that names the option columns (`answer_option_1` …: option), lower case; "" for options in one cell."""
    if choices.style != "separate_columns":
        return ""
    words = [word for word in words_of(columns(choices.path)[0]) if not word.isdigit() and len(word) > 1]
    return words[-1] if words else ""


def _joined(paths: list[str], marks: list[str]) -> str:
    """`e0..e3` for numbered columns in order, else joined by commas."""
    ordered = [path for _, path in sorted(zip(marks, paths, strict=True), key=lambda pair: (len(pair[0]), pair[0]))]
    if len(ordered) > 2 and all(mark.isdigit() for mark in marks):
        stem = re.match(r"^(.*?)\d+$", ordered[0])
        if stem and not stem[1].endswith(" "):
            return f"{ordered[0]}..{ordered[-1]}"
    return ",".join(ordered)
