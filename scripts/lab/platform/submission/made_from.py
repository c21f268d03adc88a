"""What new_environment.py left in a package's folder: the profile of its dataset, and its choice of
rows. Nothing of it is measured on rollouts."""

from __future__ import annotations

from pathlib import Path

from lab.cli.files import json_object
from lab.data.checks.text import CHARACTERS_PER_TOKEN
from lab.ledger.index import name_of
from lab.ledger.records import FOLDER
from lab.training.rules.base import is_number

AROUND = 128
"""Tokens of a system prompt and of the chat template, around the dataset's own prompt."""


def tokens_of_profile(folder: Path) -> float | None:
    """Tokens of a long prompt (99th percentile) by the dataset's profile; None without one."""
    facts = json_object(folder / FOLDER / "profile.json").get("facts")
    sizes = facts.get("prompt_characters") if isinstance(facts, dict) else None
    longest = sizes.get("p99") if isinstance(sizes, dict) else None
    return AROUND + longest / CHARACTERS_PER_TOKEN if is_number(longest) else None


def held_out(folder: Path) -> int | None:
    """How many tasks are held out by the package's own choice of rows; None without one."""
    module = name_of(folder).replace("-", "_")
    held = json_object(folder / module / "data" / "selection.json").get("held_out")
    return len(held) if isinstance(held, list) and held else None
