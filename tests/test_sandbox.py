"""What foreign code can see of secrets, on each kind of machine.

`landlock` is a machine without bubblewrap; `no_namespaces` is a container that allows neither:
there only Landlock holds files, and the report says what is missing.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lab.cli.report import Report
from lab.process.protection import VARIABLE, Protection, protection, tell
from lab.process.sandbox import allowed
from run_script import SCRIPTS

PLANTED = "planted-9f3c1b77a2e64d55"
WALK = """
import glob, json, os, signal, socket, sys
planted, pid, home = sys.argv[1], int(sys.argv[2]), sys.argv[3]
found = {}

def look(name, what):
    try:
        found[name] = what()
    except Exception as error:
        found[name] = f"{type(error).__name__}"

def reads(path):
    return planted in open(path, "rb").read().decode("latin-1")

for place in (".prime/config.json", ".netrc", ".ssh/id_ed25519", ".cache/huggingface/token"):
    look(place, lambda: reads(f"{home}/{place}"))
look("variables", lambda: planted in repr(os.environ))
look("environ", lambda: reads(f"/proc/{pid}/environ"))
look("every environ", lambda: sum(reads(p) for p in glob.glob("/proc/[0-9]*/environ")
                                  if os.access(p, os.R_OK)) > 0)
look("memory", lambda: bool(open(f"/proc/{pid}/mem", "rb")))
look("kernel settings", lambda: bool(open("/proc/sys/kernel/core_pattern", "r+b")))
look("signal", lambda: os.kill(pid, 0) is None)
look("home", lambda: os.listdir(os.path.expanduser("~")))
look("write", lambda: bool(open(f"{home}/left-behind", "w")))
look("own file", lambda: open("mine", "w").write("x") == 1)
look("abstract socket", lambda: socket.socket(socket.AF_UNIX).connect("\\0" + sys.argv[4]) is None)
look("capabilities", lambda: [l.split()[1] for l in open("/proc/self/status") if "CapEff" in l])
try:
    import huggingface_hub
    look("token", lambda: huggingface_hub.get_token())
except ImportError:
    pass
print(json.dumps(found))
"""
SAFE = (False, "FileNotFoundError", "PermissionError", "ProcessLookupError", "OSError", None)

NO_NAMESPACES = (
    *("unshare", "--user", "--map-current-user", "sh", "-c"),
    'echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-all "$@"',
    "sh",
)
"""A container that allows no namespaces, and no capabilities."""
CALL = """
import json, os, subprocess, sys
from lab.process.sandbox import Sandbox
from lab.process.protection import protection
walk, *arguments = json.loads(sys.argv[1])
with Sandbox().start([sys.executable, "-c", walk, *arguments], stderr=None) as running:
    out, _ = running.process.communicate(timeout=600)
print(json.dumps([json.loads(out), protection().missing]))
"""


FILES = (".prime/config.json", ".netrc", ".ssh/id_ed25519", ".cache/huggingface/token")


def plant(folder: Path) -> Path:
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f'{{"api_key": "{PLANTED}"}}')
    return folder


@pytest.fixture
def home(tmp_path) -> Path:
    return plant(tmp_path / "home")


def walked(home: Path, kind: str) -> tuple[dict[str, object], list[str]]:
    """What the walk finds in a sandbox that a tool with planted secrets starts."""
    wrapped = {"no_namespaces": NO_NAMESPACES}.get(kind, ())
    name = f"lab-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as outside:
        outside.bind("\0" + name)
        outside.listen()
        arguments = json.dumps([WALK, PLANTED, str(os.getpid()), str(home), name])
        done = subprocess.run(
            [*wrapped, sys.executable, "-c", CALL, arguments],
            env={
                **os.environ,
                "HOME": str(home),
                "PYTHONPATH": str(SCRIPTS),
                "MY_DB_PASSWD": PLANTED,
                "DATABASE_URL": f"postgres://u:{PLANTED}@h/d",
                VARIABLE: "landlock" if kind == "landlock" else "",
            },
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    found, missing = json.loads(done.stdout)
    return found, missing


KINDS = [
    pytest.param(
        "bubblewrap",
        marks=pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
    ),
    "landlock",
    pytest.param(
        "no_namespaces",
        marks=pytest.mark.skipif(not shutil.which("setpriv"), reason="setpriv is not installed"),
    ),
]


AS_NOBODY = """
import ctypes, os, sys
without, line = sys.argv[1] == "without", sys.argv[2:]
if without:  # a container that allows no namespaces
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child:
        os.read(ready[0], 1)
        for name in ("uid_map", "gid_map"):
            open(f"/proc/{child}/{name}", "w").write("0 0 1\\n65534 65534 1\\n")
        os.write(go[1], b"x")
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    assert ctypes.CDLL(None).unshare(0x10000000) == 0
    os.write(ready[1], b"x")
    os.read(go[0], 1)
    open("/proc/sys/user/max_user_namespaces", "w").write("0")
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
os.execv(line[0], line)
"""
"""Runs a command as the user nobody, who may make namespaces or not."""
FROM_THERE = """
import json, os, subprocess, sys
from lab.process.sandbox import Sandbox
from lab.process.protection import protection
walk, planted, home = json.loads(sys.argv[1])
line = [sys.executable, "-c", walk, planted, str(os.getpid()), home, "nowhere"]
outside = json.loads(subprocess.run(line, capture_output=True, check=True).stdout)
with Sandbox().start(line, stderr=None) as running:
    inside = json.loads(running.process.communicate(timeout=600)[0])
