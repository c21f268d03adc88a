"""The right answer in other dress: equivalent forms of it, and other text around it.

Three levels: `core`, any reader takes it for the gold; `usual`, the same in common dress; `choice`,
whether it counts is the author's decision. What a contract accepts or a README promises is core,
what is declared or announced as refused is a choice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lab.answers import wrong
from lab.answers.articles import ARTICLE, language_of, with_articles
from lab.answers.examples import like
from lab.answers.extract import loads
from lab.answers.form import CHOICE, CORE, USUAL, Form
from lab.answers.forms import WITHOUT_ANCHORS, WITHOUT_GROUP, forms
from lab.answers.look_alike import as_written_in
from lab.answers.numbers import number_text, parse_number
from lab.answers.plain_yaml import plain_yaml
from lab.reward.brief import Brief
from lab.reward.formats.prompt import commands_of, shared_text

STRICT = re.compile(
    r"\b(?:exactly (?:one|as|the|like|\w+ (?:significant|decimal))"
    r"|exact (?:format|form|match|wording)|nothing else"
    r"|no other (?:text|words?|characters)|only the (?:letter|number|word|label|answer|name)"
    r"|just the (?:letter|number|word|label|answer|name)|verbatim|character for character"
    r"|plain number|plain integer|integer only|digits only|one word|single word|single letter"
    r"|as (?:it is )?(?:written|listed|spelled|shown)|without (?:units?|punctuation|quotes))\b",
    re.IGNORECASE,
)
"""Words of a prompt or a README that ask for one exact form."""
STRICT_README = re.compile(
    r"\bstrict(?:ly)?\b|\bexact(?:ly)? (?:match|comparison|string|equal)|case[- ]sensitive"
    r"|break(?:s|ing)? (?:this|the) (?:form|format)"
    r"|(?:any|every)thing else (?:is|earns|scores|counts)"
    r"|other (?:forms?|formats?|spellings?|notations?) (?:is|are|earns?|counts?|scores?)"
    r"|(?:mandatory|obligatory|required) (?:form|format)|(?:form|format) is (?:mandatory|required)",
    re.IGNORECASE,
)
"""Words of a README, besides, by which other forms are refused on purpose."""
VERBATIM = re.compile(
    r"\bverbatim\b|character[- ](?:for|by)[- ]character|byte[- ](?:for|by)[- ]byte"
    r"|\b(?:cop(?:y|ies)|reproduc\w+|repeat)\b[^.\n]{0,60}\bexact(?:ly)?\b"
    r"|\bexact(?:ly)? (?:the same|cop(?:y|ies)|reproduc\w+)",
    re.IGNORECASE,
)
"""Words by which even a blank more is another text."""
TYPED = ("alias", "unicode minus", "NFC", "NFD")
"""Forms that are the same text typed otherwise: no strictness of words excludes them."""
MENTIONED = re.compile(
    r"\bin the order (?:in which|that)\b[^.\n]{0,60}\b(?:mention|appear|occur|name|come)"
    r"|\bin (?:the )?order of (?:first |their )?(?:mention|appearance|occurrence)\b",
    re.IGNORECASE,
)
"""Words of a prompt by which the members of a list stand as the question has them."""
ONE_LINE = re.compile(
    r"\bon (?:one|a single|its own|a|the last) line\b"
    r"|\b(?:last|final|first|single|one)(?: non-?(?:empty|blank))? line\b|\bone-line",
    re.IGNORECASE,
)
"""Words of a prompt by which an answer of several lines is none."""
ANSWER_MARK = re.compile(r"answer|final|result|solution|label|verdict|output|#", re.IGNORECASE)
UNIT = re.compile(r"[ \u00a0]?[^\s\d<>\[\](){}*]{1,8}")
"""A unit behind the answer, which does not make a mark of it."""
CASES = ("lower case", "upper case", "capitalised", "other case")
FOREIGN = "Zuerst lese ich die Frage noch einmal, dann rechne ich in Ruhe nach."
PLACES = "First I read the question. " * 6 + "Then I check it."


@dataclass(frozen=True)
class Dressed:
    """A right completion in another dress."""

    name: str
    level: str
    text: str
    around: bool
    """Whether it is the text around the answer that differs."""
    natural: str
    """The level without what is declared or announced."""


def dressed(b: Brief, task: int, stated: Mapping[str, str]) -> Iterator[Dressed]:
    """Every form of a task's gold and every surrounding of it, with its level."""
    strict = strictness(b)
    target = b.target(task)
    # A list that nothing calls the gold may be something else than its other spellings.
    guessed = b.right.all_of or b.right.rank > 1
    aliases = () if guessed else target.accepted[1:6]
    made = forms(b.answer_type, b.gold(task), options=target.options, accepted=aliases)
    for form in made:
        if _breaks_json(b, task, form):
            continue
        level = _level(b, form, bool(strict), stated)
        yield Dressed(form.name, level, b.write(_with_unit(b, task, form)), False, form.level)
    shown = "" if b.format.slots else f"{shared_text(b.tasks)}\n{b.readme}"
    for text, example in like(shown, b.gold(task)).items():
        yield Dressed(f"like the example {example}", CORE, b.write(text), False, CORE)
    if text := _as_mentioned(b, task):
        yield Dressed("in the order of mention", CORE, b.write(text), False, CORE)
    text = b.write(b.gold(task))
    if (spelt := as_written_in(text, b.tasks[task].shown)) != text:
        yield Dressed("as the prompt spells it", CORE, spelt, False, CORE)
    for name, text in _as_the_prompt_groups(b, task):
        yield Dressed(name, CORE, b.write(text), False, CORE)
    for name, text in (*_tolerated(b, task), *_as_yaml(b, task)):
        yield Dressed(name, CORE, b.write(text), False, CORE)
    for text in _with_articles(b, task) if stated.get(ARTICLE) == "accepted" else ():
        name = f"article {text.removesuffix(b.gold(task)).strip()}"
        yield Dressed(name, CORE, b.write(text), False, CORE)
    for name, level, text in surroundings(b, task):
        if len(text.split()) > b.most_words:
            continue
        shown = CHOICE if name in b.contract.refuses else level
        yield Dressed(name, shown, text, True, level)


