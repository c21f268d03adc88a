"""Environments that cannot be tested as they are: each is named, with the fix for it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lab.cli.report import LabError
from lab.environment import Description, Limits, Score, Task
from lab.reward.brief import Brief
from lab.reward.contract import Contract
from lab.reward.reading.right import Right
from lab.reward.rules.faults import findings
from lab.reward.rules.invariants import state
from lab.reward.session import Failure, Session
from reward_environments import RIGHT, environment
from run_script import run_script
from test_reward_disputed import CENTS, module, statuses

NEEDY = (
    "class Config(vf.TasksetConfig):\n    path: str\n\n\n"
    "class BenchTaskset(vf.Taskset[BenchTask, Config]):"
)
TASKSET = "class BenchTaskset(vf.Taskset[BenchTask, vf.TasksetConfig]):"
LOOP = "        for row in ROWS:"
NO_ROWS = (LOOP, "        for row in []:")
AWAITS = "return await value if inspect.isawaitable(value) else value"
IMPORT = "import inspect"
DOWNLOAD = "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/rows', timeout=3)\n"


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
        ("asking", [(IMPORT, DOWNLOAD + IMPORT)], "URLError", "start the server that its README"),
        ("needy", [(TASKSET, NEEDY)], "Field required", "--env-args '{\"path\": VALUE}'"),
        ("unnamed", [("__all__", "exported")], "__all__", "export exactly one Taskset"),
    ],
)
def test_what_does_not_load_is_named_with_its_fix(tmp_path, bench, name, pairs, said, fix):
    with pytest.raises(LabError) as error:
        bench.open(changed(tmp_path, name, *pairs), limits=Limits(load=60)).__enter__()
    assert error.value.code == 3
    assert said in error.value.message and fix in error.value.fix


LATER = "async def later(text, row):\n    return score(text, row)\n\n\nclass Data("


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "pairs", "id", "said", "fix"),
    [
        ("empty", [NO_ROWS], "data.tasks", "no task", "split and the filters"),
        (
            "forgotten",
            [
                (AWAITS, "return value"),
                ("value = score(", "value = later("),
                ("class Data(", LATER),
            ],
            "reward.raises",
            "coroutine",
            "await the coroutine",
        ),
        (
            "plain",
            [("async def correct", "def correct"), (AWAITS, "return value")],
            "reward.unawaited",
            "correct",
            "async def",
        ),
        (
            "shadowing",
            [("async def correct", "async def validate")],
            "reward.shadowing",
            "validate",
            "another name",
        ),
        (
            "undecorated",
            [("    @vf.reward(weight=1.0)\n", "")],
            "reward.raises",
            "nothing is decorated",
            "@vf.reward",
        ),
    ],
)
def test_what_cannot_be_scored_is_named_with_its_fix(tmp_path, bench, name, pairs, id, said, fix):
    found = bench.audit(changed(tmp_path, name, *pairs), examples=4).findings
    assert found[id].status == "fail" and found[id].severity == "critical"
    assert said in found[id].evidence and fix in found[id].fix


@pytest.mark.long
def test_an_environment_without_tasks_stops_the_ladder(tmp_path):
    path = changed(tmp_path, "nothing", NO_ROWS)
    ran = run_script("test_reward", path, "--json", "--quiet", cwd=tmp_path)
    assert (ran.code, ran.report["verdict"]) == (1, "fail")


def test_a_taskset_without_a_declared_end_is_read_for_a_while_and_has_no_total(tmp_path, bench):
    cycle = "        import itertools\n        for row in itertools.cycle(ROWS):"
    counting = "import sys\nsys.modules['lab.environment.taskset_backend'].COUNTING = 0.2\n"
    path = changed(tmp_path, "endless", (LOOP, cycle), (IMPORT, counting + IMPORT))
    found = bench.audit(path, examples=4)
    assert found.audit.brief.description.total is None
    assert found.findings["data.tasks"].measured == "4 of many"


RAISES = "def score(text, row):\n    return float(int(text.split('####')[1]) == int(row['answer']))"
ON_GOLD = "def score(text, row):\n    return float(row['gold'] == text)"
NAN = (
    "def score(text, row):\n    given = number(last_hash(text))\n"
    "    return float('nan') if given is None else float(given == number(row['answer']))"
)
EXITS = (
    "def score(text, row):\n    import os\n    if not text.strip():\n        os._exit(0)\n"
    "    return float(number(last_hash(text)) == number(row['answer']))"
)
HANGS = (
    "def score(text, row):\n    import time\n    if len(text) > 2000:\n        time.sleep(60)\n"
    "    return float(number(last_hash(text)) == number(row['answer']))"
)
SOUND = "def score(text, row):\n    return float(number(last_hash(text)) == number(row['answer']))"
BROKEN = {
    "reward.raises": (RAISES, "high"),
    "reward.gold_paid": (ON_GOLD, "critical"),
    "reward.finite": (NAN, "critical"),
    "reward.exits": (EXITS, "high"),
    "reward.timeout": (HANGS, "high"),
}


FIRST = ("reward.raises", "reward.timeout")
"""The others are also planted in the benchmark, and long here."""


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=[] if id in FIRST else [pytest.mark.soak]) for id in BROKEN]
)
def test_scoring_that_breaks_is_one_finding_of_its_own(tmp_path, bench, id):
    source, severity = BROKEN[id]
    found = bench.audit(environment(tmp_path, f"broken_{id[7:]}", source), examples=4, limit=1.0)
    assert found.status(id) == "fail", found.failed
    assert found.findings[id].severity in (severity, "critical")
    assert "references/reward_design.md#" in found.findings[id].fix


def test_a_sound_reward_breaks_nowhere(tmp_path, bench):
    found = bench.audit(environment(tmp_path, "unbroken", SOUND), examples=4)
    assert not found.failed
    ids = (*BROKEN, "reward.unawaited", "reward.latency", "reward.range")
    assert {id: found.status(id) for id in ids} == dict.fromkeys(ids, "pass")


SWALLOWED = (
    "def score(text, row):\n    try:\n        return float(text.strip() == row['@KEY@'].strip())\n"
    "    except KeyError:\n        return 0.0"
)
UNREAD = (
    "def score(text, row):\n    found = re.search(r'zahl=(\\\\d+)', text)\n    try:\n"
    "        return float(int(found.group(1)[::-1], 7) == number(row['answer']))\n"
    "    except AttributeError:\n        return 0.0"
)


@pytest.mark.parametrize(
    ("source", "status"),
    [
        (SWALLOWED.replace("@KEY@", "gold_label"), "fail"),
        (UNREAD.replace("\\\\", "\\"), "inconclusive"),
    ],
)
def test_nothing_is_paid_for_the_codes_own_error_or_for_a_form_that_nobody_wrote(
    tmp_path, bench, source, status
):
    found = bench.audit(environment(tmp_path, f"unpaid_{status}", source), examples=4)
    gold = found.findings["reward.gold_paid"]
    assert gold.status == status, gold
    if status == "fail":
        assert "the same error on every completion, KeyError" in gold.evidence
        assert "gold_label" in gold.evidence


@pytest.mark.parametrize(
    ("reward", "right", "status"),
    [(0.0, False, "warn"), (0.0, True, "fail"), (None, False, "fail")],
)
def test_a_wrong_answer_that_the_library_scores_with_0_may_raise(reward, right, status):
    """The classic library puts 0 in the place of an error; a rollout of a taskset is lost."""
    tasks = [Task(i, str(i), f"Question {i}") for i in range(4)]
    golds = Right(tasks, source="answer", golds=["1", "2", "3", "4"], answer_type="number")
    brief = Brief(Description("classic", tasks, 4, {"correct": 1.0}, [], []), golds)
    session = Session(None, cases=40)  # type: ignore[arg-type]
    score = Score(reward, error="AttributeError: 'NoneType' object", kind="raised")
    session.failures = [Failure(0, "I do not know", score, right=right)]
    found = {one.id: one for one in findings(brief, session)}["reward.raises"]
    assert found.status == status


def test_what_differs_by_chance_is_neither_length_nor_more_than_the_gold(tmp_path, bench):
    """A third of a right answer's pay is luck: that is one finding, and not three."""
    luck = "(1 + 0.5 * (__import__('time').perf_counter_ns() % 997 / 997)) * float("
    path = environment(tmp_path, "luck", RIGHT.replace("return float(", f"return {luck}"))
    found = bench.audit(path, Contract(length="neutral"))
    assert found.status("reward.deterministic") == "fail"
    assert not {"reward.length_neutral", "reward.gold_is_best"} & set(found.failed), found.failed


