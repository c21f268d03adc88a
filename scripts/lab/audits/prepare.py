"""An interpreter that has what an environment asks for. Nothing of ours is changed for it.

Where our own interpreter (of the classic API: the one of .venv-classic) has it all, that one runs
the environment. Where packages are lacking, uv resolves them together with what is there; those
that are new go into a small environment that stands in front of ours. Where another verifiers is
asked for, the environment gets one that is wholly its own. Either is kept in `folder`, named after
what it holds, and used again by whoever needs the same.

An installation of wheels runs nothing; only what has to be built does, in the sandbox.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from packaging.requirements import Requirement

from lab.audits.needed import LIBRARY, Installed, Needed
from lab.cli.files import write_whole
from lab.cli.locks import held
from lab.cli.places import cache_folder
from lab.cli.report import LabError, missing
from lab.cli.requirements import CLASSIC as CLASSIC_RANGE
from lab.cli.requirements import need
from lab.cli.untrusted import excerpt
from lab.environment import CLASSIC, Location
from lab.environment.locate import interpreter
from lab.platform.package.build import last_lines, run_uv, sandboxed_uv
from lab.process import views

READY = "ready.txt"
SECONDS = 1800.0
NEW = ("--offline",), ()
"""From uv's cache first, then from the network."""


@dataclass
class Prepared:
    """The interpreter for one environment."""

    python: str
    notes: list[str] = field(default_factory=list)
    """What is not as the environment asked for it."""
    failed: str = ""
    """Why its requirements are not there; it is tried all the same."""


def envs_folder() -> Path:
    return cache_folder() / "audits"


def prepare(location: Location, wanted: Needed, folder: Path, install: bool) -> Prepared:
    """The interpreter for an environment that lies in a folder."""
    base = interpreter(location.api)
    there = Installed(packages_of(base))
    fits = _fits(wanted, there)
    lacking = there.lacks([*wanted.requirements, *there.library(wanted.library)])
    found = Prepared(base, list(wanted.notes))
    if fits and not lacking:
        return found
    if not install:
        named = ", ".join(str(one) for one in lacking)
        found.failed = f"not installed: {named}" if named else ""
        found.notes += [] if fits else [_other_library(wanted, there)]
        return found
    try:
        _installed(location, wanted, folder, found, there, lacking if fits else None)
    except LabError as error:
        found.failed = error.message
    return found


def _fits(wanted: Needed, there: Installed) -> bool:
    """Whether the base's verifiers is one that the environment asks for."""
    version = there.version(LIBRARY)
    return (
        wanted.library is None
        or version is None
        or wanted.library.specifier.contains(version, prereleases=True)
    )


def _other_library(wanted: Needed, there: Installed) -> str:
    return f"asks for {wanted.library}, and is run with {there.version(LIBRARY)}"


def _installed(
    location: Location,
    wanted: Needed,
    folder: Path,
    found: Prepared,
    there: Installed,
    lacking: list[Requirement] | None,
) -> None:
    """What is lacking in front of the base; where another verifiers is asked for (`lacking` is
    None), an environment of its own."""
    base = found.python
    if lacking is None:
        own = [_library(location.api, wanted.library), *map(str, wanted.requirements)]
        try:
            found.python = _kept(folder, own, "", there)
            return
        except LabError:  # no release that can be run here
            found.notes.append(_other_library(wanted, there))
            lacking = there.lacks(wanted.requirements)
    try:
        found.python = _kept(folder, lacking, base, there)
    except LabError:
        named = [one for one in lacking if one.url is None]
        if len(named) == len(lacking):
            raise
        found.python = _kept(folder, named, base, there)
        elsewhere = ", ".join(str(one) for one in lacking if one.url is not None)
        found.failed = f"not to be had from here: {excerpt(elsewhere, 200)}"


def _library(api: str, asked: Requirement | None) -> str:
    """The verifiers that is installed: what was asked for within what we can run."""
    first, after = CLASSIC_RANGE
    served = f">={first},<{after}" if api == CLASSIC else need(LIBRARY).range
    specifier = f"{asked.specifier}," if asked is not None and asked.specifier else ""
    return f"{LIBRARY}{specifier}{served}"


def packages_of(python: str) -> list[Path]:
    """The folders of packages of an interpreter, with those that stand behind it."""
    return list(_packages(python))


