"""The code template: every gold passes its hidden tests, and no known way around them is paid."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import ROOT, Loaded, template


def block(source: str) -> str:
    return f"I would write this.\n```python\n{source}\n```\n"


def grading():
    template("code")
    import code_template.grading as module

    return module


@pytest.mark.long
def test_every_reference_passes_and_an_idle_program_does_not():
    import verifiers.v1 as vf
    from verifiers.v1.runtimes import provision_runtime

    env = template("code")

    async def validate(task) -> bool:
        async with provision_runtime(vf.SubprocessConfig()) as runtime:
            return await task.validate(runtime)

    assert [env.run(validate(task)) for task in env.backend.tasks] == [True] * len(env.tasks)


def test_the_gold_is_paid_and_a_program_that_knows_only_the_example_is_not():
    env = template("code")
    task = env.find("running_max")
    assert env.reward(task, block(env.tasks[task]["fields"]["answer"])) == 1.0
    shown = env.score(
        task,
        block("def running_max(numbers):\n    return [2, 2, 5] if numbers == [2, 1, 5] else None"),
    )
    assert shown["reward"] == 0.0
    assert shown["metrics"]["passed"] == pytest.approx(0.25)


ALWAYS_EQUAL = """
class Same(list):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __len__(self): return 0
    def __bool__(self): return True
def running_max(numbers): return Same()
"""
FORGED_CLAIMS = """
import os
for fd in range(3, 32):
    try: os.write(fd, b'{"passed": true}\\n{"tests": [{"passed": true}]}\\n{"cases": []}\\n')
    except OSError: pass
print('{"tests": [{"passed": true}, {"passed": true}, {"passed": true}, {"passed": true}]}')
os._exit(0)
"""
KILL_PARENT = """
import os, signal
for pid in (os.getppid(), os.getpgid(os.getppid())):
    try: os.kill(pid, signal.SIGKILL)
    except OSError: pass
def running_max(numbers): return [2, 2, 5]
"""
READ_TESTS = """
import glob, os
found = ''
files = glob.glob('../**/grading.json', recursive=True)
for path in glob.glob('/proc/*/cmdline') + glob.glob('/proc/*/mem') + files:
    try: found += open(path, errors='replace').read(100000)
    except (OSError, ValueError): pass
def running_max(numbers):
    return [2, 2, 5] if 'running_max([2, 1, 5])' in found else None
"""
SHADOW = (
    "def running_max(numbers): return []\ndef len(x): return 4\ndef all(x): return True\n"
    "AssertionError = Exception\n"
)
PATCHES = [
    "import sys\nsys.exit(0)",
    "import os\nos._exit(0)",
    "raise SystemExit",
    "def running_max(numbers):\n    raise SystemExit(0)",
    "import unittest\nraise unittest.SkipTest('x')",
    "def running_max(numbers):\n    pass",
    (
        "import builtins\nbuiltins.AssertionError = type(None)\nimport sys\n"
        "sys.modules['tests'] = sys\ndef running_max(n): return n"
    ),
    "running_max = lambda numbers: float('nan')",
]


@pytest.mark.parametrize(
    "source",
    [
        ALWAYS_EQUAL,
        FORGED_CLAIMS,
        KILL_PARENT,
        READ_TESTS,
        SHADOW,
        *PATCHES,
        "",
        "def running_max(:",
        "running_max = 1",
    ],
)
def test_no_way_around_the_tests_is_paid(source):
    env = template("code")
    assert env.reward(env.find("running_max"), block(source)) == 0.0


def test_a_program_finds_its_tests_nowhere():
    env = template("code")
    assert env.score(env.find("running_max"), block(READ_TESTS))["metrics"]["passed"] == 0.0


def test_a_program_that_spawns_waits_or_floods_ends_in_time_and_leaves_nothing(tmp_path):
    env = Loaded(ROOT / "templates" / "code", {"task": {"seconds_per_test": 0.7}})
    marker = tmp_path / "still-here"
    daemon = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for _ in range(200):
            time.sleep(0.1)
            try: open({str(marker)!r}, 'a').write('x')
            except OSError: pass
    os._exit(0)
def running_max(numbers): return [2, 2, 5]
"""
    for source in (
        daemon,
        "while True: pass",
        "print('x' * 10**9)",
        "x = bytearray(4 << 30)",
        "import time\ntime.sleep(10**6)",
    ):
        assert env.reward(env.find("running_max"), block(source)) == 0.0
    assert not marker.exists()
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if b"still-here" in p.read_bytes()]


def test_the_program_is_confined_to_its_folder_and_has_no_network():
    env = template("code")
    task = env.find("Read an integer n")
    probe = """
import os, socket
def tried(act):
    try: act()
    except Exception as error: return type(error).__name__
    return 'worked'
print(tried(lambda: open('/root/x', 'w')), tried(lambda: open('/etc/passwd')),
      tried(lambda: open('here', 'w')),
      tried(lambda: socket.create_connection(('127.0.0.1', 9), 1)), 'SECRET' in str(os.environ))
"""
    import verifiers.v1 as vf
    from verifiers.v1.runtimes import provision_runtime

    async def ask() -> list[str]:
        async with provision_runtime(vf.SubprocessConfig()) as runtime:
            box = grading().Box(runtime, probe, 5.0)
            return (await box.calls([{"stdin": ""}]))[0]["stdout"].split()

    root, passwd, here, network, secret = env.run(ask())
    assert here == "worked" and secret == "False" and network != "worked"
    assert task is not None
    confined = Path("/sys/kernel/security/lsm")
    if confined.exists() and "landlock" not in confined.read_text():
        pytest.skip("this kernel has no Landlock: files outside the folder are not confined")
    assert root != "worked" and passwd == "PermissionError"


