"""A small environment that is ready to be published, for tests to copy and to break."""

from __future__ import annotations

import json
from pathlib import Path

PYPROJECT = """\
[project]
name = "{name}"
version = "0.1.0"
description = "Adds two small numbers."
readme = "README.md"
requires-python = ">=3.11"
license = "Apache-2.0"
tags = ["math", "train", "eval"]
dependencies = ["verifiers>=0.4.0,<0.5"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["{module}"]

[tool.ruff]
target-version = "py311"
"""

README = """\
# {name}

Sums of two small numbers, made on the spot, so that nothing has to be downloaded. The model is
asked for the sum and writes the number after four hash signs on the last line of its reply.

Input is one question such as 3 + 4. The reward is 1.0 for the right number in its place and 0.0
for everything else. Training and held-out questions do not overlap.
"""

MODULE = "little_sums"

TASKSET = '''\
"""Sums of two small numbers."""

from typing import Literal

import verifiers.v1 as vf


class SumData(vf.TaskData):
    answer: str


class SumTask(vf.Task[SumData]):
    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        return float((trace.last_reply or "").rpartition("####")[2].strip() == self.data.answer)


class SumConfig(vf.TasksetConfig):
    count: int = 8
    """How many tasks."""
    split: Literal["train", "eval"] = "train"
    """Which tasks."""


class SumTaskset(vf.Taskset[SumTask, SumConfig]):
    def load(self) -> list[SumTask]:
        start = 0 if self.config.split == "train" else 100
        return [
            SumTask(
                SumData(
                    prompt=f"What is {i} + {i + 1}? End with #### and the number.",
                    answer=str(2 * i + 1),
                ),
                self.config.task,
            )
            for i in range(start, start + self.config.count)
        ]
'''


def write_environment(root: Path, name: str = "little-sums", **files: str) -> Path:
    """The folder of a good environment below `root`; `files` replace or add files by path:
    write_environment(root, **{"README.md": ""})."""
    module = name.replace("-", "_")
    folder = root / module
    (folder / module).mkdir(parents=True)
    contents = {
        "pyproject.toml": PYPROJECT.format(name=name, module=module),
        "README.md": README.format(name=name),
        f"{module}/__init__.py": 'from .taskset import SumTaskset\n\n__all__ = ["SumTaskset"]\n',
        f"{module}/taskset.py": TASKSET,
    }
    for path, text in {**contents, **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def pass_the_ladder(
    folder: Path,
    *,
    simulated: bool = False,
    model: str = "Qwen/Qwen3-4B-Instruct-2507",
    tokens: tuple[int, int] | None = None,
    turns: int = 1,
    rollouts: int = 8,
    reviewed: bool = True,
    **facts: object,
) -> None:
    """Leave the records of passed steps in the ledger, as the steps themselves would, with a
    blind review unless it is not `reviewed`. `tokens`
    are the prompt and completion tokens of each of the `turns` of each of the `rollouts`."""
    from lab.cli.report import Report
    from lab.ledger.records import Ledger

    results = folder.parent.parent / "results"
    results.mkdir(exist_ok=True)
    (results / "prime_lab.json").write_text(json.dumps({"model": model, "simulated": simulated}))
    if tokens:
        call = {"usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}}
        line = json.dumps({"traces": [{"calls": [call] * turns}]}) + "\n"
        (results / "traces.jsonl").write_text(line * rollouts)
    ledger = Ledger(folder)
    for step in ("test_reward", "run_eval", "check_reward_distribution"):
        report = Report(step)
        report.facts = dict(facts)
        rehearsal = "a simulated policy" if simulated and step != "test_reward" else ""
        ledger.record(report, rehearsal=rehearsal, simulated=bool(rehearsal), results=str(results))
    if reviewed:
        ledger.record(Report("review_reward"))


def changed(old: str, new: str) -> dict[str, str]:
    """The pyproject.toml of `write_environment` with one place replaced."""
    text = PYPROJECT.format(name="little-sums", module=MODULE)
    assert old in text
    return {"pyproject.toml": text.replace(old, new)}


def record_failed_or_stale(environment: Path, state: str) -> None:
    """The record of a reward test that failed, or that is of other content."""
    from lab.cli.report import Report
    from lab.ledger.records import EARLIER_STEPS, Ledger

    report = Report("test_reward")
    report.add(
        EARLIER_STEPS.fail(0, "seen", "mend it") if state == "failed" else EARLIER_STEPS.ok(1)
    )
    Ledger(environment).record(report, content=None if state == "failed" else "an older hash")
