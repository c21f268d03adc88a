"""The real schema, where it can be had: an installed prime-rl-configs, or the platform's own check.

The package is not on PyPI; who has prime-rl checked out has it. It is asked in a child process,
because it imports the environment's own classes. `prime train validate` installs the schema of
the platform's current image (about half a gigabyte, once) and needs a login.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lab.report import Check, Finding
from lab.secrets import NAMES
from lab.training.file import TrainingFile
from lab.untrusted import excerpt

SCHEMA = Check(
    "config.schema",
    title="prime-rl's own schema accepts the file",
    expected="accepted",
    reason="The rules here know the keys that matter; the schema knows all of them.",
    source="prime-rl-configs; prime train validate",
)

_ASK = """
import json, sys
def validate(data, mode):
    for kind in ("train", "eval"):
        for source in (data.get("orchestrator") or {}).get(kind, {}).get("source", []):
            taskset = source.get("env", {}).get("taskset", {})
            if isinstance(taskset.get("id"), str):
                taskset["id"] = taskset["id"].rsplit("/", 1)[-1].split("@", 1)[0]
    try:
        if mode == "sft":
            from prime_rl.configs.sft import SFTConfig as Config
        else:
            from prime_rl.configs.rl import RLConfig as Config
    except ImportError as error:
        return {"absent": str(error)}
    try:
        Config.model_validate(data)
        return {}
    except ModuleNotFoundError as error:
        return {"unchecked": str(error)}
    except Exception as error:
        errors = getattr(error, "errors", lambda: [])()
        told = ["%s: %s" % (".".join(map(str, e["loc"])), e["msg"]) for e in errors]
        return {"errors": (told or ["%s: %s" % (type(error).__name__, error)])[:8]}

print(json.dumps([validate(data, mode) for data, mode in json.load(sys.stdin)]))
"""

CLIENT_ONLY = ("env_file", "env_files", "image_tag", "gpu_type", "volume", "volume_size", "source_ref", "type", "name")


def check_schema(file: TrainingFile, folder: Path | None) -> Finding:
    """One finding; a skip says where the schema would come from."""
    if not _installed():
        return SCHEMA.skip("prime-rl-configs is not installed here; --validate asks the platform's own")
    return ask([file], [str(folder)] if folder else [])[0]


def ask(files: list[TrainingFile], folders: list[str]) -> list[Finding]:
    """A finding per file, from one child process with `folders` on its path and without any key."""
    path = os.pathsep.join(filter(None, (*folders, os.environ.get("PYTHONPATH", ""))))
    data = [({key: value for key, value in file.data.items() if key not in CLIENT_ONLY}, file.mode) for file in files]
    try:
        done = subprocess.run(
            [sys.executable, "-c", _ASK],
            input=json.dumps(data, default=str),
            env={**{name: value for name, value in os.environ.items() if not NAMES.search(name)}, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=180,
            check=True,
        )
        return [_finding(found) for found in json.loads(done.stdout.strip().splitlines()[-1])]
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        return [SCHEMA.skip(f"the installed schema could not be asked: {excerpt(error, 200)}") for _ in files]


def _finding(found: dict[str, Any]) -> Finding:
    if "absent" in found:
        return SCHEMA.skip(f"prime-rl-configs is not installed here ({excerpt(found['absent'], 80)}); --validate asks the platform's own")
    if "unchecked" in found:
        return SCHEMA.skip(f"the schema needs the environment installed: {excerpt(found['unchecked'], 120)}")
    if found.get("errors"):
        return SCHEMA.fail(len(found["errors"]), "; ".join(excerpt(error, 200) for error in found["errors"]), "correct these keys")
    return SCHEMA.ok("accepted", "by the prime-rl-configs installed here")


def _installed() -> bool:
    try:
        return find_spec("prime_rl.configs") is not None
    except ModuleNotFoundError:
        return False
