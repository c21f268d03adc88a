"""`Form`: a text that says the same as a gold, and how usual it is.

Three levels. `core`: any reader takes it for the gold, and models write it all the time
(`1,234` for 1234). `usual`: the same answer in common dress (`**1234**`, `(B)`); a reward that
refuses many of these wastes right answers. `choice`: whether it counts is the author's policy
(`Option B`, `one thousand`); reported, never failed.
"""

from __future__ import annotations

from dataclasses import dataclass

CORE, USUAL, CHOICE = "core", "usual", "choice"


@dataclass(frozen=True)
class Form:
    name: str
    """Stable: what is declared in contract.toml as refused."""
    text: str
    level: str
