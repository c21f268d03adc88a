"""Golds that are a configuration file: an object written as one, and a file with changes made.

{"tls": {"port": 443}}                              # [tls]\\nport = 443
"[tls]\\nport = 80" + [["set", "tls.port", 443]]     # [tls]\\nport = 443

The kind of file is what the prompts name (`a YAML file`, a fence of that name), and of a text also
what it can be read as.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from lab.answers.extract import loads
from lab.environment import Task
from lab.reward.reading.candidate import Candidate, single
from lab.reward.reading.config_changes import changed
from lab.reward.reading.config_requests import understood
from lab.reward.reading.config_text import KINDS, read, write
from lab.reward.reading.fields import rank_of, rows_by_path

NAMES = {
    "json": r"\bJSON\b",
    "toml": r"\btoml\b",
    "yaml": r"\bya?ml\b",
    "ini": r"(?-i:\bINI\b)|\bini[- ]files?\b|\.(?:ini|cfg|conf)\b|```(?:ini|cfg|conf)\b",
    "properties": r"\bproperties[- ]files?\b|\.properties\b|```(?:properties|env|dotenv)\b"
    r"|\bdotenv\b|(?<![\w.])\.env\b",
}
"""What names a kind of file in a prompt."""
NAMED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in NAMES.items()}
BLOCK = re.compile(r"^[ \t]*```[\w.+-]*[^\n`]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
CALLED = re.compile(
    r"change|edit|update|override|patch|modif|operation|delta|(?:^|[._])(?:ops|sets?)(?:$|[._])"
)
"""Names of fields with changes, which may say no verb: `{"tls.port": 443}`."""
STRICT = ("json", "toml")
"""Kinds that prose is not read as."""
MOST_OBJECTS, MOST_EDITED, LONGEST_NAME = 6, 4, 40
OWN = "of its prompt's kind"
Row = dict[str, Any]


def config_files(tasks: Sequence[Task]) -> list[Candidate]:
    named = [_named(task.shown) for task in tasks]
    rows = rows_by_path(tasks)
    objects = islice(_objects(tasks, rows, named), MOST_OBJECTS)
    return [*islice(_edited(tasks, rows, named), MOST_EDITED), *objects]


def _named(shown: str) -> list[str]:
    """The kinds of file that a prompt names, the last mentioned last."""
    last = {k: [found.start() for found in NAMED[k].finditer(shown)][-1:] for k in KINDS}
    return sorted((kind for kind in KINDS if last[kind]), key=last.__getitem__)


def _kinds(named: Sequence[Sequence[str]], *, json: bool) -> dict[str, list[str]]:
    """The kind of each task's file: one that all prompts name, or the last that each names."""
    asked = [[kind for kind in kinds if json or kind != "json"] for kinds in named]
    ways = {
        f"as {kind}": [kind] * len(asked) for kind in KINDS if all(kind in kinds for kinds in asked)
    }
    own = [kinds[-1] if kinds else "" for kinds in asked]
    return ways | ({OWN: own} if all(own) and len(set(own)) > 1 else {})


# --- objects written as a file ---------------------------------------------------------------


def _objects(
    tasks: Sequence[Task], rows: Sequence[Row], named: Sequence[Sequence[str]]
) -> Iterator[Candidate]:
    """Fields that hold an object, or a file of another kind, as the kind that is asked for; what is
    inside of such a field comes last."""
    ways = _kinds(named, json=False)
    paths = list(rows[0]) if rows and ways else []
    for path in sorted(paths, key=lambda path: (min(rank_of(path), 1), path.count("."))):
        values = [row.get(path) for row in rows]
        for way, kinds in ways.items():
            objects = [_object(v, kind, k) for v, kind, k in zip(values, kinds, named, strict=True)]
            texts = [
                None if one is None else write(kind, one)
                for one, kind in zip(objects, kinds, strict=True)
            ]
            rank = min(rank_of(path), 2 if "." in path else 1)
            yield from _candidates(path, way, texts, kinds, rank)


def _object(value: Any, kind: str, named: Sequence[str]) -> Any:
    """The object that a field holds, or that its text has in another kind of file."""
    if isinstance(value, list):
        objects = kind == "yaml" and value and all(isinstance(one, dict) for one in value)
        return value if objects else None
    if isinstance(value, str) and ("\n" in value or value.lstrip()[:1] == "{"):
        others = [one for one in KINDS if one != kind and one in ("json", *named)]
        found = next(filter(None, (read(one, value) for one in others)), None)
        return found if isinstance(found, dict) else None
    return value if isinstance(value, dict) and value else None


