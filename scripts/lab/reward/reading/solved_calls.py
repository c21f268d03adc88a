"""Right rollouts with tools, found by what the code compares: calls that turn what a store has into
what it is held against, and the last reply beside them.

Source: as in `solved`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from lab.environment import Environment, Task, Watched
from lab.environment.comparisons import Pair, likeness, tells
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.interactive.calls import Schemas, sensible
from lab.reward.interactive.messages import DONE, Call, Messages, conversation
from lab.reward.interactive.reaching import calls_for, edits, named_calls, with_word
from lab.reward.interactive.ways import spread
from lab.reward.reading.search import CLEAR
from lab.reward.reading.solved import changed, first_replies
from lab.reward.statements import readme_of

TASKS, MOST_TEXTS, MOST_TOOLS, KEPT, STEPS, SECONDS = 8, 24, 8, 10, 60, 20.0
"""Tasks, last replies and tools to begin with, those that are worked on, changes of one rollout,
and seconds: for the first task and for all the others, a third of them for each."""
MOST_CALLS, MOST_LEVEL, MOST_PAIRS = 8, 6, 60
LEAST = 2
"""Tasks that must be solved."""
OF_SETS = ("==", "!=", "<=", ">=", "<", ">", "-", "issubset", "issuperset")
LAST_PLACES, OFTEN = 2, 60
"""Places of the code at which a record is compared after the other, and times that tell more."""


@dataclass(frozen=True)
class Rollout:
    calls: tuple[Call, ...]
    text: str

    @property
    def messages(self) -> Messages:
        return conversation(self.calls, self.text)


@dataclass(frozen=True)
class State:
    rollout: Rollout
    seen: Watched

    @cached_property
    def worth(self) -> tuple[float, float, int, list[int], int, int]:
        """What it earns; how far it is like what it is held against: the largest things that are
        compared, the parts of the last reply, and what is found among others; how far the code
        goes, and how often at its last places; the shorter one first."""
        pairs = [pair for pair in self.seen.pairs if pair[0] in ("==", "!=")]
        text = self.rollout.text.lower()
        said = sum(likeness(a, b) for _, a, b, _ in pairs if _stands_in(a, text) and tells(b))
        stores = [
            (len(repr(a)), likeness(a, b))
            for _, a, b, _ in pairs
            if _both_hold(a, b) and not _stands_in(a, text)
        ]
        made = sum(
            isinstance(left, (list, dict)) and held == (name == "in")
            for name, left, _, held in self.seen.pairs
            if name in ("in", "not in") and held is not None
        )
        alike = max(stores, default=(0, 0.0))[1] + said + made
        reward = self.seen.score.reward or 0.0
        places, calls = self.seen.places, self.rollout.calls
        often = [min(count, OFTEN) for count in places[: -LAST_PLACES - 1 : -1]]
        return reward, round(alike, 3), len(places), often, -len(calls), -len(text)


def _stands_in(value: Any, text: str) -> bool:
    """Whether a text, or each member of a list, stands in a last reply."""
    members = value if isinstance(value, list) else [value]
    return bool(members) and all(isinstance(one, str) and one.lower() in text for one in members)


def _both_hold(left: Any, right: Any) -> bool:
    """Whether both are collections; None is what an empty one is told as."""
    held = [isinstance(side, (list, dict)) for side in (left, right)]
    return all(side is None or one for side, one in zip((left, right), held, strict=True)) and any(
        held
    )


class CallSolver:
    """Looks for paid rollouts of one running environment with tools."""

    def __init__(self, env: Environment, formats: Sequence[AnswerFormat], most: float) -> None:
        self.env, self.most = env, most
        self.tasks, self.schemas = env.description.tasks, env.description.schemas
        readme = readme_of(env.location.path)
        self.texts = first_replies(self.tasks, formats, readme)[:MOST_TEXTS]
        self.until = 0.0
        self.furthest: State | None = None
        self.tried: list[State] = []
        """The first task's rollouts that went furthest, the best first."""

    def solve(self) -> dict[int, Messages]:
        """By task a rollout that earns all of it; nothing where fewer than two tasks are solved."""
        first, *others = spread(len(self.tasks), TASKS)
        right = self._of(first, self.texts, self._until(SECONDS))
        if right is None:
            return {}
        found, until = {first: right}, self._until(SECONDS)
        for task in others:
            at_most = min(until, self._until(SECONDS / 3))
            one = self._of(task, [right.text], at_most, [right])
            found |= {task: one} if one is not None else {}
        enough = len(found) >= min(LEAST, len(self.tasks))
        one_for_all = len({*map(repr, found.values())}) == 1 and len(self.tasks) > 1
        return {i: one.messages for i, one in found.items()} if enough and not one_for_all else {}

    def _of(
        self, task: int, texts: Sequence[str], until: float, again: Sequence[Rollout] = ()
    ) -> Rollout | None:
        """A paid rollout of one task: from a call of each tool and each of the last replies, and
        then from the calls that went furthest, with each of the last replies."""
        self.until, self.furthest = until, None
        firsts = [*again, Rollout((), DONE), *(Rollout((), text) for text in texts)]
        for tool, schema in list(self.schemas.items())[:MOST_TOOLS]:
            call = sensible(tool, schema, self.tasks[task])
            firsts.append(Rollout((call,), DONE if len(texts) > 1 else texts[0]))
        states = [self._state(task, one) for one in firsts if self._in_time()]
        states.sort(key=lambda state: state.worth, reverse=True)
        self.tried = self.tried or states[:KEPT]
        for state in chain(states[:KEPT], self._with(task, texts)):
            self.until = min(until, self._until(SECONDS / 3))
            if (right := self._solved(task, state)) is not None:
                return right
        return None

    def _with(self, task: int, texts: Sequence[str]) -> Iterator[State]:
        if self.furthest is not None:
            calls = self.furthest.rollout.calls
            yield from (self._state(task, Rollout(calls, text)) for text in texts)

    def _state(self, task: int, rollout: Rollout) -> State:
        self.env.expect(True, rollout.messages)
        return State(rollout, self.env.watch(task, rollout.messages, comparisons=True))

    def _until(self, seconds: float) -> float:
        return self.env.clock() + seconds

    def _in_time(self) -> bool:
        return self.env.clock() < self.until

    def _paid(self, state: State) -> bool:
        return state.worth[0] >= CLEAR * self.most

    def _solved(self, task: int, start: State) -> Rollout | None:
        """The best states first; those that are no better than the last one, a few times."""
        waiting, tried, best, level = [start], {repr(start.rollout)}, start.worth, 0
        for _ in range(STEPS):
            if not waiting or level > MOST_LEVEL:
                return None
            state = waiting.pop(max(range(len(waiting)), key=lambda n: waiting[n].worth))
            if self.furthest is None or state.worth > self.furthest.worth:
                self.furthest = state
                self.tried.insert(0, state)
            if self._paid(state):
                return self._shortest(task, state.rollout)
            best, level = max(best, state.worth), 0 if state.worth > best else level + 1
            for rollout in _changed(state, self.tasks[task], self.schemas):
                if repr(rollout) in tried or not self._in_time():
                    continue
                tried.add(repr(rollout))
                made = self._state(task, rollout)
                if made.worth[0] >= state.worth[0]:
                    waiting.append(made)
                if self._paid(made):
                    break
        return None

    def _shortest(self, task: int, rollout: Rollout) -> Rollout:
        """A paid rollout without the calls and the words that it is paid without."""
        if self._paid(self._state(task, Rollout(rollout.calls, DONE))):
            rollout = Rollout(rollout.calls, DONE)
        for n in reversed(range(len(rollout.calls))):
            less = Rollout((*rollout.calls[:n], *rollout.calls[n + 1 :]), rollout.text)
            if self._paid(self._state(task, less)):
                rollout = less
        return rollout


