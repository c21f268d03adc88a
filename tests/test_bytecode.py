"""The library is compiled once for an interpreter, and not again."""

from __future__ import annotations

import venv

import pytest

from lab.process.bytecode import write_bytecode


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
