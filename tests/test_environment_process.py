"""An environment's code is not trusted: whatever it does costs one score, and nothing outlives
it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from lab.cli.report import LabError
from lab.environment import Environment, Limits, locate
from lab.environment.errors import needs_network, needs_outside
from lab.environment.worker import Worker
from lab.process.protection import VARIABLE, protection
from marks import soak
from reward_environments import RIGHT, environment, processes_of

GOLD = "#### 22"
"""Of the first task of the numbers."""

HOSTILE = """
def score(text, row):
    import ctypes, os, signal, subprocess, sys, time
    if text == "exit":
        os._exit(0)
    if text == "raise exit":
        sys.exit(0)
    if text == "hang":
        time.sleep(600)
    if text == "kill itself":
        os.kill(os.getpid(), signal.SIGKILL)
    if text == "kill parent":
        os.kill(os.getppid(), signal.SIGKILL)
    if text == "kill all":
        os.kill(-1, signal.SIGKILL)
    if text == "segfault":
        ctypes.string_at(0)
    if text == "flood":
        for _ in range(4000):
            print("x" * 4000)
            print("y" * 4000, file=sys.stderr)
    if text == "daemon":
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
    if text == "daemon with an empty environment":
        sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
        subprocess.Popen(sleeper, env={}, start_new_session=True)
    if text == "read stdin":
        sys.stdin.read()
    if text == "secret":
        return float("LAB_TEST_SECRET" in os.environ)
    if text == "uv":
        return float(subprocess.run(["uv", "--version"], stdout=-3).returncode == 0)
    if text == "passed on":
        return float(os.environ.get("LAB_TEST_PASSED") == "yes")
    given = number(last_hash(text))
    return float(given is not None and given == number(row["answer"]))
"""


@pytest.fixture(scope="module")
def worker():
    os.environ["LAB_TEST_SECRET"], os.environ["LAB_TEST_PASSED"] = "hidden", "yes"
    with Worker("taskset", variables=["LAB_TEST_PASSED"]) as shared:
        yield shared
    del os.environ["LAB_TEST_SECRET"], os.environ["LAB_TEST_PASSED"]


@pytest.fixture
def hostile(tmp_path, worker):
    path = environment(tmp_path, "hostile", HOSTILE)
    with Environment(locate(str(path)), worker=worker, limits=Limits(score=3)) as env:
        yield env


@pytest.mark.parametrize(
    ("completion", "kind"),
    [
        ("exit", "exited"),
        ("raise exit", "exited"),
        ("hang", "timeout"),
        ("kill itself", "exited"),
        ("kill parent", "exited"),
        ("kill all", "exited"),
        ("segfault", "exited"),
    ],
)
def test_what_a_reward_does_to_its_process_costs_one_score(hostile, completion, kind):
    if completion == "kill all" and not protection().signals:
        pytest.skip(
            "no process namespace can be made here: killing all of a user's processes "
            "would end this test"
        )
    assert hostile.score(0, GOLD).reward == 1.0
    broken = hostile.score(0, completion)
    assert (broken.reward, broken.kind) == (None, kind)
    assert hostile.score(0, GOLD).reward == 1.0, (
        "the next completion is scored as if nothing had happened"
    )


def test_a_reward_that_runs_a_script_of_its_own_finds_uv(hostile):
    assert hostile.score(0, "uv").reward == 1.0


def test_a_flood_and_stdin_disturb_nothing(hostile):
    assert hostile.score(0, "flood").reward == 0.0
    assert hostile.score(0, "read stdin").reward == 0.0
    assert hostile.score(0, GOLD).reward == 1.0


def test_secrets_are_inherited_only_by_name(hostile):
    assert hostile.score(0, "secret").reward == 0.0
    assert hostile.score(0, "passed on").reward == 1.0


def test_too_many_deaths_end_the_scoring_with_a_statement(tmp_path, worker):
    path = environment(
        tmp_path, "deadly", "def score(text, row):\n    import os\n    os._exit(1)\n"
    )
    with Environment(locate(str(path)), worker=worker) as env:
        kinds = [env.score(0, GOLD).kind for _ in range(5)]
    assert kinds[:2] == ["exited", "exited"]
    assert kinds[2:] == ["not_run"] * 3


@pytest.mark.parametrize("way", ["daemon", soak("daemon with an empty environment")])
def test_no_process_outlives_the_environment(tmp_path, way):
    path = environment(tmp_path, "daemonic", HOSTILE)
    with Environment(locate(str(path)), limits=Limits(score=5)) as env:
        env.score(0, way)
        folder = env.worker.folder
        assert len(processes_of(folder)) > 1
    until = time.monotonic() + 60
    while processes_of(folder) and time.monotonic() < until:
        time.sleep(0.02)
    assert processes_of(folder) == []
    assert not folder.exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        soak("import no_such_package_at_all\n", "no_such_package_at_all"),
        ("raise RuntimeError('at import')\n", "at import"),
        ("import os\nos._exit(7)\n", "exit code 7"),
    ],
)
def test_an_environment_that_does_not_load_is_named_with_its_cause(tmp_path, source, said):
    path = environment(tmp_path, "broken")
    path.write_text(source + path.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(LabError) as error, Environment(locate(str(path)), limits=Limits(load=600)):
        pass
    assert error.value.code == 3
    assert said in error.value.message


def test_endless_and_empty_tasksets_are_read_to_the_limit(tmp_path, worker):
    path = environment(tmp_path, "endless", RIGHT)
    text = path.read_text(encoding="utf-8")
    endless = text.replace(
        "class BenchTaskset(vf.Taskset[BenchTask, vf.TasksetConfig]):",
        "class BenchTaskset(vf.Taskset[BenchTask, vf.TasksetConfig]):\n    INFINITE = True\n",
    )
    path.write_text(
        endless.replace(
            "        for row in ROWS:",
            "        import itertools\n        for row in itertools.cycle(ROWS):",
        ),
        encoding="utf-8",
    )
    with Environment(locate(str(path)), worker=worker, examples=7) as env:
        assert (len(env.description.tasks), env.description.total) == (7, None)
    empty = environment(tmp_path, "empty", RIGHT)
    empty.write_text(
        empty.read_text(encoding="utf-8").replace(
            "        for row in ROWS:", "        for row in []:"
        ),
        encoding="utf-8",
    )
    with Environment(locate(str(empty)), worker=worker) as env:
        assert env.description.tasks == []


@pytest.mark.parametrize(
    ("error", "network", "outside"),
    [
        ("ConnectionError: Couldn't reach 'x' on the Hub", True, True),
        ("URLError: <urlopen error [Errno -3] Temporary failure in name resolution>", True, True),
        ("OfflineModeIsEnabled: Cannot reach x: offline mode is enabled", True, True),
        ("MaxRetryError: HTTPSConnectionPool(host='x')", True, True),
        ("OpenAIError: The api_key client option must be set", False, True),
        ("DockerException: is the docker daemon running?", False, True),
        ("ValueError: could not convert string to float: 'forty'", False, False),
        ("KeyError: 'answer'", False, False),
    ],
)
def test_an_error_says_whether_something_outside_is_missing(error, network, outside):
    assert (needs_network(error), needs_outside(error)) == (network, outside)


RUNS_CODE = """
import contextlib, io
import verifiers as vf
from datasets import Dataset