def _with_articles(b: Brief, task: int) -> list[str]:
    """The gold behind each article of the language that the question is in."""
    if b.answer_type not in ("text", "label"):
        return []
    return with_articles(b.gold(task), language_of(b.tasks[task].prompt))


def _breaks_json(b: Brief, task: int, form: Form) -> bool:
    """Whether a form is no value where the gold is one: `{"total": 448.}`."""
    if not b.format.is_json or loads(b.slot(b.gold(task))) is None:
        return False
    return loads(b.slot(form.text)) is None


def _as_mentioned(b: Brief, task: int) -> str:
    """A list in the order in which the question mentions its members, where that is asked for and
    the gold has another one; ""."""
    members = loads(b.gold(task)) if b.gold(task)[:1] == "[" else None
    shared = shared_text(b.tasks)
    if not isinstance(members, list) or not MENTIONED.search(shared):
        return ""
    named = [_first_text(one) for one in members]
    # What the instructions name says nothing of the order in the question.
    prompt = b.tasks[task].prompt
    places = [prompt.find(text) if text and text not in shared else -1 for text in named]
    in_order = [one for _, one in sorted(zip(places, members, strict=True), key=lambda p: p[0])]
    known = min(places, default=-1) >= 0 and len(set(places)) == len(places)
    return json.dumps(in_order, ensure_ascii=False) if known and in_order != members else ""


def _first_text(value: Any) -> str:
    """The first text that a member of a list holds, or is."""
    parts = value.values() if isinstance(value, dict) else [value]
    return next((one for one in parts if isinstance(one, str)), "")


def _as_the_prompt_groups(b: Brief, task: int) -> Iterator[tuple[str, str]]:
    """A number among texts with the thousands separator with which the prompt writes it."""
    gold = b.gold(task).strip()
    if b.answer_type == "text" and re.fullmatch(r"\d{4,15}", gold):
        grouped = f"{int(gold):,}"
        if grouped in b.tasks[task].shown:
            yield "thousands separator", grouped


def _tolerated(b: Brief, task: int) -> Iterator[tuple[str, str]]:
    """A number within the tolerance that the contract declares, written like the gold."""
    value = parse_number(b.gold(task))
    if b.right.tolerance is None or b.answer_type != "number" or value is None:
        return
    if b.right.reading.startswith("to "):
        return  # so many figures are asked for: what is between two of them is none
    near = Fraction(value) * (1 + Fraction(b.right.tolerance) / 2)
    gold = b.gold(task).strip()
    places = len(re.findall(r"^\d*", gold.partition(".")[2])[0])
    text = number_text(Decimal(round(near * 10**places)).scaleb(-places))
    if parse_number(text) != value:
        yield "within the tolerance", wrong.like(gold, text)


QUOTES = re.compile(
    r"\b(?:must|has to|have to|needs?|should|always)\b[^.\n]{0,30}\bquot"
    r"|\bin (?:double |single )?quot",
    re.IGNORECASE,
)
"""Words by which texts stand in quotes."""


