"""Environments that steal, forge and stay: in the reward test, an evaluation, a package, a push."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from lab.cli.places import VARIABLE
from lab.ledger.records import Ledger
from lab.platform.package import build as building
from lab.platform.package import open_folder
from lab.platform.package.smoke import check_smoke
from lab.process.supervisor import _parents
from lab.training import classes_live
from publishable import PYPROJECT, TASKSET, pass_the_ladder, write_environment
from run_script import Ran, run_script
from servers.collector import PLANTED, Collector
from servers.prime_api import OWNER, PrimeApi
from servers.scripted import Scripted

SLUG = f"{OWNER}/little-sums"
pytestmark = pytest.mark.usefixtures("fresh_state")

HOOKED = PYPROJECT.format(name="little-sums", module="little_sums") + (
    '\n[tool.hatch.build.hooks.custom]\npath = "hatch_build.py"\n'
)
HOOK = """
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        import subprocess
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.Popen(["sleep", "{seconds}"], start_new_session=True, **quiet)
"""
INIT = 'from .taskset import SumTaskset\n\n__all__ = ["SumTaskset"]\n'
LEAVES = """
for _name in ("junit.xml", "reward.txt", "score.json"):
    for _place in ("", {user!r}):
        try:
            open(_place + _name, "w").write("1")
        except OSError:
            pass
"""
"""What graded programs leave behind: in the folder they run in, and in the user's."""
SECONDS = 86399
CACHE = Path(os.environ.get("UV_CACHE_DIR") or Path.home() / ".cache" / "uv")


@pytest.fixture
def collector(tmp_path):
    with Collector(tmp_path / "home") as collector:
        yield collector


def spying(collector: Collector, root: Path) -> Path:
    """An environment that looks for secrets when it is built, imported, loaded and scored."""
    leaves = LEAVES.format(user=f"{root}/")
    scored = collector.spy("scored").replace("_spy('scored')", "")
    return write_environment(
        root,
        **{
            "pyproject.toml": HOOKED,
            "hatch_build.py": collector.spy("built") + leaves + HOOK.format(seconds=SECONDS),
            "little_sums/__init__.py": collector.spy("imported") + leaves + INIT,
            "little_sums/taskset.py": scored
            + TASKSET.replace(
                "        return float((trace",
                f'        _spy("scored")\n        exec({leaves!r})\n        return float((trace',
            ),
        },
    )


def daemons() -> list[str]:
    found = []
    for pid in [child for children in _parents().values() for child in children]:
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if line == f"sleep\0{SECONDS}\0".encode():
            found.append(str(pid))
    return found


def nothing_left(collector: Collector) -> None:
    assert collector.taken == set()
    assert not (collector.home / "left-behind").exists()
    until = time.monotonic() + 60
    while daemons() and time.monotonic() < until:
        time.sleep(0.05)
    assert daemons() == []
    for name in ("junit.xml", "reward.txt", "score.json"):
        assert not [*collector.home.parent.rglob(name)], "the user's folder is as it was"


def run(name: str, *args: object, cwd: Path, collector: Collector, **more: str) -> Ran:
    variables = {**collector.variables, **more}
    return run_script(name, *args, "--json", "--quiet", cwd=cwd, env=variables)


@pytest.mark.long
def test_the_reward_test_gives_nothing_away(collector, tmp_path):
    place = spying(collector, tmp_path)
    ran = run(
        "test_reward", place, "--examples", 2, "--budget", 5, cwd=tmp_path, collector=collector
    )
    assert ran.code in (0, 1, 4), ran.out
    assert {"imported", "scored"} <= collector.places
    nothing_left(collector)