def prints_it(completion, answer):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(completion[-1]["content"], {})
    return float(said.getvalue().strip() == answer)


def load_environment():
    rows = [{"question": "Print the number 22.", "answer": "22"}]
    return vf.SingleTurnEnv(dataset=Dataset.from_list(rows), rubric=vf.Rubric(funcs=[prints_it]))
"""


@pytest.mark.parametrize("held_by", ["", soak("off")])
def test_programs_that_a_grader_runs_leave_nothing_in_the_working_folder(
    tmp_path, monkeypatch, held_by
):
    """In a folder of its own even where this machine has nothing that holds files."""
    monkeypatch.setenv(VARIABLE, held_by)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs_code.py").write_text(RUNS_CODE)
    program = "for name in ('junit.xml', 'reward.txt'): open(name, 'w').write('1')\nprint(22)"
    with Environment(locate("runs_code.py")) as env:
        assert env.score(0, program).reward == 1.0
        folder = env.worker.folder
        outside = f"open({str(tmp_path / 'score.json')!r}, 'w').write('1')\nprint(22)"
        if not held_by and protection().files:
            assert env.score(0, outside).kind == "raised", "the user's folder is not for it"
    assert [path.name for path in tmp_path.iterdir()] == ["runs_code.py"]
    assert not folder.exists()


def test_the_folder_of_the_tool_is_not_the_environments(hostile):
    assert hostile.worker.folder != Path.cwd()


def test_rewards_named_like_a_part_of_the_library_are_listed(tmp_path, worker):
    path = environment(tmp_path, "shadowing", RIGHT)
    path.write_text(
        path.read_text(encoding="utf-8").replace(
            "async def correct(self", "async def validate(self"
        ),
        encoding="utf-8",
    )
    with Environment(locate(str(path)), worker=worker) as env:
        assert env.description.shadowing == ["validate"]


def test_a_reward_that_is_not_awaited_is_listed_and_scored_as_an_error(tmp_path, worker):
    path = environment(tmp_path, "plain_def", RIGHT)
    source = path.read_text(encoding="utf-8").replace(
        "    async def correct(self, trace: vf.Trace) -> float:",
        "    def correct(self, trace: vf.Trace) -> float:",
    )
    path.write_text(
        source.replace(
            "return await value if inspect.isawaitable(value) else value", "return value"
        ),
        encoding="utf-8",
    )
    with Environment(locate(str(path)), worker=worker) as env:
        assert env.description.unawaited == ["correct"]
        assert env.score(0, GOLD).kind == "raised"


WATCHED = """
import re
import verifiers.v1 as vf


