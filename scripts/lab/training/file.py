"""A training file as it is: its text, its tables, and the questions that rules ask of it.

Paths are dotted (`orchestrator.train.sampling.temperature`); a missing key is None. Defaults
are prime-rl's own, so that a rule sees the value that a run would have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.cli.files import LARGEST_SETTINGS, parse_toml, read_plain
from lab.cli.report import usage
from lab.cli.untrusted import excerpt
from lab.training.keys import as_number, module_of

SLUG = re.compile(
    r"(?P<owner>[A-Za-z0-9][A-Za-z0-9_.-]*)/(?P<name>[A-Za-z0-9][A-Za-z0-9_.-]*)(?:@(?P<version>[A-Za-z0-9_.!+-]+))?"
)
"""An environment on the hub: owner/name, or owner/name@version."""

UNNAMED = "training.toml"
GROUP_SIZE = 1
BATCH_SIZE = 128
SEQ_LEN = 2048
LEARNING_RATE = 1e-6
TEMPERATURE = 1.0
"""Defaults of prime-rl's RLConfig (the group size of 1 is the trap that most files fall into)."""


@dataclass
class SourceBlock:
    """One block of `orchestrator.train.source` or `orchestrator.eval.source`."""

    kind: str
    index: int
    table: dict[str, Any]

    @property
    def where(self) -> str:
        """How to name it in a finding: `train source my-env`."""
        return f"{self.kind} source {excerpt(self.name, 60)}"

    @property
    def path(self) -> str:
        return f"orchestrator.{self.kind}.source.{self.index}"

    @property
    def env(self) -> dict[str, Any]:
        return _table(self.table.get("env"))

    @property
    def taskset(self) -> dict[str, Any]:
        return _table(self.env.get("taskset"))

    @property
    def id(self) -> str:
        value = self.taskset.get("id")
        return value if isinstance(value, str) else ""

    @property
    def module(self) -> str:
        """The module that the id leads to: `owner/my-env@1.0` is `my_env`."""
        return module_of(self.id)

    @property
    def name(self) -> str:
        value = self.table.get("name")
        return value if isinstance(value, str) and value else self.id or f"number {self.index + 1}"

    @property
    def args(self) -> dict[str, Any]:
        """The taskset's own keys."""
        return {key: value for key, value in self.taskset.items() if key not in ("id", "task")}

    def seat(self, name: str) -> dict[str, Any]:
        return _table(self.env.get(name))


@dataclass
class TrainingFile:
    """A parsed file. `hosted` says whether it is meant for the platform or for own GPUs."""

    data: dict[str, Any]
    text: str = ""
    path: Path = Path(UNNAMED)
    hosted: bool = True
    _cache: dict[str, list[SourceBlock]] = field(default_factory=dict, repr=False)

    def get(self, path: str, default: Any = None) -> Any:
        """The value at a dotted path, or `default`."""
        here: Any = self.data
        for part in path.split("."):
            if isinstance(here, list) and part.isdigit() and int(part) < len(here):
                here = here[int(part)]
            elif isinstance(here, dict) and part in here:
                here = here[part]
            else:
                return default
        return default if here is None or here == "None" else here

    def number(self, path: str, default: float | None = None) -> float | None:
        """A number as the schema takes it: "100" is one, true is none."""
        value = self.get(path)
        found = None if isinstance(value, bool) else as_number(value)
        return default if found is None else int(found) if found.is_integer() else found

    def has(self, path: str) -> bool:
        return self.get(path) is not None

    def sources(self, kind: str) -> list[SourceBlock]:
        """The source blocks of `train` or `eval`; entries that are no tables are left out."""
        if kind not in self._cache:
            found = self.get(f"orchestrator.{kind}.source")
            rows = found if isinstance(found, list) else []
            self._cache[kind] = [
                SourceBlock(kind, i, row) for i, row in enumerate(rows) if isinstance(row, dict)
            ]
        return self._cache[kind]

    @property
    def mode(self) -> str:
        """`rl` or `sft`, as the client tells them apart."""
        both = "trainer" in self.data or "orchestrator" in self.data
        return "sft" if "data" in self.data and not both else "rl"

    @property
    def model(self) -> str:
        value = self.get("model.name") or self.get("trainer.model.name")
        return value if isinstance(value, str) else ""

    @property
    def batch_size(self) -> float | None:
        """Rollouts per step; None when the batch is counted in tokens."""
        if self.has("orchestrator.token_batch_size"):
            return None
        return self.number("orchestrator.batch_size", BATCH_SIZE)

    def group_size(self, source: SourceBlock) -> float:
        """Rollouts per task for this source: its own, else the shared one of either generation."""
        own = as_number(source.table.get("group_size"))
        if own is not None:
            return own
        return (
            self.number("orchestrator.train.group_size")
            or self.number("orchestrator.group_size")
            or GROUP_SIZE
        )

    def algorithm_table(self, source: SourceBlock) -> dict[str, Any]:
        """The source's own algorithm, else the shared one of either form."""
        for table in (
            source.table,
            _table(self.get("orchestrator.train")),
            _table(self.get("orchestrator")),
        ):
            if isinstance(table.get("algo"), dict):
                return _table(table["algo"])
        return {}

    def algorithm(self, source: SourceBlock) -> str:
        kind = self.algorithm_table(source).get("type")
        return kind if isinstance(kind, str) else "grpo"

    def sampling(self, source: SourceBlock, key: str) -> Any:
        """A sampling value of a source: its own, else the shared one."""
        own = _table(source.table.get("sampling")).get(key)
        return own if own is not None else self.get(f"orchestrator.{source.kind}.sampling.{key}")

    def eval_rollouts(self, source: SourceBlock) -> float:
        """Rollouts of each task at an evaluation of this source."""
        own = as_number(source.table.get("group_size"))
        shared = self.number("orchestrator.eval.group_size")
        return own if own is not None else shared if shared is not None else GROUP_SIZE

    @property
    def seq_len(self) -> float:
        """Tokens that one training sample may have; what is longer is cut without a word."""
        found = [
            self.number(path)
            for path in ("orchestrator.seq_len", "seq_len", "trainer.model.seq_len")
        ]
        return next((value for value in found if value is not None), SEQ_LEN)

    @property
    def lora(self) -> dict[str, Any] | None:
        value = self.get("trainer.model.lora")
        return value if isinstance(value, dict) else None

    @property
    def gpus(self) -> tuple[float, float]:
        """GPUs for training and for inference; nodes count with all of theirs."""
        if self.get("deployment.type") == "multi_node":
            per = self.number("deployment.gpus_per_node", 8) or 8
            replicas = self.number("deployment.num_infer_replicas", 1) or 1
            return (self.number("deployment.num_train_nodes", 1) or 1) * per, (
                self.number("deployment.num_infer_nodes", 1) or 0
            ) * per * replicas
        return self.number("deployment.num_train_gpus", 1) or 0, self.number(
            "deployment.num_infer_gpus", 1
        ) or 0


