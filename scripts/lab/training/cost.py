"""What a run costs: GPUs x hours x rate, as a range, with what makes the range wide.

Each thing that is not known is a factor with a low and a high value. The low end of the estimate
has all of them low, the high end all of them high; how wide the range would be if only one of them
were unknown says what to measure. A run that has started says more (monitor_training.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lab.training.file import TrainingFile
from lab.training.speed import SUPERVISED, trainer_speed
from lab.training.work import GROWTH, UNMEASURED, Rollout, Span, Use, Work, work

TRAINER = (1 / 1.1, 1 / 0.7)
"""Time against the benchmark's: from larger batches to offloading and small batches."""
SAMPLER = (1 / 1.4, 1 / 0.7)
"""Time of an inference GPU against that of a training GPU for the same tokens."""
STEP_SECONDS = (3.0, 20.0)
"""What a step or an evaluation costs besides: weights handed over, scoring, the last rollout. In
public logs of small runs whole steps take 4 to 13 s."""
START_HOURS = (0.05, 0.3)
"""Loading the model and compiling; a model that is not cached is fetched too."""
FILLED = (0.85, 1.0)
"""How full the packed sequences of a supervised batch are."""
NARROW = 1.05
"""Factors that widen the range by less are not listed."""
LIMITS = "the platform keeps no limit: a run is billed from when its GPUs are ready to its end"

Position = Callable[[str], float]
"""Factor -> where it is between low (0) and high (1)."""


@dataclass(frozen=True)
class Factor:
    """One thing that is not known exactly, with the range of its values in words. `times` is how
    wide the range of the hours would be if only it were unknown."""

    name: str
    words: str
    times: float = 1.0


@dataclass(frozen=True)
class Estimate:
    """Hours and USD as (low, high). `rate` is USD per GPU-hour, None when nobody said one."""

    gpus: int
    hours: Span
    rate: float | None
    gpu: str
    tokens_per_rollout: Span | None
    """None for a supervised run."""
    measured: bool
    factors: tuple[Factor, ...]
    counted: tuple[str, ...]
    """What was counted, in words: rollouts, evaluations, tokens."""
    evaluated: float = 0.0
    """Rollouts of the evaluations, at the most."""

    @property
    def usd(self) -> Span | None:
        if self.rate is None:
            return None
        return self.gpus * self.hours[0] * self.rate, self.gpus * self.hours[1] * self.rate

    @property
    def words(self) -> tuple[str, str]:
        """The price, "" where no rate is known; and what it is for."""
        low, high = self.hours
        hours = f"{self.gpus} GPUs for {low:.1f} to {high:.1f} hours"
        if self.usd is None:
            return "", hours
        gpu = f" ({self.gpu})" if self.gpu else ""
        usd = f"{self.usd[0]:.3g} to {self.usd[1]:.3g} USD"
        return usd, f"{hours} at {self.rate:g} USD per GPU-hour{gpu}"

    def lines(self) -> list[str]:
        """The price, the counts, then the factors: the widest first."""
        low, high = self.hours
        said = [f"the range is {high / low:.1f} times wide; each factor alone makes it"]
        said += [f"  {one.times:.1f} times: {one.name}, {one.words}" for one in self.factors]
        return [": ".join(filter(None, self.words)), *self.counted, *said, LIMITS]

    def facts(self) -> dict[str, Any]:
        return {
            "gpus": self.gpus,
            "hours": [round(value, 2) for value in self.hours],
            "usd_per_gpu_hour": self.rate,
            "gpu": self.gpu,
            "usd": None if self.usd is None else [round(value, 2) for value in self.usd],
            "tokens_per_rollout": None
            if self.tokens_per_rollout is None
            else [round(value) for value in self.tokens_per_rollout],
            "measured": self.measured,
            "evaluation_rollouts": round(self.evaluated),
            "factors": [
                {"name": one.name, "range": one.words, "times": round(one.times, 2)}
                for one in self.factors
            ],
        }


def estimate(
    file: TrainingFile,
    *,
    rate: float | None = None,
    gpu: str = "",
    uses: dict[str, Use] | None = None,
) -> Estimate | None:
    """None for a file whose steps or batch are not numbers. `uses` are measurements by module."""
    if file.mode == "sft":
        return _supervised(file, rate, gpu)
    found = work(file, uses or {})
    return _rollouts(file, found, rate, gpu) if found else None


def _between(span: Span, position: float) -> float:
    low, high = span
    return low * (high / low) ** position