def test_an_evaluation_gives_nothing_away(collector, tmp_path):
    place = spying(collector, tmp_path)
    pass_the_ladder(place)
    with Scripted(lambda messages: "#### 1") as model:
        ran = run(
            *("run_eval", place, "-m", "a-model", "--base-url", model.url, "-n", 2, "-r", 1),
            cwd=tmp_path,
            collector=collector,
        )
    assert ran.code in (0, 1, 4), ran.out
    assert {"imported", "scored"} <= collector.places
    nothing_left(collector)
    assert PLANTED not in "".join(
        path.read_text(errors="replace") for path in (tmp_path / "outputs").rglob("*.*")
    )


@pytest.mark.long
def test_a_push_and_the_check_before_it_give_nothing_away(collector, tmp_path):
    place = spying(collector, tmp_path)
    pass_the_ladder(place)
    with PrimeApi() as api:
        login = {
            **api.environ(collector.home),
            "PRIME_API_KEY": api.key,
            "UV_CACHE_DIR": str(CACHE),
        }
        pushed = run(
            *("push_environment", place, "--visibility", "private", "--yes"),
            cwd=tmp_path,
            collector=collector,
            **login,
        )
        assert pushed.finding("package.tasks")["status"] == "pass", pushed.out
        assert pushed.report["facts"]["pushed"] is True, pushed.out
        assert f"--env {SLUG}" in pushed.report["next"]
        assert api.environments[SLUG].visibility == "PRIVATE" and api.complaints == []
    assert collector.places == {"built", "imported"}
    assert sum(heard["where"] == "built" for heard in collector.heard) == 2, "the client builds"
    nothing_left(collector)


def test_a_build_that_does_not_end_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "BUILD_SECONDS", 5.0)
    hook = HOOK.format(seconds=SECONDS) + "        subprocess.run(['sleep', '600'])\n"
    place = write_environment(tmp_path, **{"pyproject.toml": HOOKED, "hatch_build.py": hook})
    work = tmp_path / "work"
    work.mkdir()
    wheel, found = building.build(open_folder(place), work)
    assert wheel is None and found.status == "fail" and "within 5 s" in found.evidence
    assert daemons() == []


@pytest.mark.long
def test_a_package_that_writes_the_ledger_passes_no_gate(tmp_path):
    forge = """
import json, os, sys
sys.path.insert(0, {scripts!r})
os.environ[{variable!r}] = {state!r}
try:
    from pathlib import Path
    from lab.cli.report import Report
    from lab.ledger.records import NEEDS, Ledger
    for step in NEEDS:
        Ledger(Path({place!r})).record(Report(step))
except Exception:
    pass
try:
    os.makedirs({place!r} + "/.prime-lab", exist_ok=True)
    open({place!r} + "/.prime-lab/ledger.json", "w").write("{{}}")
except OSError:
    pass
"""
    place = tmp_path / "little_sums"
    from run_script import SCRIPTS

    code = forge.format(
        scripts=str(SCRIPTS),
        variable=VARIABLE,
        state=os.environ[VARIABLE],
        place=str(place),
    )
    write_environment(tmp_path, **{"little_sums/__init__.py": code + INIT})
    ran = run_script("push_environment", place, "--check-only", "--json", "--quiet", cwd=tmp_path)
    assert ran.finding("package.imports")["status"] == "pass", ran.out
    assert [step.state for step in Ledger(place).steps()][:3] == ["missing"] * 3
    assert not (place / ".prime-lab").exists()


@pytest.mark.long
def test_reading_the_configuration_gives_nothing_away(collector, tmp_path, monkeypatch):
    place = spying(collector, tmp_path)
    for name, value in collector.variables.items():
        monkeypatch.setenv(name, value)
    assert classes_live.read(place, "little_sums").fields["count"]["default"] == 8
    assert "imported" in collector.places
    nothing_left(collector)


PRINTED = """
import json, os
print(json.dumps({"stage": "done", "tasksets": ["SumTaskset"], "envs": [], "tasks": 8}))
os._exit(0)
"""


@pytest.mark.soak
def test_what_a_package_prints_is_no_answer(tmp_path):
    place = write_environment(tmp_path, **{"little_sums/__init__.py": PRINTED})
    ran = run_script("push_environment", place, "--check-only", "--json", "--quiet", cwd=tmp_path)
    assert ran.code == 1
    assert ran.finding("package.imports")["status"] == "fail"


