"""The dataset as configuration: rows from a file of this package, another file, or the hub.

The training rows and the held-out rows never share a question: either the dataset has its own
held-out split, or one is made by a hash of the question.
"""

import ast
import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import verifiers.v1 as vf

PACKAGE = Path(__file__).parent
USER, ASSISTANT = ("user", "human"), ("assistant", "gpt", "model")
ANSWER_TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)


class DatasetConfig(vf.TasksetConfig):
    """Every field is a flag of vf-eval: --env.taskset.split eval, --env.taskset.dataset ..."""

    dataset: str = "data/rows.jsonl"
    """A .jsonl file (relative to this package, or absolute) or a Hugging Face dataset id."""
    subset: str | None = None
    """The hub dataset's configuration name."""
    revision: str | None = None
    """The hub dataset's commit or tag; None is the newest."""
    train_split: str = "train"
    """The hub dataset's split that training uses."""
    eval_split: str | None = None
    """The hub dataset's held-out split; None holds out `eval_share` of the questions."""
    eval_share: float = 0.1
    """Share of the questions held out when the dataset has no split of its own: by hash, or as
    `selection` says row by row; 0 holds out none."""
    question_field: str = "question"
    """Path of the prompt: dots descend into dictionaries. Chat messages give their user turns."""
    context_fields: list[str] = []
    """Paths of what is shown before the question."""
    answer_field: str = "answer"
    """Path of the gold. Chat messages give the last turn of the assistant."""
    selection: str | None = "data/selection.json"
    """The rows that are left out and held out, and by which rule; None takes all rows."""
    max_unusable: float = 0.02
    """Share of the rows whose gold may be there and not readable; above it loading fails."""
    split: Literal["train", "eval"] = "train"
    """Which tasks are loaded."""


@dataclass(frozen=True)
class Row:
    """One usable row: its question with the context, its gold as it is compared, the record."""

    id: str
    question: str
    gold: Any
    record: dict


def load_rows(config: DatasetConfig, gold: Callable[[Any, dict], Any]) -> list[Row]:
    """The rows of `config.split`; `gold(cell, record)` reads the gold, None when it cannot.

    Rows without a question or a gold are left out, and so is a row whose gold cannot be read. It is
    an error when most have none, or more than `max_unusable` one that cannot be read: then a field
    is not what it is taken for.
    """
    own_split = config.eval_split is not None and not _is_file(config)
    chosen = None if own_split and config.split == "eval" else _selection(config)
    rows, empty, unreadable, total = [], 0, [], 0
    for index, record in enumerate(_chosen(records(config), chosen)):
        if record is None:
            continue
        total += 1
        question, answer = (
            _question(config, record),
            untagged(replied(field(record, config.answer_field))),
        )
        value = gold(answer, record) if question else None
        if value is None and (not question or _is_empty(answer)):
            empty += 1
        elif value is None:
            unreadable.append((index, answer))
        elif own_split or _is_held_out(config, chosen, index, question) == (config.split == "eval"):
            rows.append(Row(f"{config.split}-{index}", question, value, record))
    if empty > total / 2:
        raise ValueError(
            f"{empty} of {total} rows have no question in {config.question_field!r} or no gold in "
            f"{config.answer_field!r}: name another field, or a split that has its golds"
        )
    if (
        len(unreadable) > max(1, config.max_unusable * total)
        or len(unreadable) + empty == total > 0
    ):
        index, answer = unreadable[0]
        raise ValueError(
            f"{len(unreadable)} of {total} rows have no readable gold in {config.answer_field!r}, "
            f"for example row {index}: {str(answer)[:80]!r}; name another field, or leave so many "
            "out with max_unusable"
        )
    return rows


def field(record: dict, path: str) -> Any:
    """The value at a dotted path, through dictionaries, lists (`[]`: all items) and JSON strings.

    A column whose own name holds dots is found by its whole name first.
    """
    if path in record:
        return record[path]
    value: Any = record
    for key in path.split("."):
        key, every = key.removesuffix("[]"), key.endswith("[]")
        if isinstance(value, str) and value[:1] in "{[":
            value = parsed(value)
        if isinstance(value, list):
            value = [item.get(key) for item in value if isinstance(item, dict)]
        else:
            value = value.get(key) if isinstance(value, dict) else None
        if every and isinstance(value, str):
            value = parsed(value)
    return value


