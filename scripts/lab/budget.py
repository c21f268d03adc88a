"""What an evaluation will use, before it starts, and what it used.

An upper bound in tokens (every reply as long as it may be) and an expected half of it; in money
with the prices of Prime Inference, in USD per million tokens.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.report import Check, missing, usage

PROMPT_TOKENS = 512
"""Room for a prompt where none was measured."""
EXPECTED = 0.5
"""Share of the longest possible reply that replies have on average; reasoning models use more."""

COST = Check(
    "eval.cost",
    title="the evaluation stays within the budget",
    expected="upper bound <= --max-cost and --budget-tokens, where given",
    reason="A price per token times thousands of long replies is more than it looks like.",
    source="prime inference models: pricing per million tokens",
)


@dataclass(frozen=True)
class Price:
    """USD per million tokens."""

    input: float
    output: float


@dataclass(frozen=True)
class Estimate:
    """Tokens of one evaluation: `sent` and `written` at most, for all rollouts and turns."""

    rollouts: int
    sent: int
    written: int
    price: Price | None = None
    simulated: bool = False

    @property
    def tokens(self) -> int:
        return self.sent + self.written

    @property
    def usd(self) -> tuple[float, float] | None:
        """(expected, at most); None where no price is known, zero for a simulated policy."""
        if self.simulated:
            return 0.0, 0.0
        if self.price is None:
            return None
        most = (self.sent * self.price.input + self.written * self.price.output) / 1e6
        return (self.sent * self.price.input + EXPECTED * self.written * self.price.output) / 1e6, most

    def facts(self) -> dict[str, Any]:
        return {"rollouts": self.rollouts, "tokens": self.tokens, "input_tokens": self.sent, "output_tokens": self.written, "usd": list(self.usd) if self.usd else None}


def estimate(*, tasks: int, rollouts: int, max_tokens: int, turns: int = 1, prompt: int = PROMPT_TOKENS, price: Price | None = None, simulated: bool = False) -> Estimate:
    """An upper bound: in turn t the prompt holds all t-1 replies before it."""
    count = tasks * rollouts
    sent = count * (turns * prompt + max_tokens * turns * (turns - 1) // 2)
    return Estimate(count, sent, count * turns * max_tokens, price, simulated)


def prices() -> dict[str, Price]:
    """Model id -> price, from `prime inference models`; models without a price are left out."""
    from lab.prime import Prime, PrimeError

    try:
        answer = Prime().json("inference", "models", "--output", "json")
    except PrimeError as error:
        raise error.lab_error("the prices of the models are not known") from None
    rows = answer.get("data") or answer.get("models") or [] if isinstance(answer, dict) else answer
    out = {}
    for row in rows if isinstance(rows, list) else []:
        pricing = row.get("pricing") if isinstance(row, dict) else None
        if isinstance(pricing, dict):
            try:
                out[str(row["id"])] = Price(float(pricing["input_usd_per_mtok"]), float(pricing["output_usd_per_mtok"]))
            except (KeyError, TypeError, ValueError):
                continue
    return out


def price_of(model: str, given: str | None = None) -> Price:
    """The price of a model: from `--price IN,OUT`, else from the platform."""
    if given:
        try:
            sent, written = (float(part) for part in given.split(","))
        except ValueError:
            raise usage(f"--price {given!r} is not IN,OUT", "USD per million tokens, for example --price 0.1,0.4", id="input.price") from None
        return Price(sent, written)
    found = prices().get(model)
    if found is None:
        raise missing(f"no price is known for {model}, so --max-cost cannot be kept", "name it with --price IN,OUT (USD per million tokens), or leave --max-cost out", id="eval.no_price")
    return found


def used(traces: Path) -> dict[str, int]:
    """What a run used: sent and written tokens, requests that failed, and rollouts begun again
    after an error (counted in rollouts that went well in the end)."""
    total = {"input_tokens": 0, "output_tokens": 0, "failed_requests": 0, "retries": 0}
    for episode in _episodes(traces):
        for trace in episode.get("traces") or []:
            calls = [call for call in trace.get("calls") or [] if isinstance(call, dict)]
            for call in calls:
                found = call.get("usage") or {}
                total["input_tokens"] += int(found.get("prompt_tokens") or 0) + int(found.get("cached_input_tokens") or 0)
                total["output_tokens"] += int(found.get("completion_tokens") or 0)
            total["failed_requests"] += sum(bool(call.get("error")) for call in calls)
            if trace.get("ok"):
                total["retries"] += len(trace.get("errors") or [])
    return total


def _episodes(traces: Path) -> Iterator[dict[str, Any]]:
    try:
        with traces.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if isinstance(row, dict):
                    yield row
    except OSError:
        return
