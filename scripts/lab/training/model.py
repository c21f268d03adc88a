"""What a training run is, as typed values: the few keys of prime-rl that decide it.

    plan = Plan(name="my-env", model="Qwen/Qwen3-4B-Instruct-2507", train=(Source("owner/my-env"),))
    text = write.render(plan.tables())

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

    def table(self, *, train: bool = True) -> dict[str, Any]:
        """The source block; an evaluation source has no group size of its own."""
        agent: dict[str, Any] = {"max_turns": self.max_turns} if self.max_turns else {}
        agent.update(harness={"id": self.harness}, runtime={"type": self.runtime})
        table: dict[str, Any] = {"name": self.label if train else f"{self.label}-eval"}
        if train:
            table["group_size"] = self.group_size
            if self.ratio is not None:
                table["ratio"] = self.ratio
        return {**table, "env": {"taskset": {"id": self.taskset, **self.args}, self.seat: agent}}


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
    deployment: dict[str, Any] | None = None
    """Another deployment than one node, as it stands in the file."""
    more: dict[str, Any] = field(default_factory=dict)
    """Further tables, for example slurm."""

    def tables(self) -> dict[str, Any]:
        """The plan as the tables of prime-rl's file."""
        data: dict[str, Any] = {}
        if self.hosted:
            data["name"] = self.name
            if self.gpu_type:
                data["gpu_type"] = self.gpu_type
        data.update(max_steps=self.steps, seq_len=self.seq_len)
        if not self.hosted:
            data["run"] = {"name": self.name}
        data["model"] = {"name": self.model}
        data["deployment"] = self.deployment or {"type": "single_node", "num_train_gpus": self.train_gpus, "num_infer_gpus": self.infer_gpus}
        if self.ckpt_interval:
            data["ckpt"] = {"interval": self.ckpt_interval, "keep_last": self.ckpt_keep}
        if self.wandb_project:
            data["monitors"] = {"wandb": {"project": self.wandb_project}}
        data["trainer"] = {"optim": {"lr": self.learning_rate}}
        if self.lora_rank:
            data["trainer"]["model"] = {"lora": {"rank": self.lora_rank, "alpha": float(2 * self.lora_rank)}}
        sampling = {"temperature": self.temperature, "max_completion_tokens": self.max_completion_tokens}
        data["orchestrator"] = {"batch_size": self.batch_size}
        if self.renderer:
            data["orchestrator"]["renderer"] = {"name": self.renderer}
        data["orchestrator"]["train"] = {"sampling": sampling, "source": [source.table() for source in self.train]}
        if self.eval:
            data["orchestrator"]["eval"] = {"interval": self.eval_interval, "source": [source.table(train=False) for source in self.eval]}
        data["inference"] = {"vllm": {"tool_call_parser": self.tool_parser}} if self.tool_parser else {}
        data.update(self.more)
        return data
