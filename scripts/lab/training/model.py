"""What a training run is, as typed values: the few keys of prime-rl that decide it.

    plan = Plan(name="my-env", model="Qwen/Qwen3-4B-Instruct-2507", train=(Source("owner/my-env"),))
    text = write.render(plan.tables())

The group size is written on each source and nowhere else: that parses in both forms of the schema
that are in use (the shared key moved from `orchestrator` to `orchestrator.train`). What only one
form has a key for is written for `Plan.form`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lab.sizes import GROUP_SIZE

AUGUST, NEWER = "august", "newer"
FORMS = (AUGUST, NEWER)
"""prime-rl of August 2026, and of late 2026."""
DEAD = 1e-6
"""Advantages within this of 0 teach nothing."""
POOLS = {
    "hard": {"threshold": 0.25, "weight": 0.2},
    "normal": {"threshold": 0.75, "weight": 1.0},
    "easy": {"threshold": 1.0, "weight": 0.2},
}
"""prime-rl's own pools: a task by its mean reward, and how often it is drawn."""


@dataclass(frozen=True)
class Source:
    """One taskset that rollouts come from."""

    taskset: str
    """`owner/name`, or `owner/name@version`; `name` alone for a locally installed package."""
    name: str = ""
    group_size: int | None = GROUP_SIZE
    """Rollouts of a task; None for an evaluation leaves the default of 1."""
    ratio: float | None = None
    args: dict[str, Any] = field(default_factory=dict)
    """The taskset's own config keys, for example split = "train"."""
    seat: str = "agent"
    harness: str = "null"
    runtime: str = "subprocess"
    max_turns: int | None = None
    max_total_tokens: int | None = None
    """Tokens at which its seat ends a rollout."""
    tokens: int | None = None
    """Completion tokens per turn, where they differ from the run's."""
    tasks: int | None = None
    """How many tasks are taken; all when None."""
    interval: int | None = None
    """Steps between evaluations, where they differ from the run's."""
    skip_dead_groups: bool = False
    """Groups without a signal are left out, and others take their place in the batch."""
    curriculum: bool = False
    """Tasks that are solved sometimes are drawn more often than those solved always or never."""

    @property
    def label(self) -> str:
        return self.name or self.taskset.rsplit("/", 1)[-1].split("@", 1)[0]

    def table(self, form: str = AUGUST) -> dict[str, Any]:
        """The source block."""
        table: dict[str, Any] = {"name": self.label}
        for key in ("group_size", "ratio", "interval"):
            if getattr(self, key) is not None:
                table[key] = getattr(self, key)
        if self.tasks and form == AUGUST:
            table["num_examples"] = self.tasks
        elif self.tasks:
            table["select"] = {"limit": self.tasks}
        if self.tokens:
            table["sampling"] = {"max_completion_tokens": self.tokens}
        table.update(self._choice_of_tasks(form))
        return {
            **table,
            "env": {"taskset": {"id": self.taskset, **self.args}, self.seat: self._seat()},
        }

    def _seat(self) -> dict[str, Any]:
        limits = {"max_turns": self.max_turns, "max_total_tokens": self.max_total_tokens}
        return {
            **{key: value for key, value in limits.items() if value},
            "harness": {"id": self.harness},
            "runtime": {"type": self.runtime},
        }

    def _choice_of_tasks(self, form: str) -> dict[str, Any]:
        sampler = {"type": "difficulty_pool", "pools": POOLS}
        gate = {"type": "advantage_range", "reject_min": -DEAD, "reject_max": DEAD}
        table: dict[str, Any] = {}
        if form == NEWER:
            if self.skip_dead_groups:
                table["min_abs_advantage"] = DEAD
            if self.curriculum:
                table["sampler"] = sampler
            return table
        if self.skip_dead_groups:
            table.setdefault("curriculum", {})["gates"] = {"live": gate}
        if self.curriculum:
            table.setdefault("curriculum", {})["sampler"] = sampler
        return table


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
    """Another deployment than one node, as it is written in the file."""
    more: dict[str, Any] = field(default_factory=dict)
    """Further tables, for example slurm."""
    form: str = AUGUST
    """One of FORMS."""

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
        data["deployment"] = self.deployment or {
            "type": "single_node",
            "num_train_gpus": self.train_gpus,
            "num_infer_gpus": self.infer_gpus,
        }
        if self.ckpt_interval:
            data["ckpt"] = {"interval": self.ckpt_interval, "keep_last": self.ckpt_keep}
        if self.wandb_project:
            data["monitors"] = {"wandb": {"project": self.wandb_project}}
        data["trainer"] = {"optim": {"lr": self.learning_rate}}
        if self.lora_rank:
            data["trainer"]["model"] = {"lora": self.adapters()}
        data["orchestrator"] = self._orchestrator()
        data["inference"] = (
            {"vllm": {"tool_call_parser": self.tool_parser}} if self.tool_parser else {}
        )
        data.update(self.more)
        return data

    def adapters(self) -> dict[str, Any]:
        rank = self.lora_rank or 0
        return {"rank": rank, "alpha": float(2 * rank)}

    def _orchestrator(self) -> dict[str, Any]:
        table: dict[str, Any] = {"batch_size": self.batch_size}
        if self.renderer:
            table["renderer"] = {"name": self.renderer}
        sampling = {
            "temperature": self.temperature,
            "max_completion_tokens": self.max_completion_tokens,
        }
        table["train"] = {
            "sampling": sampling,
            "source": [source.table(self.form) for source in self.train],
        }
        if self.eval:
            table["eval"] = {
                "interval": self.eval_interval,
                "sampling": {"max_completion_tokens": self.max_completion_tokens},
                "source": [source.table(self.form) for source in self.eval],
            }
        return table
