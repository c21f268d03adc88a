"""Something else that is done or undone beside a right rollout: another booking made or cancelled.

What there is to be undone is read from the answers of the tools themselves; it counts only where
the tool says something else of it than of what nowhere is, and does not refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lab.reward.brief import Brief
from lab.reward.interactive.calls import NOWHERE, answered, required, sensible
from lab.reward.interactive.messages import Call, calls_made, conversation
from lab.reward.productions.base import Variant, Variants, production

UNDOES = re.compile(
    r"(?:^|_)(?:cancel|delete|remove|drop|clear|discard|archive|void|revoke|unbook|release)(?:$|_)"
)
"""Names of tools that take away what is there."""
MAKES = re.compile(r"^(?:create|add|book|make|reserve|schedule|place|insert|register)(?:$|_)")
"""Names of tools that make something that was not there."""
NAMES = re.compile(
    r"\b(?=[\w.-]*\d)[A-Za-z][\w.-]{0,23}\b|\b\d{1,8}\b|(?<=['\"])[\w./ -]{2,40}(?=['\"])"
)
"""What a tool may call a thing: `ev-04`, `1003`, a text in quotes."""
KEPT = re.compile(
    r"\b(?:nothing else|no other \w+) (?:may|must|should|is|are|was|were|has|have|changes?)\b"
    r"|\b(?:exactly|only) what (?:is|was|they|the (?:user|customer|request))\b"
    r"|\b(?:untouched|unchanged)\b"
    r"|\b(?:others?|else|rest|everything)\b[^.\n]{0,60}\b(?:stays?|remains?|kept|keep|alone"
    r"|as (?:it|they) (?:is|was|are|were)|leave|in place|not be (?:changed|touched))\b",
    re.IGNORECASE,
)
"""Words by which prompt or README ask to leave the rest as it is."""
REFUSED = re.compile(
    r"\b(?:error(?!s?[\"']?\s*[:=]\s*(?:null|none|false|\"\"|''|\[\]))"
    r"|fail(?:s|ed|ure)?|can ?not|can't|could not|couldn't|unable|invalid|denied|refused"
    r"|already|(?:is|are|was) not|not (?:allowed|permitted|possible))\b|\b(?:ok|success)\W+false",
    re.IGNORECASE,
)
"""Words of a tool that has changed nothing."""
MOST_TOOLS, MOST_NAMES, MOST = 6, 12, 2


def _unsaid(b: Brief) -> bool:
    shown = b.tasks[0].shown if b.tasks else ""
    return KEPT.search(f"{shown}\n{b.readme}") is None


BESIDES: dict[str, Any] = {
    "needs_gold": False,
    "whole": True,
    "least_golds": 1,
    "all_of_it": True,
    "sure": True,
    "section": "other-calls",
    "judgement": _unsaid,
    "fix": "compare the whole state with the one that the task wants, and not only what was asked "
    "for",
}


def _besides(whole: Sequence[dict[str, Any]], call: Call, name: str) -> Variant:
    """The right rollout with one call more, before its last message."""
    more = conversation([call], first=len(calls_made(list(whole))))[:-1]
    return Variant(name, [*whole[:-1], *more, *whole[-1:]])


@production(
    "undone_besides",
    title="a right rollout that undoes something else besides is not paid like the right one",
    **BESIDES,
    reason="Where only what is asked for is compared, all the rest may be destroyed on the way.",
    source="arXiv 2406.12045: tau-bench compares the whole database; own cases: calendars, desks",
)
def undone_besides(b: Brief, task: int) -> Variants:
    whole = b.whole(task)
    own = calls_made(whole or "")
    if not own or isinstance(whole, str) or whole is None:
        return
    used = {str(value) for _, arguments in own for value in arguments.values()}
    undone = (call for call in _undoing(b, task) if not used & set(map(str, call[1].values())))
    for (tool, arguments), _ in zip(undone, range(MOST), strict=False):
        thing = next(iter(arguments.values()))
        yield _besides(whole, (tool, arguments), f"{tool} of {thing} besides")


@production(
    "made_besides",
    title="a right rollout that makes something else besides is not paid like the right one",
    **BESIDES,
    reason="Where only what is asked for is looked for, making everything is the safest policy.",
    source="arXiv 2406.12045: tau-bench compares the whole database",
)
def made_besides(b: Brief, task: int) -> Variants:
    """Calls that make what another task wants, where the tool does not refuse it."""
    whole = b.whole(task)
    own = calls_made(whole or "")
    if not own or isinstance(whole, str) or whole is None:
        return
    others = [call for one in b.right.whole.values() for call in calls_made(one)]
    made = [call for call in others if MAKES.search(call[0]) and call not in own]
    said = ((call, answered(b.play, task, call)) for call in made[:MOST_NAMES])
    fitting = (call for call, told in said if told and not REFUSED.search(told))
    for call, _ in zip(fitting, range(MOST), strict=False):
        yield _besides(whole, call, f"{call[0]} for another task besides")


def _undoing(b: Brief, task: int) -> Iterator[Call]:
    """Calls that take away something that is there."""
    schemas = b.description.schemas
    tools = {name: needs for name, s in schemas.items() if len(needs := required(s)) == 1}
    undoing = [name for name in tools if UNDOES.search(name)]
    if not undoing:
        return
    names = _names(b, task)
    for tool in undoing:
        (parameter,) = tools[tool]
        kind = (schemas[tool].get("properties") or {}).get(parameter) or {}
        lost = answered(b.play, task, (tool, {parameter: _as(f"zq{NOWHERE}", kind)}))
        for name in names:
            call = (tool, {parameter: _as(name, kind)})
            said = "" if name in lost else answered(b.play, task, call)
            if said not in ("", lost) and not REFUSED.search(said):
                yield call


def _names(b: Brief, task: int) -> list[str]:
    """What the answers of the tools that take nothing away name, and the prompt does not."""
    found: dict[str, None] = {}
    for tool, schema in list(b.description.schemas.items())[:MOST_TOOLS]:
        if not UNDOES.search(tool):
            every = (tool, dict[str, Any]())
            call = sensible(tool, schema, b.tasks[task]) if schema.get("required") else every
            found |= dict.fromkeys(NAMES.findall(answered(b.play, task, call)))
    return [name for name in found if name not in b.tasks[task].prompt][:MOST_NAMES]


def _as(name: str, kind: dict[str, Any]) -> Any:
    if kind.get("type") in ("integer", "number"):
        return int(name) if name.isdigit() else 10 * NOWHERE
    return name
