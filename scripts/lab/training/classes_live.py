"""What an environment's config classes accept, asked of the imported classes in a child process.

Slower than reading the source (verifiers takes seconds to import) and certain: inherited fields
and computed choices are seen. Nothing of the environment runs in our own process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from lab.training.rules.base import EnvironmentClasses

SECONDS = 120.0

_ASK = """
import json, sys, typing
import verifiers.v1 as vf
module = sys.argv[1]
def plain(value):
    return value if value is None or isinstance(value, (str, int, float, bool)) else None
def describe(model):
    out = {}
    for name, field in model.model_fields.items():
        choices = [plain(c) for c in typing.get_args(field.annotation)] if typing.get_origin(field.annotation) is typing.Literal else None
        kind = getattr(field.annotation, "__name__", "") if isinstance(field.annotation, type) else str(field.annotation).replace("typing.", "")
        out[name] = {"type": kind, "default": plain(field.default), "choices": choices}
    return out
config = vf.taskset_config_type(module)
fields = describe(config)
task = fields.pop("task", None)
task_model = config.model_fields["task"].annotation if "task" in config.model_fields else None
found = {"fields": {k: v for k, v in fields.items() if k != "id"}, "task_fields": sorted(getattr(task_model, "model_fields", {})), "seats": ["agent"]}
imported = __import__(module)
for name in getattr(imported, "__all__", []):
    value = getattr(imported, name)
    if isinstance(value, type) and issubclass(value, vf.Env):
        hints = [base for klass in value.__mro__ for base in getattr(klass, "__orig_bases__", ()) if typing.get_args(base)]
        for base in hints:
            model = typing.get_args(base)[0]
            seats = [n for n, f in getattr(model, "model_fields", {}).items() if isinstance(f.annotation, type) and issubclass(f.annotation, vf.AgentConfig)]
            if seats:
                found["seats"] = seats
                break
print("\\n" + json.dumps(found))
"""


def read(folder: Path | None, module: str) -> EnvironmentClasses | None:
    """The classes of `module` with `folder` on the path; None when they cannot be imported."""
    path = os.pathsep.join(filter(None, (str(folder.resolve()) if folder else "", os.environ.get("PYTHONPATH", ""))))
    try:
        done = subprocess.run(
            [sys.executable, "-c", _ASK, module],
            env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
        found = json.loads(done.stdout.strip().splitlines()[-1])
        return EnvironmentClasses(module, found["fields"], tuple(found["seats"]), tuple(found["task_fields"]), f"the imported classes of {module}")
    except (OSError, subprocess.SubprocessError, ValueError, IndexError, KeyError):
        return None
