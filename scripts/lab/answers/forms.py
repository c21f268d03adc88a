"""The same answer in other words: forms of a gold that a fair reward pays, by kind of answer.

[f.text for f in forms("number", "1234") if f.level == "core"]   # ['1,234', '1234.', ...]
"""

from __future__ import annotations

import contextlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence

from lab.answers.code_forms import behind_helper, is_python
from lab.answers.dates import read_day
from lab.answers.form import CHOICE, CORE, USUAL, Form
from lab.answers.latex import looks_latex
from lab.answers.number_forms import of_formula, of_number, powers_of
from lab.answers.numbers import parse_number
from lab.answers.shapes import is_pattern

TWIN = {"yes": "true", "true": "yes", "no": "false", "false": "no"}
"""The other word for the same truth."""
ANOTHER_ORDER = "another order"
"""Of a list's members; a choice, unless prompt or README say that the order is free."""
WITHOUT_ANCHORS = "without anchors"
"""Of a pattern; a choice, unless prompt or README say that the whole text is matched anyway."""
WITHOUT_GROUP = "without anchors or a group"
"""`a|b` for `(?:a|b)`: what is put around it must hold it together."""
INLINE_FLAG = "behind an inline flag"
"""Of a pattern, with a flag that changes nothing; a choice, unless inline flags are allowed. With
something before the flag a pattern is an error (Python 3.11, `re`)."""


def forms(
    answer_type: str, gold: str, *, options: Sequence[str] = (), accepted: Sequence[str] = ()
) -> list[Form]:
    """Equivalent forms of `gold`, without the gold itself, each text once (its strictest level).

    `options`: the option texts of a multiple-choice task; `accepted`: other golds of the task.
    """
    if answer_type == "text" and looks_latex(gold):
        answer_type = "math"
    made = _MAKERS.get(answer_type, _text)(gold, list(options))
    out: dict[str, Form] = {}
    for alias in accepted:
        out.setdefault(alias, Form("alias", alias, CORE))
    for form in made:
        if form.text != gold and form.text.strip():
            out.setdefault(form.text, form)
    out.pop(gold, None)
    return list(out.values())


def _number(gold: str, _: list[str]) -> Iterator[Form]:
    value = parse_number(gold)
    yield from _text(gold, []) if value is None else of_number(gold, value)


def _math(gold: str, options: list[str]) -> Iterator[Form]:
    plain = parse_number(gold) is not None and not looks_latex(gold)
    yield from _number(gold, options) if plain else of_formula(gold)


def _choice(gold: str, options: list[str]) -> Iterator[Form]:
    mark = gold.strip().strip("().")
    if not re.fullmatch(r"[A-Za-z]|\d{1,2}", mark):
        yield from _text(gold, options)
        return
    yield Form("in parentheses", f"({mark})", USUAL)
    yield Form("trailing period", f"{mark}.", USUAL)
    yield Form("closing parenthesis", f"{mark})", USUAL)
    yield Form("bold", f"**{mark}**", USUAL)
    if mark.isalpha():
        yield Form("other case", mark.swapcase(), USUAL)
        index = ord(mark.upper()) - 65
        if 0 <= index < len(options):
            yield Form("with option text", f"{mark}. {options[index]}", USUAL)
            yield Form("option text", options[index], CHOICE)
        yield Form("position", str(index + 1), CHOICE)
    yield Form("labelled", f"Answer: {mark}", CHOICE)
    yield Form("option word", f"Option {mark}", CHOICE)
    yield Form("boxed", f"\\boxed{{{mark}}}", CHOICE)


def _boolean(gold: str, _: list[str]) -> Iterator[Form]:
    word = gold.strip()
    for name, text in (
        ("lower case", word.lower()),
        ("upper case", word.upper()),
        ("capitalised", word.capitalize()),
    ):
        yield Form(name, text, CORE)
    yield Form("trailing period", f"{word}.", USUAL)
    yield Form("bold", f"**{word}**", USUAL)
    twin = TWIN.get(word.lower())
    if twin:
        yield Form("other word", twin, CHOICE)
        yield Form("digit", "1" if word.lower() in ("yes", "true") else "0", CHOICE)


