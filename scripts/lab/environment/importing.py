"""Import an environment's module, also where it imports its neighbours relatively, and from a copy
that may be written to where it writes beside its code."""

from __future__ import annotations

import errno
import importlib
import importlib.util
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from lab.process.views import belongs

ALONE = "no known parent package"
NOT_WRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
LARGEST_COPY = 512 << 20
COPIED = "it writes beside its code while it loads: loaded from a copy that is gone afterwards"


def import_environment(module: str, folder: str) -> tuple[ModuleType, str]:
    """The module, and what had to be done for it ("" where nothing had).

    A single file that says `from .scoring import ...` belongs to no package, so its neighbours
    cannot be found; it is imported as a part of its folder then.
    """
    try:
        return importlib.import_module(module), ""
    except ImportError as error:
        if ALONE not in str(error) or not folder:
            raise
    package = _package(Path(folder))
    found = importlib.import_module(f"{package}.{module}")
    sys.modules[module] = found
    return (
        found,
        f"{module}.py imports relatively and is in no package: taken as part of its folder",
    )


def _package(folder: Path) -> str:
    """The folder as a package, whatever its name is."""
    name = f"_{folder.name.replace('-', '_')}" if folder.name.isidentifier() else "_environment"
    made = ModuleType(name)
    made.__path__ = [str(folder)]
    sys.modules[name] = made
    return name


def writes_beside(error: BaseException | None, folder: str) -> bool:
    """Whether loading failed because the environment may not write into its own folder."""
    while error is not None:
        named = getattr(error, "filename", None)
        refused = isinstance(error, OSError) and error.errno in NOT_WRITABLE
        if refused and folder and named and Path(str(named)).is_relative_to(folder):
            return True
        error = error.__cause__ or error.__context__
    return False


def small(folder: str) -> bool:
    """Whether the folder may be copied: a module file can lie beside anything."""
    size = 0
    for path in Path(folder).rglob("*"):
        size += path.stat().st_size if path.is_file() and not path.is_symlink() else 0
        if size > LARGEST_COPY:
            return False
    return True


def _not_copied(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "__pycache__" or not belongs(Path(folder) / name)]


def copied(folder: str) -> str:
    """A copy of the folder below the home folder, in its place on the import path; what was
    imported from the folder is forgotten."""
    copy = Path(tempfile.mkdtemp(prefix="copy-", dir=Path.home())) / Path(folder).name
    shutil.copytree(folder, copy, ignore=_not_copied)
    for path in (copy, *copy.rglob("*")):
        path.chmod(path.stat().st_mode | stat.S_IWUSR)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(folder):
            del sys.modules[name]
    sys.path[:] = [str(copy), *(entry for entry in sys.path if entry != folder)]
    importlib.invalidate_caches()
    return str(copy)
