"""Which environments of this machine have records, found by name or content from any folder.

    for known in find(name="someone/word-problems"):
        known.folder        # where it lies today, also after its folder was renamed; None when gone

A folder that was renamed or moved is found beside its old place and below the working folder, by
the name in its pyproject.toml.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.cli.files import parse_toml, read_plain
from lab.ledger.content import WHOLE, content_hash
from lab.ledger.state import State, Unsigned

LARGEST_PROJECT = 1 << 20


@dataclass(frozen=True)
class Known:
    """An environment that has records."""

    name: str
    path: Path
    """Where it was when the last record was made."""
    records: dict[str, Any]
    """Step -> its record."""
    file: Path

    @property
    def contents(self) -> set[str]:
        """The content hashes that its records are of."""
        return {str(record.get(WHOLE)) for record in self.records.values()}

    @property
    def latest(self) -> int:
        """When the last record was made, in nanoseconds; 0 without records."""
        return max((int(record.get("time_ns", 0)) for record in self.records.values()), default=0)

    @property
    def folder(self) -> Path | None:
        """Where it lies today; None when it is at none of the places that are looked at."""
        if self.path.exists() and name_of(self.path) == self.name:
            return self.path
        here = Path.cwd()
        found = [
            place
            for parent in dict.fromkeys((self.path.parent, here / "environments", here))
            for place in _projects(parent)
            if name_of(place) == self.name
        ]
        same = (place for place in found if content_hash(place) in self.contents)
        return next(same, found[0] if found else None)


def place_of(environment: Path) -> str:
    """The name of an environment's records: readable, and different for each place."""
    digest = hashlib.sha256(str(environment).encode("utf-8", "surrogateescape")).hexdigest()
    readable = "".join(c if c.isascii() and c.isalnum() else "-" for c in environment.name)
    return f"{readable[:40]}-{digest[:16]}"


def name_of(environment: Path) -> str:
    """The project's name in one spelling; the file's or folder's own where there is no project."""
    named = environment.stem if environment.is_file() else environment.name
    with suppress(OSError, ValueError):
        data = parse_toml(read_plain(environment / "pyproject.toml", LARGEST_PROJECT))
        project = data.get("project")
        if isinstance(project, dict) and isinstance(project.get("name"), str):
            named = project["name"]
    return spelt(named)


def spelt(name: str) -> str:
    """`owner/My_Env@1.0` and `my-env` are one name."""
    return name.rstrip("/").rsplit("/", 1)[-1].split("@", 1)[0].replace("_", "-").lower()


def entries(state: State) -> Iterator[Known]:
    """Every environment with records that are signed."""
    for file in sorted(state.environments.glob("*.json")):
        with suppress(OSError, Unsigned):
            content = state.read(file)
            yield Known(content["name"], Path(content["path"]), content["steps"], file)


def find(name: str = "", content: str = "", state: Path | None = None) -> list[Known]:
    """The environments of this name, or with a record of this content; the latest first."""
    wanted = spelt(name)
    found = [
        known
        for known in entries(State(state))
        if (name and known.name == wanted) or (content and content in known.contents)
    ]
    return sorted(found, key=lambda known: known.latest, reverse=True)


def _projects(parent: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(path.parent for path in parent.glob("*/pyproject.toml"))
    return []
