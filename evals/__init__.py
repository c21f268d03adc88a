"""The skill's own evaluation: does an agent that has it do the job better than one that has not?

`evals.json` holds the cases (what is asked, which files lie there, what must be true afterwards),
`triggers.json` the questions that should and should not bring the skill up. `python -m evals`
lays a case out in an empty folder, starts a coding agent there, and grades what it leaves behind
by running our own scripts again: the agent's word counts for nothing but the words themselves.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SKILL = "prime-lab-trainer"

for folder in (ROOT / "scripts", ROOT / "tests"):
    # The scripts' own modules, and the servers that the tests use too.
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