def _label(gold: str, _: list[str]) -> Iterator[Form]:
    word = gold.strip()
    for name, text in (
        ("lower case", word.lower()),
        ("upper case", word.upper()),
        ("capitalised", word.capitalize()),
    ):
        yield Form(name, text, CORE if name != "upper case" else USUAL)
    yield Form("trailing period", f"{word}.", USUAL)
    yield Form("bold", f"**{word}**", USUAL)
    yield Form("quoted", f'"{word}"', USUAL)


def _text(gold: str, _: list[str]) -> Iterator[Form]:
    text = gold.strip()
    if date := _date(text):
        yield from date
        return
    if len(text) > 200:
        return
    yield from powers_of(text)
    # Of `Paris` the case is orthography, of `AbC`, `NATO`, `A: red` or a sentence it may be the
    # content.
    found = re.findall(r"[^\W\d_]+", text)
    spelled = all(word.islower() or word.istitle() for word in found) and any(
        len(word) > 2 for word in found
    )
    spelled = spelled and "\n" not in text and len(found) <= NAME_WORDS
    yield Form("lower case", text.lower(), CORE if spelled and len(text) > 1 else CHOICE)
    yield Form("upper case", text.upper(), USUAL if spelled else CHOICE)
    yield Form("trailing period", text.rstrip(".") if text.endswith(".") else f"{text}.", USUAL)
    yield Form("bold", f"**{text}**", USUAL)
    yield Form("quoted", f'"{text}"', USUAL)
    yield Form("NFC", unicodedata.normalize("NFC", text), CORE)  # as it is typed
    yield Form("NFD", unicodedata.normalize("NFD", text), USUAL)
    if not re.match(r"(?:the|an?)\s", text, re.IGNORECASE):
        yield Form("leading article", f"the {text}", CHOICE)
    else:
        yield Form("no article", re.sub(r"^(?:the|an?)\s+", "", text, flags=re.IGNORECASE), CHOICE)
    if " & " in text or " and " in text:
        yield Form(
            "ampersand",
            text.replace(" & ", " and ") if " & " in text else text.replace(" and ", " & "),
            CHOICE,
        )
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    yield Form("no accents", plain, CHOICE)
    yield Form("sentence", f"It is {text}", CHOICE)


def _date(text: str) -> list[Form]:
    found = read_day(text)
    if found is None:
        return []
    day, layout = found
    named = USUAL if "%m" not in layout else CHOICE
    return [
        Form("ISO date", day.strftime("%Y-%m-%d"), USUAL),
        Form("month first", f"{day.strftime('%B')} {day.day}, {day.year}", named),
        Form("day first", f"{day.day} {day.strftime('%B')} {day.year}", named),
        Form("slashes", day.strftime("%m/%d/%Y"), CHOICE),
    ]


NAME_WORDS = 5
"""Words of a text that may be a name, a title or a short phrase."""
RULE = re.compile(r"\|[\s|:-]+\|")
"""The line below the head of a Markdown table."""


def _table(lines: list[str]) -> Iterator[Form]:
    head, rows = lines[:2], lines[2:]
    tight = "\n".join(re.sub(r"[ \t]*\|[ \t]*", "|", line) for line in lines)
    yield Form("tight", tight, USUAL)
    if len(rows) > 1:
        yield Form(ANOTHER_ORDER, "\n".join([*head, *rows[::-1]]), CHOICE)


def _list(gold: str, _: list[str]) -> Iterator[Form]:
    if len(lines := gold.strip().splitlines()) > 2 and RULE.fullmatch(lines[1]):
        yield from _table(lines)
        return
    items = [item.strip() for item in re.split(r",|\n", gold) if item.strip()]
    if len(items) > 1 and not gold.lstrip().startswith("["):
        joint = "\n" if "\n" in gold else ", "
        yield Form("tight", ("\n" if "\n" in gold else ",").join(items), USUAL)
        yield Form(ANOTHER_ORDER, joint.join(items[::-1]), CHOICE)
        yield Form("with and", ", ".join(items[:-1]) + f" and {items[-1]}", CHOICE)
    yield Form("lower case", gold.lower(), USUAL)
    yield from _json(gold, [])


