"""Values written as prompts write them: yes and no in their words, tuples as the objects of an
example, tables by their head."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations, product, takewhile
from typing import Any

from lab.environment import Task
from lab.reward.reading.fields import rank_of

Readings = Iterator[tuple[str, list[list[Any]]]]
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


def number_of(value: Any) -> str:
    """A number as people write it: whole ones without `.0`."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)


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


MINOR = re.compile(
    r"(?:^|[._])(?:cents?|ct|pence|pennies|minor(?:_units?)?|rappen|centimes|centavos|centesimi"
    r"|grosze|grosz|kopeks|ore|hundredths)(?:$|_)"
)
"""Names of amounts in the smaller unit of a currency."""
UNIT = re.compile(r"(?:^|[._])(?:units?|currency|symbol|dimension)$")


def in_hundredths(path: str, values: Sequence[Any]) -> Readings:
    """Amounts that are kept in cents, as prices are written."""
    present = [value for value in values if value is not None]
    if MINOR.search(path.lower()) and all(isinstance(value, int) for value in present):
        yield "in hundredths", [[] if v is None else [f"{v / 100:.2f}"] for v in values]


ASKED_UNIT = re.compile(
    r"\b(?:(?:answer|give|state|express|report|write|calculate|result)\b[^.?!\n]{0,60}?\bin"
    r"|how many|the number of)\s+(?!(?:an?|the|of|one|other|more|words?)\b)"
    r"([^\W\d_][\w³²°^]{0,15}(?:(?:/|\s+per\s+)[^\W\d_]\w*)?)",
    re.IGNORECASE,
)


def with_unit(
    rows: Sequence[dict[str, Any]], tasks: Sequence[Task]
) -> Iterator[tuple[str, list[str]]]:
    """The names of a number and of its unit, and both as they are written: `12.5 kg`. The unit is
    that of a field, or, for what is named like a gold, the last one that the prompt asks for."""
    first = rows[0] if rows else {}
    numbers = [path for path in first if all(_is_number(row.get(path)) for row in rows)]
    for number, (name, units) in product(numbers, _units(rows, tasks)):
        # What counts nothing but things has none.
        if sum(map(bool, units)) * 2 < len(units) or (not name and rank_of(number)):
            continue
        plain = [number_of(row[number]) for row in rows]
        for written in [plain, *_rounded([row[number] for row in rows], rows)]:
            pairs = zip(written, units, strict=True)
            yield f"{number}{name}", [f"{n} {unit}".strip() for n, unit in pairs]


def _units(
    rows: Sequence[dict[str, Any]], tasks: Sequence[Task]
) -> Iterator[tuple[str, list[str]]]:
    """By the name of its field the unit of each task; "" where the prompts ask for it."""
    for path in rows[0] if rows else ():
        if UNIT.search(path.lower()):
            held = [row.get(path) for row in rows]
            yield f"+{path}", [one.strip() if isinstance(one, str) else "" for one in held]
    asked = [(ASKED_UNIT.findall(task.prompt) or [""])[-1] for task in tasks]
    if all(asked):
        yield "", asked


FIGURES = re.compile(r"(?:^|[._])(?:(?:sig(?:nificant)?_?)?fig(?:ure)?s?|sig_?digits|significant)$")
PLACES = re.compile(r"(?:^|[._])(?:decimals?|(?:decimal_)?places|precision|digits)$")
MOST_FIGURES = 12


def _rounded(values: Sequence[float], rows: Sequence[dict[str, Any]]) -> Iterator[list[str]]:
    """The numbers with as many figures, or decimals, as a field of each task says."""
    for path in rows[0] if rows else ():
        counts = [row.get(path) for row in rows]
        if not all(type(count) is int and 0 <= count <= MOST_FIGURES for count in counts):
            continue
        for named, write in ((FIGURES, to_figures), (PLACES, to_places)):
            if named.search(path.lower()):
                yield [write(value, int(n or 0)) for value, n in zip(values, counts, strict=True)]


def to_places(value: float, places: int) -> str:
    return f"{value:.{places}f}"


def to_figures(value: float, figures: int) -> str:
    """A number with so many significant figures, all of them to be seen: 3.60e5, 19.1, 0.134."""
    power = f"{value:.{max(figures, 1) - 1}e}"
    mantissa, exponent = power.split("e")
    if not -4 <= int(exponent) < figures:
        return f"{mantissa}e{int(exponent)}"
    return f"{float(power):.{figures - 1 - int(exponent)}f}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def by_key(values: Sequence[Any]) -> Readings:
    """Each key with its value: `Abel: knave` on a line of its own, or `r=7, b=3`; of several
    values with blanks between, of an object with commas: `Adele: Oslo, harp`."""
    maps = [{k: _in_a_row(v) for k, v in (value or {}).items()} for value in values]
    if not all(isinstance(part, (str, int, float)) for one in maps for part in one.values()):
        return
    for name, sign, joint in BY_KEY:
        texts = [joint.join(f"{key}{sign}{part}" for key, part in one.items()) for one in maps]
        yield name, [[text] if text else [] for text in texts]