def _changed(state: State, task: Task, schemas: Schemas) -> Iterator[Rollout]:
    """The rollout with another call, with other arguments, and with another last reply."""
    calls, text = state.rollout.calls, state.rollout.text
    for pair in reversed(state.seen.pairs[-MOST_PAIRS:]):
        for call in _suggested(pair, task, schemas):
            yield from _with(calls, text, call)
        if pair[0] in ("==", "!=") and pair[1] != pair[2]:
            yield from _with_argument(calls, text, pair[1], pair[2])
    for other in changed(text, state.seen.pairs):
        yield Rollout(calls, other)


def _suggested(pair: Pair, task: Task, schemas: Schemas) -> Iterator[Call]:
    """The calls that a comparison which does not hold asks for."""
    name, left, right, held = pair
    if name in OF_SETS and _both_hold(left, right) and not held:
        yield from edits(left or [], right or [], task, schemas)
        yield from edits(right or [], left or [], task, schemas)
    if name in ("==", "!="):
        if left == right:
            return
        yield from _turning(left, right, task, schemas)
    elif name in ("in", "not in") and held != (name == "in"):
        if isinstance(left, (list, dict)) and isinstance(right, (list, type(None))):
            yield from calls_for(right or [], [*(right or []), left], task, schemas)
    else:
        return
    for value in (left, right):
        yield from named_calls(value, schemas, task)


def _turning(left: Any, right: Any, task: Task, schemas: Schemas) -> Iterator[Call]:
    """The calls that make one of two values the other."""
    if _both_hold(left, right):
        for ours, theirs in ((left, right), (right, left)):
            yield from calls_for(ours, theirs, task, schemas)
    elif left is None or right is None:
        yield from with_word(right if left is None else left, schemas)


def _with(calls: tuple[Call, ...], text: str, call: Call) -> Iterator[Rollout]:
    """The call behind the others, before them, and in the place of one of the same tool."""
    if len(calls) < MOST_CALLS and call not in calls:
        yield Rollout((*calls, call), text)
        if calls:
            yield Rollout((call, *calls), text)
    for n, one in enumerate(calls):
        if one[0] == call[0] and one != call:
            yield Rollout((*calls[:n], call, *calls[n + 1 :]), text)


def _with_argument(calls: tuple[Call, ...], text: str, left: Any, right: Any) -> Iterator[Rollout]:
    """One side of a comparison in the place of the other, where that is an argument."""
    for n, (tool, arguments) in enumerate(calls):
        for name, value in arguments.items():
            for ours, theirs in ((left, right), (right, left)):
                if value == ours and type(ours) is type(theirs) and tells(theirs):
                    made = (tool, {**arguments, name: theirs})
                    yield Rollout((*calls[:n], made, *calls[n + 1 :]), text)
