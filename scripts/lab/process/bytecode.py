"""The bytecode of verifiers, written once.

Environments run where nothing can be written beside the code, and uv installs without compiling:
each of them would compile the library anew, which takes 8 s instead of 3.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from lab.process.sandbox import allowed

SECONDS = 120.0


def write_bytecode(python: str) -> None:
    """Import verifiers with an interpreter, unless its bytecode is there or cannot be written. This
    is outside the sandbox, and what is installed beside the library may run code at the start: it
    is for the interpreter that runs this. Nothing depends on how it ends."""
    packages = Path(python).parent.parent.glob("lib/python3*/site-packages/verifiers")
    for package in packages:
        newer = package / "v1"
        found = newer if newer.is_dir() else package
        if not any(found.glob("__pycache__/__init__.*.pyc")) and os.access(found, os.W_OK):
            name = "verifiers.v1" if found is newer else "verifiers"
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(
                    [python, "-I", "-c", f"import {name}"],
                    cwd=tempfile.gettempdir(),
                    env=allowed(),
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=SECONDS,
                    check=False,
                )
