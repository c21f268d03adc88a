"""Common graders on labelled responses: TPR, FPR and J per source, as published tables have them.

    python -m benchmarks.verifier_graders [FILE]

FILE is verifier_bench.jsonl (beside the repository, or in LAB_SHARED_DATA): responses with golds
and a label by people or exact arithmetic.
"""

from __future__ import annotations

import json
import os
import re
import string
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from lab.probes.labelled import Rates, grade

ROOT = Path(__file__).resolve().parents[1]
Grader = Callable[[str, list[str]], float]


def squad(text: str) -> str:
    text = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def last_number(text: str) -> str | None:
    found = re.findall(r"-?\d[\d,]*\.?\d*", text)
    return found[-1].replace(",", "").rstrip(".") if found else None


def _numbers_equal(response: str, gold: str) -> bool:
    given, right = last_number(response), last_number(gold)
    return given is not None and right is not None and float(given) == float(right)


def contains(response: str, gold: str) -> bool:
    return gold.lower() in response.lower()


GRADERS: dict[str, Grader] = {
    "exact strip": lambda response, golds: float(any(response.strip() == gold.strip() for gold in golds)),
    "SQuAD-norm EM": lambda response, golds: float(any(squad(response) == squad(gold) for gold in golds)),
    "gold in response": lambda response, golds: float(any(contains(response, gold) for gold in golds)),
    "either-direction substring": lambda response, golds: float(any(contains(response, g) or contains(g, response) for g in golds)),
    "last number": lambda response, golds: float(any(_numbers_equal(response, gold) for gold in golds)),
}


def measure(path: Path) -> dict[str, dict[str, Rates]]:
    """Per grader and source."""
    sources = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            sources[row["source"]].append(row)
    return {name: {source: grade(rows, grader) for source, rows in sources.items()} for name, grader in GRADERS.items()}


def data() -> Path:
    return Path(os.environ.get("LAB_SHARED_DATA") or ROOT.parent / "shared" / "data") / "verifier_bench.jsonl"


def main() -> int:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else data()
    if not path.is_file():
        print(f"skipped: {path} is not there (LAB_SHARED_DATA names its folder)")
        return 0
    for name, by_source in measure(path).items():
        print(name)
        for source, r in by_source.items():
            low, high = r.intervals["fpr"]
            print(f"  {source:18} {r.right:5} right {r.wrong:5} wrong   TPR {r.tpr:.3f}  FPR {r.fpr:.3f} ({low:.3f} to {high:.3f})  J {r.j:+.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
