"""Constant policies: the same completion on every task, and what it earns on average.

An honest constant answer is right on as many tasks as share its gold. One that earns more shows a
reward that does not look at the task; one that is right nearly everywhere shows data that teach
nothing else.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from lab.answers.alike import beside, same
from lab.answers.extract import loads
from lab.answers.lists import write
from lab.answers.target import members
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.formats.prompt import shared_text
from lab.reward.interactive.moves import COMMANDED
from lab.reward.observation import Observation, Table
from lab.reward.productions.base import DESIGN
from lab.reward.reading.grids import filled
from lab.reward.scale import TINY

ID, REPEATED = "constant", "repeated member"
MOSTLY, HALF = 0.7, 0.5
"""Share of a right answer that no fixed text may earn on average from a graded reward, unless it is
right on half of the tasks: training would stay there."""
EXCESS, EXCESS_JSON, EXCESS_GRADED = 0.1, 0.25, 0.4
"""Of the way from wrong to right that a constant may earn beyond its right answers: another task's
JSON has a shape that may be paid in part, a graded reward pays near answers."""
WITHOUT_GOLD = 0.5
"""Mean reward above which a constant fails where no gold is known."""
COMMONEST = 5
MOST_GRIDS, MOST_COMMANDS = 4, 3
NUMBERS = ("1", "0", "1000000")
"""What a command is said with on every task: next to nothing, nothing, far too much."""
FIXED = ("", "I do not know.", "The answer is correct.")
CONSTANT = Check(
    "reward.constant_policy",
    title="no constant completion earns more than its share of the golds",
    expected=f"its right answers, and at most {EXCESS} of the way from wrong to right besides "
    f"({EXCESS_JSON} for JSON, {EXCESS_GRADED} where near answers earn a part)",
    reason="A policy that says the same everywhere is the easiest one to learn.",
    source="falsepass: lazy policy",
)


@dataclass(frozen=True)
class Constant:
    completion: str
    mean: float
    """Mean reward over the tasks."""
    honest: float
    """What it would earn if only its right answers were paid."""
    unearned: int = 0
    """Tasks that pay it like a right answer although it is not the gold."""
    right: float = 0.0
    """Share of the tasks on which it is right."""

    @property
    def excess(self) -> float:
        return self.mean - self.honest


def completions(b: Brief) -> list[tuple[str, str]]:
    """(completion, the answer that it gives) of every constant that is tried."""
    # An open text that is right for one task may keep what others ask, too.
    golds = Counter(() if b.open_ended else (b.gold(i) for i in b.with_gold))
    answers = [gold for gold, _ in golds.most_common(COMMONEST)]
    if b.answer_type == "choice" and all(len(gold) <= 3 for gold in answers):
        answers += [letter for letter in "ABCD" if letter not in answers]
    # In a shell `yes` is a command that never ends.
    answers += ["x", "1", *(["yes"] if not b.format.language else [])]
    written = [(b.write(answer), answer) for answer in [*answers, *regular_grids(b)]]
    written += [(text, "") for text in every_key(b)]
    said = [(f"{word} {number}", number) for word in commands(b) for number in NUMBERS]
    return list(dict.fromkeys([*written, *said, *((text, "") for text in FIXED)]))


def every_key(b: Brief) -> list[str]:
    """Right objects of several tasks with each other's keys: right everywhere where a check looks
    only at the keys."""
    texts = [text for text in b.right.whole.values() if isinstance(text, str) and "{" in text]
    written = [text[text.find("{") : text.rfind("}") + 1] for text in texts]
    objects = [one for one in map(loads, written) if isinstance(one, dict)]
    if len(objects) < 2:
        return []
    every = json.dumps({key: value for one in objects for key, value in one.items()})
    return [texts[0].replace(written[0], every)]


def regular_grids(b: Brief) -> list[str]:
    """The Latin squares of the size that most prompts speak of: right for no puzzle but its own."""
    counts = Counter(text for task in b.tasks for text in filled(task.shown))
    return [text for text, _ in counts.most_common(MOST_GRIDS)]


def commands(b: Brief) -> list[str]:
    """The commands with a number that the prompts name: `BID <amount>`."""
    return list(dict.fromkeys(COMMANDED.findall(shared_text(b.tasks))))[:MOST_COMMANDS]


def repeated(b: Brief, tasks: list[int]) -> dict[int, str]:
    """Per task the commonest member as often as its gold has members: what grids are full of."""
    lists = {i: found for i in tasks if b.right.all_of and (found := members(b.target(i)))}
    counts = Counter(item for items, _ in lists.values() for item in items)
    if not counts or counts.total() < 4 * len(counts):
        return {}  # hardly any member comes twice
    common, _ = counts.most_common(1)[0]
    return {
        i: write([common] * len(items), joint, b.gold(i)) for i, (items, joint) in lists.items()
    }


def is_right(b: Brief, task: int, answer: str) -> bool:
    """Whether a constant's answer may be right on a task."""
    if not answer:
        return False
    return b.right.between(task, answer) or any(
        text == answer or same(b.answer_type, answer, text) or beside(answer, text)
        for text in b.right.accepted[task]
    )


