"""Rules about the source blocks: the part of the file that the platform's validation never reads."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import Any

from lab.report import Check
from lab.training.file import SLUG, Source, TrainingFile
from lab.training.rules.base import DROP, Change, EnvironmentClasses, Issue, Known, is_number
from lab.untrusted import excerpt

SOURCES = Check(
    "config.sources",
    title="there is something to train on",
    expected=">= 1 [[orchestrator.train.source]]",
    reason="A file without a source validates, and the run waits for rollouts that never come.",
    source="prime-rl: the list is empty by default; prime train validate, run",
)
TASKSET_ID = Check(
    "config.taskset_id",
    title="each source names a taskset that the platform can install",
    expected="owner/name, on the platform",
    reason="An id without an owner is only found where the package is installed.",
    source="prime-rl issue 3096; verifiers 0.4.0 id resolution",
)
NAMES = Check(
    "config.source_names",
    title="source names are unique",
    expected="different names, none called agg",
    reason="Names become the keys of the metrics; a clash is refused or mixes two curves.",
    source="prime-rl orchestrator validation",
)
SOURCE_KEYS = Check(
    "config.source_keys",
    title="the keys of a source block are known",
    expected="name, ratio, group_size, sampling, algo, env, serve (and curriculum or sampler)",
    reason="The platform's check takes source blocks out before it validates: a misspelt key shows when the GPUs run.",
    source="prime 0.18.0: training_schema_worker, run",
)
RATIO = Check(
    "config.ratio",
    title="the ratios of the sources are positive",
    expected="> 0",
    reason="A ratio of zero is refused.",
    source="prime-rl TrainSourceConfig",
)
SEAT = Check(
    "config.seat",
    title="settings stand under the environment's own seat",
    expected="env.agent for single-agent environments",
    reason="Keys under a seat that the environment does not have are refused on the cluster.",
    source="prime-rl: wordle's seat is player",
)
HARNESS = Check(
    "config.harness",
    title="the harness is explicit",
    expected='harness.id = "null" for plain chat',
    reason="The default harness is a coding agent with its own prompt and tools.",
    source="verifiers 0.4.0: default bash",
)
RUNTIME = Check(
    "config.runtime",
    title="the runtime is explicit",
    expected='runtime.type = "subprocess" for environments in Python',
    reason="The default is a paid sandbox for each rollout.",
    source="verifiers 0.4.0: default prime",
)
TASKSET_ARGS = Check(
    "config.taskset_args",
    title="taskset arguments exist in the environment's own config",
    expected="keys and values of its TasksetConfig",
    reason="The platform never compares them with the environment; a dead key stops the run after the start.",
    source="prime 0.18.0: prime train validate accepts any, run",
)
EVAL_SPLIT = Check(
    "config.eval_split",
    title="evaluation uses other tasks than training",
    expected="another taskset, or another split of it",
    reason="A reward that rises on the training tasks says nothing about others.",
    source="",
)
EVAL_SOURCES = Check(
    "config.eval_sources",
    title="an evaluation block names its tasks",
    expected=">= 1 [[orchestrator.eval.source]] when [orchestrator.eval] stands",
    reason="An empty block is refused.",
    source="prime-rl EvalConfig",
)
JUDGE_KEY = Check(
    "config.judge_key",
    title="judges have a key where they run",
    expected="PRIME_API_KEY, or a secret of the environment on the hub",
    reason="Only WANDB_API_KEY and HF_TOKEN are forwarded to a run; a judge without its key fails every rollout.",
    source="prime 0.18.0: prime train -e, run",
)

KEYS = {"name", "ratio", "sampling", "group_size", "algo", "curriculum", "env", "serve", "sampler", "select", "min_abs_advantage", "num_examples", "interval"}
ENV_KEYS = {"id", "taskset", "timeout", "retries", "max_concurrent_agents", "interception"}
SEAT_KEYS = {"harness", "runtime", "model", "client", "sampling", "max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens", "timeout", "retries", "trainable", "name", "compaction"}
RUNTIMES = ("subprocess", "docker", "podman", "apptainer", "prime", "modal", "e2b")


def present(file: TrainingFile, known: Known) -> Iterator[Issue]:
    raw = file.get("orchestrator.train.source")
    if raw is not None and not (isinstance(raw, list) and all(isinstance(row, dict) for row in raw)):
        yield Issue(SOURCES.fail("not a list of tables", "source must be written as [[orchestrator.train.source]], with two brackets", "write [[orchestrator.train.source]]"))
    elif not file.sources("train") and not file.has("trainer.data.fake"):
        yield Issue(SOURCES.fail(0, "the file names no training source", "add [[orchestrator.train.source]] with env.taskset.id, or have a file written: leave --config away"))
    else:
        yield Issue(SOURCES.ok(len(file.sources("train"))))


def taskset_id(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in _both(file):
        value = source.id
        if not value:
            yield Issue(TASKSET_ID.fail("none", f"{source.where}: env.taskset.id is missing", 'set env.taskset.id = "owner/name"'))
        elif file.hosted and not SLUG.fullmatch(value):
            yield Issue(TASKSET_ID.fail(excerpt(value, 60), f"{source.where}: {excerpt(value, 60)!r} has no owner, so the platform cannot install it", 'write env.taskset.id = "owner/name" as published'))
        elif value.endswith("-v1") or value.endswith("_v1"):
            yield Issue(TASKSET_ID.warn(excerpt(value, 60), f"{source.where}: ids ended in -v1 in one generation only", "check the published name: prime env status OWNER/NAME"))
        elif file.hosted and isinstance(source.table.get("serve"), dict) and source.table["serve"].get("address"):
            yield Issue(TASKSET_ID.warn("serve.address", f"{source.where}: serve.address is a server of yours, which a run on the platform does not reach", "remove serve.address: the run starts the environment itself"), (Change(f"{source.path}.serve.address", DROP),))
        else:
            yield Issue(TASKSET_ID.ok(excerpt(value, 60), source.where))
    for module in {source.module for source in _both(file)}:
        versions = {source.id.partition("@")[2] for source in _both(file) if source.module == module}
        if module and len(versions) > 1:
            yield Issue(TASKSET_ID.warn([version or "newest" for version in sorted(versions)], f"{module} is named in {len(versions)} versions, and one environment is installed once", "name the same version in every source"))


def names(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for kind in ("train", "eval"):
        seen: dict[str, int] = {}
        for source in file.sources(kind):
            seen[source.name] = seen.get(source.name, 0) + 1
        bad = [name for name, count in seen.items() if count > 1 or name == "agg"]
        if bad:
            yield Issue(NAMES.fail([excerpt(name, 40) for name in bad], f"{kind} sources: {', '.join(excerpt(name, 40) for name in bad)} {'is reserved' if 'agg' in bad else 'stands twice'}", "give each source a name of its own"))
        elif seen:
            yield Issue(NAMES.ok(len(seen), kind))


def keys(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Misspelt keys at the three levels of a source block."""
    clean = True
    for source in _both(file):
        levels: list[tuple[str, dict[str, Any], set[str]]] = [("", source.table, KEYS)]
        for key, value in source.env.items():
            if key not in ENV_KEYS and isinstance(value, dict):
                levels.append((f"env.{key}.", value, SEAT_KEYS))
        for prefix, table, legal in levels:
            for key in table:
                if key in legal:
                    continue
                clean = False
                near = difflib.get_close_matches(key, legal, 1, 0.75)
                value = table[key]
                moved = _moved(prefix, key)
                fix = moved or (f"write {prefix}{near[0]}" if near else f"remove it; legal here: {', '.join(sorted(legal))}")
                repair = (Change(f"{source.path}.{prefix}{near[0]}", value), Change(f"{source.path}.{prefix}{key}", DROP)) if near and not moved and near[0] not in table else ()
                yield Issue(SOURCE_KEYS.fail(f"{prefix}{excerpt(key, 40)}", f"{source.where}: {prefix}{excerpt(key, 40)} is not a key of this block", fix), repair)
    if clean and _both(file):
        yield Issue(SOURCE_KEYS.ok())