class WatchedData(vf.TaskData):
    words: list[str]


def last_number(text):
    found = re.findall(r"\\d+", text)
    return found[-1] if found else ""


class WatchedTask(vf.Task[WatchedData]):
    @vf.reward
    async def correct(self, trace: vf.Trace) -> float:
        given = last_number(trace.last_reply)
        wanted = str(sum(len(word) for word in self.data.words))
        try:
            self.data.missing
        except AttributeError:
            pass
        return float(given == wanted)


class WatchedTaskset(vf.Taskset[WatchedTask, vf.TasksetConfig]):
    def load(self):
        for n in range(60):
            data = WatchedData(prompt=f"task {n}", words=["a" * n, "bb"])
            yield WatchedTask(data, self.config.task)


__all__ = ["WatchedTaskset"]
"""


def test_scoring_shows_what_the_code_holds_and_which_errors_it_swallows(tmp_path):
    (tmp_path / "watched.py").write_text(WATCHED)
    with Environment(locate(str(tmp_path / "watched.py")), examples=3, also=[7]) as env:
        assert [task.index for task in env.description.tasks] == [0, 20, 40, 7]
        seen = env.watch(3, "I say 12 or 41")
        assert seen.score.reward == 0.0
        held = {(where, name): value for where, name, value in seen.values}
        assert held["last_number", "return"] == "41"
        assert held["correct", "given"] == "41" and held["correct", "wanted"] == "9"
        assert any("AttributeError in correct" in error for error in seen.errors)
        assert env.watch(3, "9").score.reward == 1.0
        assert [task.index for task in env.rows(6)] == [0, 10, 20, 30, 40, 50]
        env.fresh()
        assert env.score(3, "9").reward == 1.0


POOLED = """
import concurrent.futures
POOL = concurrent.futures.ProcessPoolExecutor(max_workers=1)

def score(text, row):
    if text == "hang":
        POOL.submit(pow, 2, 3).result()
        import time; time.sleep(600)
    return float(POOL.submit(pow, 2, 3).result(timeout=20) == 8)
"""


@pytest.mark.long
def test_a_pool_made_at_loading_works_in_every_fork(tmp_path):
    """A worker of a pool that is killed holds a lock that all forks would share."""
    place = locate(str(environment(tmp_path, "pooled", POOLED)))
    with Environment(place, examples=2, limits=Limits(score=5)) as env:
        assert env.score(0, "first").reward == 1
        env.fresh()
        assert env.score(0, "second").reward == 1
        assert env.score(0, "hang").kind == "timeout"
        assert env.score(0, "third").reward == 1


BUSY = """
import time
import verifiers.v1 as vf

class BusyTask(vf.Task[vf.TaskData]):
    @vf.reward
    async def busy(self, trace: vf.Trace) -> float:
        until = time.process_time() + float(trace.last_reply)
        while time.process_time() < until:
            pass
        return 1.0

class BusyTaskset(vf.Taskset[BusyTask, vf.TasksetConfig]):
    def load(self):
        return [BusyTask(vf.TaskData(prompt="How long?"))]

__all__ = ["BusyTaskset"]
"""


def test_the_clock_of_searches_counts_work_and_waiting_for_a_third(tmp_path, monkeypatch):
    path = tmp_path / "busy.py"
    path.write_text(BUSY, encoding="utf-8")
    with Environment(locate(str(path)), examples=1) as env:
        env.watch(0, "0.0")
        begun = env.clock()
        env.watch(0, "0.4")
        worked = env.clock()
        assert worked - begun >= 0.3  # times are told in hundredths
        env.fresh()  # another process begins to count at nothing
        env.watch(0, "0.2")
        assert env.clock() - worked >= 0.1
        before, now = env.clock(), time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + 300.0)
        assert 90.0 < env.clock() - before < 110.0
