"""What one interpreter and this machine have and lack for the ladder, as `setup.*` findings.

`inspect(python)` looks without a network; each check is one small function. What only some steps
need (a login, a token, disk space) is a warning that names those steps.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from lab.cli.command import script
from lab.cli.interpreter import begun, named
from lab.cli.login import LOG_IN, Login, read_login
from lab.cli.report import Check, Finding, LabError
from lab.cli.requirements import COMMANDS, need, needs, python_range
from lab.process.protection import first_told, protection
from lab.setup.interpreter import DEFAULT, Interpreter, ask, command, shebang

FREE_GB = 2.0
"""verifiers, prime and datasets with their dependencies take about 1 GB; evaluations the rest."""

VERIFIERS, PRIME, UV = need("verifiers"), need("prime"), need("uv")
FIRST, FIRST_AFTER = python_range()
RANGE = f">={FIRST[0]}.{FIRST[1]},<{FIRST_AFTER[0]}.{FIRST_AFTER[1]}"

PYTHON = Check(
    "setup.python",
    title="Python is in the range that verifiers supports",
    expected=RANGE,
    reason="Outside this range the packages of the ladder do not install.",
    source="verifiers: requires-python in its metadata",
)
API = Check(
    "setup.verifiers",
    title="verifiers has the taskset (v1) API",
    expected=VERIFIERS.range,
    reason="0.4 has only tasksets; 0.1.10-0.3.1 have the classic API. "
    "The same package name imports differently.",
    source="verifiers: 0.4.0 and 0.3.1, imported side by side",
)
PACKAGES = Check(
    "setup.packages",
    title="the packages that the scripts import are installed",
    expected="all of [project] dependencies in pyproject.toml, in their ranges",
    reason="A script that stops halfway for a missing package costs a step and explains nothing.",
    source="partial set-up",
)
CLIENT = Check(
    "setup.prime",
    title="the prime command line takes today's training files",
    expected=PRIME.range,
    reason="Clients before 0.13 send the flat training file, which the platform no longer runs.",
    source="prime: prime train",
)
BUILDER = Check(
    "setup.uv",
    title="uv is beside the interpreter or on PATH",
    expected=UV.range,
    reason="Packages are built and tried with it, and the stock chat harness starts with it.",
    source="verifiers: harnesses; prime: env push",
)
LOGIN = Check(
    "setup.login",
    title="prime is logged in",
    expected="a key from PRIME_API_KEY, the context or the config file",
    reason="Publishing, training and Prime Inference need an account; every local step works "
    "without one.",
    source="prime: core/config.py",
)
HF_TOKEN = Check(
    "setup.hf_token",
    title="a Hugging Face token is set (optional)",
    expected="HF_TOKEN or a token file",
    reason="Gated datasets and models need it; public ones do not.",
    source="huggingface_hub: get_token",
)
DISK = Check(
    "setup.disk",
    title="there is free disk space",
    expected=f">= {FREE_GB:g} GB",
    reason="Packages, datasets and evaluation results are written here.",
    source="size of a set-up",
)
SANDBOX = Check(
    "setup.sandbox",
    title="an environment's code is held in a sandbox",
    expected="bubblewrap or Landlock, without a gap",
    reason="What somebody else's environment may read and do depends on this machine.",
    source="planted secrets: three kinds of machine",
)


def inspect(python: Interpreter) -> Iterator[Finding]:
    """Everything that can be said without a network."""
    yield _python(python)
    yield _verifiers(python)
    yield _packages(python)
    yield _prime(python)
    yield _uv(python)
    yield _login(read_login())
    yield _hf_token()
    yield _disk(Path.cwd())
    yield _sandbox()


def install_command(python: Interpreter) -> str:
    """What installs everything: into `.venv` of the working folder, or into this interpreter when
    it is one of a virtual environment."""
    environment = Path(python.path).parent.parent
    if not (environment / "pyvenv.cfg").is_file() or environment == Path.cwd() / DEFAULT:
        return script("preflight.py", "--install")
    if Path(python.path).parent == Path(sys.executable).parent:
        return script("preflight.py", "--install")
    return script("preflight.py", "--install", "--venv", named(environment))


def _python(python: Interpreter) -> Finding:
    shown = ".".join(map(str, python.version))
    if FIRST <= python.version[:2] < FIRST_AFTER:
        return PYTHON.ok(shown, python.path)
    return PYTHON.fail(
        shown,
        f"{python.path} is Python {shown}, outside {RANGE}",
        "use another interpreter, for example: uv venv --python 3.12 && source .venv/bin/activate",
    )


def _verifiers(python: Interpreter) -> Finding:
    version = python.packages.get(VERIFIERS.name)
    fix = f"run {install_command(python)}"
    if version is None:
        return API.fail("not installed", f"{python.path} has no verifiers", fix)
    if python.api == "taskset":
        return API.ok(version, "tasksets (v1)")
    if python.api == "classic":
        return API.warn(
            version,
            f"verifiers {version} has the classic API: environments with load_environment() load "
            "here; tasksets, and so the templates and new environments of this skill, do not",
            "keep it for classic environments in an environment of its own; for tasksets: "
            f"{script('preflight.py', '--install', '--venv', DEFAULT)}",
        )
    return API.fail(version, f"verifiers {version} is outside {VERIFIERS.range}", fix)


def _packages(python: Interpreter) -> Finding:
    """All of the list but verifiers and the commands, which have findings of their own."""
    if begun(python.prefix):
        return PACKAGES.fail(
            "not finished",
            f"an installation into {python.prefix} was ended in the middle",
            f"run {install_command(python)}",
        )
    apart = (VERIFIERS.name, *COMMANDS)
    lacks = [one for one in python.lacks() if one.name not in apart]
    count = len(needs()) - len(apart)
    if not lacks:
        return PACKAGES.ok(f"{count} of {count}", python.path)
    shown = [
        f"{one.name} {python.packages[one.name]} is outside {one.range}"
        if one.name in python.packages
        else f"{one.name} is not installed"
        for one in lacks
    ]
    return PACKAGES.fail(
        f"{count - len(lacks)} of {count}", "; ".join(shown), f"run {install_command(python)}"
    )


def _prime(python: Interpreter) -> Finding:
    """The client found beside the interpreter, else on PATH: its version, and whose it is."""
    found = command(python.path, "prime")
    if not found:
        return CLIENT.fail(
            "not installed",
            "there is no prime command: push_environment.py, submit_training.py and "
            "monitor_training.py need it",
            f"run {install_command(python)}",
        )
    anew = "install the client anew: uv tool install --force prime"
    owner = shebang(Path(found))
    if owner is None:
        return CLIENT.warn(
            "unknown", f"{found} is not a Python script, so its version is not known", anew
        )
    try:
        version = ask(owner).packages.get(PRIME.name)
    except LabError:
        return CLIENT.fail("broken", f"{found} belongs to {owner}, which does not run", anew)
    if version is None:
        return CLIENT.fail(
            "broken", f"{found} belongs to {owner}, which has no prime package", anew
        )
    if not PRIME.accepts(version):
        return CLIENT.fail(
            version,
            f"{found} is prime {version}: before 0.13 it sends the flat training file, which the "
            "platform refuses",
            f"update it: uv tool upgrade prime (or pip install -U '{PRIME.requirement}')",
        )
    same = (
        Path(owner).resolve() == Path(python.path).resolve()
        and Path(owner).parent == Path(python.path).parent
    )
    other = f"another interpreter ({owner}), which is fine: only the command is used"
    return CLIENT.ok(version, f"{found}, of {'this interpreter' if same else other}")


def _uv(python: Interpreter) -> Finding:
    found, fix = command(python.path, "uv"), f"run {install_command(python)}"
    if not found:
        return BUILDER.fail(
            "not found",
            "push_environment.py builds the package with uv, and the stock chat harness starts "
            "with it",
            fix,
        )
    version = _uv_version(found)
    if not UV.accepts(version or "0"):
        return BUILDER.fail(version or "broken", f"{found} is not uv {UV.range}", fix)
    return BUILDER.ok(version, found)


def _uv_version(found: str) -> str:
    try:
        done = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return ""
    version = re.search(r"\d+(?:\.\d+)+", done.stdout)
    return version[0] if version else ""


def _login(login: Login) -> Finding:
    if login:
        team = f", team {login.team}" if login.team else ""
        return LOGIN.ok(login.source, f"hub {login.hub}{team}")
    return LOGIN.warn(
        "not logged in",
        f"{login.problem}; publishing, submitting a run and Prime Inference need a key, every "
        "other step works without",
        f"{LOG_IN}set PRIME_API_KEY",
    )


def _hf_token() -> Finding:
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    file = Path(os.environ.get("HF_TOKEN_PATH") or home / "token")
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        if os.environ.get(name):
            return HF_TOKEN.ok(name)
    if file.is_file() and file.stat().st_size:
        return HF_TOKEN.ok(str(file))
    return HF_TOKEN.skip("optional: no token is set; public datasets and models need none")


def _sandbox() -> Finding:
    has = protection()
    if not has.missing:
        return SANDBOX.ok(has.files)
    first_told(has)
    held = f"{has.files}, with a gap" if has.files else "none"
    return SANDBOX.warn(held, "; ".join(has.missing), has.fix)


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free / 1e9
    if free >= FREE_GB:
        return DISK.ok(f"{free:.1f} GB")
    return DISK.warn(
        f"{free:.1f} GB",
        f"{folder} has {free:.1f} GB free",
        "free some space, or work in a folder on another disk",
    )
