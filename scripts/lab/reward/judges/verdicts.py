"""The words of a clear verdict, in the form that a judge's prompt asks for.

`reply` reads the form off the prompt: a schema, a JSON object, tags, letters, words or a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from lab.reward.judges.scales import bottom_of, letter_grade, top_of
from lab.reward.judges.shown_object import filled, listed_words, shown_object
from lab.reward.judges.words import better, negative, positive

Form = Callable[[str, bool, Any], str]
WORD = r"[^\W\d_][\w]{0,19}"
PAIR = re.compile(
    rf"[\"'`*(\[]*\b({WORD})\b[\"'`*)\]]*\s*(?:or|/|\||oder|ou|или|或|か)\s*[\"'`*(\[]*\b({WORD})\b"
)
LABELLED_PAIR = re.compile(
    rf"\b([^\W\d_]\w{{0,20}}(?: \w{{1,20}})?[:：][ \t]*)[\"'`*]*({WORD})[\"'`*.]*"
    rf"\s*,?\s*(?:or|/|\||o|oder|ou|или|或|か)?\s*[\"'`*]*\1[\"'`*]*({WORD})"
)
"""`VERDICT: PASS or VERDICT: FAIL`: the label belongs to the reply."""
NEGATED = re.compile(
    rf"\b({WORD})\b[\"'`*)\]]*\s*(?:or|/|\||oder|ou|или|或|か)\s*[\"'`*(\[]*"
    r"((?:not|nicht|non|pas|no|não|inte|niet|nie|не)\s+\1)\b",
    re.IGNORECASE,
)
BOOLEAN_KEY = re.compile(r"[\"'](\w+)[\"']\s*:\s*<?(?:true|false|bool)", re.IGNORECASE)
SCORE_KEY = re.compile(r"[\"'](score|rating|grade|points)[\"']\s*:")
CRITERION = re.compile(
    r"^[-*\d. ]*\**([\w /-]{1,80}?)\**(?:\s*\[[^\]]*\])?"
    r"(?:\s*\(([^()\n]+)\)|:[^\n]*\((?:[^()\n:]*:)?([^()\n]+)\)[ \t]*$)",
    re.MULTILINE,
)
"""A line with the choices for a criterion: `clear (no, yes): ...`, or as verifiers' RubricJudge has
it, `- clear: ... (answer one of, worst to best: no, yes)`."""
LISTED_KEY = re.compile(
    r"[\"'](\w+)[\"']\s*:\s*\[\s*[\"'<]?\s*(true|false|bool|yes|no|\d|score|number)",
    re.IGNORECASE,
)
WORDED_KEY = re.compile(
    rf"[\"'](\w+)[\"']\s*:\s*[\"'<]*\s*({WORD})[\"'>]*\s*(?:or|/|\|)\s*[\"'<]*\s*({WORD})"
)
LABELLED_NUMBER = re.compile(
    r"\b([A-Z]\w{0,20}(?: \w{1,20})?:)[ \t]*[\"'`*]*[ \t]*"
    r"(?:(?:and|followed by|then) (?:the |an? )?)?"
    r"[<\[({]?(?:N\b|X\b|\d+|number\b|score\b|rating\b|grade\b|integer\b|your\b)",
    re.IGNORECASE,
)
LABELLED_LINE = re.compile(
    r"\W*([^\W\d]\w{0,20}(?: \w{1,20})?:)\**[ \t]*"
    r"[<\[({](?:N|X|\d+|number|score|rating|grade|integer)\b[^>\])}]{0,20}[>\])}]\W*",
    re.IGNORECASE,
)
"""A line with a label and the place of a number: `meaning: <0-4>`."""
NAMED_KEYS = re.compile(r"\bJSON\b[^\n]{0,60}?\bkeys?\b([^\n]*)", re.IGNORECASE)
"""A sentence that names the keys of an object: `a JSON object with the keys "tone", "facts"`."""
TAGGED = re.compile(r"<(\w{2,20})>([^<>]{0,40})</\1>")
ITEM = re.compile(r"^\s*(\d{1,2})[.)]\s", re.MULTILINE)
ITEM_VERDICT = re.compile(
    rf"^\s*\d{{1,2}}(?:[.)]\s[^\n]*)?[:：]\s*((?:not )?{WORD})\s*$", re.MULTILINE | re.IGNORECASE
)
"""An example line about one item of a checklist: `2. no date is given: NOT MET`, `2: UNMET`."""
LINE_EACH = re.compile(
    r"\b(?:one|a) line (?:per|for (?:each|every)) (?:question|criterion|item|point|statement)\b",
    re.IGNORECASE,
)
"""A prompt that wants the verdict on each item on a line of its own."""
REASONED = re.compile(
    r"\b(?:reason\w*|explain|explanation|justif\w+|think|step by step|rationale|analy[sz]\w*"
    r"|quote|one sentence|brief\w*|comment\w*)\b",
    re.IGNORECASE,
)
"""A prompt that asks for more than the verdict."""
WHY = "compared with the reference"
MOST_LISTS = 100
SHOWN = "…"
"""What stands in a judge's prompt in the place of the completion."""
TAIL = 1500
"""Characters at the end of a prompt where the form of the reply is usually named."""


