"""The training file of this submission: written from flags, or the user's own.

A file that we wrote carries a mark with the hash of its content; only such an unedited file is
overwritten without --force.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import re
from pathlib import Path
from typing import Any

from lab.files import write_whole
from lab.report import usage
from lab.submission.send import fingerprint
from lab.training import defaults, write
from lab.training.file import SLUG, TrainingFile, parse, read
from lab.training.model import Plan, Source
from lab.training.rules.base import EnvironmentClasses, Known
from lab.training.rules.plan import LIVE_ENOUGH
from lab.training.selfhosted import tool_parser

MARK = re.compile(r"\A# written by submit_training\.py, content ([0-9a-f]{8})\n")


def make_plan(args: argparse.Namespace, slug: str, known: Known, measured: dict[str, Any]) -> Plan:
    """The plan that the flags ask for; what they leave open comes from measurements and defaults."""
    name = slug.rsplit("/", 1)[-1].split("@", 1)[0]
    classes = known.classes.get(name.replace("-", "_").lower())
    model = args.model or defaults.MODEL
    size = defaults.sizing(model, lora=bool(args.lora))
    group = args.rollouts or known.best_group_size or defaults.GROUP_SIZE
    tokens = args.tokens or _tokens(measured)
    steps = args.steps or defaults.STEPS
    turns = _turns(known, measured, args.tools)
    limit = turns if turns > 1 else None
    seat = classes.seats[0] if classes else "agent"
    train = Source(slug, name=name, group_size=group, seat=seat, args=_split(classes, "train"), max_turns=limit)
    held = Source(slug, name=name, seat=seat, args=_split(classes, "eval"), max_turns=limit)
    plan = Plan(
        name=name,
        model=model,
        train=(train,),
        eval=(held,) if held.args else (),
        steps=steps,
        batch_size=args.batch or _groups(known, group) * group,
        seq_len=defaults.sequence_length(int(known.prompt_tokens or defaults.PROMPT_TOKENS), turns, tokens),
        max_completion_tokens=tokens,
        learning_rate=size.learning_rate,
        eval_interval=max(5, min(25, steps // 4)) if steps >= 5 else 1,
        ckpt_interval=max(10, steps // 4) if steps >= 20 else None,
        train_gpus=size.train_gpus,
        infer_gpus=size.infer_gpus,
        gpu_type=args.gpu_type,
        lora_rank=args.lora,
        tool_parser=tool_parser(model) if args.tools else None,
    )
    return dataclasses.replace(plan, name=f"{name}-{fingerprint(write.render(plan.tables()))}")


def _turns(known: Known, measured: dict[str, Any], tools: bool) -> int:
    """Half as many again as the evaluation took; where no model was evaluated, room for those of an
    environment that has several."""
    if known.turns:
        return math.ceil(1.5 * known.turns) if known.turns > 1 else 1
    simulated = measured.get("simulated_turns")
    return max(defaults.TOOL_TURNS, math.ceil(1.5 * simulated)) if simulated else defaults.TOOL_TURNS if tools else 1


def _groups(known: Known, size: int) -> int:
    """Groups per step: the default batch, and more (up to four times) where few of them are live."""
    groups = max(1, round(defaults.BATCH_SIZE / size))
    share = known.measured.share(size) if known.measured else None
    wanted = math.ceil(LIVE_ENOUGH / share[1][0]) if share and share[1][0] > 0 else groups
    return max(groups, min(wanted, 4 * groups))


def _tokens(measured: dict[str, Any]) -> int:
    """Twice the mean of the evaluation, as a power of two between 256 and 8192; else 1024."""
    mean = measured.get("completion_tokens")
    if not mean:
        return defaults.TOKENS
    tokens = 256
    while tokens < 2 * mean and tokens < 8192:
        tokens *= 2
    return tokens


def _split(classes: EnvironmentClasses | None, split: str) -> dict[str, Any]:
    choices = (classes.fields.get("split") or {}).get("choices") if classes else None
    return {"split": split} if choices and split in choices else {}


def marked(text: str) -> str:
    return f"# written by submit_training.py, content {fingerprint(text)}\n" + text


def untouched(text: str) -> bool:
    """Whether `text` is what we wrote, unedited."""
    found = MARK.match(text)
    return found is not None and fingerprint(text[found.end() :]) == found.group(1)


def place(path: Path, text: str, force: str | None) -> bool:
    """Write the file unless somebody else's is there (exit 2). True when it changed."""
    if path.exists():
        old = path.read_text(encoding="utf-8", errors="replace")
        if old == text:
            return False
        if not untouched(old) and not force:
            raise usage(f"{path} was written or edited by somebody else", f"use it as it is: --config {path}; or overwrite it with --force REASON", id="input.would_overwrite")
    write_whole(path, text)
    return True


def open_config(path: Path, slug: str | None) -> tuple[TrainingFile, str]:
    """The user's own file, and the environment that it trains on (--env, else its first source)."""
    file = read(path)
    if slug:
        return file, slug
    found = next((source.id for source in file.sources("train") if SLUG.fullmatch(source.id)), "")
    return file, found


def with_name(file: TrainingFile, slug: str) -> TrainingFile:
    """The file with a run name, by which its run is found again; its own name stays."""
    if isinstance(file.data.get("name"), str) and file.data["name"]:
        return file
    name = f"{slug.rsplit('/', 1)[-1].split('@', 1)[0] or 'run'}-{fingerprint(file.text)}"
    text = f'name = "{name}"\n' + file.text
    return parse(text, path=file.path, hosted=file.hosted)
