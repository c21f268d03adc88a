"""What the ladder's steps share: small modules, each one idea, in the order of `ORDER`.

A module imports only from its own unit and from the units before it, and no circle of modules
exists, not even a circle of imports inside functions. `tests/test_import_order.py` holds both.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType

__version__ = "0.1.0"

LAB = Path(__file__).resolve().parent
SCRIPTS = LAB.parent
SKILL = SCRIPTS.parent
"""The skill's own folder: SKILL.md, references, templates and environments lie there."""


def _interrupted(kind: type[BaseException], error: BaseException, trace: TracebackType | None):
    """Ctrl-C while a script is still being imported: no traceback."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


if sys.argv and Path(sys.argv[0]).resolve().parent == SCRIPTS:
    sys.excepthook = _interrupted


ORDER = (
    "rates",
    "sizes",
    "cli",
    "process",
    "answers",
    "data.rows",
    "data.schema",
    "data.checks",
    "ledger",
    "environment",
    "reward",
    "review",
    "rollouts",
    "learnability",
    "training",
    "ladder",
    "platform.prime",
    "evaluation",
    "warmup",
    "comparison",
    "platform.package",
    "audits",
    "platform.submission",
    "platform.monitoring",
    "scaffold",
    "setup",
    "upkeep",
)
"""The units from bottom to top; `a.b` is the folder `a/b`, a single name a folder or a module."""
