"""What a run costs: GPUs x hours x rate, with the range that the assumptions leave.

Trainer speed is interpolated between prime-rl's published benchmarks (February 2026, fake data,
tokens per second and GPU). No speed of sampling is published; the GPU splits of the worked
examples say how far it keeps up: one inference GPU per training GPU for single-turn tasks, three
where rollouts have several turns. Tokens per rollout are measured in the evaluation where there
is one; without it the limit is all that is known, and the range is wide. A run that has started
says more (monitor_training.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lab.training.defaults import sizing
from lab.training.file import TrainingFile
from lab.training.rules.base import integer

FULL = ((0.6, 11_900.0), (4.0, 3_250.0))
ADAPTERS = ((0.6, 13_300.0), (4.0, 6_200.0))
"""(10^9 parameters, tokens per second and GPU): Qwen3 0.6B and 4B on H100, sequences of 16k."""
MIXTURE = {False: (30.0, 760.0), True: (30.0, 4_140.0)}
"""The same for a mixture of experts (Qwen3-30B-A3B, 8 x H100): all weights, adapters."""
SUPERVISED = 1.9
"""Supervised training is this much faster (Qwen3-4B: 49.7k against 26.0k tokens/s on 8 x H100)."""
TRAINER_SPREAD = (0.7, 1.1)
"""Offloading, shorter sequences and smaller batches than the benchmark's, slow and fast."""
SAMPLING_SPREAD = (0.7, 1.4)
"""How far an inference GPU keeps up with a training GPU on single-turn tasks, slow and fast."""
PROMPT = 1.3
"""Trained tokens per sampled token, when the prompt was not measured."""
STEP_SECONDS = (8.0, 20.0)
"""What a step costs besides: weights handed over, scoring, waiting for the last rollout."""
START_HOURS = (0.05, 0.3)
"""Loading the model, compiling, the first evaluation; a model that is not cached is fetched too."""
GROWTH = (0.85, 1.4)
"""Mean length of rollouts over a run, against the evaluation before it."""
UNMEASURED = (0.25, 1.0)
"""The same against the limit of a turn, when nothing was measured."""
FILLED = (0.85, 1.0)
"""How full the packed sequences of a supervised batch are."""


@dataclass(frozen=True)
class Use:
    """What the evaluation measured: mean tokens of a rollout (all its turns), its standard error
    as a share of it, the prompt's tokens, and turns. None where it was not measured."""

    tokens: float | None = None
    error: float = 0.0
    prompt: float | None = None
    turns: float = 1.0

    @classmethod
    def of(cls, measured: dict[str, Any]) -> Use:
        """From the measurements beside a training file (lab.submission.local)."""
        return cls(measured.get("completion_tokens"), measured.get("completion_error") or 0.0, measured.get("prompt_tokens"), measured.get("turns") or 1.0)


@dataclass(frozen=True)
class Estimate:
    """Hours and USD as (low, high). `rate` is USD per GPU-hour, None when nobody said one."""

    gpus: int
    hours: tuple[float, float]
    rate: float | None
    gpu: str
    tokens_per_rollout: tuple[float, float] | None
    """None for a supervised run."""
    measured: bool
    assumptions: tuple[str, ...]

    @property
    def usd(self) -> tuple[float, float] | None:
        return None if self.rate is None else (self.gpus * self.hours[0] * self.rate, self.gpus * self.hours[1] * self.rate)

    def facts(self) -> dict[str, Any]:
        return {
            "gpus": self.gpus,
            "hours": [round(value, 2) for value in self.hours],
            "usd_per_gpu_hour": self.rate,
            "gpu": self.gpu,
            "usd": None if self.usd is None else [round(value, 2) for value in self.usd],
            "tokens_per_rollout": None if self.tokens_per_rollout is None else [round(value) for value in self.tokens_per_rollout],
            "measured": self.measured,
            "assumptions": list(self.assumptions),
        }


def trainer_speed(model: str, *, lora: bool) -> float:
    """Trained tokens per second and GPU; log-linear between the benchmarks, and inverse to the
    size above and below them."""
    size = sizing(model, lora=lora)
    total, active = size.billions or 4.0, size.active or 4.0
    if active < total:
        at, speed = MIXTURE[lora]
        return speed * at / total
    (small, fast), (large, slow) = ADAPTERS if lora else FULL
    if total >= large:
        return slow * large / total
    slope = math.log(slow / fast) / math.log(large / small)
    return fast * (max(total, small) / small) ** slope


def estimate(file: TrainingFile, *, rate: float | None = None, gpu: str = "", use: Use | None = None) -> Estimate | None:
    """None for a file whose steps or batch are not numbers."""
    return _supervised(file, rate, gpu) if file.mode == "sft" else _rollouts(file, rate, gpu, use or Use())


