"""`Brief`: everything that completions are generated from. Nothing in it changes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lab.answers.alike import LONG
from lab.answers.target import Target
from lab.data.rows.model import evenly
from lab.environment import Completion, Description, Played, Task
from lab.reward.contract import Contract
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.formats.prompt import THINK_TAGS
from lab.reward.formats.source import SourceTokens
from lab.reward.interactive.messages import Messages
from lab.reward.reading.by_example import SOURCE
from lab.reward.reading.fields import rank_of
from lab.reward.reading.right import Right
from lab.reward.scale import PAID, Scale
from lab.reward.statements import Statement, most_words

OTHER_EXAMPLES = 3
"""Examples of a contract that are not right, from which on they say more than what is made of the
right ones."""
ENOUGH, WHOLE = 2, math.inf
"""Variants of a production that examples call right, from which on all of it is; and the share that
says so."""
DOCUMENTED = 200
"""Characters of a README from which on it says more than a name."""
ENGLISH = re.compile(r"\b(?:the|of|is|and|to|are|or|that|with|for|it|as)\b", re.IGNORECASE)
LEAST_ENGLISH = 0.03
"""Share of these words in a text from which on it is English: 5 % of the tersest README, 20 to
30 % of usual prose, next to none of other languages."""
THINKING = re.compile(
    rf"<(?:(?:{'|'.join(THINK_TAGS)}|thoughts|steps|notes)|(?:raison|r[ée]flexi|razon|pens[aé]"
    r"|pensier|denk|gedank|gedacht|[üu]e?berleg|begr[üu]nd|ragiona|racioc|rozum|my[śs]l|мысл"
    r"|рассужд|думк|tanke|resonemang|d[üu][şs][üu]n|gondolat|思考|推理|考え|생각|σκέψ|suy_?ngh|تفكير)"
    r"\w*)>",
    re.IGNORECASE,
)
"""A tag around reasoning by its name."""
THINKING_TAGS = re.compile(r"<(think|thinking|reasoning|reason|thought|scratchpad|analysis)>")


@dataclass(frozen=True)
class Brief:
    """One environment as the generators see it."""

    description: Description
    right: Right
    contract: Contract = field(default_factory=Contract)
    tokens: SourceTokens = field(default_factory=SourceTokens)
    scale: Scale = field(default_factory=Scale)
    judged: bool = False
    """Whether scoring asks a judge."""
    scripted: bool = False
    """Whether that judge is the scripted one: it approves of all or of nothing."""
    unread: bool = False
    """Whether the environment could read none of the scripted judge's verdicts."""
    approval: str = ""
    """The judge's own words of approval."""
    play: Callable[..., list[Played]] = lambda *_: []
    """Rollouts with scripted replies: (task, replies, ...)."""
    declared: dict[str, Any] = field(default_factory=dict)
    """Clauses that the contract declares or the prompt and README state."""
    readme: str = ""
    stated: dict[str, Statement] = field(default_factory=dict)
    """What prompt and README state in words, by what they speak of."""

    settled: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Production and variant of completions that would count against the reward, of which an
    example of the contract says that the reward is right; up to which share of what is right."""

    @property
    def documented(self) -> bool:
        """Whether a README of some length says what is paid, in whatever language."""
        return len(self.readme) >= DOCUMENTED

    @property
    def foreign(self) -> bool:
        """Whether the README is in a language whose words are not read here: not in English."""
        words = re.findall(r"[^\W\d_]+", self.readme)
        return self.documented and len(ENGLISH.findall(self.readme)) < LEAST_ENGLISH * len(words)

    @property
    def most_words(self) -> float:
        """How many words a reply may have, as the first prompt and the README say."""
        return most_words(*(task.shown for task in self.tasks[:1]), self.readme) or math.inf

    @property
    def tasks(self) -> list[Task]:
        return self.description.tasks

    @property
    def format(self) -> AnswerFormat:
        return self.right.format

    @property
    def answer_type(self) -> str:
        return self.right.answer_type

    @property
    def open_ended(self) -> bool:
        """Whether right answers are texts that only examples show: others may be right, too."""
        texts = [gold for gold in self.right.golds if gold]
        shown = self.right.source == SOURCE and self.answer_type == "text"
        return shown and max(map(len, texts), default=0) > LONG

    @property
    def guessed(self) -> bool:
        """Whether golds and their form are guessed from the contract's examples, or acted out,
        while the examples say themselves what is right and what is not."""
        right = self.contract.right_examples()
        others = len(self.contract.examples) - len(right)
        made = self.right.source == SOURCE or not self.with_gold
        return made and bool(right) and others >= OTHER_EXAMPLES

    @property
    def in_part(self) -> bool:
        """Whether the golds may be a part of what is right: nothing calls their field the gold, and
        the best of them earns half at most, where no contract says more."""
        said = self.contract.gold or self.contract.range or self.contract.examples
        return not said and rank_of(self.right.source) > 0 and 0 < self.right.best <= PAID

    def affirmed(self, production: str, variant: str, share: float) -> bool:
        """Whether so much of what is right is fair for a completion of this sort: an example says
        so, or examples of other variants say that the production's completions are right."""
        whole = sum(p == production and most == WHOLE for (p, _), most in self.settled.items())
        return share <= self.settled.get((production, variant), -WHOLE) or whole >= ENOUGH

    @property
    def doubt(self) -> str:
        """Why what is made of golds and wrong answers may be misread; "" where nothing says so."""
        if self.guessed:
            return "the gold and its form are guessed from the contract's examples"
        if self.in_part:
            return f"the best gold earns {self.right.best:.3g}: it may be a part of the answer"
        for production, taken in (("wrong", "a wrong answer"), ("gold", "a right one")):
            if production in {p for p, _ in self.settled}:
                return f"an example says that what is taken for {taken} is none"
        return ""

    @property
    def programs(self) -> bool:
        return self.answer_type == "code"

    @property
    def graded(self) -> bool:
        return self.scale.graded

    def gold(self, task: int) -> str:
        return self.right.gold(task)

    def target(self, task: int) -> Target:
        return self.right.targets[task]

    def wrong(self, task: int, which: int = 0) -> str:
        return self.target(task).wrong(which)

    def write(self, answer: str, reasoning: str = "") -> str:
        return self.format.write(answer, reasoning)

    def slot(self, answer: str) -> str:
        return self.format.slot(answer)

    def whole(self, task: int) -> Completion | None:
        """The right rollout of a task whose gold is acted out."""
        return self.right.whole.get(task)

    @cached_property
    def with_gold(self) -> list[int]:
        return self.right.with_gold

    @cached_property
    def order(self) -> list[int]:
        """All tasks: first one per gold, those whose gold the instructions name before others."""
        golds = self.right.by_gold
        named = sorted(
            golds, key=lambda i: self.gold(i).lower() not in self.tasks[i].system.lower()
        )
        acted = [i for i in self.right.whole if i not in set(golds)]
        rest = [i for i in range(len(self.tasks)) if i not in {*golds, *acted}]
        return [*named, *acted, *rest]

    def sample(self, most: int, *, gold: bool) -> list[int]:
        """Up to `most` tasks, spread over all: those whose gold is paid, or all where a gold is not
        needed and none is known; of these first the ones whose right rollout is known."""
        known = set(self.scale.paid_golds) or set(self.with_gold)
        tasks = [i for i in self.order if i in known or not (self.with_gold or gold)]
        acted = [] if self.with_gold else [i for i in tasks if i in self.right.whole]
        rest = [i for i in tasks if i not in set(acted)]
        first = evenly(acted, min(most, len(acted)))
        return [*first, *evenly(rest, min(most - len(first), len(rest)))]

    @cached_property
    def think(self) -> tuple[str, str]:
        """The tags of thinking that the prompt names, or the usual ones. A README that speaks of
        `<think>` besides means what is cut off."""
        if "<think>" in self.readme:
            return "<think>", "</think>"
        if self._reasoning[0]:
            return self._reasoning
        shown = self.tasks[0].shown if self.tasks else ""
        found = THINKING_TAGS.search(shown)
        return (found[0], found[0].replace("<", "</")) if found else ("<think>", "</think>")

    @cached_property
    def names_thinking(self) -> bool:
        """Whether the prompt speaks of thinking in tags."""
        shown = self.tasks[0].shown if self.tasks else ""
        return bool(self._reasoning[0] or THINKING_TAGS.search(shown))

    @property
    def _reasoning(self) -> tuple[str, str]:
        """The tags of the format around the reasoning; empty where their name says otherwise: then
        they are the place of another part of the answer."""
        before, after = (mark.strip() for mark in self.format.think)
        return (before, after) if THINKING.fullmatch(before) else ("", "")

    @cached_property
    def playable(self) -> bool:
        """Whether the environment takes turns of its own that can be played without a model."""
        return bool(self.tasks) and bool(self.play(0, ["I am thinking about it."]))

    @cached_property
    def guessing(self) -> bool:
        """Whether a wrong answer is answered by another turn: a guess, in whatever words."""
        if not self.playable or not self.with_gold:
            return False
        replies = [self.play(i, [self.write(self.wrong(i))]) for i in self.with_gold[:2]]
        return all(one.open for played in replies for one in played)

    def exchange(self, task: int, replies: list[str]) -> Messages:
        """The messages of a rollout with these replies, with what the environment said last."""
        for one in self.play(task, replies)[:1]:
            end = [{"role": "user", "content": one.unread}] if one.open else []
            return [*one.messages, *end]
        return []
