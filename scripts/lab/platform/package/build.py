"""Build the wheel and install it alone, without letting the package's own code out.

A build runs what the package brings (hooks, a setup.py), so it runs in the sandbox on a copy of
what is uploaded. An installation of wheels runs nothing, so uv does it here, with this user's
cache; only where a dependency has to be built, the sandbox does that too.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import distributions
from pathlib import Path
from sysconfig import get_path

from lab.cli.report import Check, Finding, missing
from lab.cli.untrusted import excerpt
from lab.platform.package.folder import Folder
from lab.platform.prime.archive import LIMIT_BYTES, uploaded_files
from lab.process.downloads import downloads
from lab.process.sandbox import Sandbox, allowed

BUILD_SECONDS = 300.0
INSTALL_SECONDS = 1800.0
UV_VARIABLES = (
    *("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HTTP_PROXY", "HTTPS_PROXY"),
    *("ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
)
"""What uv gets where it runs no foreign code, beside its own variables."""

BUILDS = Check(
    "package.builds",
    title="the wheel builds and holds the module",
    expected="one wheel that contains the module",
    reason="A push builds it on this machine, and only then asks for the login.",
    source="prime: env push builds before it logs in",
)
INSTALLS = Check(
    "package.installs",
    title="the wheel installs into an empty environment",
    expected="all dependencies resolve",
    reason="The training cluster installs it exactly so.",
    source="prime: env push imports and runs nothing",
)


def find_uv() -> str:
    """uv beside this interpreter or on PATH."""
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if not found:
        raise missing(
            "uv is not installed; the package cannot be built",
            "install it: pip install uv",
            id="needs.uv",
        )
    return found


def build(folder: Folder, work: Path) -> tuple[Path | None, Finding]:
    """A wheel from a copy of what is uploaded: the folder itself gets no dist/ and no build/."""
    code, said, wheel = build_wheel(folder.path, folder.pyproject, work)
    if wheel is None:
        return None, BUILDS.fail(
            "no",
            last_lines(said) if code else "it made no wheel",
            "see the whole message: uv build --wheel, in the environment's folder",
        )
    try:
        names = zipfile.ZipFile(wheel).namelist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        return None, BUILDS.fail(
            "damaged", f"{excerpt(wheel.name)}: {excerpt(error)}", "see what the build backend does"
        )
    if not any(name in (f"{folder.module}/__init__.py", f"{folder.module}.py") for name in names):
        return None, BUILDS.fail(
            "empty",
            f"{excerpt(wheel.name)} does not contain the module {folder.module}",
            f'add [tool.hatch.build.targets.wheel] packages = ["{folder.module}"]',
        )
    size = f"{wheel.stat().st_size / 1024:.1f} KB, {len(names)} files"
    return wheel, BUILDS.ok(excerpt(wheel.name), size)


def build_wheel(source: Path, pyproject: dict, work: Path) -> tuple[int, str, Path | None]:
    """Exit code, output and the one wheel of `uv build`, in the sandbox; made below `work`."""
    copy, out = work / "source", work / "dist"
    for path in uploaded_files(source):
        target = copy / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    out.mkdir()
    backend = str((pyproject.get("build-system") or {}).get("build-backend", ""))
    own = backend == "hatchling.build"
    isolation = ["--no-build-isolation"] if own else []
    code, said = sandboxed_uv(
        ["build", "--wheel", *isolation, "--python", sys.executable, "--out-dir", str(out)],
        str(copy),
        write=[copy, out],
        seconds=BUILD_SECONDS,
    )
    return code, said, next(filter(_is_plain, sorted(out.glob("*.whl"))), None)


def _is_plain(wheel: Path) -> bool:
    """A file of its own, and not a link or a device that the build put there."""
    found = wheel.lstat()
    return stat.S_ISREG(found.st_mode) and 0 < found.st_size <= LIMIT_BYTES


def install(wheel: Path, work: Path) -> tuple[str | None, Finding]:
    """`uv pip install` into a new environment: from uv's cache first, then from the network.

    The cache holds what is installed here, and the newest index may ask for more (a new release
    with a new dependency), so the versions of this interpreter are tried before any others.
    """
    home = work / "clean"
    made = run_uv("venv", "--python", sys.executable, str(home), cwd=work)
    python = str(home / "bin" / "python")
    if made.returncode != 0:
        return None, INSTALLS.fail("no", last_lines(made.stderr), "see the message: uv venv")
    here = work / "installed.txt"
    here.write_text(
        "".join(
            sorted({f"{found.name}=={found.version}\n" for found in distributions() if found.name})
        ),
        encoding="utf-8",
    )
    line = ["pip", "install", "--python", python, str(wheel)]
    code, said = 1, ""
    for way in (["--offline", "--constraints", str(here)], ["--offline"], []):
        done = run_uv(*line, "--no-build", *way, cwd=work)
        code, said = done.returncode, done.stderr
        if code == 0:
            count = said.count("\n + ")
            where = "the cache" if way else "the network"
            _compiled(home)
            return python, INSTALLS.ok("yes", f"with {count} packages, from {where}")
    if "building" in said and "disabled" in said:
        code, said = sandboxed_uv(line, write=[home], read=[wheel], seconds=INSTALL_SECONDS)
        if code == 0:
            return python, INSTALLS.ok("yes", "a dependency had to be built, in the sandbox")
    return None, _not_installed(said)


def _compiled(home: Path) -> None:
    """The new environment gets the bytecode that this one has of the very same files: uv links both
    from its cache, and verifiers takes three times as long to import without. Elsewhere nothing."""
    own = Path(get_path("purelib"))
    new = home / own.relative_to(sys.prefix)
    for code in own.glob("**/__pycache__/*.pyc"):
        source = code.parent.with_name(f"{code.name.partition('.')[0]}.py").relative_to(own)
        with suppress(OSError):
            if (own / source).samefile(new / source):
                target = new / code.relative_to(own)
                target.parent.mkdir(exist_ok=True)
                target.hardlink_to(code)


def _not_installed(said: str) -> Finding:
    signs = ("dns error", "Connect", "connection", "error sending request", "Failed to fetch")
    if any(sign in said for sign in signs):
        return INSTALLS.inconclusive(
            "no network",
            "the dependencies are not all in uv's cache, and the index cannot be reached: "
            + last_lines(said),
            "run it again with a network",
        )
    return INSTALLS.fail("no", last_lines(said), "correct [project] dependencies in pyproject.toml")


def sandboxed_uv(
    line: Sequence[str],
    *rest: str,
    write: Sequence[Path],
    read: Sequence[Path] = (),
    seconds: float,
) -> tuple[int, str]:
    """uv where it runs the package's own code: its exit code and the end of what it printed."""
    kept = downloads("builds")
    uv = Path(find_uv())
    box = Sandbox(
        read=[uv, *read],
        write=[*write, *kept.write],
        variables={**allowed(), **kept.variables, "NO_COLOR": "1", "UV_SYSTEM_CERTS": "1"},
    )
    with box.start([str(uv), "--no-progress", *line, *rest]) as running:
        running.keep_output()
        if not running.ended(seconds):
            return 1, f"it did not end within {seconds:.0f} s"
    return running.process.returncode, running.said


def run_uv(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """uv where it runs no foreign code: it makes an environment, or installs wheels."""
    named = [*UV_VARIABLES, *(name for name in os.environ if name.startswith("UV_"))]
    with suppress(subprocess.TimeoutExpired):
        return subprocess.run(
            [find_uv(), "--no-progress", *args],
            cwd=cwd,
            env={"UV_SYSTEM_CERTS": "1", **allowed(named), "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=INSTALL_SECONDS,
            check=False,
        )
    return subprocess.CompletedProcess(args, 1, "", f"no end within {INSTALL_SECONDS:.0f} s")


def last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return excerpt(" ".join(lines[-6:]) or "no message", 400)
