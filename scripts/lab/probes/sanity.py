"""What must hold before anything else: the gold is paid, wrong answers are not, scoring works.

The four checks that people know come first (gold above wrong, some gold high, some wrong low,
not all rewards equal); the others say how often and how far.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from lab.probes.acted import Acted
from lab.probes.families import DESIGN
from lab.probes.faults import mend
from lab.probes.subject import TINY, Subject
from lab.rates import jeffreys
from lab.report import Check, Finding
from lab.untrusted import excerpt

TELLS_APART = Check(
    "reward.tells_apart",
    title="the gold earns more than a wrong answer",
    expected="mean of gold > mean of wrong",
    reason="Without a difference between right and wrong there is nothing to learn.",
    source="the four sanity checks that people know",
)
GOLD_HIGH = Check(
    "reward.gold_high",
    title="some gold earns more than half",
    expected="> 0.5",
    reason="A reward that never pays gives no advantage to anything.",
    source="the four known sanity checks",
)
WRONG_LOW = Check(
    "reward.wrong_low",
    title="some wrong answer earns less than half",
    expected="< 0.5",
    reason="A reward that always pays teaches nothing.",
    source="the four known sanity checks",
)
VARIES = Check(
    "reward.varies",
    title="the rewards are not all identical",
    expected="> 1 value",
    reason="A constant reward makes every group dead.",
    source="the four known sanity checks",
)
GOLD_PAID = Check(
    "reward.gold_paid",
    title="the gold, written as the prompt asks, is paid on every task",
    expected=">= 0.99 of tasks",
    reason="A reward that refuses the right answer trains the model away from it.",
    source="reward science, invariant I1",
)
WRONG_UNPAID = Check(
    "reward.wrong_unpaid",
    title="wrong answers of the same kind are not paid",
    expected="on fewer than 2 golds",
    reason="What is paid is learnt: a wrong answer that is paid is the new goal.",
    source="reward science, invariant I2",
)
FORMAT_FLOOR = Check(
    "reward.format_floor",
    title="the right format with a wrong answer earns little",
    expected="< 0.5 of the gold's reward",
    reason="A high floor makes the format the task: it is learnt first, and the rest of the reward is noise.",
    source="E13; open-r1, TinyZero",
)
MARGIN = Check(
    "reward.gold_is_best",
    title="nothing earns more than the gold",
    expected="no probe above the gold",
    reason="Whatever earns more than the right answer is what training ends with.",
    source="reward science, invariants I1 and I10",
)


def findings(s: Subject, acted: Acted) -> Iterator[Finding]:
    gold, wrong = s.gold_rewards, s.wrong_rewards
    if not s.with_gold:
        yield from _without_gold(s, acted)
        return
    if not gold or not wrong:
        first = next((f[2].error for f in s.failures), "nothing could be scored")
        for check in (TELLS_APART, GOLD_HIGH, WRONG_LOW, VARIES):
            yield check.skip("no gold answer could be scored")
        if s.misread:
            yield GOLD_PAID.inconclusive(
                measured=None, evidence=f"the environment reads no verdict of a scripted judge: {excerpt(first, 200)}",
                fix="test it with the judge's model: --judge-base-url URL", direction="data",
            )  # fmt: skip
            return
        yield GOLD_PAID.fail(
            measured=0.0,
            evidence=f"scoring the gold failed on every task: {excerpt(first, 200)}",
            fix=f"{mend(first, 'mend the reward until it scores the gold')} ({DESIGN}#raises)",
            severity="critical",
            direction="false_negative",
        )
        return
    yield from _known_four(s)
    yield _gold_paid(s)
    yield _wrong_unpaid(s)
    yield _format_floor(s)


def _without_gold(s: Subject, acted: Acted) -> Iterator[Finding]:
    """Only completions without an answer can be tested; a gold that its check applied, besides."""
    if acted.reward is not None:
        measured = {"gold": acted.reward, "nothing done": acted.idle}
        yield TELLS_APART.ok(measured=measured, evidence=f"the gold as {acted.how} applies it")
        yield _level(GOLD_HIGH, acted.reward, acted.reward > 0.5, True, f"the gold earns {acted.reward:.3g}", "scale the reward so that a right answer earns 1", {})
        yield _level(WRONG_LOW, acted.idle, acted.idle < 0.5, True, f"doing nothing earns {acted.idle:.3g}", "pay for what was achieved", {})
        yield VARIES.ok(measured="2 values")
    else:
        for check in (TELLS_APART, GOLD_HIGH, WRONG_LOW, VARIES):
            yield check.skip("no gold answer that could be written was found in the tasks")
    said = f"Task.validate passes on {len(acted.checked)} of {len(acted.checked)} tasks; " if acted.valid else ""
    if acted.shown:
        earned = {"gold": acted.reward, "nothing done": acted.idle, "a claim without deeds": acted.claim}
        yield GOLD_PAID.ok(measured=earned, evidence=f"{s.learned.evidence}; the gold is paid as {acted.how} applies it" + (f", on {len(acted.checked)} tasks" if acted.checked else ""))
        return
    fix = "keep the gold as a field of the task (named answer), so that the reward can be tested on it"
    if acted.valid:
        fix = "give the right and the almost right trajectory of a task as cases: --custom tests.json (completion: the messages after the prompt)"
    yield GOLD_PAID.inconclusive(
        measured=None,
        evidence=f"{s.learned.evidence}; {said}only completions without an answer could be tested",
        fix=fix,
        direction="data",
    )


def _known_four(s: Subject) -> Iterator[Finding]:
    golds = list(s.gold_rewards.values())
    wrongs = [reward for rewards in s.wrong_rewards.values() for reward in rewards]
    mean_gold, mean_wrong = sum(golds) / len(golds), sum(wrongs) / len(wrongs)
    measured = {"gold": mean_gold, "wrong": mean_wrong}
    how = f"{s.learned.evidence}; such as '{excerpt(s.write(s.gold(s.with_gold[0])), 120)}'"
    right = {"severity": "critical", "direction": "false_negative"}
    if mean_gold > mean_wrong + TINY:
        yield TELLS_APART.ok(measured=measured, evidence=how)
    else:
        yield TELLS_APART.fail(
            measured=measured, evidence=how, fix=f"compare the model's answer with the task's gold ({DESIGN}#gold-is-not-paid)", **right
        )
    apart = mean_gold > mean_wrong + TINY
    whole = f"scale the reward so that a right answer earns 1; if {s.learned.gold_field} is only a part of it (a number without its unit), keep the whole answer in one field"
    yield _level(GOLD_HIGH, max(golds), max(golds) > 0.5, apart, f"the best gold, as written in {s.learned.gold_field}, earns {max(golds):.3g}", whole, right)
    yield _level(WRONG_LOW, min(wrongs), min(wrongs) < 0.5, apart, f"the cheapest wrong answer earns {min(wrongs):.3g}",
                 "pay a wrong answer less than half; see the weights of the rewards", {"severity": "critical", "direction": "false_positive"})  # fmt: skip
    values = {round(value, 9) for value in golds + wrongs}
    if len(values) > 1:
        yield VARIES.ok(measured=f"{len(values)} values")
    else:
        yield VARIES.fail(
            measured="1 value",
            evidence=f"all {len(golds) + len(wrongs)} right and wrong answers earn {next(iter(values)):.3g}",
            fix=f"the reward does not look at the answer: compare it with the gold ({DESIGN}#constant-reward)",
            severity="critical",
            direction="false_positive" if next(iter(values)) > 0 else "false_negative",
        )


def _level(check: Check, value: float, holds: bool, apart: bool, evidence: str, fix: str, extra: dict[str, str]) -> Finding:
    """The absolute half counts as a failure only where the reward tells nothing apart: a reward
    on another scale (0 to 10, -1 to 0) is unusual, not wrong."""
    if holds:
        return check.ok(measured=value)
    if apart:
        return check.warn(measured=value, evidence=f"{evidence}: the scale is not 0 to 1", fix=fix, severity="low", direction="invariant")
    return check.fail(measured=value, evidence=evidence, fix=fix, **extra)


def _gold_paid(s: Subject) -> Finding:
    wanted = s.floor + s.gap * 0.5 if s.gap > TINY else max(0.5 * max(s.gold_rewards.values()), TINY)
    unpaid = [i for i in s.tested if s.gold_rewards.get(i, -math.inf) < max(wanted, s.floor_of(i) if s.gap > TINY else wanted)]
    share = 1 - len(unpaid) / len(s.tested)
    if s.learned.called_gold:
        return GOLD_PAID.fail(
            measured=0.0,
            evidence=f"the task's {s.learned.called_gold} is not what is paid: {s.learned.evidence}",
            fix=f"compare with the field {s.learned.called_gold} ({DESIGN}#gold-is-not-paid)",
            severity="critical",
            direction="false_negative",
        )
    if share >= 0.99:
        return GOLD_PAID.ok(measured=share)
    i = unpaid[0]
    score = s.score(i, s.write(s.gold(i)))
    got = f"earns {score.reward:.3g}" if score.reward is not None else f"cannot be scored: {excerpt(score.error, 120)}"
    low, high = jeffreys(len(s.tested) - len(unpaid), len(s.tested))
    return GOLD_PAID.fail(
        measured=share,
        evidence=f"{len(unpaid)} of {len(s.tested)} golds are not paid (95% {low:.2f} to {high:.2f} are); task {s.tasks[i].index}: "
        f"gold {excerpt(s.gold(i), 60)!r} {got}; {s.learned.evidence}",
        fix=f"make the reward read each gold back from the slot that the prompt asks for ({DESIGN}#gold-is-not-paid)",
        severity="critical" if share < 0.5 else "high",
        direction="false_negative",
    )


def _wrong_unpaid(s: Subject) -> Finding:
    paid = [
        (i, answer)
        for i in s.tested
        for answer in s.wrongs[i][: len(s.wrong_rewards.get(i, []))]
        if (reward := s.reward(i, s.write(answer))) is not None
        and s.gap > TINY
        and reward > (s.floor or 0) + s.gap * s.full + TINY
    ]
    tasks = {i for i, _ in paid}
    if s.gap <= TINY:
        return WRONG_UNPAID.fail(
            measured=s.floor,
            evidence=f"wrong answers earn {s.floor:.3g}, the gold {s.ceiling:.3g}",
            fix=f"compare the answer with the gold ({DESIGN}#constant-reward)",
            severity="critical",
            direction="false_positive",
        )
    if len({s.gold(i) for i in tasks}) < 2 and len(tasks) * 4 < len(s.tested):
        return WRONG_UNPAID.ok(measured=len(tasks) / len(s.tested))
    i, answer = paid[0]
    low, high = jeffreys(len(tasks), len(s.tested))
    return WRONG_UNPAID.fail(
        measured=len(tasks) / len(s.tested),
        evidence=f"on {len(tasks)} of {len(s.tested)} tasks (95% {low:.2f} to {high:.2f}); task {s.tasks[i].index}: gold "
        f"{excerpt(s.gold(i), 60)!r}, but {excerpt(answer, 60)!r} earns {s.reward(i, s.write(answer)):.3g}",
        fix=f"compare for equality of whole answers ({DESIGN}#wrong-answers-paid)",
        severity="critical" if len(tasks) * 2 >= len(s.tested) else "high",
        direction="false_positive",
    )


def _format_floor(s: Subject) -> Finding:
    floor, ceiling = s.floor or 0.0, s.ceiling or 0.0
    share = floor / ceiling if ceiling > TINY else 0.0
    declared = s.policy.format_floor
    if declared is not None and floor <= declared + TINY:
        return FORMAT_FLOOR.ok(measured=floor, evidence=f"declared: at most {declared:g}")
    if share < 0.5:
        return FORMAT_FLOOR.ok(measured=floor, evidence=f"{share:.0%} of the gold's {ceiling:.3g}")
    i = s.with_gold[0]
    return FORMAT_FLOOR.fail(
        measured=floor,
        evidence=f"a wrong answer in the right format earns {share:.0%} of the gold's {ceiling:.3g}: '{excerpt(s.write(s.wrong(i)), 100)}'",
        fix=f"lower the weight of the format reward, or pay it only with a right answer ({DESIGN}#format-only)",
        severity="high",
        direction="false_positive",
    )


def best(s: Subject, most: float, evidence: str) -> Finding:
    """`most`: how far above its gold the best-paid probe stands, in units of the gap."""
    if most <= 0.02:
        return MARGIN.ok(measured=max(0.0, most))
    return (MARGIN.warn if most < 0.25 else MARGIN.fail)(
        measured=most,
        evidence=evidence,
        fix=f"cap the reward at what the plain right answer earns ({DESIGN}#more-than-the-gold)",
        severity="high" if most >= 0.25 else "medium",
        direction="invariant",
    )


def majority(s: Subject) -> float:
    """Share of the commonest gold among the tasks: what the best honest constant answer is right on."""
    counts = Counter(s.gold(i).lower() for i in s.with_gold)
    return counts.most_common(1)[0][1] / len(s.with_gold) if counts else 0.0
