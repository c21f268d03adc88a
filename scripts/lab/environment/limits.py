"""What the child process of an environment is held to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds, bytes and counts that the child process is held to."""

    load: float = 180.0
    """Seconds for importing the environment and reading its tasks."""
    score: float = 20.0
    """Seconds for one completion."""
    total: float = 900.0
    """Seconds for all completions together."""
    memory: int = 8 << 30
    """Bytes of address space."""
    restarts: int = 12
    """How many times scoring that hung or died is started again."""
