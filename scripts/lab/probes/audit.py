"""The whole test of one environment: learn it, probe it, and say what it pays for.

    with Environment(location) as env:
        found = audit(env, Policy.beside(location.path))
    found.findings, found.facts
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lab.environment import Environment

# The modules of families are imported for what they declare, in the order of the findings.
from lab.probes import (  # noqa: F401
    acted,
    answer_free,
    constants,
    data,
    declared,
    exploits,
    exploits_acted,
    exploits_code,
    exploits_games,
    exploits_talk,
    faults,
    formcheck,
    invariants,
    near,
    near_numbers,
    near_parts,
    orders,
    sanity,
    shortcuts,
)
from lab.probes import judge as judges
from lab.probes.constants import Constant
from lab.probes.families import FAMILIES, Result, decide, run
from lab.probes.judge import ScriptedJudge
from lab.probes.learn import learn
from lab.probes.policy import Policy
from lab.probes.subject import TINY, Subject
from lab.report import Check, Finding
from lab.untrusted import excerpt


@dataclass
class Audit:
    subject: Subject
    findings: list[Finding] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    forms: formcheck.Forms = field(default_factory=formcheck.Forms)
    facts: dict[str, Any] = field(default_factory=dict)


def audit(
    env: Environment,
    policy: Policy | None = None,
    *,
    seconds: float = 60.0,
    judge: ScriptedJudge | None = None,
    note: Callable[[str], None] = lambda _: None,
    on_score: Callable[[int], None] = lambda _: None,
) -> Audit:
    """Test a running environment. Raises nothing for what the environment does.

    `judge`: the judge that the environment's judges were sent to, scripted or passing on to a model.
    """
    if judge is not None:
        env.expect = judge.told
    policy = policy or Policy()
    if not env.description.tasks:
        s = Subject(env, learn(env), policy)
        none = data.TASKS.fail(
            measured=0, evidence="the taskset yields no task", severity="critical", direction="data",
            fix="check the dataset, its split and the filters in load(); rows that cannot be read may all have been left out",
        )  # fmt: skip
        return Audit(s, [none], facts={"api": env.description.api, "cases": 0})
    note("learning how the answer is written")
    own = acted.measure(env)
    learnt = learn(env)
    if learnt.told_apart <= TINY and judges.attune(env, judge):
        learnt = learn(env)
    s = Subject(env, acted.learned(env, learnt, own), policy, seconds=seconds, on_score=on_score)
    s.judged = bool(judge and judge.calls)
    s.misread = bool(judge and not judge.understood)
    s.approval = judge.approval if judge and judge.calls else ""
    s.adopt()
    s.scale = own.reward if own.reward and own.reward > TINY else 1.0
    s.acted = own.way.right if own.way else {}
    found = Audit(s)
    found.findings += sanity.findings(s, own)
    note("exploits")
    blind = bool(s.with_gold) and s.gap <= TINY
    # Where time is short, what is made for this kind of answer goes first.
    for family in sorted(FAMILIES, key=lambda one: s.family not in one.kinds or s.family not in ("code", "tests")):
        if blind and family.id not in ("empty", "format_only", "echo"):
            found.findings.append(family.check.skip("right and wrong answers earn the same: mend that first"))
            continue
        if not family.applies(s) or (family.needs_gold and not s.with_gold):
            found.findings.append(family.check.skip(f"for other kinds of answer than {s.family}" if s.with_gold else "needs a gold"))
            continue
        result = run(s, family)
        found.results.append(result)
        found.findings.append(decide(s, result))
    found.constants = constants.measure(s)
    found.findings += constants.findings(s, found.constants)
    found.forms = formcheck.measure(s)
    found.findings += formcheck.findings(s, found.forms)
    found.findings += invariants.findings(s)
    found.findings.append(declared.finding(s, found.forms))
    found.findings += judges.findings(s, judge)
    top = _most_above_gold(found)
    found.findings.append(sanity.best(s, *top))
    found.findings += faults.findings(s)
    found.findings += data.findings(s, own.shown)
    found.findings.append(shortcuts.finding(s))
    found.findings += acted.findings(own, env.description.api)
    found.findings.append(_budget(s, found.results))
    found.facts = facts(found)
    if own.shown and not s.with_gold:
        found.facts |= {"ceiling": own.reward, "floor": max(own.idle, own.claim)}
    return found


BUDGET = Check(
    "reward.budget",
    title="every probe had its time",
    expected="0 families cut short",
    reason="What was not tried is not passed.",
    source="--budget",
)


def _budget(s: Subject, results: list[Result]) -> Finding:
    cut = [result.family.id for result in results if result.cut]
    if not cut:
        return BUDGET.ok(measured=0)
    return BUDGET.warn(
        measured=len(cut), evidence=f"cut short or left out: {', '.join(cut)}; one completion takes {s.latency:.2f} s",
        fix=f"give it time: --budget {int(s.seconds * 5)}", severity="low", direction="invariant",
    )  # fmt: skip


def _most_above_gold(found: Audit) -> tuple[float, str]:
    s = found.subject
    if not s.with_gold or s.gap <= TINY:
        return 0.0, ""
    best = [result.best for result in found.results if result.best is not None]
    if not best:
        return 0.0, ""
    top = max(best, key=lambda p: p.share)
    evidence = f"{top.family.id}, {top.variant}: '{excerpt(top.completion, 120)}' earns {top.reward:.3g}, the gold {s.ceiling_of(top.task):.3g}"
    return top.share - 1, evidence


def _golds_refused(s: Subject) -> tuple[int, int]:
    """Where an answer has one form only (a program), the golds themselves are the right answers."""
    paid = sum(reward > s.floor_of(i) + TINY for i, reward in s.gold_rewards.items())
    return len(s.with_gold) - paid, len(s.with_gold)


def facts(found: Audit) -> dict[str, Any]:
    """The headline numbers: what right, wrong, constant and exploiting completions earn."""
    s = found.subject
    best = [result.best for result in found.results if result.best is not None]
    exploit = max(best, key=lambda p: (p.share, p.reward)) if best else None
    wrongs = [(i, reward) for i, rewards in s.wrong_rewards.items() for reward in rewards]
    paid_wrong = sum(s.paid_like_right(i, reward) for i, reward in wrongs)
    paid_exploits = sum(len(result.full) for result in found.results)
    tried = len(wrongs) + sum(result.tried for result in found.results)
    refused, right = found.forms.rate(s) if found.forms.tallies or found.forms.wrappers else _golds_refused(s)
    tpr = 1 - refused / right if right else None
    fpr = (paid_wrong + paid_exploits) / tried if tried and s.with_gold else None
    return {
        "api": s.env.description.api,
        "answer_kind": s.family,
        "gold_field": s.learned.gold_field,
        "gold_reading": s.learned.reading,
        "style": s.style.name,
        "tasks": len(s.tasks),
        "cases": s.cases,
        "ceiling": s.ceiling,
        "floor": s.floor,
        "graded": s.graded if s.with_gold else None,
        "best_constant": {"completion": excerpt(found.constants[0].completion, 80), "reward": found.constants[0].mean} if found.constants else None,
        "best_exploit": {
            "family": exploit.family.id,
            "variant": exploit.variant,
            "reward": exploit.reward,
            "margin": s.ceiling_of(exploit.task) - exploit.reward if s.with_gold else None,
        } if exploit else None,
        "false_rejection_rate": None if tpr is None else 1 - tpr,
        "tpr": tpr,
        "fpr": fpr,
        "youden_j": None if tpr is None or fpr is None else tpr - fpr,
        "milliseconds": s.latency * 1000,
        "rewards": s.env.description.rewards,
        "seat": s.env.seat or (s.env.description.seats[0] if s.env.description.seats else ""),
        "seats": s.env.description.seats,
    }  # fmt: skip
