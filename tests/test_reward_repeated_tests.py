"""Tests of one task that are all the same: `data.repeated_tests`."""

from __future__ import annotations

from pathlib import Path

import pytest

MODULE = """
import random

import verifiers.v1 as vf


class Data(vf.TaskData):
    inputs: list[KIND]
    wanted: list[int]


class Task(vf.Task[Data]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        return 0.0


def made(number, case):
    rng = random.Random(100 * number + SEED)
    return [rng.randint(0, 99) for _ in range(12)]


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for number in range(6):
            rows = [made(number, case) for case in range(4)]
            inputs = [WRITTEN for row in rows]
            data = Data(prompt=f"Rule {number}?", inputs=inputs, wanted=[sum(r) for r in rows])
            yield Task(data, self.config.task)


__all__ = ["Tasks"]
"""
TEXT = ("str", "' '.join(map('{:04}'.format, row))")


@pytest.mark.parametrize(
    ("seed", "kind", "written", "status"),
    [
        ("case // 10", *TEXT, "fail"),
        ("case", *TEXT, "pass"),
        ("case // 10", "dict[str, int]", "{f'A{n}': value for n, value in enumerate(row)}", "fail"),
        ("case // 10", "int", "sum(row)", "skip"),
        ("(case if number > 1 else 0)", *TEXT, "pass"),
    ],
    ids=["one seed", "own seeds", "objects", "plain values", "two tasks"],
)
def test_inputs_of_one_seed_are_one_test(
    tmp_path: Path, bench, seed: str, kind: str, written: str, status: str
) -> None:
    source = MODULE.replace("SEED", seed).replace("KIND", kind).replace("WRITTEN", written)
    path = tmp_path / f"rules_{abs(hash(source)) % 10**8}.py"
    path.write_text(source, encoding="utf-8")
    found = bench.audit(path).findings["data.repeated_tests"]
    assert found.status == status, found
    if status == "fail":
        assert found.measured == "6 of 6 tasks" and "inputs: all 4" in found.evidence
