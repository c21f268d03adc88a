"""Which rollouts belong to one group: the rollouts of one task by one policy.

Logs name tasks in ways that disagree. The rules, most trusted first:

1. `key`: the task's key as verifiers 0.4 (or `--columns task=`) says it.
2. `example_id`: newer classic logs.
3. prompt with answer: old classic logs carry a bare `id` written as i // r while the rows are
   interleaved (verifiers/scripts/eval.py 8c1b7fe7d, 2025-08), so the `id` mixes tasks.
4. position, i % n: where texts cannot tell tasks apart (images were stripped) or differ in
   every rollout; only when n x r is the number of rows.

Each rule is a partition of the rollouts; two that disagree are reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.rollouts.model import KEYS, Rollouts


@dataclass(frozen=True)
class Grouping:
    """`codes` (int64 per rollout, 0 .. tasks-1) and how they came about."""

    codes: np.ndarray
    by: str
    """The rule: key, example_id, prompt and answer, position, id, none."""
    why: str
    disagrees: str = ""
    """Which other rule gives another partition, and how; empty when all agree."""
    certain: bool = True

    @property
    def names_tasks(self) -> bool:
        """Whether what the log calls a task names that task alone."""
        return not self.disagrees or self.by in ("key", "example_id", "id")

    @property
    def tasks(self) -> int:
        return int(self.codes.max()) + 1 if len(self.codes) else 0


def group(rollouts: Rollouts) -> Grouping:
    """The groups of `rollouts` by the first rule that holds."""
    n = len(rollouts)
    if n == 0:
        return Grouping(np.zeros(0, np.int64), "none", "there are no rollouts")
    key, example, content, bare = (rollouts.keys[name] for name in KEYS)
    if key.all():
        return _checked(number(key), "key", "the task key in the log", content, rollouts)
    if example.all():
        return _checked(number(example), "example_id", "the example_id in the log", content, rollouts)
    if key.any() or example.any():
        mixed = np.where(key != 0, key, np.where(example != 0, example, content))
        return Grouping(number(mixed), "key", "the task key or example_id where there is one, else prompt and answer",
                        "some rollouts have no task key", certain=bool(mixed.all()))
    if bare.all():
        return _old_log(rollouts, content, bare)
    if content.all():
        return Grouping(number(content), "prompt and answer", "the log names no task")
    return Grouping(np.arange(n), "none", "nothing in the log says which task a rollout belongs to", "", certain=False)


def number(column: np.ndarray) -> np.ndarray:
    """Equal values numbered 0, 1, ... in the order in which they first occur."""
    _, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def _checked(codes: np.ndarray, by: str, why: str, content: np.ndarray, rollouts: Rollouts) -> Grouping:
    """A named grouping against the texts: a task with two different prompts is suspicious."""
    mixed = _mixes(codes, content) if content.all() else 0
    several = len(set(rollouts.file.tolist())) > 1 if len(rollouts) else False
    if not mixed:
        return Grouping(codes, by, why)
    where = " (several files: their numbering may differ)" if several else ""
    return Grouping(codes, by, why, f"{mixed} of {codes.max() + 1} tasks hold more than one prompt and answer{where}", certain=mixed < 0.5 * (codes.max() + 1))


def _old_log(rollouts: Rollouts, content: np.ndarray, bare: np.ndarray) -> Grouping:
    n = len(rollouts)
    by_id, by_text = number(bare), number(content)
    ids, texts = by_id.max() + 1, by_text.max() + 1
    tasks = rollouts.settings.get("num_examples")
    stated = isinstance(tasks, int) and tasks > 0 and n % tasks == 0 and tasks * (rollouts.settings.get("rollouts_per_example") or n // tasks) == n
    tasks = tasks if stated else int(ids)
    position = np.arange(n) % tasks if n % tasks == 0 else None
    if not content.all():
        if ids == n:
            return Grouping(by_id, "id", "each id occurs once")
        if position is None:
            return Grouping(by_id, "id", "only a bare id is there", "a bare id cannot be checked without prompts", certain=False)
        return Grouping(position, "position", f"row i is task i % {tasks}", "there are no prompts to check it with", certain=stated)
    if ids == n and texts == n:
        return Grouping(by_id, "prompt and answer", "each prompt occurs once")
    if _same(by_text, by_id):
        return Grouping(by_text, "prompt and answer", "the id agrees")
    if ids == n:
        return Grouping(by_id, "id", "each id occurs once, so each row is a task of its own", f"prompt and answer make {texts} groups of {n} rows (images stripped, or repeated tasks)")
    note = f"the bare id makes {ids} groups, of which {_mixes(by_id, content)} mix different prompts; it is not used"
    if position is not None and _same(by_text, position):
        return Grouping(by_text, "prompt and answer", f"row order agrees (row i is task i % {tasks})", note)
    if texts < tasks and position is not None and tasks < n and not _mixes(position, content):
        return Grouping(position, "position", f"row i is task i % {tasks}; only {texts} different texts for {tasks} tasks, so the texts cannot tell them apart (images stripped?)",
                        note if _mixes(by_id, content) else f"prompt and answer make {texts} groups", certain=True)
    if texts == n and ids < n:
        if position is not None and (stated or not _mixes(position, rollouts.answer)):
            return Grouping(position, "position", f"row i is task i % {tasks}; every rollout has a prompt of its own", note, certain=stated)
        return Grouping(by_text, "prompt and answer", "every rollout has a prompt of its own, and the row count is no multiple of the ids", note, certain=False)
    return Grouping(by_text, "prompt and answer", f"{texts} different prompts in {n} rows", note)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two labellings are the same partition."""
    pairs = len(np.unique(a.astype(np.int64) * (int(b.max()) + 1) + b))
    return pairs == a.max() + 1 == b.max() + 1


def _mixes(codes: np.ndarray, content: np.ndarray) -> int:
    """How many groups of `codes` hold more than one value of `content`."""
    return len(np.unique(codes[content != first_of(codes, content)]))


def first_of(codes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For each entry the value of the first entry of its group."""
    first = np.empty(int(codes.max(initial=-1)) + 1, values.dtype)
    first[codes[::-1]] = values[::-1]
    return first[codes]
