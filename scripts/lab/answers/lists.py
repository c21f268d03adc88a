"""A list answer as it is written: its members, and what joins them.

    read("[2] [4]")                       -> (["2", "4"], "brackets")
    write(["Oslo", "Rome"], "numbered")   -> "1. Oslo\\n2. Rome"
    hinted("cite like `[1] [3]`")         -> ["brackets"]

How an environment wants its list is seen in the example of its prompt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from lab.answers.extract import loads
from lab.answers.numbers import parse_number

SEPARATORS = (" > ", " -> ", " → ", " < ", "; ", " | ")
_BRACKETS = re.compile(r"\[([^\[\],]{1,40})\](?:[ ,]*(?:and )?\[([^\[\],]{1,40})\])*")
_NUMBERED = re.compile(r"(?m)^\s*\d{1,2}[.)]\s+(\S.*?)\s*$")
_BULLETS = re.compile(r"(?m)^\s*[-*•]\s+(\S.*?)\s*$")


def read(text: str) -> tuple[list[str], str] | None:
    """(members, how they are joined) of a list of plain values; None for anything else."""
    text = text.strip()
    value = loads(text) if text[:1] == "[" else None
    if isinstance(value, list):
        return _read_json(value, text)
    if _BRACKETS.fullmatch(text):
        return [item.strip() for item in re.findall(r"\[([^\[\]]+)\]", text)], "brackets"
    lines = [line for line in text.splitlines() if line.strip()]
    if _is_record(text, lines):
        return None
    for pattern, name in ((_NUMBERED, "numbered"), (_BULLETS, "bullets")):
        if lines and len(pattern.findall(text)) == len(lines):
            return pattern.findall(text), name
    if "\n" in text:
        return [line.strip() for line in lines], "\n"
    joint = next((separator for separator in SEPARATORS if separator in text), ", ")
    items = [item.strip() for item in text.split(joint.strip()) if item.strip()]
    return (items, joint) if items else None


def _is_record(text: str, lines: list[str]) -> bool:
    """Whether a text is an object, or a table: what is in it has its place."""
    if text[:1] == "{":
        return isinstance(loads(text), dict)
    return len(lines) > 1 and all(line.lstrip().startswith("|") for line in lines)


def _read_json(value: list[Any], text: str) -> tuple[list[str], str] | None:
    plain = bool(value) and all(isinstance(item, (str, int, float)) for item in value)
    if plain and not ("] [" in text or "][" in text):
        return [str(item) for item in value], "JSON"
    return None


def write(items: Sequence[str], joint: str, like: str = "") -> str:
    """The members joined as `joint` says; `like` is a text whose quoting of numbers is kept
    (JSON)."""
    if joint == "JSON":
        bare = all(parse_number(item) is not None for item in items) and '"' not in like
        return "[" + ", ".join(items) + "]" if bare else json.dumps(list(items), ensure_ascii=False)
    if joint == "brackets":
        return " ".join(f"[{item}]" for item in items)
    if joint == "numbered":
        return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    if joint == "bullets":
        return "\n".join(f"- {item}" for item in items)
    return joint.join(items)


def hinted(shown: str) -> list[str]:
    """The joints beside commas, lines and JSON that the words or the example of a prompt ask
    for."""
    found = []
    if re.search(r"\[\w{1,12}\][ ,]*(?:and )?\[\w{1,12}\]", shown):
        found.append("brackets")
    if re.search(
        r"\bnumbered (?:list|lines|items)\b|(?:^|[`'\"\n])\s*1[.)] [\w<\[{]", shown, re.IGNORECASE
    ):
        found.append("numbered")
    if re.search(
        r"\bbullet(?:ed)? (?:list|points?|lines)\b|(?:^|[`'\"\n])\s*[-*•] [\w<\[{]",
        shown,
        re.IGNORECASE,
    ):
        found.append("bullets")
    return found + [joint for joint in SEPARATORS if re.search(rf"\w{re.escape(joint)}\w", shown)]


EXAMPLE = re.compile(r"^[^\n:：]{1,30}[:：][ \t]*(\S[^\n]*)$", re.MULTILINE)
SIGNS = (", ", "; ", " | ", " -> ", " → ", "/", ";", ",", "-", " ")


def of_example(prompt: str) -> str:
    """The sign between the members of a prompt's last labelled line: `Answer: c4, d3`; "" where it
    has none."""
    last = EXAMPLE.findall(prompt)[-1:]
    return next(
        (sign for text in last for sign in SIGNS if re.search(rf"\S{re.escape(sign)}\S", text)), ""
    )