print(json.dumps([os.getuid(), outside, inside, protection().missing]))
"""


def python_of(wrapped: list[str]) -> str:
    """The first Python that can be run there: this one may lie in the home folder of root."""
    for python in (sys.executable, "/usr/bin/python3"):
        line = [*wrapped, python, "-c", "import lab.process.sandbox"]
        environ = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
        if not subprocess.run(line, env=environ, capture_output=True, check=False).returncode:
            return python
    pytest.skip("no Python here can be run by another user")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("who", ["root", "with", "without"])
def test_no_planted_secret_is_found_by_whichever_user(who):
    """Root, a user with namespaces, and one without. The same walk outside finds everything."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        plant(home)
        for path in (Path(place), *Path(place).rglob("*"), home):
            os.chown(path, 0 if who == "root" else 65534, -1)
            path.chmod(0o755 if path == Path(place) else 0o700)
        wrapped = [] if who == "root" else [sys.executable, "-c", AS_NOBODY, who]
        done = subprocess.run(
            [
                *wrapped,
                python_of(wrapped),
                "-c",
                FROM_THERE,
                json.dumps([WALK, PLANTED, str(home)]),
            ],
            env={
                **os.environ,
                "HOME": str(home),
                "PYTHONPATH": str(SCRIPTS),
                "MY_DB_PASSWD": PLANTED,
                VARIABLE: "",
            },
            cwd="/",
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    uid, outside, inside, missing = json.loads(done.stdout.splitlines()[-1])
    assert uid == (0 if who == "root" else 65534)
    assert all(outside[name] is True for name in FILES), outside
    assert outside["variables"] is True and outside["environ"] is True
    apart = ("home", "own file", "abstract socket")
    held = {name: value for name, value in inside.items() if name not in apart}
    if any("end this user's" in lack for lack in missing):
        held.pop("signal")
    assert held.pop("capabilities") == ["0000000000000000"]
    assert {name: value for name, value in held.items() if value not in SAFE} == {}
    assert inside["home"] == [] and inside["own file"] is True


@pytest.mark.parametrize("kind", KINDS)
def test_no_planted_secret_is_found(home, kind):
    found, missing = walked(home, kind)
    held = {name: value for name, value in found.items() if name not in ("home", "own file")}
    if any("end this user's" in lack for lack in missing):
        held.pop("signal")
    assert held.pop("capabilities") == ["0000000000000000"]
    assert {name: value for name, value in held.items() if value not in SAFE} == {}
    assert found["home"] == [] and found["own file"] is True
    assert not (home / "left-behind").exists()
    if kind == "no_namespaces":
        assert missing, "what is not held there is said"


def test_without_a_sandbox_the_report_says_what_is_missing(monkeypatch):
    monkeypatch.setenv(VARIABLE, "off")
    has = protection()
    assert len(has.missing) == 4 and VARIABLE in has.words
    assert Protection("bubblewrap", True, True, True, True).missing == []


def test_what_is_missing_is_said_once_in_words_and_always_in_the_facts(monkeypatch):
    said = []
    for choice in ("off", "off", "landlock"):
        monkeypatch.setenv(VARIABLE, choice)
        report = Report("a_step")
        tell(report)
        assert "missing" in report.facts["sandbox"]
        said.append(bool(report.sections))
    assert said[:2] == [True, False]
    assert said[2] == bool(protection().missing), "another state is said again"


def test_variables_are_on_a_list_and_not_on_a_list_of_bad_names(monkeypatch):
    for name in ("MY_DB_PASSWD", "GITHUB_PAT", "DATABASE_URL", "SOMETHING"):
        monkeypatch.setenv(name, PLANTED)
    assert PLANTED not in str(allowed())
    assert allowed(["SOMETHING"])["SOMETHING"] == PLANTED