def turns_of(cell: Any) -> list[dict]:
    """The messages of a conversation, also written as JSON in a text; [] for any other cell."""
    if isinstance(cell, str) and cell.lstrip()[:1] == "[":
        cell = parsed(cell)
    chat = isinstance(cell, list) and all(
        isinstance(turn, dict) and ("role" in turn or "from" in turn) for turn in cell
    )
    return cell if chat else []


def replied(cell: Any) -> Any:
    """What the assistant says last in a conversation, or the tools that it calls; any other cell as
    it is."""
    turns = turns_of(cell)
    said: dict = next(
        (turn for turn in reversed(turns) if (turn.get("role") or turn.get("from")) in ASSISTANT),
        {},
    )
    return (
        (text_of(said.get("content", said.get("value"))) or said.get("tool_calls"))
        if turns
        else cell
    )


def _is_empty(cell: Any) -> bool:
    return (
        cell.strip() in ("", "[]", "{}", "null")
        if isinstance(cell, str)
        else cell in (None, -1, [], {})
    )


def untagged(cell: Any) -> Any:
    """What stands in the last <answer> tag of a text; any other cell as it is."""
    if not isinstance(cell, str):
        return cell
    found = ANSWER_TAG.findall(cell)
    return found[-1].strip() if found else cell


def text_of(value: Any) -> str:
    """A cell as the prompt shows it: chat messages as their user turns, structures line by line."""
    if turns := turns_of(value):
        asked = [turn for turn in turns if (turn.get("role") or turn.get("from")) in USER]
        return "\n\n".join(text_of(turn.get("content", turn.get("value"))) for turn in asked)
    if isinstance(value, list):
        return "\n".join(filter(None, map(text_of, value)))
    if isinstance(value, dict):
        return "\n".join(f"{key}: {text_of(item)}" for key, item in value.items())
    return "" if value is None else str(value).strip()


def _question(config: DatasetConfig, record: dict) -> str:
    question = text_of(field(record, config.question_field))
    context = [text_of(field(record, path)) for path in config.context_fields]
    return "\n\n".join(filter(None, [*context, question])) if question else ""


@dataclass(frozen=True)
class Selection:
    """The places of rows in the dataset, as new_environment.py chose them."""

    rows: int
    left_out: frozenset[int]
    held_out: frozenset[int]


def _selection(config: DatasetConfig) -> Selection | None:
    """What the package says of this dataset; None without a file, or for another dataset."""
    path = PACKAGE / (config.selection or "none")
    if not path.is_file():
        return None
    chosen = json.loads(path.read_text(encoding="utf-8"))
    if chosen["dataset"] != config.dataset:
        return None
    left = frozenset(place for places in chosen["left_out"].values() for place in places)
    return Selection(chosen["rows"], left, frozenset(chosen["held_out"]))


def _chosen(every: Iterable[dict], chosen: Selection | None) -> Iterable[dict | None]:
    """The records, with None for each that is left out."""
    count = 0
    for count, record in enumerate(every, start=1):
        yield None if chosen and count - 1 in chosen.left_out else record
    if chosen and count != chosen.rows:
        raise ValueError(
            f"rows were chosen from {chosen.rows}, and now there are {count}: pin the revision, "
            "make the package again, or take all rows with selection = None"
        )


def _is_held_out(
    config: DatasetConfig, chosen: Selection | None, index: int, question: str
) -> bool:
    if chosen is None:
        return _held_out(question, config.eval_share)
    return index in chosen.held_out and config.eval_share > 0


def _held_out(question: str, share: float) -> bool:
    digest = hashlib.sha256(" ".join(question.split()).encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def _is_file(config: DatasetConfig) -> bool:
    return config.dataset.endswith(".jsonl")


def records(config: DatasetConfig) -> Iterable[dict]:
    """All records of the split that holds `config.split`, as the dataset has them."""
    if _is_file(config):
        with (PACKAGE / config.dataset).open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]
    from datasets import ClassLabel, load_dataset

    held_out = config.split == "eval" and config.eval_split is not None
    split = config.eval_split if held_out else config.train_split
    data = load_dataset(config.dataset, config.subset, split=split, revision=config.revision)
    labels = {
        name: feature for name, feature in data.features.items() if isinstance(feature, ClassLabel)
    }
    return (
        record | {name: _label(feature, record[name]) for name, feature in labels.items()}
        for record in data
    )


def _label(feature: Any, number: int | None) -> str | None:
    """A class label's name; -1 stands for a row without a label."""
    return None if number is None or number < 0 else feature.int2str(number)


def parsed(text: str) -> Any:
    """The value that a text holds as JSON or as Python wrote it; None for any other text."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None
