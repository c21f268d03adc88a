"""The `pyproject.toml` of somebody's package: read, with what is asked of it later of the type that
it should be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lab.cli.files import LARGEST_SETTINGS, parse_toml, read_plain
from lab.cli.report import LabError, usage
from lab.cli.untrusted import excerpt

TABLES = ("project", "build-system", "tool")
TEXTS = ("name", "version", "requires-python", "description")
LISTS = ("dependencies", "dynamic", "tags", "keywords", "classifiers")
TEXT_OR_TABLE = ("license", "readme")
NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
"""The packaging standard's names. Folders are named after it, so another one could lead outside."""


def read_pyproject(file: Path) -> dict[str, Any]:
    """The tables of `file`. A usage error (exit 2) where it is no TOML, or a key that we read has
    another type than the packaging standard gives it."""
    try:
        data = parse_toml(read_plain(file, LARGEST_SETTINGS))
    except ValueError as error:
        raise usage(
            f"{file} is not valid TOML: {excerpt(error)}",
            "correct that line",
            id="input.invalid_toml",
        ) from None
    for key in TABLES:
        if not isinstance(data.get(key, {}), dict):
            raise _of_type(file, key, "a table")
    project = data.get("project", {})
    for key in TEXTS:
        if not isinstance(project.get(key, ""), str):
            raise _of_type(file, f"project.{key}", "a text")
    if "name" in project and not NAME.fullmatch(project["name"]):
        raise usage(
            f"{file}: project.name = {excerpt(project['name'], 60)!r} is no name of a package",
            "use letters, digits, - . and _, with a letter or a digit at both ends",
            id="input.invalid_toml",
        )
    for key in LISTS:
        value = project.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _of_type(file, f"project.{key}", "a list of texts")
    for key in TEXT_OR_TABLE:
        if not isinstance(project.get(key, ""), str | dict):
            raise _of_type(file, f"project.{key}", "a text or a table")
    return data


def _of_type(file: Path, key: str, kind: str) -> LabError:
    return usage(f"{file}: {key} is not {kind}", f"make it {kind}", id="input.invalid_toml")