def _rollouts(file: TrainingFile, rate: float | None, gpu: str, use: Use) -> Estimate | None:
    steps, batch = file.number("max_steps"), file.batch_size
    sources = file.sources("train")
    if not steps or not batch or not sources:
        return None
    limit = file.sampling(sources[0], "max_completion_tokens")
    limit = float(limit) if integer(limit) else file.seq_len
    turns = max(1.0, use.turns, *(float(seat["max_turns"]) for seat in sources[0].env.values() if isinstance(seat, dict) and integer(seat.get("max_turns"))))
    most = max(1.0, min(file.seq_len, limit * turns))
    if use.tokens:
        low, high = (min(most, use.tokens * (growth + sign * use.error)) for growth, sign in zip(GROWTH, (-2, 2), strict=True))
        low = max(1.0, low)
    else:
        low, high = most * UNMEASURED[0], most * UNMEASURED[1]
    train, infer = file.gpus
    speed = trainer_speed(file.model, lora=file.lora is not None)
    seconds = []
    for index, tokens in enumerate((low, high)):
        whole = tokens + use.prompt if use.prompt is not None else tokens * PROMPT
        training = batch * whole / (max(train, 1) * speed * TRAINER_SPREAD[1 - index])
        sampling = batch * tokens * PROMPT / (max(infer, 1) * speed * SAMPLING_SPREAD[1 - index] / min(3.0, turns))
        seconds.append(max(training, sampling) + STEP_SECONDS[index])
    hours = (steps * seconds[0] / 3600 + START_HOURS[0], steps * seconds[1] / 3600 + START_HOURS[1])
    told = (
        f"{low:.0f} to {high:.0f} tokens per rollout, "
        + (f"{use.tokens:.0f} measured in the evaluation, {GROWTH[0]:g} to {GROWTH[1]:g} times that over a run" if use.tokens else f"a quarter to all of the limit of {most:.0f}; none were measured (run_eval.py narrows this)"),
        f"{speed:,.0f} trained tokens per second and GPU, {TRAINER_SPREAD[0]:g} to {TRAINER_SPREAD[1]:g} times: prime-rl's benchmarks for the size",
        f"an inference GPU samples {SAMPLING_SPREAD[0]:g} to {SAMPLING_SPREAD[1]:g} times what a training GPU trains" + (f", a third of it with {turns:.0f} turns" if turns >= 3 else f", 1/{turns:.1f} of it with that many turns" if turns > 1 else "") + ": the splits of prime-rl's examples; training and sampling overlap",
        f"{STEP_SECONDS[0]:.0f} to {STEP_SECONDS[1]:.0f} s per step besides, {60 * START_HOURS[0]:.0f} to {60 * START_HOURS[1]:.0f} minutes to start; evaluations during the run are not counted",
        "billed from when the pods are ready",
    )
    return Estimate(int(train + infer), hours, rate, gpu, (low, high), use.tokens is not None, told)


def _supervised(file: TrainingFile, rate: float | None, gpu: str) -> Estimate | None:
    """Steps x packed sequences x their length, over the trainer's speed."""
    tokens = tokens_read(file)
    if tokens is None:
        return None
    train, infer = file.gpus
    infer = infer if file.has("inference") else 0
    speed = SUPERVISED * trainer_speed(file.model, lora=file.has("model.lora"))
    hours = tuple(tokens * FILLED[index] / (max(train, 1) * speed * TRAINER_SPREAD[1 - index]) / 3600 + START_HOURS[index] for index in (0, 1))
    told = (
        f"{tokens:,.0f} tokens: {file.number('max_steps'):g} steps of {file.number('data.batch_size', 128):g} packed sequences of {file.number('data.seq_len', 128):g}, {FILLED[0]:.0%} to {FILLED[1]:.0%} full",
        f"{speed:,.0f} trained tokens per second and GPU, {TRAINER_SPREAD[0]:g} to {TRAINER_SPREAD[1]:g} times: prime-rl's benchmarks for the size",
        f"{60 * START_HOURS[0]:.0f} to {60 * START_HOURS[1]:.0f} minutes to start; evaluations during the run are not counted",
        "billed from when the pods are ready",
    )
    return Estimate(int(train + infer), (hours[0], hours[1]), rate, gpu, None, False, told)


def tokens_read(file: TrainingFile) -> float | None:
    """Tokens that a supervised run reads at most; None when a number is missing."""
    steps, batch, length = file.number("max_steps"), file.number("data.batch_size", 128), file.number("data.seq_len", 128)
    return steps * batch * length if steps and batch and length else None
