"""What a run costs: GPUs x hours x rate, with the range that the assumptions leave.

No inference throughput is published, and the trainer's was measured on fake data (prime-rl
benchmarks, early 2026: full training, 8 x H100, about 3,300 tokens/s per GPU for 4 billion
parameters). Both scale about inversely with the active parameters. The range is therefore
wide, and is said; a run that has started says more (monitor_training.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lab.training.defaults import sizing
from lab.training.file import TrainingFile
from lab.training.rules.base import integer

TRAIN_TOKENS = 13_000.0
"""Trained tokens per second and GPU for 10^9 active parameters."""
INFER_TOKENS = (4_000.0, 16_000.0)
"""Sampled tokens per second and GPU for 10^9 active parameters, slow and fast."""
STEP_SECONDS = (10.0, 30.0)
"""What a step costs besides: weights handed over, scoring, waiting for the last rollout."""
START_HOURS = (0.05, 0.4)
"""Loading the model, compiling, the first evaluation; a model that is not cached is fetched too."""


@dataclass(frozen=True)
class Estimate:
    """Hours and USD as (low, high). `rate` is USD per GPU-hour, None when nobody said one."""

    gpus: int
    hours: tuple[float, float]
    rate: float | None
    gpu: str
    tokens_per_rollout: tuple[float, float]
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
            "tokens_per_rollout": list(self.tokens_per_rollout),
            "assumptions": list(self.assumptions),
        }


def estimate(file: TrainingFile, *, rate: float | None = None, gpu: str = "", measured_tokens: float | None = None) -> Estimate | None:
    """None for a file whose steps or batch are not numbers. `measured_tokens` is the mean number
    of sampled tokens of a rollout in the evaluation."""
    steps, batch = file.number("max_steps"), file.batch_size
    sources = file.sources("train")
    if not steps or not batch or not sources:
        return None
    limit = file.sampling(sources[0], "max_completion_tokens")
    limit = float(limit) if integer(limit) else file.seq_len
    tokens = (measured_tokens * 0.8, measured_tokens * 2.0) if measured_tokens else (limit * 0.25, limit)
    train, infer = file.gpus
    active = sizing(file.model).active or 4.0
    seconds = []
    for index in (0, 1):
        sampled = batch * tokens[index]
        sampling = sampled / (max(infer, 1) * INFER_TOKENS[1 - index] / active)
        training = sampled * 1.3 / (max(train, 1) * TRAIN_TOKENS / active)
        seconds.append(max(sampling, training) + STEP_SECONDS[index])
    hours = (steps * seconds[0] / 3600 + START_HOURS[0], steps * seconds[1] / 3600 + START_HOURS[1])
    told = (
        f"{tokens[0]:.0f} to {tokens[1]:.0f} tokens per rollout ({'measured in the evaluation, may double in training' if measured_tokens else 'a quarter to all of max_completion_tokens; none were measured'})",
        f"{active:g} billion active parameters",
        "training and sampling overlap; throughput from published trainer benchmarks, sampling assumed",
        "billing starts when the pods are ready",
    )
    return Estimate(int(train + infer), (hours[0], hours[1]), rate, gpu, tokens, measured_tokens is not None, told)
