"""`AnswerFormat`: one way to write an answer into a completion.

AnswerFormat("in <answer>", "<answer>", "</answer>").write("42")
# "Let me think about this.\\n<answer>42</answer>"
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lab.answers.extract import loads

LEAD = "Let me think about this."
"""The ordinary words before an answer."""


@dataclass(frozen=True)
class AnswerFormat:
    """`lead` (reasoning), then the answer between `before` and `after`, then `end`."""

    name: str
    before: str = ""
    after: str = ""
    lead: str = LEAD
    think: tuple[str, str] = ("", "")
    """The tags around the reasoning."""
    end: str = ""
    """What follows the slot (a format that wants a last newline)."""
    hint: str = ""
    """Where it comes from: `contract`, `prompt`, `code`, or "" for what people know."""
    language: str = ""
    """Of the code block in which every gold is written."""
    escape: Callable[[str], str] | None = field(default=None, compare=False)
    whole: bool = False
    """Whether the answer is a whole reply, of whatever form."""
    slots: tuple[tuple[str, str, str], ...] = ()
    """Per field of a record its key, and what is written before and after its value."""

    def slot(self, answer: str) -> str:
        """The answer in its place, without anything around."""
        if self.slots:
            return self._record(answer)
        return f"{self.before}{self.escape(answer) if self.escape else answer}{self.after}"

    def _record(self, answer: str) -> str:
        """Each field of a record (a JSON object) in its own slot; other texts fill every slot."""
        value = loads(answer) if answer.lstrip()[:1] == "{" else None
        if not isinstance(value, dict):
            value = {key: answer for key, _, _ in self.slots}
        parts = [f"{a}{_plain(value.get(key, ''))}{b}" for key, a, b in self.slots if key in value]
        return "\n".join(parts)

    def write(self, answer: str, reasoning: str = "") -> str:
        """A whole completion; `reasoning` takes the place of the format's own lead."""
        return self.around(self.slot(answer), reasoning)

    def around(self, body: str, reasoning: str = "") -> str:
        """A whole completion with `body` where the slot would be."""
        said = reasoning or self.lead
        if self.think[0]:
            said = f"{self.think[0]}{said or LEAD}{self.think[1]}"
        return (f"{said}\n" if said else "") + body + self.end

    def without(self, answer: str) -> str:
        """The answer without the asked format: what a model that ignores the format writes."""
        if not self.slotted:
            return f"I would say that it comes to {answer}, more or less; hard to tell."
        return f"{LEAD} So I would say that it comes to {answer}."

    @property
    def slotted(self) -> bool:
        """Whether the answer is written between marks that a second answer could have too."""
        return bool(self.slots or self.before.strip() or self.after.strip())

    @property
    def closed(self) -> bool:
        """Whether a mark ends the slot."""
        return bool(self.slots or self.after.strip())

    @property
    def is_json(self) -> bool:
        return self.escape is not None or '": ' in self.before

    @property
    def template(self) -> str:
        """The format as `says` of a contract writes it."""
        text = (
            self.slot("\0")
            if not self.slots
            else "\n".join(f"{a}{{answer.{key}}}{b}" for key, a, b in self.slots)
        )
        if self.escape:  # the quotes of a text are JSON's, not the format's
            text = text.replace('"\\u0000"', "\0").replace("\\u0000", "\0")
        return text.replace("\0", "{answer}")


PLAIN = AnswerFormat("plain", lead="")
"""The answer and nothing else."""


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def of_template(text: str, *, hint: str = "contract") -> list[AnswerFormat]:
    """The formats that a template with {answer} means: with a lead, and without one."""
    if "{answer." in text:
        return [_record_template(text, hint)]
    before, _, after = text.partition("{answer}")
    as_json = before.rstrip().endswith(":") and "{" in before
    made = AnswerFormat(
        f"as {text}", before, after, hint=hint, escape=json.dumps if as_json else None
    )
    alone = replace(made, lead="")
    quoted = [replace(alone, escape=None)] if as_json else []
    return [alone, *quoted] if as_json or not made.slotted else [made, alone]


def _record_template(text: str, hint: str) -> AnswerFormat:
    slots = []
    rest = text
    while "{answer." in rest:
        before, _, tail = rest.partition("{answer.")
        key, _, rest = tail.partition("}")
        after, newline, rest = rest.partition("\n")
        slots.append((key, before, after))
        rest = rest if newline else ""
    return AnswerFormat(f"as {text}", hint=hint, slots=tuple(slots))


def tagged(answer: str, think: str = "") -> list[AnswerFormat]:
    """The ways to write an answer in a tag, after thinking in another one where that is named."""
    left, right = f"<{answer}>", f"</{answer}>"
    if not think:
        return [
            AnswerFormat(f"in <{answer}>", left, right),
            AnswerFormat(f"in <{answer}> on lines of its own", f"{left}\n", f"\n{right}", end="\n"),
        ]
    inside, lined = (f"<{think}>", f"</{think}>"), (f"<{think}>\n", f"\n</{think}>")
    name = f"in <{answer}> after <{think}>"
    split = AnswerFormat(f"{name}, on lines of their own", f"{left}\n", f"\n{right}", think=lined)
    return [
        AnswerFormat(name, left, right, think=inside),
        split,
        replace(split, name=f"{name}, with a last newline", end="\n"),
    ]


def records(keys: Sequence[str], tags: Sequence[str], labels: Sequence[str]) -> list[AnswerFormat]:
    """The ways to write a record with these keys: a tag each, a labelled line each."""
    found = []
    for names, write, name in (
        (tags, lambda word: (f"<{word}>", f"</{word}>"), "a tag for each field"),
        (labels, lambda word: (f"{word} ", ""), "a labelled line for each field"),
    ):
        matched = {key: word for key in keys for word in names if same_name(key, word)}
        if len(matched) > 1:
            slots = tuple((key, *write(word)) for key, word in matched.items())
            found += [
                AnswerFormat(name, slots=slots, hint="prompt"),
                AnswerFormat(f"{name}, alone", slots=slots, hint="prompt", lead=""),
            ]
    return found


def same_name(left: str, right: str) -> bool:
    """Whether two names are one: `final_answer` and `Final answer:`."""
    one, two = ("".join(c for c in text.lower() if c.isalnum()) for text in (left, right))
    return bool(one) and one == two
