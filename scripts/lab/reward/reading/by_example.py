"""What the examples of a contract show: the format of an answer and the answer, or a right rollout
as a whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lab.answers.latex import last_boxed
from lab.environment import Completion, Environment, Task
from lab.reward.contract import Contract, Example
from lab.reward.formats.answer_format import PLAIN, AnswerFormat
from lab.reward.reading.answer_type import answer_type, settled_type
from lab.reward.reading.candidate import Candidate
from lab.reward.reading.candidates import candidates
from lab.reward.reading.right import Right

SOURCE = "the contract's examples"
ALL = 0.95
"""Of what an example earns that its answer has to earn in a format: less is a part of it."""
LEAST_WRONG = 2
"""Wrong examples in the form of the right ones, from which on these say what is wrong."""


@dataclass
class ByExample:
    formats: list[AnswerFormat] = field(default_factory=list)
    """Around the golds that the examples hold."""
    golds: dict[int, str] = field(default_factory=dict)
    """Per task the answer that its example gives, where one format fits all examples."""
    format: AnswerFormat = PLAIN
    whole: dict[int, Completion] = field(default_factory=dict)
    """Per task the example itself, where the environment pays it."""
    earned: dict[int, float] = field(default_factory=dict)
    """Per task the most that an example of it earned."""
    source: str = SOURCE

    def right(self, tasks: Sequence[Task], options: list[list[str]], declared: str | None) -> Right:
        """What is right by the examples alone: golds on their tasks only."""
        golds = [self.golds.get(i) for i in range(len(tasks))]
        accepted = [[gold] if gold else [] for gold in golds]
        one = Candidate(self.source, "as it is", golds, accepted, 0)
        kind = settled_type(declared, answer_type(one, tasks))
        # Of one or two golds it cannot be said that they are labels or options.
        kind = "text" if kind in ("label", "choice") and not any(options) else kind
        return Right(
            tasks,
            source=self.source,
            reading="as it is",
            golds=golds,
            accepted=accepted,
            answer_type=kind,
            format=self.format,
            options=options,
            rank=0,
            margin=1.0,
            evidence=f"{self.source}: {len(self.golds)}, written {self.format.name}",
        )


def from_examples(
    env: Environment,
    tasks: Sequence[Task],
    contract: Contract,
    formats: Sequence[AnswerFormat],
    source: str = SOURCE,
) -> ByExample:
    """Per right example: the format around the gold that it holds; and, where the environment pays
    them, the answers in the format that all of them have."""
    found = ByExample(source=source)
    positions = {task.index: i for i, task in enumerate(tasks)}
    # Of several to one task the shortest has the least beside the answer: it comes last, and stays.
    right = [e for e in reversed(contract.right_examples()) if e.task in positions]
    right.sort(key=lambda e: -len(str(e.completion)))
    if not right:
        return found
    known = [one for one in candidates(tasks) if one.rank <= 2]
    around: dict[int, list[AnswerFormat]] = {}
    for example in right:
        at = positions[example.task]
        if isinstance(example.completion, str):
            golds = {gold for one in known if (gold := one.golds[at])}
            made = _around(example.completion, sorted(golds, key=len, reverse=True))
            around.setdefault(at, []).extend(made)
        env.expect(True, example.completion)
        reward = env.score(at, example.completion).reward
        if reward is not None and reward > 0:
            found.whole[at] = example.completion
            found.earned[at] = max(reward, found.earned.get(at, 0.0))
    found.formats = _shared(around)
    _answers(env, found, [e for e in right if positions[e.task] in found.whole], positions, formats)
    return found


def any_answer(env: Environment, contract: Contract, right: Right) -> bool:
    """Whether many answers are right: wrong ones that are made up earn as much as the golds, and
    the contract's own wrong ones, written in the same form, earn nothing. Never where the contract
    says which field is the gold."""
    positions = {task.index: i for i, task in enumerate(right.tasks)}
    wrong = [
        e
        for e in contract.examples
        if e.wrong and e.task in positions and _inside(str(e.completion), right.format)
    ]
    if contract.gold or not right.with_gold or len(wrong) < LEAST_WRONG:
        return False
    refused = all(_earned(env, positions[e.task], e.completion, False) <= 0 for e in wrong)
    return refused and all(
        _earned(env, i, right.format.write(text), False)
        >= _earned(env, i, right.format.write(right.gold(i)), True)
        for i in right.with_gold
        for text in right.targets[i].wrongs
    )


def _earned(env: Environment, task: int, completion: Completion, right: bool) -> float:
    env.expect(right, completion)
    return env.score(task, completion).reward or 0.0


def _around(text: str, golds: list[str]) -> list[AnswerFormat]:
    """The format that a completion has, by the longest gold at its end; [] where none is in it."""
    for gold in golds:
        at = text.rfind(gold)
        if at >= 0:
            start, after = text.rfind("\n", 0, at) + 1, text[at + len(gold) :]
            if start == at > 0 and after.startswith("\n") and after.strip():
                start = text.rfind("\n", 0, at - 1) + 1  # the mark has a line of its own
            before = text[start:at]
            lead = text[:start].rstrip("\n")
            made = AnswerFormat("as the example", before, after, lead=lead, hint="contract")
            return [made]
    return []


def _shared(around: dict[int, list[AnswerFormat]]) -> list[AnswerFormat]:
    """The formats that the examples of several tasks agree on: what differs from one to the next
    is a part of the answer, such as the scores of the other candidates."""
    found = [one for formats in around.values() for one in formats]
    marks = Counter(mark for formats in around.values() for mark in {_mark(f) for f in formats})
    return [one for one in found if len(around) == 1 or marks[_mark(one)] > 1]


def _mark(one: AnswerFormat) -> tuple[str, str]:
    return one.before, one.after


def _answers(
    env: Environment,
    found: ByExample,
    examples: list[Example],
    positions: dict[int, int],
    formats: Sequence[AnswerFormat],
) -> None:
    """The answers of paid examples in the first format that all of them have and in which they are
    paid as much again, else in the one that fits most; the whole text where none does."""
    texts = {positions[e.task]: e.completion for e in examples}
    if not texts or not all(isinstance(text, str) for text in texts.values()):
        return
    best, most = PLAIN, dict[int, str]()
    for one in formats:
        led, inside = _read(one, {i: str(text) for i, text in texts.items()})
        paid = {
            i: answer
            for i, answer in inside.items()
            if _earned(env, i, led.write(answer), True) >= ALL * found.earned[i]
        }
        if len(paid) > len(most):
            best, most = led, paid
        if len(most) == len(texts):
            break
    if most:
        found.format, found.golds = best, most
    else:
        found.golds = {i: str(text) for i, text in texts.items()}
        found.format = replace(PLAIN, name="as a whole", hint="contract", whole=True)


def _read(one: AnswerFormat, texts: dict[int, str]) -> tuple[AnswerFormat, dict[int, str]]:
    """The format with the lead that the texts have, and what each has in its slot; nothing where
    one has none."""
    if not one.slotted or one.slots or one.is_json:
        return one, {}
    inside = {i: _inside(text, one) for i, text in texts.items()}
    lead = one.lead if any(_leads(text, one) for text in texts.values()) else ""
    found = {i: answer for i, answer in inside.items() if answer}
    return replace(one, lead=lead), found if len(found) == len(texts) else {}


def _inside(text: str, one: AnswerFormat) -> str | None:
    """What a text has in the last slot of a format; None where it has none."""
    if one.before.rstrip().endswith("\\boxed{"):
        return last_boxed(text) or None
    before, after = re.escape(one.before.strip()), re.escape(one.after.strip())
    end = rf"\s*{after}" if after else r"\s*(?:\n|\Z)"
    matches = re.findall(rf"{before}\s*(.+?){end}", text, re.DOTALL)
    return matches[-1].strip() if matches else None


def _leads(text: str, one: AnswerFormat) -> bool:
    return bool(text.split(one.before.strip() or one.after.strip())[0].strip())
