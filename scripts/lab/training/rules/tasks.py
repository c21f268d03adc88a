"""Rules about the tasks of a source: its arguments, its split, and the keys of its judges."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import Any

from lab.cli.report import Check
from lab.cli.untrusted import excerpt
from lab.training.file import SourceBlock, TrainingFile
from lab.training.rules.base import (
    DROP,
    FORWARDED,
    Change,
    EnvironmentClasses,
    Issue,
    Known,
    both,
)

TASKSET_ARGS = Check(
    "config.taskset_args",
    title="taskset arguments exist in the environment's own config",
    expected="keys and values of its TasksetConfig",
    reason="The platform never compares them with the environment; a dead key stops the run after "
    "the start.",
    source="prime: prime train validate accepts any",
)
EVAL_SPLIT = Check(
    "config.eval_split",
    title="evaluation uses other tasks than training, and training the training tasks",
    expected="another taskset, or another split of it",
    reason="A reward that rises on the training tasks says nothing about others; a run that trains "
    "on the held-out tasks has nothing left to measure.",
    source="training-files: mistakes of the set",
)
EVAL_SOURCES = Check(
    "config.eval_sources",
    title="an evaluation block names its tasks",
    expected=">= 1 [[orchestrator.eval.source]] when there is [orchestrator.eval]",
    reason="An empty block is refused.",
    source="prime-rl: EvalConfig",
)
JUDGE_KEY = Check(
    "config.judge_key",
    title="judges have a key where they run",
    expected="PRIME_API_KEY, or a secret of the environment on the hub",
    reason="Only WANDB_API_KEY and HF_TOKEN are forwarded to a run; a judge without its key fails "
    "every rollout.",
    source="prime: prime train -e",
)
HELD_OUT = ("eval", "test", "validation", "valid", "dev", "held_out", "heldout")
"""Splits that are kept for measuring, by their usual names."""
SELECTING = ("split", "subset", "dataset")
"""Taskset keys that decide which tasks are loaded, and have a default."""
NEAR = 0.6


def taskset_args(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Keys, choices and plain types against the environment's own config class."""
    for source in both(file):
        classes = known.classes.get(source.module)
        if classes is None:
            if source.args:
                names = ", ".join(excerpt(key, 30) for key in source.args)
                why = f"{source.module} cannot be imported here, so {names} is unchecked"
                yield Issue(TASKSET_ARGS.skip(f"{source.where}: {why}"))
            continue
        faults = [*_argument_faults(source, classes), *_task_faults(source, classes)]
        yield from faults
        if not faults:
            said = f"{source.where}, against {classes.read_from or classes.module}"
            yield Issue(TASKSET_ARGS.ok(sorted(source.args) or "none", said))


def _argument_faults(source: SourceBlock, classes: EnvironmentClasses) -> Iterator[Issue]:
    for key, value in source.args.items():
        field = classes.fields.get(key)
        shown, where = excerpt(key, 40), source.where
        if field is None:
            yield _unknown_argument(source, key, value, classes)
        elif field.get("choices") and value not in field["choices"]:
            legal = ", ".join(map(str, field["choices"]))
            measured, said = f"{shown} = {excerpt(value, 40)}", f"{where}: {shown} takes {legal}"
            yield Issue(TASKSET_ARGS.fail(measured, said, f"use one of {legal}"))
        elif field.get("type") and not _fits(value, str(field["type"])):
            measured = f"{shown} = {excerpt(value, 40)}"
            said = f"{where}: {shown} is {excerpt(field['type'], 60)}"
            yield Issue(TASKSET_ARGS.fail(measured, said, f"give a value of that type for {shown}"))


def _unknown_argument(
    source: SourceBlock, key: str, value: Any, classes: EnvironmentClasses
) -> Issue:
    shown = excerpt(key, 40)
    near = difflib.get_close_matches(key, classes.fields, 1, NEAR)
    legal = ", ".join(sorted(classes.fields)) or "no keys of its own"
    fix = f"write {near[0]}" if near else f"remove it; {classes.module} has {legal}"
    path, repair = f"{source.path}.env.taskset", tuple[Change, ...]()
    if near and near[0] not in source.taskset:
        repair = (Change(f"{path}.{near[0]}", value), Change(f"{path}.{key}", DROP))
    said = f"{source.where}: {classes.module} has no config key {shown}"
    return Issue(TASKSET_ARGS.fail(shown, said, fix), repair)


