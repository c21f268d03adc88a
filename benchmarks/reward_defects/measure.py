"""Audit every environment of the benchmark, and count what was found and what was a false alarm."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from benchmarks.reward_defects.build import CASES, Case, write


@dataclass
class Outcome:
    case: Case
    verdict: str = ""
    stood_out: list[str] = field(default_factory=list)
    """Ids of the findings with status fail, then those with warn."""
    failed: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    """What each of them saw."""
    seconds: float = 0.0
    completions: int = 0
    error: str = ""
    milliseconds: float = 0.0

    @property
    def found(self) -> bool:
        """For a planted one: the verdict fails, and one of the expected findings stands out."""
        return self.verdict == "fail" and any(id in self.stood_out for id in self.case.expects)

    @property
    def false_alarm(self) -> bool:
        """What could not be tested for want of a gold (inconclusive) is no alarm."""
        return self.case.sound and self.verdict not in ("pass", "warn", "inconclusive")

    @property
    def right(self) -> bool:
        return not self.false_alarm if self.case.sound else self.found


def cases(names: Iterable[str] = ()) -> list[Case]:
    from benchmarks.reward_defects import planted, planted_broken, sound, whole  # noqa: F401 - declare the cases

    wanted = set(names)
    unknown = wanted - {case.name for case in CASES}
    if unknown:
        names = ", ".join(case.name for case in CASES)
        raise SystemExit(f"no case {', '.join(sorted(unknown))}; there are {names}")
    return [case for case in CASES if not wanted or case.name in wanted]


def measure(
    chosen: list[Case],
    folder: Path,
    on_done: Callable[[Outcome], None] = lambda outcome: None,
    threads: int = 1,
) -> list[Outcome]:
    """Outcomes in the order of `chosen`. Each thread has one worker per API, which serves all its
    environments; a defect that kills it costs a restart."""
    waiting = deque(enumerate(chosen))
    out: dict[int, Outcome] = {}
    lock = Lock()

    def work() -> None:
        with ExitStack() as stack:
            bench = _Bench(stack)
            while True:
                try:
                    number, case = waiting.popleft()
                except IndexError:
                    return
                outcome = bench.audit(case, folder)
                with lock:
                    out[number] = outcome
                    on_done(outcome)

    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work) for _ in range(threads)]:
            done.result()
    return [out[number] for number in range(len(chosen))]


class _Bench:
    """The workers and the judge of one thread."""

    def __init__(self, stack: ExitStack) -> None:
        from lab.environment.worker import Worker
        from lab.reward.judges.server import ScriptedJudge

        self.stack = stack
        self.workers: dict[str, Worker] = {}
        self.judge = stack.enter_context(ScriptedJudge())

    def audit(self, case: Case, folder: Path) -> Outcome:
        from lab.cli.report import LabError, Report
        from lab.environment import CLASSIC, Environment, Limits, locate
        from lab.environment.locate import interpreter
        from lab.environment.worker import Worker
        from lab.reward.audit import audit
        from lab.reward.contract_file import beside

        outcome = Outcome(case)
        started = time.perf_counter()
        try:
            if case.api not in self.workers:
                self.workers[case.api] = self.stack.enter_context(
                    Worker(
                        case.api,
                        python=interpreter(CLASSIC if case.api == "classic" else case.api),
                        show=[folder],
                    )
                )
            location = locate(str(write(case, folder)))
            self.judge.calls = 0
            with Environment(
                location,
                worker=self.workers[case.api],
                limits=Limits(score=12.0),
                judge_base_url=self.judge.url,
            ) as env:
                report = Report("test_reward")
                found = audit(env, beside(location.path), judge=self.judge)
                report.add(found.findings)
            outcome.verdict = report.verdict
            outcome.failed = [f.id for f in report.with_status("fail")]
            outcome.stood_out = outcome.failed + [f.id for f in report.with_status("warn")]
            outcome.why = [
                f"{f.id} [{f.status}] {f.measured}: {f.evidence}"
                for f in report.findings
                if f.id in outcome.stood_out
            ]
            outcome.completions = found.session.cases
            outcome.milliseconds = found.session.latency * 1000
        except LabError as error:
            outcome.error = error.message
        outcome.seconds = time.perf_counter() - started
        return outcome
