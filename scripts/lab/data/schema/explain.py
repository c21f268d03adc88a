"""Why a field was taken for prompt, answer or context, or was not: every hint with its effect."""

from __future__ import annotations

from typing import Any

from lab.data.schema.answer import ANSWERS
from lab.data.schema.detect import candidates
from lab.data.schema.hints import NEVER, judge, judged
from lab.data.schema.prompt import CONTEXTS, PROMPTS


def explained(
    rows: list[dict[str, Any]], types: dict[str, str], names: dict[str, list[str]], path: str
) -> list[str]:
    """One line for each decision about the field at `path`, and one for each hint that applied.

    LabError (exit 2) when the rows have no such field.
    """
    table, answers, prompts = candidates(rows, types, names)
    field = table.at(path)
    lines: list[str] = []
    shown_beside = judged(CONTEXTS, table)
    for role, ranked in ((ANSWERS, answers), (PROMPTS, prompts), (CONTEXTS, shown_beside)):
        known = {hint.name: f": {hint.why}" for hint in role.hints}
        found = judge(role, field, table)
        place = next((i for i, one in enumerate(ranked, 1) if one.path == path), None)
        rank = f"place {place} of {len(ranked)}" if place else "no candidate"
        lines.append(f"as the {role.name}: {max(0.0, found.score):.2f}, {rank}")
        for name, effect in found.reasons:
            shown = "rules it out" if effect < NEVER / 2 else f"{effect:+.2f}"
            lines.append(f"  {shown} {name}{known.get(name, '')}")
    return lines
