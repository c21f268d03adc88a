"""How a family of exploits is declared, and how it is decided whether the reward pays it.

A family is a function that writes completions for one task; the decorator declares its check:

    @family("echo", title="repeating the prompt is not paid", severity="critical", answer_free=True, ...)
    def echo(s: Subject, task: int):
        yield "prompt", s.tasks[task].prompt

A family counts as paid only when it is paid on at least two different golds: one coincidence on a
small set of labels is no defect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lab.environment import Completion
from lab.probes.subject import TINY, Subject
from lab.rates import jeffreys
from lab.report import Check, Finding
from lab.untrusted import excerpt

Make = Callable[[Subject, int], Iterator[tuple[str, Completion]]]
SLOW = 3.0
"""Seconds after which a variant is not tried on further tasks."""
DESIGN = "references/reward_design.md"


@dataclass(frozen=True)
class Family:
    """One way to earn a reward without a right answer."""

    id: str
    make: Make
    check: Check
    severity: str
    answer_free: bool
    """Needs no knowledge of the gold: reachable from the first training step."""
    fix: str
    kinds: tuple[str, ...] = ()
    """Families of answers it applies to; all when empty."""
    least_golds: int = 2
    needs_gold: bool = True
    least_share: float = 0.0
    """Of the tasks that were tried, that must pay it: where one text may be right on some tasks by itself."""
    judgement: Callable[[Subject], bool] = lambda s: False
    """Where whether it is reachable depends on more than is known: a warning, never a failure."""
    whole: bool = False
    """Counts only when it is paid like a right answer, also where no gold is needed: a part may be fair."""

    def applies(self, s: Subject) -> bool:
        return not self.kinds or s.family in self.kinds


@dataclass
class Payment:
    """One probe that was paid."""

    family: Family
    variant: str
    task: int
    completion: Completion
    reward: float
    share: float


@dataclass
class Result:
    """What one family earned."""

    family: Family
    tried: int = 0
    full: list[Payment] = field(default_factory=list)
    part: list[Payment] = field(default_factory=list)
    best: Payment | None = None
    tasks: set[int] = field(default_factory=set)
    earned: list[tuple[str, int, float]] = field(default_factory=list)
    """(variant, task, reward) of everything tried."""
    cut: bool = False
    """The time for all probes ended before everything was tried."""

    def add(self, s: Subject, variant: str, task: int, completion: Completion, reward: float) -> None:
        self.tried += 1
        self.tasks.add(task)
        self.earned.append((variant, task, reward))
        payment = Payment(self.family, variant, task, completion, reward, s.share(task, reward))
        if self.best is None or payment.share > self.best.share:
            self.best = payment
        if s.paid_like_right(task, reward) and reward > s.floor_of(task) + TINY:
            self.full.append(payment)
        elif s.paid_in_part(task, reward):
            self.part.append(payment)


FAMILIES: list[Family] = []
NAMING = ("denied", "hedged", "short_gold_mentioned", "think_leak", "close_number")
"""Where one guess after the other is taken, whoever names the gold has guessed it: no more than lenient reading."""


def family(
    id: str,
    *,
    title: str,
    reason: str,
    fix: str,
    severity: str = "high",
    answer_free: bool = False,
    source: str = "",
    kinds: tuple[str, ...] = (),
    least_golds: int = 2,
    needs_gold: bool = True,
    section: str = "",
    least_share: float = 0.0,
    judgement: Callable[[Subject], bool] = lambda s: False,
    whole: bool = False,
) -> Callable[[Make], Make]:
    """`section` of the guide says how to mend it; without one it is named like the family."""

    def declare(make: Make) -> Make:
        check = Check(f"reward.{id}", title=title, expected="paid no more than a wrong answer", reason=reason, source=source)
        FAMILIES.append(
            Family(id, make, check, severity, answer_free, f"{fix} ({DESIGN}#{section or id.replace('_', '-')})", kinds, least_golds, needs_gold, least_share, judgement)
        )
        return make

    return declare


def run(s: Subject, one: Family, most_tasks: int = 8) -> Result:
    """Score the family's completions on up to `most_tasks` tasks with different golds."""
    result = Result(one)
    stuck: set[str] = set()
    for task in s.sample(most_tasks) or [*s.acted, *(i for i in range(len(s.tasks)) if i not in s.acted)][:most_tasks]:
        for variant, completion in one.make(s, task):
            if variant in stuck:
                continue
            if s.over(keep=0.3):
                result.cut = True
                return result
            score = s.score(task, completion)
            if score.reward is not None:
                result.add(s, variant, task, completion, score.reward)
            if score.kind in ("timeout", "exited") or score.seconds > SLOW:
                stuck.add(variant)  # one finding is enough
    return result


