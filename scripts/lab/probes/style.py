"""The ways to write an answer: those that the prompt hints at, and those people know.

A hint is a tag, `####`, `\\boxed{}`, a label, a JSON key, a quoted example with a placeholder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from lab.environment import Task

LEAD = "Let me think about this."
ANSWER_TAGS = ("answer", "final_answer", "final", "label", "guess", "output", "solution", "result", "response", "choice", "verdict", "move", "action", "code", "sql", "json")
THINK_TAGS = ("think", "thinking", "reasoning", "reason", "thought", "scratchpad", "analysis", "explanation", "rationale", "plan", "work")
LABELS = r"(?:the\s+)?(?:final\s+|correct\s+|my\s+)?(?:answer|label|result|category|choice|output|verdict|sentiment|class|solution|guess|total|prediction|response)"
PLACEHOLDER = re.compile(
    r"<[a-z][a-z _-]{1,30}>|\[[a-z][a-z '_-]{1,30}\]|\{[a-z][a-z _-]{1,30}\}|\.\.\.|…|_{3,}|(?<![A-Za-z])(?:X|N|YYYY-MM-DD|ANSWER|NUMBER|LETTER|VALUE)(?![A-Za-z])"
)
PAIRED = re.compile(r"([\[{(|]{1,2}[\w ]{1,24}[\]})|]{1,2})[^\n]{0,40}?([\[{(|]{1,2}[/\\][\w ]{1,24}[\]})|]{1,2})")
"""Marks like tags in other brackets: `[TIME]` and `[/TIME]`."""
MARKS = (("<<", ">>"), ("{{", "}}"), ("((", "))"), ("||", "||"), ("$$", "$$"), ("@@", "@@"), ("##", "##"), ("__", "__"), ("[", "]"), ("(", ")"), ("`", "`"))
LABELLED = re.compile(r"(?:^|[\"'`“(]|\b(?:with|as|like|form|format|line|write|by)\s+)([A-Za-z]\w*(?: \w+){0,2}\s?(?::|=|->|=>))([ \t]?)(?=[^\s/])", re.MULTILINE)
"""A label with an example behind it, in quotes, after `with` or `as`, or at the start of a line."""
QUOTED = re.compile(r"\"([^\"\n]{1,80})\"|`([^`\n]{1,80})`|'([^'\n]{3,80})'|“([^”\n]{1,80})”")


@dataclass(frozen=True)
class Style:
    """A way to write an answer: `lead` (reasoning), then the answer between `before` and `after`."""

    name: str
    before: str = ""
    after: str = ""
    lead: str = LEAD
    think: tuple[str, str] = ("", "")
    end: str = ""
    """What follows the slot (a format that wants a last newline)."""
    hinted: bool = False
    language: str = ""
    """Of the fence in which every gold stands."""
    escape: Callable[[str], str] | None = field(default=None, compare=False)

    def slot(self, answer: str) -> str:
        """The answer in its place, without anything around."""
        return f"{self.before}{self.escape(answer) if self.escape else answer}{self.after}"

    def write(self, answer: str, reasoning: str = "") -> str:
        """A whole completion; `reasoning` stands in place of the style's own lead."""
        said = reasoning or self.lead
        if self.think[0]:
            said = f"{self.think[0]}{said or LEAD}{self.think[1]}"
        return (f"{said}\n" if said else "") + self.slot(answer) + self.end

    def wrap(self, body: str) -> str:
        """`body` in place of the slot: for completions with two slots, or with none."""
        return self.write("\0").replace(self.slot("\0"), body) if self.slot("\0") in self.write("\0") else body

    def floorless(self, answer: str) -> str:
        """The answer without the asked format: what a model that ignores the format writes."""
        if not self.before and not self.after:
            return f"I would say that it comes to {answer}, more or less; hard to tell."
        return f"{LEAD} So I would say that it comes to {answer}."

    @property
    def slotted(self) -> bool:
        """Whether the answer stands in marks that a second answer could stand in too."""
        return bool(self.before.strip() or self.after.strip())