def _moved(prefix: str, key: str) -> str:
    """Keys of earlier forms of the block, with where they went."""
    if prefix:
        return ""
    return {
        "id": "write env.taskset.id",
        "args": "write the arguments as keys below env.taskset",
        "taskset": "write env.taskset",
        "harness": "write env.agent.harness",
        "runtime": "write env.agent.runtime",
        "rollouts_per_example": "write group_size",
        "rollouts": "write group_size",
        "weight": "write ratio",
    }.get(key, "")


def ratio(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        value = source.table.get("ratio", 1.0)
        if not is_number(value) or value <= 0:
            yield Issue(RATIO.fail(value, f"{source.where}: ratio {value}", "set a positive ratio, or remove the source"))
            return
    ratios = [source.table.get("ratio", 1.0) for source in file.sources("train")]
    for source, value in zip(file.sources("train"), ratios, strict=True):
        size = max(file.group_size(source), 1)
        groups = (file.batch_size or 0) * value / sum(ratios) / size
        if len(ratios) > 1 and file.batch_size and groups < 0.5:
            yield Issue(RATIO.warn(f"{groups:.2g} groups per step", f"{source.where}: its share of the batch is {groups * size:.2g} rollouts, one group of {size:g} in {1 / groups:.0f} steps", "raise its ratio or the batch, or remove the source"))


def seat(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Against the environment's own seats; without them only a likely misspelling is certain."""
    for source in _both(file):
        there, legal = _configured(source), _legal(source, known)
        wrong = [key for key in there if key not in legal]
        if not wrong:
            if there:
                yield Issue(SEAT.ok(there, source.where))
            continue
        shown = excerpt(wrong[0], 40)
        if _surely_wrong(wrong[0], source, known):
            target = legal[0]
            moved = {key: value for key, value in source.env[wrong[0]].items() if key not in source.seat(target)}
            repair = (*(Change(f"{source.path}.env.{target}.{key}", value) for key, value in moved.items()), Change(f"{source.path}.env.{wrong[0]}", DROP))
            yield Issue(SEAT.fail(shown, f"{source.where}: env.{shown} is no seat of this environment ({', '.join(legal)})", f"write env.{target}"), repair)
        elif source.env.get("id") is None:
            yield Issue(SEAT.warn(shown, f"{source.where}: env.{shown} is right only for an environment with that seat, which cannot be seen here", "use env.agent for a single-agent environment, or name its folder with --local"))


def _configured(source: Source) -> list[str]:
    return [key for key, value in source.env.items() if key not in ENV_KEYS and isinstance(value, dict)]


def _legal(source: Source, known: Known) -> tuple[str, ...]:
    classes = known.classes.get(source.module)
    return classes.seats if classes and classes.seats else ("agent",)


def _surely_wrong(name: str, source: Source, known: Known) -> bool:
    if source.module in known.classes:
        return name not in _legal(source, known)
    return name in ("model", "policy", "assistant") or (name != "agent" and bool(difflib.get_close_matches(name, ["agent"], 1, 0.7)))


def harness(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in _both(file):
        for name in _seats(source, known):
            table = source.seat(name).get("harness")
            value = table.get("id") if isinstance(table, dict) else None
            path = f"{source.path}.env.{name}.harness.id"
            if value is None:
                yield Issue(HARNESS.fail("not set", f"{source.where}: env.{name}.harness.id is not set", 'set harness.id = "null" for plain chat'), (Change(path, "null"),))
            elif value == "bash":
                yield Issue(HARNESS.warn(value, f"{source.where}: bash adds a coding agent's prompt and tools to every rollout", 'use "null" unless the tasks need a shell'))
            else:
                yield Issue(HARNESS.ok(excerpt(value, 40), source.where))


def runtime(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in _both(file):
        for name in _seats(source, known):
            table = source.seat(name).get("runtime")
            value = table.get("type") if isinstance(table, dict) else None
            path = f"{source.path}.env.{name}.runtime.type"
            if value is None:
                yield Issue(RUNTIME.fail("not set", f"{source.where}: env.{name}.runtime.type is not set, so each rollout opens a paid sandbox", 'set runtime.type = "subprocess"'), (Change(path, "subprocess"),))
            elif value in ("prime", "modal", "e2b"):
                yield Issue(RUNTIME.warn(value, f"{source.where}: each rollout opens a paid sandbox", 'use "subprocess" unless the tasks need a container'))
            elif value not in RUNTIMES:
                yield Issue(RUNTIME.fail(excerpt(value, 40), f"{source.where}: there is no runtime {excerpt(value, 40)!r}", f"use one of {', '.join(RUNTIMES)}"))
            else:
                yield Issue(RUNTIME.ok(value, source.where))


def taskset_args(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Keys, choices and plain types against the environment's own config class."""
    for source in _both(file):
        classes = known.classes.get(source.module)
        if classes is None:
            if source.args:
                yield Issue(TASKSET_ARGS.skip(f"{source.where}: {source.module} cannot be imported here, so {', '.join(excerpt(key, 30) for key in source.args)} is unchecked"))
            continue
        faults = list(_argument_faults(source, classes))
        yield from faults
        if not faults:
            yield Issue(TASKSET_ARGS.ok(sorted(source.args) or "none", f"{source.where}, against {classes.read_from or classes.module}"))


def _argument_faults(source: Source, classes: EnvironmentClasses) -> Iterator[Issue]:
    for key, value in source.args.items():
        shown = excerpt(key, 40)
        if key not in classes.fields:
            near = difflib.get_close_matches(key, classes.fields, 1, 0.6)
            fix = f"write {near[0]}" if near else f"remove it; {classes.module} has {', '.join(sorted(classes.fields)) or 'no keys of its own'}"
            repair = (Change(f"{source.path}.env.taskset.{near[0]}", value), Change(f"{source.path}.env.taskset.{key}", DROP)) if near and near[0] not in source.taskset else ()
            yield Issue(TASKSET_ARGS.fail(shown, f"{source.where}: {classes.module} has no config key {shown}", fix), repair)
            continue
        field = classes.fields[key]
        choices = field.get("choices")
        if choices and value not in choices:
            yield Issue(TASKSET_ARGS.fail(f"{shown} = {excerpt(value, 40)}", f"{source.where}: {shown} takes {', '.join(map(str, choices))}", f"use one of {', '.join(map(str, choices))}"))
        elif field.get("type") and not _fits(value, str(field["type"])):
            yield Issue(TASKSET_ARGS.fail(f"{shown} = {excerpt(value, 40)}", f"{source.where}: {shown} is {excerpt(field['type'], 60)}", f"give a value of that type for {shown}"))
    task = source.taskset.get("task")
    for key in task if isinstance(task, dict) else ():
        if classes.task_fields and key not in classes.task_fields:
            yield Issue(TASKSET_ARGS.fail(f"task.{excerpt(key, 40)}", f"{source.where}: the task has no config key {excerpt(key, 40)}", f"use one of {', '.join(classes.task_fields)}"))


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
        yield Issue(EVAL_SOURCES.fail(0, "[orchestrator.eval] names no source", "add [[orchestrator.eval.source]], or remove the block"), (Change("orchestrator.eval", DROP),))
        return
    for held in file.sources("eval"):
        same = [source for source in file.sources("train") if source.module == held.module and source.module]
        clash = next((source for source in same if _selection(source, known) == _selection(held, known)), None)
        if clash is not None:
            classes = known.classes.get(held.module)
            choices = (classes.fields.get("split", {}).get("choices") if classes else None) or []
            fix = 'give it env.taskset.split = "eval"' if "eval" in choices else "give it a split or a dataset of its own, or remove the evaluation block"
            repair = (Change(f"{held.path}.env.taskset.split", "eval"),) if "eval" in choices else ()
            yield Issue(EVAL_SPLIT.fail(excerpt(held.module, 40), f"{held.where} loads the very tasks of {clash.where}", fix), repair)
        else:
            yield Issue(EVAL_SPLIT.ok(excerpt(held.args.get("split", held.module), 40), held.where))


def _selection(source: Source, known: Known) -> str:
    """What decides which tasks are loaded, with defaults filled in where they are known."""
    classes = known.classes.get(source.module)
    args = dict(source.args)
    for key in ("split", "subset", "dataset"):
        default = classes.fields.get(key, {}).get("default") if classes else None
        if default is not None:
            args.setdefault(key, default)
    return json.dumps(args, sort_keys=True, default=str)


def judge_key(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Any `api_key_var` below a source, and keys in env_vars that nobody forwards."""
    for source in _both(file):
        for path, value in _find(source.table, "api_key_var"):
            if value == "PRIME_API_KEY" or value in known.forwarded:
                yield Issue(JUDGE_KEY.ok(excerpt(value, 40), source.where))
            elif file.hosted:
                yield Issue(JUDGE_KEY.warn(excerpt(value, 40), f"{source.where}: {path} reads {excerpt(value, 40)}, which the platform does not forward", f"add it to the environment on the hub: prime env secret create, named {excerpt(value, 40)}; or use a judge of Prime Inference"))


def _find(table: Any, key: str, path: str = "") -> Iterator[tuple[str, Any]]:
    items = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for name, value in items:
        here = f"{path}.{name}" if path else str(name)
        if name == key:
            yield here, value
        else:
            yield from _find(value, key, here)


def _seats(source: Source, known: Known) -> list[str]:
    """The seats whose settings count; the environment's first one when the source names none."""
    there = [key for key in _configured(source) if not _surely_wrong(key, source, known)]
    return there or [_legal(source, known)[0]]


def _both(file: TrainingFile) -> list[Source]:
    return [*file.sources("train"), *file.sources("eval")]


RULES = (present, taskset_id, names, keys, ratio, seat, harness, runtime, taskset_args, eval_split, judge_key)
