"""What a run should do, in few words: from flags, or from a plan file.

    [plan]                               # every key may be left out
    model = "Qwen/Qwen3-4B-Instruct-2507"
    steps = 100
    wandb = "my-project"

    [[train]]
    env = "owner/word-problems"
    share = 2
    skip_dead_groups = true

    [[eval]]
    env = "owner/contest"
    rollouts = 32

`plan.make` expands it. What is left out is measured, or taken from the environment's own classes,
or a default; the expansion says which.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.cli.files import LARGEST_SETTINGS, parse_toml, read_plain
from lab.cli.report import LabError, usage
from lab.cli.untrusted import excerpt
from lab.training.file import SLUG
from lab.training.model import AUGUST, FORMS


@dataclass(frozen=True)
class WantedSource:
    """One environment to train or evaluate on."""

    env: str = ""
    """owner/name or owner/name@version."""
    name: str = ""
    args: dict[str, Any] = field(default_factory=dict)
    """The taskset's own keys, for example split = "train"."""
    share: float | None = None
    """Its share of each batch, relative to the others."""
    rollouts: int | None = None
    turns: int | None = None
    tokens: int | None = None
    """Completion tokens per turn, where they differ from the plan's."""
    tasks: int | None = None
    """How many tasks an evaluation takes; all when it is left out."""
    every: int | None = None
    """Steps between evaluations."""
    skip_dead_groups: bool = False
    """Groups without a signal are left out, and others take their place in the batch."""
    curriculum: bool = False
    """Tasks that are solved sometimes are drawn more often than the others."""


@dataclass(frozen=True)
class Wanted:
    """A run as its author wants it."""

    train: tuple[WantedSource, ...]
    eval: tuple[WantedSource, ...] = ()
    name: str = ""
    model: str = ""
    steps: int | None = None
    batch: int | None = None
    rollouts: int | None = None
    tokens: int | None = None
    turns: int | None = None
    length: int | None = None
    """Tokens of a whole rollout, at most."""
    every: int | None = None
    gpu_type: str | None = None
    lora: int | None = None
    tools: bool = False
    wandb: str | None = None
    form: str = AUGUST
    """Which form of the orchestrator the file is for, where it needs keys that only one has."""


ELSEWHERE = {"train": ("tasks", "every"), "eval": ("share", "skip_dead_groups", "curriculum")}
"""Fields of a source that mean something only in blocks of the other kind."""


def from_flags(args: argparse.Namespace) -> Wanted:
    if args.name and not NAME.fullmatch(args.name):
        raise usage(
            f"--name {excerpt(args.name, 40)!r} cannot name a file",
            "use letters, digits, spaces, - . + and _, and begin with a letter or a digit",
            id="input.arguments",
        )
    return Wanted(
        train=(WantedSource(args.env),),
        name=args.name or "",
        model=args.model or "",
        steps=args.steps,
        batch=args.batch,
        rollouts=args.rollouts,
        tokens=args.tokens,
        turns=args.turns,
        length=args.length,
        gpu_type=args.gpu_type,
        lora=args.lora,
        tools=args.tools,
        wandb=args.wandb,
    )


def from_plan(path: Path) -> Wanted:
    """The plan in `path`; anything that is no plan is an error of usage (exit 2)."""
    try:
        data = parse_toml(read_plain(path, LARGEST_SETTINGS))
    except FileNotFoundError:
        raise _wrong(path, "it does not exist", "input.missing_file") from None
    except OSError as error:
        raise _wrong(path, f"it cannot be read: {error}", "input.unreadable") from None
    except ValueError as error:
        raise _wrong(
            path, f"it is not valid TOML: {excerpt(error)}", "input.invalid_toml"
        ) from None
    for key in data:
        if key not in ("plan", "train", "eval"):
            raise _wrong(path, f"it has a table [{excerpt(key, 40)}]; legal: plan, train, eval")
    general = data.get("plan", {})
    if not isinstance(general, dict):
        raise _wrong(path, "plan must be a table")
    train, held = (_sources(path, data, kind) for kind in ("train", "eval"))
    if not train:
        raise _wrong(path, "it names no [[train]] with an env")
    wanted = _filled(Wanted, general, path, "[plan]", without=("train", "eval"))
    if wanted.get("form", AUGUST) not in FORMS:
        raise _wrong(path, f"form is one of {', '.join(FORMS)}")
    return Wanted(train=train, eval=held, **wanted)


def _sources(path: Path, data: dict[str, Any], kind: str) -> tuple[WantedSource, ...]:
    rows = data.get(kind, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _wrong(path, f"write [[{kind}]], with two brackets")
    found = []
    for index, row in enumerate(rows):
        where = f"[[{kind}]] number {index + 1}"
        source = WantedSource(**_filled(WantedSource, row, path, where, ELSEWHERE[kind]))
        if not SLUG.fullmatch(source.env):
            raise _wrong(path, f"{where}: env = {excerpt(source.env, 60)!r} is not owner/name")
        found.append(source)
    return tuple(found)


def _filled(
    kind: type, table: dict[str, Any], path: Path, where: str, without: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The table's values for the fields of a dataclass, each of its type."""
    fields = {one.name: one for one in dataclasses.fields(kind) if one.name not in without}
    for key, value in table.items():
        if key not in fields:
            near = difflib.get_close_matches(key, fields, 1, 0.6)
            legal = f"write {near[0]}" if near else f"legal: {', '.join(fields)}"
            raise _wrong(path, f"{where} has no key {excerpt(key, 40)}; {legal}")
        wanted = str(fields[key].type).split(" | ")[0].split("[")[0]
        if not _is(value, wanted):
            raise _wrong(path, f"{where}: {key} = {excerpt(value, 40)} is not {WORDS[wanted]}")
        if key == "name" and not NAME.fullmatch(value):
            raise _wrong(path, f"{where}: name = {excerpt(value, 40)!r} cannot name a file")
    return dict(table)


NAME = re.compile(r"\w[\w .+-]*")
"""Files are named after it: no folder, and nothing hidden."""
WORDS = {
    "int": "a positive whole number",
    "float": "a positive number",
    "str": "a text",
    "bool": "true or false",
    "dict": "a table",
}


def _is(value: Any, kind: str) -> bool:
    if kind in ("int", "float"):
        number = isinstance(value, int) or (kind == "float" and isinstance(value, float))
        return number and not isinstance(value, bool) and value > 0
    return isinstance(value, {"str": str, "bool": bool, "dict": dict}[kind])


def _wrong(path: Path, why: str, id: str = "input.plan") -> LabError:
    return usage(f"the plan {path}: {why}", "see configs/plans for plans that work", id=id)