def _rollouts(file: TrainingFile, run: Work, rate: float | None, gpu: str) -> Estimate:
    train, infer = file.gpus
    speed = trainer_speed(file.model, lora=file.lora is not None)
    tokens, seconds, tasks = "tokens per rollout", "seconds per step", "tasks of an evaluation"
    training, sampling, start = "speed of training", "speed of sampling", "start"

    def hours(at: Position) -> float:
        def length(one: Rollout) -> float:
            return _between(one.tokens, at(tokens))

        parts = list(zip(run.shares, run.train, strict=True))
        read = run.batch * sum(share * one.whole(length(one)) for share, one in parts)
        made = run.batch * sum(share * one.sampled(length(one)) for share, one in parts)
        trained = read / (max(train, 1) * speed) * _between(TRAINER, at(training))
        per_token = _between(SAMPLER, at(sampling)) / (max(infer, 1) * speed)
        besides = _between(STEP_SECONDS, at(seconds))
        evaluated = sum(
            one.times
            * (
                _between(one.tasks, at(tasks))
                * one.rollouts
                * one.rollout.sampled(length(one.rollout))
                * per_token
                + besides
            )
            for one in run.evaluations
        )
        steps = run.steps * (max(trained, made * per_token) + besides)
        return (steps + evaluated) / 3600 + _between(START_HOURS, at(start))

    first, most = run.train[0], [one.tasks for one in run.evaluations]
    factors = (
        Factor(tokens, _tokens_in_words(first)),
        Factor(training, f"{_times(TRAINER)} the time of prime-rl's benchmarks ({speed:,.0f}/s)"),
        Factor(sampling, f"{_times(SAMPLER)} the time that training the same tokens takes"),
        Factor(seconds, f"{STEP_SECONDS[0]:g} to {STEP_SECONDS[1]:g} s besides the tokens"),
        Factor(start, f"{60 * START_HOURS[0]:.0f} to {60 * START_HOURS[1]:.0f} minutes"),
        *(
            [Factor(tasks, f"{min(t[0] for t in most):g} to {max(t[1] for t in most):g}")]
            if most
            else []
        ),
    )
    low, high = first.tokens
    evaluated = sum(one.times * one.tasks[1] * one.rollouts for one in run.evaluations)
    span = (hours(lambda name: 0.0), hours(lambda name: 1.0))
    counted = _counted(run)
    return Estimate(
        gpus=int(train + infer),
        hours=span,
        rate=rate,
        gpu=gpu,
        tokens_per_rollout=(low, high),
        measured=first.measured is not None,
        factors=_widths(hours, factors),
        counted=tuple(counted),
        evaluated=evaluated,
    )


def _times(span: Span) -> str:
    return f"{span[0]:.2g} to {span[1]:.2g} times"


def _tokens_in_words(one: Rollout) -> str:
    low, high = one.tokens
    if one.measured:
        why = f"{one.measured:.0f} measured, {GROWTH[0]:g} to {GROWTH[1]:g} times that over a run"
    elif one.guessed:
        why = (
            f"a guess: {one.guessed:.0f} were measured, in rollouts too few or too short to go by, "
            f"and the limit is {one.limit:.0f}; run_eval.py with the trained model measures them"
        )
    else:
        why = (
            f"{UNMEASURED[0]:g} to {UNMEASURED[1]:g} of the limit of {one.limit:.0f}; run_eval.py "
            "measures them"
        )
    return f"{low:.0f} to {high:.0f} ({why})"


def _counted(run: Work) -> list[str]:
    """The rollouts of the run, and of each evaluation."""
    trained = run.steps * run.batch
    said = [f"training: {run.steps:g} steps of {run.batch:.0f} rollouts: {trained:,.0f}"]
    for one in run.evaluations:
        low, high = one.tasks
        tasks = f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"
        most = one.times * high * one.rollouts
        unknown = "" if low == high else "; num_examples sets how many tasks"
        said.append(
            f"evaluation {one.name}: {one.times} times {tasks} tasks of {one.rollouts:g} rollouts: "
            f"up to {most:,.0f}, {most / (trained + most):.0%} of all{unknown}"
        )
    return said


def _widths(hours: Callable[[Position], float], factors: tuple[Factor, ...]) -> tuple[Factor, ...]:
    """Each factor with its width; the widest first, those that hardly matter left out."""

    def alone(name: str, end: float) -> float:
        return hours(lambda other: end if other == name else 0.5)

    found = [
        Factor(one.name, one.words, alone(one.name, 1.0) / alone(one.name, 0.0)) for one in factors
    ]
    wide = [factor for factor in found if factor.times >= NARROW]
    return tuple(sorted(wide, key=lambda factor: -factor.times))


def _supervised(file: TrainingFile, rate: float | None, gpu: str) -> Estimate | None:
    """Steps x packed sequences x their length, over the trainer's speed."""
    tokens = tokens_read(file)
    if tokens is None:
        return None
    train, infer = file.gpus
    infer = infer if file.has("inference") else 0
    speed = SUPERVISED * trainer_speed(file.model, lora=file.has("model.lora"))
    filled, training, start = "fullness", "speed of training", "start"

    def hours(at: Position) -> float:
        read = tokens * _between(FILLED, at(filled)) * _between(TRAINER, at(training))
        return read / (max(train, 1) * speed) / 3600 + _between(START_HOURS, at(start))

    factors = (
        Factor(filled, f"{FILLED[0]:.0%} to {FILLED[1]:.0%} of the packed sequences"),
        Factor(training, f"{_times(TRAINER)} the time of prime-rl's benchmarks ({speed:,.0f}/s)"),
        Factor(start, f"{60 * START_HOURS[0]:.0f} to {60 * START_HOURS[1]:.0f} minutes"),
    )
    steps, batch, length = _sizes(file)
    counted = f"{tokens:,.0f} tokens: {steps:g} steps of {batch:g} sequences of {length:g}"
    return Estimate(
        gpus=int(train + infer),
        hours=(hours(lambda name: 0.0), hours(lambda name: 1.0)),
        rate=rate,
        gpu=gpu,
        tokens_per_rollout=None,
        measured=False,
        factors=_widths(hours, factors),
        counted=(counted,),
    )


def _sizes(file: TrainingFile) -> tuple[float, float, float]:
    """Steps, packed sequences per step, tokens of each; 0 where one is missing."""
    return (
        file.number("max_steps") or 0,
        file.number("data.batch_size", 128) or 0,
        file.number("data.seq_len", 128) or 0,
    )


def tokens_read(file: TrainingFile) -> float | None:
    """Tokens that a supervised run reads at most; None when a number is missing."""
    steps, batch, length = _sizes(file)
    return steps * batch * length or None