# --- files with changes made -------------------------------------------------------------------


def _edited(
    tasks: Sequence[Task], rows: Sequence[Row], named: Sequence[Sequence[str]]
) -> Iterator[Candidate]:
    """Each field with a file beside each field with changes; where none is, a block of the
    prompt."""
    for path in rows[0] if rows else ():
        changes = [_changes(path, row.get(path)) for row in rows]
        if not _most(changes):
            continue
        found = False
        for field in rows[0]:
            if f"{field}.".startswith(f"{path}.") or path.startswith(f"{field}."):
                continue
            values = [row.get(field) for row in rows]
            for one in _of_values(f"{field}+{path}", values, changes, rows, named):
                found = True
                yield one
        if not found:
            blocks = [
                _block_of(task, row, k) for task, row, k in zip(tasks, rows, named, strict=True)
            ]
            yield from _of_values(f"prompt+{path}", blocks, changes, rows, named)


def _changes(path: str, value: Any) -> list[Any]:
    """The changes that a field holds; [] where it holds none."""
    value = loads(value) if isinstance(value, str) and value.lstrip()[:1] in ("[", "{") else value
    named = bool(CALLED.search(path.lower()))
    if isinstance(value, dict) and named:
        value = [["set", path, one] for path, one in _leaves(value)]
    return value if understood(value, named=named) else []


def _leaves(value: dict[str, Any], above: Sequence[str] = ()) -> Iterator[tuple[list[str], Any]]:
    """The values of objects in objects, each with the keys that lead to it."""
    for key, one in value.items():
        if isinstance(one, dict) and one:
            yield from _leaves(one, [*above, key])
        else:
            yield [*above, key], one


def _block_of(task: Task, row: Row, named: Sequence[str]) -> str | None:
    """The first block of a prompt that is a file."""
    return next((b for b in BLOCK.findall(task.prompt) if _read(b, row, named)), None)


def _of_values(
    name: str,
    values: Sequence[Any],
    changes: Sequence[list[Any]],
    rows: Sequence[Row],
    named: Sequence[Sequence[str]],
) -> Iterator[Candidate]:
    """The files, or the data of files, with their changes made."""
    if not _most([isinstance(value, dict) or _is_text(value) for value in values]):
        return
    if all(isinstance(value, (dict, type(None))) for value in values):
        ways = _kinds(named, json=True) or {"as json": ["json"] * len(rows)}
        data = list(values)
    else:
        read_as = [_read(v, row, k) for v, row, k in zip(values, rows, named, strict=True)]
        ways = {"as it was": [one[0] if one else "" for one in read_as]}
        data = [one[1] if one else None for one in read_as]
    new = [changed(d, c) if d and c else None for d, c in zip(data, changes, strict=True)]
    for way, kinds in ways.items():
        texts = [
            None if one is None else write(kind, one) for one, kind in zip(new, kinds, strict=True)
        ]
        yield from _candidates(name, f"with its changes made, {way}", texts, kinds, 1)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and ("\n" in value or value.lstrip()[:1] in ("{", "["))


def _read(text: Any, row: Row, named: Sequence[str]) -> tuple[str, Any] | None:
    """The kind of a file, as a field (`yaml`, `app.ini`) or the prompt names it, or a strict one,
    and its data."""
    if not isinstance(text, str):
        return None
    said = [v.lower() for v in row.values() if isinstance(v, str) and len(v) <= LONGEST_NAME]
    likely = [*(kind for kind in KINDS if kind in said), *_named("\n".join(said)), *named[::-1]]
    for kind in dict.fromkeys(["json", *likely, *STRICT]):
        if (value := read(kind, text)) is not None:
            return kind, value
    return None


# --- candidates ------------------------------------------------------------


def _candidates(
    name: str, reading: str, texts: Sequence[str | None], kinds: Sequence[str], rank: int
) -> Iterator[Candidate]:
    """The files; where tasks have several kinds, also each in a block of its own name, since a
    format has one name for all."""
    if not _most(texts) or len(set(texts)) < min(2, len(texts)):
        return
    yield single(name, reading, texts, rank)
    if len({kind for kind, text in zip(kinds, texts, strict=True) if text}) > 1:
        blocks = [
            f"```{kind}\n{text}\n```" if text else None
            for kind, text in zip(kinds, texts, strict=True)
        ]
        yield single(name, f"{reading}, in a block", blocks, rank)


def _most(flags: Sequence[Any]) -> bool:
    return sum(map(bool, flags)) * 2 > len(flags)