def styles(tasks: Sequence[Task]) -> list[Style]:
    """The ways that the prompts hint at, then the ways people know."""
    shared = shared_text(tasks)
    hinted = [replace(style, hinted=True) for style in _hinted(shared)]
    known = [
        Style("plain", lead=""),
        *_tags("answer", ""),
        *_tags("answer", "think"),
        *_tags("answer", "reasoning"),
        Style("in \\boxed{}", "\\boxed{", "}"),
        Style("after ####", "#### "),
        Style("after Answer:", "Answer: "),
        Style("after Final answer:", "Final answer: "),
        Style("plain, after reasoning"),
        Style("as JSON answer", '{"answer": ', "}", lead="", escape=json.dumps),
        Style("in double brackets", "[[", "]]"),
        Style("in a code block", "```python\n", "\n```"),
    ]
    # Bare marks say least: a bracket may just be a bracket, and counts where no other way is paid as well.
    bare = [Style(f"between {a} and {b}", a, b, hinted=True) for a, b in MARKS if len(a) == 1 and re.search(rf"{re.escape(a)}[^\n{re.escape(a + b)}]{{1,30}}{re.escape(b)}", shared)]
    unique: dict[tuple[str, ...], Style] = {}
    for style in [*hinted, *known, *bare]:
        unique.setdefault((style.before, style.after, style.lead, *style.think, style.end), style)
    return list(unique.values())


def shared_text(tasks: Sequence[Task]) -> str:
    """What every prompt says: the system prompt and the lines that all prompts have in common."""
    if not tasks:
        return ""
    system = tasks[0].system
    lines = [line for line in tasks[0].prompt.splitlines() if all(line in task.prompt for task in tasks[:6])]
    # A prompt on one line carries its instructions before or after the question.
    ends = [_common([task.prompt for task in tasks[:6]]), _common([task.prompt[::-1] for task in tasks[:6]])[::-1]]
    return "\n".join([system, *lines, *ends] if len(tasks) > 1 else [tasks[0].shown])


def _common(texts: Sequence[str]) -> str:
    shortest = min(texts, key=len)
    length = next((i for i, char in enumerate(shortest) if any(text[i] != char for text in texts)), len(shortest))
    return shortest[:length]