def _json(gold: str, _: list[str]) -> Iterator[Form]:
    try:
        value = json.loads(gold)
    except ValueError:
        return
    yield Form("compact", json.dumps(value, separators=(",", ":")), CORE)
    yield Form("indented", json.dumps(value, indent=2), CORE)
    if isinstance(value, list) and len(value) > 1:
        yield Form(ANOTHER_ORDER, json.dumps(value[::-1], ensure_ascii=False), CHOICE)
    if "{" in gold:
        yield Form("keys in another order", json.dumps(_turned(value)), CORE)
    if WHOLE_FLOAT.search(gold):
        whole = json.dumps(_whole(value), ensure_ascii=False)
        yield Form("whole numbers without .0", whole, CORE)
    if '"' in gold:
        yield Form("upper case", json.dumps(_upper(value), ensure_ascii=False), CHOICE)
    yield Form("escaped", json.dumps(value, ensure_ascii=True), USUAL)
    yield Form("in a fence", f"```json\n{gold}\n```", CHOICE)


WHOLE_FLOAT = re.compile(r"[\s:,\[{]-?\d+\.0(?=\s*[,\]}])")


def _whole(value: object) -> object:
    """A value with its whole numbers as they are mostly written: 1200 for 1200.0."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _upper(value: object) -> object:
    """The texts of a value in upper case; keys and the name of a call stay."""
    if isinstance(value, dict) and "arguments" in value:
        return {**value, "arguments": _upper(value["arguments"])}
    if isinstance(value, dict):
        return {key: _upper(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_upper(item) for item in value]
    return value.upper() if isinstance(value, str) else value


def _turned(value: object) -> object:
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(list(value))}
    return [_turned(item) for item in value] if isinstance(value, list) else value


def _code(gold: str, _: list[str]) -> Iterator[Form]:
    code = gold.strip("\n")
    if is_pattern(code):
        inner = code[1:-1] if _is_anchored(code) else code
        if inner != code:
            yield Form(WITHOUT_ANCHORS, inner, CHOICE)
        if bare := _without_group(inner):
            yield Form(WITHOUT_GROUP, bare, CHOICE)
        if not re.match(r"\(\?[aiLmsux]+\)", code):
            yield Form(INLINE_FLAG, f"(?u){code}", CHOICE)
        return
    if re.match(r"\s*(select|with)\b", code, re.IGNORECASE):
        yield Form(
            "trailing semicolon",
            code.rstrip("; \n") + ("" if code.rstrip().endswith(";") else ";"),
            USUAL,
        )
        return
    yield Form("trailing newlines", f"{code}\n\n", CORE)
    if is_python(code):
        yield Form("leading comment", f"# the solution\n{code}", CORE)
        yield Form("extra helper", f"import math\n\n{code}", USUAL)
        if helped := behind_helper(code):
            yield Form("behind a helper", helped, USUAL)


def _is_anchored(pattern: str) -> bool:
    """Whether a pattern holds itself to the whole text: `^...$`, and no `\\$` at its end."""
    slashes = len(pattern[:-1]) - len(pattern[:-1].rstrip("\\"))
    return pattern[:1] == "^" and pattern[-1:] == "$" and slashes % 2 == 0


def _without_group(pattern: str) -> str:
    """What a pattern that is one group has in it, where that is several alternatives; ""."""
    inner = pattern[3:-1] if pattern.startswith("(?:") and pattern.endswith(")") else ""
    with contextlib.suppress(re.error, RecursionError, OverflowError):
        if "|" in inner and re.compile(inner):
            return inner
    return ""


def _expression(gold: str, _: list[str]) -> Iterator[Form]:
    yield Form("no spaces", gold.replace(" ", ""), CORE)
    yield Form("outer parentheses", f"({gold})", USUAL)


_MAKERS = {
    "expression": _expression,
    "number": _number,
    "math": _math,
    "choice": _choice,
    "boolean": _boolean,
    "label": _label,
    "text": _text,
    "list": _list,
    "json": _json,
    "code": _code,
    "tests": _code,
}
