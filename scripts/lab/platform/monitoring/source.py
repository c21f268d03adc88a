"""Where a run's numbers come from: the platform, or the folder that prime-rl writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.cli.files import parse_json
from lab.cli.report import usage
from lab.platform.prime import Prime, PrimeError, runs


@dataclass
class Observation:
    """What one look at a run gave. `status` is "" for a folder; `missing` says what gave no
    answer."""

    subject: str
    status: str = ""
    records: list[dict[str, Any]] = field(default_factory=list)
    sampled_steps: list[int] = field(default_factory=list)
    max_steps: int | None = None
    model: str = ""
    usd: float | None = None
    tokens: int | None = None
    failure: str = ""
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        return self.status in runs.ENDED


def look(run: str) -> Observation:
    """`run` is a run id of the platform, or prime-rl's run folder (or its metrics.jsonl)."""
    path = Path(run)
    if path.exists():
        return from_folder(path)
    if "/" in run or "\\" in run or not run.strip():
        raise usage(
            f"{run} is neither a run folder nor a run id",
            "name the folder that prime-rl writes (outputs/<name>), or the id that "
            "submit_training.py printed",
            id="input.run",
        )
    return from_platform(Prime(), run)


def from_platform(prime: Prime, run_id: str) -> Observation:
    """Status and metrics must answer; progress and usage are taken when they do."""
    try:
        run = runs.get(prime, run_id)
        records = runs.metrics(prime, run_id)
    except PrimeError as error:
        if error.kind == "not_found":
            raise usage(
                f"the platform knows no run {run_id}",
                "list yours: prime train list",
                id="input.run",
            ) from None
        raise error.lab_error(f"asking about {run_id}") from None
    seen = Observation(
        run_id, run.status, records, max_steps=run.raw.get("max_steps"), model=run.model
    )
    seen.failure = _failure(run.raw)
    for name, ask in (("progress", runs.progress), ("usage", runs.usage)):
        try:
            answer = ask(prime, run_id)
        except PrimeError as error:
            seen.missing[name] = error.detail
            continue
        if name == "progress":
            seen.sampled_steps = [
                step for step in answer.get("steps_with_samples") or [] if isinstance(step, int)
            ]
        else:
            cost, tokens = answer.get("total_cost_usd"), answer.get("total_tokens")
            seen.usd = float(cost) if isinstance(cost, (int, float)) else None
            seen.tokens = tokens if isinstance(tokens, int) else None
    return seen


def _failure(raw: dict[str, Any]) -> str:
    for key in ("failure_analysis", "error_message", "error"):
        value = raw.get(key)
        if isinstance(value, dict):
            value = value.get("root_cause") or value.get("rootCause")
        if value:
            return str(value)
    return ""


def from_folder(path: Path) -> Observation:
    """`metrics.jsonl` in the run folder (G3), or below monitors/file (G4). A torn last line, which
    a running job leaves, is passed over."""
    files = (
        [path]
        if path.is_file()
        else [
            *sorted(path.glob("metrics.jsonl")),
            *sorted(path.glob("monitors/file/*.jsonl")),
            *sorted(path.glob("*/metrics.jsonl")),
        ]
    )
    if not files:
        raise usage(
            f"{path} has no metrics.jsonl",
            "name the run folder: output_dir/run.name of the training file",
            id="input.run",
        )
    records = []
    for file in files:
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                row = parse_json(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                inner = row.get("metrics")
                records.append(
                    {"step": row.get("step"), **inner} if isinstance(inner, dict) else row
                )
    if not records:
        raise usage(
            f"{files[0]} has no readable record yet", "wait for the first step", id="input.run"
        )
    seen = Observation(
        str(path),
        records=[
            {k: v for k, v in row.items() if not (k == "step" and v is None)} for row in records
        ],
    )
    seen.sampled_steps = (
        sorted(
            int(folder.name.removeprefix("step_"))
            for folder in path.glob("rollouts/step_*")
            if folder.name.removeprefix("step_").isdigit()
        )
        if path.is_dir()
        else []
    )
    return seen