def _as_yaml(b: Brief, task: int) -> Iterator[tuple[str, str]]:
    """An object as people write YAML, where the prompt asks for it and not for quotes."""
    said = f"{b.tasks[task].shown}\n{b.readme}"
    asked = re.search(r"\bYAML\b", b.tasks[task].shown) and not re.search(r"\bJSON\b|JSONL", said)
    value = loads(b.gold(task)) if asked and not QUOTES.search(said) else None
    if isinstance(value, (dict, list)):
        yield "YAML in lines", plain_yaml(value)


def strictness(b: Brief) -> str:
    """Why only the exact form is meant to be paid; "" where nothing says so."""
    if b.contract.strict:
        return "the contract refuses all other forms"
    if match := STRICT.search(shared_text(b.tasks)):
        return f"the prompt says '{match[0]}'"
    if b.playable and b.format.before.strip() in commands_of(shared_text(b.tasks)):
        return f"{b.format.before.strip()} is a command of an exchange"
    match = STRICT.search(b.readme) or STRICT_README.search(b.readme)
    return f"the README says '{match[0]}'" if match else ""


def _level(b: Brief, form: Form, strict: bool, stated: Mapping[str, str]) -> str:
    if form.name in b.contract.accepts:
        return CORE
    said = stated.get(WITHOUT_ANCHORS if form.name == WITHOUT_GROUP else form.name)
    if form.name in b.contract.refuses or said == "refused":
        return CHOICE
    if "\n" in form.text.strip() and ONE_LINE.search(f"{shared_text(b.tasks)}\n{b.readme}"):
        return CHOICE
    if said == "accepted":
        return CORE
    if form.name in CASES and "+" in b.right.source:
        return USUAL  # of several fields one may be a code
    if form.name in CASES and stated.get("case") == "ignored":
        return CORE
    if form.name in CASES and stated.get("case") == "strict":
        return CHOICE
    if _as_prompt_writes(b, form):
        return CORE
    # Strict about words, not about blanks in data.
    if strict and form.name not in TYPED and b.answer_type not in ("json", "list", "code"):
        return CHOICE
    return _level_of_number(b, form)


def _level_of_number(b: Brief, form: Form) -> str:
    if form.name == "thousands separator" and (_decimal_commas(b) or _years(b)):
        return CHOICE
    whole = r"\b(?:integer|whole number)"
    if form.name == "decimal comma" and _answered_with_a_comma(b):
        return CORE
    if form.name == "float form" and re.search(whole, b.tasks[0].shown, re.IGNORECASE):
        return CHOICE
    return form.level


YEARS = 1000, 2200
"""Between which a number may be a year, which nobody writes with a separator."""


def _years(b: Brief) -> bool:
    golds = [parse_number(gold) for gold in b.right.distinct]
    large = [number for number in golds if number is not None and number >= YEARS[0]]
    return len(large) > 1 and all(number == int(number) <= YEARS[1] for number in large)


DECIMAL_COMMA = re.compile(r"(?<![\d,.])\d+,\d{1,2}(?![\d,])")


def _decimal_commas(b: Brief) -> bool:
    """Whether at least two prompts write decimals with a comma: then it groups no thousands."""
    return sum(bool(DECIMAL_COMMA.search(task.prompt)) for task in b.tasks) > 1


def _answered_with_a_comma(b: Brief) -> bool:
    """Whether the prompt writes an answer of its own with a decimal comma: `Total: 7,35`."""
    label = re.escape(b.format.before.strip())
    return bool(label and re.search(rf"{label}\s*{DECIMAL_COMMA.pattern}", b.tasks[0].shown))


def _as_prompt_writes(b: Brief, form: Form) -> bool:
    """Whether it is the form in which the prompt itself writes the answers: options as `(A)`,
    labels in lower case."""
    if b.answer_type not in ("choice", "label", "boolean") or len(form.text) > 40:
        return False
    if b.answer_type == "choice" and form.name not in ("in parentheses", "closing parenthesis"):
        return False
    texts = [task.shown for task in b.tasks[:6]]
    return all(re.search(rf"(?<![\w(]){re.escape(form.text)}(?!\w)", text) for text in texts)


def _with_unit(b: Brief, task: int, form: Form) -> str:
    """The form's text; a unit is the one that the question asks for."""
    asked = re.search(r"\bhow (?:many|much) (\w+)", b.tasks[task].prompt, re.IGNORECASE)
    return form.text.replace("units", asked[1]) if form.name == "unit" and asked else form.text


