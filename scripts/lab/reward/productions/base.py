"""How a production is declared: completions of one sort, and the check that speaks about them.

    @production("echo", title="repeating the prompt is not paid", severity="critical", ...)
    def echo(b: Brief, task: int) -> Variants:
        yield Variant("the prompt", b.tasks[task].prompt)

A production counts as paid only when it is paid on at least two different golds: one coincidence on
a small set of labels is no defect.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lab.cli.report import Check
from lab.environment import Completion
from lab.reward.brief import Brief
from lab.reward.scale import PAID, PAID_GRADED, PART

DESIGN = "references/reward_design.md"
CLOSED = ("choice", "boolean", "label")
"""Types whose answers are a small set."""
VALUES = ("number", "math", *CLOSED, "text")
"""Types with one answer: a list of several is never right."""
COLLECTIONS = ("list", "json")
TASKS = 8
"""On how many tasks with different golds a production is tried."""


@dataclass(frozen=True)
class Variant:
    """One completion of a production."""

    name: str
    completion: Completion
    unless: str = ""
    """Says nothing where the variant of this name is paid on the same task, or earns as much."""
    right: bool = False
    """Only compared with: it may be right, and is never counted."""


Variants = Iterator[Variant]
Make = Callable[[Brief, int], Variants]


@dataclass(frozen=True)
class Production:
    """One sort of completion that must not be paid."""

    id: str
    make: Make
    check: Check
    severity: str
    fix: str
    free: bool = False
    """Needs no knowledge of the gold: reachable from the first training step."""
    types: tuple[str, ...] = ()
    """Types of answer it applies to; all when empty."""
    least_golds: int = 2
    needs_gold: bool = True
    least_share: float = 0.0
    """Of the tasks that were tried, that must pay it: where one text may be right by itself."""
    judgement: Callable[[Brief], bool] = lambda b: False
    """Where whether it is reachable depends on more than is known: a warning, never a failure."""
    any_part: bool = False
    """Counts when it earns more than a wrong answer, however little."""
    whole: bool = False
    """Counts only when it is paid like a right answer: a part may be fair."""
    nothing: bool = False
    """Says nothing, and so is near to no answer: half of what is right counts everywhere."""
    half: bool = False
    """Counts when it earns half of what is right, also where near answers earn a part."""
    all_of_it: bool = False
    """Counts only when it earns no less than the gold itself."""
    tasks: int = TASKS
    sure: bool = False
    """Prompt or README say themselves that it is wrong: nothing about it is guessed."""

    def applies(self, b: Brief) -> bool:
        fits = not self.types or b.answer_type in self.types
        return fits and (not self.needs_gold or bool(b.with_gold))


PRODUCTIONS: list[Production] = []
"""By module and place in it, whatever was imported first: where two explain a finding equally
well, the first one is named."""


def production(
    id: str,
    *,
    title: str,
    reason: str,
    fix: str,
    source: str,
    severity: str = "high",
    section: str = "",
    free: bool = False,
    whole: bool = False,
    **more: object,
) -> Callable[[Make], Make]:
    """`section` of the guide says how to repair it; without one it is named like the production."""

    def declare(make: Make) -> Make:
        check = Check(
            f"reward.{id}",
            title=title,
            expected=_expected(
                free and not whole,
                half=bool(more.get("half")),
                all_of_it=bool(more.get("all_of_it")),
            ),
            reason=reason,
            source=source,
        )
        where = f"{fix} ({DESIGN}#{section or id.replace('_', '-')})"
        made = Production(id, make, check, severity, where, free=free, whole=whole, **more)  # type: ignore[arg-type]
        insort(PRODUCTIONS, made, key=lambda one: one.make.__module__)
        return make

    return declare


def _expected(part_fails: bool, *, half: bool, all_of_it: bool) -> str:
    """The rule of `rules.paid` in words."""
    if all_of_it:
        return "less than the right one earns"
    full = f"at most {PAID:.0%} of the way from a wrong answer to the right one"
    if half:
        return full
    graded = f"({PAID_GRADED:.0%} where near answers earn a part)"
    return f"at most {PART:.0%} of what is right" if part_fails else f"{full} {graded}"
