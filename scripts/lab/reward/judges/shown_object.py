"""A verdict for each of several criteria, in the JSON object that a judge's prompt shows.

filled({"results": [{"criterion": "string", "met": True}]}, 2, True, (0, 1), "…")
# {"results": [{"criterion": "…", "met": true}, {"criterion": "…", "met": true}]}
filled({"points": [True, False], "formal": True}, 3, False, (0, 1), "…")
# {"points": [false, false, false], "formal": false}
filled({"points": {"clear": "yes|no", "invented": "yes|no"}}, 1, True, (0, 1), "…")
# {"points": {"clear": "yes", "invented": "no"}}
filled({"points": [{"nr": 1, "met": True}], "wrong": 0}, 2, True, (0, 1), "…")
# {"points": [{"nr": 1, "met": true}, {"nr": 2, "met": true}], "wrong": 0}
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from lab.reward.judges.words import better

VALUE = r"(?<=[:\[])(\s*)[\"<]*{}[\">]*(?=\s*[,}}\]])"
BOOLEAN = re.compile(
    VALUE.format(r"(?:bool(?:ean)?|true\s*(?:/|\||or)\s*false|true|false)"), re.IGNORECASE
)
NUMBER = re.compile(
    VALUE.format(r"(?:int(?:eger)?|float|number|score|grade|rating|[nx]|\d+\s*[-–]\s*\d+)"),
    re.IGNORECASE,
)
QUOTED = re.compile(r"[\"'`“]([^\W\d_][\w -]{1,23})[\"'`”]")
FAULT = re.compile(
    r"contradict|halluc|error|mistake|violat|unsupported|invent|fabricat|fault|refus", re.IGNORECASE
)
"""A key whose `true` speaks against the reply."""
PAIRED = re.compile(r"([^\W\d_]{1,12})\s*(?:[|/]|\bor\b)\s*([^\W\d_]{1,12})")
PLAIN = ("yes", "no", "true", "false")
"""Words that say nothing of good or bad beside a key that names a fault."""
SO_ON = re.compile(r"(?<=:)\s*\{\s*(?:\.\.\.|…)\s*\}")
"""An object that is like the one before it: `"tone": {...}`."""
INNERMOST = re.compile(r"\{[^{}]*\}")
MORE = re.compile(r",?\s*(?:\.\.\.|…)")
STAND_IN = 0.125
"""A number that stands for one that the prompt describes."""
LONGEST = 4000


def shown_object(prompt: str) -> dict[str, Any] | None:
    """The last object that the prompt shows, with true for every boolean, where it lists verdicts
    or objects with a verdict each, or has several numbers."""
    for start in reversed([found.start() for found in re.finditer(r"\{", prompt[-LONGEST:])]):
        text = SO_ON.sub(_one_before, _balanced(prompt[-LONGEST:][start:]))
        text = MORE.sub("", NUMBER.sub(rf"\g<1>{STAND_IN}", BOOLEAN.sub(r"\1true", text)))
        try:
            value = json.loads(text)
        except ValueError:
            continue
        numbers = [inner for inner in value.values() if inner == STAND_IN]
        words = listed_words(prompt, value)
        if len(numbers) > 1 or any(_judged(inner, words) for inner in value.values()):
            return dict(value)
    return None


def _one_before(place: re.Match[str]) -> str:
    before = [one for one in INNERMOST.findall(place.string[: place.start()]) if ":" in one]
    return before[-1] if before else place[0]


def _balanced(text: str) -> str:
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return text[: i + 1]
    return ""


def words_of(prompt: str, keys: Iterable[str], listed: Collection[str]) -> list[str]:
    """The words of a verdict, from the best to the worst as the prompt quotes them, `"full" if ...;
    "partial" if ...; "none" if ...`: those from the first that is `listed` on, without `keys`."""
    known = set(keys)
    quoted = [word for word in dict.fromkeys(QUOTED.findall(prompt)) if word not in known]
    first = next((n for n, word in enumerate(quoted) if word in listed), len(quoted))
    return quoted[first:]


def listed_words(prompt: str, value: dict[str, Any]) -> list[str]:
    """The words of the verdicts that an object lists; [] where there are no two."""
    lists = (one for one in value.values() if isinstance(one, list))
    listed = {one for items in lists for one in items if isinstance(one, str)}
    words = words_of(prompt, value, listed)
    return words if len(words) > 1 else []


def _judged(value: Any, words: Sequence[str]) -> bool:
    """Whether it is a list of booleans, numbers or words, or of objects that have a boolean or
    number each; or has such an object for each of several keys."""
    if isinstance(value, dict):
        each = [
            _paired(one) or (isinstance(one, dict) and _judged([one], ())) for one in value.values()
        ]
        return len(each) > 1 and all(each)
    if not (isinstance(value, list) and value):
        return False
    parts = value[0].values() if isinstance(value[0], dict) else value[:1]
    verdict = any(isinstance(one, (bool, float, int)) for one in parts)
    return verdict or (isinstance(value[0], str) and value[0] in words)


def _paired(value: Any) -> tuple[str, str] | None:
    """The better and the worse one of the two words that are shown as a value."""
    found = PAIRED.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return None
    return better(*found.groups())


def _is_literal(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _has_flags(value: Any) -> bool:
    """Whether the verdicts are booleans, so that a number beside them is none: the place of one, or
    how many faults there are."""
    if isinstance(value, dict):
        return any(isinstance(one, bool) or _has_flags(one) for one in value.values())
    return isinstance(value, list) and any(map(_has_flags, value))


def _numbered(item: Any, place: int) -> Any:
    """An item of a list whose first one has the number 1 or 0, at its place."""
    if not isinstance(item, dict) or not _has_flags(item):
        return item
    return {k: v + place if _is_literal(v) and v in (0, 1) else v for k, v in item.items()}


def _said(key: str, value: Any, right: bool) -> Any:
    """The verdict under a key that shows a boolean or two words; None under others."""
    fault = bool(FAULT.search(key))
    if isinstance(value, bool):
        return right != fault
    pair = _paired(value)
    return pair and pair[right == (fault and pair[0].lower() in PLAIN)]


def filled(
    value: Any,
    count: int,
    right: bool,
    ends: tuple[float, float],
    why: str,
    words: Sequence[str] = (),
) -> Any:
    """The object with one verdict: `ends` are those of the scale of its numbers, `words` the best
    verdict, others, and the worst one."""
    if isinstance(value, dict):
        return {
            key: said
            if (said := _said(key, one, right)) is not None
            else one
            if _is_literal(one) and _has_flags(value)
            else filled(one, count, right, ends, why, words)
            for key, one in value.items()
        }
    if isinstance(value, list):
        one = filled(value[0], count, right, ends, why, words) if value else None
        return [_numbered(one, n) for n in range(count)] if _judged(value, words) else []
    if isinstance(value, bool):
        return right
    if isinstance(value, str) and value in words:
        return words[0 if right else -1]
    return ends[right] if isinstance(value, (int, float)) else why
