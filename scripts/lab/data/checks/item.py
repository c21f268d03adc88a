"""`Item`: one row of a dataset, or one task of an environment or of an evaluation.

    Item("Which planet is red?", ("B",), options=("Venus", "Mars"))

Three keys say what is the same: `question` (the text, without its options), `asked` (the question
with its context and the set of its options, in any order) and `answers` (golds, an option by its
text).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lab.answers.options import option_index
from lab.data.checks.text import key, normalised, remembered

CONTEXT = 2000
"""Characters of the context that tell two rows with the same question apart."""


@dataclass(eq=False)
class Item:
    prompt: str
    golds: tuple[str, ...] | None
    """The accepted golds, best first; None where the row has none."""
    options: tuple[str, ...] = ()
    """The options in the order in which they are shown; a gold may name one by its letter."""
    context: str = ""
    """What is shown beside the prompt and may hold the answer: a passage, a table."""
    rates: Mapping[str, float] = field(default_factory=dict)
    """Recorded solve rates and difficulties by column."""
    other: tuple[str, ...] = ()
    """Texts of other columns that a reader may see."""
    row: int = -1
    """Its place in reading order, for the evidence."""

    question: str = field(init=False)
    """The prompt in lower-case words, without the options where they stand in its text."""
    question_key: int = field(init=False)
    asked_key: int = field(init=False)
    """The same for the same question with the same options, whatever their order."""
    right: int | None = field(init=False, default=None)
    """The place of the right option; None where the gold names none."""
    answers: frozenset[str] = field(init=False)
    """Every accepted gold in the form in which two are compared."""

    def __post_init__(self) -> None:
        self.question = (
            _asked(self.prompt, self.options) if self.options else normalised(self.prompt)
        )
        asked = f"{self.question}\0{self.context[:CONTEXT]}"
        self.question_key = self.asked_key = key(asked)
        if self.options:
            shown = "\0".join(sorted(map(normalised, self.options)))
            self.asked_key = key(f"{asked}\0{shown}")
            self.right = option_index(self.golds[0], list(self.options)) if self.golds else None
        accepted = self.golds or () if self.right is None else (self.options[self.right],)
        self.answers = frozenset(map(plain, accepted))

    @property
    def answer(self) -> str:
        """The first gold; of an option its text."""
        if self.right is not None:
            return self.options[self.right]
        return self.golds[0] if self.golds else ""


def _asked(prompt: str, options: tuple[str, ...]) -> str:
    """A prompt in words, without the options that are listed in it."""
    inside = [option for option in options if option and option in prompt]
    if len(inside) < 2:
        return normalised(prompt)
    text = prompt
    for option in sorted(inside, key=len, reverse=True):
        # Where it is listed, and not where the question itself names it.
        before, _, after = text.rpartition(option)
        text = f"{before} {after}"
    words = normalised(text).split()
    return " ".join(word for word in words if len(word) > 1) or normalised(prompt)


@remembered
def plain(gold: str) -> str:
    """A gold without case, outer spaces and the separators of thousands: `1,250.0` is `1250`."""
    text = " ".join(gold.split()).casefold().removesuffix(".")
    bare = text.replace(",", "").lstrip("$")
    try:
        number = float(bare)
    except ValueError:
        return text
    return f"{number:.12g}" if abs(number) < 1e15 else bare
