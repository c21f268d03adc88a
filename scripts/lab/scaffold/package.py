"""`Scaffold`: a package made of a template: copied, renamed, its defaults and README filled in.

A template is a runnable package `templates/PATTERN`, so nothing in it is a placeholder. Renaming
replaces its three spellings (`x_template`, `x-template`, `XTemplate`) in file names and text;
configuration is set by rewriting the default of a declared field, `    name: type = default`.
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import re
import shutil
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from lab import SKILL
from lab.cli.folders import beside, move
from lab.cli.report import missing, usage
from lab.cli.secrets import kind_of_secret
from lab.scaffold.form_reward import form_reward, set_form_reward

TEMPLATES = SKILL / "templates"
MOST_BUNDLED = 25 << 20
"""Bytes of rows that a package may contain; more belongs on the dataset hub."""

COMPANIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "code": {
        "reference_field": (
            "canonical_solution",
            "reference_solution",
            "ground_truth_solution",
            "solution",
            "solutions",
            "code",
            "reference",
        ),
        "entry_field": ("entry_point", "entry_function", "function_name", "fn_name", "func_name"),
    },
    "free_text_judge": {
        "rubric_field": ("rubric", "rubrics", "criteria", "grading_criteria", "checklist")
    },
    "structured_output": {"schema_field": ("json_schema", "response_schema", "output_schema")},
}
"""Per template: what else of a row it can use, and the columns that may hold it, best first."""


def companions(pattern: str, columns: Iterable[str], taken: Iterable[str]) -> dict[str, str | None]:
    """The template's further fields and the columns that hold them; None where there is none."""
    free = [column for column in columns if column not in set(taken)]
    return {
        field: next((name for name in names if name in free), None)
        for field, names in COMPANIONS.get(pattern, {}).items()
    }


def patterns() -> list[str]:
    """The templates there are."""
    return sorted(p.name for p in TEMPLATES.iterdir() if (p / "pyproject.toml").is_file())


def check_name(name: str) -> str:
    """The module name for `name`; a usage error when verifiers or Python would not find it."""
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,49}", module) or module.endswith("_") or "__" in module:
        raise usage(
            f"{name!r} cannot be an environment's name",
            "use 2 to 50 lower-case letters, digits and hyphens, starting with a letter, for "
            "example word-problems",
            id="input.name",
        )
    taken = module in sys.stdlib_module_names or keyword.iskeyword(module)
    if not taken and "site-packages" in (getattr(_spec(module), "origin", None) or ""):
        taken = True
    if taken or _bundled(module):
        raise usage(
            f"{name!r} is already the name of a Python module, and verifiers would import that one",
            f"choose another name, for example {name}-env",
            id="input.name",
        )
    return module


def _bundled(module: str) -> bool:
    """Whether verifiers brings a taskset of this name; its folder says so in no time, an import of
    `verifiers.v1` takes seconds."""
    folders = getattr(_spec("verifiers"), "submodule_search_locations", None) or ()
    names = (module, f"{module}.py")
    return any(
        Path(folder, "v1", "tasksets", name).exists() for folder in folders for name in names
    )


def _spec(module: str) -> Any:
    try:
        return importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None