def read(path: Path, *, hosted: bool = True) -> TrainingFile:
    """The file at `path`; what cannot be read is an error of usage (exit 2)."""
    try:
        text = read_plain(path, LARGEST_SETTINGS).decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise usage(
            f"{path} does not exist",
            "name a training file, or leave --config away to have one written",
            id="input.missing_file",
        ) from None
    except IsADirectoryError:
        raise usage(
            f"{path} is a directory, expected a training file",
            "name the .toml file",
            id="input.not_a_file",
        ) from None
    except UnicodeDecodeError:
        raise usage(f"{path} is not UTF-8 text", "save it as UTF-8", id="input.encoding") from None
    except OSError as error:
        raise usage(
            f"{path} cannot be read: {error.strerror}",
            "check its permissions",
            id="input.unreadable",
        ) from None
    return parse(text, path=path, hosted=hosted)


def parse(text: str, *, path: Path = Path(UNNAMED), hosted: bool = True) -> TrainingFile:
    try:
        data = parse_toml(text)
    except ValueError as error:
        raise usage(
            f"{path} is not valid TOML: {excerpt(error)}",
            "correct that line",
            id="input.invalid_toml",
        ) from None
    return TrainingFile(data=data, text=text, path=path, hosted=hosted)


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("a configuration of GEPA (prompt optimisation)", ("gepa",)),
    ("a configuration of GEPA (prompt optimisation)", ("reflection_model",)),
    ("a list of model endpoints", ("endpoint",)),
    ("a configuration of prime-rl's inference server alone", ("vllm",)),
    ("a configuration of prime-rl's inference server alone", ("parallel",)),
    ("a configuration of prime-rl's environment server alone", ("serve",)),
)
"""What a file is instead of a training file, and the top-level keys that show it."""


def other_kind(data: dict[str, Any]) -> str:
    """What a file is that is no training file, in words; "" for a training file."""
    if "trainer" in data and "orchestrator" in data:
        return ""
    for words, keys in KINDS:
        if all(key in data for key in keys) and "trainer" not in data:
            return words
    evaluates = isinstance(data.get("eval"), list) or (
        isinstance(data.get("eval"), dict) and not {"data", "env", "orchestrator"} & set(data)
    )
    if evaluates:
        return "a configuration of evaluations"
    if isinstance(data.get("env"), dict) and ("trainer" in data or "inference" in data):
        return "a configuration of vf-rl, the trainer that verifiers had"
    return _part(data)


def _part(data: dict[str, Any]) -> str:
    """A part of prime-rl's launcher: its keys are at the top, without their table."""
    training = {"trainer", "orchestrator", "data"} & set(data)
    if training or isinstance(data.get("model"), str):
        return ""
    if {"optim", "loss", "scheduler"} & set(data):
        return "prime-rl's trainer part alone (train.toml)"
    if {"train", "batch_size", "env", "sampling", "client"} & set(data):
        return "prime-rl's orchestrator part alone (orch.toml)"
    return "none: it has neither [trainer] and [orchestrator], nor [data]"
