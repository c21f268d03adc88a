"""The simulated policy of an environment, which knows the gold and the paid form of every task.

policy = policy_of(location, spec, Tasks(50), report, progress)
with served(policy, settings) as settings:
    ...                          # vf-eval with these asks the policy, and judges a script
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from lab.answers.wrong import IDLE_WORDS, wrong
from lab.cli.command import Progress, script
from lab.cli.report import Check, Report
from lab.cli.untrusted import excerpt
from lab.environment import Environment, Location
from lab.evaluation import vf_eval
from lab.evaluation.policy_server import PolicyServer
from lab.evaluation.simulated_policy import Answers, SimulatedPolicy, Spec
from lab.reward.contract_file import beside
from lab.reward.judges.server import ScriptedJudge
from lab.reward.reading.find_right import find_right

MOST_TASKS = 20_000
"""Tasks read where a shuffle may choose any of them."""
PADDED = ("text", "code", "tests")
LONG = 8
"""Words that a wrong answer may lack without being called short."""

FORMAT_LEARNT = Check(
    "eval.simulated_answers",
    title="the simulated policy can write an answer that is paid",
    expected="gold of a task is known and paid",
    reason="Without a paid answer the simulation would only show zeros.",
    source="verifiers: a rollout without a paid answer is a reward of 0 and no error",
)


@dataclass(frozen=True)
class Tasks:
    """Which tasks will be asked."""

    count: int
    split: str | None = None
    shuffle: int | None = None


def policy_of(
    location: Location,
    spec: str,
    wanted: Tasks,
    report: Report,
    progress: Progress,
    pass_paths: Sequence[Path] = (),
) -> SimulatedPolicy | None:
    """The simulated policy over the tasks that will be asked; None (with a finding) where no paid
    answer is known. Writes `FORMAT_LEARNT` into the report."""
    parsed = Spec.parse(spec)
    progress.note("learning the answer format for the simulated policy")
    config = {"split": wanted.split} if wanted.split else {}
    many = MOST_TASKS if wanted.shuffle is not None else wanted.count
    # While the form is learnt the scripted judge is given what is right; in the rollouts it asks
    # SimulatedPolicy.verdict. No judge that costs something is asked about a simulated policy.
    with (
        ScriptedJudge() as judge,
        Environment(
            location,
            examples=many,
            first=True,
            config=config,
            judge_base_url=judge.url,
            pass_paths=pass_paths,
        ) as env,
    ):
        env.expect = judge.expect
        right = find_right(env, beside(location.path), judge=judge).right
        tasks = env.description.tasks
    if not tasks:
        report.add(
            FORMAT_LEARNT.inconclusive(
                0, "the environment has no tasks", "give the taskset rows, or another --split"
            )
        )
        return None
    if right.best <= 0 or not right.with_gold:
        report.add(
            FORMAT_LEARNT.fail(
                right.best,
                excerpt(right.evidence, 300),
                f"see what is not paid: {script('test_reward.py', location.path)}",
            )
        )
        return None
    report.add(FORMAT_LEARNT.ok(f"{right.format.name}, gold in {right.source}"))
    mistake = mistakes(right.answer_type, [gold for gold in right.golds if gold])

    def answers(gold: str) -> Answers:
        return Answers(
            right=gold,
            wrong=lambda draw: mistake(gold, draw),
            formatted=right.write,
            unformatted=right.format.without,
        )

    return SimulatedPolicy(
        parsed,
        [
            (task.prompt, answers(gold or "unknown"))
            for task, gold in zip(tasks, right.golds, strict=True)
        ],
    )


@contextmanager
def served(
    policy: SimulatedPolicy, settings: vf_eval.Settings, port: int = 0
) -> Iterator[vf_eval.Settings]:
    """`settings` with the addresses of the policy and of its scripted judge, while both are up, and
    with no more tasks than the policy knows."""
    with (
        PolicyServer(policy, port) as server,
        ScriptedJudge(verdict=policy.verdict) as judge,
    ):
        yield replace(
            settings,
            tasks=min(settings.tasks, policy.count),
            base_url=server.url,
            api_key_var="SIMULATED_POLICY_NEEDS_NO_SECRET",
            judge_url=judge.url,
        )


def mistakes(answer_type: str, golds: list[str]) -> Callable[[str, random.Random], str]:
    """How this policy is wrong about a gold. A wrong label is another one of the labels: a made-up
    word would also lose what the form earns."""
    labels = sorted(set(golds)) if answer_type == "label" else []
    return lambda gold, draw: as_long_as(
        gold, wrong(answer_type, gold, draw, options=labels), draw, answer_type
    )


def as_long_as(gold: str, answer: str, draw: random.Random, answer_type: str) -> str:
    """`answer` with as many words as `gold`, where it is prose or a program of more than a line.

    A policy whose wrong answers are the short ones would show that length is paid, whatever the
    reward does. What is added says nothing; in a program it is a comment."""
    lacking = len(gold.split()) - len(answer.split())
    if answer_type not in PADDED or lacking < LONG:
        return answer
    added = " ".join(draw.choices(IDLE_WORDS, k=lacking))
    return f"{answer}\n# {added}" if answer_type in ("code", "tests") else f"{answer}, {added}"
