"""What is right where replies meet tools or turns: an item for each turn, an answer that is wanted
later, calls with the values of fields, moves found by trying.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lab.environment import Environment, Played, Task
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.formats.known import all_formats
from lab.reward.formats.prompt import commands_of, question_of
from lab.reward.interactive import by_turn as turns
from lab.reward.interactive import moves, ways
from lab.reward.interactive.calls import answered, nowhere, searching, sensible
from lab.reward.interactive.goes_on import goes_on
from lab.reward.interactive.messages import Call, calls_made, conversation, said
from lab.reward.reading.fields import rows_by_path
from lab.reward.reading.found import Found, acted_out
from lab.reward.reading.remembered import remembered
from lab.reward.reading.right import Right
from lab.reward.reading.search import CLEAR, TINY
from lab.reward.reading.solved import paid_again
from lab.reward.reading.solved_calls import CallSolver

CLAIM = "I have done everything that was asked, and checked that it is right."
MOST_TURNS = 12
"""Neutral replies after which an exchange is taken for one without an end."""
LISTED = 4
"""Lists of calls that the fields write out, after which an answer may be wanted."""
SHARE_OFF = 0.05
"""How far a rollout without its last call may be off the share of the others."""
LATER = 24.0
"""Seconds in which an answer that is wanted later is looked for."""
MOST_FIELDS, LONGEST = 4, 40
"""Fields whose values are asked about, and characters of such a value."""
BESIDE = ((0,), (-1, 0), (0, 1))
"""Numbers that are asked about before one is named, as steps from it."""
Prelude = tuple[dict[int, list[dict[str, Any]]], str]
"""Replies per task that come before an answer, and what was said until then."""


@dataclass
class Acting:
    """Looks for right rollouts of one running environment."""

    env: Environment
    code: Sequence[AnswerFormat]
    """The formats that the code looks for."""
    most: float
    """What all rewards pay together."""
    written: Callable[[Sequence[Task], float], Found]
    """Looks for an answer that is written as the only reply, or after a prelude."""
    incidental: Callable[[Right], bool]

    @property
    def tasks(self) -> Sequence[Task]:
        return self.env.description.tasks

    @property
    def interactive(self) -> bool:
        """Whether a reply meets something: tools, or turns of the environment's own."""
        tools = bool(self.env.description.tools)
        return tools or any(one.exchange for one in self.env.play(0, [[ways.NEUTRAL]]))

    def by_acting(self, found: Found) -> Found:
        if turned := self.by_turn(found):
            return turned
        most = CLEAR * self.most
        late = self._later(self._inquiries(), least=most) or self._searched()
        late = late or self._later(self._preludes())
        if late:
            late.checked = found.checked
            return late
        way = ways.find(self.env, found.right)
        if way:
            found.idle, found.claim = self.idle(way.right)
            found.graded = self._call_by_call(way)
            return acted_out(found, way.name, way.reward, way.right)
        if backed := self._later(self._looked_up(found.right.source), least=most):
            backed.checked = found.checked
            return backed
        if called := self._called(found):
            found.idle, found.claim = self.idle(called)
            return acted_out(found, "calls that what the code compares shows", self.most, called)
        found.idle, found.claim = self.idle(range(min(3, len(self.tasks))))
        best = moves.search(self.env, max(found.idle, found.claim))
        if best:
            return acted_out(found, "moves found by trying", best.reward, best.right)
        found.right = found.right.without_gold(
            "the gold is acted out, not written, and no way to act was found "
            f"({found.right.evidence})"
        )
        return found

    def _called(self, found: Found) -> dict[int, list[dict[str, Any]]]:
        """Rollouts that were made right by what the code compares them with."""
        if not self.env.description.tools:
            return {}
        formats = all_formats(self.tasks, [], self.code)
        solver = CallSolver(self.env, formats, self.most)
        called = solver.solve()
        self.env.expect(False)
        called, found.kept = paid_again(self.env, called, self.most)
        if not called and not found.kept[0]:
            tried = [state.rollout.messages for state in solver.tried]
            found.kept = remembered(self.env, 0, tried)
        return called

    def _call_by_call(self, way: ways.Found) -> bool:
        """Whether each of several calls earns its share: without the last one of k, (k - 1) / k."""
        shares = []
        for i, one in way.right.items():
            calls = calls_made(one)
            if len(calls) > 1:
                less = self.env.score(i, conversation(calls[:-1])).reward or 0.0
                shares.append(abs(less / way.reward - 1 + 1 / len(calls)) < SHARE_OFF)
        return bool(shares) and all(shares)

    def by_turn(self, found: Found) -> Found | None:
        """Golds with an item for each turn."""
        way = turns.Searcher(self.env, self.code, self.most).find()
        if way is None:
            return None
        (found.idle, found.claim), found.graded = self.idle(way.right), way.graded
        return acted_out(found, way.name, way.reward, way.right, way.cut)

    def idle(self, on: Iterable[int]) -> tuple[float, float]:
        """What an empty reply and an empty claim earn at most."""
        tasks = list(on)
        earned = [
            max((self.env.score(i, text).reward or 0.0 for i in tasks), default=0.0)
            for text in ("", CLAIM)
        ]
        return earned[0], earned[1]

    def _later(self, preludes: Iterator[Prelude], least: float = 0.0) -> Found | None:
        """An answer that is wanted after some turns, or after a tool was called; None where that
        is not told apart either, or by less than `least`. The environment then has these replies
        before every text."""
        until = time.monotonic() + LATER
        for before, told in preludes:
            if time.monotonic() > until:
                break
            self.env.prelude = before
            tasks = [replace(task, system=f"{task.system}\n{told}") for task in self.tasks]
            found = self.written(tasks, LATER / 3)
            right = found.right
            all_of_it = right.margin >= CLEAR * self.most
            apart = right.margin > max(TINY, least - TINY)
            if right.source and apart and (all_of_it or not self.incidental(right)):
                return found
        self.env.prelude = {}
        return None

    def _searched(self) -> Found | None:
        """An answer that is wanted after a search for what the prompt asks: on the tasks where it
        is paid then, since others may need another search."""
        late = self._later(self._searches())
        if late:
            late.right = late.right.where_paid()
        return late

    def _searches(self) -> Iterator[Prelude]:
        asked = [question_of(task, self.tasks) for task in self.tasks]
        for tool, schema in list(self.env.description.schemas.items())[:4]:
            if name := searching(schema):
                yield _before([[(tool, {name: words})] for words in asked]), ""

    def _written_calls(self, *, asked: bool) -> list[list[list[Call]]]:
        """By task the calls that the fields write out, those that the prompts name or the
        others."""
        listed = (calls for _, calls in ways.written(self.tasks, self.env.description.schemas))
        return [calls for calls in listed if all(map(_asked, calls, self.tasks)) == asked]

    def _finds(self, calls: list[list[Call]]) -> bool:
        """Whether the tool says something else of what the first call names than of what is
        nowhere; also where that cannot be seen."""
        every = ((i, call) for i, made in enumerate(calls) for call in made)
        task, call = next(((i, one) for i, one in every if nowhere(one) != one), (0, None))
        if call is None:
            return True
        here, there = (answered(self._play, task, one) for one in (call, nowhere(call)))
        return here != there or not here

    def _play(self, task: int, replies: Sequence[Any]) -> list[Played]:
        return self.env.play(task, [list(replies)])

    def _looked_up(self, gold: str) -> Iterator[Prelude]:
        """Calls with values that no prompt names: what an answer has to be backed with, such as the
        numbers of the pages to open; those with what the field `gold` holds last. Those that are
        paid themselves say nothing of an answer."""
        golds = [row.get(gold) for row in rows_by_path(self.tasks)]
        listed = filter(self._finds, self._written_calls(asked=False))
        for calls in sorted(itertools.islice(listed, LISTED), key=lambda one: _having(one, golds)):
            before = _before(calls)
            self.env.prelude = before
            if self.idle(sorted(before)[:3]) == (0.0, 0.0):
                yield before, ""

    def _preludes(self) -> Iterator[Prelude]:
        """Replies per task after which an answer may be wanted, with what was said until then."""
        description, count = self.env.description, range(len(self.tasks))
        neutral = {"role": "assistant", "content": ways.NEUTRAL}
        for calls in self._written_calls(asked=True)[:LISTED]:
            yield _before(calls), ""
        for tool, schema in list(description.schemas.items())[:4]:
            called = {i: conversation([sensible(tool, schema, self.tasks[i])])[:1] for i in count}
            yield called, ""
        for played in self.env.play(0, [[ways.NEUTRAL] * MOST_TURNS])[:1]:
            told = [str(m["content"]) for m in played.messages if m["role"] == "user"]
            turns = sum(m["role"] == "assistant" for m in played.messages)
            for before in [turns - 1] if not played.open else [1, 2]:
                if 0 < before < MOST_TURNS:
                    yield {i: [neutral] * before for i in count}, "\n".join(told)

    def _inquiries(self) -> Iterator[Prelude]:
        """Commands after which another one with the value of a field is paid: one about anything,
        about this value, or about the number beside it and the number itself."""
        shown, rows = self.tasks[0].shown, rows_by_path(self.tasks)
        commands = commands_of(shown)
        first = goes_on(lambda task, replies: self.env.play(task, [replies]), 0, shown)
        pairs = itertools.permutations(commands, 2)
        until = time.monotonic() + LATER / 2
        for path, (asked, last) in itertools.product(self._values(rows), pairs):
            for before in self._about(first, asked, [row[path] for row in rows]):
                made = said([*before[0], f"{last} {rows[0][path]}"])
                self.env.expect(True, made)
                if (self.env.score(0, made).reward or 0.0) > TINY:
                    yield {i: said(texts) for i, texts in enumerate(before)}, ""
            if time.monotonic() > until:
                return

    def _about(self, first: str, asked: str, values: list[Any]) -> Iterator[list[list[str]]]:
        """By task what may be asked before a value is named."""
        if first:
            yield [[first]] * len(values)
        for steps in BESIDE if all(map(_whole, values)) else ((0,),):
            yield [[f"{asked} {int(value) + n if n else value}" for n in steps] for value in values]

    def _values(self, rows: list[dict[str, Any]]) -> list[str]:
        """Fields with a number, or with a word or a few that the prompt has; not all alike."""
        return [
            path
            for path in rows[0]
            if all(_short(row.get(path), task) for row, task in zip(rows, self.tasks, strict=True))
            and len({row[path] for row in rows}) > 1
        ][:MOST_FIELDS]


def _before(calls: Sequence[Sequence[Call]]) -> dict[int, list[dict[str, Any]]]:
    """By task its calls, as messages before an answer."""
    return {i: conversation(list(made))[:-1] for i, made in enumerate(calls) if made}


def _having(calls: Sequence[Sequence[Call]], golds: Sequence[Any]) -> bool:
    """Whether a call of each task is about its gold."""
    said = [{str(v) for _, given in made for v in given.values()} for made in calls]
    return all(str(gold) in values for values, gold in zip(said, golds, strict=True) if values)


def _whole(value: Any) -> bool:
    """Whether it is a whole number, written or not."""
    return not isinstance(value, bool) and re.fullmatch(r"-?\d{1,9}", str(value)) is not None


def _short(value: Any, task: Task) -> bool:
    named = isinstance(value, str) and 0 < len(value) <= LONGEST and value in task.shown
    return named or _whole(value)


def _asked(calls: list[Call], task: Task) -> bool:
    """Whether what the calls are about is named in the prompt, as a part of it."""
    values = [str(value) for _, given in calls for value in given.values()]
    return all(one in task.shown and len(one) * 2 < len(task.prompt) for one in values)
