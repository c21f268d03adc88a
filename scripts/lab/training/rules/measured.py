"""Rules about what was measured: does the file fit the distribution report's plan?

Numbers of an evaluation of the model that will be trained: the share of live groups by group
size, how many tasks are worth training on, and whether the format holds at all. Without such a
report these rules are silent; the gates ask for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from lab.cli.report import Check
from lab.cli.untrusted import excerpt
from lab.training.file import SourceBlock, TrainingFile
from lab.training.rules.base import Issue, Known, Measured, is_number

LIVE_ENOUGH = 4
"""Live groups per step below which a step follows the noise of single tasks."""
SEEN_OFTEN = 50
"""Times that a usable task is seen in a run, above which more tasks teach more than more steps."""
DEAD_TASKS = 0.3
FORMAT_HOLDS = 0.1

LIVE_GROUPS = Check(
    "plan.live_groups",
    title="enough groups of each step are live",
    expected=f">= {LIVE_ENOUGH} live groups per step, by the measured share",
    reason="Only live groups move the model. One form of prime-rl trains on what is left of the "
    "batch, the other samples until it is full: a low share costs signal or money.",
    source="prime-rl: filter_zero_advantages, constant_trainer_batch_size",
)
TASK_REPEATS = Check(
    "plan.task_repeats",
    title="there are enough usable tasks for the run",
    expected=f"no task twice in a step, none more than {SEEN_OFTEN} times in the run",
    reason="prime-rl goes round the tasks in their order: a step with more groups than usable "
    "tasks repeats itself, a long run over few tasks learns them by heart.",
    source="prime-rl: the standard sampler cycles, worked examples see a task 1 to 30 times",
)
KEEP_TASKS = Check(
    "plan.keep_tasks",
    title="the tasks are worth training on",
    expected=f"< {DEAD_TASKS:.0%} of the evaluated tasks nearly always or nearly never solved",
    reason="Tasks without a chance of a live group are sampled and paid for like the others.",
    source="ladder: the plan of check_reward_distribution",
)
WARM_UP = Check(
    "plan.warm_up",
    title="the model keeps the answer format",
    expected=f"in >= {FORMAT_HOLDS:.0%} of the rollouts",
    reason="Where the format almost never holds, the reward is almost never earned, and the first "
    "weeks of steps search for the format.",
    source="prime-rl: the worked examples reverse-text and wordle train the format first",
)


def live_groups(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source, measured in _measured(file, known):
        size, groups = file.group_size(source), _groups(file, source)
        found = measured.share(size)
        if groups is not None and size >= 2 and found is not None:
            yield _judged(source, measured, size, groups, *found)


def _judged(
    source: SourceBlock,
    measured: Measured,
    size: float,
    groups: float,
    at: int,
    interval: tuple[float, float, float],
) -> Issue:
    share, low, high = interval
    live = groups * share
    said = (
        f"{source.where}: {groups:g} groups per step, {share:.0%} of them live ({low:.0%} to "
        f"{high:.0%}, measured on {measured.tasks} tasks at group size {at}): about {live:.1f} "
        "live groups"
    )
    if share <= 0:
        fix = "train on other tasks, or first on the format: nothing here gives a signal"
        return Issue(LIVE_GROUPS.fail(0, said, fix))
    said += f"; a useful rollout costs {1 / share:.1f}"
    wanted = math.ceil(2 * LIVE_ENOUGH / share)
    fix = (
        f"set orchestrator.batch_size = {wanted * int(size)} ({wanted} groups of {size:g}), or "
        "keep only the tasks that can be live (check_reward_distribution.py --keep-tasks FILE)"
    )
    if live < 1:
        return Issue(LIVE_GROUPS.fail(round(live, 2), f"{said}; most steps have none", fix))
    if live < LIVE_ENOUGH:
        return Issue(LIVE_GROUPS.warn(round(live, 2), said, fix))
    return Issue(LIVE_GROUPS.ok(round(live, 1), said))


def task_repeats(file: TrainingFile, known: Known) -> Iterator[Issue]:
    steps = file.number("max_steps")
    for source, measured in _measured(file, known):
        groups = _groups(file, source)
        if groups is None or not steps or not measured.tasks:
            continue
        if not measured.total:
            why = (
                f"{source.where}: how many tasks it has is not recorded (push_environment.py "
                "--check-only counts them)"
            )
            yield Issue(TASK_REPEATS.skip(why))
        else:
            yield _repeats(file, source, measured, measured.total, steps, groups)


def _repeats(
    file: TrainingFile,
    source: SourceBlock,
    measured: Measured,
    total: int,
    steps: float,
    groups: float,
) -> Issue:
    kept = measured.keep / measured.tasks
    usable = max(1.0, total * kept)
    seen = steps * groups / total
    said = (
        f"{source.where}: {steps:g} steps of {groups:g} groups over {total} tasks, about "
        f"{usable:.0f} of them usable ({kept:.0%} of {measured.tasks} evaluated): each is seen "
        f"{seen:.3g} times"
    )
    if groups > total:
        batch = max(4, int(usable)) * int(file.group_size(source))
        fix = f"add tasks, or set orchestrator.batch_size = {batch}"
        said += "; a step holds the same task several times"
        return Issue(TASK_REPEATS.warn(f"{groups:g} of {total}", said, fix))
    if seen > SEEN_OFTEN:
        fix = f"add tasks, or set max_steps = {max(10, int(SEEN_OFTEN / 2 * total / groups))}"
        return Issue(TASK_REPEATS.warn(round(seen, 1), said, fix))
    return Issue(TASK_REPEATS.ok(round(seen, 2), said))


def keep_tasks(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source, measured in _measured(file, known):
        drop = measured.tasks - measured.keep
        if not measured.tasks:
            continue
        said = (
            f"{source.where}: {drop} of {measured.tasks} evaluated tasks are nearly always or "
            "nearly never solved"
        )
        if drop / measured.tasks >= DEAD_TASKS:
            results = f" --results {excerpt(measured.results, 200)}" if measured.results else ""
            fix = (
                "write the keys of the others with check_reward_distribution.py"
                f"{results} --keep-tasks keep.txt, and let the taskset load only those"
            )
            yield Issue(KEEP_TASKS.warn(f"{drop} of {measured.tasks}", said, fix))
        else:
            yield Issue(KEEP_TASKS.ok(f"{measured.keep} of {measured.tasks}", said))


def warm_up(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source, measured in _measured(file, known):
        if measured.warm_up:
            rare = f"under {FORMAT_HOLDS:.0%}"
            said = f"{source.where}: the answer format holds in {rare} of the evaluated rollouts"
            fix = (
                "train the format first: export_sft.py writes the conversations, "
                "configs/sft/format_warm_up.toml is the run"
            )
            yield Issue(WARM_UP.warn(rare, said, fix))


def _measured(file: TrainingFile, known: Known) -> Iterator[tuple[SourceBlock, Measured]]:
    """The sources whose environment was evaluated."""
    for source in file.sources("train"):
        if source.module in known.measured:
            yield source, known.measured[source.module]


def _groups(file: TrainingFile, source: SourceBlock) -> float | None:
    """Groups of this source in one step, by its share of the batch."""
    size, batch = file.group_size(source), file.batch_size
    ratios = [row.table.get("ratio", 1.0) for row in file.sources("train")]
    if not batch or size < 1 or not all(is_number(ratio) and ratio > 0 for ratio in ratios):
        return None
    return batch * source.table.get("ratio", 1.0) / sum(ratios) / size


RULES = (live_groups, task_repeats, keep_tasks, warm_up)
