"""`Item`: one row of a dataset, or one task of an environment or of an evaluation.

    Item("Which planet is red?", ("B",), options=("Venus", "Mars"))

Three keys say what is the same: `question` (the text, without its options), `asked` (the question
with its context and the set of its options, in any order) and `answers` (golds, an option by its
text).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lab.answers.options import option_index
from lab.data.checks.text import key, normalised

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

    @cached_property
    def question(self) -> str:
        """The prompt in lower-case words, without the options where they stand in its text."""
        inside = [option for option in self.options if option and option in self.prompt]
        if len(inside) < 2:
            return normalised(self.prompt)
        text = self.prompt
        for option in sorted(inside, key=len, reverse=True):
            # Where it is listed, and not where the question itself names it.
            before, _, after = text.rpartition(option)
            text = f"{before} {after}"
        words = normalised(text).split()
        return " ".join(word for word in words if len(word) > 1) or normalised(self.prompt)

    @cached_property
    def question_key(self) -> int:
        return key(f"{self.question}\0{self.context[:CONTEXT]}")

    @cached_property
    def asked_key(self) -> int:
        """The same for the same question with the same options, whatever their order."""
        if not self.options:
            return self.question_key
        shown = "\0".join(sorted(normalised(option) for option in self.options))
        return key(f"{self.question}\0{self.context[:CONTEXT]}\0{shown}")

    @cached_property
    def right(self) -> int | None:
        """The place of the right option; None where the gold names none."""
        if not self.options or not self.golds:
            return None
        return option_index(self.golds[0], list(self.options))

    @cached_property
    def answer(self) -> str:
        """The first gold; of an option its text."""
        if self.right is not None:
            return self.options[self.right]
        return self.golds[0] if self.golds else ""

    @cached_property
    def answers(self) -> frozenset[str]:
        """Every accepted gold in the form in which two are compared."""
        if self.right is not None:
            return frozenset([plain(self.options[self.right])])
        return frozenset(plain(gold) for gold in self.golds or ())


def plain(gold: str) -> str:
    """A gold without case, outer spaces and the separators of thousands: `1,250.0` is `1250`."""
    text = " ".join(gold.split()).casefold().removesuffix(".")
    bare = text.replace(",", "").lstrip("$")
    try:
        number = float(bare)
    except ValueError:
        return text
    return f"{number:.12g}" if abs(number) < 1e15 else bare
