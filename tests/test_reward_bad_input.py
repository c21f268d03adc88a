"""Environments that cannot be tested as they are: each is named, with the fix that mends it."""

from __future__ import annotations

import json

import pytest

from lab.environment import Environment, Limits, locate, taskset_backend
from lab.environment.worker import Worker
from lab.probes.audit import audit
from lab.probes.policy import Policy
from lab.report import LabError
from reward_environments import environment
from run_script import run_script

NEEDY = "class Config(vf.TasksetConfig):\n    path: str\n\n\nclass BenchTaskset(vf.Taskset[BenchTask, Config]):"
TASKSET = "class BenchTaskset(vf.Taskset[BenchTask, vf.TasksetConfig]):"
LOOP = "        for row in ROWS:"
AWAITS = "return await value if inspect.isawaitable(value) else value"


@pytest.fixture(scope="module")
def worker():
    with Worker("taskset") as shared:
        yield shared


def changed(folder, name, *pairs):
    path = environment(folder, name)
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "pairs", "said", "fix"),
    [
        ("downloading", [("import inspect", "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/rows', timeout=3)\nimport inspect")], "URLError", "cache the dataset first"),
        ("needy", [(TASKSET, NEEDY)], "Field required", '--env-args \'{"path": VALUE}\''),
        ("unnamed", [("__all__", "exported")], "__all__", "export exactly one Taskset"),
    ],
)
def test_what_does_not_load_is_named_with_its_fix(tmp_path, worker, name, pairs, said, fix):
    with pytest.raises(LabError) as error, Environment(locate(str(changed(tmp_path, name, *pairs))), worker=worker, limits=Limits(load=60)):
        pass
    assert error.value.code == 3
    assert said in error.value.message and fix in error.value.fix


@pytest.mark.parametrize(
    ("name", "pairs", "id", "said", "fix"),
    [
        ("empty", [(LOOP, "        for row in []:")], "data.tasks", "no task", "split and the filters"),
        ("forgotten", [(AWAITS, "return value"), ("value = score(", "value = later("), ("class Data(", "async def later(text, row):\n    return score(text, row)\n\n\nclass Data(")],
         "reward.raises", "coroutine", "await the coroutine"),
        ("plain", [("async def correct", "def correct"), (AWAITS, "return value")], "reward.unawaited", "correct", "async def"),
        ("shadowing", [("async def correct", "async def validate")], "reward.shadowing", "validate", "another name"),
        ("undecorated", [("    @vf.reward(weight=1.0)\n", "")], "reward.raises", "nothing is decorated", "@vf.reward"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_named_with_its_fix(tmp_path, worker, name, pairs, id, said, fix):
    with Environment(locate(str(changed(tmp_path, name, *pairs))), worker=worker, examples=4) as env:
        found = {f.id: f for f in audit(env, seconds=10).findings}
    assert found[id].status == "fail" and found[id].severity == "critical"
    assert said in found[id].evidence and fix in found[id].fix


def test_a_taskset_without_a_declared_end_is_read_for_a_while_and_said_to_be(tmp_path):
    path = changed(tmp_path, "endless", (LOOP, "        import itertools\n        for row in itertools.cycle(ROWS):"), ("import inspect", "import sys\nsys.modules['lab.environment.taskset_backend'].COUNTING = 0.2\nimport inspect"))
    assert taskset_backend.COUNTING > 1
    with Environment(locate(str(path)), examples=4) as env:
        assert env.description.total is None
        (found,) = [f for f in audit(env, seconds=10).findings if f.id == "data.tasks"]
    assert found.status == "warn" and "INFINITE = True" in found.fix


def test_an_environment_without_tasks_stops_the_ladder(tmp_path):
    ran = run_script("test_reward", changed(tmp_path, "nothing", (LOOP, "        for row in []:")), "--json", "--quiet", cwd=tmp_path)
    assert ran.code == 1
    assert json.loads(ran.out)["verdict"] == "fail"


STRICT = "def score(text, row):\n    return float((last_hash(text) or '') == row['answer'])\n"
TOLERANT = "def score(text, row):\n    given = number((last_hash(text) or '').strip('*$ '))\n    return float(given is not None and given == number(row['answer']))\n"
PENALTY = "def score(text, row):\n    right = number(last_hash(text)) == number(row['answer'])\n    return float(right) * max(0.2, 1 - len(text) / 20000)\n"
BONUS = "def score(text, row):\n    right = number(last_hash(text)) == number(row['answer'])\n    return float(right) * min(1.5, 1 + len(text) / 4000)\n"
FLOOR = "def score(text, row):\n    given = number(last_hash(text))\n    return 0.6 * float(given is not None) + 0.4 * float(given is not None and given == number(row['answer']))\n"
WIDE = "def score(text, row):\n    return 9.0 * float(number(last_hash(text)) == number(row['answer']))\n"
PARTIAL = "def score(text, row):\n    given, right = number(last_hash(text)), number(row['answer'])\n    return 0.0 if given is None else 1.0 if given == right else max(0.0, 0.9 - abs(float(given - right)) / (abs(float(right)) + 1))\n"


@pytest.mark.parametrize(
    ("score", "declared", "id", "without", "true", "false_declared"),
    [
        (STRICT, "strict_format = true", "reward.forms_core", "fail", {"pass", "skip"}, None),
        (PENALTY, "length_penalty = true", "reward.length_neutral", "warn", {"pass"}, (BONUS, "fail")),
        (FLOOR, "format_floor = 0.6", "reward.format_floor", "fail", {"pass"}, (FLOOR.replace("0.6", "0.8").replace("0.4", "0.2"), "fail")),
        (WIDE, "range = [0, 9]", "reward.range", "warn", {"pass"}, (WIDE.replace("9.0", "12.0"), "fail")),
        (STRICT, "strict_format = true", "reward.policy", "pass", {"pass"}, (TOLERANT, "fail")),
        (PARTIAL, "partial_credit = true", "reward.policy", "pass", {"pass"}, (STRICT, "warn")),
    ],
    ids=["strict_format", "length_penalty", "format_floor", "range", "kept_strictness", "partial_credit"],
)
def test_what_policy_declares_is_checked_instead_of_failed(tmp_path, worker, score, declared, id, without, true, false_declared):
    name = declared.split(" ")[0]
    (tmp_path / "policy.toml").write_text(f"[reward]\n{declared}\n", encoding="utf-8")
    policy = Policy.read(tmp_path / "policy.toml")

    def status(folder, source, given):
        with Environment(locate(str(environment(tmp_path / folder, f"{name}_{folder}", source, rows="large"))), worker=worker, examples=6) as env:
            return next(f.status for f in audit(env, given).findings if f.id == id)

    assert status("undeclared", score, Policy()) == without
    assert status("declared", score, policy) in true
    if false_declared:
        assert status("otherwise", false_declared[0], policy) == false_declared[1]
