"""Refusals that hold the words of an approval: what a careless reader of verdicts takes for one."""

from __future__ import annotations

import json
import re

from lab.reward.judges.scales import top_of
from lab.reward.judges.verdicts import TAIL, WHY

LAST = re.compile(
    r"\b(?:last|final) (?:line|word)\b|\b(?:end|finish|close|conclude)\w* (?:\w+ ){0,3}with\b"
    r"|\bon the last\b|\bat the (?:very )?end\b|\bthen (?:give|write|state|name|add|put)\b",
    re.IGNORECASE,
)
"""A prompt that wants the verdict at the end."""
QUOTED = re.compile(
    r"\b(?:quot\w+|cit(?:e|es|ing)|copy|copied|repeat|verbatim|word for word)\b", re.IGNORECASE
)
"""A prompt that wants words of the reply in the judge's own."""


def quoted_approval(prompt: str, good: str, bad: str) -> str:
    """A refusal that quotes from the reply the words of an approval, before the verdict; "" where
    the prompt does not ask for a quotation and for the verdict at the end, or below it."""
    asked = QUOTED.search(prompt[-TAIL:]) and (LAST.search(prompt[-TAIL:]) or _below(prompt, bad))
    short = good != bad and not any("\n" in said or "{" in said for said in (good, bad))
    return f'The reply says "{good}".\n{bad}' if asked and short else ""


def _below(prompt: str, bad: str) -> bool:
    """Whether the prompt has a line for a quotation, and the verdict's line below it."""
    label = bad.split(":")[0] + ":"
    lines = prompt[-TAIL:].splitlines()
    quoting = [n for n, line in enumerate(lines) if ":" in line and QUOTED.search(line)]
    verdicts = [n for n, line in enumerate(lines) if line.lstrip(" *-").startswith(label)]
    return bool(quoting and verdicts) and ":" in bad and max(verdicts) > min(quoting)


def refusal(prompt: str, bad: str) -> list[str]:
    """A clear no whose reasons mention the words of approval, before the verdict and after it."""
    why = (
        f"One might say yes, that it is correct and worth a {top_of(prompt)}; "
        "but it does not agree with the reference."
    )
    if bad.lstrip().startswith("{"):
        said = json.loads(bad)
        texts = [key for key, value in said.items() if value == WHY]
        return [json.dumps({**said, texts[0]: why})] if texts else []
    return [f"{why}\n{bad}", f"{bad}\n{why}"]