def _hinted(text: str) -> list[Style]:
    """The hinted styles in the order of the text's last mention: formats stand at its end."""
    found: list[tuple[int, list[Style]]] = []
    tags = list(dict.fromkeys(re.findall(r"<([A-Za-z][\w-]{0,30})>", text)))
    closed = [tag for tag in tags if f"</{tag}>" in text] or [t for t in tags if t.lower() in ANSWER_TAGS]
    if closed:
        answer = next((tag for tag in reversed(closed) if tag.lower() in ANSWER_TAGS), None)
        answer = answer or next((tag for tag in reversed(closed) if tag.lower() not in THINK_TAGS), closed[-1])
        think = next((tag for tag in closed if tag != answer and tag.lower() in THINK_TAGS), "")
        think = think or next((tag for tag in closed if tag != answer), "")
        ways = [*_tags(answer, think), *(_tags(answer, "") if think else [])]
        found.append((text.rfind(f"<{answer}>"), ways))
    if "\\boxed" in text:
        found.append((text.rfind("\\boxed"), [Style("in \\boxed{}", "\\boxed{", "}"), Style("in $\\boxed{}$", "$\\boxed{", "}$")]))
    if "####" in text:
        found.append((text.rfind("####"), [Style("after ####", "#### ")]))
    if "```" in text or re.search(r"code (?:block|fence)|fenced", text, re.IGNORECASE):
        language = (re.findall(r"```(\w+)", text) or ["python"])[-1]
        found.append((text.rfind("```"), [Style("in a code block", f"```{language}\n", "\n```")]))
    keys = re.findall(r"[\"'](\w+)[\"']\s*:", text)
    if keys and "{" in text:
        key = next((k for k in reversed(keys) if k.lower() in (*ANSWER_TAGS, "value", "category", "sentiment")), keys[-1])
        before = "".join(f'"{k}": "{LEAD}", ' for k in dict.fromkeys(keys) if k != key)
        way = Style(f"as JSON {key}", f'{{{before}"{key}": ', "}", lead="", escape=json.dumps)
        found.append((text.rfind(f'"{key}"'), [way, replace(way, escape=None, name=f"as bare JSON {key}")]))
    for match in re.finditer(rf"(?:^|[\s\"'`*(])(\*\*)?({LABELS}\s*(?::|=|\bis\b:?))", text, re.IGNORECASE):
        label = match[2].strip()
        bold = "**" if match[1] else ""
        found.append((match.start(2), [Style(f"after {label}", f"{label} ", lead=lead) for lead in (LEAD, "")]
                      + ([Style(f"after {bold}{label}{bold}", f"{bold}{label}{bold} ")] if bold else [])))  # fmt: skip
    for match in QUOTED.finditer(text):
        snippet = next(group for group in match.groups() if group)
        found += [(match.start(), way) for way in _template(snippet)]
    for line in text.splitlines():
        if len(line) <= 60 and PLACEHOLDER.search(line) and not line.rstrip().endswith("?"):
            found += [(text.rfind(line), way) for way in _template(line.strip())]
    for match in LABELLED.finditer(text):
        before = match[1] + match[2]
        found.append((match.start(1), [Style(f"after {match[1]}", before, lead=lead) for lead in (LEAD, "")]))
    for match in PAIRED.finditer(text):
        found.append((match.start(), [Style(f"between {match[1]} and {match[2]}", match[1], match[2], lead=lead) for lead in (LEAD, "")]))
    if "**" in text or re.search(r"\bbold\b", text, re.IGNORECASE):
        found.append((max(text.find("**"), text.lower().find("bold")), [Style("in bold", "**", "**", lead=lead) for lead in (LEAD, "")]))
    if re.search(r"\b(?:only|just|nothing (?:else|but)|single (?:word|letter|number)|with one of|no other text)\b", text, re.IGNORECASE):
        found.append((-1, [Style("plain", lead="")]))
    found.sort(key=lambda item: -item[0])
    named = [style for _, ways in found for style in ways][:20]
    marks = [(a, b) for a, b in MARKS if re.search(rf"{re.escape(a)}[^\n{re.escape(a[0] + b[0])}]{{1,30}}{re.escape(b)}", text)]
    return named + [Style(f"between {a} and {b}", a, b) for a, b in marks[:4] if len(a) > 1]


def _template(snippet: str) -> list[list[Style]]:
    """A quoted example with a placeholder, such as `ANSWER = <number>` or "It is [city]."."""
    places = list(PLACEHOLDER.finditer(snippet))
    if not places or re.fullmatch(r"</?[\w -]+>", snippet.strip()):
        return []
    place = places[-1]
    before, after = snippet[: place.start()], snippet[place.end() :]
    if not (before + after).strip() or "<" in before + after or len(before) > 60:
        return []
    return [[Style(f"as {snippet.strip()}", before.lstrip(), after.rstrip(), lead=lead) for lead in (LEAD, "")]]


def _tags(answer: str, think: str) -> list[Style]:
    left, right = f"<{answer}>", f"</{answer}>"
    if not think:
        return [Style(f"in <{answer}>", left, right), Style(f"in <{answer}> on lines of its own", f"{left}\n", f"\n{right}", end="\n")]
    inside = (f"<{think}>", f"</{think}>")
    lined = (f"<{think}>\n", f"\n</{think}>")
    return [
        Style(f"in <{answer}> after <{think}>", left, right, think=inside),
        Style(f"in <{answer}> after <{think}>, on lines of their own", f"{left}\n", f"\n{right}", think=lined),
        Style(f"in <{answer}> after <{think}>, with a last newline", f"{left}\n", f"\n{right}", think=lined, end="\n"),
    ]
