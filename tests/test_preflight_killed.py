"""A set-up that is ended in the middle: the same command again makes a whole environment.

uv and pip are the real ones, with small packages of the needed names from a folder. A command in
front of uv ends the script at a chosen point, and first takes away what uv writes last: so a kill
leaves it.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from lab.cli.requirements import needs
from run_script import SCRIPTS

UV = Path(sys.executable).with_name("uv")
ENDED = {
    "after the environment": ("venv", "true"),
    "in the environment, before its last file": ("venv", "rm .venv/pyvenv.cfg"),
    "before the packages": ("pip", "rm -r .venv/lib/python3*/site-packages/*"),
    "in the packages": ("pip", "rm .venv/lib/python3*/site-packages/numpy.py"),
}
"""The command of uv that is cut short, and what is not there yet then."""


def package(folder: Path, name: str, version: str) -> None:
    """A wheel of one module, and the command of the same name."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    files = {
        f"{module}.py": f"def main():\n    print({version!r})\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{name} = {module}:main\n",
    }
    record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{module}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in {**files, f"{info}/RECORD": record}.items():
            wheel.writestr(path, text)


def replace_uv(commands: Path, then: str = "") -> None:
    """The real uv with `then` after it. It installs into the environment and nowhere else: were
    the tool mistaken about which Python it has, this machine's would be changed."""
    only = '[ "$1" != pip ] || [ -f .venv/pyvenv.cfg ] || exit 9'
    uv = commands / "uv"
    uv.write_text(f'#!/bin/sh\n{only}\n{shlex.quote(str(UV))} "$@" || exit\n{then}\n')
    uv.chmod(0o755)


@pytest.fixture
def machine(tmp_path, monkeypatch) -> Path:
    """A folder to work in, with a uv that has every needed package at hand and no network."""
    wheels, commands = tmp_path / "wheels", tmp_path / "bin"
    wheels.mkdir()
    commands.mkdir()
    for one in needs():
        package(wheels, one.name, metadata.version(one.name))
    replace_uv(commands)
    for name in [name for name in os.environ if name.startswith(("UV_", "VIRTUAL_ENV"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{commands}:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name, value in {"OFFLINE": 1, "NO_INDEX": 1, "FIND_LINKS": wheels}.items():
        monkeypatch.setenv(f"UV_{name}", str(value))
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def set_up(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """By the Python without packages that this one's environment was made from."""
    python = getattr(sys, "_base_executable", sys.executable)
    line = [python, "-S", str(SCRIPTS / "preflight.py"), *(flags or ["--install"]), "--json"]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)


def modules(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob(".venv/lib/python3*/site-packages/*.py")}


@pytest.mark.parametrize("at", ENDED)
def test_a_set_up_that_was_killed_is_made_whole_by_the_same_command(machine, at):
    step, lost = ENDED[at]
    replace_uv(machine.parent / "bin", f'if [ "$1" = {step} ]; then {lost}; kill -9 $PPID; fi')
    assert set_up(machine).returncode == -signal.SIGKILL
    replace_uv(machine.parent / "bin")
    looked = set_up(machine, "--python", ".venv/bin/python")
    assert looked.returncode == 1 and "--install" in json.loads(looked.stdout)["next"]
    done = set_up(machine)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {one.name.replace("-", "_") for one in needs()} <= modules(machine)
    assert (machine / ".venv" / "pyvenv.cfg").is_file()
    facts = json.loads(done.stdout)["facts"]
    assert Path(facts["interpreter"]).parent == Path(".venv/bin")
    assert [path.name for path in machine.iterdir()] == [".venv"]
    assert not [*(machine / ".venv").glob("*unfinished*")]


def test_a_folder_of_somebodys_is_not_made_an_environment(machine):
    (machine / "papers").mkdir()
    (machine / "papers" / "one.txt").write_text("mine")
    done = set_up(machine, "--install", "--venv", "papers")
    assert done.returncode == 2 and "--venv" in done.stdout
    assert [path.name for path in (machine / "papers").iterdir()] == ["one.txt"]
