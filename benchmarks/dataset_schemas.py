"""How often the fields, the kind of answer and the gold of widely used datasets are found right.

    python -m benchmarks.dataset_schemas [FILE] [--misses]

FILE is a schema file (columns, one or two rows and what must be found, per dataset); without it
the one beside the repository and the project's own two (`benchmarks/schema_sets.py`) are measured.
Each entry is written as a jsonl file, opened and read as any dataset is; only declared class names
are handed over, as a parquet file's metadata would.

The last table is the frozen fifth: the entries whose id hashes to 0 of 5. Weights are fitted on the
others; no row of the table of hints may be there for the sake of an entry in this fifth alone.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

MEASURES = ("prompt", "answer", "kind", "gold")
PRESENCE = {"json_tests", "tool_calls", "unit_tests", "constraints", "tests", "spec"}
"""Expected golds that only say what there must be, not its text."""
HIGH = 0.75


@dataclass
class Score:
    right: Counter[str] = field(default_factory=Counter)
    total: int = 0
    sure_and_wrong: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)


def is_frozen(entry: dict[str, Any]) -> bool:
    """The fifth that nothing is fitted on, chosen by the hash of the id."""
    return int(hashlib.sha256(entry["id"].encode()).hexdigest(), 16) % 5 == 0


def read(entry: dict[str, Any], folder: Path) -> tuple[Any, list[dict[str, Any]]]:
    """The schema that the inspector finds for an entry, and the rows as it read them."""
    from lab.data.rows import open_table
    from lab.data.schema import detect

    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in entry["examples"]), encoding="utf-8")
    table = open_table(str(path))
    return detect(table.head, table.columns, entry.get("class_label_names") or {}), table.head


def same_gold(expected: Any, got: Any) -> bool:
    """Whether a gold is the expected one: any of letter, index and text names an option."""
    if expected is None:
        return got is None
    if isinstance(expected, str) and expected in PRESENCE:
        return bool(got)
    if got is None:
        return False
    if isinstance(expected, dict):
        accepted = {str(value).strip().lower() for value in expected.values()}
        return str(got).strip().lower() in accepted
    if isinstance(expected, list):
        return sorted(map(str, expected)) == sorted(
            map(str, got if isinstance(got, list) else [got])
        )
    return (
        str(expected).strip()
        == (got[0] if isinstance(got, list) and len(got) == 1 else str(got)).strip()
    )


def measure(entries: list[dict[str, Any]]) -> Score:
    score = Score()
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries:
            expected = entry["expected"]
            schema, rows = read(entry, Path(folder))
            other = expected.get("acceptable_alternatives") or {}
            golds = schema.golds(rows)
            wanted = entry.get("expected_gold") or []
            got = {
                "prompt": (
                    schema.prompt.path,
                    [expected["prompt_field"], *other.get("prompt_field", [])],
                    schema.prompt.confidence,
                ),
                "answer": (
                    schema.answer.path,
                    [expected["answer_field"], *other.get("answer_field", [])],
                    schema.answer.confidence,
                ),
                "kind": (
                    schema.kind.kind,
                    [expected["answer_format"], *other.get("answer_format", [])],
                    schema.kind.confidence,
                ),
            }
            results = {name: value in accepted for name, (value, accepted, _) in got.items()}
            results["gold"] = other.get("gold") == "any" or all(
                same_gold(want, gold) for want, gold in zip(wanted, golds, strict=False)
            )
            score.total += 1
            for name in MEASURES:
                score.right[name] += results[name]
                if results[name]:
                    continue
                if name == "gold":
                    score.misses.append(
                        f"{entry['id']}: gold {golds!r:.160}, expected {wanted!r:.160}"
                    )
                    continue
                value, accepted, confidence = got[name]
                score.misses.append(
                    f"{entry['id']}: {name} {value!r} ({confidence:.2f}), expected {accepted[0]!r}"
                )
                if confidence >= HIGH:
                    score.sure_and_wrong.append(f"{entry['id']}: {name}")
    return score


def table(name: str, score: Score) -> list[str]:
    lines = [f"{name}: {score.total} schemas"]
    for measure_name in MEASURES:
        share = score.right[measure_name] / max(1, score.total)
        lines.append(
            f"  {measure_name:<8} {score.right[measure_name]:>3}/{score.total}  {share:6.1%}"
        )
    lines.append(f"  wrong at confidence >= {HIGH}: {len(score.sure_and_wrong)}")
    return lines


def sets(given: list[str]) -> list[Path]:
    from benchmarks.schema_sets import OWN, PUBLIC, shared

    if given:
        return [Path(name) for name in given]
    return [path for path in (shared(), OWN, PUBLIC) if path.is_file()]


def main(argv: list[str]) -> int:
    from benchmarks.schema_sets import load

    files = sets([value for value in argv if not value.startswith("-")])
    if not files:
        print("no schema file found: give one, or set LAB_SHARED_DATA")
        return 4
    tables = {path.name: load(path) for path in files}
    tables["frozen fifth"] = [
        entry for entries in tables.values() for entry in entries if is_frozen(entry)
    ]
    for name, entries in tables.items():
        score = measure(entries)
        print("\n".join(table(name, score)))
        if "--misses" in argv:
            print("\n".join(f"    {miss}" for miss in score.misses))
            print("\n".join(f"    sure and wrong: {miss}" for miss in score.sure_and_wrong))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
