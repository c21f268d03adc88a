"""A verdict for each of several criteria, in the JSON object that a judge's prompt shows.

filled({"results": [{"criterion": "string", "met": True}]}, 2, True, (0, 1), "…")
# {"results": [{"criterion": "…", "met": true}, {"criterion": "…", "met": true}]}
filled({"points": [True, False], "formal": True}, 3, False, (0, 1), "…")
# {"points": [false, false, false], "formal": false}
"""

from __future__ import annotations

import json
import re
from typing import Any

VALUE = r"(?<=[:\[])(\s*)[\"<]*{}[\">]*(?=\s*[,}}\]])"
BOOLEAN = re.compile(
    VALUE.format(r"(?:bool(?:ean)?|true\s*(?:/|\||or)\s*false|true|false)"), re.IGNORECASE
)
NUMBER = re.compile(VALUE.format(r"(?:int(?:eger)?|float|number|\d+\s*[-–]\s*\d+)"), re.IGNORECASE)
MORE = re.compile(r",?\s*(?:\.\.\.|…)")
STAND_IN = 0.125
"""A number that stands for one that the prompt describes."""
LONGEST = 4000


def shown_object(prompt: str) -> dict[str, Any] | None:
    """The last object that the prompt shows, with true for every boolean, where it lists verdicts
    or objects with a verdict each."""
    for start in reversed([found.start() for found in re.finditer(r"\{", prompt[-LONGEST:])]):
        text = _balanced(prompt[-LONGEST:][start:])
        text = MORE.sub("", NUMBER.sub(rf"\g<1>{STAND_IN}", BOOLEAN.sub(r"\1true", text)))
        try:
            value = json.loads(text)
        except ValueError:
            continue
        if any(_judged(inner) for inner in value.values()):
            return dict(value)
    return None


def _balanced(text: str) -> str:
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return text[: i + 1]
    return ""


def _judged(value: Any) -> bool:
    """Whether it is a list of booleans or numbers, or of objects that have one each."""
    if not (isinstance(value, list) and value):
        return False
    parts = value[0].values() if isinstance(value[0], dict) else value[:1]
    return any(isinstance(one, (bool, float, int)) for one in parts)


def filled(value: Any, count: int, right: bool, ends: tuple[float, float], why: str) -> Any:
    """The object with one verdict: `ends` are those of the scale of its numbers."""
    if isinstance(value, dict):
        return {key: filled(one, count, right, ends, why) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(value[0], count, right, ends, why)] * count if _judged(value) else []
    if isinstance(value, bool):
        return right
    return ends[right] if isinstance(value, (int, float)) else why