@pytest.mark.parametrize(("again", "kept"), [([1, 1, 1, 1, 1], True), ([1, 1, 1.5], False)])
def test_a_difference_is_a_state_only_where_chance_does_not_show(again, kept):
    """Alone a right answer earns 1 and a wrong one 0; after a wrong one the right one earns 1.5."""
    earned = iter([1, 0, 0, 1.5, *again])
    env = SimpleNamespace(
        fresh=lambda: None,
        expect=lambda *_: None,
        score=lambda task, text: Score(float(next(earned))),
        description=Description("taskset", [], 0, {}, [], []),
    )
    assert bool(state(env, [(0, "right", "wrong")])[0]) is kept


@pytest.mark.parametrize(
    ("said", "status"), [("The reward is between 0 and 1.", "fail"), ("", "pass")]
)
def test_rewards_are_held_to_the_range_that_is_stated(tmp_path, said, status):
    path = module(tmp_path, {**CENTS, "reward": "return 1.4 * (said == answer)"})
    (tmp_path / "README.md").write_text(said)
    assert statuses(path)[1]["reward.range"] == status


def test_an_example_that_earns_more_than_a_reward_is_said_to_is_found(tmp_path):
    reward = "return 0.6 * (said == answer) + 0.2 * (said == answer) * text.count('[1]')"
    path = module(tmp_path, {**CENTS, "reward": reward})
    (tmp_path / "README.md").write_text("The reward is between 0 and 1.")
    assert statuses(path)[1]["reward.range"] == "pass"
    (tmp_path / "contract.toml").write_text(
        "".join(
            f'[[example]]\ntask = 0\ncompletion = "<answer>3.75</answer> {cited}"\nearns = 1\n'
            for cited in ("[1][1]", "[1][1][1][1]")
        )
    )
    found = run_script("test_reward", path, "--json", cwd=tmp_path).report["findings"]
    (range_,) = [one for one in found if one["id"] == "reward.range"]
    assert range_["status"] == "fail" and range_["measured"].startswith("0 to "), range_
    assert "[1]" in range_["evidence"] and "earns 1.4" in range_["evidence"], range_


