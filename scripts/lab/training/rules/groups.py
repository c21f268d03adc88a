"""Rules about groups and batches: how many rollouts of how many tasks a step compares."""

from __future__ import annotations

from collections.abc import Iterator

from lab.cli.report import Check
from lab.sizes import GROUP_SIZE as USUAL_SIZE
from lab.training.file import SourceBlock, TrainingFile
from lab.training.keys import as_number
from lab.training.rules.base import DROP, Change, Issue, Known, is_number

SINGLE = ("rae", "opd", "opsd", "sft")
"""Algorithms that do not compare the rollouts of a group, so a group of one is fine."""
SMALLEST, USEFUL, LARGEST = 4, 8, 64
"""Rollouts of a task: below the first nearly no group is live, below the second few are, above the
third they cost more than they tell."""
FEWEST_TASKS, MOST_ROLLOUTS = 4, 4096

GROUP_SIZE = Check(
    "config.group_size",
    title="each task gets several rollouts",
    expected=f">= {USEFUL} per source ({SMALLEST} at least)",
    reason="Advantages are differences within a group: with one rollout they are all zero and the "
    "run trains nothing. The default is 1, and it validates.",
    source="prime-rl: group_size = 1, worked examples use 8 and 16",
)
BATCH = Check(
    "config.batch_divisible",
    title="the batch is whole groups of every source",
    expected="batch_size % group_size == 0 for each source",
    reason="The platform checks only the shared group size; the newer form refuses the run.",
    source="prime-rl: orchestrator validation",
)
BATCH_GROUPS = Check(
    "config.batch_groups",
    title="a batch holds several tasks",
    expected=f">= {FEWEST_TASKS} groups per step, <= {MOST_ROLLOUTS} rollouts",
    reason="A step over one or two tasks follows their noise; each step of a huge batch is paid in "
    "full.",
    source="prime-rl: worked examples have 8 to 64 groups per step",
)
MINUTES = 3
ROUNDS = 4
IN_FLIGHT = Check(
    "config.in_flight",
    title="enough rollouts run at a time",
    expected=f"max_inflight >= 1/{ROUNDS} of the batch, tasks_per_minute a batch in {MINUTES} min",
    reason="A limit below one group never finishes one; a limit far below the batch leaves the "
    "GPUs idle and billed.",
    source="prime-rl: orchestrator.concurrency, tasks_per_minute",
)


