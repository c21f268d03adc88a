"""Sets of dataset schemas with what must be found in each: one JSON object a line.

`tests/data/schemas.jsonl` has made-up rows in the shape of widely used and of home-made datasets.
`tests/data/schemas_public.jsonl` has the real columns of public datasets, with made-up rows in
their shape. Those were written in batches, each with its expectations before the inspector saw it;
`tests/data/schemas_first_contact.jsonl` says how that went (the percentage right of prompt, answer,
kind and gold, and how many were wrong at high confidence). Rules were then changed on principle, so
only the first contact of a batch speaks for unseen data.

A set in the older form, one object with its entries under `datasets`, is read as well.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from lab.answers.kinds import KINDS

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "tests" / "data" / "schemas.jsonl"
PUBLIC = ROOT / "tests" / "data" / "schemas_public.jsonl"
EXPECTED = {
    "prompt_field": (str, type(None)),
    "answer_field": (str, type(None)),
    "answer_format": (str,),
    "acceptable_alternatives": (dict,),
}
ALTERNATIVES = {"prompt_field", "answer_field", "answer_format", "choices_field", "gold"}


def shared() -> Path:
    """The set that may lie beside the repository."""
    folder = Path(os.environ.get("LAB_SHARED_DATA") or ROOT.parent / "shared" / "data")
    return folder / "dataset_schemas.json"


def load(path: Path) -> list[dict[str, Any]]:
    """The entries of a set; an entry that is not in the form is an error that names it."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        entries = [json.loads(line) for line in text.split("\n") if line]
    else:
        entries = json.loads(text)["datasets"]
    names: set[str] = set()
    for number, entry in enumerate(entries, 1):
        wrong = _wrong(entry) or ("a second one of this id" if entry["id"] in names else "")
        if wrong:
            raise ValueError(f"{path.name}, entry {number} ({entry.get('id')}): {wrong}")
        names.add(entry["id"])
    return entries


def _wrong(entry: dict[str, Any]) -> str:
    """What is not in the form, in words; empty where all is."""
    if not isinstance(entry.get("id"), str):
        return "`id` is a text"
    examples = entry.get("examples")
    if not (isinstance(examples, list) and examples and all(isinstance(e, dict) for e in examples)):
        return "`examples` is a list of rows"
    expected = entry.get("expected")
    if not isinstance(expected, dict):
        return "`expected` is a table"
    for key, types in EXPECTED.items():
        if not isinstance(expected.get(key, ...), types):
            return f"`expected.{key}` is missing or of another type"
    if expected["answer_format"] not in KINDS:
        return f"no kind of answer is called {expected['answer_format']!r}"
    if unknown := set(expected["acceptable_alternatives"]) - ALTERNATIVES:
        return f"no alternative is called {', '.join(sorted(unknown))}"
    if not isinstance(entry.get("expected_gold", []), list):
        return "`expected_gold` is a list with a gold for each of the first rows"
    return ""
