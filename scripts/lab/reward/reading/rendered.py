"""Values written as the prompts write such values: dates in their layout, yes and no in their
words, tuples as objects with the names of the example's parts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import takewhile
from typing import Any

from lab.environment import Task

Readings = Iterator[tuple[str, list[list[Any]]]]
ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00)?)?")
LAYOUTS: tuple[tuple[str, str], ...] = (
    (r"\d{1,2}\.\s?\d{1,2}\.\s?\d{4}|TT\.MM\.JJJJ|dd\.mm\.yyyy|ДД\.ММ\.ГГГГ", "{d:02}.{m:02}.{y}"),
    (r"\d{4}\s?年\s?\d{1,2}\s?月|年.{0,4}月.{0,4}日", "{y}年{m}月{d}日"),
    (r"DD/MM/YYYY|dd/mm/yyyy|JJ/MM/AAAA|DD/MM/AAAA|\d{1,2}/\d{1,2}/\d{4}", "{d:02}/{m:02}/{y}"),
    (
        r"(?<![\w/])(?!m|y|a[ñn]|jahr|rok|год)[^\W\d_]{3,9}/[^\W\d_]{2,9}/[^\W\d_]{2,9}(?![\w/])",
        "{d:02}/{m:02}/{y}",
    ),
    (r"MM/DD/YYYY|mm/dd/yyyy|\d{1,2}/\d{1,2}/\d{4}", "{m:02}/{d:02}/{y}"),
    (r"YYYY/MM/DD|\d{4}/\d{1,2}/\d{1,2}", "{y}/{m:02}/{d:02}"),
)
"""What in a prompt shows a layout of days, and the layout."""
TRUTH_WORDS = (
    ("Yes", "No"),
    ("True", "False"),
    ("Ja", "Nein"),
    ("Oui", "Non"),
    ("Sí", "No"),
    ("Да", "Нет"),
    ("はい", "いいえ"),
    ("是", "否"),
    ("对", "错"),
    ("نعم", "لا"),
    ("Sim", "Não"),
)


def dates(texts: Sequence[str], tasks: Sequence[Task]) -> Readings:
    """ISO days in the layouts that the prompts show; nothing for other texts."""
    known = [text for text in texts if text]
    if not known or not all(ISO.fullmatch(text.strip()) for text in known):
        return
    shown = "\n".join(task.shown for task in tasks[:6])
    for pattern, layout in LAYOUTS:
        if re.search(pattern, shown):
            yield f"as {layout}", [[_write(text, layout)] if text else [] for text in texts]


def _write(text: str, layout: str) -> str:
    try:
        day = date.fromisoformat(text.strip()[:10])
    except ValueError:
        return text
    return layout.format(y=day.year, m=day.month, d=day.day)


def truths(values: Sequence[Any], tasks: Sequence[Task]) -> Readings:
    """Yes and no in English, and in the words that the prompts have."""
    shown = "\n".join(task.shown for task in tasks[:6]).lower()
    for yes, no in TRUTH_WORDS:
        english = yes in ("Yes", "True")
        if english or (_has(shown, yes) and _has(shown, no)):
            name = f"{yes.lower()} or {no.lower()}"
            yield name, [[] if v is None else [yes if v else no] for v in values]


def _has(shown: str, word: str) -> bool:
    word = word.lower()
    return bool(re.search(rf"\b{word}\b", shown)) if word.isascii() else word in shown


def decimal_commas(values: Sequence[Any], tasks: Sequence[Task]) -> Readings:
    """Decimals with a comma, where the prompts write numbers so."""
    shown = "\n".join(task.shown for task in tasks[:6])
    broken = [v for v in values if isinstance(v, float) and not v.is_integer()]
    if broken and re.search(r"\d,\d{1,2}(?!\d)", shown):
        yield (
            "with a decimal comma",
            [[] if v is None else [f"{v:g}".replace(".", ",")] for v in values],
        )


COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
COUNT = rf"(\d|{'|'.join(COUNTS)})"
SIGNIFICANT = re.compile(rf"\b{COUNT} significant (?:figures?|digits?)", re.IGNORECASE)
PLACES = re.compile(
    rf"\b{COUNT} (?:decimal places?|decimals?\b|(?:digits?|places?) after the (?:decimal )?point)",
    re.IGNORECASE,
)


WHOLE = re.compile(
    r"\b(?:rounded|round(?: it)?) to (?:the nearest |a |an )?(?:whole|integer|full)"
    r"|\b(?:nearest|as an?) (?:whole (?:number|unit)|integer)|\bwhole numbers? only",
    re.IGNORECASE,
)


def rounded(values: Sequence[Any], tasks: Sequence[Task]) -> Readings:
    """Numbers to as many significant figures or decimal places as every prompt asks for."""
    longer = any(isinstance(value, float) for value in values)
    if longer and all(WHOLE.search(task.shown) for task in tasks):
        yield "to a whole number", [[] if v is None else [f"{v:.0f}"] for v in values]
    for name, pattern in (("significant figures", SIGNIFICANT), ("decimal places", PLACES)):
        found = [pattern.search(task.shown) for task in tasks] if longer else []
        if found and all(found):
            counts = [COUNTS.get(one[1].lower()) or int(one[1]) for one in found if one]
            made = [
                [_to(value, count, name)] if value is not None else []
                for value, count in zip(values, counts, strict=True)
            ]
            yield f"to {counts[0]} {name}", made


def _to(value: float, count: int, name: str) -> str:
    if name == "decimal places":
        return f"{value:.{count}f}"
    return format(Decimal(f"{value:.{max(0, count - 1)}e}"), "f")


NUMBER_AND_UNIT = r"([-+]?\d[\d., \u00a0]*?)[ ~\u00a0]?([^\s\d{}<>\"”`.,;:+-][^\s{}<>\"”`.]{0,11})"
MARKED_QUANTITY = re.compile(
    rf"(?:\\boxed\{{|<\w+>|[\"“„`«])\s*(?:[^\n:=\d]{{1,40}}[:=])?\s*{NUMBER_AND_UNIT}\s*"
    r"(?:\}|</|[\"”`»])"
)
"""An example of an answer, in its marks: a number with a unit behind it."""
LABELLED_QUANTITY = re.compile(
    rf"^([^\n:=\d]{{1,40}}[:=])[ \t]*{NUMBER_AND_UNIT}\.?[ \t]*$", re.MULTILINE
)
"""An example on a line of its own, behind a label: `Total: 1 234,56 EUR`."""


def quantity_examples(tasks: Sequence[Task]) -> list[tuple[str, str]]:
    """By task number and unit of the example that its prompt gives of an answer; [] where some task
    has none. A line with a label is an example where all prompts have its label and number."""
    marked = [MARKED_QUANTITY.search(task.shown) for task in tasks]
    if marked and all(marked):
        return [(found[1], found[2]) for found in marked if found]
    lines = [
        {(label, number): unit for label, number, unit in LABELLED_QUANTITY.findall(task.shown)}
        for task in tasks
    ]
    shared = [key for key in lines[0] if all(key in each for each in lines)] if lines else []
    return [(shared[-1][1], each[shared[-1]]) for each in lines] if shared else []


def like(example: tuple[str, str], number: str) -> str:
    """A number with the decimal comma of the example's, and with cents where that has them."""
    if re.search(r"[.,]\d\d$", example[0]):
        whole, _, places = number.partition(".")
        number = f"{whole}.{places.ljust(2, '0')}"
    return number.replace(".", ",") if re.search(r",\d{1,2}$", example[0]) else number


