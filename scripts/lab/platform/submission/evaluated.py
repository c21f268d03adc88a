"""What the ladder's reports say of an environment: tokens and turns of a rollout, and the plan.

A simulated policy measures nothing but that a rollout takes several turns. A report for another
content of the environment counts as none.
"""

from __future__ import annotations

import math
import statistics
from itertools import islice
from pathlib import Path
from typing import Any

from lab.cli.files import parse_json
from lab.ledger.records import Ledger
from lab.training.rules.base import Measured, integer, is_number

MOST_ROLLOUTS = 5000
MOST_TOKENS = 10**9
"""Of one call; above it a log is damaged."""
SMALLEST, LARGEST = 4, 64
"""Group sizes of a report that are taken over."""


def tokens_of(ledger: Ledger) -> dict[str, float]:
    """Numbers of the real evaluation: `prompt_tokens` (95th percentile), `completion_tokens` (mean
    per rollout) with `completion_error` (standard error, as a share of it), `turns` (mean), and of
    how many `rollouts`."""
    entry = ledger.entry("run_eval")
    if entry.get("simulated") or ledger.step("run_eval").state in ("stale", "missing", "unsigned"):
        return {}
    return traced(entry.get("results"))


def distribution(ledger: Ledger) -> tuple[dict[str, Any], dict[str, Any]]:
    """The facts of the distribution report and its plan; empty for a simulated policy."""
    step = ledger.step("check_reward_distribution")
    simulated = ledger.entry(step.name).get("simulated")
    if simulated or step.state in ("stale", "missing", "unsigned"):
        return {}, {}
    facts = step.facts or {}
    return facts, facts["plan"] if isinstance(facts.get("plan"), dict) else {}


def measured_of(ledger: Ledger, module: str) -> Measured | None:
    """What is known of `module` from its evaluation and its distribution report; None without."""
    tokens = tokens_of(ledger)
    facts, plan = distribution(ledger)
    keep, drop = plan.get("keep_tasks"), plan.get("drop_tasks")
    table = facts.get("live_group_share_by_group_size")
    tasks = kept = 0
    shares = {}
    if integer(keep) and integer(drop) and isinstance(table, dict):
        tasks, kept, shares = keep + drop, keep, _shares(table)
    size = _size(facts, plan)
    if not (tokens or tasks or size):
        return None
    return Measured(
        module=module,
        tasks=tasks,
        keep=kept,
        shares=shares,
        total=counted(ledger),
        warm_up=plan.get("format_warm_up_first") is True,
        results=str(ledger.entry("run_eval").get("results") or ""),
        group_size=size,
        prompt_tokens=tokens.get("prompt_tokens"),
        turns=math.ceil(tokens["turns"]) if tokens.get("turns") else None,
    )


def _size(facts: dict[str, Any], plan: dict[str, Any]) -> int | None:
    for value in (
        plan.get("suggested_group_size"),
        plan.get("group_size"),
        facts.get("group_size"),
    ):
        if integer(value):
            return value if SMALLEST <= value <= LARGEST else None
    return None


def _shares(table: dict[str, Any]) -> dict[int, tuple[float, float, float]]:
    return {
        int(size): (float(row["estimate"]), float(row["low"]), float(row["high"]))
        for size, row in table.items()
        if str(size).isdigit()
        and isinstance(row, dict)
        and all(is_number(row.get(key)) for key in ("estimate", "low", "high"))
    }


def counted(ledger: Ledger) -> int | None:
    """How many tasks the environment has, from the package check."""
    step = ledger.step("push_environment")
    total = (step.facts or {}).get("tasks") if step.state != "stale" else None
    return total if integer(total) else None


def simulated_turns(ledger: Ledger) -> float:
    """Turns of a simulated rollout, fewer than a model needs; 0 where none was simulated."""
    entry = ledger.entry("run_eval")
    if not entry.get("simulated") or ledger.step("run_eval").state == "stale":
        return 0.0
    return traced(entry.get("results")).get("turns", 0.0)


def traced(results: Any) -> dict[str, float]:
    """Token counts of a run folder's traces.jsonl: the calls to the model, rollout by rollout."""
    try:
        with (Path(str(results)) / "traces.jsonl").open(encoding="utf-8", errors="replace") as log:
            found = [row for line in islice(log, MOST_ROLLOUTS) for row in _rollouts(line)]
    except OSError:
        return {}
    if not found:
        return {}
    prompts = sorted(prompt for prompt, _, _ in found)
    completions = [tokens for _, tokens, _ in found]
    mean = sum(completions) / len(completions)
    # The rollouts of a task are alike, so the error is rather larger; the cost's range is wider.
    several = len(completions) > 1 and mean > 0
    error = statistics.stdev(completions) / math.sqrt(len(completions)) / mean if several else 0.0
    return {
        "prompt_tokens": float(prompts[min(len(prompts) - 1, int(0.95 * len(prompts)))]),
        "completion_tokens": mean,
        "completion_error": error,
        "rollouts": float(len(found)),
        "turns": sum(turns for _, _, turns in found) / len(found),
    }


def _rollouts(line: str) -> list[tuple[int, int, int]]:
    """(prompt tokens, completion tokens, turns) of each trace of an episode."""
    try:
        episode = parse_json(line)
    except ValueError:
        return []
    found = []
    for trace in _tables(episode, "traces"):
        calls = [call for call in _tables(trace, "calls") if not call.get("error")]
        usages = [call["usage"] for call in calls if isinstance(call.get("usage"), dict)]
        sampled = [n for usage in usages if (n := _tokens(usage, "completion_tokens")) is not None]
        if sampled:
            prompt = _tokens(usages[0], "prompt_tokens") or 0
            prompt += _tokens(usages[0], "cached_input_tokens") or 0
            found.append((prompt, sum(sampled), len(sampled)))
    return found


def _tables(value: Any, name: str) -> list[dict[str, Any]]:
    """The tables in the list `name` of a table; what is damaged has none."""
    found = value.get(name) if isinstance(value, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _tokens(usage: dict[str, Any], name: str) -> int | None:
    count = usage.get(name)
    return count if integer(count) and 0 <= count < MOST_TOKENS else None
