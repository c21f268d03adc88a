"""Whether each tool can be called at all: an error of its own code in every call.

A tool's exception reaches the model as a text, in both APIs: nothing fails, the model learns to do
without the tool.
"""

from __future__ import annotations

import re
from typing import Any

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Environment
from lab.reward.brief import Brief
from lab.reward.interactive.calls import sensible
from lab.reward.interactive.messages import DONE, Call, conversation
from lab.reward.interactive.ways import spread
from lab.reward.productions.base import DESIGN

RUNS = Check(
    "reward.tool_runs",
    title="each tool can be called",
    expected="no tool whose own code fails in every call",
    reason="The model is told of the error and goes on without the tool; no score shows it.",
    source="verifiers: an exception in a tool is a message to the model",
)
BROKEN = re.compile(
    r"(?:TypeError|NameError|UnboundLocalError|AttributeError|ImportError|ModuleNotFoundError) in "
)
"""Errors that no value of the schema's own type should bring about."""
TASKS, MOST_TOOLS, TOLD = 3, 24, 60
"""Tasks and tools that are tried, and characters of an error that its message must have."""


def finding(b: Brief, env: Environment) -> Finding:
    schemas = list(b.description.schemas.items())[:MOST_TOOLS]
    if not schemas:
        return RUNS.skip("no tools, or none that can be called here")
    before, env.prelude = env.prelude, {}  # each call by itself, whatever an answer needs first
    try:
        broken = _broken(b, env, schemas)
    finally:
        env.prelude = before
    if not broken:
        return RUNS.ok(measured=f"{len(schemas)} tools")
    tool, error = next(iter(broken.items()))
    return RUNS.fail(
        measured=", ".join(broken),
        evidence=f"every call of {tool} ends in {excerpt(error, 160)}",
        fix=f"call the tool once by hand and repair it ({DESIGN}#tools)",
        severity="critical",
        direction="false_negative",
    )


def _broken(b: Brief, env: Environment, schemas: list[tuple[str, Any]]) -> dict[str, str]:
    """By tool the error, of those that fail on each of the tasks tried."""
    broken: dict[str, str] = {}
    for tool, schema in schemas:
        errors = []
        for task in spread(len(b.tasks), TASKS):
            errors.append(_error(env, tool, task, sensible(tool, schema, b.tasks[task])))
            if not errors[-1]:
                break
        if all(errors):
            broken[tool] = errors[0]
    return broken


def _error(env: Environment, tool: str, task: int, call: Call) -> str:
    """The error of the tool's own code that the model is told of; "" where the call ended without
    one, or where the code handled it."""
    rollout = conversation([call], DONE)
    for error in env.watch(task, rollout).errors:
        where, _, message = BROKEN.sub("", error).partition(": ")
        if BROKEN.match(error) and tool.endswith(where):
            played = env.play(task, [rollout])
            told = [str(one.get("content")) for each in played for one in each.messages]
            return error if any(message[:TOLD] in one for one in told) else ""
    return ""
