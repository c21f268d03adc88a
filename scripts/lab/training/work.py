"""What a run of rollouts does: tokens that are sampled and trained, and how often it evaluates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lab.training.file import SourceBlock, TrainingFile
from lab.training.keys import SEATLESS, as_number
from lab.training.rules.base import integer

GROWTH = (0.85, 1.4)
"""Mean length of rollouts over a run, against the evaluation before it."""
UNMEASURED = (0.25, 1.0)
"""The same against the limit of a rollout, where nothing was measured."""
FEW, SHORT = 8, 16
"""Rollouts, and completion tokens of one, below which a measurement is a guess: too few to have a
mean, or shorter than a model that reasons replies."""
PROMPT = 0.3
"""Tokens of the prompt per completion token, where it was not measured."""
TASKS = (50, 1000)
"""Tasks of an evaluation of all tasks, where they were not counted."""
MANY_TURNS = 3.0
"""Times that a turn of several turns makes sampling slower, at most: the worked examples have one
inference GPU per training GPU for single turns and three for several."""

Span = tuple[float, float]


@dataclass(frozen=True)
class Use:
    """What an evaluation measured of one environment: mean completion tokens of a rollout (all its
    turns), their standard error as a share, tokens of the prompt, turns, and how many tasks the
    environment has for training and held out, and from how many rollouts. None where it is not
    known."""

    tokens: float | None = None
    error: float = 0.0
    prompt: float | None = None
    turns: float = 1.0
    tasks: int | None = None
    held_out: int | None = None
    rollouts: float | None = None

    @property
    def too_little(self) -> bool:
        """Whether the tokens were measured on too little to go by."""
        few = self.rollouts is not None and self.rollouts < FEW
        return self.tokens is not None and (few or self.tokens / max(1.0, self.turns) < SHORT)


@dataclass(frozen=True)
class Rollout:
    """One rollout of a source: completion tokens (fewest, most), tokens of the prompt as a share
    of them or as a number, and turns."""

    tokens: Span
    prompt: float | None
    turns: float
    limit: float
    measured: float | None
    guessed: float | None = None
    """What was measured on too little: then the range goes up to the limit."""

    def whole(self, tokens: float) -> float:
        """Tokens that the trainer reads of a rollout with `tokens` completion tokens."""
        return tokens + (tokens * PROMPT if self.prompt is None else self.prompt)

    def sampled(self, tokens: float) -> float:
        """Tokens of work for the inference server: several turns read the context again."""
        return tokens * (1 + PROMPT) * min(MANY_TURNS, self.turns)


@dataclass(frozen=True)
class Evaluation:
    """One evaluation source: how often in the run, over how many tasks, rollouts of each."""

    name: str
    times: int
    tasks: Span
    rollouts: float
    rollout: Rollout


@dataclass(frozen=True)
class Work:
    """A whole run. `shares` are the parts of a batch, which are 1 in all."""

    steps: float
    batch: float
    train: tuple[Rollout, ...]
    shares: tuple[float, ...]
    evaluations: tuple[Evaluation, ...]


def work(file: TrainingFile, uses: dict[str, Use]) -> Work | None:
    """None for a file whose steps, batch or sources are missing."""
    steps, sources = file.number("max_steps"), file.sources("train")
    if not steps or steps < 1 or not sources:
        return None
    train = tuple(_rollout(file, source, uses) for source in sources)
    ratios = [as_number(source.table.get("ratio")) or 1.0 for source in sources]
    shares = tuple(ratio / sum(ratios) for ratio in ratios)
    batch = file.batch_size or _in_tokens(file, train, shares)
    if not batch:
        return None
    held = tuple(_evaluation(file, source, steps, uses) for source in file.sources("eval"))
    return Work(steps, batch, train, shares, held)


def _in_tokens(file: TrainingFile, train: tuple[Rollout, ...], shares: tuple[float, ...]) -> float:
    """Rollouts of a batch that is counted in tokens."""
    middle = (math.sqrt(one.tokens[0] * one.tokens[1]) for one in train)
    mean = sum(s * one.whole(t) for s, one, t in zip(shares, train, middle, strict=True))
    return (file.number("orchestrator.token_batch_size") or 0) / mean


def _rollout(file: TrainingFile, source: SourceBlock, uses: dict[str, Use]) -> Rollout:
    use = uses.get(source.module, Use())
    asked = file.sampling(source, "max_completion_tokens")
    each = float(asked) if integer(asked) and asked > 0 else file.seq_len
    turns = max([1.0, use.turns, *_turns(source)])
    limit = max(1.0, min(file.seq_len, each * turns))
    if not use.tokens or use.too_little:
        span = (limit * UNMEASURED[0], limit * UNMEASURED[1])
        if use.tokens:
            span = (max(1.0, min(span[0], use.tokens * GROWTH[0])), span[1])
    else:
        low, high = (
            min(limit, use.tokens * (growth + sign * use.error))
            for growth, sign in zip(GROWTH, (-2, 2), strict=True)
        )
        span = (max(1.0, low), max(1.0, high))
    sure, guessed = (None, use.tokens) if use.too_little else (use.tokens, None)
    return Rollout(span, use.prompt, turns, limit, sure, guessed)


def _turns(source: SourceBlock) -> list[float]:
    """The turns that the file gives its seats."""
    seats: list[Any] = [value for key, value in source.env.items() if key not in SEATLESS]
    return [
        float(seat["max_turns"])
        for seat in seats
        if isinstance(seat, dict) and integer(seat.get("max_turns"))
    ]


def _evaluation(
    file: TrainingFile, source: SourceBlock, steps: float, uses: dict[str, Use]
) -> Evaluation:
    """Before the first step, unless the file skips that, and at each interval, as prime-rl does."""
    own = as_number(source.table.get("interval"))
    every = own or file.number("orchestrator.eval.interval", 100) or 100
    first = 0 if file.get("orchestrator.eval.skip_first_step") is True else 1
    return Evaluation(
        source.name,
        first + int(steps // max(1, every)),
        _tasks(file, source, uses),
        file.eval_rollouts(source),
        _rollout(file, source, uses),
    )


def _tasks(file: TrainingFile, source: SourceBlock, uses: dict[str, Use]) -> Span:
    select = source.table.get("select") or file.get("orchestrator.eval.select")
    asked = (
        source.table.get("num_examples"),
        select.get("limit") if isinstance(select, dict) else None,
        file.get("orchestrator.eval.num_examples"),
    )
    limit = next((float(value) for value in asked if integer(value) and value > 0), None)
    use = uses.get(source.module, Use())
    known = use.tasks if source.taskset.get("split", "train") == "train" else use.held_out
    if limit is not None:
        limit = min(limit, known) if known else limit
        return limit, limit
    if known:
        return min(known, TASKS[0]), known
    return TASKS
