"""Find an environment by folder, module file or installed name, and tell which API it has and which
Python runs it.

Nothing is imported: the API follows from what the code contains (a module-level
`load_environment` is classic, an exported `Taskset` subclass is taskset), because requirement
strings and command names mislead (an unpinned `verifiers` says nothing).
"""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from lab.cli.pyproject import read_pyproject
from lab.cli.report import LabError, missing, usage

TASKSET, CLASSIC = "taskset", "classic"


@dataclass(frozen=True)
class Location:
    """Where an environment is and how it is imported."""

    name: str
    """The id that verifiers resolves: the distribution's name, else the module's."""
    module: str
    path: Path
    """The folder with pyproject.toml (or the module file, or the installed package folder)."""
    import_path: Path | None
    """What must be on PYTHONPATH; None for an installed one."""
    api: str
    """`taskset` (verifiers 0.4) or `classic` (verifiers 0.1.10 to 0.3.1)."""

    @property
    def local(self) -> bool:
        return self.import_path is not None


def locate(name: str, *, cwd: Path | None = None) -> Location:
    """The environment `name`: a folder, a .py file, a name under ./environments, or an installed
    one.

    Raises a usage error (exit 2) that names the places looked at.
    """
    cwd = cwd or Path.cwd()
    path = place_of(name, cwd=cwd).resolve()
    if path.is_dir():
        return _folder(path)
    if path.is_file():
        if path.suffix != ".py":
            raise usage(
                f"{name} is a file, but not a Python module",
                "give the environment's folder or its .py file",
                id="input.not_an_environment",
            )
        return _module_file(path)
    module = module_name(name)
    if re.fullmatch(r"([\w.-]+/)?[\w.-]+(@[\w.-]+)?", name):
        found = _installed(name, module) or _installed_classic(name, module)
        if found:
            return found
    raise usage(
        f"no environment {name!r}: no such folder or file, nothing under environments/, not "
        f"installed as {module!r}",
        "give the folder that holds its pyproject.toml, or write one with "
        "scripts/new_environment.py",
        id="input.missing_environment",
    )


def place_of(name: str, *, cwd: Path | None = None) -> Path:
    """The folder or file that a name means: a path, as it stands or spelt as its module
    (`environments/word-problems` is environments/word_problems), or a name below ./environments;
    the path as it stands where there is none of these."""
    path = (cwd or Path()) / name
    below = path.parent / "environments"
    places = [path.parent / module_name(path.name)] if path.name else []
    if "/" not in name:
        places += [below / module_name(name), below / name]
    return path if path.exists() else next((one for one in places if one.is_dir()), path)


def only_one_here(flag: str) -> Path:
    """The one environment of this folder; a usage error names `flag` where there are none or
    several."""
    found = sorted(path.parent for path in Path("environments").glob("*/pyproject.toml"))
    if len(found) == 1:
        return found[0]
    there = ", ".join(path.name for path in found) or "none"
    raise usage(
        f"which environment? There are {len(found)} here: {there}",
        f"name one: {flag} {found[0] if found else 'ENV'}",
        id="input.several_environments" if found else "input.missing_environment",
    )


def module_name(name: str) -> str:
    """The module that verifiers imports for an id (`owner/My-Env@1.0` -> `my_env`)."""
    return name.rstrip("/").rsplit("/", 1)[-1].split("@", 1)[0].replace("-", "_").lower()


