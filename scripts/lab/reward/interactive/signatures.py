"""Tools as a model gets them, in lines: `find(city: string)` and what it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MOST_TOOLS, LONGEST_TOOL = 24, 300
REFUSED = re.compile(
    r"Traceback|\A[^\n]{0,60}\b(?:error|invalid|unknown|not found)\b", re.IGNORECASE
)
"""A reply that says only that the words of a prompt are nothing for this tool."""


def described(schemas: Mapping[str, Mapping[str, Any]]) -> str:
    """The tools as a model gets them: name, parameters, description."""
    lines = [
        line for name, schema in list(schemas.items())[:MOST_TOOLS] for line in _of(name, schema)
    ]
    left = len(schemas) - MOST_TOOLS
    return "\n".join([*lines, *([f"[... {left} more tools]"] if left > 0 else [])])


def _of(name: str, schema: Mapping[str, Any]) -> list[str]:
    given = schema.get("properties")
    properties = given if isinstance(given, Mapping) else {}
    wanted = ", ".join(_parameter(key, kind) for key, kind in properties.items())
    said = " ".join(str(schema.get("description") or "").split())
    cut = said if len(said) <= LONGEST_TOOL else said[:LONGEST_TOOL] + " ..."
    return [f"{name}({wanted})", *([f"    {cut}"] if cut else [])]


def _parameter(name: str, kind: Any) -> str:
    kind = kind if isinstance(kind, Mapping) else {}
    choices = kind.get("enum")
    if isinstance(choices, list):
        return f"{name}: one of {', '.join(map(str, choices[:12]))}"
    return f"{name}: {kind['type']}" if isinstance(kind.get("type"), str) else name
