"""What a training run is, as typed values: the few keys of prime-rl that decide it.

    plan = Plan(name="my-env", model="Qwen/Qwen3-4B-Instruct-2507", train=(Source("owner/my-env"),))
    text = write.render(plan)

The group size stands on each source and nowhere else: that parses in both generations of the
schema that are in use (the shared key moved from `orchestrator` to `orchestrator.train`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Source:
    """One taskset that rollouts come from."""

    taskset: str
    """`owner/name`, or `owner/name@version`; `name` alone for a locally installed package."""
    name: str = ""
    group_size: int = 16
    ratio: float | None = None
    args: dict[str, Any] = field(default_factory=dict)
    """The taskset's own config keys, for example split = "train"."""
    seat: str = "agent"
    harness: str = "null"
    runtime: str = "subprocess"
    max_turns: int | None = None

    @property
    def label(self) -> str:
        return self.name or self.taskset.rsplit("/", 1)[-1].split("@", 1)[0]


@dataclass(frozen=True)
class Plan:
    """One reinforcement-learning run. Sizes in tokens, rollouts and steps."""

    name: str
    """The run's name on the platform; unique per content, so that a run is found again."""
    model: str
    train: tuple[Source, ...]
    steps: int = 100
    batch_size: int = 128
    """Rollouts per step; a multiple of every source's group size."""
    seq_len: int = 2048
    """Prompt and all completions of one rollout."""
    max_completion_tokens: int = 1024
    """Per turn."""
    temperature: float = 1.0
    learning_rate: float = 1e-6
    lora_rank: int | None = None
    eval: tuple[Source, ...] = ()
    eval_interval: int = 25
    ckpt_interval: int | None = 50
    ckpt_keep: int = 2
    train_gpus: int = 1
    infer_gpus: int = 1
    renderer: str | None = None
    wandb_project: str | None = None
    gpu_type: str | None = None
    tool_parser: str | None = None
    hosted: bool = True
