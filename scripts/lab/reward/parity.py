"""Two environments that should pay alike: the same completions scored by both.

This is how an environment is migrated with proof: every disagreement is listed with its task and
completion. Tasks are matched by what they ask, so order and API may differ, and so may where the
instructions are written (in the system prompt, or before the question). Differences that somebody
has looked at and accepts are those of an earlier report: any other one still fails.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.answers.alike import plain_words
from lab.cli.files import read_json
from lab.cli.report import Check, Finding, usage
from lab.cli.untrusted import block, excerpt
from lab.environment import Completion, Environment, Task
from lab.reward.brief import Brief
from lab.reward.interactive.messages import shown
from lab.reward.observation import Table
from lab.reward.productions.base import DESIGN

PARITY = Check(
    "reward.parity",
    title="both environments pay every completion alike",
    expected="0 disagreements",
    reason="A migration that changes what is paid changes what is trained.",
    source="own cases: migrations",
)
SAME = 1e-6
SHOWN = 20
"""Differences on a terminal; the JSON report has all of them."""
LONGEST = 400
"""Characters of a completion in the report."""
SAME_IN_BOTH = "every completion earns the same in both"
PAID_LEAST = 5
"""Completions that are paid here, below which nothing is proven."""


@dataclass
class Parity:
    compared: int = 0
    paid: int = 0
    """Of these, how many are paid in one of the two."""
    tasks: int = 0
    differ: list[Difference] = field(default_factory=list)


@dataclass(frozen=True)
class Difference:
    """One completion that the two pay differently. `position`: its task, of the first."""

    position: int
    task: Task
    completion: Completion
    here: float | None
    there: float | None

    @property
    def key(self) -> str:
        """The same as long as question, completion and both rewards are."""
        about = (self.task.shown, shown(self.completion), _shown(self.here), _shown(self.there))
        said = "\0".join(about).encode("utf-8", "surrogatepass")
        return hashlib.sha256(said).hexdigest()[:16]

    def as_fact(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "task": self.task.index,
            "completion": excerpt(shown(self.completion), LONGEST),
            "here": self.here,
            "there": self.there,
        }

    def line(self) -> str:
        rewards = f"{_shown(self.here)} here, {_shown(self.there)} there"
        return f"task {self.task.index}: {rewards}: {excerpt(shown(self.completion), 120)}"


def read_accepted(path: Path) -> frozenset[str]:
    """The keys of the differences in an earlier report (exit 2 for any other file)."""
    report = read_json(path, "the report", "keep the output of: --against OTHER_ENV --json")
    facts = report.get("facts") if isinstance(report, dict) else None
    parity = facts.get("parity") if isinstance(facts, dict) else None
    listed = parity.get("differences") if isinstance(parity, dict) else None
    if not isinstance(listed, list):
        raise usage(
            f"{path} is not a report with differences",
            "keep the output of --against with --json, look at its facts.parity.differences, and "
            "name that file",
            id="input.accepted",
        )
    return frozenset(str(one.get("key")) for one in listed if isinstance(one, dict))


def compare(b: Brief, table: Table, other: Environment) -> Parity:
    """Score everything that was scored here once more over there, for the tasks that both have."""
    matched = _matched(b.tasks, other.description.tasks)
    found = Parity(tasks=len(matched))
    for o in table:
        i = o.probe.task
        if i not in matched or o.score is None or o.score.kind == "not_run":
            continue
        theirs = other.score(matched[i], o.probe.completion).reward
        found.compared += 1
        found.paid += any(reward is not None and reward > SAME for reward in (o.reward, theirs))
        if not _same(o.reward, theirs):
            found.differ.append(Difference(i, b.tasks[i], o.probe.completion, o.reward, theirs))
    return found


def _matched(here: list[Task], there: list[Task]) -> dict[int, int]:
    """Positions here to positions there: the same prompt, or the same question with the
    instructions at its end or beginning."""
    exact: dict[str, int] = {}
    for position, task in enumerate(there):
        exact.setdefault(plain_words(task.prompt), position)
    found = {}
    for i, task in enumerate(here):
        words = plain_words(task.prompt)
        if words in exact:
            found[i] = exact[words]
            continue
        inside = [p for text, p in exact.items() if _holds(text, words) or _holds(words, text)]
        if len(inside) == 1:
            found[i] = inside[0]
    return found


def _holds(long: str, short: str) -> bool:
    return len(short) > 12 and (long.startswith(short) or long.endswith(short))


def _same(left: float | None, right: float | None) -> bool:
    if left is None or right is None:
        return left is right
    return abs(left - right) <= SAME


def finding(found: Parity, name: str, accepted: Collection[str] = ()) -> Finding:
    invariant = {"direction": "invariant"}
    if not found.tasks:
        return PARITY.inconclusive(
            measured="0 tasks in common",
            evidence=f"no prompt of {name} is a prompt here",
            fix="compare environments over the same rows: the same split, enough --examples, and "
            "--against-args for the other one's arguments",
            **invariant,
        )
    if not found.differ and found.paid < PAID_LEAST:
        return PARITY.inconclusive(
            measured=f"{found.paid} paid completions",
            evidence=f"{found.compared} completions agree, but hardly any of them is paid",
            fix="give one right completion: [[example]] in contract.toml, or --example FILE",
            **invariant,
        )
    if not found.differ:
        said = (
            f"{found.compared} completions on {found.tasks} tasks agree, {found.paid} of them paid"
        )
        return PARITY.ok(measured=said)
    left = [one for one in found.differ if one.key not in accepted]
    known = len(found.differ) - len(left)
    if not left:
        return PARITY.warn(
            measured=f"{known} of {found.compared} differ, all of them accepted",
            evidence="they are those of the report that --accept-differences names",
            fix="say in the README what is paid differently, and why",
            **invariant,
        )
    one = left[0]
    return PARITY.fail(
        measured=f"{len(left)} of {found.compared} differ"
        + (f", and {known} more that are accepted" if known else ""),
        evidence=f"task {one.task.index}: '{excerpt(shown(one.completion), 100)}' earns "
        f"{_shown(one.here)} here, {_shown(one.there)} there",
        fix="make the two rewards agree on these completions; those that are meant to be paid "
        f"differently: --accept-differences with the report of this run ({DESIGN}#parity)",
        severity="high",
        **invariant,
    )


def lines(found: Parity, accepted: Collection[str] = ()) -> list[str]:
    left = [one for one in found.differ if one.key not in accepted]
    if not left:
        return ["no other completion earns something else" if found.differ else SAME_IN_BOTH]
    more = f"and {len(left) - SHOWN} more: --json lists all, in facts.parity.differences"
    return block([one.line() for one in left[:SHOWN]]) + [more] * (len(left) > SHOWN)


def _shown(reward: float | None) -> str:
    return "an error" if reward is None else f"{reward:.4g}"
