"""Whether the reward looks for calls by a name that a tool has.

A toolset's prefix is part of the name that the model sees: `read_tag` of a toolset with the prefix
`plant` is called `plant_read_tag`. A reward that compares with the method's own name sees no call.
"""

from __future__ import annotations

from lab.cli.report import Check, Finding
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN

NAMES = Check(
    "reward.tool_names",
    title="calls are looked for by the names that the tools have",
    expected="each compared name is a tool's",
    reason="A call that is looked for by another name is never found: what it is paid for is lost.",
    source="verifiers: TOOL_PREFIX is part of a tool's name",
)


def finding(b: Brief) -> Finding:
    tools = b.description.tools
    if not tools or not b.tokens.called:
        return NAMES.skip("no tools, or no name of a call is compared")
    unknown = {
        word: tool
        for word in b.tokens.called
        for tool in tools
        if word not in tools and tool.endswith(f"_{word}")
    }
    if not unknown or b.tokens.cuts_names:
        return NAMES.ok(measured=f"{len(b.tokens.called)} names")
    word, tool = next(iter(unknown.items()))
    return NAMES.fail(
        measured=word,
        evidence=f"the code compares the name of a call with '{word}'; the model's tool is "
        f"'{tool}'",
        fix=f"compare with '{tool}', or set TOOL_PREFIX = None ({DESIGN}#tools)",
        severity="critical",
        direction="false_negative",
    )
