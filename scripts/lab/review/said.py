"""What README and prompt speak of: completions about it come before others.

A reader can judge what the words decide. So of the forms and sorts that were scored those are shown
first whose name says what README or prompt name, too: `thousands separator`, `no accents`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lab.reward.outcome import Audit

COMMON = set(
    "answer right wrong other form text tool tools calls value values with once word".split()
)
"""Words of names that nearly every README has."""


@dataclass(frozen=True)
class Said:
    words: frozenset[str]
    rules: frozenset[str]
    """What rules in words were recognised for: `counts`, `thousands separator`."""

    @classmethod
    def of(cls, audit: Audit) -> Said:
        brief = audit.brief
        texts = [*(task.shown for task in brief.tasks[:1]), brief.readme]
        words = re.findall(r"[a-z]{4,}", "\n".join(texts).lower())
        return cls(frozenset(map(_stem, words)), frozenset(brief.stated))

    def speaks_of(self, name: str) -> bool:
        """Whether all telling words of a name are among those of README and prompt."""
        if name in self.rules:
            return True
        words = [w for w in re.findall(r"[a-z]{4,}", name.lower()) if w not in COMMON]
        return bool(words) and all(_stem(word) in self.words for word in words)


def _stem(word: str) -> str:
    return word.removesuffix("s").removesuffix("ed").removesuffix("ing")
