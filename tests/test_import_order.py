"""A module imports only from its own unit and the units before it, no circle exists, and what a
script does is in modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from lab import LAB, ORDER, SCRIPTS

FILES = sorted(LAB.rglob("*.py"))


def module_of(path: Path) -> str:
    parts = path.relative_to(SCRIPTS).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def unit_of(module: str) -> str | None:
    """The unit of `lab.data.rows.open` is `data.rows`; None for `lab` itself."""
    name = module.removeprefix("lab").removeprefix(".")
    fitting = [unit for unit in ORDER if name == unit or name.startswith(f"{unit}.")]
    return max(fitting, key=len, default=None)


@cache
def imports_of(module: str) -> frozenset[str]:
    """Every module of `lab` that this one imports, wherever in the file the import is written."""
    return frozenset(_imports(ast.parse(MODULES[module].read_text(encoding="utf-8"))))


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports are not used here"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in MODULES:
                    yield inner
                elif node.module in MODULES:
                    yield node.module


@pytest.mark.parametrize("module", sorted(set(MODULES) - {"lab"}))
def test_a_module_imports_from_its_own_unit_and_the_units_before_it(module: str) -> None:
    own = unit_of(module)
    if own is None:  # the folder of a group: data, platform
        assert any(unit.startswith(module.removeprefix("lab.") + ".") for unit in ORDER), module
        assert not imports_of(module) - {"lab"}
        return
    later = {
        other
        for other in imports_of(module) - {"lab"}
        if (unit := unit_of(other)) is None or ORDER.index(unit) > ORDER.index(own)
    }
    assert not later


def test_no_circle_of_imports() -> None:
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join((*way[way.index(module) :], module))
        if module in done:
            return
        for other in sorted(imports_of(module) - {"lab"}):
            visit(other, (*way, module))
        done.add(module)

    for module in sorted(MODULES):
        visit(module, ())


def test_every_unit_exists() -> None:
    assert [unit for unit in ORDER if f"lab.{unit}" not in MODULES] == []


LONGEST = 400


def test_no_script_is_longer_than_a_module_may_be() -> None:
    """What a script does belongs into `lab`; it has arguments and the order of the steps."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in SCRIPTS.glob("*.py")}
    assert len(scripts) > 10
    assert [name for name, code in scripts.items() if len(code.splitlines()) > LONGEST] == []
