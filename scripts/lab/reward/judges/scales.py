"""The scale of grades that a judge's prompt names: its ends, and a verdict with another number."""

from __future__ import annotations

import re

SCALE = re.compile(
    r"\b(0|1)(?:\.0)?(?:\s*\([^()]{0,80}\))?"
    r"(?:\s*(?:-|to|and|–|through|bis|à|до|到|から)\s*|\s+a\s+)(\d+(?:\.0)?)"
)
"""A scale in words: `from 1 (worst) to 5`. `0a6f` is a random mark, and none."""
SAID = r"(?:\s*\([^()\n]{1,60}\))?"
COUNTED_OUT = re.compile(rf"\b([01]){SAID}(?:,\s*\d{SAID})*,?\s+or\s+(\d)\b")
"""A scale whose grades are counted out: `0, 1 or 2`, `0 (missed), 1 (in part) or 2 (met)`."""
LETTER_GRADES = re.compile(r"\b(A)\+?\s*(?:-|–|to|through)\s*([C-F])\b")
"""A scale of school grades: `a letter grade from A to F`."""
RUBRIC = re.compile(
    r"(?:(?:^|[;:,.(\n])[ \t*-]*(?=\d+\**[ \t]*[:–—-])|(?<![\d.])(?=\d+\**[ \t]*=))"
    r"(\d{1,2})\**[ \t]*[=:–—-][ \t]*[^\W\d]",
    re.MULTILINE,
)
"""A grade with what it stands for: `4 = says all of it; 3 = ...`."""
LEAST_GRADES = 3


def _scale(text: str) -> tuple[float, float]:
    """The ends of the scale that the prompt names, or whose grades it lists; else 0 and 1."""
    if found := SCALE.findall(text):
        return float(found[-1][0]), float(found[-1][1])
    if found := COUNTED_OUT.findall(text):
        return float(found[-1][0]), float(found[-1][1])
    grades = sorted({int(number) for number in RUBRIC.findall(text)})
    listed = len(grades) >= LEAST_GRADES and grades == list(range(grades[0], grades[-1] + 1))
    return (grades[0], grades[-1]) if listed and grades[0] <= 1 else (0.0, 1.0)


def top_of(text: str) -> int | float:
    """The upper end of the scale that the prompt names; 1 without one."""
    top = _scale(text)[1]
    return int(top) if top > 1 else 1


def bottom_of(text: str) -> int:
    """The lower end of the scale that the prompt names; 0 without one."""
    low, top = _scale(text)
    return int(low) if top > 1 else 0


def letter_grade(text: str, prompt: str, right: bool) -> str:
    """The best or the worst school grade of the scale that the prompt names; "" without one."""
    found = LETTER_GRADES.findall(prompt)
    return str(found[-1][0 if right else 1]) if found and not re.search(r"\d", text) else ""


def numbered(said: str, number: float) -> str:
    """A verdict with another number: `评分:5` with 7 is `评分:7`; "" where it has none."""
    places = list(re.finditer(r"(?<![\w.])\d+(?:\.\d+)?", said))
    return f"{said[: places[-1].start()]}{number:g}{said[places[-1].end() :]}" if places else ""
