"""The words of a scripted judge: a clear verdict in the form that the judge's prompt asks for.

`reply` reads the form off the prompt. Where an environment does not understand it, `FORMS` has
the others that judges answer in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

POSITIVE = ("yes", "correct", "true", "pass", "passed", "equivalent", "right", "good", "accept", "a", "match", "met")
PAIR = re.compile(r"[\"'`*(\[]*\b([A-Za-z_]{1,20})\b[\"'`*)\]]*\s*(?:or|/|\|)\s*[\"'`*(\[]*\b([A-Za-z_]{1,20})\b")
LABELLED_PAIR = re.compile(r"\b([A-Za-z]\w{0,20}(?: \w{1,20})?:[ \t]*)[\"'`*]*([A-Za-z_]{1,20})[\"'`*.]*\s*(?:or|/|\|)\s*[\"'`*]*\1[\"'`*]*([A-Za-z_]{1,20})")
"""`VERDICT: PASS or VERDICT: FAIL`: the label belongs to the reply."""
BOOLEAN_KEY = re.compile(r"[\"'](\w+)[\"']\s*:\s*<?(?:true|bool)", re.IGNORECASE)
CRITERION = re.compile(r"^[-*\d. ]*\**([\w /-]{1,80}?)\**(?:\s*\[[^\]]*\])?\s*\(([^()]+)\)", re.MULTILINE)

LISTED_KEY = re.compile(r"[\"'](\w+)[\"']\s*:\s*\[\s*[\"'<]?\s*(true|false|bool|yes|no|\d|score|number)", re.IGNORECASE)
WORDED_KEY = re.compile(r"[\"'](\w+)[\"']\s*:\s*[\"'<]*\s*([A-Za-z_]{1,20})[\"'>]*\s*(?:or|/|\|)\s*[\"'<]*\s*([A-Za-z_]{1,20})")
LABELLED_NUMBER = re.compile(r"\b([A-Z]\w{0,20}(?: \w{1,20})?:)[ \t]*[\"'`*]*[<\[({]?(?:N\b|X\b|\d+|number\b|score\b|rating\b|grade\b|integer\b|your\b)", re.IGNORECASE)
TAGGED = re.compile(r"<(\w{2,20})>([^<>]{0,40})</\1>")
REASONED = re.compile(r"\b(?:reason\w*|explain|explanation|justif\w+|think|step by step|rationale|analy[sz]\w*|quote|one sentence|brief\w*|comment\w*)\b", re.IGNORECASE)
"""A prompt that asks for more than the verdict."""


def reply(prompt: str, right: bool, response_format: Any = None) -> str:
    """The verdict in the form that the prompt asks for."""
    schema = (response_format or {}).get("json_schema", {}).get("schema") if isinstance(response_format, dict) else None
    if schema:
        return json.dumps(_from_schema(schema, schema, right, prompt))
    tail = prompt[-1500:]
    if '"verdicts"' in prompt:
        return json.dumps({"verdicts": _criteria(prompt, right)})
    if listed := LISTED_KEY.findall(prompt):
        each = [right] * _count(prompt)
        return json.dumps({key: each if kind.lower() in ("true", "false", "bool") else [("yes" if right else "no") if kind.lower() in ("yes", "no") else _top(prompt) if right else 0] * len(each) for key, kind in listed})
    if keys := BOOLEAN_KEY.findall(prompt):
        return json.dumps({**_texts(prompt, keys), **dict.fromkeys(keys, right)})
    if score := re.search(r"[\"'](score|rating|grade)[\"']\s*:", prompt):
        return json.dumps({**_texts(prompt, [score[1]]), score[1]: _top(prompt) if right else 0})
    if worded := [(key, a, b) for key, a, b in WORDED_KEY.findall(prompt) if {a.lower(), b.lower()} & set(POSITIVE)]:
        said = {key: a if (a.lower() in POSITIVE) == right else b for key, a, b in worded}
        return json.dumps({**_texts(prompt, list(said)), **said})
    if tagged := TAGGED.findall(tail):
        return "\n".join(f"<{tag}>{_inside(tag, text, prompt, right)}</{tag}>" for tag, text in dict(tagged).items())
    letters = dict(re.findall(r"^\s*\(?([A-E])[).:]\s*\**(\w+)", tail, re.MULTILINE))
    if letters:
        wanted = [mark for mark, word in letters.items() if (word.lower() in POSITIVE) == right]
        return wanted[0] if wanted else ("A" if right else "B")
    for label, first, second in LABELLED_PAIR.findall(tail)[-1:]:
        return label + (first if (first.lower() in POSITIVE) == right else second)
    pairs = [(a, b) for a, b in PAIR.findall(tail) if a.lower() != b.lower() and ({a.lower(), b.lower()} & set(POSITIVE))]
    if pairs:
        first, second = pairs[-1]
        good, bad = (first, second) if first.lower() in POSITIVE else (second, first)
        return good if right else bad
    if label := LABELLED_NUMBER.findall(tail[-600:]):
        return f"{label[-1]} {_top(prompt) if right else 0}"
    if re.search(r"\[\[", tail):
        return f"[[{_top(tail) if right else 1}]]"
    if re.search(r"\b(?:score|rate|rating|scale)\b", tail, re.IGNORECASE):
        return str(_top(tail) if right else 0)
    return "yes" if right else "no"


def _texts(prompt: str, others: list[str]) -> dict[str, str]:
    """The further keys of the object that the prompt shows, such as a reason, each with a text."""
    return {key: "compared with the reference" for key in re.findall(r"[\"'](\w+)[\"']\s*:", prompt) if key not in others}


def _top(text: str) -> int | float:
    """The upper end of the scale that the prompt names; 1 without one."""
    found = re.findall(r"\b(?:0|1)(?:\.0)?\s*(?:\([^()]{0,80}\)\s*)?(?:-|to|and|–|through)\s*(\d+(?:\.0)?)", text)
    top = float(found[-1]) if found else 1.0
    return int(top) if top > 1 else 1


def _criteria(prompt: str, right: bool) -> list[dict[str, str]]:
    listed = prompt.rsplit("Criteria:", 1)[-1]
    out = []
    for name, choices in CRITERION.findall(listed):
        options = [option.strip().strip("\"'") for option in re.split(r"/|,|\||\bor\b", choices)]
        if len(options) > 1:
            out.append({"name": name.strip(), "reason": "compared with the reference", "verdict": options[-1] if right else options[0]})
    return out


def _from_schema(schema: dict[str, Any], root: dict[str, Any], right: bool, prompt: str) -> Any:
    if "$ref" in schema:
        schema = root.get("$defs", {}).get(schema["$ref"].rsplit("/", 1)[-1], {})
    kind = schema.get("type")
    if kind == "object":
        if "verdicts" in schema.get("properties", {}):
            return {"verdicts": _criteria(prompt, right)}
        return {key: _from_schema(value, root, right, prompt) for key, value in schema.get("properties", {}).items()}
    if kind == "boolean":
        return right
    if kind in ("integer", "number"):
        return schema.get("maximum", 1) if right else schema.get("minimum", 0)
    if "enum" in schema:
        good = [value for value in schema["enum"] if str(value).lower() in POSITIVE]
        return good[0] if right and good else next((v for v in schema["enum"] if v not in good), schema["enum"][0])
    return [] if kind == "array" else "compared with the reference"


def _inside(tag: str, text: str, prompt: str, right: bool) -> Any:
    """What stands in a tag of the reply: words of reasoning, one of two words, or a number."""
    if REASONED.search(tag):
        return "compared with the reference"
    if re.search(r"score|grade|rating|points|number", f"{tag} {text}", re.IGNORECASE) or re.search(r"\d", text):
        return _top(prompt) if right else 0
    pairs = [pair for pair in PAIR.findall(f"{text}\n{prompt}") if {pair[0].lower(), pair[1].lower()} & set(POSITIVE)]
    good, bad = next((pair if pair[0].lower() in POSITIVE else pair[::-1] for pair in pairs), ("yes", "no"))
    return good if right else bad


def _count(prompt: str) -> int:
    """How many things the prompt lists to be judged: the members of its longest list, or its numbered lines."""
    sizes = [0]
    for text in re.findall(r"\[[^\[\]]{2,4000}\]", prompt):
        try:
            sizes.append(len(json.loads(text)))
        except ValueError:
            continue
    return max(*sizes, len(re.findall(r"^\s*(?:\d+[.)]|[-*])\s+\S", prompt, re.MULTILINE)), 1)


def _plain(good: str, bad: str) -> Callable[[str, bool, Any], str]:
    return lambda prompt, right, _=None: good if right else bad


def _numbered(template: str) -> Callable[[str, bool, Any], str]:
    return lambda prompt, right, _=None: template.format(_top(prompt) if right else 0)


FORMS: tuple[Callable[[str, bool, Any], str], ...] = (
    reply, _plain("yes", "no"), _plain("CORRECT", "INCORRECT"), _plain("A", "B"), _plain("PASS", "FAIL"), _plain("True", "False"),
    *map(_numbered, ("{}", "Score: {}", "Grade: {}", "Rating: {}", "[[{}]]", "<score>{}</score>", "\\boxed{{{}}}", "{}/10", '{{"score": {}}}')),
    _plain("Verdict: yes", "Verdict: no"), _plain("<verdict>yes</verdict>", "<verdict>no</verdict>"), _plain("[[A]]", "[[B]]"),
    _plain('{"correct": true}', '{"correct": false}'), _plain('{"verdict": "yes"}', '{"verdict": "no"}'),
)  # fmt: skip


def refusal(prompt: str, bad: str) -> list[str]:
    """A clear no whose reasons mention the words of approval, before the verdict and after it."""
    why = f"One might say yes, that it is correct and worth a {_top(prompt)}; but it does not agree with the reference."
    if bad.lstrip().startswith("{"):
        said = json.loads(bad)
        texts = [key for key, value in said.items() if isinstance(value, str) and value not in (said.get("verdict"), said.get("grade"))]
        return [json.dumps({**said, texts[0]: why})] if texts else []
    return [f"{why}\n{bad}", f"{bad}\n{why}"]