OBJECT = re.compile(r"\{[^{}]*\}")
PLAIN = (str, int, float)


def named_parts(values: Sequence[Any], tasks: Sequence[Task]) -> Readings:
    """Collections of tuples as JSON, each tuple an object as the prompt's example has it: code
    holds `{"Logic": (2, "Aula")}`, the prompt shows `{"Drama": {"slot": 1, "room": "C3"}}`."""
    shown = tasks[0].shown if tasks else ""
    for text in dict.fromkeys(OBJECT.findall(shown)):
        keys = re.findall(r"\"(\w+)\"\s*:", text)
        made = [_named(value, keys) for value in values] if len(keys) > 1 else values
        if made != values:
            written = [[json.dumps(v, ensure_ascii=False)] if v else [] for v in made]
            yield f"as JSON, with {' and '.join(keys)}", written


def _named(value: Any, keys: Sequence[str]) -> Any:
    if isinstance(value, dict):
        return {key: _named(inner, keys) for key, inner in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    if len(value) == len(keys) and all(isinstance(part, PLAIN) for part in value):
        return dict(zip(keys, value, strict=True))
    return [_named(inner, keys) for inner in value]


TABLE = re.compile(
    r"\btables?\b|tabell?[ea]|tableau|tabla|tabela|таблиц|表|^[ \t]*\|.*\|", re.I | re.M
)


COLUMNS = re.compile(
    r"(?m)(?:^[ \t]*\||\bcolumns?:?[ \t`\"]*)[ \t]*([^|\n]+(?:\|[^|\n]+)+)"
    r"|\bcolumns:? ((?:[\w ]{1,24}, )+(?:and )?[\w ]{1,24})"
)
"""The names of the columns of a table, as its first line or in a sentence."""
HEAD = re.compile(
    r"(?m)^[^|\n]+\|[ \t]*([^|\n]{1,30}(?:\|[^|\n]{1,30})+)\|(?=[`\"'”]?[ \t]*(?:[,.;:)]|$))"
)
"""The first line of a table inside a sentence: `with the header | Item | Price |`."""
ENDS = re.compile(r"[.,;`\"]|\s+(?:and|with|in|where)\s")
MOST_WORDS = 3
"""Words of a column's name."""


def tables(values: Sequence[Any], tasks: Sequence[Task]) -> Readings:
    """Collections as a Markdown table: records where the prompts speak of one and name its columns;
    tuples, and keys with what belongs to them, where they show as many columns."""
    shown = tasks[0].shown if tasks else ""
    rows = [row for value in values for row in value or []]
    if not rows or not TABLE.search(shown):
        return
    columns = _keys_of(rows, shown) or columns_of(shown)
    made = [_lines_of(value) for value in values]
    if any(made) and all(len(line) == len(columns) for lines in made for line in lines):
        yield "all of the list, as a table", [[table_of(columns, m)] if m else [] for m in made]


def _keys_of(rows: Sequence[Any], shown: str) -> list[str]:
    """The keys that all records have, where the prompt names each."""
    if not all(isinstance(row, dict) and list(row) == list(rows[0]) for row in rows):
        return []
    return list(rows[0]) if all(_has(shown.lower(), name) for name in rows[0]) else []


def columns_of(shown: str) -> list[str]:
    """The names of the columns of the table that a prompt asks for; [] where it names none."""
    if head := HEAD.search(shown):
        return [cell.strip() for cell in head[1].split("|")]
    for bars, commas in COLUMNS.findall(shown)[:1]:
        named = bars.strip(" |").split("|") if bars else re.split(r",(?: and)?", commas)
        cells = [cell.strip() for cell in named]
        if not bars:  # `Item, Price, one row per item`: a sentence goes on
            cells = list(takewhile(_is_name, cells)) or cells
        *first, last = cells
        both = re.match(r"(\w+) and (\w+)", "" if bars else last)
        return [*first, *(both.groups() if both else [ENDS.split(last)[0]])]
    return []


def _is_name(cell: str) -> bool:
    return len(cell.split(" and ")[0].split()) <= MOST_WORDS


def _lines_of(value: Any) -> list[list[Any]]:
    """The cells of each member: those of a tuple or a record; the key and what belongs to it."""
    members = value.items() if isinstance(value, dict) else value or []
    lines = []
    for member in members:
        parts = list(member) if isinstance(member, (list, tuple)) else [member]
        parts = list(member.values()) if isinstance(member, dict) else parts
        if isinstance(value, dict) and isinstance(parts[1], (list, tuple)):
            parts = [parts[0], *parts[1]]
        if not all(map(_is_plain, parts)):
            return []
        lines.append([round(part, 6) if isinstance(part, float) else part for part in parts])
    return lines


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, PLAIN)


def table_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    lines = [columns, ["---"] * len(columns), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