def _in_a_row(value: Any) -> Any:
    plain = isinstance(value, (list, tuple)) and value
    if plain and all(isinstance(part, (str, int, float)) for part in value):
        return " ".join(map(number_of, value))
    if isinstance(value, dict) and all(isinstance(p, (str, int, float)) for p in value.values()):
        return ", ".join(map(number_of, value.values()))
    return value


BY_KEY = (
    ("a line for each key", ": ", "\n"),
    ("keys and values with commas", ": ", ", "),
    ("keys = values, with commas", "=", ", "),
)
ON_LINES = "a line for each number"
KEYED = (*(name for name, _, _ in BY_KEY), ON_LINES)
"""Readings whose parts have each a key of its own."""


PART = re.compile(r"(?m)(?:^|(?<=, ))([^\n:=,]+?(?:[:=] ?|[.)-] ))([^\n,]+)")
"""A key with its sign, and its value."""


def other_parts(gold: str, golds: Sequence[str], most: int) -> list[str]:
    """A text of keys and values with other values, each from a gold's own; [] where the golds have
    no other ones."""
    values = list(dict.fromkeys(value for one in golds for _, value in PART.findall(one)))

    def other(part: re.Match[str], step: int) -> str:
        return part[1] + values[(values.index(part[2]) + step) % len(values)]

    steps = range(1, min(most, len(values) - 1) + 1)
    return [PART.sub(partial(other, step=step), gold) for step in steps]


NUMBERED = re.compile(r"(?m)^[^\w\n]*((?:[^\W\d_]{1,12}[ _]?)?)(\d{1,2})\b(\s*[:.)=-]+ ?)?")
LEAST_LINES = 3


def on_numbered_lines(lists: Sequence[Sequence[str]], tasks: Sequence[Task]) -> Readings:
    """Each answer behind the label that the prompt has for its question: `Q1: yes`."""
    texts = [
        _labelled(items, task.shown) for items, task in zip(lists, tasks, strict=True) if items
    ]
    if texts and all(texts):
        made = iter(texts)
        yield ON_LINES, [[next(made)] if one else [] for one in lists]


def _labelled(items: Sequence[str], shown: str) -> str:
    """The items on numbered lines; "" where the prompt does not number as many things so. The mark
    behind a number is that of the last line, which is mostly the example of a reply."""
    found: dict[str, list[tuple[int, str]]] = {}
    for label, number, mark in NUMBERED.findall(shown):
        found.setdefault(label, []).append((int(number), mark))
    for label, lines in found.items():
        numbers = {number for number, _ in lines}
        if len(items) >= LEAST_LINES and numbers == set(range(1, len(items) + 1)):
            mark = next((mark for _, mark in lines[::-1] if mark.strip()), ": ")
            return "\n".join(f"{label}{n}{mark}{item}" for n, item in enumerate(items, 1))
    return ""


OBJECT = re.compile(r"\{[^{}]*\}")
KEY = re.compile(r"\"(\w+)\"\s*:")


MOST_TURNED = 3
"""Keys up to which they are tried in every order."""


def named_parts(values: Sequence[Any], tasks: Sequence[Task]) -> Readings:
    """Collections of tuples as JSON, each tuple an object as the prompt's example has it: code
    holds `{"Logic": (2, "Aula")}`, the prompt shows `{"Drama": {"slot": 1, "room": "C3"}}`. Of a
    few keys in each order."""
    shown = dict.fromkeys(OBJECT.findall(tasks[0].shown if tasks else ""))
    named = dict.fromkeys(tuple(KEY.findall(text)) for text in shown)
    for keys in (order for one in named if len(one) > 1 for order in _orders(one)):
        made = [_named(value, keys) for value in values]
        if made != values:
            written = [[json.dumps(v, ensure_ascii=False)] if v else [] for v in made]
            yield f"as JSON, with {' and '.join(keys)}", written


def _orders(keys: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    return permutations(keys) if len(keys) <= MOST_TURNED else [keys]


def _named(value: Any, keys: Sequence[str]) -> Any:
    if isinstance(value, dict):
        return {key: _named(inner, keys) for key, inner in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    if len(value) == len(keys) and all(isinstance(part, (str, int, float)) for part in value):
        return dict(zip(keys, value, strict=True))
    return [_named(inner, keys) for inner in value]


DECIMAL = re.compile(r"-?\d+\.\d+")


def decimals_as_numbers(values: Sequence[Any]) -> Readings:
    """Objects as JSON with decimals as numbers that are kept as texts, as pydantic dumps them."""
    made = [_decimals(value) for value in values]
    if made != values:
        written = [[json.dumps(v, ensure_ascii=False)] if v else [] for v in made]
        yield "as JSON, decimals as numbers", written


def _decimals(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _decimals(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_decimals(inner) for inner in value]
    return float(value) if isinstance(value, str) and DECIMAL.fullmatch(value) else value


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


def table_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    lines = [columns, ["---"] * len(columns), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