@lru_cache(maxsize=64)
def _packages(python: str) -> tuple[Path, ...]:
    code = "import sys; print(*[p for p in sys.path if p.endswith('-packages')], sep='\\n')"
    done = subprocess.run(
        [python, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    return tuple(Path(line) for line in done.stdout.splitlines() if line)


def _kept(folder: Path, asked: Sequence[Requirement | str], base: str, there: Installed) -> str:
    """The interpreter of the environment for `asked`, made where there is none yet: in front of
    `base`, or without one."""
    texts = sorted(map(str, asked))
    if base and not texts:
        return base
    key = "\n".join([base, *(there.pins() if base else ()), *texts])
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    place = folder / f"{'over' if base else 'own'}-{digest}"
    python = place / "env" / "bin" / "python"
    with held(folder / f"{place.name}.lock", "an environment for an audit", 2 * SECONDS):
        if (place / READY).is_file() and python.is_file():
            return str(python)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        write_whole(place / "asked.txt", "".join(f"{text}\n" for text in texts))
        if base:
            _layer(place, base, there)
        else:
            _whole(place, str(asked[0]))
        write_whole(place / READY, key + "\n")
    return str(python)


def _layer(place: Path, base: str, there: Installed) -> None:
    """What is new beside `base`, in front of it: with the base's versions of all that is there, or
    where these do not go together with what was asked for, with as many of them as do."""
    pins = place / "pins.txt"
    write_whole(place / "there.txt", "\n".join(there.pins()) + "\n")
    line = ["pip", "compile", "--python", base, "--no-header", "--no-annotate"]
    line += ["--output-file", str(pins), str(place / "asked.txt")]
    try:
        _uv([*line, "--constraints", str(place / "there.txt")], place, "does not go together")
    except LabError:
        shutil.copyfile(place / "there.txt", pins)  # uv prefers the versions of an older output
        library = f"{LIBRARY}=={there.version(LIBRARY)}\n"
        write_whole(place / "library.txt", library)
        _uv([*line, str(place / "library.txt")], place, "does not go together")
    lines = pins.read_text(encoding="utf-8").splitlines()
    texts = [text for line in lines if (text := line.split(" #")[0].strip()) and text[0] != "#"]
    new = there.lacks(map(Requirement, texts))
    _venv(place, base)
    if new:
        write_whole(place / "new.txt", "".join(f"{one}\n" for one in new))
        _install(place, "--no-deps", "-r", str(place / "new.txt"))
    packages = next((place / "env").glob("lib*/python3*/site-packages"))
    behind = "".join(f"{path}\n" for path in packages_of(base))
    write_whole(packages / "_behind.pth", behind)


def _whole(place: Path, library: str) -> None:
    """Everything that was asked for, in an environment of its own; `library` is the verifiers."""
    write_whole(place / "library.txt", f"{library}\n")
    _venv(place, sys.executable)
    overrides = ["--overrides", str(place / "library.txt")]
    _install(place, "-r", str(place / "asked.txt"), *overrides)


def _venv(place: Path, python: str) -> None:
    done = run_uv("venv", "--python", python, str(place / "env"), cwd=place)
    if done.returncode != 0:
        raise _not_installed(done.stderr)


def _install(place: Path, *what: str) -> None:
    python = str(place / "env" / "bin" / "python")
    line = ["pip", "install", "--compile-bytecode", "--python", python, *what]
    _uv(line, place, "cannot be installed")


def _uv(line: Sequence[str], place: Path, failed: str) -> None:
    """uv with wheels alone, from the cache and from the network; then, in the sandbox, with what
    has to be built."""
    said = ""
    for way in NEW:
        done = run_uv(*line, "--no-build", *way, cwd=place)
        if done.returncode == 0:
            return
        said = done.stderr
    if "disabled" in said:
        code, said = sandboxed_uv(line, write=[place], read=[*_interpreters(line)], seconds=SECONDS)
        if code == 0:
            return
    raise _not_installed(said, failed)


def _interpreters(line: Sequence[str]) -> Iterator[Path]:
    """What the sandbox must see of the interpreters that a command names."""
    for word in line:
        if word.endswith("/bin/python"):
            yield from views.of_python(word)


def _not_installed(said: str, failed: str = "cannot be installed") -> LabError:
    lines = [line for line in said.splitlines() if not line.startswith("Using Python")]
    if "was not found in" in said:
        failed = "cannot be installed"
    return missing(
        f"what it asks for {failed}: {last_lines(chr(10).join(lines))}",
        "see that the packages can be had from here, or install them yourself and name the "
        "interpreter",
        id="audit.requirements",
    )