def reply(prompt: str, right: bool, response_format: Any = None) -> str:
    """The verdict in the form that the prompt asks for."""
    if isinstance(response_format, dict):
        schema = response_format.get("json_schema", {}).get("schema")
        if schema:
            return json.dumps(_from_schema(schema, schema, right, prompt))
    for read in READERS:
        if said := read(prompt, right):
            return said
    return "yes" if right else "no"


def _verdict_list(prompt: str, right: bool) -> str:
    if not re.search(r'"verdicts"(?!:\s*(?:\[\s*"\w|\{))', prompt):
        return ""
    return json.dumps({"verdicts": _criteria(prompt, right)})


def _nested(prompt: str, right: bool) -> str:
    """An object that lists objects, one for each criterion."""
    shown = shown_object(prompt)
    if shown is None:
        return ""
    ends = bottom_of(prompt), top_of(prompt)
    return json.dumps(filled(shown, _count(prompt), right, ends, WHY, listed_words(prompt, shown)))


def _listed(prompt: str, right: bool) -> str:
    found = LISTED_KEY.findall(prompt)
    if not found:
        return ""
    count = _count(prompt)
    values: dict[str, Any] = {}
    for key, kind in found:
        word = kind.lower()
        if word in ("true", "false", "bool"):
            values[key] = [right] * count
        elif word in ("yes", "no"):
            values[key] = ["yes" if right else "no"] * count
        else:
            values[key] = [top_of(prompt) if right else 0] * count
    return json.dumps(values)


def _booleans(prompt: str, right: bool) -> str:
    keys = BOOLEAN_KEY.findall(prompt)
    return json.dumps({**_texts(prompt, keys), **dict.fromkeys(keys, right)}) if keys else ""


def _scores(prompt: str, right: bool) -> str:
    found = SCORE_KEY.search(prompt)
    if found is None:
        return ""
    value = top_of(prompt) if right else bottom_of(prompt)
    return json.dumps({**_texts(prompt, [found[1]]), found[1]: value})


def _worded_keys(prompt: str, right: bool) -> str:
    worded = [(k, a, b) for k, a, b in WORDED_KEY.findall(prompt) if positive(a) or positive(b)]
    if not worded:
        return ""
    said = {key: a if positive(a) == right else b for key, a, b in worded}
    return json.dumps({**_texts(prompt, list(said)), **said})


def _named_keys(prompt: str, right: bool) -> str:
    """An object whose keys a sentence names, a verdict for each: true, yes or a number."""
    for sentence in NAMED_KEYS.findall(prompt[-TAIL:])[-1:]:
        value: Any = top_of(prompt) if right else bottom_of(prompt)
        if re.search(r"\b(?:true|boolean)\b", sentence, re.IGNORECASE):
            value = right
        elif re.search(r"\byes\b", sentence, re.IGNORECASE):
            value = "yes" if right else "no"
        keys = re.findall(r"[\"'`](\w+)[\"'`]", sentence)
        named = {key: WHY if REASONED.search(key) else value for key in keys}
        return json.dumps(named) if named else ""
    return ""


