"""One evaluation, ready to be compared: its rollouts in groups and how it was made."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lab.cli.files import json_object
from lab.cli.report import usage
from lab.learnability.evidence import RolloutEvidence, collect
from lab.rollouts import read
from lab.rollouts.model import EMPTY, TRUNCATED
from lab.rollouts.outcomes import OUTCOMES
from lab.rollouts.streams import lines


@dataclass
class Side:
    """One run. `setup` holds what must agree: environment, content (hub_content: as the hub
    hashes it), taskset, sampling, limits, harness, runtime, verifiers, rollouts; a key is absent
    where the run does not say it."""

    name: str
    path: Path
    evidence: RolloutEvidence
    setup: dict[str, Any] = field(default_factory=dict)

    @property
    def simulated(self) -> bool:
        """Whether its policy was a simulated one, of which nothing can be learnt."""
        note = self.evidence.all.settings.get("prime_lab")
        return bool(isinstance(note, dict) and note.get("simulated"))

    @property
    def tasks(self) -> int:
        return self.evidence.tasks

    def task_means(self, values: np.ndarray) -> np.ndarray:
        """Mean of a per-rollout column in each task; NaN where the task has no value."""
        e = self.evidence
        known = np.isfinite(values)
        count = np.bincount(e.codes[known], minlength=e.tasks)
        total = np.bincount(e.codes[known], values[known], minlength=e.tasks)
        return np.divide(total, count, out=np.full(e.tasks, np.nan), where=count > 0)

    @property
    def truncated(self) -> np.ndarray:
        return self.evidence.rollouts.has(TRUNCATED).astype(float)

    @property
    def empty(self) -> np.ndarray:
        return self.evidence.rollouts.has(EMPTY).astype(float)

    @property
    def errors(self) -> tuple[int, int]:
        """(rollouts that ended in an error, rollouts attempted)."""
        e = self.evidence
        return int((e.outcomes == OUTCOMES.index("error")).sum()), e.attempted

    def length(self) -> tuple[np.ndarray, str]:
        """Length per rollout (NaN unknown) and its unit: tokens where the log counts them."""
        for column, unit in (
            (self.evidence.rollouts.tokens, "tokens"),
            (self.evidence.rollouts.chars, "characters"),
        ):
            values = np.where(column >= 0, column, np.nan).astype(float)
            if np.isfinite(values).mean() > 0.5:
                return values, unit
        return np.full(len(self.evidence.codes), np.nan), "tokens"


def load(path: Path, name: str = "", columns: dict[str, str] | None = None) -> Side:
    """The evaluation in `path`; a usage error (exit 2) when it holds no reward."""
    rollouts = read([path], columns)
    evidence = collect(rollouts)
    if not evidence.tasks:
        excluded = ", ".join(f"{kind} {count}" for kind, count in evidence.excluded.items())
        raise usage(
            f"{path}: {len(rollouts)} rollouts were read and none has a usable reward ({excluded})",
            "evaluate again and look at the errors first",
            id="input.no_rewards",
        )
    return Side(name or path.name or str(path), path, evidence, _setup(evidence, rollouts.files[0]))


def _setup(evidence: RolloutEvidence, file: Path) -> dict[str, Any]:
    settings = evidence.all.settings
    config = json_object(file.parent / "configs" / "resolved" / "eval.json")
    env = _dict(config.get("env"))
    agent = _dict(env.get("agent")) or _first_agent(file, evidence.all.layout)
    metadata = json_object(file.parent / "metadata.json")
    note = _dict(settings.get("prime_lab"))
    sampling = _dict(settings.get("sampling")) or _dict(agent.get("sampling"))
    taskset = {k: v for k, v in _dict(env.get("taskset")).items() if k not in ("id", "task")}
    version_info = _dict(metadata.get("version_info"))
    said = {
        "environment": settings.get("env"),
        "content": note.get("content"),
        "hub_content": note.get("hub_content"),
        "taskset": taskset or metadata.get("env_args") or None,
        "sampling": _sampling(sampling),
        "limits": _limits(agent, sampling),
        "harness": _dict(agent.get("harness")).get("id") or note.get("harness"),
        "runtime": _dict(agent.get("runtime")).get("type"),
        "verifiers": _version(file, evidence.all.layout) or version_info.get("vf_version"),
        "model": evidence.model or settings.get("model"),
    }
    return {key: value for key, value in said.items() if value is not None}


TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")
LIMITS = ("max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens")


def _sampling(sampling: dict[str, Any]) -> dict[str, Any] | None:
    """What decides how a reply is drawn; None where the run says nothing."""
    left_out = (*TOKEN_LIMITS, "n", "seed", "extra_headers")
    kept = {k: v for k, v in sampling.items() if v is not None and k not in left_out}
    return kept if sampling else None


def _limits(agent: dict[str, Any], sampling: dict[str, Any]) -> dict[str, Any] | None:
    limits = {key: agent[key] for key in LIMITS if agent.get(key)}
    tokens = next((sampling[key] for key in TOKEN_LIMITS if sampling.get(key)), None)
    return {**limits, **({"max_tokens": tokens} if tokens else {})} or None


def _first_episode(file: Path, layout: str) -> dict[str, Any]:
    if layout != "traces":
        return {}
    line = next((line for _, line in lines(file, Counter())), b"{}")
    with suppress(ValueError):
        return _dict(json.loads(line))
    return {}


def _first_trace(file: Path, layout: str) -> dict[str, Any]:
    episode = _first_episode(file, layout)
    traces = episode.get("traces")
    return _dict(traces[0]) if isinstance(traces, list) and traces else episode


def _first_agent(file: Path, layout: str) -> dict[str, Any]:
    return _dict(_dict(_first_trace(file, layout).get("agent")).get("config"))


def _version(file: Path, layout: str) -> Any:
    return _dict(_first_trace(file, layout).get("verifiers")).get("version")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
