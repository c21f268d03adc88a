"""The simulated policy of an environment: it knows the gold and the paid form of every task."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from lab.answers.wrong import wrong
from lab.command import Progress, script
from lab.environment import Environment, Location
from lab.probes.judge import ScriptedJudge
from lab.probes.learn import learn
from lab.report import Check, Report
from lab.simulate import Answers, Policy, Spec
from lab.untrusted import excerpt

MOST_TASKS = 20_000
"""Tasks read where a shuffle may choose any of them."""
PADDED = ("text", "code", "tests")
LONG = 8
"""Words that a wrong answer may lack without being called short."""
IDLE_WORDS = "perhaps maybe somehow whichever elsewhere otherwise anyhow meanwhile nevertheless likewise hence thereby".split()

FORMAT_LEARNT = Check(
    "eval.simulated_answers",
    title="the simulated policy can write an answer that is paid",
    expected="gold of a task is known and paid",
    reason="Without a paid answer the simulation would only show zeros.",
)


def policy_of(args: argparse.Namespace, location: Location, report: Report, progress: Progress) -> Policy | None:
    """The simulated policy over the tasks that will be asked; None (with a finding) where no paid
    answer is known. Writes `FORMAT_LEARNT` into the report."""
    progress.note("learning the answer format for the simulated policy")
    config = {"split": args.split} if args.split else {}
    many = MOST_TASKS if args.shuffle is not None else args.tasks
    # A judge is scripted: while the form is learnt it is told what is right, in the rollouts it asks the
    # policy (Policy.verdict). No judge that costs something is asked about a simulated policy.
    with ScriptedJudge() as judge, Environment(location, examples=many, first=True, config=config, judge_base_url=judge.url) as env:
        env.expect = judge.told
        learned = learn(env)
        tasks = env.description.tasks
    if not tasks:
        report.add(FORMAT_LEARNT.inconclusive(0, "the environment has no tasks", "give the taskset rows, or another --split"))
        return None
    if learned.paid <= 0 or all(gold is None for gold in learned.golds):
        report.add(FORMAT_LEARNT.fail(learned.paid, excerpt(learned.evidence, 300), f"see what is not paid: {script('test_reward.py', args.env)}"))
        return None
    report.add(FORMAT_LEARNT.ok(f"{learned.style.name}, gold in {learned.gold_field}"))
    mistake = mistakes(learned.family, [gold for gold in learned.golds if gold])

    def answers(gold: str) -> Answers:
        return Answers(
            right=gold,
            wrong=lambda draw: mistake(gold, draw),
            formatted=learned.style.write,
            unformatted=learned.style.floorless,
        )

    return Policy(Spec.parse(args.simulate), [(task.prompt, answers(gold or "unknown")) for task, gold in zip(tasks, learned.golds, strict=True)])


def mistakes(family: str, golds: list[str]) -> Callable[[str, random.Random], str]:
    """How this policy is wrong about a gold. A wrong label is another one of the labels: a made-up
    word would also lose what the form earns."""
    labels = sorted(set(golds)) if family == "label" else []
    return lambda gold, draw: as_long_as(gold, wrong(family, gold, draw, options=labels), draw, family)


def as_long_as(gold: str, answer: str, draw: random.Random, family: str) -> str:
    """`answer` with as many words as `gold`, where it is prose or a program of more than a line.

    A policy whose wrong answers are the short ones would show that length is paid, whatever the
    reward does. What is added says nothing: a program's stands in comments."""
    lacking = len(gold.split()) - len(answer.split())
    if family not in PADDED or lacking < LONG:
        return answer
    added = " ".join(draw.choices(IDLE_WORDS, k=lacking))
    return f"{answer}\n# {added}" if family in ("code", "tests") else f"{answer}, {added}"