def _task_faults(source: SourceBlock, classes: EnvironmentClasses) -> Iterator[Issue]:
    task = source.taskset.get("task")
    for key in task if isinstance(task, dict) else ():
        if classes.task_fields and key not in classes.task_fields:
            shown = excerpt(key, 40)
            said = f"{source.where}: the task has no config key {shown}"
            fix = f"use one of {', '.join(classes.task_fields)}"
            yield Issue(TASKSET_ARGS.fail(f"task.{shown}", said, fix))


def _fits(value: Any, annotation: str) -> bool:
    """Whether a TOML value can be of a plain annotation; what is not plain always fits."""
    parts = [part.strip() for part in annotation.split("|")]
    kinds = {"str": (str,), "int": (int,), "float": (int, float), "bool": (bool,)}
    if not all(part in kinds or part == "None" for part in parts):
        return True
    if isinstance(value, bool):
        return "bool" in parts
    return value == "None" or any(isinstance(value, kinds[part]) for part in parts if part in kinds)


def eval_split(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """The same taskset with the same keys on both sides is the same tasks."""
    if file.has("orchestrator.eval") and not file.sources("eval"):
        fix = "add [[orchestrator.eval.source]], or remove the block"
        said = "[orchestrator.eval] names no source"
        yield Issue(EVAL_SOURCES.fail(0, said, fix), (Change("orchestrator.eval", DROP),))
        return
    for source in file.sources("train"):
        yield from _swapped(source, known)
    for held in file.sources("eval"):
        same = [s for s in file.sources("train") if s.module == held.module and s.module]
        clash = next((s for s in same if _selection(s, known) == _selection(held, known)), None)
        if clash is not None:
            yield _same_tasks(held, clash, known)
        else:
            shown = excerpt(held.args.get("split", held.module), 40)
            yield Issue(EVAL_SPLIT.ok(shown, held.where))


def _swapped(source: SourceBlock, known: Known) -> Iterator[Issue]:
    """A training source on the split that its environment keeps for measuring."""
    split = source.args.get("split")
    classes = known.classes.get(source.module)
    others = [name for name in (classes.splits() if classes else []) if name not in HELD_OUT]
    if split not in HELD_OUT or (classes and not others):
        return
    said = f"{source.where} trains on the split {excerpt(split, 40)}, which is for measuring"
    target = others[0] if others else "train"
    fix = f'set env.taskset.split = "{target}" in the training source'
    yield Issue(EVAL_SPLIT.fail(excerpt(split, 40), said, fix))


def _same_tasks(held: SourceBlock, clash: SourceBlock, known: Known) -> Issue:
    """A failure when the environment has a split to measure on, else something to know."""
    classes = known.classes.get(held.module)
    free = [name for name in (classes.splits() if classes else []) if name in HELD_OUT]
    shown, said = excerpt(held.module, 40), f"{held.where} loads the very tasks of {clash.where}"
    if not free:
        fix = "give it a split or a dataset of its own, or remove the evaluation block"
        return Issue(EVAL_SPLIT.warn(shown, said, fix))
    change = Change(f"{held.path}.env.taskset.split", free[0])
    return Issue(
        EVAL_SPLIT.fail(shown, said, f'give it env.taskset.split = "{free[0]}"'), (change,)
    )


def _selection(source: SourceBlock, known: Known) -> str:
    """What decides which tasks are loaded, with defaults filled in where they are known."""
    classes = known.classes.get(source.module)
    args = dict(source.args)
    for key in SELECTING:
        default = classes.fields.get(key, {}).get("default") if classes else None
        if default is not None:
            args.setdefault(key, default)
    return json.dumps([args, source.table.get("select")], sort_keys=True, default=str)


def judge_key(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Any `api_key_var` below a source that nobody forwards."""
    for source in both(file):
        for path, value in _find(source.table, "api_key_var"):
            shown = excerpt(value, 40)
            if value == "PRIME_API_KEY" or value in FORWARDED:
                yield Issue(JUDGE_KEY.ok(shown, source.where))
            elif file.hosted:
                said = f"{source.where}: {path} reads {shown}, which the platform does not forward"
                fix = (
                    f"add it to the environment on the hub: prime env secret create, named {shown};"
                    " or use a judge of Prime Inference"
                )
                yield Issue(JUDGE_KEY.warn(shown, said, fix))


def _find(table: Any, key: str, path: str = "") -> Iterator[tuple[str, Any]]:
    items = table.items() if isinstance(table, dict) else enumerate(table)
    for name, value in items:
        here = f"{path}.{name}" if path else str(name)
        if name == key:
            yield here, value
        elif isinstance(value, dict | list):
            yield from _find(value, key, here)


RULES = (taskset_args, eval_split, judge_key)
