"""`Scan`: everything the hygiene checks need, gathered row by row in constant memory.

Hashes of prompts are kept up to `MOST` of them; beyond, only those with a low hash value stay
(a fixed share of the distinct prompts), and counts of distinct prompts are scaled back up.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from lab.hygiene.text import (
    CONTROL,
    MOJIBAKE,
    drawn,
    key,
    marked,
    means_nothing,
    ngrams,
    normalised,
)

MOST = 2_000_000
"""Distinct prompts held exactly; about 250 MB."""
CLASSES = 200
"""Distinct golds up to which they count as a closed set."""
LENGTHS = 20_000
"""Prompt lengths kept for percentiles (a uniform reservoir)."""
STRIDE = 3
FRAMES = 24
"""Slices of the reading order, for the order check."""


@dataclass
class Scan:
    """Counts over the rows that were read."""

    closed: bool = False
    """The golds are a closed set (letters, labels, booleans): balance and order are looked at."""
    leaks: bool = True
    """Whether a gold inside its prompt counts (not for options, labels and extractive answers)."""
    held_out: dict[int, int] = field(default_factory=dict)
    """n-gram -> held-out row, for overlap; empty when there is no held-out split."""
    held_out_keys: dict[int, int] = field(default_factory=dict)

    held_rows: int = 0
    """Rows of the held-out split that were looked at, and how many have no gold."""
    held_no_gold: int = 0

    rows: int = 0
    no_gold: int = 0
    empty_gold: int = 0
    no_prompt: int = 0
    repeated: int = 0
    conflicting: int = 0
    leaked: int = 0
    given_away: int = 0
    damaged: int = 0
    controlled: int = 0
    drawn: int = 0
    levels: int = 0
    """Bits by which the kept hashes are thinned out."""
    seen: dict[int, int] = field(default_factory=dict)
    """hash of the prompt -> hash of its first gold."""
    conflicts: set[int] = field(default_factory=set)
    golds: Counter[str] = field(default_factory=Counter)
    more_golds: bool = False
    options: Counter[int] = field(default_factory=Counter)
    """How many options the rows have."""
    lengths: list[int] = field(default_factory=list)
    frames: list[Counter[str]] = field(default_factory=list)
    examples: dict[str, tuple[int, str]] = field(default_factory=dict)
    """One example per kind of trouble: the number of the row as it was read, and its text."""
    exact_overlap: set[int] = field(default_factory=set)
    near_overlap: Counter[int] = field(default_factory=Counter)
    longest: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random(0), repr=False)

    def add(self, prompt: str, gold: str | list[str] | None, options: int = 0, context: str = "") -> None:
        """One row. `context` is text that the answer may be taken from; `options` their number."""
        self.rows += 1
        if not prompt.strip():
            self.no_prompt += 1
        flat = normalised(prompt)
        where = key(flat + "\0" + context[:2000])
        golds = [gold] if isinstance(gold, str) else gold or []
        text = golds[0] if golds else ""
        self._prompt(prompt, flat)
        self._repeats(where, key("\0".join(sorted(golds))) if gold is not None else None, prompt)
        if gold is None:
            self.no_gold += 1
            self._example("no_gold", prompt)
            return
        self._gold(prompt, golds, text, context, options)

    def _prompt(self, prompt: str, flat: str) -> None:
        size = len(prompt)
        self.longest = max(self.longest, size)
        if len(self.lengths) < LENGTHS:
            self.lengths.append(size)
        elif (place := self._random.randrange(self.rows)) < LENGTHS:
            self.lengths[place] = size
        if not prompt.isascii():
            if MOJIBAKE.search(prompt):
                self.damaged += 1
                self._example("damaged", prompt)
        elif "&" in prompt and MOJIBAKE.search(prompt):
            self.damaged += 1
            self._example("damaged", prompt)
        if not prompt.isprintable() and CONTROL.search(prompt):
            self.controlled += 1
            self._example("controlled", prompt)
        if self.held_out:
            self._overlap(flat)

    def _overlap(self, flat: str) -> None:
        row = self.held_out_keys.get(hash(flat))
        if row is not None:
            self.exact_overlap.add(row)
        # The index holds every n-gram of the held-out prompts, so each third one of a row suffices.
        grams = ngrams(flat.split(), STRIDE)
        if self.held_out.keys().isdisjoint(grams):
            return
        for gram in grams:
            row = self.held_out.get(gram)
            if row is not None:
                self.near_overlap[row] += STRIDE

    def _repeats(self, where: int, gold: int | None, prompt: str) -> None:
        if where & ((1 << self.levels) - 1):
            return
        first = self.seen.get(where)
        if first is None:
            self.seen[where] = gold or 0
            if len(self.seen) > MOST:
                self._thin()
            return
        self.repeated += 1
        self._example("repeated", prompt)
        if gold is not None and first == 0:
            self.seen[where] = gold
        elif gold is not None and first != gold:
            self.conflicting += 1
            self.conflicts.add(where)
            self._example("conflicting", prompt)

    def _thin(self) -> None:
        self.levels += 1
        mask = (1 << self.levels) - 1
        self.seen = {where: gold for where, gold in self.seen.items() if not where & mask}
        self.conflicts = {where for where in self.conflicts if not where & mask}

    def _gold(self, prompt: str, golds: list[str], text: str, context: str, options: int) -> None:
        if golds and all(means_nothing(item, articles=not self.closed) for item in golds):
            self.empty_gold += 1
            self._example("empty_gold", repr(text))
        if self.closed or not self.more_golds:
            self.golds[text] += 1
            if len(self.golds) > CLASSES and not self.closed:
                self.more_golds = True
                self.golds.clear()
        if options:
            self.options[options] += 1
        if self.closed:
            self._frame(text)
            return
        if self.leaks and text:
            if marked(text, prompt):
                self.given_away += 1
                self._example("given_away", prompt)
            elif len(text) >= 24 and text in prompt:
                self.leaked += 1
                self._example("leaked", prompt)
        if text and drawn(text) and text not in prompt and text not in context:
            self.drawn += 1
            self._example("drawn", f"{prompt[:160]} -> {text}")

    def _frame(self, text: str) -> None:
        """Golds by place in the reading order: slices of equal size, merged as they fill up."""
        if not self.frames:
            self.frames, self._size = [Counter()], 8
        if sum(self.frames[-1].values()) >= self._size:
            if len(self.frames) == FRAMES:
                self.frames = [self.frames[i] + self.frames[i + 1] for i in range(0, FRAMES, 2)]
                self._size *= 2
            if sum(self.frames[-1].values()) >= self._size:
                self.frames.append(Counter())
        self.frames[-1][text] += 1

    _size: int = 8

    def _example(self, kind: str, text: str) -> None:
        if kind not in self.examples:
            self.examples[kind] = (self.rows - 1, text[:300])

    @property
    def distinct(self) -> int:
        """Distinct prompts read (scaled back up where the hashes were thinned out)."""
        return len(self.seen) << self.levels

    @property
    def duplicate_share(self) -> float:
        kept = len(self.seen) + self.repeated
        return 1 - len(self.seen) / kept if kept and not self.levels else max(0.0, 1 - self.distinct / max(1, self.rows))

    @property
    def conflict_share(self) -> float:
        return len(self.conflicts) / len(self.seen) if self.seen else 0.0

    def percentiles(self) -> dict[str, int]:
        ordered = sorted(self.lengths)
        if not ordered:
            return {}
        return {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))} | {"max": self.longest}

    def balance(self) -> tuple[str, float] | None:
        """(most common gold, its share) of a closed set."""
        total = sum(self.golds.values())
        if not total or self.more_golds:
            return None
        gold, count = self.golds.most_common(1)[0]
        return gold, count / total


def held_out_index(prompts: list[str]) -> tuple[dict[int, int], dict[int, int], list[int]]:
    """(n-gram -> row, hash of the whole prompt -> row, n-grams per row) of held-out prompts.

    Hashes are Python's own: they hold within this process, and are made again in the next one.
    """
    grams: dict[int, int] = {}
    exact: dict[int, int] = {}
    sizes: list[int] = []
    common: Counter[int] = Counter()
    per_row = []
    for prompt in prompts:
        found = ngrams(normalised(prompt).split())
        per_row.append(found)
        common.update(found)
    for index, (prompt, found) in enumerate(zip(prompts, per_row, strict=True)):
        exact.setdefault(hash(normalised(prompt)), index)
        # Instructions that every prompt shares are no overlap.
        own = {gram for gram in found if common[gram] <= max(2, len(prompts) // 50)}
        sizes.append(len(own))
        for gram in own:
            grams.setdefault(gram, index)
    return grams, exact, sizes


def state(scan: Scan) -> dict[str, Any]:
    """The plain counters of a scan, for a checkpoint; the hashes are kept beside it."""
    plain = ("rows", "no_gold", "empty_gold", "no_prompt", "repeated", "conflicting", "leaked", "given_away", "damaged", "controlled", "drawn", "levels", "more_golds", "longest", "lengths", "examples", "_size")
    out = {name: getattr(scan, name) for name in plain}
    out["golds"], out["options"] = dict(scan.golds), {str(k): v for k, v in scan.options.items()}
    out["frames"] = [dict(frame) for frame in scan.frames]
    out["exact_overlap"], out["near_overlap"] = sorted(scan.exact_overlap), {str(k): v for k, v in scan.near_overlap.items()}
    return out


def restore(scan: Scan, saved: dict[str, Any], seen: dict[int, int], conflicts: set[int]) -> None:
    for name, value in saved.items():
        if name in ("golds", "options", "frames", "exact_overlap", "near_overlap"):
            continue
        setattr(scan, name, value)
    scan.golds = Counter(saved["golds"])
    scan.options = Counter({int(k): v for k, v in saved["options"].items()})
    scan.frames = [Counter(frame) for frame in saved["frames"]]
    scan.exact_overlap = set(saved["exact_overlap"])
    scan.near_overlap = Counter({int(k): v for k, v in saved["near_overlap"].items()})
    scan.seen, scan.conflicts = seen, conflicts
