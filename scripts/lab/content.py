"""What an environment's folder says, as hashes: when the content changes, old results are stale.

`content_hash` covers what decides behaviour: every file that is not hidden, built, or the
README, and pyproject.toml without its version line (a version bump changes no reward).
`hub_hash` is the hub's own hash of what `prime env push` uploads (prime 0.18,
`compute_content_hash`), by which it recognises content that is already published.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

BUILT = {"dist", "build", "outputs", "__pycache__", "node_modules"}


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


def content_hash(folder: Path) -> str:
    """sha256 over the files that decide how the environment behaves, as 16 hex digits.

    `folder` may also be a single module file (classic environments).
    """
    digest = hashlib.sha256()
    if folder.is_file():
        digest.update(folder.read_bytes())
        return digest.hexdigest()[:16]
    for path in files(folder):
        relative = path.relative_to(folder).as_posix()
        if relative.lower().startswith("readme"):
            continue
        digest.update(f"file:{relative}\0".encode())
        digest.update(_project_without_version(path) if relative == "pyproject.toml" else path.read_bytes())
    return digest.hexdigest()[:16]


def _project_without_version(path: Path) -> bytes:
    raw = path.read_bytes()
    try:
        project = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return raw
    project.get("project", {}).pop("version", None)
    return json.dumps(project, sort_keys=True, default=str).encode()
