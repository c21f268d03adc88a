"""The formats that prompts ask for: a tag, `####`, `\\\\boxed{}`, a label, a JSON key, an example.

Each finder looks for one sort of hint in what all prompts have in common, and gives formats with
the place of the hint: formats are usually named at the end of the instructions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from lab.environment import Task
from lab.reward.formats.answer_format import LEAD, PLAIN, AnswerFormat, tagged

Placed = tuple[int, list[AnswerFormat]]
ANSWER_TAGS = (
    "answer final_answer final label guess output solution result response choice verdict move"
    " action code sql json"
).split()
THINK_TAGS = (
    "think thinking reasoning reason thought scratchpad analysis explanation rationale plan work"
).split()
LABELS = (
    r"(?:the\s+)?(?:final\s+|correct\s+|my\s+)?(?:answer|label|result|category|choice|output"
    r"|verdict|sentiment|class|solution|guess|total|prediction|response)"
)
CLOCK = re.compile(
    r"(?<!\w)(?:HH|TT|hh|ЧЧ)(?P<minutes>[:.](?:MM|mm|ММ))?"
    r"(?P<joint>\s?[-–]\s?(?=HH|TT|hh|ЧЧ))?(?(joint)(?:HH|TT|hh|ЧЧ)(?:[:.](?:MM|mm|ММ))?)(?!\w)"
)
"""The place of a time of day, or of a span of two: `HH:MM`, `HH-HH`."""
PLACEHOLDER = re.compile(
    rf"{CLOCK.pattern}|"
    r"<[a-z][a-z _-]{1,30}>|\[[a-z][a-z '_-]{1,30}\]|\{[a-z][a-z _-]{1,30}\}|\.\.\.|…|_{3,}"
    r"|(?<![A-Za-z])(?:X|N|YYYY-MM-DD|ANSWER|NUMBER|LETTER|VALUE)(?![A-Za-z])"
)
"""What an example of a prompt writes in the place of the answer."""
PAIRED = re.compile(
    r"([\[{(|]{1,2}[\w ]{1,24}[\]})|]{1,2})[^\n]{0,40}?([\[{(|]{1,2}[/\\][\w ]{1,24}[\]})|]{1,2})"
)
"""Marks like tags in other brackets: `[TIME]` and `[/TIME]`."""
MARKS = (
    ("<<", ">>"),
    ("{{", "}}"),
    ("((", "))"),
    ("||", "||"),
    ("$$", "$$"),
    ("@@", "@@"),
    ("##", "##"),
    ("__", "__"),
    ("【", "】"),
    ("「", "」"),
    ("«", "»"),
    ("[", "]"),
    ("(", ")"),
    ("`", "`"),
)
LABELLED = re.compile(
    r"(?:^|[\"'`“(「«„]|\b(?:with|as|like|form|format|line|write|by)\s+)"
    r"([^\W\d_]\w*(?: \w+){0,2}(?<!\bonly)(?<!\balone)\s?(?::|：|=|->|=>|→))([ \t]?)(?=[^\s/])",
    re.MULTILINE,
)
"""A label with an example behind it: in quotes, after `with` or `as`, or at the start of a line;
`with the note only: no greeting` is none."""
BARE_LABEL = re.compile(r"[\"'`“「«„]([^\W\d_][^\n\"'`”」»:：]{0,30}\s?[:：])\s?[\"'`”」»“]")
"""A label in quotes with nothing behind it, in any language."""
QUOTED = re.compile(
    r"\"([^\"\n]{1,80})\"|`([^`\n]{1,80})`|'([^'\n]{3,80})'|[“„]([^”“\n]{1,80})[”“]"
    r"|「([^」\n]{1,80})」|«([^»\n]{1,80})»"
)
LANGUAGE = re.compile(
    r"language [`\"'](\w+)[`\"']|[`\"'](\w+)[`\"'] (?:code |fenced )*(?:block|fence)"
    r"|fenced (\w+) (?:code )?block"
)
"""The language of a fenced block in words."""
QUESTION = re.compile(r"[^\s.?!][^.?!\n]*\?")
ONLY = re.compile(
    r"\b(?:only|just|nothing (?:else|but)|single (?:word|letter|number)|with one of"
    r"|no other text)\b",
    re.IGNORECASE,
)


MARKED_EXAMPLE = re.compile(r"\\boxed\{[^{}\n]{1,60}\}|<(\w+)>[^<>\n]{1,60}</\1>")


def prompt_formats(tasks: Sequence[Task]) -> list[AnswerFormat]:
    """The formats that the prompts hint at, the last mentioned first; bare marks come last."""
    text = shared_text(tasks)
    placed = [found for find in FINDERS for found in find(text)]
    placed.sort(key=lambda item: -item[0])
    # What stands for other parts of the answer in a template is no mark of its own.
    named = [one for _, formats in placed for one in formats if not _open(one)][:24]
    return [replace(one, hint="prompt") for one in named + _marks(text, double=True)]


def _open(one: AnswerFormat) -> bool:
    return any(dots in one.before + one.after for dots in ("…", "..."))


def bare_marks(tasks: Sequence[Task]) -> list[AnswerFormat]:
    """Single brackets that prompts write something in: they say least."""
    return [replace(one, hint="prompt") for one in _marks(shared_text(tasks), double=False)]


def shown_examples(text: str) -> list[str]:
    """Whole answers that a prompt writes as examples, in their marks: `\\boxed{4.25 L/s}`."""
    return list(dict.fromkeys(match[0] for match in MARKED_EXAMPLE.finditer(text)))[:2]


def shared_text(tasks: Sequence[Task]) -> str:
    """What every prompt says: the system prompt and the lines that all prompts have in common."""
    if not tasks:
        return ""
    if len(tasks) == 1:
        return tasks[0].shown
    first = tasks[:6]
    prompts = [task.prompt for task in first]
    lines = [line for line in prompts[0].splitlines() if all(line in text for text in prompts)]
    # A prompt on one line has its instructions before or after the question.
    ends = [common(prompts), common([text[::-1] for text in prompts])[::-1]]
    return "\n".join([tasks[0].system, *lines, *ends])


def question_of(task: Task, tasks: Sequence[Task]) -> str:
    """What a prompt asks and not every prompt says: its own questions, or all that is its own."""
    others = [one.prompt for one in tasks[:6]]
    own = [line for line in task.prompt.splitlines() if any(line not in text for text in others)]
    return " ".join(QUESTION.findall("\n".join(own))) or "\n".join(own) or task.prompt


def common(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    shortest = min(texts, key=len)
    for i, char in enumerate(shortest):
        if any(text[i] != char for text in texts):
            return shortest[:i]
    return shortest


def quoted(text: str) -> list[str]:
    """What a text has in quotation marks or backticks, in its order."""
    return ["".join(groups) for groups in QUOTED.findall(text)]


def tags_of(text: str) -> list[str]:
    """The names of the tags in a text, each once."""
    return list(dict.fromkeys(re.findall(r"<([^\W\d][\w-]{0,30})>", text)))


def labels_of(text: str) -> list[str]:
    """The labels that begin a line of a text, with their colon or equals sign."""
    return list(dict.fromkeys(re.findall(r"(?m)^[ \t*-]*([^\W\d_][\w -]{0,30}[:：=])", text)))


def _tags(text: str) -> Iterator[Placed]:
    tags = tags_of(text)
    closed = [tag for tag in tags if f"</{tag}>" in text]
    closed = closed or [tag for tag in tags if tag.lower() in ANSWER_TAGS]
    if not closed:
        return
    usual = [tag for tag in closed if tag.lower() in ANSWER_TAGS]
    other = [tag for tag in closed if tag.lower() not in THINK_TAGS]
    answer = (usual or other or closed)[-1]
    rest = [tag for tag in closed if tag != answer]
    think = next((tag for tag in rest if tag.lower() in THINK_TAGS), rest[0] if rest else "")
    formats = [*tagged(answer, think), *(tagged(answer) if think else [])]
    yield text.rfind(f"<{answer}>"), formats


def _boxed(text: str) -> Iterator[Placed]:
    if "\\boxed" in text:
        plain = AnswerFormat("in \\boxed{}", "\\boxed{", "}")
        yield (
            text.rfind("\\boxed"),
            [plain, AnswerFormat("in $\\boxed{}$", "$\\boxed{", "}$")],
        )


def _hashes(text: str) -> Iterator[Placed]:
    if "####" in text:
        yield text.rfind("####"), [AnswerFormat("after ####", "#### ")]


def _fences(text: str) -> Iterator[Placed]:
    if "```" in text or re.search(r"code (?:block|fence)|fenced", text, re.IGNORECASE):
        named = [next(filter(None, found)) for found in LANGUAGE.findall(text)]
        language = (re.findall(r"```(\w+)", text) or named or ["python"])[-1]
        made = AnswerFormat("in a code block", f"```{language}\n", "\n```")
        yield text.rfind("```"), [made]


JSON_WITH = re.compile(
    r"\bJSON\b[^.\n]{0,40}?\b(?:contain\w*|with|has|having|includ\w*|keys?|fields?)\b([^.\n]*)",
    re.IGNORECASE,
)
"""A sentence that names the keys of an object: `a JSON object containing a 'label' and ...`."""


def _json_keys(text: str) -> Iterator[Placed]:
    keys = re.findall(r"[\"'](\w+)[\"']\s*:", text) if "{" in text else []
    for sentence in () if keys else JSON_WITH.findall(text):
        keys = re.findall(r"[\"'`](\w+)[\"'`]", sentence)
    if keys:
        usual = (*ANSWER_TAGS, "value", "category", "sentiment")
        key = next((k for k in reversed(keys) if k.lower() in usual), keys[-1])
        yield text.rfind(key), json_formats(key, [k for k in keys if k != key])


def json_formats(key: str, others: Sequence[str] = ()) -> list[AnswerFormat]:
    """An object with the answer under `key`, as a string and bare, with other keys filled."""
    rest = "".join(f'"{k}": {_filled(k)}, ' for k in dict.fromkeys(others))
    made = AnswerFormat(f"as JSON {key}", f'{{{rest}"{key}": ', "}", lead="", escape=json.dumps)
    return [made, replace(made, escape=None, name=f"as bare JSON {key}")]


SURENESS = re.compile(r"\w*(?:confiden|probab|score|certain)\w*", re.IGNORECASE)
"""Keys that say how sure an answer is."""


def _filled(key: str) -> str:
    """A value that a key of this name usually has."""
    if SURENESS.fullmatch(key):
        return "0.9"
    if re.search(r"evidence|steps|reasons|sources|tags|items", key, re.IGNORECASE):
        return "[]"
    return json.dumps(LEAD)


def _known_labels(text: str) -> Iterator[Placed]:
    pattern = rf"(?:^|[\s\"'`*(])(\*\*)?({LABELS}\s*(?::|=|\bis\b:?))"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        label = match[2].strip()
        formats = [AnswerFormat(f"after {label}", f"{label} ", lead=lead) for lead in (LEAD, "")]
        if match[1]:
            formats.append(AnswerFormat(f"after **{label}**", f"**{label}** "))
        yield match.start(2), formats


def _quoted_examples(text: str) -> Iterator[Placed]:
    for match in QUOTED.finditer(text):
        snippet = next(group for group in match.groups() if group)
        yield from ((match.start(), formats) for formats in _example(snippet))


def _example_lines(text: str) -> Iterator[Placed]:
    for line in text.splitlines():
        if len(line) <= 60 and PLACEHOLDER.search(line) and not line.rstrip().endswith("?"):
            yield from ((text.rfind(line), formats) for formats in _example(line.strip()))


def _example(snippet: str) -> list[list[AnswerFormat]]:
    """An example with a placeholder, such as `ANSWER = <number>` or "It is [city]."."""
    places = list(PLACEHOLDER.finditer(snippet))
    if not places or re.fullmatch(r"</?[\w -]+>", snippet.strip()):
        return []
    place = places[-1]
    # Behind two blanks a table of commands says what they do.
    before, after = snippet[: place.start()], snippet[place.end() :].split("  ")[0]
    drawn = not (before + after).strip(" ._?*|")  # cells of a grid, and no example
    if drawn or "<" in before + after or len(before) > 60:
        return []
    name = f"as {snippet.strip()}"
    return [[AnswerFormat(name, before.lstrip(), after.rstrip(), lead=lead) for lead in (LEAD, "")]]


COMMAND = re.compile(
    r"\b(?P<a>[A-Z]{3,12}:?) [<\[{][\w ]{1,24}[>\]}]"
    r"|(?:^[-*\s]{0,3}|[\"'`“(]|\bor )(?P<b>[A-Z]{3,12}:?) [nNxXk]\b"
    r"|[\"'`“](?P<c>[A-Z]{3,12}:?) [a-z_]{2,16}[\"'`”]",
    re.MULTILINE,
)
"""A command with a place for what it is about: TEST: <part>, "CHECK k", `FAULT component`."""
MOST_COMMANDS = 4


def commands_of(text: str) -> list[str]:
    """The commands that a prompt describes, each once."""
    found = [match["a"] or match["b"] or match["c"] for match in COMMAND.finditer(text)]
    return list(dict.fromkeys(found))[:MOST_COMMANDS]


def _commands(text: str) -> Iterator[Placed]:
    for name in commands_of(text):
        formats = [AnswerFormat(f"as {name}", f"{name} ", lead=lead) for lead in (LEAD, "")]
        yield text.rfind(name), formats


def _any_labels(text: str) -> Iterator[Placed]:
    for match in LABELLED.finditer(text):
        yield match.start(1), _after(match[1], match[1] + match[2])
    for match in BARE_LABEL.finditer(text):
        yield match.start(1), _after(match[1], f"{match[1]} ")


def _after(name: str, before: str) -> list[AnswerFormat]:
    formats = [AnswerFormat(f"after {name}", before, lead=lead) for lead in (LEAD, "")]
    return [*formats, AnswerFormat(f"below {name}", f"{before.rstrip()}\n")]


def _pairs(text: str) -> Iterator[Placed]:
    for match in PAIRED.finditer(text):
        name = f"between {match[1]} and {match[2]}"
        formats = [AnswerFormat(name, match[1], match[2], lead=lead) for lead in (LEAD, "")]
        yield match.start(), formats


MARKED_LINE = re.compile(r"^[ \t]*([^\w\s]{2,} ?[\w ]{2,24}? ?[^\w\s]{2,})[ \t]*$", re.MULTILINE)
"""A line that only marks a place: `=== LIST ===`, `---BEGIN---`."""


def _blocks(text: str) -> Iterator[Placed]:
    """An answer of several lines between two lines that mark its beginning and its end."""
    lines = list(dict.fromkeys(MARKED_LINE.findall(text)))
    for first, last in pairwise(lines):
        formats = [
            AnswerFormat(f"between lines {first} and {last}", f"{first}\n", f"\n{last}", lead=lead)
            for lead in (LEAD, "")
        ]
        yield text.find(first), formats


HEADING = re.compile(
    r"^[ \t#*]*([^\W\d_][^\W_]*(?: \w+){0,2}[:：]?)[ \t]*\n"
    r"(?=[ \t]*(?:(?:1[.)]|[-*•])[ \t]+\S|\|))",
    re.MULTILINE,
)
"""A line of a few words above an example list or table: `RANKING`."""


def _headings(text: str) -> Iterator[Placed]:
    for match in HEADING.finditer(text):
        name = match[1]
        formats = [AnswerFormat(f"below {name}", f"{name}\n", lead=lead) for lead in (LEAD, "")]
        yield match.start(1), formats


def _bold(text: str) -> Iterator[Placed]:
    if "**" in text or re.search(r"\bbold\b", text, re.IGNORECASE):
        formats = [AnswerFormat("in bold", "**", "**", lead=lead) for lead in (LEAD, "")]
        yield max(text.find("**"), text.lower().find("bold")), formats


def _alone(text: str) -> Iterator[Placed]:
    if ONLY.search(text):
        yield -1, [PLAIN]


def _marks(text: str, *, double: bool) -> list[AnswerFormat]:
    found = []
    for a, b in MARKS:
        if (len(a) > 1 or not a.isascii()) != double:
            continue
        inner = re.escape(a[0] + b[0]) if double else re.escape(a + b)
        if re.search(rf"{re.escape(a)}[^\n{inner}]{{1,30}}{re.escape(b)}", text):
            found.append(AnswerFormat(f"between {a} and {b}", a, b))
    return found[:4] if double else found


FINDERS: tuple[Callable[[str], Iterator[Placed]], ...] = (
    _tags,
    _boxed,
    _hashes,
    _fences,
    _json_keys,
    _known_labels,
    _quoted_examples,
    _example_lines,
    _commands,
    _any_labels,
    _pairs,
    _blocks,
    _headings,
    _bold,
    _alone,
)
