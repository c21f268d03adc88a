"""The dataset as configuration: rows from a file of this package, another file, or the hub.

The training rows and the held-out rows never share a question: either the dataset has its own
held-out split, or one is made by a hash of the question.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import verifiers.v1 as vf

PACKAGE = Path(__file__).parent
MAX_UNUSABLE = 0.02


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
    """Share of the questions held out by hash when the dataset has no split of its own."""
    question_field: str = "question"
    """Path of the prompt: dots descend into dictionaries."""
    answer_field: str = "answer"
    """Path of the gold."""
    split: Literal["train", "eval"] = "train"
    """Which tasks are loaded."""


@dataclass(frozen=True)
class Row:
    """One usable row: its question, its gold as the reward compares it, and the whole record."""

    id: str
    question: str
    gold: Any
    record: dict


def load_rows(config: DatasetConfig, gold: Callable[[Any, dict], Any]) -> list[Row]:
    """The rows of `config.split`; `gold(cell, record)` reads the gold, None when it cannot.

    Rows without a question or a gold are left out; more than 2 % of them is an error, because
    then a field is not what it is taken for.
    """
    rows, unusable, total = [], [], 0
    for index, record in enumerate(_records(config)):
        total += 1
        question, answer = field(record, config.question_field), field(record, config.answer_field)
        value = gold(answer, record)
        if not isinstance(question, str) or not question.strip() or value is None:
            unusable.append((index, answer))
        elif config.eval_split is not None or _held_out(question, config.eval_share) == (config.split == "eval"):
            rows.append(Row(f"{config.split}-{index}", question, value, record))
    if len(unusable) > MAX_UNUSABLE * total:
        index, answer = unusable[0]
        raise ValueError(
            f"{len(unusable)} of {total} rows have no question or no readable gold in {config.answer_field!r}; "
            f"the first is row {index}: {str(answer)[:80]!r}"
        )
    return rows


def field(record: dict, path: str) -> Any:
    """The value at a dotted path; None when a part of it is missing."""
    value: Any = record
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _held_out(question: str, share: float) -> bool:
    digest = hashlib.sha256(" ".join(question.split()).encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def _records(config: DatasetConfig) -> Iterable[dict]:
    path = PACKAGE / config.dataset
    if path.suffix == ".jsonl":
        with path.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]
    from datasets import load_dataset

    held_out = config.split == "eval" and config.eval_split is not None
    split = config.eval_split if held_out else config.train_split
    return load_dataset(config.dataset, config.subset, split=split, revision=config.revision)