def _tags(prompt: str, right: bool) -> str:
    tagged: dict[str, list[str]] = {}
    for tag, text in TAGGED.findall(prompt[-TAIL:]):
        tagged.setdefault(tag, []).append(text.strip())
    lines = (
        f"<{tag}>{_inside(tag, texts, prompt, right)}</{tag}>"
        for tag, texts in tagged.items()
        if SHOWN not in texts  # the tag is around what is judged, and not of the verdict
    )
    return "\n".join(lines)


def _letters(prompt: str, right: bool) -> str:
    letters = re.findall(r"^\s*\(?([A-E])[).:]\s*\**(\w+)", prompt[-TAIL:], re.MULTILINE)
    wanted = [mark for mark, word in dict(letters).items() if positive(word) == right]
    if not letters:
        return ""
    return wanted[0] if wanted else ("A" if right else "B")


def _items(prompt: str, right: bool) -> str:
    """A line for each item of a checklist, with the words of the example lines or of the pair that
    the prompt names."""
    shown = ITEM_VERDICT.findall(prompt[-TAIL:])
    words = [one for one in shown if positive(one) == right]
    asked = LINE_EACH.search(prompt[-TAIL:]) and not shown
    if asked and (pair := _words(prompt, right)):
        words = [pair]
    elif not words or len(words) == len(shown):
        return ""
    most, last = 0, 0
    for number in map(int, ITEM.findall(prompt)):
        last = number if number in (1, last + 1) else 0
        most = max(most, last)
    if asked and not most:
        return ""
    short = asked or re.search(
        rf"^\s*\d{{1,2}}[:：]\s*{words[0]}\s*$", prompt[-TAIL:], re.MULTILINE
    )
    item = "" if short else f". {WHY}"
    return "\n".join(f"{n}{item}: {words[0]}" for n in range(1, (most or len(shown)) + 1))


def _labelled_words(prompt: str, right: bool) -> str:
    """The two verdicts that a label stands before; of words that are not known the first one is the
    approval."""
    for label, first, second in LABELLED_PAIR.findall(prompt[-TAIL:])[-1:]:
        good, bad = better(first, second)
        return str(label + (good if right else bad))
    return ""


def _negated(prompt: str, right: bool) -> str:
    """A word and the same with a no before it: `APPROVED or NOT APPROVED`, whatever the word is."""
    found = NEGATED.findall(prompt[-TAIL:])
    return found[-1][0 if right else 1] if found else ""


def _words(prompt: str, right: bool) -> str:
    found = [
        (a, b)
        for a, b in PAIR.findall(prompt[-TAIL:])
        if a.lower() != b.lower() and (positive(a) or positive(b))
    ]
    if not found:
        return ""
    first, second = found[-1]
    good, bad = (first, second) if positive(first) else (second, first)
    return good if right else bad


def _labelled_number(prompt: str, right: bool) -> str:
    """A label with a number, or a line for each of several labels that are shown below each
    other."""
    found = LABELLED_NUMBER.findall(prompt[-600:])
    number = top_of(prompt) if right else bottom_of(prompt)
    lines: list[str] = []
    for line in prompt[-600:].splitlines():
        shown = LABELLED_LINE.fullmatch(line)
        lines = [*lines, f"{shown[1]} {number}"] if shown else [] if line.strip() else lines
    return "\n".join(lines) if len(lines) > 1 else f"{found[-1]} {number}" if found else ""


def _brackets(prompt: str, right: bool) -> str:
    """A score, or the letter of the better one of a pair, in double brackets."""
    tail = prompt[-TAIL:]
    if "[[A]]" in tail:
        return "[[A]]" if right else "[[B]]"
    return f"[[{top_of(tail) if right else 1}]]" if "[[" in tail else ""


def _number(prompt: str, right: bool) -> str:
    tail = prompt[-TAIL:]
    if not re.search(r"\b(?:score|rate|rating|scale)\b", tail, re.IGNORECASE):
        return ""
    return str(top_of(tail) if right else bottom_of(tail))