def surroundings(b: Brief, task: int) -> Iterator[tuple[str, str, str]]:
    """(name, level, completion): the gold as it is, with other text around it."""
    gold, way = b.gold(task), b.format
    if way.whole:
        return  # where the answer begins and ends in a whole reply is not known
    # In a block of lines a blank may be part of the first one.
    plain = b.answer_type not in ("json", "code") and not way.is_json and "\n" not in gold
    yield _with_blanks(b, gold, plain)
    yield "last newline", CORE, b.write(gold) + "\n"
    if way.lead or way.think[0]:
        yield from _reasoned(b, task)
    if way.before.startswith("<"):
        yield from _tagged(b, gold, plain)
    if way.is_json and EMPTY_LIST in (said := b.write(gold)):
        yield "lists filled", CORE, said.replace(EMPTY_LIST, f": [{_quoted(b, task)}]")
    for name, level, text in _labelled(b, gold, plain):
        yield name, CHOICE if b.readme and strictness(b) else level, text
    if way.slotted and way.closed:
        yield "a last friendly line", CHOICE, b.write(gold) + "\nLet me know if you need more."
    if way.slotted and not b.programs and not way.slots:
        named = f"I will use {way.before.strip()}{way.after.strip()} for the answer."
        yield "the format named in the reasoning", CHOICE, b.write(gold, named)


def _with_blanks(b: Brief, gold: str, plain: bool) -> tuple[str, str, str]:
    # After a label there is a blank already, and nobody writes a second one.
    labelled = b.format.before.endswith(" ") and not b.format.closed
    name, blanks = "blank after", f"{gold} "
    if not labelled:
        name, blanks = "blank before and after", f" {gold} "
    exact = VERBATIM.search(f"{shared_text(b.tasks)}\n{b.readme}")
    return name, CHOICE if exact else CORE, b.write(blanks if plain else gold)


EMPTY_LIST = ": []"
"""Of a key beside the answer (evidence, steps): a reply that has something to say fills it."""


def _quoted(b: Brief, task: int) -> str:
    """A few words of the prompt, as JSON."""
    return json.dumps(" ".join(b.tasks[task].prompt.split()[-4:]), ensure_ascii=False)


def _reasoned(b: Brief, task: int) -> Iterator[tuple[str, str, str]]:
    gold = b.gold(task)
    yield "longer reasoning", CORE, b.write(gold, PLACES)
    yield "reasoning in another language", CHOICE, b.write(gold, FOREIGN)
    if b.format.slotted:
        numbers = "I try 3 + 4 = 7 first, then 12, and 99 looks wrong."
        other = f"At first it looks like {b.wrong(task)}, but that does not fit."
        # Without a mark the first of two answers may be the one that is read.
        marked = b.format.closed or ANSWER_MARK.search(b.format.before)
        level = CORE if marked and b.answer_type not in ("code", "json") else CHOICE
        yield "numbers in the reasoning", CORE, b.write(gold, numbers)
        yield "a rejected candidate in the reasoning", level, b.write(gold, other)
        lines = "One.\n\nTwo:\n- a\n- b\n\nThree."
        yield "reasoning over several lines", CORE, b.write(gold, lines)


def _tagged(b: Brief, gold: str, plain: bool) -> Iterator[tuple[str, str, str]]:
    left, right, text = b.format.before.strip(), b.format.after.strip(), b.write(gold)
    if right:
        upper = text.replace(left, left.upper()).replace(right, right.upper())
        yield "upper-case tag", CHOICE, upper
    if plain and "\n" not in b.format.before:
        lined = b.write("\0").replace("\0", f"\n{gold}\n")
        yield "answer on a line of its own", USUAL, lined


def _labelled(b: Brief, gold: str, plain: bool) -> Iterator[tuple[str, str, str]]:
    """`**Answer:** 42` and `**Answer: 42**`: chat models write their last line in bold."""
    label = b.format.before.strip()
    if label[-1:] not in (":", "：") or not label[:1].isalpha() or not plain:
        return
    if b.format.closed and not UNIT.fullmatch(b.format.after):
        return
    text = b.write(gold)
    yield "bold label", USUAL, text.replace(b.format.before, f"**{label}** ")
    slot = b.slot(gold)
    yield "bold line", USUAL, text.replace(slot, f"**{slot}**")
    if re.fullmatch(r"-?\d+|[^\W\d_][^\W\d_ ',-]*(?:[ ',-]+[^\W\d_]+)*", gold):
        # A sentence ends with a period; an expression does not.
        wide = label[-1:] == "："
        period = "。" if wide else "."
        yield "a period after the line", USUAL, text.replace(slot, f"{slot}{period}")
