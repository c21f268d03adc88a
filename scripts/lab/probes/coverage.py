"""The 42 families of exploits, and which check probes each: read from the checks' own sources.

    probed()["E06"]        # ["reward.echo"]

A family that no check names, and that UNPROBED gives no reason for, is a hole.
"""

from __future__ import annotations

import re

from lab.report import CATALOGUE

EXPLOITS = {
    "E01": "an empty answer", "E02": "a gold that normalises to nothing", "E03": "several answers in one slot", "E04": "several slots",
    "E05": "listing every answer", "E06": "echo of the prompt", "E07": "a short gold inside other words", "E08": "a part of the gold",
    "E09": "a denied answer outside the slot", "E10": "a hedge inside the slot", "E11": "symbolic junk around the gold", "E12": "NaN, infinity, almost the number",
    "E13": "the format without content", "E14": "hundreds of tags", "E15": "bare structure and keywords", "E16": "length", "E17": "repetition",
    "E18": "an answer only in the reasoning", "E19": "role names and invented turns", "E20": "speaking to the judge", "E21": "master keys of judges",
    "E22": "patterns that judges like", "E23": "self-praise and rubric words", "E24": "look-alikes and odd digits", "E25": "another language",
    "E26": "code that passes trivially", "E27": "code that ends the process", "E28": "values that equal everything", "E29": "code that fakes the verdict",
    "E30": "code that never ends or eats everything", "E31": "tool calls that do nothing", "E32": "leaving early, or never", "E33": "an answer after the end",
    "E34": "the right value by a forbidden way", "E35": "one completion for all tasks", "E36": "the gold of another task", "E37": "a prompt that shows its gold",
    "E38": "content that breaks the parser", "E39": "luck: the same completion earns differently", "E40": "state between rollouts", "E41": "a reward that is no number",
    "E42": "tasks that can be guessed",
}  # fmt: skip
UNPROBED: dict[str, str] = {}
"""Families without a check, with the reason. None at present."""


def probed() -> dict[str, list[str]]:
    """Per family the ids of the checks whose source names it. Needs the probes imported (`lab.probes.audit`)."""
    found: dict[str, list[str]] = {id: [] for id in EXPLOITS}
    for check in CATALOGUE.values():
        named = set(re.findall(r"\bE\d\d\b", check.source))
        for first, last in re.findall(r"\bE(\d\d) to E(\d\d)\b", check.source):
            named |= {f"E{n:02}" for n in range(int(first), int(last) + 1)}
        for id in named & set(EXPLOITS):
            found[id].append(check.id)
    return {id: sorted(ids) for id, ids in found.items()}


def table() -> list[str]:
    """The families as lines of a Markdown table, with their checks."""
    checks = probed()
    lines = ["| family | exploit | checks |", "|---|---|---|"]
    return lines + [f"| {id} | {name} | {', '.join(f'`{check}`' for check in checks[id]) or UNPROBED.get(id, '')} |" for id, name in EXPLOITS.items()]
