"""What two looks at the same thing show: an answer scored twice, a prompt in two splits."""

from __future__ import annotations

import numpy as np

from lab.cli.report import Check, Finding
from lab.data.checks.checks_parts import OVERLAP, overlap
from lab.data.checks.item import Item
from lab.data.checks.overlap import Overlap
from lab.learnability.analysis import Analysis
from lab.learnability.evidence import RolloutEvidence
from lab.learnability.formulas import EPSILON

NOISE_WARN, NOISE_FAIL = 0.5, 1.0
"""Spread between two scorings of one answer, as a share of the spread within groups."""

JUDGE_NOISE = Check(
    "reward.judge_noise",
    title="an answer that is scored twice gets nearly the same reward",
    expected=f"spread between scorings < {NOISE_WARN:g} of the spread within groups "
    f"(fails from {NOISE_FAIL:g})",
    reason="Where the reward differs more between two scorings of one answer than between two "
    "answers, groups are live by chance and nothing is learnt.",
    source="verifiers: vf-replay scores a run again; prime-rl: the group baseline sees no noise",
)
FEWEST = 10
"""Second scorings below which nothing is said."""
MOST_PROMPTS = 3000
"""Prompts of either side whose words are compared; the rest is compared as a whole only."""


def judge_noise(a: Analysis, other: Analysis | None) -> Finding:
    """Answers of one task with the same text, in this log and in the one compared with.

    A run that was scored again (vf-replay) has every answer twice; in a single log only answers
    that happen to be equal are.
    """
    runs = [a.evidence, *([other.evidence] if other is not None else [])]
    keys = np.concatenate([_written(e) for e in runs])
    reward = np.concatenate([e.reward for e in runs])
    known = keys != 0
    _, codes = np.unique(keys[known], return_inverse=True)
    sizes = np.bincount(codes)
    again = int((sizes - 1).sum())
    if again < FEWEST:
        return JUDGE_NOISE.skip(
            f"{again} answers are in the log twice; score a run again and give it with --compare "
            "to see the reward's noise"
        )
    values = reward[known]
    means = np.bincount(codes, values) / sizes
    noise = float(np.sqrt(np.sum((values - means[codes]) ** 2) / again))
    within = float(np.sqrt(a.variance["within"])) if a.variance["within"] > 0 else 0.0
    shown = {"between_scorings": noise, "within_groups": within, "scored_again": again}
    evidence = (
        f"{again} answers were scored again: their rewards differ by {noise:.3g} (standard "
        f"deviation), those within a group by {within:.3g}"
    )
    if noise <= EPSILON or noise < NOISE_WARN * within:
        return JUDGE_NOISE.ok(shown, evidence)
    make = JUDGE_NOISE.fail if noise >= NOISE_FAIL * within else JUDGE_NOISE.warn
    return make(
        shown,
        evidence,
        "make the judge deterministic (temperature 0, one question at a time, a verdict of few "
        "levels), or average several verdicts",
    )


def _written(e: RolloutEvidence) -> np.ndarray:
    """A key per rollout of its task and its text; 0 where either is unknown. The text of the
    task counts, not its number: two runs may number tasks differently."""
    r = e.rollouts
    task = np.where(r.keys["content"] != 0, r.keys["content"], r.prompt)
    return np.where(
        (task != 0) & (r.completion != 0),
        task * np.uint64(0x9E3779B97F4A7C15) + r.completion,
        np.uint64(0),
    )


def held_out(a: Analysis, other: RolloutEvidence | None) -> Finding:
    """Prompts of the held-out run that are met here, word for word or nearly."""
    if other is None:
        return OVERLAP.skip(
            "no second run was given (--held-out RUN); an environment's own splits are compared by "
            "test_reward.py"
        )
    here, there = _prompts(a.evidence), _prompts(other)
    if not there or not here:
        return OVERLAP.skip("one of the logs does not hold the prompts")
    # Prompts are known by their hashes; the texts are read again, of so many at most.
    read = _read(other, list(there.values())[:MOST_PROMPTS])
    met = Overlap([Item(prompt, None) for prompt in read.values()])
    mine = _read(a.evidence, list(here.values())[:MOST_PROMPTS])
    met.meet(Item(text, None) for text in mine.values())
    same = set(here) & set(there)
    met.found(number for number, row in enumerate(read) if int(other.rollouts.prompt[row]) in same)
    return overlap(met, f"{len(here)} tasks")


def _prompts(e: RolloutEvidence) -> dict[int, int]:
    """Hash of each prompt -> a rollout that has it."""
    first = e.order[e.starts] if e.tasks else np.zeros(0, np.int64)
    return {int(e.rollouts.prompt[row]): int(row) for row in first if e.rollouts.prompt[row]}


def _read(e: RolloutEvidence, rows: list[int]) -> dict[int, str]:
    """What the user asks first in these rollouts, read again from the log."""
    from lab.rollouts.messages import conversations

    out = {}
    for row, talk in conversations(e.rollouts, np.array(sorted(rows), np.int64)):
        asked = []
        for message in talk:
            if message.role == "assistant":
                break
            if message.role == "user":
                asked.append(message.text)
        if asked:
            out[row] = "\n".join(asked)
    return out
