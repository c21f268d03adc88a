"""What the platform says before money is spent: the model, the price, its own schema."""

from __future__ import annotations

import re
from pathlib import Path

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.platform.prime import Prime, PrimeError, capacity
from lab.platform.prime.capacity import Capacity
from lab.platform.submission.environments import Offline
from lab.training import schema
from lab.training.cost import Estimate

MODEL_AVAILABLE = Check(
    "hub.model",
    title="the platform has the model at hand",
    expected="listed by prime train models",
    reason="A model that is not cached is fetched while the GPUs are billed.",
    source="prime: documentation, hosted training",
)
COST = Check(
    "cost.estimate",
    title="the estimate is below the limit",
    expected="--max-cost, when given",
    reason="The platform has no limit of its own per run.",
    source="prime: documentation, billed per GPU-hour",
)


def ask_capacity(prime: Prime | Offline) -> tuple[Capacity | None, str]:
    """Models and prices, or why there are none."""
    if isinstance(prime, Offline):
        return None, prime.why
    try:
        return capacity.capacity(prime), ""
    except PrimeError as error:
        return None, f"prime train models: {error.detail}"


def check_model(found: Capacity | None, why: str, model: str) -> Finding:
    if found is None:
        return MODEL_AVAILABLE.skip(why)
    if not found.models:
        return MODEL_AVAILABLE.skip("the platform lists no models for this account")
    if model in found.models:
        return MODEL_AVAILABLE.ok(excerpt(model, 80))
    return MODEL_AVAILABLE.warn(
        excerpt(model, 80),
        "not among the cached models "
        f"({', '.join(found.models[:6])}{' ...' if len(found.models) > 6 else ''})",
        "use a cached one, or accept that the download is billed",
    )


def check_cost(estimate: Estimate | None, limit: float | None, why: str) -> Finding:
    """With a limit, the upper end of the range decides; without a price nothing is a pass."""
    if estimate is None:
        return COST.skip("steps, batch or sources are missing, so nothing can be estimated")
    usd, said = estimate.words
    if estimate.usd is None:
        said = f"{said}; no price is known ({why or 'the platform names none for on-demand GPUs'})"
        if limit is not None:
            return COST.fail(
                "no price",
                f"{said}, so --max-cost {limit:g} cannot be kept",
                "name the rate with --gpu-price USD, or leave --max-cost away",
            )
        return COST.skip(said)
    if limit is not None and estimate.usd[1] > limit:
        return COST.fail(
            usd,
            f"{said}: up to {estimate.usd[1]:.0f} USD, the limit is {limit:g}",
            "lower the steps, the batch or the tokens per rollout, or raise --max-cost",
            expected=f"<= {limit:g} USD",
        )
    return COST.ok(usd, said)


def ask_platform(prime: Prime | Offline, path: Path) -> Finding:
    """`prime train validate`: the schema of the image that the run would have. It is named when it
    was used; when the platform prepares none, or it cannot be installed, that is a skip."""
    if isinstance(prime, Offline):
        return schema.SCHEMA.skip(prime.why)
    try:
        answer = prime.run("train", "validate", str(path), seconds=600)
    except PrimeError as error:
        if error.kind == "invalid" and "HTTP" not in error.detail:
            return schema.SCHEMA.fail("refused", error.detail, "correct these keys")
        return schema.SCHEMA.skip(f"prime train validate could not say: {error.detail}")
    commit = re.search(r"against ([0-9a-f]{40})", answer.out)
    return schema.SCHEMA.ok(
        "accepted",
        f"by the platform's own schema{f', prime-rl {commit[1][:12]}' if commit else ''} (prime "
        "train validate; source blocks are not looked at)",
    )


def merged(issues: list) -> list:
    """The findings of the rules; several passes of one rule become one line."""
    findings, passed = [], {}
    for issue in issues:
        finding = issue.finding
        if finding.status != "pass":
            findings.append(finding)
        elif finding.id not in passed:
            passed[finding.id] = finding
    failing = {finding.id for finding in findings}
    return findings + [finding for id, finding in passed.items() if id not in failing]