def measure(b: Brief, table: Table) -> list[Constant]:
    """Every constant policy, the best-paid first."""
    groups: dict[str, list[Observation]] = {}
    for o in table.of(ID):
        if o.reward is not None:
            name = REPEATED if o.probe.variant == REPEATED else str(o.probe.completion)
            groups.setdefault(name, []).append(o)
    # A form of the gold that was written for a task is right there, whatever else it says.
    forms = {o.probe.key for o in table if o.probe.right}
    found = [_constant(b, rows, forms) for rows in groups.values()]
    return sorted((one for one in found if one), key=lambda one: -one.mean)


def _constant(b: Brief, rows: list[Observation], forms: set[tuple[int, str]]) -> Constant | None:
    answer = rows[0].probe.variant
    rights = [o.probe.right or o.probe.key in forms for o in rows]
    honest, unearned = [], 0
    for o, right in zip(rows, rights, strict=True):
        i, reward = o.probe.task, o.reward or 0.0
        paid = b.scale.paid(i, reward)
        unearned += not right and paid
        honest.append(_honest(b, i, reward, right, bool(answer) and not paid))
    mean = statistics.fmean(o.reward or 0.0 for o in rows)
    if answer == REPEATED:
        shares = [b.scale.share(o.probe.task, o.reward or 0.0) for o in rows]
        # Half of a list of two labels is right whatever is said: only most of it is worth saying.
        if statistics.fmean(shares) < 0.7:
            return None
    right_on = statistics.fmean(rights)
    text = str(rows[0].probe.completion)
    return Constant(text, mean, statistics.fmean(honest), unearned, right_on)


def _honest(b: Brief, task: int, reward: float, right: bool, near: bool) -> float:
    """What a fair reward would pay this constant on this task."""
    if b.graded and near and not right:
        return reward  # a part for being near is what the reward is graded for
    if right:
        return b.scale.ceiling_of(task)
    # Below zero nothing is paid: saying nothing may cost less than being wrong.
    return min(reward, max(b.scale.floor_of(task), 0.0)) if b.with_gold else 0.0


def findings(b: Brief, constants: list[Constant]) -> Iterator[Finding]:
    if not constants:
        yield CONSTANT.skip("nothing could be scored")
        return
    if b.with_gold and not b.scale.apart:
        yield CONSTANT.skip("right and wrong answers earn the same: see reward.tells_apart")
        return
    worst, paid = _worst(b, constants)
    golds = {b.gold(i) for i in b.with_gold} or {"", "-"}
    if paid and len(golds) > 1:
        yield CONSTANT.fail(
            measured=worst.mean,
            evidence=f"'{excerpt(worst.completion, 100)}' on every task earns {worst.mean:.3g}; "
            f"its right answers alone would earn {worst.honest:.3g}",
            fix="compare with each task's own gold; pay nothing for a text that answers no task "
            f"({DESIGN}#constant-reward)",
            severity="critical",
            direction="false_positive",
        )
        return
    best = constants[0]
    evidence = f"the best is '{excerpt(best.completion, 60)}' with {best.mean:.3g}"
    yield CONSTANT.ok(measured=worst.mean, evidence=evidence)


def _worst(b: Brief, constants: list[Constant]) -> tuple[Constant, bool]:
    """The constant that is paid most beyond its right answers, and whether that is too much."""
    # One task beside its own: some puzzles have several solutions, and two share one.
    several = [c for c in constants if c.unearned != 1 or len(b.with_gold) < 4]
    worst = max(several or constants[-1:], key=lambda c: c.excess)
    if not b.with_gold:
        return worst, worst.mean > WITHOUT_GOLD
    mostly = max(constants, key=lambda c: c.mean)
    if b.graded and mostly.right < HALF and mostly.mean > MOSTLY * (b.scale.ceiling or 1.0):
        return mostly, True
    gap = b.scale.gap if b.scale.apart else max(b.scale.ceiling or 0.0, 1.0)
    # One that earns no more than the commonest answer said everywhere is not worth learning.
    commonest = max((c.honest for c in constants if c.right), default=0.0)
    return worst, worst.excess > _limit(b) * gap and worst.mean > commonest + TINY


def _limit(b: Brief) -> float:
    if b.graded or b.programs:  # a program passes some tests of other tasks
        return EXCESS_GRADED
    return EXCESS_JSON if b.answer_type == "json" else EXCESS
