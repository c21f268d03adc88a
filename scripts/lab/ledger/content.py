"""What an environment's folder says, as one hash per aspect: an edit makes stale what rests on it.

    aspects(folder)["content"]   what can change a rollout or a reward: source, data, dependencies
    aspects(folder)["contract"]  what the reward is declared to pay, which only its test reads
    aspects(folder)["package"]   everything that is published, README and version too

`RESTS_ON` says which aspects each step's result rests on, so a corrected README makes no
evaluation stale. A file counts as source or data unless it is known to be neither.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from lab.cli.files import parse_toml
from lab.ledger.imported import imported_dependencies

WHOLE = "content"
"""The aspect by which an environment is known; a record always keeps it."""
CONTRACT = "contract"
PACKAGE = "package"

RESTS_ON: dict[str, tuple[str, ...]] = {
    "test_reward": (WHOLE, CONTRACT),
    "run_eval": (WHOLE,),
    "check_reward_distribution": (WHOLE,),
    "push_environment": (PACKAGE,),
    "submit_training": (WHOLE,),
    "review_reward": (WHOLE,),
}
"""Per step the aspects that its result rests on: an edit of another aspect leaves it valid."""

BUILT = {"dist", "build", "outputs", "__pycache__", "node_modules"}
"""Folders that tools write; nothing in them is anybody's source."""

CONTRACTS = ("contract.toml", "policy.toml")
"""What the reward is declared to pay: beside the project, or in its package."""

PROSE = re.compile(
    r"(?:readme|licen[cs]e|copying|notice|authors|contributors|contributing|citation|changelog"
    r"|changes|history|security|code_of_conduct)(?:[_-][\w-]+)*(?:\.(?:md|rst|txt|cff))?",
    re.IGNORECASE,
)
"""Files in the root that people read, and programs only where the source names them."""
APART = {"tests", "test", "docs"}
"""Folders in the root that are the developer's; they count where the source names them."""
LOCKS = {"uv.lock", "poetry.lock", "pdm.lock"}
"""Written by tools; what is installed here does not come from them."""

TOOLS = {"black", "coverage", "flake8", "flit", "hatch", "isort", "mypy", "pdm", "poetry", "pylint"}
TOOLS |= {"pyright", "pytest", "ruff", "setuptools", "setuptools_scm", "tox", "ty", "uv"}
"""Tables of [tool] for building, testing and style: no environment reads them."""


def files(folder: Path) -> Iterator[Path]:
    """The folder's own files in a stable order: no hidden, built or linked ones."""
    for path in sorted(folder.iterdir(), key=lambda p: p.name):
        if path.name.startswith(".") or path.is_symlink() or path.suffix == ".pyc":
            continue
        if path.is_dir():
            if path.name not in BUILT and not path.name.endswith(".egg-info"):
                yield from files(path)
        elif path.is_file():
            yield path


def aspects(environment: Path) -> dict[str, str]:
    """One hash per aspect of a folder, or of a single module file (classic environments), each of
    16 hex digits."""
    if environment.is_file():
        beside = [environment.with_name(name) for name in CONTRACTS]
        module = _hashed(environment.parent, [environment])
        contract = _hashed(environment.parent, filter(Path.is_file, beside))
        return {WHOLE: module, CONTRACT: contract, PACKAGE: module}
    found = list(files(environment))
    contracts = [path for path in found if _is_contract(path.relative_to(environment))]
    return {
        WHOLE: _hashed(environment, _behaviour(environment, found), _read_by_programs),
        CONTRACT: _hashed(environment, contracts),
        PACKAGE: _hashed(environment, found),
    }


def content_hash(environment: Path) -> str:
    """The hash of what can change a rollout or a reward."""
    return aspects(environment)[WHOLE]


def _hashed(
    root: Path, paths: Iterable[Path], read: Callable[[Path, list[bytes]], bytes] | None = None
) -> str:
    """sha256 over names and contents; `read` may replace what is hashed of one file."""
    digest, held = hashlib.sha256(), [(path, path.read_bytes()) for path in paths]
    sources = [data for path, data in held if path.suffix == ".py"]
    for path, data in held:
        relative = path.relative_to(root).as_posix()
        if read and relative == "pyproject.toml":
            data = read(path, sources)
        digest.update(f"file:{relative}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


def _behaviour(root: Path, found: list[Path]) -> list[Path]:
    """The files that can change a rollout or a reward."""
    apart = {path for path in found if _is_apart(path.relative_to(root))}
    kept = [
        path
        for path in found
        if path not in apart and not _is_contract(path.relative_to(root)) and path.name not in LOCKS
    ]
    source = b"\n".join(path.read_bytes() for path in kept if path.suffix == ".py")
    named = {path for path in apart if _names(source, path.relative_to(root))}
    return [path for path in found if path in named or path in kept]


def _is_contract(relative: Path) -> bool:
    return relative.name in CONTRACTS and len(relative.parts) <= 2


def _is_apart(relative: Path) -> bool:
    root = relative.parts[0]
    return root in APART if len(relative.parts) > 1 else bool(PROSE.fullmatch(root))


def _names(source: bytes, relative: Path) -> bool:
    """Whether a string of the source names the file or its folder in the root, or imports it."""
    name = re.escape(relative.parts[0].encode())
    return bool(re.search(rb"[\"'/]" + name + rb"[\"'/]|\bimport " + name, source)) or bool(
        re.search(rb"\bfrom " + name + rb"\b", source)
    )


def _read_by_programs(path: Path, sources: list[bytes]) -> bytes:
    """What of pyproject.toml an environment or its installation reads: no name, version,
    description or build settings, and no dependency that nothing imports."""
    raw = path.read_bytes()
    try:
        data = parse_toml(raw)
    except ValueError:
        return raw
    project = _table(data, "project")
    dependencies = project.get("dependencies")
    names = [one for one in dependencies or [] if isinstance(one, str)]
    own = {other.stem for place in (path.parent, path.parent / "src") for other in place.glob("*")}
    kept = {
        "entry-points": project.get("entry-points"),
        "dependencies": imported_dependencies(names, sources, own),
        "tool": {name: own for name, own in _table(data, "tool").items() if name not in TOOLS},
    }
    return json.dumps(kept, sort_keys=True, default=str).encode()


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}
