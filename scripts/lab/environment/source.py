"""What the source of an environment says: of a module, of a signal, of a tool."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

ACTS = re.compile(r"tool_calls|tool_messages|\bstate\b|\bruntime\b")


def code_of(module: str) -> list[str]:
    """The folder of a package, or the file of a module."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return [os.path.dirname(file) + os.sep if file.endswith("__init__.py") else file]  # noqa: PTH120


def modules_of(roots: tuple[str, ...]) -> Iterator[ModuleType]:
    """The loaded modules whose file is at one of these places."""
    for module in list(sys.modules.values()):
        if str(getattr(module, "__file__", None) or "").startswith(roots):
            yield module


def parameters(fn: Any) -> list[str]:
    """The names of a tool's parameters; none where they cannot be read."""
    try:
        return [name for name in inspect.signature(fn).parameters if name != "self"]
    except (TypeError, ValueError):
        return []


def acts(fn: Any) -> bool:
    """Whether the source of a reward looks at what was done, beside what was said."""
    try:
        return bool(ACTS.search(inspect.getsource(fn)))
    except (OSError, TypeError):
        return False


def shadowing(vf: Any, task: Any) -> list[str]:
    """Signals that carry the name of something that the library's Task has itself."""
    return [
        fn.__name__
        for fn in (*task.hooks("reward"), *task.hooks("metric"))
        if hasattr(vf.Task, fn.__name__)
    ]


def recorded(env: type, module: str) -> str:
    """The name of the environment's own Env class where it records rewards itself."""
    own = [
        cls
        for cls in env.__mro__
        if cls.__module__ == module or cls.__module__.startswith(f"{module}.")
    ]
    for cls in own:
        with contextlib.suppress(OSError, TypeError):  # no source, no word about it
            if "record_reward(" in inspect.getsource(cls):
                return cls.__name__
    return ""


def runs_scripts(task: type) -> bool:
    """Whether the module of a task's class runs PEP 723 scripts in the runtime."""
    try:
        return "_uv_script(" in inspect.getsource(sys.modules[task.__module__])
    except (OSError, TypeError, KeyError):
        return False


def needs_runtime(fn: Any) -> bool:
    """Whether a signal cannot be scored without a runtime."""
    parameter = inspect.signature(fn).parameters.get("runtime")
    return parameter is not None and parameter.default is inspect.Parameter.empty
