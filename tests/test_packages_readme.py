"""What a package's README tells to type is real: each flag is a field of its configuration, and its
value is legal."""

from __future__ import annotations

import re
import sys
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from scoring import ROOT

FOLDERS = [
    path.parent
    for place in ("templates", "environments")
    for path in sorted((ROOT / place).glob("*/pyproject.toml"))
    if "classic" not in path.parent.name
]
FLAG = re.compile(r"--(env|runtime)\.([a-z][\w.-]*)(?:[ =]([\w./-]+))?")


def models(annotation: Any) -> list[type[BaseModel]]:
    """The pydantic models that an annotation allows."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in models(part)]


def legal(annotation: Any) -> set[Any] | None:
    """The literal values of an annotation; None when it allows others too."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    if get_origin(annotation) in (Union, UnionType, Annotated):
        parts = [legal(part) for part in get_args(annotation) if part is not type(None)]
        return None if None in parts else set().union(*parts)
    return None


def annotations(module: str, path: list[str]) -> list[Any]:
    """What the field at `path` of the package's configuration may be; [] when there is no such
    field."""
    import verifiers.v1 as vf

    own = {"taskset": vf.taskset_config_type(module)}
    roots, found = [vf.env_config_type(module)], []
    for part in path:
        found = (
            [own[part]]
            if part in own and path[0] == part
            else [m.model_fields[part].annotation for m in roots if part in m.model_fields]
        )
        own = {}
        roots = [model for annotation in found for model in models(annotation)]
    return found


@pytest.mark.long
def test_the_flags_are_resolved_as_they_should_be(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "environments" / "math_python"))
    assert annotations("math_python", ["taskset", "task", "tools", "memory_mb"]) == [int]
    assert (
        annotations("math_python", ["taskset", "no_such_field"])
        == []
        == annotations("math_python", ["agent", "runtime", "no_such"])
    )
    runtimes = set().union(
        *(
            legal(found) or set()
            for found in annotations("math_python", ["agent", "runtime", "type"])
        )
    )
    assert {"subprocess", "docker", "podman", "prime"} <= runtimes


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_flag_of_a_readme_is_a_field_of_the_configuration(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    module = next(path.parent.name for path in folder.glob("*/__init__.py"))
    text = (folder / "README.md").read_text()
    assert FLAG.search(text), "a README says how to change something"
    for place, dotted, value in FLAG.findall(text):
        path = dotted.rstrip(".").replace("-", "_").split(".")
        found = annotations(module, [*(["agent", "runtime"] if place == "runtime" else []), *path])
        assert found, f"--{place}.{dotted}"
        allowed = [legal(annotation) for annotation in found]
        if value and None not in allowed:
            assert value in set().union(*allowed), (
                f"--{place}.{dotted} {value}: legal are {allowed}"
            )
    sys.modules.pop(module, None)
