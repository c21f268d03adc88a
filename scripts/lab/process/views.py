"""What a sandboxed process may see of this machine, beside what it is given: an allow-list.

The system's programs and libraries, the few files of /etc that every program needs, and the
interpreter with its packages. No home folder, no /tmp, no /run, no /var, no sockets.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"),
    *("/gnu/store", "/opt/conda", "/sys/devices/system"),
)
ETC = (
    "alternatives ca-certificates ca-certificates.conf crypto-policies debian_version fonts "
    "gai.conf group "
    "host.conf hostname hosts ld.so.cache ld.so.conf ld.so.conf.d localtime locale.alias "
    "locale.conf machine-id magic mime.types networks nsswitch.conf os-release passwd pki/ca-trust "
    "pki/tls/certs protocols python3 python3.11 python3.12 python3.13 resolv.conf rpc services "
    "ssl/certs ssl/openssl.cnf timezone xml"
).split()
DATA_FOLDER = re.compile(
    r"\.\w*(?:cache|data|asset|resource|download|corpus|corpora|fixture|template|prompt)\w*",
    re.IGNORECASE,
)
"""A hidden folder that is named after what a package reads. Every other one may hold secrets."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "shm")


@cache
def system() -> tuple[Path, ...]:
    """What every program needs, as far as it is there."""
    named = [*map(Path, SYSTEM), *(Path("/etc") / name for name in ETC)]
    return tuple(path for path in named if os.path.lexists(path))


@cache
def of_python(python: str) -> tuple[Path, ...]:
    """The interpreter, its standard library and its packages, and what those refer to."""
    executable = Path(python)
    found = [executable, executable.resolve()]
    for prefix in dict.fromkeys((executable.parent.parent, *_bases(executable))):
        if _is_prefix(prefix):
            found += [prefix, *_referred(prefix)]
    if python == sys.executable:
        found += [Path(entry) for entry in sys.path if _is_packages(Path(entry))]
    return tuple(dict.fromkeys(path for path in found if path.exists()))


def _bases(executable: Path) -> Iterator[Path]:
    """The installations behind a virtual environment."""
    with suppress(OSError):
        text = (executable.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8")
        for home in re.findall(r"(?m)^home\s*=\s*(.+)$", text):
            yield Path(home.strip()).parent
            yield Path(home.strip()).resolve().parent
    yield executable.resolve().parent.parent


def _is_prefix(folder: Path) -> bool:
    """An installation of Python or a virtual environment, and not a folder that has a bin/ too."""
    return (folder / "pyvenv.cfg").is_file() or any(folder.glob("lib*/python3*/os.py"))


def _is_packages(folder: Path) -> bool:
    return folder.name in ("site-packages", "dist-packages")


def _referred(prefix: Path) -> Iterator[Path]:
    """Folders outside that packages of `prefix` are taken from (editable installs)."""
    for packages in prefix.glob("lib*/python3*/site-packages"):
        for file in (*packages.glob("*.pth"), *packages.glob("__editable__*finder.py")):
            with suppress(OSError, UnicodeDecodeError):
                text = file.read_text(encoding="utf-8")
                named = (
                    text.splitlines() if file.suffix == ".pth" else re.findall(r"'(/[^']+)'", text)
                )
                yield from (Path(line) for line in named if line.startswith("/") and narrow(line))


def narrow(path: str | Path) -> bool:
    """Whether a folder may be shown as a whole: not the home folder, and none above it."""
    place = Path(path).resolve()
    return place.exists() and not Path.home().resolve().is_relative_to(place)


def code_of(environment: Path) -> list[Path]:
    """What of an environment is shown: its folder without the hidden entries, but with its hidden
    folders of data (`.cache`); of a module file what lies beside it, where that is no home
    folder."""
    folder = environment if environment.is_dir() else environment.parent
    if not narrow(folder):
        return [environment] if environment.is_file() else []
    return [path for path in sorted(folder.iterdir()) if belongs(path)]


def belongs(path: Path) -> bool:
    """Whether an entry of an environment's folder is part of the package."""
    if not path.name.startswith("."):
        return True
    return bool(DATA_FOLDER.fullmatch(path.name)) and path.is_dir() and not path.is_symlink()


def links(path: Path) -> Iterator[tuple[Path, str]]:
    """The symbolic links on the way to `path`, each with its target, as they must exist in a view
    that is built from nothing."""
    place = Path("/")
    parts = list(path.parts[1:])
    seen = 0
    while parts:
        part = parts.pop(0)
        if part == "..":
            place = place.parent
            continue
        step = place / part
        if step.is_symlink() and seen < 40:
            seen += 1
            target = str(step.readlink())
            yield step, target
            aim = Path(target)
            parts = [*(aim.parts[1:] if aim.is_absolute() else aim.parts), *parts]
            place = Path("/") if aim.is_absolute() else place
        else:
            place = step


def real(paths: Iterable[Path]) -> list[Path]:
    """Where the paths lie, without those inside another one of them."""
    found: list[Path] = []
    for path in sorted({path.resolve() for path in paths if path.exists()}):
        if not any(path.is_relative_to(outer) for outer in found):
            found.append(path)
    return found
