"""What this machine has against foreign code, and in words what it lacks.

    protection().missing      for preflight and for the reports; empty when nothing is

Bubblewrap is used where it works, else Landlock with a process namespace, as far as each is there.
PRIME_LAB_SANDBOX=landlock or =off leaves the stronger ones out.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from lab import LAB
from lab.cli.files import write_whole
from lab.cli.places import state_folder
from lab.cli.report import Report, usage

VARIABLE = "PRIME_LAB_SANDBOX"
CHOICES = ("bubblewrap", "landlock", "off")
SECONDS = 20.0
SIZED_FROM = (0, 8)
"""The first release of bubblewrap that can bound a folder in memory."""


@dataclass(frozen=True)
class Protection:
    """What holds foreign code here."""

    files: str = ""
    """`bubblewrap`, `landlock`, or empty."""
    processes: bool = False
    """It has a process namespace: it sees and signals none of the others."""
    proc: bool = False
    signals: bool = False
    """It can signal no process outside, by whichever means."""
    sockets: bool = False
    """It cannot connect to the sockets of this user's other programs."""
    bubblewrap: str = ""
    sized: bool = False
    switched_off: bool = False

    @property
    def missing(self) -> list[str]:
        """What is not held here, one clause each."""
        lacks = []
        if not self.files:
            lacks.append("it can read and change this user's files")
            lacks.append("it can read the variables and memory of this user's other programs")
        if not self.signals:
            lacks.append("it can end this user's other programs")
        if not self.sockets:
            lacks.append("it can connect to sockets of this user's programs (docker, ssh-agent)")
        return lacks

    @property
    def words(self) -> str:
        """One line for a report."""
        by = {"bubblewrap": "bubblewrap", "landlock": "Landlock"}.get(self.files, "limits only")
        if not self.missing:
            return f"an environment's code runs in a sandbox ({by})"
        off = f"; {VARIABLE}=off is set" if self.switched_off else ""
        return f"sandbox: {by}{off}. Not held on this machine: {'; '.join(self.missing)}"

    @property
    def fix(self) -> str:
        if self.switched_off:
            return f"unset {VARIABLE}"
        return (
            "install bubblewrap (apt-get install bubblewrap), or use a machine that is yours alone"
        )


def tell(report: Report) -> None:
    """Say in a report of a step that ran foreign code what held it, and what did not: always in
    its facts, and in words once, until that changes."""
    has = protection()
    report.facts["sandbox"] = {"held_by": has.files or "limits", "missing": has.missing}
    if has.missing and first_told(has):
        report.section("sandbox", [has.words, f"fix: {has.fix}"])


def first_told(has: Protection) -> bool:
    """Whether this user has not been told it on this machine yet; from now on they have."""
    told = state_folder() / "sandbox-told"
    with suppress(OSError, UnicodeDecodeError):
        if told.read_text(encoding="utf-8") == has.words:
            return False
    with suppress(OSError):
        told.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(told, has.words)
    return True


def protection() -> Protection:
    """What is used here, decided once per process."""
    asked = os.environ.get(VARIABLE, "")
    if asked and asked not in CHOICES:
        raise usage(
            f"{VARIABLE}={asked} is none of {', '.join(CHOICES)}",
            "unset it: the best that works here is used",
            id="input.sandbox",
        )
    return _found(asked, os.environ.get("PATH", ""))


@cache
def _found(asked: str, path: str) -> Protection:
    if asked == "off" or not sys.platform.startswith("linux"):
        return Protection(switched_off=asked == "off")
    wrapper = shutil.which("bwrap", path=path) if asked != "landlock" else None
    if wrapper and _works(wrapper):
        sized = _version(wrapper) >= SIZED_FROM
        return Protection("bubblewrap", True, True, True, True, wrapper, sized)
    if asked == "bubblewrap":
        raise usage(
            f"{VARIABLE}=bubblewrap, and bubblewrap is not here or may not start",
            "install it, or unset the variable",
            id="input.sandbox",
        )
    kernel = _asked_kernel()
    landlock, processes = int(kernel.get("landlock", 0)), bool(kernel.get("processes"))
    return Protection(
        files="landlock" if landlock else "",
        processes=processes,
        proc=bool(kernel.get("proc")),
        signals=processes or landlock >= 6,
    )


def _works(wrapper: str) -> bool:
    words = "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --cap-drop ALL --ro-bind / /"
    line = [wrapper, *words.split(), "--proc", "/proc", "--dev", "/dev", "true"]
    done = _run(line)
    return done is not None and done.returncode == 0


def _version(wrapper: str) -> tuple[int, ...]:
    done = _run([wrapper, "--version"])
    numbers = re.findall(r"\d+", done.stdout if done else "")
    return tuple(map(int, numbers[:2]))


def _asked_kernel() -> dict[str, Any]:
    supervisor = LAB / "process" / "supervisor.py"
    done = _run([sys.executable, "-I", str(supervisor), "probe"])
    with suppress(ValueError):
        return json.loads(done.stdout if done else "")
    return {}


def _run(line: list[str]) -> subprocess.CompletedProcess[str] | None:
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    return None
