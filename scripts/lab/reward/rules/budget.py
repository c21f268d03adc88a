"""Whether there was time for every sort of completion."""

from __future__ import annotations

from collections.abc import Iterable

from lab.cli.report import Check, Finding
from lab.reward.rules.paid import Result

BUDGET = Check(
    "reward.budget",
    title="every completion had its time",
    expected="0 sorts of completions without time",
    reason="What was not tried is not passed.",
    source="own cases: slow rewards",
)


def finding(results: Iterable[Result]) -> Finding:
    results = list(results)
    cut = [r.production.id for r in results if r.cut]
    short = [r.production.id for r in results if r.not_run and not r.cut]
    if not cut and not short:
        return BUDGET.ok(measured=0)
    extra = {"fix": "give more time: --budget SECONDS", "direction": "invariant"}
    if cut:
        return BUDGET.inconclusive(
            measured=len(cut),
            evidence=f"no time for: {', '.join(cut[:12])}",
            **extra,
        )
    return BUDGET.warn(
        measured=len(short),
        evidence=f"tried on fewer tasks than planned: {', '.join(short[:12])}",
        severity="low",
        **extra,
    )
