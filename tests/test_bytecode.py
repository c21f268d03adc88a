"""The library is compiled once for an interpreter, and not again."""

from __future__ import annotations

import sys
import venv

import pytest

from lab.environment import worker
from lab.process.bytecode import write_bytecode
from lab.process.sandbox import Sandbox


@pytest.mark.parametrize("folder", ["verifiers/v1", "verifiers"])
def test_the_library_is_imported_once(tmp_path, folder):
    venv.create(tmp_path / "venv", symlinks=True)
    (packages,) = (tmp_path / "venv").glob("lib/python3*/site-packages")
    (packages / folder).mkdir(parents=True)
    imported = tmp_path / "imported"
    (packages / "verifiers" / "__init__.py").write_text("")
    (packages / folder / "__init__.py").write_text(
        f"open({str(imported)!r}, 'a').write('.')\nimport {folder.replace('/', '.')}.inner\n"
    )
    (packages / folder / "inner.py").write_text("")
    python = str(tmp_path / "venv" / "bin" / "python")
    for _ in range(2):
        write_bytecode(python)
        assert imported.read_text() == "."
    assert [*(packages / folder).glob("__pycache__/inner.*.pyc")]


def test_where_there_is_no_library_nothing_happens(tmp_path):
    write_bytecode(str(tmp_path / "bin" / "python"))


def test_no_other_interpreter_is_started_outside_the_sandbox(tmp_path, monkeypatch):
    """What is installed into it may be an environment's, and runs code when it starts."""
    venv.create(tmp_path / "venv", symlinks=True)
    started: list[str] = []
    monkeypatch.setattr(worker, "write_bytecode", started.append)

    def held(*_: object, **__: object) -> None:
        raise OSError("not started here")

    monkeypatch.setattr(Sandbox, "start", held)
    for python in (sys.executable, str(tmp_path / "venv" / "bin" / "python")):
        with pytest.raises(OSError, match="not started here"):
            worker.Worker("taskset", python=python).start()
    assert started == [sys.executable]