class Scaffold:
    """A package in the making, in a temporary folder beside its place; `finish` moves it there."""

    def __init__(self, pattern: str, name: str, into: Path):
        if pattern not in patterns():
            raise usage(
                f"there is no template {pattern!r}",
                f"legal: {', '.join(patterns())}",
                id="input.pattern",
            )
        self.name, self.module, self.pattern = name.replace("_", "-"), check_name(name), pattern
        self.place = into / self.module
        self.keyed: list[tuple[int, str]] = []
        """Rows of the package with what looks like a key: their places, and of which kind."""
        self._stack = ExitStack()
        holder = self._stack.enter_context(beside(self.place, f"the making of {self.place}"))
        self.folder = holder / self.module
        with self._stack.pop_all() as stack:
            shutil.copytree(
                TEMPLATES / pattern,
                self.folder,
                symlinks=False,
                ignore=shutil.ignore_patterns("__pycache__", ".*", "*.egg-info", "dist", "tests"),
            )
            self._rename()
            self._stack = stack.pop_all()

    @property
    def package(self) -> Path:
        return self.folder / self.module

    def _rename(self) -> None:
        old = f"{self.pattern}_template"
        spellings = {
            old: self.module,
            old.replace("_", "-"): self.name,
            _camel(old): _camel(self.module),
        }
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_file() and path.suffix in (".py", ".toml", ".md"):
                text = path.read_text(encoding="utf-8")
                for spelling, new in spellings.items():
                    text = text.replace(spelling, new)
                path.write_text(text, encoding="utf-8")
            if old in path.name:
                path.rename(path.with_name(path.name.replace(old, self.module)))

    def set_defaults(self, values: dict[str, Any]) -> dict[str, Any]:
        """Rewrite the defaults of the config fields in `values`; returns those the template has."""
        done = {}
        for path in sorted(self.package.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for field, value in values.items():
                line = rf"^(    {re.escape(field)}: [^=\n]+ = ).*$"
                new = _literal(value).replace("\\", "\\\\")
                text, count = re.subn(line, rf"\g<1>{new}", text, flags=re.MULTILINE)
                if count:
                    done[field] = value
            path.write_text(text, encoding="utf-8")
        return done

    def write_rows(self, records: Iterable[dict[str, Any]], columns: list[str]) -> int:
        """Put the needed columns of a local dataset into the package; returns how many rows. Rows
        with what looks like a key are counted in `keyed`."""
        target = self.package / "data" / "rows.jsonl"
        target.parent.mkdir(exist_ok=True)
        count = size = 0
        with target.open("w", encoding="utf-8") as out:
            for record in records:
                kept = {key: record.get(key) for key in columns}
                line = json.dumps(kept, ensure_ascii=False, default=str) + "\n"
                size += len(line.encode("utf-8", "surrogatepass"))
                if size > MOST_BUNDLED:
                    raise usage(
                        f"the dataset is larger than the {MOST_BUNDLED >> 20} MB that a package "
                        "may contain",
                        "upload it as a Hugging Face dataset and inspect that id, or take a part "
                        "with --max-rows",
                        id="input.too_large",
                    )
                if kind := kind_of_secret(line):
                    self.keyed.append((count, kind))
                out.write(line.encode("utf-8", "backslashreplace").decode("utf-8"))
                count += 1
        return count

    def write_data(self, name: str, value: Any) -> None:
        """Put a JSON file into the package's data folder."""
        target = self.package / "data" / name
        target.parent.mkdir(exist_ok=True)
        target.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")

    def gold(self) -> str:
        """What the template's README says of the cell that holds the gold."""
        text = (self.folder / "README.md").read_text(encoding="utf-8")
        found = re.search(r"^\| gold \| field `\w+`: ([^;|\n]+?) *[;|]", text, re.MULTILINE)
        if not found:
            raise missing(
                f"templates/{self.pattern}/README.md does not say what the gold is",
                "restore the skill's own templates folder",
                id="template.damaged",
            )
        return found[1]

    def set_readme(self, block: list[str]) -> None:
        """Replace the README's dataset block."""
        path = self.folder / "README.md"
        text = path.read_text(encoding="utf-8")
        new = "<!-- dataset -->\n" + "\n".join(block) + "\n<!-- /dataset -->"
        text, count = re.subn(
            r"<!-- dataset -->.*?<!-- /dataset -->", lambda _: new, text, flags=re.DOTALL
        )
        if count != 1:
            raise missing(
                f"templates/{self.pattern}/README.md has no dataset block",
                "restore the skill's own templates folder",
                id="template.damaged",
            )
        path.write_text(text, encoding="utf-8")

    def set_description(self, description: str) -> None:
        path = self.folder / "pyproject.toml"
        text = path.read_text(encoding="utf-8")
        line = f"description = {json.dumps(description, ensure_ascii=False)}"
        path.write_text(
            re.sub(r"^description = .*$", lambda _: line, text, count=1, flags=re.MULTILINE),
            encoding="utf-8",
        )

    def set_license(self, license: str) -> None:
        """Name the licence (SPDX) in pyproject.toml."""
        path = self.folder / "pyproject.toml"
        text = path.read_text(encoding="utf-8")
        before = "requires-python = "
        line = f"license = {json.dumps(license)}\n"
        path.write_text(text.replace(before, line + before, 1), encoding="utf-8")

    def set_form_reward(self, weight: float) -> None:
        """Pay another part for the form of a reply alone, or nothing."""
        if form_reward(self.package):
            set_form_reward(self.folder, self.package, weight)
        elif weight:
            raise usage(
                f"the template {self.pattern} pays nothing for the form alone",
                "leave --format-reward out, or write such a reward by hand: "
                "references/reward_design.md",
                id="input.format_reward",
            )

    def finish(self, replace: bool) -> Path:
        """Move the package to its place; an existing one goes only with `replace`."""
        if self.place.exists() and not replace:
            raise usage(
                f"{self.place} exists already",
                "choose another name, or replace it with --overwrite",
                id="input.exists",
            )
        move(self.folder, self.place)
        self.discard()
        return self.place

    def discard(self) -> None:
        """Remove what is not in its place."""
        self._stack.close()


def _camel(module: str) -> str:
    return "".join(part.capitalize() for part in module.split("_"))


def _literal(value: Any) -> str:
    """A Python literal in the style of the templates (double quotes)."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value)
