"""What a lazy reader could copy or count: the named pieces of a prompt that may be the answer.

    pieces(Item("Omar has 3 jars and 12 lids.", None))["last number"]     # "12"

An answer may be such a piece with something fixed before and after it (`kestrel` + 482), or a
fixed number away from it. `copied` finds the best of these rules for a group of items.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from lab.data.checks.item import Item, plain

NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")
_NAME = re.compile(r"(?<=[^.?!:\n] )[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
_QUOTED = re.compile(r"[\"“`]([^\"”`\n]{1,80})[\"”`]|(?<!\w)'([^'\n]{1,80})'(?!\w)")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE = re.compile(r"[.?!](?:\s|$)")
LONGEST_AFFIX = 40


@dataclass(frozen=True)
class Rule:
    """How to make an answer from a piece of the prompt."""

    piece: str
    """The name of the piece; "" for a constant answer."""
    before: str = ""
    after: str = ""
    plus: float | None = None

    def answer(self, found: dict[str, str]) -> str | None:
        """The answer in its plain form; None where the prompt lacks the piece."""
        if not self.piece:
            return self.before
        held = found.get(self.piece)
        if held is None:
            return None
        if self.plus is None:
            return plain(f"{self.before}{held}{self.after}")
        number = _number(held)
        return None if number is None else plain(f"{number + self.plus:.12g}")

    @property
    def words(self) -> str:
        """The rule as a reader would say it; fixed texts of the data are left to the examples."""
        if not self.piece:
            return "one fixed answer"
        if self.plus is not None:
            return f"the {self.piece} {'plus' if self.plus > 0 else 'minus'} {abs(self.plus):g}"
        places = [name for name, text in (("before", self.before), ("after", self.after)) if text]
        fixed = f" with a fixed text {' and '.join(places)} it" if places else ""
        return f"the {self.piece} of the prompt{fixed}"


def pieces(item: Item) -> dict[str, str]:
    """Every piece that the prompt has, by its name."""
    text = item.prompt
    out: dict[str, str] = {}
    numbers = NUMBER.findall(text)
    if numbers:
        out["last number"], out["first number"] = numbers[-1], numbers[0]
        ordered = sorted(numbers, key=lambda one: _number(one) or 0.0)
        out["largest number"], out["smallest number"] = ordered[-1], ordered[0]
    if len(numbers) > 1:
        out["second number"], out["last number but one"] = numbers[1], numbers[-2]
    names = _NAME.findall(text)
    if names:
        out["last name"], out["first name"] = names[-1], names[0]
    quoted = [a or b for a, b in _QUOTED.findall(text)]
    if quoted:
        out["last quoted text"], out["first quoted text"] = quoted[-1], quoted[0]
    words = _WORD.findall(text)
    if words:
        out["last word"], out["first word"] = words[-1], words[0]
        out["longest word"] = max(words, key=len)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        out["last line"], out["first line"] = lines[-1], lines[0]
    before, colon, after = text.rpartition(":")
    if colon and after.strip():
        out["text after the last colon"] = after.strip()
    out |= _counts(text, words, numbers, after.strip() if before else "")
    if item.context:
        out |= _of_context(item.context)
    return out


def _counts(text: str, words: list[str], numbers: list[str], after: str) -> dict[str, str]:
    listed = [part for part in re.split(r"[,;\s]+", after) if part]
    return {
        "number of words": str(len(words)),
        "number of characters": str(len(text)),
        "number of sentences": str(len(_SENTENCE.findall(text))),
        "number of numbers": str(len(numbers)),
        **({"number of words after the last colon": str(len(listed))} if listed else {}),
    }


def _of_context(context: str) -> dict[str, str]:
    found = {"number": NUMBER.findall(context), "name": _NAME.findall(context)}
    found["word"] = _WORD.findall(context)
    return {
        f"{place} {sort} of the passage": items[index]
        for sort, items in found.items()
        for place, index in (("first", 0), ("last", -1))
        if items
    }


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def copied(items: Sequence[Item], found: Sequence[dict[str, str]]) -> tuple[Rule, int] | None:
    """The rule that is right for most of `items`, and for how many; None without any."""
    tried: Counter[Rule] = Counter()
    constants: Counter[str] = Counter()
    steps: dict[str, Counter[float]] = defaultdict(Counter)
    for item, own in zip(items, found, strict=True):
        constants.update(item.answers)
        # In the order of the pieces: of equal rules the first is taken, in every run the same.
        rules: dict[Rule, None] = {}
        for gold in sorted(item.answers):
            number = _number(gold)
            for name, held in own.items():
                if (rule := _affixed(name, plain(held), gold)) is not None:
                    rules[rule] = None
                value = _number(held) if number is not None else None
                if value is not None and number is not None and value != number:
                    steps[name][number - value] += 1
        tried.update(list(rules))
    for name, counted in steps.items():
        step, count = counted.most_common(1)[0]
        tried[Rule(name, plus=step)] = count
    if constants:
        answer, count = constants.most_common(1)[0]
        tried[Rule("", before=answer)] = count
    # Of equal ones the plainest: a copy before a copy with something around it.
    return max(
        tried.items(),
        key=lambda pair: (pair[1], not pair[0].piece, pair[0].plus is None, -len(pair[0].before)),
        default=None,
    )


def _affixed(name: str, held: str, gold: str) -> Rule | None:
    """The rule by which `gold` is `held` with a fixed text before or after it; None without."""
    if not held or (len(gold) - len(held)) > LONGEST_AFFIX:
        return None
    place = gold.find(held)
    if place < 0:
        return None
    before, after = gold[:place], gold[place + len(held) :]
    # A digit inside a longer number is no copy of it.
    if (before[-1:].isdigit() or after[:1].isdigit()) and held[:1].isdigit():
        return None
    return Rule(name, before, after)