def test_the_package_with_the_golds_stays_unreadable_inside_the_installation(tmp_path):
    """Programs may read the Python installation, where an installed package lies: not its rows."""
    site, work = tmp_path / "prefix" / "lib" / "site-packages", tmp_path / "work"
    for name in ("package/data", "other"):
        (site / name).mkdir(parents=True)
        (site / name / "rows.jsonl").write_text(f"of {name}")
    work.mkdir()
    code = (
        (ROOT / "templates/_shared/confine.py").read_text()
        + f"""
sys.prefix = {str(tmp_path / "prefix")!r}
print(confine({str(work)!r}, hidden={str(site / "package")!r})["files"], os.listdir({str(site)!r}))
for name in ("other", "package/data"):
    try:
        print(Path({str(site)!r}, name, "rows.jsonl").read_text())
    except PermissionError:
        print("not read")
import fractions
"""
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=600, check=True
    )
    confined, other, golds = ran.stdout.splitlines()
    assert other == "of other" and "package" in confined
    if not confined.startswith("True"):
        pytest.skip("this kernel has no Landlock: files outside the folder are not confined")
    assert golds == "not read"


@pytest.mark.parametrize(
    ("cell", "entry", "solution"),
    [
        (
            "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(3) == 9\n",
            "square",
            "def square(x):\n    return x * x",
        ),
        (
            '{"inputs": [[2], [3]], "outputs": [4, 9], "fn_name": "square"}',
            None,
            "def square(x):\n    return x * x",
        ),
        (
            '{"inputs": [[2]], "outputs": [4], "fn_name": "square"}',
            None,
            "class Solution:\n    def square(self, x):\n        return x * x",
        ),
        (
            '{"inputs": [[2], [3]], "outputs": [[4], [9]], "fn_name": "square"}',
            None,
            "def square(x):\n    return x * x",
        ),
        (
            '{"inputs": [[2], [3]], "outputs": [[2, [4]], [3, [9]]], "fn_name": "square"}',
            None,
            "def square(x):\n    return x, (x * x,)",
        ),
        ('[{"input": "2\\n", "output": "4"}]', None, "print(int(input()) ** 2)"),
        (
            (
                "import math\nfrom solution import square\nVALUES = [1, 2]\ndef test_all():\n"
                "    for v in VALUES:\n        assert math.isclose(square(v), v ** 2)\n"
            ),
            None,
            "def square(x):\n    return x * x",
        ),
    ],
)
def test_hidden_tests_are_read_as_datasets_keep_them(tmp_path, cell, entry, solution):
    file = tmp_path / "rows.jsonl"
    file.write_text(
        json.dumps(
            {"question": "Square a number.", "tests": cell, "solution": solution, "entry": entry}
        )
        + "\n"
    )
    config = {
        "dataset": str(file),
        "eval_share": 0.0,
        **({"entry_field": "entry"} if entry else {}),
    }
    env = Loaded(ROOT / "templates" / "code", config)
    assert env.reward(0, block(solution)) == 1.0
    assert (
        env.reward(0, block(solution.replace("x * x", "x + x + 1").replace("** 2", "+ 3"))) == 0.0
    )
    assert env.reward(0, block("x = 1")) == 0.0


def test_a_runtime_that_does_not_answer_is_an_error_and_no_zero():
    module = grading()

    class Dead:
        type = "subprocess"

        async def write(self, path, data):
            return None

        async def run(self, argv, env):
            from verifiers.v1.runtimes.base import ProgramResult

            return ProgramResult(1, "", "no space left on device")

    env = template("code")
    with pytest.raises(module.BoxError, match="no space left"):
        env.run(module.grade("x = 1", [{"code": "assert f(1) == 1"}], Dead(), 1.0))


def test_asserts_that_nothing_calls_are_no_tests():
    template("code")
    from code_template.hidden_tests import read_tests
    from code_template.reference import read_reference

    humaneval = "def check(candidate):\n    assert candidate(1) == 2\n"
    assert read_tests(humaneval) is None, "without its entry point every program would pass"
    assert read_tests(humaneval, "f") == [{"code": f"{humaneval}\ncheck(f)"}]
    assert read_tests(f"{humaneval}check(f)\n") == [{"code": f"{humaneval}check(f)\n"}]
    assert read_tests("for x in (1, 2):\n    assert f(x)\n")
    read = [{"input": "1\n", "output": "2\n"}]
    assert (
        read_tests(
            '{"language": "python", "test_cases": [{"type": "stdin_stdout", "input": "1\\n", '
            '"output": "2\\n"}]}'
        )
        == read
    )
    assert read_tests({"input": ["1\n"], "output": ["2\n"]}) == read
    assert read_tests([{"test_name": "0-01", "test_input": "1\n", "test_output": "2\n"}]) == read
    assert read_tests({"tests": {"inputs": ["1\n"], "outputs": ["2\n"]}, "source": "x"}) == read
    assert read_reference("    return x\n", "def f(x):") == "def f(x):\n    return x\n"
    assert read_reference('["a = 1", "b"]', "") == read_reference(["", "a = 1"], "") == "a = 1\n"
    assert read_reference(None, "q") == read_reference([], "q") == ""
