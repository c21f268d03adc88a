"""Where a full reading got to, kept in the cache folder; it belongs to one state of the data."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from lab.data.checks.clock_change import Passed
from lab.data.checks.date_order import Dated, Read
from lab.data.checks.item import Item
from lab.data.checks.scan import Scan
from lab.data.rows.model import Table
from lab.data.schema.model import Schema

PLAIN = (
    "rows",
    "levels",
    "more_golds",
    "lengths",
    "longest",
    "frame_size",
    "rates",
    "examples",
    "ordered",
    "sample_levels",
)
COUNTED = ("counts", "golds", "nothings")


class Checkpoint:
    def __init__(self, table: Table, schema: Schema):
        about: list[Any] = [table.dataset, table.config, table.split, table.revision]
        about += [schema.prompt.path, schema.answer.path, schema.kind.kind]
        for reader in table.readers:
            blob = getattr(reader, "blob", None)
            path = getattr(blob, "path", None)
            about.append(
                [str(blob), getattr(blob, "size", 0), path.stat().st_mtime_ns if path else 0]
            )
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
                restore(scan, meta["scan"])
                scan.seen, scan.conflicts = seen, set(saved["conflicts"].tolist())
                scan.questions = set(saved["questions"].tolist())
                return int(meta["reader"]), int(meta["position"])
        except (OSError, ValueError, KeyError):
            return 0, 0

    def store(self, scan: Scan, reader: int, position: int) -> None:
        import numpy as np

        self.path.parent.mkdir(parents=True, exist_ok=True)
        meta = json.dumps({"scan": state(scan), "reader": reader, "position": position})
        draft = self.path.with_suffix(".tmp.npz")
        np.savez(
            draft,
            meta=np.array(meta),
            keys=_numbers(scan.seen.keys()),
            golds=_numbers(scan.seen.values()),
            conflicts=_numbers(scan.conflicts),
            questions=_numbers(scan.questions),
        )
        draft.replace(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)


def _numbers(values: Collection[int]) -> Any:
    import numpy as np

    return np.fromiter(values, dtype=np.int64, count=len(values))


def state(scan: Scan) -> dict[str, Any]:
    """A scan as JSON, without the keys of its questions."""
    out: dict[str, Any] = {name: getattr(scan, name) for name in (*PLAIN, *COUNTED)}
    out["dated"] = list(scan.dated)
    out["passed"] = list(scan.passed)
    out["options"] = list(scan.options.items())
    out["overlap"] = [sorted(scan.overlap.exact), sorted(scan.overlap.near)]
    out["frames"] = [dict(frame) for frame in scan.frames]
    out["sample"] = [
        [item.prompt, item.golds, item.options, item.context, dict(item.rates), item.row]
        for item in scan.sample
    ]
    return out


def restore(scan: Scan, saved: dict[str, Any]) -> None:
    """The state back into an empty scan."""
    scan.dated = [_dated(*one) for one in saved.get("dated", [])]
    scan.passed = [Passed(*one) for one in saved.get("passed", [])]
    for name in PLAIN:
        setattr(scan, name, saved[name])
    scan.examples = {kind: (row, text) for kind, (row, text) in saved["examples"].items()}
    for name in COUNTED:
        setattr(scan, name, Counter(saved[name]))
    scan.options = Counter(dict(saved["options"]))
    exact, near = saved["overlap"]
    scan.overlap.exact, scan.overlap.near = set(exact), set(near)
    scan.frames = [Counter(frame) for frame in saved["frames"]]
    scan.keep(
        [
            Item(prompt, _tuple(golds), tuple(options), context, rates, row=row)
            for prompt, golds, options, context, rates, row in saved["sample"]
        ]
    )


def _tuple(golds: list[str] | None) -> tuple[str, ...] | None:
    return None if golds is None else tuple(golds)


def _dated(row: int, mark: str, own: str, held: bool, reads: Any, said: Any, places: Any) -> Dated:
    read = tuple(Read(*one) for one in reads)
    return Dated(row, mark, own, held, read, tuple(said), tuple(places))