READERS: tuple[Callable[[str, bool], str], ...] = (
    _verdict_list,
    _nested,
    _listed,
    _booleans,
    _scores,
    _worded_keys,
    _named_keys,
    _tags,
    _letters,
    _items,
    _labelled_words,
    _negated,
    _words,
    _labelled_number,
    _brackets,
    _number,
)


def _texts(prompt: str, others: list[str]) -> dict[str, str]:
    """The further keys of the object that the prompt shows, such as a reason, each with a text."""
    keys = re.findall(r"[\"'](\w+)[\"']\s*:", prompt)
    return {key: WHY for key in keys if key not in others}


def choices_of(prompt: str) -> list[tuple[str, list[str]]]:
    """The name of each criterion with its choices, from the worst to the best."""
    found = CRITERION.findall(prompt.rsplit("Criteria:", 1)[-1])
    split = (
        (name.strip(), re.split(r"/|,|\||\bor\b", first or last)) for name, first, last in found
    )
    named = [(name, [one.strip().strip("\"'") for one in options]) for name, options in split]
    return [(name, options) for name, options in named if len(options) > 1]


def _criteria(prompt: str, right: bool) -> list[dict[str, str]]:
    return [
        {"name": name, "reason": WHY, "verdict": options[-1] if right else options[0]}
        for name, options in choices_of(prompt)
    ]


def _from_schema(schema: dict[str, Any], root: dict[str, Any], right: bool, prompt: str) -> Any:
    if "$ref" in schema:
        schema = root.get("$defs", {}).get(schema["$ref"].rsplit("/", 1)[-1], {})
    kind, properties = schema.get("type"), schema.get("properties", {})
    if kind == "object" and "verdicts" in properties:
        return {"verdicts": _criteria(prompt, right)}
    if kind == "object":
        return {key: _from_schema(one, root, right, prompt) for key, one in properties.items()}
    if kind == "boolean":
        return right
    if kind in ("integer", "number"):
        return schema.get("maximum", 1) if right else schema.get("minimum", 0)
    if "enum" in schema:
        good = [value for value in schema["enum"] if positive(str(value))]
        bad = [value for value in schema["enum"] if value not in good]
        return ((good if right else bad) or schema["enum"])[0]
    return [] if kind == "array" else WHY


def _inside(tag: str, texts: list[str], prompt: str, right: bool) -> Any:
    """What a tag of the reply holds: one of the words that it is shown with, words of reasoning, or
    a number."""
    shown = [one for one in texts if positive(one) == right and (right or negative(one))]
    if len(set(texts)) > 1 and shown:
        return shown[0]
    text = texts[-1]
    if REASONED.search(tag):
        return WHY
    if letter := letter_grade(text, prompt, right):
        return letter
    number = re.search(r"score|grade|rating|points|number", f"{tag} {text}", re.IGNORECASE)
    pairs = [p for p in PAIR.findall(f"{text}\n{prompt}") if positive(p[0]) or positive(p[1])]
    if (number and not pairs) or re.search(r"\d", text):
        return top_of(prompt) if right else 0
    good, bad = next((p if positive(p[0]) else p[::-1] for p in pairs), ("yes", "no"))
    return good if right else bad


def _count(prompt: str) -> int:
    """How many things the prompt lists to be judged: the members of its longest list, or the lines
    of its longest list of lines."""
    numbers = [int(n) for n in ITEM.findall(prompt)]
    longest = max(numbers, default=0) if 1 in numbers else len(numbers)
    sizes = [1, longest, len(re.findall(r"^\s*[-*]\s+\S", prompt, re.MULTILINE))]
    end = 0
    for found in [*re.finditer(r"\[", prompt)][:MOST_LISTS]:
        if found.start() < end:
            continue  # a list of pairs, such as criterion and weight, is judged by its pairs
        try:
            value, end = json.JSONDecoder().raw_decode(prompt, found.start())
        except ValueError:
            continue
        sizes.append(len(value))
    return max(sizes)
