"""Which step passed for which content of the environment, and what may run next.

The ledger is one JSON file in the environment's folder, `.prime-lab/ledger.json`: hidden, so
that it is never published. Each step leaves one record with the content hash it was made for.
A record whose hash is not today's is stale. `gate` refuses a step whose earlier steps failed,
are missing or stale; with a reason it lets the step through and keeps the reason.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lab.content import content_hash
from lab.files import write_whole
from lab.report import Check, Finding, Report

FOLDER = ".prime-lab"

NEEDS: dict[str, tuple[str, ...]] = {
    "test_reward": (),
    "run_eval": ("test_reward",),
    "check_reward_distribution": ("test_reward", "run_eval"),
    "push_environment": ("test_reward", "run_eval", "check_reward_distribution"),
    "submit_training": ("test_reward", "run_eval", "check_reward_distribution"),
}
"""Each step of the ladder that leaves a record, in order, with what must have passed before."""

EARLIER_STEPS = Check(
    "gate.earlier_steps",
    title="the earlier steps passed for this content of the environment",
    expected="each earlier step passed and is not stale",
    reason="A run submitted past a failed or stale check is where money and weeks are lost.",
    source="the ladder: no step past a failed or stale one",
)


@dataclass(frozen=True)
class Step:
    """The state of one step: `passed`, `failed`, `inconclusive`, `stale` or `missing`."""

    name: str
    state: str
    verdict: str = ""
    at: str = ""
    report: str = ""
    facts: dict[str, Any] | None = None
    forced: str = ""

    @property
    def open(self) -> bool:
        return self.state != "passed"


class Ledger:
    """The records of one environment folder (or of one classic module file)."""

    def __init__(self, environment: Path):
        self.environment = environment.resolve()
        root = self.environment if self.environment.is_dir() else self.environment.parent
        self.folder = root / FOLDER
        self.path = self.folder / ("ledger.json" if root == self.environment else f"{self.environment.stem}.json")
        self._hash: str | None = None

    @property
    def content(self) -> str:
        """Today's content hash of the environment."""
        if self._hash is None:
            self._hash = content_hash(self.environment)
        return self._hash

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if isinstance(data, dict) and isinstance(data.get("steps"), dict):
                return data
        return {"steps": {}}

    def record(self, report: Report, *, content: str | None = None, **extra: Any) -> None:
        """Keep the outcome of a step and its whole report.

        `content` is the hash that the outcome is about when that is not today's (an older run);
        `extra` goes into the record (for example simulated=True).
        """
        saved = self.folder / "reports" / f"{report.tool}.json"
        write_whole(saved, report.as_json() + "\n")
        data = self._read()
        data["steps"][report.tool] = {
            "verdict": report.verdict,
            "content": content or self.content,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "report": str(saved.relative_to(self.folder.parent)),
            "facts": report.as_dict()["facts"],
            **extra,
        }
        write_whole(self.path, json.dumps(data, indent=1) + "\n")

    def step(self, name: str) -> Step:
        entry = self._read()["steps"].get(name)
        if not isinstance(entry, dict):
            return Step(name, "missing")
        verdict = str(entry.get("verdict", ""))
        state = {"pass": "passed", "warn": "passed", "fail": "failed", "inconclusive": "inconclusive"}.get(verdict, "failed")
        if entry.get("content") != self.content:
            state = "stale"
        facts = entry.get("facts")
        return Step(
            name,
            state,
            verdict,
            str(entry.get("at", "")),
            str(entry.get("report", "")),
            facts if isinstance(facts, dict) else {},
            str(entry.get("forced", "")),
        )

    def entry(self, name: str) -> dict[str, Any]:
        """The raw record of a step, empty when there is none."""
        entry = self._read()["steps"].get(name)
        return entry if isinstance(entry, dict) else {}

    def steps(self) -> list[Step]:
        return [self.step(name) for name in NEEDS]

    def gate(self, name: str, force: str | None, repair: str) -> Finding:
        """Whether step `name` may run now; `repair` is the command that mends the first gap.

        With `force` (a reason) the finding is a warning, and the reason is in the record.
        """
        gaps = [step for step in map(self.step, NEEDS[name]) if step.open]
        if not gaps:
            return EARLIER_STEPS.ok(measured="all passed")
        evidence = "; ".join(f"{step.name}: {_WHY[step.state]}" for step in gaps)
        if force:
            return EARLIER_STEPS.warn(
                measured=[step.name for step in gaps],
                evidence=f"{evidence}; forced: {force}",
                fix=f"run the step before relying on this: {repair}",
            )
        return EARLIER_STEPS.fail(
            measured=[step.name for step in gaps],
            evidence=evidence,
            fix=f"run {repair} first, or go on against it with --force REASON",
        )


_WHY = {
    "missing": "was not run",
    "failed": "failed",
    "inconclusive": "could not decide",
    "stale": "is stale, the environment changed since",
}