def _folder(folder: Path) -> Location:
    project = folder / "pyproject.toml"
    if (folder / "__init__.py").is_file() and not project.is_file():
        # The inner package folder was named: the environment is the folder around it.
        if (folder.parent / "pyproject.toml").is_file():
            return _folder(folder.parent)
        return _describe(folder.name, folder.name, folder, folder.parent, folder)
    name, module = folder.name, module_name(folder.name)
    if project.is_file():
        name = read_pyproject(project).get("project", {}).get("name") or name
        module = module_name(name)
    if code := _code(folder, module):
        return _describe(name, module, folder, code.parent, code)
    written = name.replace("-", "_")
    if (code := _code(folder, written)) and api_of(code) == CLASSIC:
        # The classic library imports a name as it is written; a taskset's is made lower case.
        return _describe(name, written, folder, code.parent, code)
    found = sorted(
        [p.parent.name for p in folder.glob("*/__init__.py")]
        + [p.name for p in folder.glob("*.py")]
    )
    raise usage(
        f"{folder} holds no module {module!r}; found {', '.join(found) or 'no Python code'}",
        f"the module must be named like the project ({name} -> {module}.py or "
        f"{module}/__init__.py)",
        id="input.not_an_environment",
    )


def _code(folder: Path, module: str) -> Path | None:
    """The package or the file of `module` in the folder, or in its `src`."""
    for root in (folder, folder / "src"):
        for code in (root / module, root / f"{module}.py"):
            if code.is_file() or (code / "__init__.py").is_file():
                return code
    return None


def _module_file(path: Path) -> Location:
    if path.name == "__init__.py":
        return _folder(path.parent)
    project = path.parent / "pyproject.toml"
    return _describe(
        path.stem, path.stem, path.parent if project.is_file() else path, path.parent, path
    )


def _describe(name: str, module: str, path: Path, import_path: Path | None, code: Path) -> Location:
    return Location(name, module, path, import_path, api_of(code))


def _installed(name: str, module: str) -> Location | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.origin or spec.origin in ("built-in", "frozen"):
        return None
    origin = Path(spec.origin)
    code = origin.parent if origin.name == "__init__.py" else origin
    try:
        metadata.distribution(module)
    except metadata.PackageNotFoundError:
        if "site-packages" not in code.parts:
            return None  # a module of the standard library, or of the folder we stand in
    return _describe(name.split("@")[0], module, code, None, code)


def _installed_classic(name: str, module: str) -> Location | None:
    """A package that is installed where the classic verifiers is, if there is such a place."""
    from lab.environment import classic

    try:
        python = classic.python()
    except LabError:
        return None
    code = (
        "import importlib.util as u, sys; s = u.find_spec(sys.argv[1]); "
        "print(s.origin if s and s.origin else '')"
    )
    done = subprocess.run(
        [python, "-I", "-c", code, module], capture_output=True, text=True, timeout=30, check=False
    )
    origin = Path(done.stdout.strip()) if done.stdout.strip() else None
    if origin is None or "site-packages" not in origin.parts:
        return None
    path = origin.parent if origin.name == "__init__.py" else origin
    return _describe(name.split("@")[0], module, path, None, path)


def api_of(code: Path) -> str:
    """`taskset` or `classic`, from the syntax trees of a module file or a package folder."""
    classic = False
    for path in sorted(code.rglob("*.py")) if code.is_dir() else [code]:
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError, ValueError) as error:
            where = f"{path.name} line {getattr(error, 'lineno', '?')}"
            raise missing(
                f"the environment's code does not parse: {where}: {getattr(error, 'msg', error)}",
                f"mend {path}",
                id="environment.syntax",
            ) from None
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(
                _last_name(base) == "Taskset" for base in node.bases
            ):
                return TASKSET
        classic = classic or any(
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.name == "load_environment"
            for node in tree.body
        )
    if classic:
        return CLASSIC
    raise usage(
        f"{code} defines neither a Taskset subclass nor load_environment()",
        "an environment exports one vf.Taskset subclass in __all__ (see "
        "references/environment_guide.md)",
        id="input.not_an_environment",
    )


def _last_name(base: ast.expr) -> str:
    while isinstance(base, ast.Subscript):
        base = base.value
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def interpreter(api: str) -> str:
    """The Python that runs environments of this API: ours for tasksets, the classic one for
    classic."""
    if api != CLASSIC:
        return sys.executable
    from lab.environment.classic import python

    return python()
