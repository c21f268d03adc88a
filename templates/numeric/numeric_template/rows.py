"""The dataset as configuration: rows from a file of this package, another file, or the hub.

The training rows and the held-out rows never share a question: either the dataset has its own
held-out split, or one is made by a hash of the question.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import verifiers.v1 as vf

from numeric_template.numbers import last_slot, read_number

PACKAGE = Path(__file__).parent
MAX_UNREADABLE = 0.02


class DatasetConfig(vf.TasksetConfig):
    """Every field is a flag of vf-eval: --env.taskset.split eval, --env.taskset.dataset ..."""

    dataset: str = "data/rows.jsonl"
    """A .jsonl file (relative to this package, or absolute) or a Hugging Face dataset id."""
    subset: str | None = None
    """The hub dataset's configuration name."""
    train_split: str = "train"
    """The hub dataset's split that training uses."""
    eval_split: str | None = None
    """The hub dataset's held-out split; None holds out `eval_share` of the questions."""
    eval_share: float = 0.1
    """Share of the questions held out by hash when the dataset has no split of its own."""
    question_field: str = "question"
    answer_field: str = "answer"
    split: Literal["train", "eval"] = "train"
    """Which tasks are loaded."""


@dataclass(frozen=True)
class Row:
    id: str
    question: str
    answer: str
    """The gold as a number in text."""


def load_rows(config: DatasetConfig) -> list[Row]:
    """The rows of `config.split`. Rows without a readable number are left out; more than
    2 % of them is an error, because then the answer field is not what it is taken for."""
    rows, unreadable = [], []
    for index, record in enumerate(_records(config)):
        question, answer = _field(record, config.question_field), _field(record, config.answer_field)
        gold = gold_number(answer)
        if not isinstance(question, str) or not question.strip() or gold is None:
            unreadable.append((index, answer))
        elif config.eval_split is not None or _held_out(question, config.eval_share) == (config.split == "eval"):
            rows.append(Row(f"{config.split}-{index}", question, gold))
    if unreadable and len(unreadable) > MAX_UNREADABLE * (len(unreadable) + len(rows)):
        index, answer = unreadable[0]
        raise ValueError(
            f"{len(unreadable)} rows have no question or no number in {config.answer_field!r}; "
            f"the first is row {index}: {str(answer)[:80]!r}"
        )
    return rows


def gold_number(cell: object) -> str | None:
    """The gold of a dataset cell: a number, or the number after the last #### of a solution."""
    text = str(cell) if isinstance(cell, (int, float, str)) and not isinstance(cell, bool) else ""
    slot = last_slot(text)
    gold = (text if slot is None else slot).strip()
    return gold if read_number(gold) is not None else None


def _held_out(question: str, share: float) -> bool:
    digest = hashlib.sha256(" ".join(question.split()).encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def _field(record: dict, path: str) -> object:
    value: object = record
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _records(config: DatasetConfig) -> Iterable[dict]:
    path = PACKAGE / config.dataset
    if path.suffix == ".jsonl":
        with path.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]
    from datasets import load_dataset

    held_out = config.split == "eval" and config.eval_split is not None
    return load_dataset(config.dataset, config.subset, split=config.eval_split if held_out else config.train_split)
