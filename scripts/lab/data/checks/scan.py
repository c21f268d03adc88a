"""`Scan`: what the checks need of many items, gathered one by one in bounded memory.

Keys of questions are kept up to `MOST` of them; beyond, only those with a low hash value stay (a
fixed share of the distinct questions), and counts of distinct ones are scaled back up. A sample of
whole questions is kept for everything that compares prompts with each other.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lab.cli.secret_forms import marked as marked_as_key
from lab.cli.secrets import kind_of_secret
from lab.data.checks.clock_change import Passed, passed
from lab.data.checks.date_order import Dated, dated
from lab.data.checks.difficulty import MOST as MOST_RATES
from lab.data.checks.golds import signs
from lab.data.checks.item import Item
from lab.data.checks.orders import order_in
from lab.data.checks.overlap import Overlap
from lab.data.checks.runs import parts
from lab.data.checks.suspects import suspects, texts_of
from lab.data.checks.text import (
    CONTROL,
    MOJIBAKE,
    key,
    marked,
    remembered,
)

MOST = 2_000_000
"""Distinct questions held exactly; about 250 MB."""
SAMPLE = 6000
"""Rows kept whole: all rows of a share of the questions, chosen by hash."""
SAME = 6
"""Rows of one question that the sample keeps."""
LONGEST = 6000
"""Characters of a prompt and of a passage that the sample keeps."""
CLASSES = 200
"""Distinct golds up to which they count as a closed set."""
LENGTHS = 20_000
"""Prompt lengths kept for percentiles (a uniform reservoir)."""
FRAMES = 24
"""Slices of the reading order, for the order check."""
MANY = 10_000
"""Rows from which on they are first sorted by the words that an order or a key needs."""
MOST_ORDERS, ORDERS_SHOWN = 10_000, 20
"""Rows with orders of which the place is kept; of how many the text, too."""
MOST_DATED = 10_000
"""Rows with dates that are kept, by what their golds make of them."""
HALF = 1 << 31
"""Hashes kept of a question's golds and of its text are below this."""

COUNTED = (
    "no_gold",
    "empty_gold",
    "note",
    "repeated",
    "reordered",
    "conflicting",
    "leaked",
    "given_away",
    "damaged",
    "controlled",
    "drawn",
    "orders",
    "keyed",
)
"""What is counted, and shown by an example."""


