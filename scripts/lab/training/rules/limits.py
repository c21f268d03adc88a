"""Rules about single numbers: each key that has a scale, with the range in which it makes sense.

A value outside `hard` ruins the run or is refused at its start; one outside `usual` is rarely
meant. A new number is a row of the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from lab.report import Check
from lab.training.file import TrainingFile
from lab.training.rules.base import DROP, Change, Issue, Known, is_number
from lab.untrusted import excerpt

VALUES = Check(
    "config.values",
    title="numbers are of the scale that their key has",
    expected="within the range of each key",
    reason="The schema takes any non-negative number: a clipping norm of zero, adapters scaled to nothing, or a hundredth of the memory validate and train nothing.",
    source="prime-rl schema constraints; vLLM engine arguments; worked examples",
)


@dataclass(frozen=True)
class Range:
    """`hard` and `usual` are closed intervals; `why` says what lies outside."""

    hard: tuple[float, float]
    usual: tuple[float, float]
    why: str
    fix: str = "leave it out: the default is right"


_BETA = Range((0.0, 0.99999), (0.5, 0.9999), "a running mean must forget, and remember a few steps")
_OPTIM = {
    "weight_decay": Range((0.0, 10.0), (0.0, 0.2), "strong decay pulls the weights to zero, whatever the reward says"),
    "max_norm": Range((1e-6, math.inf), (0.05, 100.0), "gradients are clipped to this norm: near zero nothing is learnt"),
    "betas1": _BETA,
    "betas2": _BETA,
    "momentum": _BETA,
    "mu": _BETA,
}
_LORA = {
    "alpha": Range((1e-6, math.inf), (4.0, 1024.0), "adapters are scaled by alpha / rank: at zero they do nothing", "set alpha to twice the rank"),
    "dropout": Range((0.0, 0.5), (0.0, 0.2), "dropout changes the policy that is trained against the one that sampled", "set dropout = 0"),
}
RANGES: dict[str, dict[str, Range]] = {
    "rl": {
        **{f"trainer.optim.{key}": row for key, row in _OPTIM.items()},
        **{f"trainer.model.lora.{key}": row for key, row in _LORA.items()},
        "ckpt.keep_last": Range((1, math.inf), (1, 20), "each checkpoint is as large as the model with its optimiser", "set keep_last = 2"),
        "orchestrator.eval.group_size": Range((1, math.inf), (1, 32), "every evaluation pays for this many rollouts of each held-out task", "set it to 1 to 8"),
        "orchestrator.eval.sampling.temperature": Range((0.0, 2.0), (0.0, 1.3), "evaluation at another temperature measures another policy"),
        "inference.vllm.gpu_memory_utilization": Range((0.2, 0.99), (0.5, 0.95), "the share of memory for weights and cache: too little starts no server, too much dies under load", "set it between 0.8 and 0.95, or leave it out"),
        "inference.vllm.max_num_seqs": Range((2, math.inf), (16, math.inf), "rollouts wait in line for a server that takes few at a time"),
        "trainer.loss.adv_tau": Range((1e-6, math.inf), (0.1, 10.0), "advantages are multiplied by it: at zero no reward counts"),
        "trainer.loss.kl_tau": Range((0.0, 1.0), (0.0, 0.1), "a strong pull towards the old policy keeps the model where it is"),
    },
    "sft": {
        **{f"optim.{key}": row for key, row in _OPTIM.items()},
        **{f"model.lora.{key}": row for key, row in _LORA.items()},
        "ckpt.keep_last": Range((1, math.inf), (1, 20), "each checkpoint is as large as the model with its optimiser", "set keep_last = 2"),
    },
}
LOSSES = ("default", "ipo", "icepop", "ppo", "cispo", "custom")
"""Of both current generations; a run has only those of its own."""


def values(file: TrainingFile, known: Known) -> Iterator[Issue]:
    clean = True
    loss = file.get("trainer.loss.type")
    if loss is not None and loss not in LOSSES:
        clean = False
        yield Issue(VALUES.fail(excerpt(loss, 40), f"there is no loss {excerpt(loss, 40)!r}", "leave [trainer.loss] out, or use one of " + ", ".join(LOSSES)))
    targets = "trainer.model.lora.target_modules" if file.mode == "rl" else "model.lora.target_modules"
    if file.get(targets) == []:
        clean = False
        yield Issue(VALUES.fail("[]", f"{targets} names no layer, so nothing is trained", "leave it out"), (Change(targets, DROP),))
    for path, row in RANGES[file.mode].items():
        value = file.get(path)
        if value is None:
            continue
        hard, usual = (f"{low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}" for low, high in (row.hard, row.usual))
        if not is_number(value) or not row.hard[0] <= value <= row.hard[1]:
            clean = False
            yield Issue(VALUES.fail(f"{path} = {excerpt(value, 40)}", f"{path} = {excerpt(value, 40)}, it must be {hard}: {row.why}", row.fix))
        elif not row.usual[0] <= value <= row.usual[1]:
            clean = False
            yield Issue(VALUES.warn(f"{path} = {value:g}", f"{path} = {value:g}, {usual} is usual: {row.why}", row.fix))
    if clean:
        yield Issue(VALUES.ok())


RULES = (values,)
