"""The fast path: typed decoding of blocks of lines, in several processes for large plain files.

A layout's decoder turns a block into columns and hands back each line that it does not accept
(a NaN, an error, a reward as text, a torn end). The exact reader takes those, so that both
together read what the exact reader alone would; benchmarks/rollout_readers.py measures it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lab.rollouts.model import KEYS, Rollouts, joined
from lab.rollouts.row import SHORT_GOLD, Builder, canonical
from lab.rollouts.streams import MARK, blocks, packing

SHARE = 48 << 20
"""Bytes that make a second process worth its start; smaller files are read in this process."""

Exact = Callable[[bytes, int, int, Builder], None]
"""Reads one line exactly: (line, offset, number of the file, builder)."""


class BlockDecoder(Protocol):
    """What a layout offers to the fast path."""

    def block(self, offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Take whole lines; yield those that are refused, with their offsets."""
        ...

    def done(self) -> Rollouts: ...


def read_file(make: Callable[..., BlockDecoder], how: Any, exact: Exact, files: list[Path], number: int) -> Rollouts:
    """A whole file, in parallel where it is plain and large."""
    size = files[number].stat().st_size
    workers = min(available_cores(), size // SHARE)
    if workers < 2 or packing(files[number]) != "plain":
        return read_range(make, how, exact, files, number, 0, None)
    pieces = max(workers, -(-size // (8 * SHARE)))
    edges = [size * i // pieces for i in range(pieces + 1)]
    work = [(make, how, exact, files, number, a, b) for a, b in pairwise(edges)]
    with multiprocessing.get_context("spawn").Pool(workers, _quiet) as pool:
        return joined(pool.starmap(read_range, work, chunksize=1))


def read_range(make: Callable[..., BlockDecoder], how: Any, exact: Exact, files: list[Path], number: int, start: int, end: int | None) -> Rollouts:
    """The rollouts of the lines of `files[number]` that begin in [start, end)."""
    decoder = make(how, files, number)
    builder = Builder(files)
    problems: Counter[str] = Counter()
    for offset, data in blocks(files[number], problems, start, end):
        for at, line in decoder.block(offset, data):
            exact(line, at, number, builder)
    for kind, count in problems.items():
        builder.problems[kind] += count
        builder.examples.setdefault(kind, files[number].name)
    fast, slow = decoder.done(), builder.done()
    return joined([fast, slow]) if len(slow) or slow.problems else fast


def halves(block: Callable[[int, bytes], Iterator[tuple[int, bytes]]], offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    """A block with a line that is refused: in halves, until that line stands alone."""
    middle = data.find(b"\n", len(data) // 2) + 1
    if not middle or middle == len(data):
        middle = data.rfind(b"\n", 0, len(data) - 1) + 1
    if middle:
        yield from block(offset, data[:middle])
        yield from block(offset + middle, data[middle:])
    elif data.strip():
        yield offset, data.removeprefix(MARK) if offset == 0 else data


def hashes(values: list[Any], known: dict[Any, int]) -> np.ndarray:
    """`canonical` of each value as uint64, once per distinct one. `known` is kept from block to
    block; texts over `SHORT_GOLD` are not, so that memory does not grow with them."""
    distinct = set(values)
    if distinct == {None}:
        return np.zeros(len(values), np.uint64)
    long: dict[Any, int] = {}
    for value in distinct:
        if value not in known:
            table = long if isinstance(value, str) and len(value) > SHORT_GOLD else known
            table[value] = canonical(value)
    found = {**{v: known[v] for v in distinct if v in known}, **long}
    return np.array([found[v] for v in values], np.uint64)


class Columns:
    """Collects the columns of blocks; `done` gives the `Rollouts`."""

    def __init__(self, layout: str, files: list[Path], number: int):
        self.layout, self.files, self.number = layout, files, number
        self.parts: list[dict[str, Any]] = []
        self.labels: dict[int, str] = {}
        self.golds: dict[int, str] = {}
        self.models: dict[str, int] = {}
        self.weights: dict[str, float] = {}
        self.problems: Counter[str] = Counter()
        self.examples: dict[str, str] = {}

    def add(self, models: list[str], **columns: Any) -> None:
        """One block's columns, with the meaning that they have in `Rollouts`."""
        for name in dict.fromkeys(models):
            self.models.setdefault(name, min(len(self.models), 2**15 - 1))
        table = self.models
        columns["model"] = np.zeros(len(models), np.int16) if len(table) == 1 else np.array([table[name] for name in models], np.int16)
        self.parts.append(columns)

    def name(self, names: np.ndarray, of: Callable[[int], tuple[Any, Any]]) -> None:
        """Remember label and gold of each task that is new; `of(i)` gives both for a row."""
        unique, first = np.unique(names, return_index=True)
        for task, i in zip(unique.tolist(), first.tolist(), strict=True):
            if task in self.labels:
                continue
            label, gold = of(i)
            self.labels[task] = "" if label is None else str(label)
            if isinstance(gold, (str, int, float)) and gold != "" and len(str(gold).strip()) <= SHORT_GOLD:
                self.golds[task] = str(gold).strip()

    def done(self) -> Rollouts:
        parts = self.parts
        length = sum(len(p["reward"]) for p in parts)

        def column(name: str, kind: Any) -> np.ndarray:
            return np.concatenate([p[name] for p in parts]).astype(kind, copy=False) if parts else np.zeros(0, kind)

        def optional(table: str, name: str, kind: Any, empty: float) -> np.ndarray:
            pieces = [p[table].get(name, np.full(len(p["reward"]), empty)) for p in parts]
            return np.concatenate(pieces).astype(kind, copy=False) if pieces else np.zeros(0, kind)

        names = list(dict.fromkeys(name for p in parts for name in p["components"]))
        kinds = {"reward": np.float64, "flags": np.uint8, "prompt": np.uint64, "answer": np.uint64, "completion": np.uint64, "identity": np.uint64, "tokens": np.int32, "chars": np.int32, "model": np.int16, "offset": np.int64}
        return Rollouts(
            layout=self.layout if length else "",
            files=self.files,
            **{name: column(name, kind) for name, kind in kinds.items()},
            file=np.full(length, self.number, np.int16),
            keys={name: optional("keys", name, np.uint64, 0) for name in KEYS},
            components={name: optional("components", name, np.float64, np.nan) for name in names},
            weights=self.weights,
            models=list(self.models) or [""],
            labels={task: label for task, label in self.labels.items() if label},
            golds=self.golds,
            problems=self.problems,
            examples=self.examples,
        )


def available_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _quiet() -> None:
    # Ctrl-C goes to the whole group: the parent ends its workers, and they say nothing.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
