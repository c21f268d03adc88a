"""Whether each tool can be called at all: an error of its own code in every call.

A tool's exception reaches the model as a text, in both APIs: nothing fails, the model learns to do
without the tool.
"""

from __future__ import annotations

import re

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Environment
from lab.reward.brief import Brief
from lab.reward.interactive.calls import sensible
from lab.reward.interactive.messages import DONE, conversation
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
TASKS, MOST_TOOLS = 3, 24


def finding(b: Brief, env: Environment) -> Finding:
    schemas = list(b.description.schemas.items())[:MOST_TOOLS]
    if not schemas:
        return RUNS.skip("no tools, or none that can be called here")
    broken: dict[str, str] = {}
    for tool, schema in schemas:
        errors = []
        for task in spread(len(b.tasks), TASKS):
            call = conversation([sensible(tool, schema, b.tasks[task])], DONE)
            errors.append(_own_error(tool, env.watch(task, call).errors))
        if all(errors):
            broken[tool] = errors[0]
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


def _own_error(tool: str, errors: list[str]) -> str:
    """The error of the tool's own code; "" where a call ended without one."""
    found = (one for one in errors if BROKEN.match(one))
    return next((one for one in found if tool.endswith(BROKEN.sub("", one).split(":")[0])), "")
