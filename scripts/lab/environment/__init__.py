"""An environment of either API behind one small protocol: its tasks, and `score(task, completion)`.

`locate` finds it (folder, module file, installed name) without importing it. `Environment` runs
it in a child process with limits, because its code is not trusted: a reward that hangs, exits,
kills or floods costs one score with an error, never the tool.
"""

from lab.environment.host import Environment
from lab.environment.limits import Limits
from lab.environment.locate import CLASSIC, TASKSET, Location, locate
from lab.environment.protocol import (
    Completion,
    Description,
    Played,
    Score,
    Task,
    Validity,
    Watched,
)

__all__ = [
    "CLASSIC",
    "TASKSET",
    "Completion",
    "Description",
    "Environment",
    "Limits",
    "Location",
    "Played",
    "Score",
    "Task",
    "Validity",
    "Watched",
    "locate",
]