NOTES = 'f"[1] 3 cups. [2] 1.25 each. [3] Rain. What do {n + 3} cups cost? Cite the notes."'


@pytest.mark.parametrize(
    ("cited", "status"),
    [
        ("text.count('[1]') + text.count('[2]')", "fail"),
        ("min(2, text.count('[1]') + text.count('[2]'))", "warn"),
        ("('[1]' in text) + ('[2]' in text)", "pass"),
        ("6 * (len(text.split()) > 6)", "pass"),
    ],
)
def test_notes_that_are_cited_again_earn_no_more(tmp_path, cited, status):
    reward = f"return (said == answer) * (0.6 + 0.2 * ({cited}))"
    path = module(tmp_path, {**CENTS, "prompt": NOTES, "reward": reward})
    assert statuses(path)[1]["reward.counted_again"] == status


@pytest.mark.parametrize(("said", "ceiling"), [("Rewards lie between 0 and 1.", 1.0), ("", 2.0)])
def test_what_earns_more_than_a_reward_is_said_to_be_is_no_better_gold(tmp_path, said, ceiling):
    parts = {
        "prompt": 'f"Name a town of district {n}."',
        "answer": 'f"Aston{n}; Brill{n}"',
        "reward": "return float(sum(one in said for one in answer.split('; ')))",
    }
    path = module(tmp_path, parts)
    (tmp_path / "README.md").write_text(said)
    ran = run_script("test_reward", path, "--json", cwd=tmp_path)
    assert ran.report["facts"]["ceiling"] == ceiling, ran.report["facts"]["gold_reading"]
