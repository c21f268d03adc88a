"""What spends or publishes has one place in the source each, and nothing else starts the client."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from run_script import SCRIPTS


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """Every node of every script and module, with its file."""
    return [
        (str(path.relative_to(SCRIPTS)), node)
        for path in SCRIPTS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
    ]


def places(matches) -> set[str]:
    return {name for name, node in nodes() if matches(node)}


def calls(owner: str, name: str):
    def matches(node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == name
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == owner
        )

    return matches


def begins(*words: str):
    """A list, tuple or call whose first arguments are these strings: a command of the client."""

    def matches(node: ast.AST) -> bool:
        parts = (
            node.args
            if isinstance(node, ast.Call)
            else node.elts
            if isinstance(node, (ast.List, ast.Tuple))
            else []
        )
        return [
            part.value for part in parts[: len(words)] if isinstance(part, ast.Constant)
        ] == list(words)

    return matches


READ_ONLY = {
    "list",
    "get",
    "models",
    "metrics",
    "rollouts",
    "progress",
    "distributions",
    "usage",
    "logs",
    "validate",
    "checkpoints",
}


def starts_training(node: ast.AST) -> bool:
    parts = (
        node.args
        if isinstance(node, ast.Call)
        else node.elts
        if isinstance(node, (ast.List, ast.Tuple))
        else []
    )
    if (
        not parts
        or not isinstance(parts[0], ast.Constant)
        or parts[0].value != "train"
        or len(parts) < 2
    ):
        return False
    second = parts[1].value if isinstance(parts[1], ast.Constant) else None
    return second not in READ_ONLY and not (
        isinstance(node, (ast.List, ast.Tuple))
        and second in (None, "eval")
        and all(isinstance(p, ast.Constant) for p in parts)
    )


@pytest.mark.long
def test_one_place_starts_a_run_and_one_publishes():
    speaks = places(
        lambda node: (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("lab.platform.prime")
        )
    )
    assert places(starts_training) & speaks == {"lab/platform/prime/runs.py"}, (
        "the others are paths in a training file"
    )
    assert places(begins("env", "push")) == {"lab/platform/prime/hub.py"}
    assert places(calls("runs", "submit")) == {"lab/platform/submission/send.py"}
    assert places(calls("send", "submit_once")) == {"lab/platform/submission/flow.py"}
    assert places(calls("hub", "push")) == {"lab/platform/package/publish.py"}


def test_only_the_client_module_starts_the_client():
    def names_prime(node: ast.AST) -> bool:
        return isinstance(node, ast.Constant) and node.value == "prime"

    def starts(node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr
            in ("Popen", "run", "call", "check_call", "check_output", "system", "execvp")
            and any(names_prime(inner) for inner in ast.walk(node))
        )

    assert places(starts) == set()
    assert "lab/platform/prime/client.py" in places(
        lambda node: isinstance(node, ast.Attribute) and node.attr == "Popen"
    )
    shells = places(
        lambda node: (
            isinstance(node, ast.keyword)
            and node.arg == "shell"
            and not (isinstance(node.value, ast.Constant) and node.value.value is False)
        )
    )
    assert shells == set(), "nothing reaches a shell"
    assert places(calls("os", "system")) == set()
