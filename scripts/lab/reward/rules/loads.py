"""What changes from one load of the environment to the next, in a process of its own each time.

Sets and `hash()` of texts have another order and value in every Python process, and so has random
choice without a seed. Tool servers, workers, a resumed run and the evaluation after training load
the environment again: golds that change between loads are wrong in all of them but one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Description, Task
from lab.reward.brief import Brief
from lab.reward.formats.varying import varying
from lab.reward.productions.base import DESIGN
from lab.reward.reading.fields import flat

SAME = Check(
    "data.same_each_load",
    title="another process loads the same tasks",
    expected="the same prompts and golds",
    reason="Tool servers, workers and resumed runs load the environment again; golds that differ "
    "there are wrong, and other tasks cannot be compared before and after training.",
    source="python: hash() of texts and the order of sets differ in each process (PYTHONHASHSEED)",
)
FIX = f"draw with random.Random(a fixed seed), sort sets, use hashlib for hashes ({DESIGN}#golds)"


def finding(b: Brief, path: Path, again: Callable[[], Description | None]) -> Finding:
    """`again` loads the environment in another process; None where it does not load there."""
    if not (causes := varying(path)):
        return SAME.skip("nothing in its code differs between processes")
    if (other := again()) is None:
        return SAME.skip("it could not be loaded a second time")
    mine, theirs = b.tasks, other.tasks
    said = f"the code has {', '.join(causes[:3])}"
    moved = [one for one, two in zip(mine, theirs, strict=False) if one.shown != two.shown]
    if moved or len(mine) != len(theirs):
        return SAME.warn(
            measured=f"{len(moved)} of {len(mine)} prompts differ",
            evidence=f"task {moved[0].index} has another prompt in another process; {said}"
            if moved
            else f"{len(mine)} tasks, and {len(theirs)} in another process; {said}",
            fix=FIX,
            severity="medium",
            direction="data",
        )
    other_golds = [
        (one, *golds)
        for one, two in zip(mine, theirs, strict=True)
        if (golds := _golds(b, one, two))
    ]
    if not other_golds:
        return SAME.ok(measured=len(mine))
    task, here, there = other_golds[0]
    return SAME.fail(
        measured=f"{len(other_golds)} of {len(mine)} golds differ",
        evidence=f"task {task.index}: {b.right.source} is {excerpt(here, 30)!r}, and "
        f"{excerpt(there, 30)!r} in another process; {said}",
        fix=FIX,
        severity="critical",
        direction="data",
    )


def _golds(b: Brief, one: Task, two: Task) -> tuple[str, str] | None:
    """The gold of a task in both processes, where it differs."""
    here, there = dict(flat(one.fields)), dict(flat(two.fields))
    name = b.right.source
    if name not in here or here[name] == there.get(name):
        return None
    return str(here[name]), str(there.get(name))
