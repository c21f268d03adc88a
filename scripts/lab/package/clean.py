"""The package gate, second half: build the wheel, install it alone, and see what it yields.

Everything happens in a temporary folder; the environment's folder stays as it is.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from lab.package.contents import Folder
from lab.prime.archive import travelling
from lab.report import Check, Finding, missing
from lab.secrets import NAMES
from lab.untrusted import excerpt

BUILDS = Check(
    "package.builds",
    title="the wheel builds and holds the module",
    expected="one wheel that contains the module",
    reason="A push builds it on this machine, and only then asks for the login.",
    source="prime 0.18.0: env push",
)
INSTALLS = Check(
    "package.installs",
    title="the wheel installs into an empty environment",
    expected="all dependencies resolve",
    reason="The training cluster installs it exactly so.",
    source="prime 0.18: env push imports and runs nothing",
)
IMPORTS = Check(
    "package.imports",
    title="the module imports with nothing but its declared dependencies",
    expected="imports",
    reason="An environment whose own imports fail is reported by the tools as not found.",
    source="verifiers 0.4.0: taskset 'x' not found",
)
TASKSET = Check(
    "package.taskset",
    title="the module exports exactly one taskset",
    expected="one Taskset in __all__, at most one Env",
    reason="The loader takes the only one; none or two is an error on the cluster.",
    source="verifiers 0.4.0: load_taskset",
)
TASKS = Check(
    "package.tasks",
    title="the installed package yields tasks",
    expected=">= 1 task",
    reason="Data that did not travel shows only here: in your own folder it is found.",
    source="prime 0.18: env push imports and runs nothing",
)

PROBE_SECONDS = 240.0
PROBE = Path(__file__).with_name("probe.py")


def find_uv() -> str:
    """uv beside this interpreter or on PATH."""
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if not found:
        raise missing("uv is not installed; the package cannot be built", "install it: pip install uv", id="needs.uv")
    return found


def check_clean(folder: Folder, work: Path, note: Any = lambda text: None) -> Iterator[Finding]:
    """Build, install, import, load. Later checks are skipped with the reason when one fails."""
    rest = [INSTALLS, IMPORTS, TASKSET, TASKS]
    note("building the wheel")
    wheel, finding = build(folder, work)
    yield finding
    if wheel is None:
        yield from (check.skip("the wheel does not build") for check in rest)
        return
    note("installing it into an empty environment")
    python, finding = install(wheel, work)
    yield finding
    if python is None:
        yield from (check.skip("the wheel does not install") for check in rest[1:])
        return
    note("importing it and taking its tasks")
    yield from _loaded(folder, probe(python, folder.module, work))


def build(folder: Folder, work: Path) -> tuple[Path | None, Finding]:
    """A wheel from a copy of what travels: the folder itself gets no dist/ and no build/."""
    copy, out = work / "source", work / "dist"
    for path in travelling(folder.path):
        target = copy / path.relative_to(folder.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    backend = str((folder.pyproject.get("build-system") or {}).get("build-backend", ""))
    isolation = ["--no-build-isolation", "--python", sys.executable] if backend == "hatchling.build" else []
    done = _uv("build", "--wheel", *isolation, "--out-dir", str(out), str(copy), cwd=work)
    wheels = sorted(out.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        return None, BUILDS.fail("no", _last(done.stderr), "see the whole message: uv build --wheel, in the environment's folder")
    names = zipfile.ZipFile(wheels[0]).namelist()
    if not any(name in (f"{folder.module}/__init__.py", f"{folder.module}.py") for name in names):
        return None, BUILDS.fail("empty", f"{wheels[0].name} does not contain the module {folder.module}", f'add [tool.hatch.build.targets.wheel] packages = ["{folder.module}"]')
    return wheels[0], BUILDS.ok(wheels[0].name, f"{wheels[0].stat().st_size / 1024:.1f} KB, {len(names)} files")


def install(wheel: Path, work: Path) -> tuple[str | None, Finding]:
    """`uv pip install` into a new environment: from uv's cache first, then from the network.

    The cache holds what is installed here, and the newest index may ask for more (a new release
    with a new dependency), so the versions of this interpreter are tried before any others.
    """
    home = work / "clean"
    made = _uv("venv", "--python", sys.executable, str(home), cwd=work)
    python = str(home / "bin" / "python")
    if made.returncode != 0:
        return None, INSTALLS.fail("no", _last(made.stderr), "see the message: uv venv")
    here = work / "installed.txt"
    here.write_text("".join(sorted({f"{found.name}=={found.version}\n" for found in distributions() if found.name})), encoding="utf-8")
    for way in (["--offline", "--constraints", str(here)], ["--offline"], []):
        done = _uv("pip", "install", *way, "--python", python, str(wheel), cwd=work)
        if done.returncode == 0:
            count = done.stderr.count("\n + ")
            return python, INSTALLS.ok("yes", f"with {count} packages, from {'the cache' if way else 'the network'}")
    told = _last(done.stderr)
    if any(sign in done.stderr for sign in ("dns error", "Connect", "connection", "error sending request", "Failed to fetch")):
        return None, INSTALLS.inconclusive("no network", f"the dependencies are not all in uv's cache, and the index cannot be reached: {told}", "run it again with a network")
    return None, INSTALLS.fail("no", told, "correct [project] dependencies in pyproject.toml")


def probe(python: str, module: str, work: Path) -> dict[str, Any]:
    """What probe.py says in that environment; a time limit or a crash is said as an error. The
    environment's code runs here, so it is given none of this user's keys."""
    environ = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV") and not NAMES.search(key)}
    process = subprocess.Popen(
        [python, "-I", str(PROBE), module, "8"],
        cwd=work,
        env={**environ, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=PROBE_SECONDS)
    except subprocess.TimeoutExpired:
        return {"stage": "import", "error": f"it did not end within {PROBE_SECONDS:.0f} s"}
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    try:
        found = json.loads(out.strip().splitlines()[-1])
        return found if isinstance(found, dict) else {"stage": "import", "error": "no answer"}
    except (ValueError, IndexError):
        return {"stage": "import", "error": f"the process ended with {process.returncode}: {_last(err)}"}


def _loaded(folder: Folder, found: dict[str, Any]) -> Iterator[Finding]:
    error, stage = excerpt(found.get("error", ""), 300), found.get("stage")
    if stage == "import":
        yield IMPORTS.fail("no", f"import {folder.module}: {error}", "declare what it imports in [project] dependencies, and keep import-time work out of the module")
        yield TASKSET.skip("the module does not import")
        yield TASKS.skip("the module does not import")
        return
    yield IMPORTS.ok("yes", f"with verifiers {excerpt(found.get('verifiers', ''), 20)}")
    tasksets, envs = found.get("tasksets", []), found.get("envs", [])
    if len(tasksets) != 1 or len(envs) > 1:
        listed = excerpt(", ".join(found.get("all", [])) or "nothing", 120)
        yield TASKSET.fail(len(tasksets), error or f"__all__ lists {listed}: {len(tasksets)} tasksets, {len(envs)} envs", f"in {folder.module}/__init__.py: __all__ with exactly one Taskset subclass")
        yield TASKS.skip("there is no single taskset to load")
        return
    yield TASKSET.ok(excerpt(tasksets[0], 60))
    if stage != "done":
        yield TASKS.fail("error", f"loading the tasks: {error}", "make load() work from an empty folder: data inside the package, or a dataset by its id")
    elif not found.get("tasks"):
        yield TASKS.fail(0, "load() gave no task", "check the dataset, split and filter of the taskset's config")
    else:
        yield TASKS.ok("endless" if found.get("infinite") else found["tasks"])


def _uv(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environ = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return subprocess.run(
        [find_uv(), "--no-progress", *args],
        cwd=cwd,
        env={"UV_SYSTEM_CERTS": "1", **environ, "NO_COLOR": "1"},  # as the set-up of this project does
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return excerpt(" ".join(lines[-6:]) or "no message", 400)
