"""What test_reward.py says of an audit: the clauses, the numbers, a simulation, a comparison."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from lab.cli.report import Report
from lab.environment import Environment
from lab.reward.observed import observe, sheet
from lab.reward.outcome import Audit
from lab.reward.scale import TINY

MOST_SHOWN = 25
"""Lines of the observed contract on a terminal."""


def show(report: Report, found: Audit, verbose: bool) -> None:
    """The observed contract, and the numbers that follow from it."""
    if not found.brief.tasks:
        return
    clauses = observe(found)
    report.facts["contract"] = {name: clause.as_fact() for name, clause in clauses.items()}
    lines = sheet(clauses, verbose=verbose)
    report.section("what this reward does", lines if verbose else lines[:MOST_SHOWN])
    report.section("in numbers", list(_numbers(report.facts)))


def _numbers(facts: dict[str, Any]) -> Iterator[str]:
    if facts.get("tpr") is not None and facts.get("fpr") is not None:
        yield (
            f"full reward for {facts['tpr']:.1%} of the right answers and {facts['fpr']:.1%} of "
            f"the wrong and exploiting ones · J {facts['youden_j']:.2f}"
        )
    yield from _in_part(facts)
    each = facts["milliseconds"]
    yield f"{facts['cases']} completions on {facts['tasks']} tasks, {each:.1f} ms each"
    others = [name for name in facts["seats"] if name != facts["seat"]]
    if others:
        yield f"scored as {facts['seat']}; the other agents: {', '.join(others)} (--seat NAME)"


def _in_part(facts: dict[str, Any]) -> Iterator[str]:
    """What a wrong one earns where that is a part: it is not among those with the full reward."""
    exploit = (facts.get("best_exploit") or {}).get("reward") or 0.0
    most, full = max(facts.get("floor") or 0.0, exploit), facts.get("ceiling")
    if full is not None and TINY < most < full - TINY:
        yield f"in part: a wrong or exploiting one earns up to {most:.3g} of {full:.3g}"


def simulate(report: Report, found: Audit) -> None:
    """Where a group-relative update ends, from strategies that are there from the start."""
    from lab.reward import simulation
    from lab.reward.simulation_plot import plot

    if not found.brief.scale.right:
        why = "no gold that could be scored: there is no honest strategy to simulate"
        report.add(simulation.HONEST_WINS.skip(why))
        return
    strategies = simulation.strategies(found.brief, found.table, found.results, found.constants)
    run = simulation.simulate(strategies, skill=simulation.skill_for(found.brief))
    report.add(simulation.finding(run, simulation.left_out(found.results)))
    steps = len(run.history) - 1
    report.facts["simulation"] = {"final": run.final, "steps": steps, "skill": run.skill}
    report.section(
        "simulation: where a group-relative update puts the probability",
        [
            *simulation.lines(run),
            "This shows what the reward favours among strategies that are there from the start. It",
            "does not show whether a model finds an exploit by itself, or how fast it learns.",
        ],
    )
    report.body += f"<h2>Simulation</h2>{plot(run)}"


def against(
    report: Report, found: Audit, other: Environment, accepted: Collection[str] = ()
) -> None:
    """Whether `other` pays the same completions alike, but for the `accepted` differences."""
    from lab.reward import parity

    compared = parity.compare(found.brief, found.table, other)
    report.add(parity.finding(compared, other.location.name, accepted))
    report.section(f"against {other.location.name}", parity.lines(compared, accepted))
    report.facts["parity"] = {
        "tasks": compared.tasks,
        "completions": compared.compared,
        "paid": compared.paid,
        "differ": len(compared.differ),
        "accepted": sum(one.key in accepted for one in compared.differ),
        "differences": [one.as_fact() for one in compared.differ],
    }