def group_size(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """1 trains nothing; 2 and 3 rarely have a live group; below 8 most are not."""
    for source in file.sources("train"):
        yield _judged_size(file, source, known.of(source).group_size)


def _judged_size(file: TrainingFile, source: SourceBlock, planned: int | None) -> Issue:
    size, algorithm, best = file.group_size(source), file.algorithm(source), planned or USUAL_SIZE
    where, raw = source.where, source.table.get("group_size")
    number = as_number(raw)
    if raw is not None and (number is None or number != int(number) or number < 1):
        said = f"{where}: group_size is not a whole number of 1 or more"
        return Issue(GROUP_SIZE.fail(str(raw), said, f"set group_size = {best} on it"))
    if algorithm in SINGLE:
        return Issue(GROUP_SIZE.ok(size, f"{where}: {algorithm} does not compare rollouts"))
    if size < SMALLEST:
        unset = raw is None and size == 1
        why = "group_size is not set, and the default is 1" if unset else f"group_size is {size:g}"
        fix = f"set group_size = {best} on each train source"
        change = Change(f"{source.path}.group_size", best)
        return Issue(GROUP_SIZE.fail(size, f"{where}: {why}", fix), (change,))
    if size < USEFUL:
        said = f"{where}: groups of {size:g} are rarely live unless half of the rollouts are right"
        return Issue(GROUP_SIZE.warn(size, said, f"use 8 to 32, for example group_size = {best}"))
    if size > LARGEST:
        said = f"{where}: {size:g} rollouts of one task cost more than they tell"
        return Issue(GROUP_SIZE.warn(size, said, "use 8 to 32, and more tasks per step"))
    if planned and size < planned:
        said = f"{where}: the distribution report's plan asks for {planned}"
        fix = f"set group_size = {planned}, or check the distribution at {size:g}"
        return Issue(GROUP_SIZE.warn(size, said, fix))
    return Issue(GROUP_SIZE.ok(size, where))


def batch(file: TrainingFile, known: Known) -> Iterator[Issue]:
    size = file.batch_size
    if file.has("orchestrator.batch_size") and file.has("orchestrator.token_batch_size"):
        said = "batch_size and token_batch_size exclude each other"
        fix = "keep batch_size; the newer form has no token_batch_size"
        change = Change("orchestrator.token_batch_size", DROP)
        yield Issue(BATCH.fail("both", said, fix), (change,))
        return
    if size is None:
        yield Issue(BATCH.ok("in tokens", "token_batch_size, of prime-rl of August 2026 only"))
        return
    if size != int(size) or size < 1:
        said = "batch_size is not a positive whole number"
        yield Issue(BATCH.fail(size, said, "set orchestrator.batch_size = 128"))
        return
    bad = [s for s in file.sources("train") if (g := file.group_size(s)) >= 1 and size % g]
    for source in bad:
        group = file.group_size(source)
        near = max(group, round(size / group) * group)
        said = f"{source.where}: {size:g} rollouts are not whole groups of {group:g}"
        fix = f"set orchestrator.batch_size = {near:g}, or another group size"
        yield Issue(BATCH.fail(f"{size:g} / {group:g}", said, fix))
    if not bad and file.sources("train"):
        yield Issue(BATCH.ok(size))


def batch_groups(file: TrainingFile, known: Known) -> Iterator[Issue]:
    size = file.batch_size
    groups = [file.group_size(source) for source in file.sources("train")]
    if size is None or not groups or size != int(size) or size < 1:
        return
    largest = max(groups)
    count = size / max(largest, 1)
    fix = f"set orchestrator.batch_size = {largest * 8:g} (8 tasks per step)"
    if count < 1:
        said = f"a batch of {size:g} does not hold one group of {largest:g}"
        yield Issue(BATCH_GROUPS.fail(f"{count:.2g} groups", said, fix))
    elif count < FEWEST_TASKS:
        said = f"each step sees {count:g} tasks"
        yield Issue(BATCH_GROUPS.warn(f"{count:g} groups", said, fix))
    elif size > MOST_ROLLOUTS:
        said = f"each step waits for {size:g} rollouts"
        fix = "start with 128 to 512"
        yield Issue(BATCH_GROUPS.warn(f"{size:g} rollouts", said, fix))
    else:
        yield Issue(BATCH_GROUPS.ok(f"{count:g} groups"))


def in_flight(file: TrainingFile, known: Known) -> Iterator[Issue]:
    groups = [file.group_size(source) for source in file.sources("train")]
    size = file.batch_size
    if not groups or not size:
        return
    largest = max(groups)
    most = file.number("orchestrator.concurrency.max_inflight")
    first = file.number("orchestrator.concurrency.initial_inflight")
    rate = file.number("orchestrator.tasks_per_minute")
    low = min((value for value in (most, first) if value is not None), default=None)
    waiting = size / largest / rate if is_number(rate) and rate > 0 else 0.0
    if low is not None and low < largest:
        said = f"{low:g} rollouts in flight hold no group of {largest:g}"
        fix = "leave orchestrator.concurrency out: it adapts by itself"
        change = Change("orchestrator.concurrency", DROP)
        yield Issue(IN_FLIGHT.fail(f"{low:g}", said, fix), (change,))
    elif most is not None and most < size / ROUNDS:
        said = (
            f"{most:g} rollouts in flight (max_inflight), a batch has {size:g}: each step is "
            f"sampled in {size / most:.0f} rounds"
        )
        fix = "raise orchestrator.concurrency.max_inflight, or leave it out"
        yield Issue(IN_FLIGHT.warn(f"{most:g} of {size:g}", said, fix))
    elif waiting > MINUTES:
        said = (
            f"{size / largest:.0f} tasks per step at {rate:g} a minute: {waiting:.0f} minutes of "
            "waiting per step"
        )
        fix = "raise orchestrator.tasks_per_minute, or leave it out"
        yield Issue(IN_FLIGHT.warn(f"{rate:g} per minute", said, fix))
    elif most is not None or rate is not None:
        yield Issue(IN_FLIGHT.ok())


RULES = (group_size, batch, batch_groups, in_flight)
