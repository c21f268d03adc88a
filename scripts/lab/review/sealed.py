"""What is known of the completions of a review and is not shown: kept apart from the sheet.

It lies in this user's state folder, signed, where neither the reader's folder nor the environment
has it. It names the content of the environment that was reviewed: a changed one needs a new sheet.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lab.cli.report import missing, usage
from lab.ledger.index import place_of
from lab.ledger.state import State, Unsigned
from lab.review.content import Shown
from lab.review.items import Item


@dataclass(frozen=True)
class Review:
    """A review as it was made."""

    id: str
    content: str
    """The content hash of the environment."""
    items: tuple[Item, ...]
    shown: Shown
    scale: dict[str, Any] = field(default_factory=dict)
    """Per task index: what right and wrong answers earn, the gold, its place."""
    settings: dict[str, Any] = field(default_factory=dict)
    """How the environment was started: for completions of the reader's own."""
    clauses: dict[str, Any] = field(default_factory=dict)
    """What was observed of the clauses, and what is declared."""
    answers: str = ""
    """The answers file that was written with the sheet, to be filled in."""


def id_of(content: str, items: Sequence[Item], seed: int) -> str:
    """The same for the same completions of the same content: a second run makes the same sheet."""
    said = [content, seed, [[one.task, one.completion] for one in items]]
    return hashlib.sha256(json.dumps(said, default=str).encode()).hexdigest()[:12]


def _file(environment: Path, review: str) -> tuple[State, Path]:
    state = State()
    return state, state.folder / "reviews" / place_of(environment.resolve()) / f"{review}.json"


def seal(environment: Path, review: Review) -> Path:
    """Keep it; returns where. Raises a missing error (exit 3) when nothing can be written."""
    state, path = _file(environment, review.id)
    content = {**asdict(review), "items": [one.as_data() for one in review.items]}
    try:
        with state.lock():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            state.write(path, content)
    except OSError as error:
        raise missing(
            f"the rewards of the review cannot be kept in {state.folder}: {error.strerror}",
            "make room or make it writable, and run this again",
            id="review.not_sealed",
        ) from None
    return path


def unseal(environment: Path, review: str, again: str) -> Review:
    """The review of this id. `again` is the command that makes a new one."""
    state, path = _file(environment, review)
    try:
        data = state.read(path)
    except (Unsigned, OSError):
        raise usage(
            f"no sealed review {review} of this environment is known on this machine",
            f"name the environment that the sheet was made for, or make a new sheet: {again}",
            id="input.unknown_review",
        ) from None
    shown = dict(data["shown"])
    for name in ("tasks", "others", "completions"):
        shown[name] = [tuple(one) for one in shown[name]]
    return Review(
        data["id"],
        data["content"],
        tuple(Item.of_data(one) for one in data["items"]),
        Shown(**shown),
        data["scale"],
        data["settings"],
        data["clauses"],
        data.get("answers", ""),
    )


def waiting(environment: Path, content: str, state: State) -> Path | None:
    """The answers file of the newest sheet that was written for this content and is still there."""
    folder = state.folder / "reviews" / place_of(environment.resolve())
    for path in sorted(folder.glob("*.json"), key=lambda path: -path.stat().st_mtime_ns):
        with suppress(Unsigned, OSError):
            data = state.read(path)
            answers = Path(data.get("answers") or "")
            ours = data.get("content") == content and answers.is_file()
            if ours and path.stem in answers.read_text("utf-8", "replace"):
                return answers
    return None
