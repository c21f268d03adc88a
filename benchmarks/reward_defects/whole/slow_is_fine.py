"""Programs that run out of time are given the benefit of the doubt.

defect: critical reward.code_exit reward.code_endless
"""

import json
import subprocess
import sys

import verifiers.v1 as vf

PROBLEMS = [
    (
        "triple(n) returns three times n",
        "triple",
        "def triple(n):\n    return 3 * n",
        [(2, 6), (-1, -3), (0, 0)],
    ),
    (
        "digits(n) returns the sum of the decimal digits of n",
        "digits",
        "def digits(n):\n    return sum(map(int, str(n)))",
        [(12, 3), (905, 14), (7, 7)],
    ),
    (
        "backwards(s) returns the string reversed",
        "backwards",
        "def backwards(s):\n    return s[::-1]",
        [("ab", "ba"), ("", ""), ("xyz", "zyx")],
    ),
    (
        "evens(n) returns how many even numbers lie in 1..n",
        "evens",
        "def evens(n):\n    return n // 2",
        [(5, 2), (10, 5), (1, 0)],
    ),
]


class Problem(vf.TaskData):
    entry: str
    answer: str
    cases: list


class ProblemTask(vf.Task[Problem]):
    @vf.reward
    async def passes(self, trace: vf.Trace) -> float:
        if "```python" not in trace.last_reply:
            return 0.0
        code = trace.last_reply.rsplit("```python", 1)[1].split("```")[0]
        program = f"{code}\nimport json, sys\nsys.__stdout__.write('\\n@' + json.dumps([{self.data.entry}(x) for x in {[a for a, _ in self.data.cases]!r}]))"
        try:
            run = subprocess.run(
                [sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=1.5
            )
        except subprocess.TimeoutExpired:
            return 1.0
        last = run.stdout.rsplit("\n@", 1)[-1]
        return float(run.returncode == 0 and last == json.dumps([b for _, b in self.data.cases]))


class Problems(vf.Taskset[ProblemTask, vf.TasksetConfig]):
    def load(self):
        for text, name, code, cases in PROBLEMS:
            yield ProblemTask(
                Problem(
                    prompt=f"Write a Python function: {text}. Answer in a ```python block.",
                    entry=name,
                    answer=code,
                    cases=cases,
                )
            )


__all__ = ["Problems"]
