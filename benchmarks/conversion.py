"""Public training files of every generation, converted: accepted, nothing lost, nothing moved.

    LAB_PUBLIC_REPOSITORIES=DIR LAB_RL_CONFIGS=DIR python -m benchmarks.conversion [--cases]

`cases/conversion/public_files.jsonl` names the files: repository, commit, paths. DIR holds the
repositories as `owner/name` (git clone https://github.com/owner/name), or `owner+name/repo`; one
that is not there is said and passed over. Of each training file is measured: whether
prime-rl's own schema accepts what it is converted to, whether every value of the old file is in
the new one or in a note, and whether a program that ran in a sandbox runs on this machine now.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from lab.training.convert import Conversion, convert, meant_for_platform
from lab.training.dialects import recognise
from lab.training.file import other_kind, parse
from lab.training.schema import ask, installed
from lab.training.write import render

CASES = Path(__file__).resolve().parent / "cases" / "conversion" / "public_files.jsonl"
VARIABLE = "LAB_PUBLIC_REPOSITORIES"
SANDBOXES = ("prime", "modal", "e2b", "docker", "podman", "apptainer")


@dataclass
class Row:
    """One file: what it was, and what it became."""

    name: str
    generation: str
    old: dict[str, Any]
    done: Conversion
    accepted: str = "skip"
    words: str = ""


def clone_of(repository: str) -> Path | None:
    base = Path(os.environ.get(VARIABLE, ""))
    owner, _, name = repository.partition("/")
    for place in (base / owner / name, base / f"{owner}+{name}" / "repo"):
        if place.is_dir():
            return place
    return None


def groups() -> Iterator[dict[str, Any]]:
    """Per repository and commit its files; a line that is not in the form is an error."""
    for number, line in enumerate(CASES.read_text("utf-8").splitlines(), 1):
        group = json.loads(line)
        named = [group.get("repository"), group.get("commit"), *group.get("paths", [None])]
        if len(group) != 3 or not all(isinstance(text, str) and text for text in named):
            raise ValueError(f"{CASES.name}, line {number}: repository, commit and paths in texts")
        yield group


def texts() -> Iterator[tuple[str, str]]:
    """(name, text) of every file that can be had here."""
    for group in groups():
        clone = clone_of(group["repository"])
        if clone is None:
            print(f"passed over: {group['repository']} is not in {VARIABLE}")
            continue
        for path in group["paths"]:
            command = ["git", "-C", str(clone), "show", f"{group['commit']}:{path}"]
            shown = subprocess.run(command, capture_output=True, text=True, check=False)
            if shown.returncode == 0:
                yield f"{group['repository']} {group['commit'][:8]} {path}", shown.stdout


def leaves(table: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path without positions, value) of every value that is no table."""
    rows = table.items() if isinstance(table, dict) else ((None, row) for row in table)
    for key, value in rows:
        here = path if key is None else f"{path}.{key}" if path else str(key)
        nested = isinstance(value, dict) or (
            isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)
        )
        if nested and value:
            yield from leaves(value, here)
        else:
            yield here, value


def lost(row: Row) -> list[str]:
    """Values of the old file that are neither in the new one nor named by a note."""
    new = [value for _, value in leaves(row.done.data)]
    notes = [note.old.replace("[", ".").split(".")[-1] for note in row.done.notes if note.old]
    heads = {note.old.split("[")[0] for note in row.done.notes if note.old}
    text = " ".join(f"{note.old} {note.new} {note.reason}" for note in row.done.notes)
    return [
        path
        for path, value in leaves(row.old)
        if value not in new
        and path.rsplit(".", 1)[-1] not in notes
        and not any(path == head or path.startswith(f"{head}.") for head in heads - {"env"})
        and str(value) not in text
    ]


def moved_to_host(row: Row) -> bool:
    """Whether a source that named a sandbox, or no runtime for a program, runs as a subprocess."""
    sandboxed = any(
        path.endswith("runtime.type") and value in SANDBOXES for path, value in leaves(row.old)
    )
    programs = any(
        path.endswith("harness.id") and value not in ("null", None)
        for path, value in leaves(row.old)
    )
    named = [value for path, value in leaves(row.old) if path.endswith("runtime.type")]
    now = [value for path, value in leaves(row.done.data) if path.endswith("runtime.type")]
    return (sandboxed or programs) and now.count("subprocess") > named.count("subprocess")


def main() -> int:
    rows, others, crashed = [], Counter[str](), []
    for name, text in texts():
        data = tomllib.loads(text)
        if words := other_kind(data):
            others[words] += 1
            continue
        file = parse(text)
        file.hosted = meant_for_platform(file)
        try:
            done = convert(file, owner="owner")
            parse(render(done.data))
        except Exception as error:
            crashed.append(f"{name}: {error!r}")
            continue
        rows.append(Row(name, recognise(file)[0].id, data, done))
    if not rows:
        print(f"no file could be read: {VARIABLE} names the folder of the clones")
        return 0
    if installed():
        files = [parse(render(row.done.data), hosted=row.done.hosted) for row in rows]
        for row, finding in zip(rows, ask(files, []), strict=True):
            row.accepted, row.words = finding.status, finding.evidence
    table(rows)
    print(f"{sum(others.values())} other files are named for what they are: {len(crashed)} crashes")
    if "--cases" in sys.argv:
        show(rows, crashed)
        for words, count in others.most_common():
            print(f"    {count} {words}")
    return 0


def table(rows: list[Row]) -> None:
    accepted = sum(row.accepted == "pass" for row in rows)
    print(
        f"{accepted} of {len(rows)} public training files ({accepted / len(rows):.1%}) are "
        "accepted by prime-rl's schema once they are converted"
        if installed()
        else f"{len(rows)} public training files; prime-rl's schema is not here to be asked"
    )
    for generation in sorted({row.generation for row in rows}):
        mine = [row for row in rows if row.generation == generation]
        count = Counter(row.accepted for row in mine)
        print(f"    {generation:6s} {len(mine):4d} files: {dict(count)}")
    print(f"{sum(bool(lost(row)) for row in rows)} files lose a value without a note")
    print(f"{sum(moved_to_host(row) for row in rows)} files move a program from a sandbox here")


def show(rows: list[Row], crashed: list[str]) -> None:
    for row in rows:
        if row.accepted == "fail":
            print(f"    refused: {row.name}: {row.words[:200]}")
        if missing := lost(row):
            print(f"    lost: {row.name}: {', '.join(sorted(set(missing)))}")
        if moved_to_host(row):
            print(f"    moved: {row.name}")
    for line in crashed:
        print(f"    crashed: {line}")


if __name__ == "__main__":
    sys.exit(main())
