"""Training runs: start one, find it again, and read what it reports.

    submit(prime, path) -> Submitted
    find(prime, name) -> list[Run]
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.prime.client import Prime, PrimeError

ENDED = ("COMPLETED", "FAILED", "STOPPED")


@dataclass(frozen=True)
class Submitted:
    """The answer to a submission. Prices are None on reserved capacity."""

    run_id: str
    gpu_type: str | None
    price_per_gpu_hour: float | None
    cost_per_hour: float | None


@dataclass(frozen=True)
class Run:
    """A run as the platform lists it."""

    id: str
    name: str
    status: str
    model: str
    created_at: str
    raw: dict[str, Any]

    @property
    def ended(self) -> bool:
        return self.status in ENDED


def submit(prime: Prime, config: Path, *, gpu_type: str = "", volume: str = "") -> Submitted:
    """Start the run that the file describes. This is what costs money: never call it without a
    yes of the user's. Raises PrimeError; when `error.uncertain`, ask `find` before repeating."""
    command = ["train", str(config), "--yes", "--output", "json"]
    command += ["--gpu-type", gpu_type] if gpu_type else []
    command += ["--volume", volume] if volume else []
    data = prime.json(*command)
    run = data.get("run") if isinstance(data, dict) else None
    if not isinstance(run, dict) or not run.get("runId"):
        raise PrimeError("unreadable", "prime train answered without a run id", command)
    return Submitted(
        run_id=str(run["runId"]),
        gpu_type=run.get("gpuType"),
        price_per_gpu_hour=_number(run.get("pricePerGpuHour")),
        cost_per_hour=_number(run.get("estimatedCostPerHour")),
    )


def listed(prime: Prime, *, limit: int = 50) -> list[Run]:
    """The newest runs of the account or team."""
    data = prime.json("train", "list", "-n", str(limit), "--output", "json")
    rows = data.get("runs") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise PrimeError("unreadable", "prime train list answered without runs")
    return [_run(row) for row in rows if isinstance(row, dict)]


def find(prime: Prime, name: str) -> list[Run]:
    """The runs with this name, newest first."""
    return [run for run in listed(prime) if run.name == name]


def get(prime: Prime, run_id: str) -> Run:
    data = prime.json("train", "get", run_id, "--output", "json")
    if not isinstance(data, dict) or not isinstance(data.get("run"), dict):
        raise PrimeError("unreadable", "prime train get answered without a run")
    return _run(data["run"])


def _run(row: dict[str, Any]) -> Run:
    return Run(
        id=str(row.get("id") or ""),
        name=str(row.get("name") or ""),
        status=str(row.get("status") or "").upper(),
        model=str(row.get("base_model") or ""),
        created_at=str(row.get("created_at") or ""),
        raw=row,
    )


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def metrics(prime: Prime, run_id: str, *, min_step: int | None = None) -> list[dict[str, Any]]:
    """One record per step, with prime-rl's metric names (`train/agg/effective/<agent>/reward/mean`)."""
    command = ["train", "metrics", run_id] + (["--min-step", str(min_step)] if min_step is not None else [])
    return _rows(prime.json(*command), "metrics")


def rollouts(prime: Prime, run_id: str, step: int, *, limit: int = 100) -> list[dict[str, Any]]:
    """Rollouts of one step; the platform keeps every tenth step."""
    return _rows(prime.json("train", "rollouts", run_id, "--step", str(step), "-n", str(limit)), "samples")


def progress(prime: Prime, run_id: str) -> dict[str, Any]:
    """`latest_step`, `steps_with_samples`, `steps_with_distributions`."""
    return _table(prime.json("train", "progress", run_id), "progress")


def distributions(prime: Prime, run_id: str, *, step: int | None = None) -> dict[str, Any]:
    """The rewards of one step as bins."""
    return _table(prime.json("train", "distributions", run_id, *(["--step", str(step)] if step is not None else [])), "distributions")


def usage(prime: Prime, run_id: str) -> dict[str, Any]:
    """Tokens and `total_cost_usd` so far."""
    return _table(prime.json("train", "usage", run_id, "--output", "json"), "usage")


def _rows(data: Any, key: str) -> list[dict[str, Any]]:
    rows = data.get(key) if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise PrimeError("unreadable", f"prime train answered without {key}")
    return [row for row in rows if isinstance(row, dict)]


def _table(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise PrimeError("unreadable", f"prime train answered something else than {what}")
    return data
