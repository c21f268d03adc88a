"""Rules about the list of sources: what a run trains on, by which names and in which shares."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator

from lab.cli.report import Check
from lab.cli.untrusted import excerpt
from lab.training.file import SLUG, SourceBlock, TrainingFile
from lab.training.rules.base import DROP, Change, Issue, Known, both, is_number

SOURCES = Check(
    "config.sources",
    title="there is something to train on",
    expected=">= 1 [[orchestrator.train.source]]",
    reason="A file without a source validates, and the run waits for rollouts that never come.",
    source="prime-rl: the list is empty by default; prime: prime train validate accepts it",
)
TASKSET_ID = Check(
    "config.taskset_id",
    title="each source names a taskset that the platform can install",
    expected="owner/name, on the platform",
    reason="An id without an owner is only found where the package is installed.",
    source="prime-rl: issue 3096; verifiers: id resolution",
)
NAMES = Check(
    "config.source_names",
    title="source names are unique",
    expected="different names, none called agg",
    reason="Names become the keys of the metrics; a clash is refused or mixes two curves.",
    source="prime-rl: orchestrator validation",
)
FEWEST_GROUPS = 0.5
"""Groups of a source in a step below which its share of the batch is taken for a mistake."""
RATIO = Check(
    "config.ratio",
    title="the ratios of the sources are positive, and each source has its share of the batch",
    expected=f"> 0, and >= {FEWEST_GROUPS} groups per step",
    reason="A ratio of zero is refused; a source with a tiny one is hardly ever trained on.",
    source="prime-rl: TrainSourceConfig",
)
TWICE = Check(
    "config.source_repeated",
    title="sources are different tasks",
    expected="no two training sources with the same taskset and arguments",
    reason="The same tasks under two names count twice in every batch, and their curves say the "
    "same.",
    source="training-files: a mistake of the set",
)
RESERVED = "agg"


def present(file: TrainingFile, known: Known) -> Iterator[Issue]:
    raw = file.get("orchestrator.train.source")
    tables = isinstance(raw, list) and all(isinstance(row, dict) for row in raw)
    if raw is not None and not tables:
        said = "source must be written as [[orchestrator.train.source]], with two brackets"
        fix = "write [[orchestrator.train.source]]"
        yield Issue(SOURCES.fail("not a list of tables", said, fix))
    elif not file.sources("train") and not file.has("trainer.data.fake"):
        fix = (
            "add [[orchestrator.train.source]] with env.taskset.id, or have a file written: leave "
            "--config out"
        )
        yield Issue(SOURCES.fail(0, "the file names no training source", fix))
    else:
        yield Issue(SOURCES.ok(len(file.sources("train"))))


def taskset_id(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in both(file):
        yield _judged_id(file, source)
        serve = source.table.get("serve")
        if file.hosted and isinstance(serve, dict) and serve.get("address"):
            said = "serve.address is a server of yours, which a run on the platform does not reach"
            fix = "remove serve.address: the run starts the environment itself"
            change = Change(f"{source.path}.serve.address", DROP)
            yield Issue(TASKSET_ID.fail("serve.address", f"{source.where}: {said}", fix), (change,))
    yield from _versions(file)


def _judged_id(file: TrainingFile, source: SourceBlock) -> Issue:
    value, where = source.id, source.where
    shown = excerpt(value, 60)
    if not value:
        fix = 'set env.taskset.id = "owner/name"'
        return Issue(TASKSET_ID.fail("none", f"{where}: env.taskset.id is missing", fix))
    if file.hosted and not SLUG.fullmatch(value):
        why = "has no owner, so the platform cannot install it"
        if not value.isascii():
            letters = ", ".join(sorted({ascii(c) for c in value if not c.isascii()})[:4])
            why = f"has letters that no name on the hub has ({letters}; they may look like others)"
        elif "/" in value:
            why = "is not of the form owner/name or owner/name@version"
        fix = 'write env.taskset.id = "owner/name" as published'
        return Issue(TASKSET_ID.fail(shown, f"{where}: {shown!r} {why}", fix))
    if source.module in sys.stdlib_module_names:
        said = f"{where}: Python's own module {source.module} is imported in its place"
        fix = "publish the environment under another name, and write that"
        return Issue(TASKSET_ID.fail(shown, said, fix))
    if value.endswith(("-v1", "_v1")):
        said = f"{where}: ids ended in -v1 in one generation only"
        fix = "check the published name: prime env status OWNER/NAME"
        return Issue(TASKSET_ID.warn(shown, said, fix))
    return Issue(TASKSET_ID.ok(shown, where))


def _versions(file: TrainingFile) -> Iterator[Issue]:
    for module in {source.module for source in both(file)}:
        ids = [source.id for source in both(file) if source.module == module]
        versions = sorted({id.partition("@")[2] for id in ids})
        if module and len(versions) > 1:
            said = (
                f"{module} is named in {len(versions)} versions, and one environment is installed "
                "once"
            )
            measured = [version or "newest" for version in versions]
            yield Issue(TASKSET_ID.warn(measured, said, "name the same version in every source"))


def names(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for kind in ("train", "eval"):
        seen = Counter(source.name for source in file.sources(kind))
        bad = [name for name, count in seen.items() if count > 1 or name == RESERVED]
        if bad:
            shown = ", ".join(excerpt(name, 40) for name in bad)
            why = "is reserved" if RESERVED in bad else "is used twice"
            fix = "give each source a name of its own"
            yield Issue(NAMES.fail(bad, f"{kind} sources: the name {shown} {why}", fix))
        elif seen:
            yield Issue(NAMES.ok(len(seen), kind))


def ratio(file: TrainingFile, known: Known) -> Iterator[Issue]:
    sources = file.sources("train")
    ratios = [source.table.get("ratio", 1.0) for source in sources]
    for source, value in zip(sources, ratios, strict=True):
        if not is_number(value) or value <= 0:
            fix = "set a positive ratio, or remove the source"
            yield Issue(RATIO.fail(value, f"{source.where}: ratio {value}", fix))
            return
    for source, value in zip(sources, ratios, strict=True):
        size = max(file.group_size(source), 1)
        groups = (file.batch_size or 0) * value / sum(ratios) / size
        if len(ratios) > 1 and file.batch_size and groups < FEWEST_GROUPS:
            said = (
                f"{source.where}: its share of the batch is {groups * size:.2g} rollouts, one "
                f"group of {size:g} in {1 / groups:.0f} steps"
            )
            fix = "raise its ratio or the batch, or remove the source"
            yield Issue(RATIO.warn(f"{groups:.2g} groups per step", said, fix))


def twice(file: TrainingFile, known: Known) -> Iterator[Issue]:
    seen: dict[str, SourceBlock] = {}
    for source in file.sources("train"):
        tasks = {**source.taskset, "id": source.module}
        selected = [source.table.get("select"), source.table.get("algo")]
        key = json.dumps([tasks, selected], sort_keys=True, default=str)
        if source.module and key in seen:
            said = f"{source.where} loads the very tasks of {seen[key].where}"
            fix = "remove one of them, or give it a split or arguments of its own"
            yield Issue(TWICE.warn(excerpt(source.id, 60), said, fix))
        seen.setdefault(key, source)


RULES = (present, taskset_id, names, ratio, twice)
