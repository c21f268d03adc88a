"""What a judge is shown beside the reply: of a judged environment this is the gold.

A scripted judge approves of whatever it is told to, so that payment says nothing there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from lab.answers.alike import plain_words
from lab.environment import Environment
from lab.reward.judges.opening import Opening
from lab.reward.judges.server import ScriptedJudge
from lab.reward.judges.sides import rival
from lab.reward.reading.candidate import Candidate
from lab.reward.reading.fields import CALLED_GOLD
from lab.reward.reading.search import CLEAR

ALIKE = 4
"""Tasks from which on a field with one value, and no name of a gold, is none."""
LOOKED_AT = 3
"""Tasks that are looked at."""
UNSURE = "I am not sure; it could be one or the other."


@dataclass(frozen=True)
class ShownToJudge:
    env: Environment
    judge: ScriptedJudge
    opening: Opening

    def golds(self, every: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that the judge is shown."""
        words = [plain_words(text) for text in self.asked]
        rivals = self.rivals(every)
        seen = [
            one
            for one in every
            if (one.named or len(set(one.golds)) > 1 or len(one.golds) < ALIKE)
            and one.field not in rivals
            and not self.material(one)
            and all(
                text and _within(gold, text) for gold, text in zip(one.golds, words, strict=False)
            )
        ]
        return [replace(one, rank=min(one.rank, 1)) for one in seen]

    def material(self, one: Candidate) -> bool:
        """Whether the prompts show it and nothing calls it the gold: a judge that is shown the
        question is shown this with it, as what is to be answered."""
        tasks = self.env.description.tasks[:LOOKED_AT]
        prompts = [plain_words(task.prompt) for task in tasks]
        called = CALLED_GOLD.search(one.field.lower())
        return not called and all(map(_within, one.golds, prompts))

    def rivals(self, every: Sequence[Candidate]) -> set[str]:
        """The fields that hold the text with which a reply is compared, which of the two is
        better."""
        return {
            one.field
            for one in every
            for gold, text in zip(one.golds, self.asked, strict=False)
            if gold and rival(text, gold)
        }

    @cached_property
    def asked(self) -> list[str]:
        """What the judge is asked on the first tasks."""
        tasks = self.env.description.tasks[:LOOKED_AT]
        return [
            # The opening may be what a field holds: a word more tells it from that.
            self._asked(i, UNSURE)
            or self._asked(i, self.opening.write(task, 1))
            or self._asked(i, self.opening.write(task))
            for i, task in enumerate(tasks)
        ]

    def approves(self, most: float) -> bool:
        """Whether a judge's approval is all that is needed: then no field of the tasks is."""
        text = self.opening.write(self.env.description.tasks[0])
        self.env.expect(True, text)
        return (self.env.score(0, text).reward or 0.0) >= CLEAR * most

    def _asked(self, task: int, text: str) -> str:
        """What the judge is asked about a reply, without the reply itself."""
        self.judge.last_prompt = ""
        self.env.expect(False, text)
        self.env.score(task, text)
        return self.judge.asked()


def _within(gold: str | None, words: str) -> bool:
    return bool(gold) and plain_words(gold or "") in words
