"""The estimate: what it counts, how wide it is and why, and public timings within its range."""

from __future__ import annotations

import pytest

from lab.training.cost import Estimate, estimate
from lab.training.file import parse
from lab.training.work import Use
from training_files import HOSTED, example


def priced(text: str, *, uses: dict[str, Use] | None = None, hosted: bool = True) -> Estimate:
    found = estimate(parse(text, hosted=hosted), rate=2.0, gpu="H100", uses=uses)
    assert found is not None
    return found


EVERY_STEP = HOSTED.replace(
    "[orchestrator.eval]\ninterval = 25", "[orchestrator.eval]\ninterval = 1"
)


def test_evaluations_are_counted():
    """One evaluation per step with groups of 32 costs many times the run without any."""
    without = HOSTED[: HOSTED.index("[orchestrator.eval]")] + "[inference]\n"
    often = EVERY_STEP.replace("interval = 1\n", "interval = 1\ngroup_size = 32\n")
    usd = [priced(text).usd for text in (without, HOSTED, EVERY_STEP, often)]
    assert usd[0][1] < usd[1][1] < usd[2][1] < usd[3][1] and usd[3][1] > 20 * usd[0][1]
    assert priced(often).evaluated == 101 * 1000 * 32
    assert any(
        "101 times 50 to 1000 tasks of 32 rollouts" in line for line in priced(often).counted
    )


def test_the_number_of_tasks_narrows_the_evaluation():
    limited = EVERY_STEP.replace("interval = 1\n", "interval = 1\nnum_examples = 20\n")
    assert priced(limited).evaluated == 101 * 20
    known = priced(EVERY_STEP, uses={"my_env": Use(tokens=400.0, tasks=360, held_out=20)})
    assert known.evaluated == 101 * 20, "its split is the held-out one"
    trained = priced(EVERY_STEP, uses={"my_env": Use(tokens=400.0, tasks=360)})
    assert trained.evaluated == priced(EVERY_STEP).evaluated, "training tasks are not evaluated on"
    same = EVERY_STEP.replace('split = "eval"', 'split = "train"')
    assert priced(same, uses={"my_env": Use(tokens=400.0, tasks=20)}).evaluated == 101 * 20


@pytest.mark.parametrize(
    "use", [Use(tokens=5.0, rollouts=400), Use(tokens=300.0, rollouts=3)], ids=["short", "few"]
)
def test_a_measurement_on_too_little_is_called_a_guess_and_narrows_nothing(use):
    text = example(batch=1024, tokens=1024, seq_len=2048)
    found, without = priced(text, uses={"my_env": use}), priced(text)
    assert not found.measured and found.tokens_per_rollout[1] == without.tokens_per_rollout[1]
    assert found.hours[1] >= without.hours[1]
    tokens = next(one for one in found.factors if one.name == "tokens per rollout")
    assert f"a guess: {use.tokens:.0f} were measured" in tokens.words
    enough = priced(text, uses={"my_env": Use(tokens=300.0, rollouts=8)})
    assert enough.measured and enough.hours[1] < without.hours[1]


def test_a_measurement_narrows_the_range_and_each_factor_says_how_wide_it_makes_it():
    def width(found: Estimate) -> float:
        return found.hours[1] / found.hours[0]

    guessed = priced(example(batch=1024, tokens=4096, seq_len=8192))
    measured = priced(
        example(batch=1024, tokens=4096, seq_len=8192), uses={"my_env": Use(tokens=1500.0)}
    )
    assert width(measured) < width(guessed)
    assert guessed.factors[0].name == "tokens per rollout" and guessed.factors[0].times > 2
    assert list(guessed.factors) == sorted(guessed.factors, key=lambda one: -one.times)
    assert all(1 < one.times <= width(guessed) for one in guessed.factors)
    shown = "\n".join(guessed.lines())
    assert "run_eval.py measures them" in shown and "the platform keeps no limit" in shown
    assert guessed.words[0] in shown and guessed.words[0].endswith(" USD"), "what it may cost"


def test_several_turns_cost_more_than_one():
    one = example(hosted=False)
    eight = example(hosted=False, source="env.agent.max_turns = 8", seq_len=16384)
    assert priced(eight, hosted=False).hours[1] > 5 * priced(one, hosted=False).hours[1]


PUBLIC = {
    "reverse text, a few minutes": (
        example(model="Qwen/Qwen3-0.6B", steps=20, tokens=128, ckpt=None, hosted=False),
        (4, 20),
    ),
    "word game, a few hours": (
        example(
            model="Qwen/Qwen3-1.7B",
            steps=200,
            batch=512,
            seq_len=8192,
            gpus=(2, 6),
            source="env.agent.max_turns = 6",
            hosted=False,
        ),
        (120, 300),
    ),
    "sorting with adapters, just over an hour": (
        example(
            steps=200,
            batch=256,
            lr=1e-5,
            tokens=768,
            hosted=False,
            trainer="\n[trainer.model.lora]\nrank = 32\nalpha = 64.0",
        ),
        (60, 90),
    ),
}
"""What prime-rl's README says of its basic examples, in minutes, and their sizes re-made."""


@pytest.mark.parametrize("name", PUBLIC)
def test_public_timings_are_within_the_range(name):
    text, (least, most) = PUBLIC[name]
    low, high = (60 * hours for hours in priced(text, hosted=False).hours)
    assert low <= most and high >= least and high / low < 8, (low, high)
