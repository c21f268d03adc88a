"""Cases that a person writes down: the five known ones of a preset, and those of a JSON file.

    [{"name": "gold", "completion": "#### 42", "task": 0, "expected": 1.2},
     {"name": "wrong", "completion": "#### 41", "task": 0, "below": "gold"},
     {"name": "soft", "completion": "#### 40", "task": 0, "expected": {"min": 0, "max": 0.5}}]

`completion` is the reply's text or the messages after the prompt; `task` a position (default 0);
`expected` a reward or a range; `below`, `above`, `equals` name another case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.environment import Completion
from lab.files import read_json
from lab.probes.subject import TINY, Subject
from lab.report import Check, Finding, usage
from lab.untrusted import excerpt

PRESET = Check(
    "reward.preset",
    title="the five known cases are paid in the right order",
    expected="all as expected",
    reason="The cases that people try first: right, right without a format, wrong, no answer, nothing.",
    source="the gsm8k preset",
)
CUSTOM = Check(
    "reward.custom",
    title="your own cases earn what you expect",
    expected="all as expected",
    reason="What the author knows about the task is tested as written.",
    source="--custom",
)
RELATIONS = {"below": "<", "above": ">", "equals": "="}
KNOWN = {"name", "completion", "task", "expected", *RELATIONS}


@dataclass(frozen=True)
class Case:
    name: str
    completion: Completion
    task: int = 0
    low: float | None = None
    high: float | None = None
    relations: tuple[tuple[str, str], ...] = ()


@dataclass
class Table:
    findings: list[Finding] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def read(path: Path) -> list[Case]:
    """The cases of a JSON file; every error names the case and the legal values (exit 2)."""
    how = 'write a list such as [{"name": "gold", "completion": "#### 42", "expected": 1.0}]'
    data = read_json(path, "the file of cases", how)
    data = data.get("cases") if isinstance(data, dict) else data
    if not isinstance(data, list) or not data:
        raise usage(f"{path} holds no list of cases", how, id="input.invalid_cases")
    cases = [_case(entry, number, path) for number, entry in enumerate(data)]
    names = [case.name for case in cases]
    for case in cases:
        for _, other in case.relations:
            if other not in names:
                raise usage(f"{path}: case {case.name!r} refers to {other!r}", f"one of {', '.join(names)}", id="input.invalid_cases")
    return cases


def _case(entry: Any, number: int, path: Path) -> Case:
    where = f"{path}: case {number}"
    if not isinstance(entry, dict) or not isinstance(entry.get("completion"), (str, list)):
        raise usage(f"{where} has no completion", "a string, or a list of messages", id="input.invalid_cases")
    unknown = set(entry) - KNOWN
    if unknown:
        raise usage(f"{where}: unknown key {sorted(unknown)[0]!r}", f"one of {', '.join(sorted(KNOWN))}", id="input.invalid_cases")
    expected = entry.get("expected")
    low = high = None
    if isinstance(expected, dict):
        low, high = expected.get("min"), expected.get("max")
    elif isinstance(expected, (int, float)) and not isinstance(expected, bool):
        low = high = float(expected)
    elif expected is not None:
        raise usage(f"{where}: expected is {expected!r}", 'a number or {"min": 0, "max": 1}', id="input.invalid_cases")
    relations = tuple((kind, entry[kind]) for kind in RELATIONS if kind in entry)
    if low is None and high is None and not relations:
        raise usage(f"{where} expects nothing", "give expected, below, above or equals", id="input.invalid_cases")
    task = entry.get("task", 0)
    if not isinstance(task, int) or task < 0:
        raise usage(f"{where}: task is {task!r}", "a position from 0", id="input.invalid_cases")
    return Case(str(entry.get("name", f"case {number}")), entry["completion"], task, low, high, relations)


def preset(s: Subject) -> list[Case]:
    """The five known cases, made for the first task with a gold, in this environment's format."""
    if not s.with_gold:
        return []
    i = s.with_gold[0]
    return [
        Case("right, in the format", s.write(s.gold(i)), i, relations=(("above", "wrong, in the format"),)),
        Case("right, without the format", s.style.floorless(s.gold(i)), i, high=s.ceiling_of(i)),
        Case("wrong, in the format", s.write(s.wrong(i)), i, relations=(("below", "right, in the format"),)),
        Case("no answer", "I do not know how to solve this.", i, relations=(("below", "right, in the format"),)),
        Case("nothing", "", i, relations=(("below", "right, in the format"),)),
    ]


def run(s: Subject, known: Sequence[Case], own: Sequence[Case]) -> Table:
    table = Table()
    for check, cases in ((PRESET, known), (CUSTOM, own)):
        if not cases:
            continue
        for case in cases:
            if case.task >= len(s.tasks):
                raise usage(f"case {case.name!r} is for task {case.task}, but {len(s.tasks)} tasks were loaded", "a smaller task, or a larger --examples", id="input.invalid_cases")
        rewards = {case.name: s.reward(case.task, case.completion) for case in cases}
        wrong = []
        for case in cases:
            reward, broken = rewards[case.name], _broken(case, rewards)
            shown = "no reward" if reward is None else f"{reward:.3g}"
            table.lines.append(f"{'FAIL' if broken else 'pass'}  {case.name}: {shown}{'; ' + broken if broken else ''}")
            if broken:
                wrong.append(f"{case.name} earns {shown}: {broken}")
        if wrong:
            table.findings.append(check.fail(
                measured=f"{len(wrong)} of {len(cases)}", evidence=excerpt("; ".join(wrong), 400), severity="high", direction="invariant",
                fix="mend the reward, or the expectation if the case is wrong",
            ))  # fmt: skip
        else:
            table.findings.append(check.ok(measured=f"{len(cases)} cases"))
    return table


def _broken(case: Case, rewards: dict[str, float | None]) -> str:
    reward = rewards[case.name]
    if reward is None:
        return "could not be scored"
    if case.low is not None and reward < case.low - 1e-6:
        return f"expected at least {case.low:g}"
    if case.high is not None and reward > case.high + 1e-6:
        return f"expected at most {case.high:g}"
    for kind, other in case.relations:
        against = rewards[other]
        holds = against is not None and {"below": reward < against - TINY, "above": reward > against + TINY, "equals": abs(reward - against) <= 1e-6}[kind]
        if not holds:
            return f"expected {RELATIONS[kind]} {other}"
    return ""