@dataclass
class Scan:
    """Counts over the items that were read."""

    closed: bool = False
    """The golds are a closed set: letters, labels, truth values."""
    leaks: bool = True
    """A gold inside its prompt counts: not for options, labels and answers in a passage."""
    held_out: list[Item] = field(default_factory=list)
    """Items of the held-out part."""
    held_rows: int = 0
    """Rows of the held-out part that were looked at, and how many have no gold."""
    held_no_gold: int = 0

    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[int, str]] = field(default_factory=dict)
    """One example per kind of trouble: the place of the row in reading order, and its text."""
    ordered: list[tuple[int, str]] = field(default_factory=list)
    """Rows that give orders to an agent, by place; of the first few, what they say."""
    dated: list[Dated] = field(default_factory=list)
    """Rows with dates of numbers, by the order in which their golds read them."""
    passed: list[Passed] = field(default_factory=list)
    """Rows with a time that passed over a change of the clock."""
    levels: int = 0
    """Bits by which the kept keys are thinned out."""
    seen: dict[int, int] = field(default_factory=dict)
    """Key of what is asked -> hash of its golds."""
    questions: set[int] = field(default_factory=set)
    """Keys of the questions, where they differ from what is asked (rows with options)."""
    conflicts: set[int] = field(default_factory=set)
    golds: Counter[str] = field(default_factory=Counter)
    nothings: Counter[str] = field(default_factory=Counter)
    """Golds that are words for no answer, in rows where no other gold is accepted."""
    more_golds: bool = False
    options: Counter[int] = field(default_factory=Counter)
    """How many options the rows have."""
    lengths: list[int] = field(default_factory=list)
    longest: int = 0
    frames: list[Counter[str]] = field(default_factory=list)
    frame_size: int = 8
    rates: dict[str, list[float]] = field(default_factory=dict)
    sample: list[Item] = field(default_factory=list)
    sample_levels: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(0)
        self._kept: Counter[int] = Counter()
        self.overlap = Overlap(self.held_out)

    def extend(self, items: Iterable[Item]) -> None:
        """More rows, in reading order."""
        for part in parts(items, lambda item: len(item.prompt) + len(item.context)):
            if self.held_out:
                self.overlap.meet(item for item in part if item.asked_key not in self.seen)
            suspected = suspects(part) if self.rows >= MANY else [True] * len(part)
            for item, suspect in zip(part, suspected, strict=True):
                self._add(item, suspect)

    def _add(self, item: Item, suspect: bool) -> None:
        item.row = self.rows if item.row < 0 else item.row
        self.rows += 1
        self._prompt(item)
        if suspect:
            self._orders(item)
            self._keys(item)
        self._repeats(item)
        for name, value in item.rates.items():
            self._rate(name, value)
        if item.golds is None:
            self._count("no_gold", item.prompt)
        else:
            self._gold(item)
        self._keep(item)

    def _count(self, kind: str, text: str) -> None:
        self.counts[kind] += 1
        if kind not in self.examples:
            self.examples[kind] = (self.rows - 1, text[:300])

    def _prompt(self, item: Item) -> None:
        prompt, size = item.prompt, len(item.prompt)
        self.longest = max(self.longest, size)
        if len(self.lengths) < LENGTHS:
            self.lengths.append(size)
        elif (place := self._random.randrange(self.rows)) < LENGTHS:
            self.lengths[place] = size
        if (not prompt.isascii() or "&" in prompt) and MOJIBAKE.search(prompt):
            self._count("damaged", prompt)
        if not prompt.isprintable() and CONTROL.search(prompt):
            self._count("controlled", prompt)

    def _orders(self, item: Item) -> None:
        """A row that gives orders to an agent, in its prompt or beside it."""
        others = (order_in(text, text.lower()) for text in item.other)
        if order := order_in(item.prompt, item.question) or next(filter(None, others), ""):
            self._count("orders", order)
            if len(self.ordered) < MOST_ORDERS:
                self.ordered.append((item.row, order if len(self.ordered) < ORDERS_SHOWN else ""))

    def _keys(self, item: Item) -> None:
        """A row that holds a key or a password, by its kind alone."""
        texts = texts_of(item)
        if not marked_as_key("\n".join(texts).lower()):
            return
        if kind := next(filter(None, map(kind_of_secret, texts)), ""):
            self._count("keyed", kind)

    def _repeats(self, item: Item) -> None:
        where, mask = item.asked_key, (1 << self.levels) - 1
        if item.options and not item.question_key & mask:
            self.questions.add(item.question_key)
        if where & mask:
            return
        now = _gold_and_text(item)
        first = self.seen.get(where)
        if first is None:
            self.seen[where] = now
            if len(self.seen) > MOST:
                self._thin()
            return
        gold, text = divmod(now, HALF)
        known, other = divmod(first, HALF)
        differ = bool(gold and known and gold != known)
        if differ and text != other:
            return  # the same words with other signs, such as `3 + 4` and `3 - 4`
        self._count("repeated", item.prompt)
        if gold and not known:
            self.seen[where] = now
        elif differ:
            self.conflicts.add(where)
            self._count("conflicting", item.prompt)

    def _thin(self) -> None:
        self.levels += 1
        mask = (1 << self.levels) - 1
        self.seen = {where: gold for where, gold in self.seen.items() if not where & mask}
        self.conflicts = {where for where in self.conflicts if not where & mask}
        self.questions = {where for where in self.questions if not where & mask}

    def _rate(self, name: str, value: float) -> None:
        kept = self.rates.setdefault(name, [])
        if len(kept) < MOST_RATES:
            kept.append(value)
        elif (place := self._random.randrange(self.rows)) < MOST_RATES:
            kept[place] = value

    def _gold(self, item: Item) -> None:
        golds = item.golds or ()
        text = golds[0] if golds else ""
        self._shows(item, golds)
        shown = f"{item.prompt}\n{item.context}" if item.context else item.prompt
        if len(self.dated) < MOST_DATED:
            self.dated += dated(item.row, shown, "\n".join(golds))
        if len(self.passed) < MOST_DATED:
            self.passed += passed(item.row, shown, "\n".join(golds))
        if self.closed or not self.more_golds:
            self.golds[text] += 1
            if len(self.golds) > CLASSES and not self.closed:
                self.more_golds = True
                self.golds.clear()
        if item.options:
            self.options[len(item.options)] += 1
        if self.closed:
            self._frame(text)
            if marked(text, item.prompt):
                self._count("given_away", item.prompt)
        elif text:
            self._open(item, text)

    def _shows(self, item: Item, golds: tuple[str, ...]) -> None:
        """Golds that show by themselves that they are no answer."""
        shown = list(map(signs, golds))
        if not shown:
            return
        if all(one.nothing if self.closed else one.article for one in shown):
            self._count("empty_gold", repr(golds[0]))
        if shown[0].note:
            self._count("note", f"{item.prompt[:160]} -> {golds[0]}")
        elif all(one.no_answer for one in shown) and not item.options:
            self.nothings[golds[0].strip().casefold()] += 1
            where = (self.rows - 1, f"{item.prompt[:160]} -> {golds[0]}")
            self.examples.setdefault("nothing", where)

    def _open(self, item: Item, text: str) -> None:
        """A gold of no closed set: given away in the prompt, or drawn from nowhere."""
        if self.leaks:
            if marked(text, item.prompt):
                self._count("given_away", item.prompt)
            elif len(text) >= 24 and text in item.prompt:
                self._count("leaked", item.prompt)
        if signs(text).drawn and text not in item.prompt and text not in item.context:
            self._count("drawn", f"{item.prompt[:160]} -> {text}")

    def _frame(self, text: str) -> None:
        """Golds by place in the reading order: slices of equal size, merged as they fill up."""
        if not self.frames:
            self.frames = [Counter()]
        if self.frames[-1].total() >= self.frame_size:
            if len(self.frames) == FRAMES:
                self.frames = [self.frames[i] + self.frames[i + 1] for i in range(0, FRAMES, 2)]
                self.frame_size *= 2
            if self.frames[-1].total() >= self.frame_size:
                self.frames.append(Counter())
        self.frames[-1][text] += 1

    def _keep(self, item: Item) -> None:
        """Keep the row whole where its question belongs to the sample."""
        where = item.question_key
        # Not the bits that thin out the keys, and not the one that halves the questions.
        if (where >> 40) & ((1 << self.sample_levels) - 1) or self._kept[where] >= SAME:
            return
        self._kept[where] += 1
        if len(item.prompt) > LONGEST or len(item.context) > LONGEST:
            item.prompt, item.context = _ends(item.prompt), _ends(item.context)
        self.sample.append(item)
        while len(self.sample) > SAMPLE and self.sample_levels < 20:
            self.sample_levels += 1
            mask = (1 << self.sample_levels) - 1
            self.keep([one for one in self.sample if not (one.question_key >> 40) & mask])

    def keep(self, items: list[Item]) -> None:
        """Take `items` as the sample."""
        self.sample = items
        self._kept = Counter(item.question_key for item in items)

    @property
    def distinct(self) -> int:
        """Distinct questions read (scaled back up where the keys were thinned out)."""
        plain = len(self.seen) if not self.questions else len(self.questions)
        return plain << self.levels

    @property
    def duplicate_share(self) -> float:
        kept = len(self.seen) + self.counts["repeated"]
        if kept and not self.levels:
            return 1 - len(self.seen) / kept
        return max(0.0, 1 - (len(self.seen) << self.levels) / max(1, self.rows))

    @property
    def conflict_share(self) -> float:
        return len(self.conflicts) / len(self.seen) if self.seen else 0.0

    @property
    def sampled(self) -> bool:
        """The sample is not all rows."""
        return len(self.sample) < self.rows and self.sample_levels > 0

    def percentiles(self) -> dict[str, int]:
        ordered = sorted(self.lengths)
        if not ordered:
            return {}
        return {
            name: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
            for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))
        } | {"max": self.longest}

    def balance(self) -> tuple[str, float] | None:
        """(most common gold, its share) of a closed set."""
        total = self.golds.total()
        if not total or self.more_golds:
            return None
        gold, count = self.golds.most_common(1)[0]
        return gold, count / total


def _ends(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST // 2] + text[-LONGEST // 2 :]


def _gold_and_text(item: Item) -> int:
    """Half a hash of the golds (0 without any) and half a hash of the text with its signs, which
    only tells two rows with the same words apart."""
    gold = 0 if item.golds is None else _half_key("\0".join(sorted(item.answers)))
    text = "" if item.options else _spaced(item.prompt)
    return gold * HALF + (zlib.crc32(text.encode("utf-8", "surrogatepass")) >> 1)


@remembered
def _half_key(text: str) -> int:
    return key(text) % (HALF - 1) + 1


def _spaced(text: str) -> str:
    """A text with one space in place of each gap; most have no other gaps."""
    even = text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]
    return text if even else " ".join(text.split())