def golds(s: Subject, payments: list[Payment]) -> int:
    return len({s.gold(p.task) for p in payments})


def decide(s: Subject, result: Result) -> Finding:
    """Fail when paid like a right answer (an answer-free one: clearly above the floor)."""
    one = result.family
    if not result.tried:
        if result.cut:
            return one.check.skip("the time for all probes was over: a larger --budget")
        return one.check.skip("does not apply to these tasks or this format")
    counted = result.full + (result.part if one.answer_free and not one.whole and not s.graded else [])
    direction = {"direction": "false_positive"}
    different = len({s.gold(i) for i in s.with_gold})
    tasks = len({p.task for p in counted})
    # Without golds a text may keep the rules of one task by chance: two tasks stand for two golds.
    several = golds(s, counted) >= min(one.least_golds, max(1, different)) if s.with_gold else tasks >= min(one.least_golds, len(result.tasks))
    enough = several and tasks >= one.least_share * len(result.tasks)
    if not enough and one.least_share:
        return one.check.ok(measured=f"paid on {tasks} of {len(result.tasks)} tasks", **direction)
    if counted and enough and not one.judgement(s) and not (one.id in NAMING and s.guessing):
        return one.check.fail(measured=_measured(result, counted), evidence=_evidence(s, result, counted), fix=one.fix,
                              severity=one.severity, **direction)  # fmt: skip
    if one.answer_free and result.full:  # on too few golds, or a matter of judgement
        return one.check.warn(measured=_measured(result, result.full), evidence=_evidence(s, result, result.full), fix=one.fix,
                              severity="medium", **direction)  # fmt: skip
    partly = counted + result.part
    if partly and golds(s, partly) >= min(2, different) and not (s.graded and not counted):
        return one.check.warn(measured=_measured(result, partly), evidence=_evidence(s, result, partly), fix=one.fix,
                              severity="medium", **direction)  # fmt: skip
    return one.check.ok(measured=f"0 of {result.tried} paid", **direction)


def _measured(result: Result, paid: list[Payment]) -> str:
    tasks, of = len({p.task for p in paid}), len(result.tasks)
    low, high = jeffreys(tasks, of)
    return f"paid on {tasks} of {of} tasks (95% {low:.2f} to {high:.2f})"


def _evidence(s: Subject, result: Result, paid: list[Payment]) -> str:
    top = max(paid, key=lambda p: p.share)
    variants = list(dict.fromkeys(p.variant for p in sorted(paid, key=lambda p: -p.share)))
    said = top.completion if isinstance(top.completion, str) else _told(top.completion)
    gold = f", gold {excerpt(s.gold(top.task), 40)!r}" if s.gold(top.task) else ""
    shown = "; ".join(variants[:4]) + (f" and {len(variants) - 4} more" if len(variants) > 4 else "")
    return (
        f"{shown}: task {s.tasks[top.task].index}{gold} pays {top.reward:.3g} for '{excerpt(_middle(said), 160)}' "
        f"(right {s.ceiling_of(top.task):.3g}, wrong {s.floor_of(top.task):.3g})"
    )


def _told(messages: list[dict]) -> str:
    """What the model says and calls in these messages, on one line."""
    said = []
    for message in messages:
        calls = [call.get("function") or {} for call in message.get("tool_calls") or []]
        said += [f"{function.get('name')}({function.get('arguments')})" for function in calls]
        said += [str(message.get("content"))] if message.get("role") == "assistant" and not calls else []
    return " | ".join(said) or "no message at all"


def _middle(said: object) -> str:
    text = str(said)
    return text if len(text) < 400 else f"{text[:80]} ... {text[-80:]}"
