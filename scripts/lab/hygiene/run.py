"""Scans over a table: a spread sample, or every row with a checkpoint that a later run takes up."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab.answers.kinds import content_family
from lab.hygiene.scan import Scan, held_out_index, restore, state
from lab.report import LabError
from lab.rows.model import Row, Table, spread
from lab.schema.detect import Schema, as_text
from lab.schema.paths import columns as single_paths
from lab.schema.paths import get
from lab.schema.profile import top_column

SAMPLE = 2000
HELD_OUT = 2000
NO_GOLDS = {"preference_pair", "spec_numbers_target"}
CHECKPOINT_SECONDS = 5.0
"""Seconds of reading that an interruption can cost."""


def sample(table: Table, schema: Schema, size: int = SAMPLE) -> tuple[Scan, bool, list[int], int]:
    """(scan, whether it covers every row, n-grams per held-out row, held-out rows) over a spread of `table`."""
    rows = table.spread(size)
    # Of rows of many megabytes a spread reaches few: then the first ones say more.
    rows = rows if len(rows) >= min(len(table.head), size) else table.head
    scan, sizes, held = _prepared(table, schema, rows)
    for row in rows:
        _add(scan, schema, row)
    return scan, table.rows is not None and len(rows) >= table.rows, sizes, held


def full(table: Table, schema: Schema, tell: Callable[[int], None]) -> tuple[Scan, list[int], int]:
    """Every row of the split, in batches; after an interruption the next run goes on where it stopped."""
    scan, sizes, held = _prepared(table, schema, table.head)
    saved = _Checkpoint(table, schema)
    first, position = saved.load(scan)
    needed = [top_column(part, table.columns) for path in (schema.prompt.path, schema.answer.path, schema.choices.path if schema.choices else None, *schema.context) if path for part in single_paths(path)]
    wanted = list(dict.fromkeys(needed))
    last = time.monotonic()
    for number, reader in list(enumerate(table.readers))[first:]:
        try:
            for batch in reader.batches(wanted, start=position):
                for row in batch:
                    _add(scan, schema, row)
                position = reader.position
                tell(scan.rows)
                if time.monotonic() - last > CHECKPOINT_SECONDS:
                    saved.store(scan, number, position)
                    last = time.monotonic()
        except LabError:
            # The reader failed between two batches: scan and position belong together.
            saved.store(scan, number, position)
            raise
        position = 0
    saved.clear()
    return scan, sizes, held


def _prepared(table: Table, schema: Schema, rows: list[Row]) -> tuple[Scan, list[int], int]:
    golds = [gold for gold in schema.golds(rows[:400]) if gold is not None]
    family = content_family(schema.kind.kind, golds)
    letters = bool(schema.choices) and schema.kind.kind in ("class_label_int",)
    extractive = bool(schema.context) and family in ("text", "list")
    scan = Scan(closed=family in ("choice", "boolean", "label") or letters, leaks=not extractive and family in ("number", "math", "text", "list", "unknown"))
    held, is_held_out = held_out_rows(table)
    prompts = [text for row in held if (text := schema.prompt_text(row))]
    if is_held_out and schema.answer.path and schema.kind.kind not in NO_GOLDS and not schema.summary:
        scan.held_rows, scan.held_no_gold = len(held), sum(schema.gold(row) is None for row in held)
    sizes: list[int] = []
    if prompts:
        scan.held_out, scan.held_out_keys, sizes = held_out_index(prompts)
    return scan, sizes, len(prompts)


def held_out_rows(table: Table, size: int = HELD_OUT) -> tuple[list[Row], bool]:
    """Rows of the other side (held out, when the training split is the one opened), and whether it is that."""
    from lab.rows.splits import choose

    train, held = choose(table.splits)
    name = held if table.split == train else train if table.split == held else None
    readers = table.other.get(name or "", [])
    try:
        return (spread(readers, size) if readers else []), table.split == train
    except LabError as error:
        table.notes.append(f"split {name}: {error.message}")
        return [], False


def _add(scan: Scan, schema: Schema, row: Row) -> None:
    options = len(schema.choices.options(row)[0]) if schema.choices else 0
    context = "\n".join(as_text(get(row, path)) for path in schema.context) if schema.context else ""
    if options and schema.choices:
        context += "\n" + as_text(get(row, schema.choices.path))
    gold = schema.gold(row)
    if gold is None and (schema.kind.kind in NO_GOLDS or schema.summary):
        gold = as_text(get(row, schema.answer.path))[:4000] if schema.answer.path else None
    scan.add(schema.prompt_text(row), gold, options, context)


class _Checkpoint:
    """Where a full reading stands, in the cache folder; it belongs to one state of the data."""

    def __init__(self, table: Table, schema: Schema):
        about: list[Any] = [table.dataset, table.config, table.split, table.revision, schema.prompt.path, schema.answer.path, schema.kind.kind]
        for reader in table.readers:
            blob = getattr(reader, "blob", None)
            path = getattr(blob, "path", None)
            about.append([str(blob), getattr(blob, "size", 0), path.stat().st_mtime_ns if path else 0])
        name = hashlib.sha256(json.dumps(about, default=str).encode()).hexdigest()[:20]
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        self.path = Path(base) / "prime-lab-trainer" / "inspect" / f"{name}.npz"

    def load(self, scan: Scan) -> tuple[int, int]:
        """(file, position in it) to go on from; (0, 0) at the start."""
        import numpy as np

        try:
            with np.load(self.path, allow_pickle=False) as saved:
                meta = json.loads(str(saved["meta"]))
                seen = dict(zip(saved["keys"].tolist(), saved["golds"].tolist(), strict=True))
                restore(scan, meta["scan"], seen, set(saved["conflicts"].tolist()))
                return int(meta["reader"]), int(meta["position"])
        except (OSError, ValueError, KeyError):
            return 0, 0

    def store(self, scan: Scan, reader: int, position: int) -> None:
        import numpy as np

        self.path.parent.mkdir(parents=True, exist_ok=True)
        meta = json.dumps({"scan": state(scan), "reader": reader, "position": position})
        draft = self.path.with_suffix(".tmp.npz")
        np.savez(draft, meta=np.array(meta), keys=np.fromiter(scan.seen.keys(), dtype=np.int64, count=len(scan.seen)), golds=np.fromiter(scan.seen.values(), dtype=np.int64, count=len(scan.seen)), conflicts=np.fromiter(scan.conflicts, dtype=np.int64, count=len(scan.conflicts)))
        draft.replace(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)
