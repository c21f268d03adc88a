"""Values for a first run, by the size of the model, each with where it comes from.

Sources: the worked examples of prime-rl (reverse-text, wordle, alphabet-sort, wiki-search,
hendrycks-sanity: steps, batch, learning rate, GPUs) and the training guide of verifiers 0.2 (full
training 1e-6 to 1e-5, adapters 1e-5 to 1e-4). The group size is `lab.sizes`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MODEL = "Qwen/Qwen3-4B-Instruct-2507"
STEPS = 100
BATCH_SIZE = 128
TOKENS = 1024
PROMPT_TOKENS = 512
"""Room for the prompt when none was measured."""
TOOL_TURNS = 5
"""Turns of a rollout that calls tools, when none were measured; the sequence holds them all."""


@dataclass(frozen=True)
class Sizing:
    """`train_gpus` and `infer_gpus` of 80 GB or more; `known` is False beyond the examples."""

    billions: float | None
    active: float | None
    """Parameters that one token uses; less than `billions` in mixtures of experts."""
    train_gpus: int
    infer_gpus: int
    learning_rate: float
    source: str
    known: bool = True


def billions(model: str) -> tuple[float | None, float | None]:
    """(all, active) parameters in 10^9 from a model's name: `Qwen3-30B-A3B` is (30, 3)."""
    name = model.rsplit("/", 1)[-1]
    sizes = [
        float(number)
        for number in re.findall(r"(?<![A-Za-z0-9.])[AE]?(\d+(?:\.\d+)?)[Bb](?![a-z0-9])", name)
    ]
    active = re.search(r"[-_]A(\d+(?:\.\d+)?)B", name)
    if not sizes:
        return None, None
    return sizes[0], float(active.group(1)) if active else sizes[0]


def sizing(model: str, *, lora: bool = False) -> Sizing:
    total, active = billions(model)
    rate = 1e-5 if lora else 1e-6
    if total is None:
        return Sizing(
            None,
            None,
            1,
            1,
            rate,
            "the size is not in the model's name; taken for a small one",
            known=False,
        )
    if total <= 1:
        return Sizing(
            total,
            active,
            1,
            1,
            rate if lora else 3e-6,
            "prime-rl reverse-text: 0.6B, 1+1 GPUs, lr 3e-6",
        )
    if total <= 4.5:
        return Sizing(
            total,
            active,
            1,
            1,
            rate,
            "prime-rl basic configs: 1.5B to 4B, 1+1 GPUs, lr 1e-6 (adapters 1e-5)",
        )
    if total <= 15:
        return Sizing(total, active, 4, 4, rate, "prime-rl hendrycks-sanity: 4+4 GPUs, lr 1e-6")
    return Sizing(
        total, active, 4, 4, rate, "no worked example on one node for this size", known=False
    )


def sequence_length(prompt: int, turns: int, tokens: int) -> int:
    """The smallest power of two from 2048 that holds a prompt and all its turns."""
    need, length = prompt + turns * tokens, 2048
    while length < need:
        length *= 2
    return length