REWRITES = """
import pathlib
try:
    place = pathlib.Path(__file__)
    place.write_text(place.read_text() + "# rewritten")
except OSError:
    pass
"""


@pytest.mark.long
def test_an_environment_cannot_rewrite_itself(tmp_path):
    place = write_environment(tmp_path, **{"little_sums/__init__.py": REWRITES + INIT})
    ran = run_script("test_reward", place, "--examples", 2, "--json", "--quiet", cwd=tmp_path)
    assert ran.code in (0, 1, 4), ran.out
    assert (place / "little_sums/__init__.py").read_text() == REWRITES + INIT
    assert all(f["id"] != "gate.content_unchanged" for f in ran.report["findings"])


FORGED = """
import json, os, sys
if "--run.name" in sys.argv:
    given = dict(zip(sys.argv, sys.argv[1:]))
    run = given["--output-dir"] + "/" + given["--run.name"]
    episode = {"ok": True, "traces": [{"calls": [{}, {}], "nodes": []}]}
    open(run + "/traces.jsonl", "w").write((json.dumps(episode) + "\\n") * 4)
    open(run + "/prime_lab.json", "w").write(json.dumps({"simulated": False, "model": "other"}))
    os._exit(0)
"""


def test_a_log_that_the_environment_writes_is_no_evaluation(collector, tmp_path):
    place = write_environment(tmp_path, **{"little_sums/__init__.py": FORGED + INIT})
    pass_the_ladder(place)
    with Scripted(lambda messages: "#### 1") as model:
        ran = run(
            *("run_eval", place, "-m", "a-model", "--base-url", model.url, "-n", 2, "-r", 2),
            cwd=tmp_path,
            collector=collector,
        )
    assert ran.code == 3 and ran.finding("eval.forged_rollouts"), ran.out
    (note,) = (tmp_path / "outputs").glob("*/prime_lab.json")
    assert '"a-model"' in note.read_text()


@pytest.mark.soak
def test_links_are_not_followed_by_the_smoke_run(tmp_path):
    place = write_environment(tmp_path)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "id").write_text(PLANTED)
    (place / "little_sums" / "zero").symlink_to("/dev/zero")
    (place / "little_sums" / "keys").symlink_to(secret)
    found = check_smoke(open_folder(place))
    assert found.status == "pass", found


PRINTS_CLASSES = """
import atexit, json, os
SAYS = json.dumps({"fields": {"anything": {"type": "int"}}, "seats": {"agent": {}},
                   "task_fields": [], "found": {}, "word": ""})
atexit.register(lambda: (print("\\n" + SAYS, flush=True), os._exit(0)))
"""


@pytest.mark.long
def test_printed_classes_are_no_answer(tmp_path):
    place = write_environment(tmp_path, **{"little_sums/__init__.py": PRINTS_CLASSES + INIT})
    fields = classes_live.read(place, "little_sums").fields
    assert "count" in fields and "anything" not in fields
    (place / "little_sums" / "__init__.py").write_text(PRINTS_CLASSES + "os._exit(0)\n")
    assert classes_live.read(place, "little_sums") is None


SMOKED = """
import json
print(json.dumps({"verdict": "pass", "facts": {"rollouts": 2, "outcomes": {"right": 2}}}))
for _ in range(200):
    print("x" * (1 << 18))
"""


@pytest.mark.soak
def test_a_smoke_run_believes_no_report_that_is_printed(tmp_path):
    fails = TASKSET.replace(
        "        return float(", "        raise ValueError('no')\n        float("
    )
    place = write_environment(
        tmp_path, **{"little_sums/__init__.py": SMOKED + INIT, "little_sums/taskset.py": fails}
    )
    found = check_smoke(open_folder(place))
    assert found.status == "fail", found
