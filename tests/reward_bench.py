"""Audits of small environments: one process per API serves a whole session of tests, because
importing verifiers takes longer than a test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lab.cli.report import Finding, LabError, Report
from lab.environment import Environment, Limits, locate
from lab.environment.locate import interpreter
from lab.environment.worker import Worker
from lab.reward.audit import Audit, audit
from lab.reward.contract import Contract
from lab.reward.judges.server import ScriptedJudge
from lab.reward.observed import Clause, observe


@dataclass(frozen=True)
class Audited:
    """What the whole test of one environment found."""

    audit: Audit

    @property
    def findings(self) -> dict[str, Finding]:
        return {finding.id: finding for finding in self.audit.findings}

    @property
    def verdict(self) -> str:
        report = Report("test_reward")
        report.add(self.audit.findings)
        return report.verdict

    @property
    def failed(self) -> dict[str, str]:
        """The evidence of each failure, by its id."""
        return {f.id: f"{f.measured}: {f.evidence}" for f in self.of("fail")}

    def of(self, *statuses: str) -> list[Finding]:
        return [one for one in self.audit.findings if one.status in statuses]

    def status(self, id: str) -> str:
        """The status of a finding; "" where the test does not have it."""
        found = self.findings.get(id)
        return found.status if found else ""

    def clause(self, name: str) -> Clause:
        """One clause of the observed contract."""
        return observe(self.audit)[name]


class Bench:
    """Opens and audits environments; `close` ends the processes."""

    def __init__(self) -> None:
        self.workers: dict[str, Worker] = {}

    def worker(self, api: str) -> Worker:
        """The process of an API; skips the test where there is no interpreter for it."""
        if api not in self.workers:
            try:
                python = interpreter(api)
            except LabError as error:
                pytest.skip(f"{error.message}: {error.fix}")
            self.workers[api] = Worker(api, python=python)
        return self.workers[api]

    def open(self, path: Path, *, examples: int = 6, **options: Any) -> Environment:
        """The environment of a module file or a folder, not yet entered."""
        location = locate(str(path))
        return Environment(location, worker=self.worker(location.api), examples=examples, **options)

    def audit(
        self,
        path: Path,
        contract: Contract | None = None,
        *,
        examples: int = 6,
        seconds: float = 300.0,
        judge: ScriptedJudge | None = None,
        limit: float = 20.0,
        **options: Any,
    ) -> Audited:
        """The whole test of an environment; `limit` is the seconds for one completion.

        There is time for all of it also on a busy machine.
        """
        url = judge.url if judge else ""
        limits = Limits(score=limit)
        if judge is not None:
            judge.calls = 0
        with self.open(
            path, examples=examples, limits=limits, judge_base_url=url, **options
        ) as env:
            return Audited(audit(env, contract, seconds=seconds, judge=judge))

    def close(self) -> None:
        for worker in self.workers.values():
            worker.close()
