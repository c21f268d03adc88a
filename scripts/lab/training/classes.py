"""What an environment's own config classes accept, read from its source without running it.

`read(folder)` walks the syntax tree of the package: every class that derives from a
TasksetConfig or TaskConfig, its annotated fields with defaults and Literal choices, and the
seats of its Env config. `lab.training.classes_live` asks the imported classes instead.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from lab.training.rules.base import EnvironmentClasses

BASE_TASKSET = {"id": {"type": "str"}, "system_prompt": {"type": ""}, "task": {"type": ""}}
TASK_FIELDS = ("judges", "stops", "metrics", "rewards")


def read(folder: Path, module: str) -> EnvironmentClasses | None:
    """The classes of the package `module` in `folder`; None when there is no such package, or when
    a config class has a base from elsewhere, whose fields are not in this source."""
    root = folder / module
    files = sorted(root.rglob("*.py")) if root.is_dir() else [folder / f"{module}.py"]
    classes: dict[str, ast.ClassDef] = {}
    for file in files:
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (OSError, SyntaxError, ValueError):
            continue
        classes.update({node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)})
    if not classes:
        return None
    if not _complete(classes):
        return None
    fields: dict[str, dict[str, Any]] = {}
    task_fields: list[str] = []
    seats: list[str] = []
    for name, node in classes.items():
        if _derives(node, classes, "TasksetConfig"):
            fields.update(_fields(node))
        elif _derives(node, classes, "TaskConfig"):
            task_fields += list(_fields(node))
        elif _derives(node, classes, "EnvConfig") or name.endswith("EnvConfig"):
            seats += [key for key, field in _fields(node).items() if "AgentConfig" in str(field["type"])]
    fields = {**fields, **{key: value for key, value in BASE_TASKSET.items() if key in ("system_prompt",)}}
    return EnvironmentClasses(
        module=module,
        fields=fields,
        seats=tuple(dict.fromkeys(seats)) or ("agent",),
        task_fields=(*TASK_FIELDS, *task_fields),
        read_from=f"the source of {module}",
    )


def _complete(classes: dict[str, ast.ClassDef]) -> bool:
    """Whether every class that looks like a config rests on classes of this source or of verifiers."""
    own = {"TasksetConfig", "TaskConfig", "ToolsetConfig", "SingleAgentEnvConfig", "EnvConfig", "JudgeConfig", "HarnessConfig", "AgentConfig", "BaseModel", "BaseConfig"}
    for name, node in classes.items():
        bases = [ast.unparse(base).split("[", 1)[0].rsplit(".", 1)[-1] for base in node.bases]
        if (name.endswith("Config") or any(base.endswith("Config") for base in bases)) and any(base not in own and base not in classes for base in bases):
            return False
    return True


def _derives(node: ast.ClassDef, classes: dict[str, ast.ClassDef], root: str, depth: int = 0) -> bool:
    for base in node.bases:
        name = ast.unparse(base).split("[", 1)[0].rsplit(".", 1)[-1]
        if name == root or (name.endswith(root) and root == "EnvConfig"):
            return True
        if name in classes and depth < 8 and _derives(classes[name], classes, root, depth + 1):
            return True
    return False


def _fields(node: ast.ClassDef) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for item in node.body:
        if not (isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)) or item.target.id.startswith("_"):
            continue
        annotation = ast.unparse(item.annotation)
        if annotation.startswith("ClassVar"):
            continue
        field: dict[str, Any] = {"type": annotation, "default": _literal(item.value), "choices": None}
        subscript = item.annotation
        if isinstance(subscript, ast.Subscript) and ast.unparse(subscript.value).endswith("Literal"):
            items = subscript.slice.elts if isinstance(subscript.slice, ast.Tuple) else [subscript.slice]
            field["choices"] = [choice for choice in map(_literal, items) if choice is not None]
        found[item.target.id] = field
    return found


def _literal(node: ast.expr | None) -> Any:
    try:
        return ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None


def renderers() -> dict[str, str] | None:
    """model -> renderer from the installed `renderers` package, read without importing it."""
    from importlib.util import find_spec

    spec = find_spec("renderers")
    if spec is None or not spec.submodule_search_locations:
        return None
    file = Path(next(iter(spec.submodule_search_locations))) / "base.py"
    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except (OSError, SyntaxError):
        return None
    for node in tree.body:
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Name) and target.id == "MODEL_RENDERER_MAP" and node.value is not None:
            value = _literal(node.value)
            return value if isinstance(value, dict) else None
    return None
