"""Expressions of an environment's code that may have another value in every Python process.

varying(path)       # ["hash()", "list of a set"]; [] where its tasks depend on the data alone
"""

from __future__ import annotations

import ast
from pathlib import Path

from lab.reward.formats.source import called, trees

SEEDED = {"Random", "RandomState", "default_rng", "Generator", "seed", "setstate", "getstate"}
"""Of a module `random`: what takes a seed."""
EACH_TIME = {"uuid1", "uuid4", "urandom", "token_hex", "token_urlsafe", "randbelow"}
IN_ORDER = {"list", "tuple", "enumerate", "iter", "zip", "join", "choice", "sample", "choices"}
"""What keeps the order of what it is given."""


def varying(path: Path) -> list[str]:
    """What in the code of a module file or a folder may differ between processes, each once."""
    return list(dict.fromkeys(one for tree in trees(path) for one in _of(tree)))


def _of(tree: ast.AST) -> list[str]:
    nodes = list(ast.walk(tree))
    sets = {
        target.id
        for node in nodes
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value and _is_set(node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    return [said for node in nodes if (said := _said(node, sets))]


def _said(node: ast.AST, sets: set[str]) -> str:
    if isinstance(node, (ast.For, ast.comprehension)) and _ordered(node.iter, sets):
        return "a loop over a set"
    if not isinstance(node, ast.Call):
        return ""
    name, given = called(node), bool(node.args or node.keywords)
    if name in IN_ORDER and any(_ordered(one, sets) for one in node.args):
        return f"{name} of a set"
    if name in EACH_TIME or (name == "hash" and isinstance(node.func, ast.Name)):
        return f"{name}()"
    if name in SEEDED:
        return "" if given or name == "getstate" else f"{name}() without a seed"
    if isinstance(node.func, ast.Attribute) and _last(node.func.value) == "random":
        return f"random.{name}()"
    return ""


def _is_set(node: ast.AST) -> bool:
    made = isinstance(node, ast.Call) and called(node) in ("set", "frozenset")
    return made or isinstance(node, (ast.Set, ast.SetComp))


def _ordered(node: ast.AST, sets: set[str]) -> bool:
    return _is_set(node) or (isinstance(node, ast.Name) and node.id in sets)


def _last(node: ast.AST) -> str:
    return getattr(node, "attr", "") or getattr(node, "id", "")
