"""What two looks at the same thing show: an answer scored twice, a prompt in two splits."""

from __future__ import annotations

import numpy as np

from lab.learnability.analysis import Analysis
from lab.learnability.evidence import Evidence
from lab.report import Check, Finding

JUDGE_NOISE = Check(
    "reward.judge_noise",
    title="an answer that is scored twice gets nearly the same reward",
    expected="spread between scorings < 0.5 of the spread within groups (fails from 1)",
    reason="Where the reward differs more between two scorings of one answer than between two answers, groups are live by chance and nothing is learnt.",
    source="judge re-scoring; the group baseline cannot tell noise from signal",
)
HELD_OUT = Check(
    "data.held_out",
    title="none of these tasks is among the held-out ones",
    expected="0 (fails above 0.02 of the held-out tasks)",
    reason="An evaluation on tasks that were trained on measures memory.",
    source="contamination studies use runs of 8 to 13 words; here 8, normalised",
)
FEWEST = 10
"""Second scorings below which nothing is said."""
MOST_PROMPTS = 3000
"""Prompts of either side whose words are compared; the rest is compared as a whole only."""


def judge_noise(a: Analysis, other: Analysis | None) -> Finding:
    """C18: answers of one task with the same text, in this log and in the one compared with.

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
        return JUDGE_NOISE.skip(f"{again} answers stand in the log twice; score a run again and give it with --compare to see the reward's noise")
    values = reward[known]
    means = np.bincount(codes, values) / sizes
    noise = float(np.sqrt(np.sum((values - means[codes]) ** 2) / again))
    within = float(np.sqrt(a.variance["within"])) if a.variance["within"] > 0 else 0.0
    shown = {"between_scorings": noise, "within_groups": within, "scored_again": again}
    evidence = f"{again} answers were scored again: their rewards differ by {noise:.3g} (standard deviation), those within a group by {within:.3g}"
    if noise <= 1e-6 or noise < 0.5 * within:
        return JUDGE_NOISE.ok(shown, evidence)
    fix = "make the judge deterministic (temperature 0, one question at a time, a verdict of few levels), or average several verdicts"
    return JUDGE_NOISE.fail(shown, evidence, fix) if noise >= within else JUDGE_NOISE.warn(shown, evidence, fix)


def _written(e: Evidence) -> np.ndarray:
    """A key per rollout of its task and its text; 0 where either is unknown. The text of the
    task counts, not its number: two runs may number tasks differently."""
    r = e.rollouts
    task = np.where(r.keys["content"] != 0, r.keys["content"], r.prompt)
    return np.where((task != 0) & (r.completion != 0), task * np.uint64(0x9E3779B97F4A7C15) + r.completion, np.uint64(0))


def held_out(a: Analysis, other: Evidence | None) -> Finding:
    """C19: prompts of the held-out run that are met here, whole or by half of their 8-word runs."""
    if other is None:
        return HELD_OUT.skip("no held-out tasks are known: evaluate the held-out split and give that run with --held-out")
    here, there = _prompts(a.evidence), _prompts(other)
    if not there or not here:
        return HELD_OUT.skip("one of the logs does not hold the prompts")
    from lab.hygiene.scan import held_out_index
    from lab.hygiene.text import ngrams, normalised

    exact = set(here) & set(there)
    read = _read(other, list(there.values())[:MOST_PROMPTS])
    grams, whole, sizes = held_out_index(list(read.values()))
    rows = list(read)
    met: dict[int, set[int]] = {}
    same = {row for row, prompt in read.items() if int(other.rollouts.prompt[row]) in exact}
    for text in _read(a.evidence, list(here.values())[:MOST_PROMPTS]).values():
        words = normalised(text)
        if (row := whole.get(hash(words))) is not None:
            same.add(rows[row])
        for gram in ngrams(words.split()):
            if (row := grams.get(gram)) is not None:
                met.setdefault(row, set()).add(gram)
    near = {rows[row] for row, found in met.items() if sizes[row] >= 3 and len(found) >= 0.5 * sizes[row]} | same
    share = len(near) / len(read)
    evidence = f"of {len(read)} held-out prompts {len(same)} are met word for word, {len(near)} by half"
    if not near:
        return HELD_OUT.ok(0.0, evidence)
    fix = "take these tasks out of training (select.exclude), or report results without them"
    return HELD_OUT.fail(share, evidence, fix) if share > 0.02 else HELD_OUT.warn(share, evidence, fix)


def _prompts(e: Evidence) -> dict[int, int]:
    """Hash of each prompt -> a rollout that has it."""
    first = e.order[e.starts] if e.tasks else np.zeros(0, np.int64)
    return {int(e.rollouts.prompt[row]): int(row) for row in first if e.rollouts.prompt[row]}


def _read(e: Evidence, rows: list[int]) -> dict[int, str]:
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
