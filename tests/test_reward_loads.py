"""Golds and prompts that change with the process that loads the environment."""

from __future__ import annotations

import pytest

from lab.environment import Environment, locate
from lab.reward.audit import audit
from lab.reward.formats.varying import varying
from run_script import run_script

TASKSET = """
import random

import verifiers.v1 as vf


class StationData(vf.TaskData):
    answer: str


class StationTask(vf.Task[StationData]):
    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        return float(trace.last_reply.rpartition("ANSWER:")[2].strip() == self.data.answer)


class StationTaskset(vf.Taskset[StationTask, vf.TasksetConfig]):
    def load(self):
        for n in range(8):
            name, rng = f"station {n}", random.Random(n)
            gold = GOLD
            prompt = f"What did {name} measure PROMPT? End with `ANSWER: ...`."
            yield StationTask(StationData(prompt=prompt, answer=str(gold)))


__all__ = ["StationTaskset"]
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("gold", "prompt", "status"),
    [
        ("hash(name) % 900", "", "fail"),
        ("rng.randrange(100, 900)", "at {random.randrange(10**9)}", "warn"),
        ("100 + len(sorted({name, 'x'})) + n", "", "skip"),
        ("100 * n + (random.random() < 2)", "", "pass"),
    ],
)
def test_golds_are_those_of_every_process(tmp_path, gold, prompt, status):
    path = tmp_path / "stations.py"
    path.write_text(TASKSET.replace("GOLD", gold).replace(" PROMPT", f" {prompt}".rstrip()))
    done = run_script("test_reward", path, "--examples", "4", "--json", cwd=tmp_path)
    finding = done.finding("data.same_each_load")
    assert finding["status"] == status, finding
    assert (finding.get("severity") == "critical") == (status == "fail")
    if status == "fail":
        assert "answer is " in finding["evidence"] and "hash()" in finding["evidence"]


@pytest.mark.long
def test_another_process_is_started_once_and_slow_rewards_are_not_scored_in_it(tmp_path, bench):
    """The copy that says that the golds differ is the one that would have helped to score."""
    path = tmp_path / "slow_stations.py"
    slow = TASKSET.replace(
        "        return float(", "        time.sleep(0.06)\n        return float("
    )
    source = slow.replace("import random\n", "import random\nimport time\n")
    path.write_text(source.replace("GOLD", "hash(name) % 900").replace(" PROMPT", ""))
    started = []

    def another():
        other = Environment(locate(str(path)), examples=2)
        other.worker.hash_seed = "1"
        started.append(other.__enter__())
        return other

    with bench.open(path, examples=2) as env:
        found = audit(env, seconds=40.0, another=another)
    for other in started:
        other.__exit__()
    status = {one.id: one.status for one in found.findings}
    assert len(started) == 1 and status["data.same_each_load"] == "fail"
    assert status["reward.gold_paid"] == "pass", "each gold is held to the process that it is from"


def test_what_may_differ_is_read_off_the_code(tmp_path):
    place = tmp_path / "made.py"
    place.write_text(
        "import random, uuid\nWORDS = {'a', 'b'}\nrng = random.Random(3)\nrng.choice([1, 2])\n"
        "held = 'a' in WORDS\nlines = sorted(WORDS)\n"
    )
    assert varying(place) == []
    place.write_text(
        "import random, uuid\nWORDS = {'a', 'b'}\nrng = random.Random()\nuuid.uuid4()\n"
        "text = ' '.join(WORDS)\nfor word in {1, 2}:\n    pass\nrandom.shuffle([1])\n"
    )
    assert sorted(varying(place)) == [
        "Random() without a seed",
        "a loop over a set",
        "join of a set",
        "random.shuffle()",
        "uuid4()",
    ]
