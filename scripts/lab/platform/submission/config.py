"""The training file of this submission: written from flags or from a plan, or the user's own.

A file that we wrote carries a mark with the hash of its content; only such an unedited file is
overwritten without --overwrite.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from lab.cli.files import write_whole
from lab.cli.report import usage
from lab.ledger.records import Ledger
from lab.platform.submission import local
from lab.platform.submission.evaluated import simulated_turns
from lab.platform.submission.plan import Made, make
from lab.platform.submission.wanted import Wanted, from_flags, from_plan
from lab.training.file import SLUG, TrainingFile, other_kind, read
from lab.training.rules import Known
from lab.training.write import fingerprint

MARK = re.compile(r"\A# written by submit_training\.py, content ([0-9a-f]{8})\n")


@dataclass
class Expanded:
    """A plan with its numbers, where its environments are here, and what is known of them."""

    made: Made
    places: dict[str, Path | None]
    """owner/name -> its folder, None where this machine has none."""
    known: Known

    @property
    def folders(self) -> list[Path]:
        return [place for place in self.places.values() if place]


def expand(args: argparse.Namespace) -> Expanded:
    """What the flags or the plan ask for; what they leave open is measured, or a default."""
    wanted = from_plan(Path(args.plan)) if args.plan else from_flags(_with_environment(args))
    slugs = _slugs(wanted)
    local.check_named_folder(args.local, slugs)
    places = {slug: local.find_folder(slug, args.local)[0] for slug in slugs}
    folders = [place for place in places.values() if place]
    known = local.known_of(folders)
    simulated = {local.module_of(place): simulated_turns(Ledger(place)) for place in folders}
    return Expanded(make(wanted, known, local.uses_of(folders), simulated), places, known)


def _slugs(wanted: Wanted) -> list[str]:
    """Each environment once, without its version."""
    found = (source.env.partition("@")[0] for source in (*wanted.train, *wanted.eval))
    return list(dict.fromkeys(found))


def _with_environment(args: argparse.Namespace) -> argparse.Namespace:
    """The flags, which name an environment; exit 2 otherwise."""
    if not args.env:
        raise usage(
            "which environment? --env is missing",
            "add --env owner/name, as published on the hub",
            id="input.environment",
        )
    if not SLUG.fullmatch(args.env):
        raise usage(
            f"--env {args.env!r} is not an environment on the hub",
            "write it as owner/name; publish a local one first with push_environment.py",
            id="input.environment",
        )
    return args


def marked(text: str) -> str:
    return f"# written by submit_training.py, content {fingerprint(text)}\n" + text


def untouched(text: str) -> bool:
    """Whether `text` is what we wrote, unedited."""
    found = MARK.match(text)
    return found is not None and fingerprint(text[found.end() :]) == found.group(1)


def place(path: Path, text: str, overwrite: bool) -> bool:
    """Write the file unless somebody else's is there (exit 2). True when it changed."""
    if path.exists():
        old = path.read_text(encoding="utf-8", errors="replace")
        if old == text:
            return False
        if not untouched(old) and not overwrite:
            raise usage(
                f"{path} was written or edited by somebody else",
                f"use it as it is: --config {path}; or replace it with --overwrite",
                id="input.would_overwrite",
            )
    write_whole(path, text)
    return True


def open_config(path: Path, slug: str | None, *, hosted: bool = True) -> TrainingFile:
    """The user's own file. With `slug` (--env) it must be one of the file's environments. Exit 2
    for a file that is no training file."""
    file = read(path, hosted=hosted)
    if kind := other_kind(file.data):
        raise usage(
            f"{path} is no training file: {kind}",
            "name a file with [trainer] and [orchestrator], or with [data]",
            id="input.other_file",
        )
    ids = [source.id for kind in ("train", "eval") for source in file.sources(kind)]
    if slug and file.mode == "rl" and slug.split("@")[0] not in {id.split("@")[0] for id in ids}:
        raise usage(
            f"{path} trains {', '.join(ids) or 'nothing'}, not {slug}",
            "leave --env out, or change the file's env.taskset.id",
            id="input.other_environment",
        )
    return file
