"""Cases that a person writes down: the five known ones of a preset, and those of a JSON file.

    [{"name": "gold", "completion": "#### 42", "task": 0, "expected": 1.2},
     {"name": "wrong", "completion": "#### 41", "task": 0, "below": "gold"},
     {"name": "soft", "completion": "#### 40", "task": 0, "expected": {"min": 0, "max": 0.5}}]

`completion` is the reply's text or the messages after the prompt; `task` a position (default 0);
`expected` a reward or a range; `below`, `above`, `equals` name another case.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.cli.files import read_json
from lab.cli.report import Check, Finding, LabError, usage
from lab.cli.untrusted import excerpt
from lab.environment import Completion
from lab.reward.brief import Brief
from lab.reward.scale import TINY
from lab.reward.session import Session

PRESET = Check(
    "reward.preset",
    title="the five known cases are paid in the right order",
    expected="all as expected",
    reason="The cases that people try first: right, right without a format, wrong, none, nothing.",
    source="sanity checks: five known cases",
)
CUSTOM = Check(
    "reward.custom",
    title="your own cases earn what you expect",
    expected="all as expected",
    reason="What the author knows about the task is tested as written.",
    source="own cases: --custom",
)
RELATIONS = {"below": "<", "above": ">", "equals": "="}
KNOWN = {"name", "completion", "task", "expected", *RELATIONS}
HOW = 'write a list such as [{"name": "gold", "completion": "#### 42", "expected": 1.0}]'


@dataclass(frozen=True)
class Case:
    name: str
    completion: Completion
    task: int = 0
    low: float | None = None
    high: float | None = None
    relations: tuple[tuple[str, str], ...] = ()


@dataclass
class CaseTable:
    findings: list[Finding] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def read(path: Path) -> list[Case]:
    """The cases of a JSON file; every error names the case and the legal values (exit 2)."""
    data = read_json(path, "the file of cases", HOW)
    data = data.get("cases") if isinstance(data, dict) else data
    if not isinstance(data, list) or not data:
        raise _invalid(f"{path} holds no list of cases", HOW)
    cases = [_case(entry, number, path) for number, entry in enumerate(data)]
    names = [case.name for case in cases]
    for case in cases:
        for _, other in case.relations:
            if other not in names:
                what = f"{path}: case {case.name!r} refers to {other!r}"
                raise _invalid(what, f"one of {', '.join(names)}")
    return cases


def _invalid(what: str, fix: str) -> LabError:
    return usage(what, fix, id="input.invalid_cases")


def _case(entry: Any, number: int, path: Path) -> Case:
    where = f"{path}: case {number}"
    if not isinstance(entry, dict) or not _is_completion(entry.get("completion")):
        raise _invalid(f"{where} has no completion", "a string, or a list of messages")
    unknown = set(entry) - KNOWN
    if unknown:
        what = f"{where}: unknown key {sorted(unknown)[0]!r}"
        raise _invalid(what, f"one of {', '.join(sorted(KNOWN))}")
    low, high = _range(entry.get("expected"), where)
    relations = tuple((kind, str(entry[kind])) for kind in RELATIONS if kind in entry)
    if low is None and high is None and not relations:
        raise _invalid(f"{where} expects nothing", "give expected, below, above or equals")
    task = entry.get("task", 0)
    if not isinstance(task, int) or isinstance(task, bool) or task < 0:
        raise _invalid(f"{where}: task is {task!r}", "a position from 0")
    name = str(entry.get("name", f"case {number}"))
    return Case(name, entry["completion"], task, low, high, relations)


def _range(expected: Any, where: str) -> tuple[float | None, float | None]:
    if isinstance(expected, dict):
        ends = [expected.get("min"), expected.get("max")]
        if all(end is None or _is_number(end) for end in ends):
            return ends[0], ends[1]
    elif expected is None or _is_number(expected):
        return expected, expected
    raise _invalid(f"{where}: expected is {expected!r}", 'a number or {"min": 0, "max": 1}')


def _is_completion(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(message, dict) for message in value)
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    """A reward that can be compared: no truth value, nan, infinity, or what no float holds."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max


def preset(b: Brief) -> list[Case]:
    """The five known cases, made for the first task with a gold, in this environment's format."""
    if not b.with_gold:
        return []
    i = b.with_gold[0]
    right, wrong = b.write(b.gold(i)), b.write(b.wrong(i))
    bare = b.format.without(b.gold(i))
    below = (("below", "right, in the format"),)
    above = (("above", "wrong, in the format"),)
    return [
        Case("right, in the format", right, i, relations=above),
        Case("right, without the format", bare, i, high=b.scale.ceiling_of(i)),
        Case("wrong, in the format", wrong, i, relations=below),
        Case("no answer", "I do not know how to solve this.", i, relations=below),
        Case("nothing", "", i, relations=below),
    ]


def run(b: Brief, session: Session, known: Sequence[Case], own: Sequence[Case]) -> CaseTable:
    table = CaseTable()
    for check, cases in ((PRESET, known), (CUSTOM, own)):
        if cases:
            _run(b, session, check, cases, table)
    return table


def _run(b: Brief, session: Session, check: Check, cases: Sequence[Case], table: CaseTable) -> None:
    for case in cases:
        if case.task >= len(b.tasks):
            loaded = f"{len(b.tasks)} tasks were loaded"
            what = f"case {case.name!r} is for task {case.task}, but {loaded}"
            raise _invalid(what, "a smaller task, or a larger --examples")
    rewards = {case.name: session.score(case.task, case.completion).reward for case in cases}
    wrong = []
    for case in cases:
        reward, broken = rewards[case.name], _broken(case, rewards)
        shown = "no reward" if reward is None else f"{reward:.3g}"
        mark, why = ("FAIL", f"; {broken}") if broken else ("pass", "")
        table.lines.append(f"{mark}  {case.name}: {shown}{why}")
        if broken:
            wrong.append(f"{case.name} earns {shown}: {broken}")
    if not wrong:
        table.findings.append(check.ok(measured=f"{len(cases)} cases"))
        return
    table.findings.append(
        check.fail(
            measured=f"{len(wrong)} of {len(cases)}",
            evidence=excerpt("; ".join(wrong), 400),
            severity="high",
            direction="invariant",
            fix="correct the reward, or the expectation if the case is wrong",
        )
    )


def _broken(case: Case, rewards: dict[str, float | None]) -> str:
    reward = rewards[case.name]
    if reward is None:
        return "could not be scored"
    if case.low is not None and reward < case.low - TINY:
        return f"expected at least {case.low:g}"
    if case.high is not None and reward > case.high + TINY:
        return f"expected at most {case.high:g}"
    for kind, other in case.relations:
        against = rewards[other]
        if against is None or not _holds(kind, reward, against):
            return f"expected {RELATIONS[kind]} {other}"
    return ""


def _holds(kind: str, reward: float, against: float) -> bool:
    if kind == "below":
        return reward < against - TINY
    if kind == "above":
        return reward > against + TINY
    return abs(reward - against) <= TINY
