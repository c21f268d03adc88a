"""The benchmark of learning: its gradient is a gradient, its update is the trainer's, and what the
verdicts say of six runs is what becomes of them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.learning import page, shapes
from benchmarks.learning.__main__ import RESULTS, make, read
from benchmarks.learning.analysis import gain, outcome, paid_wrongly, signal
from benchmarks.learning.design import short
from benchmarks.learning.grpo import Settings, rollouts, train, update
from benchmarks.learning.policy import PROMPT, REPLY, Adam, Pieces, Policy
from benchmarks.learning.tasks import KINDS, draw_tasks, said
from benchmarks.learning.warm_up import drawn
from lab.reward import simulation
from lab.reward.productions.base import PRODUCTIONS
from lab.reward.rules import paid
from paid_completions import TAG, last_tag
from reward_briefs import World
from run_script import ROOT

WORDS = ("zerobac", "unicard", "duodelf", "trimark", "quadrip", "pentang", "hexalon", "heptime")
TASKS = draw_tasks(KINDS["mood"], 8, random.Random(0))
PROMPTS = [task.prompt for task in TASKS]


def policy() -> Policy:
    return Policy(Pieces.of(KINDS["mood"], PROMPTS), seed=1)


def test_the_gradient_is_that_of_the_log_probability():
    small = policy()
    prompts = small.pieces.encode(PROMPTS, PROMPT)
    pieces = small.pieces.encode([said(task.gold) for task in TASKS], REPLY)
    mask = drawn(pieces)

    def total() -> float:
        return float(small.gradient(prompts, pieces, np.ones_like, mask)[0].sum())

    gradient = small.gradient(prompts, pieces, np.ones_like, mask)[1]
    rng = np.random.default_rng(0)
    for name, weights in small.weights.items():
        way = rng.standard_normal(weights.shape).astype(np.float32) * (gradient[name] != 0)
        expected = float((gradient[name] * way).sum())
        weights += way * np.float32(1e-3)
        above = total()
        weights -= way * np.float32(2e-3)
        slope = (above - total()) / 2e-3
        weights += way * np.float32(1e-3)
        assert slope == pytest.approx(expected, rel=0.05, abs=0.3), name


def test_what_a_policy_samples_has_the_probability_that_it_says():
    small = policy()
    prompts = small.pieces.encode(PROMPTS, PROMPT)
    replies = small.sample(prompts, np.random.default_rng(0))
    again, _ = small.gradient(prompts, replies.pieces, np.ones_like, replies.mask)
    there = replies.logp[:, : again.shape[1]]
    assert np.allclose(there, again * replies.mask[:, : again.shape[1]], atol=1e-4)


def test_equal_rewards_change_nothing_and_unequal_ones_do():
    for reward, moves in ((lambda text: 0.5, False), (lambda text: float(len(text) % 2), True)):
        small = policy()
        before = small.copy()
        steps = train(
            small,
            PROMPTS,
            lambda task, texts, reward=reward: [reward(text) for text in texts],
            Settings(group_size=4, batch=32, steps=3),
            list(range(8)),
        )
        live = [step.live for step in steps]
        assert (max(live) > 0) is moves
        same = all(np.array_equal(before.weights[name], w) for name, w in small.weights.items())
        assert same is not moves


def test_pieces_that_moved_out_of_the_trust_region_do_not_push_further():
    small = policy()
    prompts = small.pieces.encode(PROMPTS, PROMPT)
    batch = rollouts(small, prompts, [0, 1], 4, np.random.default_rng(0))
    batch.logp -= 50.0 * batch.mask  # as if each piece had been all but impossible when drawn
    batch.logp[:] = np.where(batch.mask > 0, np.log(1e-6), 0.0)
    near = batch.logp.copy()
    gradients = []

    class Kept(Adam):
        def step(self, weights, gradient):
            gradients.append(sum(float(np.abs(g).sum()) for g in gradient.values()))

    confident = policy()
    confident.weights["b3"][:] = 0
    confident.weights["b3"][batch.pieces[0, 0]] = 9.0
    first = (batch.pieces == batch.pieces[0, 0]) & (batch.mask > 0)
    batch.mask[:] = first
    batch.logp = near * first
    up, down = np.full(8, 1.0), np.full(8, -1.0)
    for advantages in (up, down):
        update(confident, Kept(0.0), batch, advantages, np.ones(8, bool))
    assert gradients[0] < 0.01 * gradients[1]


def test_every_reply_has_one_shape():
    task = TASKS[0]
    wrong = KINDS["mood"].wrong(task, random.Random(0))
    for text, name in (
        (said(task.gold), "right"),
        (said(wrong), "wrong"),
        (said(""), "empty"),
        (said(task.gold) + said(wrong), "several"),
        (said(f"{wrong} {task.gold}"), "list"),
        (task.gold, "untagged"),
        (said(task.gold[:1]), "part"),
    ):
        assert shapes.shape(text, task) == name


def test_the_page_is_that_of_the_kept_runs():
    records = read(RESULTS / "learning.jsonl")
    assert len(records) >= 60
    assert page.page(records) == (RESULTS / "learning.md").read_text(encoding="utf-8")


@pytest.mark.soak
def test_six_runs_go_where_the_verdicts_say(tmp_path: Path):
    even, natural, known, spray, silence, sound = make(short(), tmp_path, "runs.jsonl")
    for learns in (even, natural, sound):
        assert not paid_wrongly(learns) and signal(learns) != "fail"
        assert gain(learns) > 0.05 and outcome(learns) != "parted"
    assert signal(known) == "fail" and abs(gain(known)) < 0.05
    for exploited in (spray, silence):
        assert paid_wrongly(exploited) and exploited["test"]["ends_with"] != "honest"
        assert outcome(exploited) == "parted" and gain(exploited) < 0
    again = make(short()[3:4], tmp_path / "again", "runs.jsonl")[0]
    assert again["curve"] == spray["curve"], "the same seed is the same run"


def test_a_rehearsal_says_what_it_leaves_out():
    """A beginning of the gold is paid: no strategy writes it, but policies do."""
    rows = [{"question": f"Spell out {n}.", "answer": w} for n, w in enumerate(WORDS)]
    sound = World(rows, TAG, lambda text, row: float(last_tag(text) == row["answer"]))
    lax = World(
        rows, TAG, lambda t, r: float(bool(last_tag(t)) and r["answer"].startswith(last_tag(t)))
    )
    for world, left_out, status in ((sound, [], "pass"), (lax, ["part_of_gold"], "warn")):
        b, table = world.brief, world.everything
        results = [paid.result(b, table, one) for one in PRODUCTIONS]
        found = simulation.left_out(results)
        run = simulation.simulate(simulation.strategies(b, table, results, []))
        finding = simulation.finding(run, found)
        assert (found, finding.status) == (left_out, status), finding.evidence
        assert all(id in finding.evidence for id in left_out)


def test_the_figures_of_the_readme_are_those_of_the_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (row,) = [line for line in readme.splitlines() if "`python -m benchmarks.learning" in line]
    said = row.split("|")[2]
    assert len(re.findall(r"\d+ of \d+", said)) >= 3
    printed = set(re.findall(r"\d+ of \d+", (RESULTS / "learning.md").read_text(encoding="utf-8")))
    assert set(re.findall(r"\d+ of \d+", said)) <= printed
