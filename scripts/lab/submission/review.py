"""What the platform says before money is spent: the environment, the model, the price."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab.prime import Prime, PrimeError, capacity, hub
from lab.prime.archive import hub_hash
from lab.prime.capacity import Capacity
from lab.report import Check, Finding
from lab.training import schema
from lab.training.cost import Estimate
from lab.untrusted import excerpt

ON_HUB = Check(
    "hub.environment",
    title="the environment is on the hub, at the version meant",
    expected="published",
    reason="The client submits a run for an environment that does not exist; it fails when the GPUs are up.",
    source="prime 0.18.0: prime train does not check it",
)
SAME_CONTENT = Check(
    "hub.same_content",
    title="the published content is the validated one",
    expected="the local folder's hash",
    reason="The run installs what is on the hub; the checks looked at the folder.",
    source="prime 0.18.0: env status content_hash",
)
MODEL_AVAILABLE = Check(
    "hub.model",
    title="the platform has the model at hand",
    expected="listed by prime train models",
    reason="A model that is not cached is fetched while the GPUs are billed.",
    source="prime documentation: hosted training",
)
COST = Check(
    "cost.estimate",
    title="the estimate is below the limit",
    expected="--max-cost, when given",
    reason="The platform has no limit of its own per run.",
    source="prime documentation: billed per GPU-hour",
)


@dataclass(frozen=True)
class Offline:
    """Why the platform was not asked."""

    why: str


def check_environment(prime: Prime | Offline, slug: str, folder: Path | None) -> Iterator[Finding]:
    """Published, and with the content that was validated."""
    if isinstance(prime, Offline):
        yield ON_HUB.skip(prime.why)
        if folder is not None:
            yield SAME_CONTENT.skip(prime.why)
        return
    plain, _, version = slug.partition("@")
    found = hub.status(prime, plain)
    if found is None:
        yield ON_HUB.fail("not found", f"the hub does not know {plain} (or it is private and not yours)", "publish it: push_environment.py, or correct the name")
        return
    if version and version != found.version and version not in hub.versions(prime, plain):
        yield ON_HUB.fail(version, f"{plain} has no version {excerpt(version, 40)}; the newest is {found.version}", f"use {plain}@{found.version}")
        return
    yield ON_HUB.ok(version or found.version, f"{plain}, {found.visibility}")
    if folder is None:
        return
    if version and version != found.version:
        yield SAME_CONTENT.skip(f"the hub tells the hash of the newest version only ({found.version}), not of {version}")
    elif found.content_hash == hub_hash(folder):
        yield SAME_CONTENT.ok(found.content_hash[:12])
    else:
        yield SAME_CONTENT.fail("different", f"the folder {folder} is not what is published as {found.version}", "publish it: push_environment.py --bump patch; or put the folder back to what was published")


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
    return MODEL_AVAILABLE.warn(excerpt(model, 80), f"not among the cached models ({', '.join(found.models[:6])}{' ...' if len(found.models) > 6 else ''})", "use a cached one, or accept that the download is billed")


def check_cost(estimate: Estimate | None, limit: float | None, why: str) -> Finding:
    """With a limit, the upper end of the range decides; without a price nothing is a pass."""
    if estimate is None:
        return COST.skip("steps, batch or sources are missing, so nothing can be estimated")
    hours = f"{estimate.gpus} GPUs for {estimate.hours[0]:.1f} to {estimate.hours[1]:.1f} hours"
    if estimate.usd is None:
        told = f"{hours}; no price is known ({why or 'the platform names none for on-demand GPUs'})"
        if limit is not None:
            return COST.fail("no price", f"{told}, so --max-cost {limit:g} cannot be kept", "name the rate with --gpu-price USD, or leave --max-cost away")
        return COST.skip(told)
    usd = f"{estimate.usd[0]:.0f} to {estimate.usd[1]:.0f} USD"
    told = f"{hours} at {estimate.rate:g} USD per GPU-hour{' (' + estimate.gpu + ')' if estimate.gpu else ''}"
    if limit is not None and estimate.usd[1] > limit:
        return COST.fail(usd, f"{told}: up to {estimate.usd[1]:.0f} USD, the limit is {limit:g}", "lower the steps, the batch or the tokens per rollout, or raise --max-cost", expected=f"<= {limit:g} USD")
    return COST.ok(usd, told)


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
    return schema.SCHEMA.ok("accepted", f"by the platform's own schema{f', prime-rl {commit[1][:12]}' if commit else ''} (prime train validate; source blocks are not looked at)")
