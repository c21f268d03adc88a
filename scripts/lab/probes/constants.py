"""Constant policies: the same completion on every task, and what it earns on average.

An honest constant answer is right on as many tasks as share its gold. One that earns more shows
a reward that does not look at the task.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from lab.answers.lists import write
from lab.answers.wrong import beside, same
from lab.probes.families import DESIGN
from lab.probes.near import members
from lab.probes.subject import TINY, Subject
from lab.report import Check, Finding
from lab.untrusted import excerpt

CONSTANT = Check(
    "reward.constant_policy",
    title="no constant completion earns more than its share of the golds",
    expected="<= share of tasks with that gold + 0.1",
    reason="A policy that says the same everywhere is the easiest one to learn.",
    source="falsepass lazy policy; E35",
)
MAJORITY = Check(
    "data.majority_gold",
    title="no single gold is right on most tasks",
    expected="<= 0.70 of tasks",
    reason="Where one answer is right nearly everywhere, training learns that answer and not the task.",
    source="BoolQ 62% yes; TruthfulQA mc1 has its gold always first; E35",
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

    @property
    def excess(self) -> float:
        return self.mean - self.honest


def policies(s: Subject) -> list[tuple[str, str]]:
    """(completion, the answer that it gives)."""
    golds = Counter(s.gold(i) for i in s.with_gold)
    answers = [gold for gold, _ in golds.most_common(5)]
    if s.family == "choice" and all(len(gold) <= 3 for gold in answers):
        answers += [letter for letter in "ABCD" if letter not in answers]
    # In a shell `yes` is a command that never ends.
    answers += ["x", "1", *(["yes"] if not s.style.language else [])]
    fixed = [("", ""), ("I do not know.", ""), ("The answer is correct.", "")]
    return list(dict.fromkeys([*((s.write(answer), answer) for answer in answers), *fixed]))


def repeated(s: Subject, tasks: list[int]) -> Constant | None:
    """The commonest member as often as the gold has members: what tags and grids are full of."""
    lists = {i: found for i in tasks if s.learned.all_of and (found := members(s, i))}
    counts = Counter(item for items, _ in lists.values() for item in items)
    if not counts or counts.total() < 4 * len(counts):
        return None  # hardly any member comes twice
    common, _ = counts.most_common(1)[0]
    rewards: dict[int, float] = {}
    honest, unearned, text = [], 0, ""
    for i, (items, joint) in lists.items():
        answer = write([common] * len(items), joint, s.gold(i))
        right = answer == s.gold(i)
        reward = s.reward(i, s.write(answer), right=True if right else None)
        if reward is not None:
            rewards[i] = reward
            honest.append(s.ceiling_of(i) if right else min(reward, max(s.floor_of(i), 0.0)))
            unearned += not right and s.paid_like_right(i, reward)
            text = text or s.write(answer)
    # Half of a list of two labels is right whatever is said: only most of it is worth saying.
    most = bool(rewards) and statistics.fmean(s.share(i, reward) for i, reward in rewards.items()) >= 0.7
    return Constant(text, statistics.fmean(rewards.values()), statistics.fmean(honest), unearned) if most else None


def measure(s: Subject) -> list[Constant]:
    """Every constant policy on the tasks, the best-paid first."""
    on = s.with_gold or list(range(len(s.tasks)))
    tasks = on if s.latency < 0.02 else s.sample(6) or on[:6]
    out = [found] if s.with_gold and (found := repeated(s, tasks)) else []
    for completion, answer in policies(s):
        rewards, honest, unearned = [], [], 0
        for i in tasks if not s.over() else ():
            right = bool(answer) and (s.between(i, answer) or any(text == answer or same(s.family, answer, text) or beside(answer, text) for text in s.accepted(i)))
            reward = s.reward(i, completion, right=True if right else None)
            if reward is None:
                continue
            rewards.append(reward)
            unearned += not right and s.paid_like_right(i, reward)
            if s.graded and answer and not right and not s.paid_like_right(i, reward):
                honest.append(reward)  # a part for being near is what the reward is graded for
                continue
            # Below zero nothing is paid: saying nothing may cost less than being wrong.
            honest.append(s.ceiling_of(i) if right else min(reward, max(s.floor_of(i), 0.0)) if s.with_gold else 0.0)
        if rewards:
            out.append(Constant(completion, statistics.fmean(rewards), statistics.fmean(honest), unearned))
    return sorted(out, key=lambda c: -c.mean)


def findings(s: Subject, constants: list[Constant]) -> Iterator[Finding]:
    if not constants:
        yield CONSTANT.skip("nothing could be scored")
        return
    if s.with_gold and s.gap <= TINY:
        yield CONSTANT.skip("right and wrong answers earn the same: mend that first")
        yield _majority(s)
        return
    # One task beside its own: some puzzles have several solutions, and two share one.
    counted = [c for c in constants if c.unearned != 1 or len(s.with_gold) < 4] or constants[-1:]
    worst = max(counted, key=lambda c: c.excess)
    gap = s.gap if s.gap > TINY else max(s.ceiling or 0.0, 1.0)
    # Another task's JSON has a shape that may be paid on every task; made-up wrong values often have none.
    limit = 0.4 if s.graded else 0.25 if s.family == "json" else 0.1
    paid = worst.excess > limit * gap if s.with_gold else worst.mean > 0.5
    if paid and len({s.gold(i) for i in s.with_gold} or {0, 1}) > 1:
        yield CONSTANT.fail(
            measured=worst.mean,
            evidence=f"'{excerpt(worst.completion, 100)}' on every task earns {worst.mean:.3g}; its right answers alone would earn {worst.honest:.3g}",
            fix=f"compare with each task's own gold; pay nothing for a text that answers no task ({DESIGN}#constant-reward)",
            severity="critical",
            direction="false_positive",
        )
    else:
        yield CONSTANT.ok(measured=worst.mean, evidence=f"the best is '{excerpt(constants[0].completion, 60)}' with {constants[0].mean:.3g}")
    yield _majority(s)


def _majority(s: Subject) -> Finding:
    golds = Counter(" ".join(s.gold(i).lower().split()) for i in s.with_gold)
    if len(s.with_gold) < 4:
        return MAJORITY.skip("fewer than 4 tasks with a gold")
    gold, count = golds.most_common(1)[0]
    share = count / len(s.with_gold)
    evidence = f"{excerpt(gold, 40)!r} is the gold of {count} of {len(s.with_gold)} tasks"
    fix = "balance the tasks, or shuffle the options so that the position of the gold says nothing"
    if len(golds) == 1 and len(s.with_gold) >= 6:
        return MAJORITY.fail(measured=share, evidence=evidence, fix=fix, severity="high", direction="data")
    if share > 0.7:
        return MAJORITY.warn(measured=share, evidence=evidence, fix=fix, severity="medium", direction="data")
    return MAJORITY.ok(measured=share)
